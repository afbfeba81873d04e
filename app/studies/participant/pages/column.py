"""Pages with one column of text and fields, and a button to continue."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.studies.participant.texts import words
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.widgets.appearance import scaled
from spatial_workbench.widgets.qt import call_later
from spatial_workbench.widgets.theme import SPACE

COLUMN_PX = 760
EDGE_PX = 6 * SPACE
_SCROLL_KEYS = {Qt.Key.Key_PageDown: 1.0, Qt.Key.Key_PageUp: -1.0, Qt.Key.Key_Down: 0.1, Qt.Key.Key_Up: -0.1}


class ColumnPage(QWidget):
    """A title, a scrolling column, and the button to continue below it.

    button: the words of the button; None: it continues; empty: there is no button.
    is_short: whether there is so little on the page that it stands in the middle, with its button right below.

    Signals:
        accepted(): the button was pressed, or Enter.
        read(): whether the column was read to its end may have changed; see `is_read`.
    """

    accepted = Signal()
    read = Signal()

    def __init__(self, title: str, button: str | None = None, is_short: bool = False) -> None:
        super().__init__()
        button = tr("Continue") if button is None else button
        self._is_short = is_short
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = words(title, "pageTitle")
        self.primary = QPushButton(button)
        self.primary.setObjectName("primary")
        self.primary.setMinimumHeight(scaled(34))
        if not button:
            self.primary.hide()
        self.primary.clicked.connect(self.accepted)
        self.note = words("", "secondary")
        self.is_read = False
        self._body = QWidget()
        self.column = QVBoxLayout(self._body)
        self.column.setContentsMargins(0, 6 * SPACE, 0, 6 * SPACE)
        self.column.setSpacing(4 * SPACE)
        if is_short:
            self.column.addStretch(2)
        self.column.addWidget(self.title)
        self.scroller = QScrollArea()
        self.scroller.setWidgetResizable(True)
        self.scroller.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroller.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroller.setWidget(_centred(self._body))
        self._was_scrolled_to_end = False
        self.scroller.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.scroller.verticalScrollBar().rangeChanged.connect(self._look_for_end)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.scroller, 1)
        self._bottom = self._make_footer()
        self._foot: QFrame | None = None
        if not is_short and button:
            self._foot = _centred(self._bottom, is_footer=True)
            outer.addWidget(self._foot)

    def add(self, *widgets: QWidget) -> None:
        """Adds widgets to the column."""
        for widget in widgets:
            self.column.addWidget(widget)

    def end(self) -> None:
        """Ends the column; the rest of the page stays empty."""
        if self._is_short:
            self.column.addWidget(self._bottom)
        self.column.addStretch(3)

    def add_button(self, button: QPushButton) -> None:
        """Adds another button beside the one to continue."""
        button.setMinimumHeight(scaled(34))
        self._footer.insertWidget(1 if self._is_short else self._footer.count() - 1, button)

    def say(self, text: str) -> None:
        """Says something beside the button."""
        self.note.setText(text)

    def first_field(self) -> QWidget:
        """The widget that has the focus first."""
        return self.primary if self.primary.isEnabled() else self

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.first_field().setFocus()
        call_later(self, self._look_for_end)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.primary.isEnabled() and self.primary.isVisible():
            self.primary.click()
        elif not scroll_by(self.scroller, key):
            super().keyPressEvent(event)

    def _scrolled(self, value: int) -> None:
        self._was_scrolled_to_end |= self.isVisible() and value >= self.scroller.verticalScrollBar().maximum() - 2
        self._look_for_end()

    def _look_for_end(self, *_: int) -> None:
        """Notes whether the end was visible; a page that is being laid out may seem short at first."""
        bar = self.scroller.verticalScrollBar()
        if self._foot is not None:
            # The scroll bar makes the column narrower; the button stays below the column's edge. When the range of the
            # bar changes, it is not shown or hidden yet.
            self._foot.setContentsMargins(0, 0, bar.sizeHint().width() if bar.maximum() > 0 else 0, 0)
        self.is_read = self._was_scrolled_to_end or (self.isVisible() and bar.value() >= bar.maximum() - 2)
        self.read.emit()

    def _make_footer(self) -> QWidget:
        footer = QWidget()
        self._footer = QHBoxLayout(footer)
        self._footer.setContentsMargins(0, 3 * SPACE, 0, 3 * SPACE)
        self._footer.setSpacing(2 * SPACE)
        if self._is_short:
            self._footer.addWidget(self.primary)
            self._footer.addWidget(self.note, 1)
        else:
            self._footer.addWidget(self.note, 1)
            self._footer.addWidget(self.primary)
        return footer


def scroll_by(scroller: QScrollArea, key: Qt.Key) -> bool:
    """Scrolls by a key; False if the key does not scroll."""
    bar = scroller.verticalScrollBar()
    if key in _SCROLL_KEYS:
        bar.setValue(bar.value() + round(_SCROLL_KEYS[key] * scroller.viewport().height() * 0.9))
    elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
        bar.setValue(bar.maximum() if key == Qt.Key.Key_End else 0)
    else:
        return False
    return True


def _centred(content: QWidget, is_footer: bool = False) -> QFrame:
    """A widget in the middle of the page, no wider than a column of text."""
    frame = QFrame()
    if is_footer:
        frame.setObjectName("panel")
        frame.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    content.setMaximumWidth(scaled(COLUMN_PX))
    content.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    row = QHBoxLayout(frame)
    row.setContentsMargins(EDGE_PX, 0, EDGE_PX, 0)
    row.addStretch(1)
    row.addWidget(content, 1000)
    row.addStretch(1)
    return frame
