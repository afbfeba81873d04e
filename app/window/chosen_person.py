"""Who solves in this window, and whether they only explore."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMessageBox

from spatial_workbench.app.frame.people import shown_name

if TYPE_CHECKING:
    from spatial_workbench.app.frame.host import Host
    from spatial_workbench.app.window.status_bar import StatusBar

_ASK_TO_EXPLORE = (
    "Explore instead of solving?\n\nIn every tab, verdicts show everything. Your attempts at the subtasks that you "
    "open are marked, and never count as solved without help, then or later."
)


class ChosenPerson(QObject):
    """Changes who solves in the tabs of a window; the buttons of the status bar ask for it."""

    def __init__(self, window: Host, bar: StatusBar) -> None:
        super().__init__(window)
        self._window = window
        self._bar = bar
        bar.person.show_person(window.settings.person)
        bar.person.chosen.connect(self.change_person)
        bar.explore.wanted.connect(self._ask_or_solve)

    def choose(self) -> None:
        """Opens the list of people."""
        self._bar.person.showMenu()

    def change_person(self, person: str) -> None:
        """Switches to another person, with their drafts, clocks and attempts."""
        settings = self._window.settings
        if person == settings.person:
            return
        settings.person = person
        self._bar.person.show_person(person)
        self.explore(False)
        self._reopen_workspaces()
        self._window.project.changed.emit()
        self._window.show_message(f"{shown_name(person)} is solving now.")

    def toggle_exploring(self) -> None:
        """Explores after confirmation, since this cannot be undone; goes back to solving at once."""
        self._ask_or_solve(not self._window.settings.explores)

    def explore(self, explores: bool) -> None:
        """Shows full verdicts in every tab, which is recorded there; or goes back to solving."""
        self._window.settings.explores = explores
        self._bar.explore.show_exploring(explores)
        for page in self._window.pages.workspaces:
            page.session.explore(explores)

    def _reopen_workspaces(self) -> None:
        """Closes the workspaces and opens them for the person now; the one in front comes last."""
        pages = self._window.pages
        opened = sorted(pages.workspaces, key=lambda page: page is pages.workspace)
        addresses = [page.document.instance.address for page in opened]
        for page in opened:
            pages.close(page)
        for address in addresses:
            self._window.open_instance(address)

    def _ask_or_solve(self, explores: bool) -> None:
        if not explores:
            self.explore(False)
            return
        box = QMessageBox(QMessageBox.Icon.Question, "Explore", _ASK_TO_EXPLORE, parent=self._window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.addButton("Explore", QMessageBox.ButtonRole.AcceptRole).clicked.connect(lambda: self.explore(True))
        box.setDefaultButton(box.addButton("Keep solving", QMessageBox.ButtonRole.RejectRole))
        box.open()
