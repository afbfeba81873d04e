"""The line in which a person rules on a difference between two verifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QHBoxLayout, QLineEdit, QPushButton, QWidget

from spatial_workbench.app.attempts.dossier import RULINGS, ruling_words
from spatial_workbench.widgets.search_field import add_cross
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Difference


class RulingBar(QWidget):
    """A button for each ruling, a note, and a button for the next difference.

    Signals:
        ruled(str, str, bool): a ruling (a verifier's name, "both" or "neither"), a note, and whether it holds for all
            alike that nobody ruled on yet.
        next_wanted(): go to the next difference without a ruling.
    """

    ruled = Signal(str, str, bool)
    next_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._group = QButtonGroup(self)
        self.buttons = [self._make_button(number, text) for number, text in enumerate(("", "", *RULINGS.values()), 1)]
        self._group.buttonClicked.connect(self._ask_ruling)
        self.note = QLineEdit()
        self.note.setPlaceholderText("Note")
        self.note.setToolTip("Stored with the ruling")
        self.note.setAccessibleName("Note on the ruling")
        add_cross(self.note, "Clear the note")
        self.note.returnPressed.connect(self._store_note)
        self.alike = QCheckBox()
        self.alike.setToolTip(
            "Rule on this one and on all others of the same task, verifiers and check that have no ruling"
        )
        self.alike.hide()
        self._next = QPushButton("Next")
        self._next.setToolTip("Go to the next one without a ruling (Alt+N)")
        self._next.setAccessibleName("Next without a ruling")
        self._next.setShortcut(QKeySequence("Alt+N"))
        self._next.clicked.connect(self.next_wanted)
        self._lay_out()

    def show_ruling(self, difference: Difference, keep_note: bool) -> None:
        """Shows the ruling on a difference.

        keep_note: whether the note stays as it was typed.
        """
        self.setEnabled(True)
        # An exclusive group would keep the last button pressed even where there is no ruling.
        self._group.setExclusive(False)
        values = (difference.first, difference.second, "both", "neither")
        for number, (button, value) in enumerate(zip(self.buttons, values, strict=True), 1):
            button.setText(ruling_words(value))
            button.setProperty("ruling", value)
            button.setToolTip(f"{ruling_words(value)} (Alt+{number})")
            button.setChecked(value == difference.ruling)
        self._group.setExclusive(True)
        if not keep_note:
            self.note.setText(difference.note or "")

    def offer_alike(self, count: int) -> None:
        """Offers to rule on `count` similar differences together, if there are at least two."""
        self.alike.setVisible(count > 1)
        self.alike.setChecked(self.alike.isChecked() and count > 1)
        self.alike.setText(f"All {count:,} alike")

    def _make_button(self, number: int, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setCheckable(True)
        self._group.addButton(button)
        shortcut = QShortcut(QKeySequence(f"Alt+{number}"), self, context=Qt.ShortcutContext.WindowShortcut)
        shortcut.activated.connect(button.click)
        return button

    def _ask_ruling(self, button: QPushButton) -> None:
        self.ruled.emit(button.property("ruling"), self.note.text(), self.alike.isChecked())

    def _store_note(self) -> None:
        """Stores the note with the current ruling."""
        button = next((candidate for candidate in self.buttons if candidate.isChecked()), None)
        if button is not None:
            self._ask_ruling(button)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(4 * SPACE, 3 * SPACE, 4 * SPACE, 3 * SPACE)
        row.setSpacing(2 * SPACE)
        for button in self.buttons:
            row.addWidget(button)
        row.addWidget(self.alike)
        row.addWidget(self.note, 1)
        row.addWidget(self._next)
