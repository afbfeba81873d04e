"""Keeps what a participant copies inside the window, and what others copied outside of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QClipboard, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from spatial_workbench.engine.core.languages.translation import marked, tr
from spatial_workbench.widgets.clipboard import keep_with

OFFSCREEN = "offscreen"
"""The platform without a screen, whose clipboard is the program's own but does not say so."""
OUTSIDE = marked("Only what was copied in this window can be pasted.")
NOTHING = marked("Copying and pasting are not part of this study.")
_KEYS = (QKeySequence.StandardKey.Copy, QKeySequence.StandardKey.Cut, QKeySequence.StandardKey.Paste)
Log = Callable[..., None]
TextField = QLineEdit | QPlainTextEdit | QTextEdit


class ClipboardGuard(QObject):
    """Lets people copy and paste among the window's own fields only, or not at all, or as everywhere.

    With `inside`, nothing that is copied reaches the system's clipboard, where other programs could read it. Selected
    text does for a moment where selecting is copying (X11), since Qt puts it there; it is removed at once.

    log: called with "copy" or "paste", how many characters, and whether it was refused; never with the text.

    Signals:
        refused(str): nothing is pasted; says why.
    """

    refused = Signal(str)

    def __init__(self, application: QApplication, log: Log) -> None:
        super().__init__(application)
        self.mode: Literal["inside", "off", "system"] = "inside"
        self._log = log
        self._kept: QMimeData | None = None
        self._on_system: str | None = None
        """The text that was copied to the system's clipboard, while that was allowed."""
        self._application = application
        self._clipboard: QClipboard = application.clipboard()
        self._clipboard.dataChanged.connect(self._changed)
        self._clipboard.selectionChanged.connect(self._selected)
        application.installEventFilter(self)
        keep_with(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if self.mode == "system":
            return False
        if kind == QEvent.Type.ContextMenu:
            return _text_of(watched) is not None
        if kind == QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent):
            # The middle button pastes the selection of another program.
            return event.button() == Qt.MouseButton.MiddleButton and _text_of(watched) is not None
        if kind == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self.mode == "off":
            # Otherwise Qt would take the key for a shortcut, such as that of an editor that cuts things.
            event.setAccepted(any(event.matches(key) for key in _KEYS) or event.isAccepted())
            return event.isAccepted()
        if kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and isinstance(watched, QWidget):
            return self._key(watched, event)
        return False

    def stop(self) -> None:
        """Stops guarding, and forgets what was copied."""
        keep_with(None)
        self._application.removeEventFilter(self)
        self._clipboard.dataChanged.disconnect(self._changed)
        self._clipboard.selectionChanged.disconnect(self._selected)
        self.forget()

    def forget(self) -> None:
        """Forgets what was copied inside, so that the next person does not find it."""
        if self._on_system is not None and self._clipboard.text() == self._on_system:
            self._clipboard.clear()
        self._on_system = None
        self._kept = None

    def keep(self, data: QMimeData) -> None:
        """Takes what was copied, unless copying is off."""
        if self.mode == "system":
            self._clipboard.setMimeData(data)
        elif self.mode == "inside":
            self._kept = data
            self._log("copy", characters=len(data.text()))

    def kept(self) -> QMimeData:
        """What was copied last, if that was inside; else empty, and the person is told why."""
        if self.mode == "system":
            return self._clipboard.mimeData() or QMimeData()
        if self.mode == "inside" and self._kept is not None:
            self._log("paste", characters=len(self._kept.text()), refused=False)
            return self._kept
        self._log("paste", characters=len(self._clipboard.text()), refused=True)
        self.refused.emit(tr(NOTHING if self.mode == "off" else OUTSIDE))
        return QMimeData()

    def _key(self, watched: QWidget, event: QKeyEvent) -> bool:
        """Copies, cuts or pastes text in place of Qt, which would use the system's clipboard."""
        copies, cuts, pastes = (event.matches(key) for key in _KEYS)
        field = _text_of(watched)
        if self.mode == "off":
            if pastes:
                self.kept()
            return copies or cuts or pastes
        if field is None:
            if isinstance(watched, QLabel) and copies and watched.hasSelectedText():
                self._copy(watched.selectedText())
            # Lists copy what is chosen in them.
            return (copies or cuts) and isinstance(watched, QLabel | QAbstractItemView)
        if copies or cuts:
            self._copy(_selected_in(field))
            if cuts and not field.isReadOnly():
                _insert(field, "")
        elif pastes and not field.isReadOnly() and (text := self.kept().text()):
            _insert(field, text)
        return copies or cuts or pastes

    def _copy(self, text: str) -> None:
        if text:
            data = QMimeData()
            data.setText(text)
            self.keep(data)

    def _changed(self) -> None:
        """Something was copied to the system's clipboard: in another program, or here if that is allowed."""
        owns = self._clipboard.ownsClipboard() or QGuiApplication.platformName() == OFFSCREEN
        if self.mode == "system" and owns and QGuiApplication.focusWindow() is not None:
            self._on_system = self._clipboard.text()
            self._log("copy", characters=len(self._on_system))
        else:
            self._on_system = None
            self._kept = None

    def _selected(self) -> None:
        if self.mode != "system" and self._clipboard.ownsSelection():
            self._clipboard.clear(QClipboard.Mode.Selection)


def _text_of(watched: QObject) -> TextField | None:
    """The field for text that an event is for, be it the field itself or the view in it."""
    for candidate in (watched, watched.parent()):
        if isinstance(candidate, TextField):
            return candidate
    return None


def _selected_in(field: TextField) -> str:
    if isinstance(field, QLineEdit):
        return field.selectedText() if field.echoMode() is QLineEdit.EchoMode.Normal else ""
    return field.textCursor().selection().toPlainText()


def _insert(field: TextField, text: str) -> None:
    """Replaces the selection."""
    if isinstance(field, QLineEdit):
        field.insert(text)
    else:
        field.textCursor().insertText(text)
        field.ensureCursorVisible()
