"""What adds and makes sets of puzzles, and removes them from the list."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from spatial_workbench.app.puzzles import set_work as work
from spatial_workbench.app.puzzles.page_lane import PageLane
from spatial_workbench.app.puzzles.set_dialogs import NewSetDialog
from spatial_workbench.app.puzzles.set_list import SetList
from spatial_workbench.engine.puzzles.sets.originals import SET_NAME


class LoadsSets(Protocol):
    """Reads the list of sets again, and chooses one of them."""

    def __call__(self, choose: str = "") -> None: ...


class SetChanging(QObject):
    """Adds and makes sets, and removes them from the list.

    load: reads the list of sets again.

    Signals:
        message(str): a note for the status bar.
    """

    message = Signal(str)

    def __init__(self, page: QWidget, lane: PageLane, sets: SetList, load: LoadsSets) -> None:
        super().__init__(page)
        self._page = page
        self._lane = lane
        self._sets = sets
        self._load = load

    def add_folder(self, path: Path) -> None:
        """Adds a folder to the list of sets."""
        self._lane.run("Adding a set of puzzles", work.added_set, path, done=self._load)

    def make_set(self, path: Path) -> None:
        """Makes an empty set in a new folder."""
        self._lane.run("Making a set of puzzles", work.new_set, path, done=self._load)

    def forget(self) -> None:
        """Removes the chosen set from the list; its files stay."""
        entry = self._sets.own_entry
        if entry is not None:
            self.message.emit(f"{entry.name} is no longer listed. Its files stay in {entry.path}.")
            self._lane.run("Forgetting a set", work.forgotten_set, entry.name, done=lambda _: self._load(SET_NAME))

    def ask_new_set(self) -> None:
        """Asks for the name and the place of a new set."""
        dialog = NewSetDialog(sets_home(), self._page)
        dialog.ordered.connect(self.make_set)
        open_dialog(dialog)

    def ask_folder(self) -> None:
        """Asks for a folder to add."""
        if path := QFileDialog.getExistingDirectory(self._page, "A folder of puzzles"):
            self.add_folder(Path(path))


def open_dialog(dialog: QDialog) -> None:
    """Opens a dialog, which is deleted once it is closed."""
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


def sets_home() -> Path:
    """Where new sets are made unless a person chooses another place."""
    from platformdirs import user_documents_path

    return user_documents_path() / "Puzzles"
