"""Who is solving, or only exploring: drafts, clocks and attempts belong to the person who is chosen here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QInputDialog, QLineEdit, QMenu, QToolButton, QWidget

from spatial_workbench.engine.store.project import MAX_NAME
from spatial_workbench.widgets.icons import icon

if TYPE_CHECKING:
    from spatial_workbench.engine.store import AttemptRow

NOBODY = "Somebody"
"""How the window calls a person who gave no name."""
_EXPLORE = "Show full verdicts, to study the verifiers. Attempts are marked and never count as solved without help."
_EXPLORING = "Verdicts show everything, and attempts are marked. Click to solve again."


def shown_name(person: str) -> str:
    """A person's name as the window shows it."""
    return person or NOBODY


def author_of(row: AttemptRow) -> str:
    """The name of an attempt's author as the window shows it."""
    return shown_name(row.actor_name) if row.actor == "person" else row.actor_name or row.actor.value


class ExploreButton(QToolButton):
    """Says whether the person explores, with all verdicts open, and does not solve.

    Signals:
        wanted(bool): the person wants to explore, or to solve again. What is shown changes by `show_exploring` only.
    """

    wanted = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._explores = False
        self.setIcon(icon("eye", "secondary"))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setCheckable(True)
        self.setAccessibleName("Explore")
        self.clicked.connect(self._ask)
        self.show_exploring(True)
        self.setMinimumWidth(self.sizeHint().width())
        self.show_exploring(False)

    def show_exploring(self, explores: bool) -> None:
        """Shows whether the person explores now."""
        self._explores = explores
        self.setChecked(explores)
        self.setText("Exploring" if explores else "Explore")
        self.setIcon(icon("eye", "accent" if explores else "secondary"))
        self.setToolTip(_EXPLORING if explores else _EXPLORE)

    def _ask(self) -> None:
        self.setChecked(self._explores)
        self.wanted.emit(not self._explores)


class PersonButton(QToolButton):
    """Shows who is solving, and lets another person take over.

    Attributes:
        people: The names that are offered.

    Signals:
        chosen(str): this person solves from now on; empty for somebody without a name.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._person = ""
        self.people: Sequence[str] = ()
        self.setIcon(icon("person", "secondary"))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolTip("Who is solving. Drafts, clocks and attempts belong to this person.")
        self.setAccessibleName("Who is solving")
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        self.show_person("")

    def show_person(self, person: str) -> None:
        """Shows who is solving now."""
        self._person = person
        self.setText(shown_name(person))

    def show_people(self, people: Sequence[str]) -> None:
        """Offers these names."""
        self.people = people

    def ask_name(self) -> None:
        """Asks for a new name."""
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Who is solving")
        dialog.setLabelText("Name or code of the person solving from now on:")
        for field in dialog.findChildren(QLineEdit):
            field.setMaxLength(MAX_NAME)
        dialog.textValueSelected.connect(lambda name: self.chosen.emit(name.strip()) if name.strip() else None)
        dialog.open()

    def _fill(self) -> None:
        self._menu.clear()
        names = dict.fromkeys(("", *self.people, self._person))
        for name in names:
            action = self._menu.addAction(shown_name(name).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(name == self._person)
            action.triggered.connect(lambda _=False, name=name: self.chosen.emit(name))
        self._menu.addSeparator()
        self._menu.addAction("New name…").triggered.connect(lambda _=False: self.ask_name())
