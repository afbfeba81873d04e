"""What makes, renames and removes puzzles of the chosen set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack
from PySide6.QtWidgets import QWidget

from spatial_workbench.app.puzzles import set_work as work
from spatial_workbench.app.puzzles.page_lane import PageLane
from spatial_workbench.app.puzzles.puzzle_list import PuzzleList
from spatial_workbench.app.puzzles.set_changing import open_dialog
from spatial_workbench.app.puzzles.set_dialogs import NewPuzzleDialog, RenameDialog
from spatial_workbench.app.puzzles.set_list import SetList


class PuzzleChanging(QObject):
    """Makes, renames and removes puzzles of the chosen set.

    reload: reads the chosen set again.

    Signals:
        message(str): a note for the status bar.
    """

    message = Signal(str)

    def __init__(
        self, page: QWidget, lane: PageLane, sets: SetList, puzzles: PuzzleList, reload: Callable[[], object]
    ) -> None:
        super().__init__(page)
        self._page = page
        self._lane = lane
        self._sets = sets
        self._puzzles = puzzles
        self._reload = reload
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(200)

    @property
    def is_possible(self) -> bool:
        """Whether the chosen set can be changed."""
        entry = self._sets.own_entry
        return entry is not None and not entry.trouble

    def make_puzzle(self, title: str, pages: Sequence[bytes | Path]) -> None:
        """Makes a puzzle in the chosen set."""
        self._change("Making a puzzle", work.new_puzzle, title, tuple(pages))

    def rename_puzzle(self, folder: str, title: str, folder_follows: bool) -> None:
        """Gives a puzzle another title."""
        self._change("Renaming a puzzle", work.renamed_puzzle, folder, title, folder_follows)

    def remove_puzzles(self) -> None:
        """Removes the selected puzzles; undo restores them."""
        entry = self._sets.own_entry
        if entry is not None:
            for row in self._puzzles.chosen_rows():
                self.undo_stack.push(_Removal(self, entry.path, row.folder))

    def ask_new_puzzle(self) -> None:
        """Asks for the title and the pages of a new puzzle."""
        dialog = NewPuzzleDialog([row.folder for row in self._puzzles.rows], self._page)
        dialog.ordered.connect(self.make_puzzle)
        open_dialog(dialog)

    def ask_rename(self) -> None:
        """Asks for another title of the selected puzzle."""
        rows = self._puzzles.chosen_rows()
        if rows and self.is_possible:
            dialog = RenameDialog(rows[0].title, self._page)
            dialog.ordered.connect(partial(self.rename_puzzle, rows[0].folder))
            open_dialog(dialog)

    def remove_folder(self, path: Path, folder: str, done: Callable[[str], None]) -> None:
        """Moves a puzzle out of its set."""

        def removed(place: str) -> None:
            done(place)
            self.message.emit(f"{folder} was removed. Undo brings it back.")
            self._reload()

        self._lane.run("Removing a puzzle", work.removed_puzzle, path, folder, done=removed)

    def restore_folder(self, path: Path, place: str) -> None:
        """Moves a removed puzzle back into its set."""
        self._lane.run("Restoring a puzzle", work.restored_puzzle, path, place, done=self._show_changed)

    def _change(self, label: str, function: Callable[..., Any], *arguments: Any) -> None:
        entry = self._sets.own_entry
        if entry is not None:
            self._lane.run(label, function, entry.path, *arguments, done=self._show_changed)

    def _show_changed(self, folder: str) -> None:
        self._puzzles.choose_next(folder)
        self._reload()


class _Removal(QUndoCommand):
    """Removes a puzzle, and restores it."""

    def __init__(self, changing: PuzzleChanging, path: Path, folder: str) -> None:
        super().__init__(f"removal of {folder.replace('_', ' ')}")
        self._changing = changing
        self._path = path
        self._folder = folder
        self._removed = ""

    def redo(self) -> None:
        self._changing.remove_folder(self._path, self._folder, self._store_removed)

    def undo(self) -> None:
        if self._removed:
            self._changing.restore_folder(self._path, self._removed)

    def _store_removed(self, removed: str) -> None:
        self._removed = removed
