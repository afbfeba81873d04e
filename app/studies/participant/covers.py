"""The covers of the content: a gap, a crash, a pause, trouble with the disk, questions, and the leader's page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.studies.participant.pages.column import scroll_by
from spatial_workbench.app.studies.participant.pages.later_pages import clock_text
from spatial_workbench.app.studies.participant.texts import announce, words
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.widgets.appearance import scaled
from spatial_workbench.widgets.theme import SPACE

CARD_PX = 520


class Covering(QWidget):
    """A card in the middle of the window, which hides everything else.

    buttons: the words of each button with what it does; the first is the one that Enter presses.
    """

    def __init__(
        self,
        title: str,
        text: str,
        buttons: Sequence[tuple[str, Callable[[], object]]],
        escape: Callable[[], object] | None = None,
    ) -> None:
        super().__init__()
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(title)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._escape = escape
        card = QFrame()
        card.setObjectName("popup")
        card.setFixedWidth(scaled(CARD_PX))
        self.body = QVBoxLayout(card)
        self.body.setContentsMargins(6 * SPACE, 6 * SPACE, 6 * SPACE, 6 * SPACE)
        self.body.setSpacing(4 * SPACE)
        self.body.addWidget(words(title, "pageTitle"))
        self.text: QLabel = words(text)
        if not text:
            self.text.hide()
        self.body.addWidget(self.text)
        self.buttons = [self._button(*entry) for entry in buttons]
        self.body.addLayout(self._lay_out_buttons())
        if self.buttons:
            self.buttons[0].setObjectName("primary")
        # A row, and no alignment, which would not give the card the height that its text needs.
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(card)
        middle.addStretch(1)
        page = QWidget()
        column = QVBoxLayout(page)
        column.addStretch(2)
        column.addLayout(middle)
        column.addStretch(3)
        self.scroller = QScrollArea()
        self.scroller.setWidgetResizable(True)
        self.scroller.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroller.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroller.setWidget(page)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.scroller)

    def first_field(self) -> QWidget:
        """The widget that has the focus first."""
        return self.buttons[0] if self.buttons else self

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.first_field().setFocus()
        announce(self, f"{self.accessibleName()}. {self.text.text()}", urgent=True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        focused = self.focusWidget()
        if event.key() == Qt.Key.Key_Escape and self._escape is not None:
            self._escape()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.buttons:
            pressed = focused if isinstance(focused, QPushButton) and focused in self.buttons else self.buttons[0]
            pressed.click()
        elif not scroll_by(self.scroller, Qt.Key(event.key())):
            super().keyPressEvent(event)

    def _lay_out_buttons(self) -> QBoxLayout:
        """A row; a column with the first on top where the words would make a row wider than the card."""
        for button in self.buttons:
            button.ensurePolished()
        width = sum(button.sizeHint().width() + 2 * SPACE for button in self.buttons)
        fits = width <= scaled(CARD_PX) - 12 * SPACE
        row = QBoxLayout(QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom)
        row.setSpacing(2 * SPACE)
        if fits:
            row.addStretch(1)
        for button in reversed(self.buttons) if fits else self.buttons:
            row.addWidget(button)
        return row

    def _button(self, text: str, press: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setMinimumHeight(scaled(34))
        button.clicked.connect(lambda _=False: press())
        return button


class LeaveCover(Covering):
    """Asks for the leader's passphrase, and then for an action."""

    def __init__(
        self,
        opens: Callable[[str], bool],
        wait_ms: Callable[[], int],
        go_back: Callable[[], object],
        choices: Sequence[tuple[str, Callable[[], object]]],
        note: str = "",
    ) -> None:
        self._opens = opens
        self._wait_ms = wait_ms
        self._choices = choices
        text = " ".join(filter(None, (tr("Only the person who leads the study can close this window."), note)))
        buttons = [(tr("Leave"), self._try), (tr("Go back"), go_back)]
        super().__init__(tr("Leave the study"), text, buttons, go_back)
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(tr("Passphrase"))
        self.field.setPlaceholderText(tr("Passphrase"))
        self.field.setMinimumHeight(scaled(34))
        self.fault = words("", "error")
        self.fault.hide()
        self.body.insertWidget(2, self.field)
        self.body.insertWidget(3, self.fault)
        self._is_waiting = False
        self._timer = QTimer(self, interval=500)
        self._timer.timeout.connect(self._show_wait)
        self._timer.start()

    def first_field(self) -> QWidget:
        """The field for the passphrase."""
        return self.field

    def _try(self) -> None:
        if self._opens(self.field.text()):
            self._offer()
            return
        self.field.clear()
        self.field.setFocus()
        self.fault.setText(tr("The passphrase is wrong."))
        self.fault.show()
        announce(self.field, self.fault.text())
        self._show_wait()

    def _show_wait(self) -> None:
        wait = self._wait_ms()
        self.buttons[0].setEnabled(not wait)
        self.field.setEnabled(not wait)
        if wait:
            self.fault.setText(tr("Too many wrong tries. Wait {time}.", time=clock_text(wait)))
            self.fault.show()
            self._is_waiting = True
        elif self._is_waiting:
            self._is_waiting = False
            self.fault.hide()
            self.field.setFocus()

    def _offer(self) -> None:
        self._timer.stop()
        for widget in (self.field, self.fault, *self.buttons):
            widget.hide()
        self.text.setText(tr("What should happen?"))
        for place, (text, press) in enumerate(self._choices):
            button = self._button(text, press)
            self.body.insertWidget(2 + place, button)
            button.show()
            if not place:
                button.setFocus()
