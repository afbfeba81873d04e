"""The answer as text: it follows the editor, and typed changes are applied to the editor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from PySide6.QtCore import QRect, QSize, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.engine.core import Answer, AnswerError
from spatial_workbench.engine.core.contract import formatted
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.widgets.appearance import appearance, scaled
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.shown_text import replace_text
from spatial_workbench.widgets.theme import SPACE

QUIET_MS = 250
"""The pause after an edit before the text is updated, so that dragging is never slowed down."""

LONG_CHARS = 8_000
"""Longer answers, in their shortest form, are formatted in the background."""


class RunSoon(Protocol):
    """Runs a short function of the engine in another process; see `widgets.editing.runner.Runner.run`."""

    def __call__(
        self, label: str, function: Callable[..., Any], *arguments: Any, done: Callable[[Any], None]
    ) -> object: ...


class AnswerPanel(QWidget):
    """Keeps the text and the document in step; Apply and Revert are enabled while they differ."""

    def __init__(self, document: AnswerDocument[Any], run_soon: RunSoon, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run_soon = run_soon
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._document = document
        self._shown = ""
        self._stale = True
        self.text = CodeEdit()
        self.text.setAccessibleName(tr("Answer as text"))
        self.text.textChanged.connect(self._typed)
        self.error = QLabel()
        self.error.setObjectName("error")
        self.error.setWordWrap(True)
        self.error.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.error.hide()
        self.apply_button = QPushButton(tr("Apply"))
        self.apply_button.setToolTip(tr("Use the typed answer  (Ctrl+Return)"))
        self.apply_button.setShortcut("Ctrl+Return")
        self.apply_button.clicked.connect(self.apply)
        self.revert_button = QPushButton(tr("Revert"))
        self.revert_button.setToolTip(tr("Discard what was typed and show the editor's answer again"))
        self.revert_button.clicked.connect(self._revert)
        self._quiet = QTimer(self, singleShot=True, interval=QUIET_MS)
        self._quiet.timeout.connect(self._follow_unless_typed)
        self._lay_out()
        document.answer_changed.connect(self._answer_changed)
        self._update_buttons()

    def apply(self) -> bool:
        """Applies the typed answer, or marks the line that cannot be read; whether it could be."""
        try:
            self._document.replace_data("Type answer", self.text.toPlainText())
        except AnswerError as error:
            self._show_error(error)
            return False
        self._revert()
        return True

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._follow_unless_typed()

    @property
    def is_typed(self) -> bool:
        """Whether the text differs from the document."""
        return self.text.toPlainText() != self._shown

    @property
    def typed_text(self) -> str:
        """The typed text that is not applied yet; "" if the text is the document's."""
        return self.text.toPlainText() if self.is_typed else ""

    def _answer_changed(self) -> None:
        self._stale = True
        if self.isVisible():
            self._quiet.start()

    def _follow_unless_typed(self) -> None:
        if not self.is_typed:
            self._follow_document()

    def _revert(self) -> None:
        self._shown = self.text.toPlainText()
        self._follow_document()

    def _follow_document(self) -> None:
        task = self._document.task
        answer = self._document.answer
        self._stale = False
        if task.answer_format == "json" and len(text := answer.model_dump_json()) > LONG_CHARS:
            self._run_soon(
                "Formatting the answer", formatted, task.id, text, done=lambda text: self._show_of(answer, text)
            )
        else:
            self._show_text(task.format(answer))

    def _show_of(self, answer: Answer, text: str) -> None:
        """Shows the text of an answer, unless it is outdated or the user is typing."""
        if answer is self._document.answer and not self.is_typed:
            self._show_text(text)

    def _show_text(self, text: str) -> None:
        self._shown = text
        replace_text(self.text, text)
        self._clear_error()
        self._update_buttons()

    def _typed(self) -> None:
        self._clear_error()
        self._update_buttons()

    def _update_buttons(self) -> None:
        typed = self.is_typed
        self.apply_button.setEnabled(typed)
        self.revert_button.setEnabled(typed)

    def _show_error(self, error: AnswerError) -> None:
        self.error.setText(said(str(error)))
        self.error.show()
        self.text.mark_line(error.line)

    def _clear_error(self) -> None:
        self.error.hide()
        self.text.mark_line(None)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * SPACE)
        buttons.addWidget(self.apply_button)
        buttons.addWidget(self.revert_button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.error)
        layout.addLayout(buttons)


class CodeEdit(QPlainTextEdit):
    """A monospaced text field with line numbers, in which lines can be marked."""

    def __init__(self) -> None:
        super().__init__()
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(scaled(12))
        font.setStyleHint(QFont.StyleHint.Monospace)
        self.setFont(font)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self._marks: dict[int, str] = {}
        self._gutter = _Gutter(self)
        self.blockCountChanged.connect(self._fit_gutter)
        self.updateRequest.connect(self._scroll_gutter)
        self._fit_gutter()

    def mark_line(self, line: int | None) -> None:
        """Marks a line (from 1) as wrong and scrolls to it; None removes the mark."""
        self.mark_lines({} if line is None else {line: "failed"})
        if line is not None:
            self.go_to_line(line)

    def mark_lines(self, roles: Mapping[int, str]) -> None:
        """Marks lines (from 1) with the colours of roles; other marks are removed."""
        self._marks = dict(roles)
        self.setExtraSelections([self._mark_line(line, role) for line, role in roles.items()])
        self._gutter.update()

    def go_to_line(self, line: int) -> None:
        """Puts the cursor into a line (from 1), in the middle of the visible part."""
        self.setTextCursor(QTextCursor(self.document().findBlockByNumber(line - 1)))
        self.centerCursor()

    def _mark_line(self, line: int, role: str) -> QTextEdit.ExtraSelection:
        mark = QTextEdit.ExtraSelection()
        color = QColor(appearance().theme.color(role))
        color.setAlpha(60)
        mark.format.setBackground(color)
        mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        mark.cursor = QTextCursor(self.document().findBlockByNumber(line - 1))
        return mark

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        area = self.contentsRect()
        self._gutter.setGeometry(QRect(area.left(), area.top(), self.gutter_width(), area.height()))

    def gutter_width(self) -> int:
        """Room for the line numbers, in pixels."""
        return self.fontMetrics().horizontalAdvance("9" * len(str(max(10, self.blockCount())))) + 3 * SPACE

    def paint_gutter(self, rect: QRect) -> None:
        """Paints the line numbers."""
        theme = appearance().theme
        painter = QPainter(self._gutter)
        painter.fillRect(rect, theme.color("window"))
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top <= rect.bottom():
            height = self.blockBoundingRect(block).height()
            painter.setPen(theme.color(self._marks.get(block.blockNumber() + 1, "secondary")))
            box = QRect(0, round(top), self._gutter.width() - 2 * SPACE, round(height))
            painter.drawText(box, Qt.AlignmentFlag.AlignRight, str(block.blockNumber() + 1))
            top += height
            block = block.next()

    def _fit_gutter(self) -> None:
        self.setViewportMargins(self.gutter_width(), 0, 0, 0)

    def _scroll_gutter(self, rect: QRect, dy: int) -> None:
        if dy:
            self._gutter.scroll(0, dy)
        else:
            self._gutter.update(0, rect.y(), self._gutter.width(), rect.height())


class _Gutter(QWidget):
    def __init__(self, edit: CodeEdit) -> None:
        super().__init__(edit)
        self._edit = edit

    def sizeHint(self) -> QSize:
        return QSize(self._edit.gutter_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._edit.paint_gutter(event.rect())
