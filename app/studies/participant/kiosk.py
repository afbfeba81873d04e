"""Keeps the window to itself: input is watched, the clipboard is guarded, other screens are black."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QPointF, QRect, Qt
from PySide6.QtGui import QClipboard, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QScreen
from PySide6.QtWidgets import QApplication, QWidget

TRAVEL_PX = 3
"""A pointer that moved less was not moved by somebody."""
POINTER_MS = 100
"""The least time between two reported positions of the pointer."""
_PRESSED = frozenset(
    {
        QEvent.Type.KeyPress,
        # The press of a key that is a shortcut never reaches a window.
        QEvent.Type.KeyRelease,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.Wheel,
        QEvent.Type.TabletPress,
        QEvent.Type.TouchBegin,
    }
)
_DROPS = frozenset({QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop})
Log = Callable[..., None]
OFFSCREEN = "offscreen"
"""The platform without a screen, whose clipboard is the program's own but does not say so."""


class KioskWatch(QObject):
    """Reports keys, buttons, wheel and pointer, and prevents drops into the window.

    acted: called with each of them. pointed: called with where the pointer is, ten times a second at most.
    """

    def __init__(
        self, application: QApplication, acted: Callable[[], None], pointed: Callable[[int, int], None]
    ) -> None:
        super().__init__(application)
        self._pointed = pointed
        self._since_pointed = QElapsedTimer()
        self._acted = acted
        self._application = application
        self._last: QPointF | None = None
        application.installEventFilter(self)

    def stop(self) -> None:
        """Watches no longer."""
        self._application.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in _DROPS:
            event.ignore()
            return True
        # Events come to the window first, and then to the widget: one of them is enough.
        if watched.isWindowType() and (kind in _PRESSED or self._moved(event)):
            self._acted()
        return False

    def _moved(self, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.MouseMove or not isinstance(event, QMouseEvent):
            return False
        place = event.globalPosition()
        if self._last is None or (place - self._last).manhattanLength() > TRAVEL_PX:
            moved = self._last is not None
            self._last = place
            self._point(place)
            return moved
        return False

    def _point(self, place: QPointF) -> None:
        if not self._since_pointed.isValid() or self._since_pointed.elapsed() >= POINTER_MS:
            self._since_pointed.start()
            self._pointed(round(place.x()), round(place.y()))


class ClipboardGuard(QObject):
    """Lets text be copied and pasted among the window's own fields only, or not at all.

    `log` is called with "copy" or "paste", how many characters, and whether it was refused; never with the text.
    """

    def __init__(self, application: QApplication, log: Log) -> None:
        super().__init__(application)
        self.mode: Literal["inside", "off", "system"] = "inside"
        self._log = log
        self._inside: str | None = None
        self._application = application
        self._clipboard: QClipboard = application.clipboard()
        self._clipboard.dataChanged.connect(self._changed)
        application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ContextMenu:
            return _takes_text(watched)
        if kind == QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent):
            # The middle button pastes the selection of another program.
            return bool(event.button() == Qt.MouseButton.MiddleButton and _takes_text(watched))
        if kind in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride) and isinstance(event, QKeyEvent):
            is_refused = self._key(watched, event, kind == QEvent.Type.KeyPress)
            if is_refused:
                # Otherwise Qt would take the key for a shortcut, such as that of an editor that copies things.
                event.accept()
            return is_refused
        return False

    def stop(self) -> None:
        """Stops guarding, and clears text that was copied inside from the clipboard."""
        self._application.removeEventFilter(self)
        self._clipboard.dataChanged.disconnect(self._changed)
        self.forget()

    def allows_paste(self) -> bool:
        """Whether the contents of the clipboard may be pasted."""
        return self.mode == "system" or (self.mode == "inside" and self._clipboard.text() == self._inside)

    def forget(self) -> None:
        """Clears text that was copied inside from the clipboard, so that the next person does not find it."""
        if self._inside is not None and self._clipboard.text() == self._inside:
            self._clipboard.clear()
        self._inside = None

    def _key(self, watched: QObject, event: QKeyEvent, pressed: bool) -> bool:
        if event.matches(QKeySequence.StandardKey.Paste):
            allowed = self.allows_paste()
            if pressed and _takes_text(watched):
                self._log("paste", characters=len(self._clipboard.text()), refused=not allowed)
            return not allowed
        copies = event.matches(QKeySequence.StandardKey.Copy) or event.matches(QKeySequence.StandardKey.Cut)
        return copies and self.mode == "off"

    def _changed(self) -> None:
        owns = self._clipboard.ownsClipboard() or QGuiApplication.platformName() == OFFSCREEN
        if owns and QGuiApplication.focusWindow() is not None:
            self._inside = self._clipboard.text()
            self._log("copy", characters=len(self._inside))
        else:
            self._inside = None


class Kiosk:
    """Makes a window cover its screen, with all other screens black, and an ordinary window again."""

    def __init__(self, window: QWidget) -> None:
        self.is_on = False
        self._window = window
        self._before = QRect()
        self._black: list[QWidget] = []

    def enter(self) -> None:
        """Covers the screen on which the window is."""
        if self.is_on:
            return
        self.is_on = True
        self._before = self._window.geometry()
        # Where no window manager runs, nobody else makes it as large as the screen.
        self._window.setGeometry(self._window.screen().geometry())
        self._window.showFullScreen()
        self._black = black_screens(self._window.screen())
        self._window.raise_()
        self._window.activateWindow()

    def leave(self) -> None:
        """Restores the window, and uncovers the other screens."""
        if self.is_on:
            self.is_on = False
            self.uncover_screens()
            self._window.showNormal()
            self._window.setGeometry(self._before)

    def uncover_screens(self) -> None:
        """Uncovers the other screens."""
        for cover in self._black:
            cover.close()
            cover.deleteLater()
        self._black = []


def _takes_text(watched: QObject) -> bool:
    from PySide6.QtWidgets import QAbstractScrollArea, QLineEdit, QPlainTextEdit, QTextEdit

    parent = watched.parent()
    fields = (QLineEdit, QPlainTextEdit, QTextEdit)
    return isinstance(watched, fields) or (isinstance(parent, fields) and isinstance(parent, QAbstractScrollArea))


def black_screens(own: QScreen) -> list[QWidget]:
    """Black windows over all screens but one."""
    covers = []
    for screen in QGuiApplication.screens():
        if screen is not own:
            cover = QWidget(None, Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowDoesNotAcceptFocus)
            cover.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
            cover.setStyleSheet("background: black")
            # Separate desktops all begin at 0, 0, so that a place does not say which screen is meant.
            cover.setScreen(screen)
            cover.setGeometry(screen.geometry())
            cover.showFullScreen()
            covers.append(cover)
    return covers
