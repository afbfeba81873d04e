"""What changes sets of puzzles and their puzzles, after a dialog where there is something to ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from spatial_workbench.app.puzzles import work
from spatial_workbench.app.puzzles.dialogs import (
    ExportDialog,
    ImportDialog,
    NewPuzzleDialog,
    NewSetDialog,
    RenameDialog,
)
from spatial_workbench.app.puzzles.long_work import LongWork
from spatial_workbench.app.puzzles.page_lane import PageLane
from spatial_workbench.app.puzzles.puzzle_list import PuzzleList
from spatial_workbench.app.puzzles.set_list import SetList
from spatial_workbench.app.puzzles.work import ExportOrder, ImportOrder
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.annotation.review import ReviewState
from spatial_workbench.engine.puzzles.sets.importing import Imported
from spatial_workbench.engine.puzzles.sets.originals import SET_NAME
from spatial_workbench.engine.puzzles.sets.tuning import TuningExport


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


class PuzzleTransfer(QObject):
    """Imports puzzles, and exports them for fine-tuning.

    load: reads the list of sets again.
    """

    def __init__(
        self,
        page: QWidget,
        lane: PageLane,
        sets: SetList,
        puzzles: PuzzleList,
        long_work: LongWork,
        load: LoadsSets,
        add_folder: Callable[[Path], object],
    ) -> None:
        super().__init__(page)
        self._page = page
        self._lane = lane
        self._sets = sets
        self._puzzles = puzzles
        self._long_work = long_work
        self._load = load
        self._add_folder = add_folder

    def ask_import(self) -> None:
        """Asks for a zip file or a PDF."""
        path, _ = QFileDialog.getOpenFileName(self._page, "Import puzzles", "", "Zip files and PDFs (*.zip *.pdf)")
        if path:
            self.offer_import(Path(path))

    def take_dropped(self, path: Path) -> None:
        """Adds a folder as a set; a file, or a folder of PDFs, is offered for import."""
        self._lane.run("Looking at what was dropped", work.is_set, path, done=partial(self._take_kind, path))

    def offer_import(self, source: Path) -> None:
        """Looks into a file or folder, and asks what of it to import."""
        self._lane.run(f"Looking into {source.name}", work.preview, source, done=self._find_home)

    def run_import(self, order: ImportOrder) -> None:
        """Imports in the background."""
        self._long_work.run(
            f"Importing {order.source.name}", work.run_import, order, done=partial(self._end_import, order)
        )

    def ask_export(self) -> None:
        """Asks what to export for fine-tuning."""
        entry = self._sets.entry
        if entry is None:
            return
        model = self._puzzles.model
        states = [(row, model.state_of(row)) for row in model.rows if not row.errors]
        verified = [row.folder for row, state in states if state is ReviewState.VERIFIED]
        dialog = ExportDialog(entry.path, verified, [row.folder for row, _ in states], self._page)
        dialog.ordered.connect(self.run_export)
        open_dialog(dialog)

    def run_export(self, order: ExportOrder) -> None:
        """Exports in the background."""
        self._long_work.run(
            "Exporting for fine-tuning", work.run_export, order, done=partial(self._end_export, order.target)
        )

    def _take_kind(self, path: Path, is_set: bool) -> None:
        if is_set:
            self._add_folder(path)
        else:
            self.offer_import(path)

    def _find_home(self, preview: work.PuzzlesPreview) -> None:
        done = partial(self._ask_what, preview)
        self._lane.run("Choosing a folder", work.free_home, sets_home(), preview.source, done=done)

    def _ask_what(self, preview: work.PuzzlesPreview, home: Path) -> None:
        entry = self._sets.entry
        dialog = ImportDialog(preview, self._sets.entries, entry.name if entry else "", home, self._page)
        dialog.ordered.connect(self.run_import)
        open_dialog(dialog)

    def _end_import(self, order: ImportOrder, imported: Imported) -> None:
        skipped = f" Left out: {'; '.join(imported.skipped)}." if imported.skipped else ""
        self._long_work.end(f"{counted(len(imported.folders), 'puzzle')} imported.{skipped}")
        name = next((entry.name for entry in self._sets.entries if entry.path == order.target), order.target.name)
        self._load(name)

    def _end_export(self, target: Path, export: TuningExport) -> None:
        left_out = f" Left out: {'; '.join(export.left_out)}." if export.left_out else ""
        words = f"{export.train} puzzles for training and {export.test} for testing are in {target}."
        self._long_work.end(f"{words}{left_out}")


def open_dialog(dialog: QDialog) -> None:
    """Opens a dialog, which is deleted once it is closed."""
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


def sets_home() -> Path:
    """Where new sets are made unless a person chooses another place."""
    from platformdirs import user_documents_path

    return user_documents_path() / "Puzzles"
