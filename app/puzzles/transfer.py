"""What imports puzzles, and exports them for fine-tuning, after a dialog where there is something to ask."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from spatial_workbench.app.puzzles import transfer_work as work
from spatial_workbench.app.puzzles.long_work import LongWork
from spatial_workbench.app.puzzles.page_lane import PageLane
from spatial_workbench.app.puzzles.puzzle_list import PuzzleList
from spatial_workbench.app.puzzles.set_changing import LoadsSets, open_dialog, sets_home
from spatial_workbench.app.puzzles.set_list import SetList
from spatial_workbench.app.puzzles.transfer_dialogs import ExportDialog, ImportDialog
from spatial_workbench.app.puzzles.transfer_work import ExportOrder, ImportOrder
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.annotation.review import ReviewState
from spatial_workbench.engine.puzzles.sets.importing import Imported
from spatial_workbench.engine.puzzles.sets.tuning import TuningExport

MOST_NAMED = 5
"""Names of puzzles that were left out, in the message after an export."""


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
        verified = [row for row in model.rows if model.state_of(row) is ReviewState.VERIFIED]
        dialog = ExportDialog(entry.path, verified, model.rows, self._page)
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
        names = ", ".join(sorted(export.left_out)[:MOST_NAMED])
        left_out = f" {len(export.left_out)} left out, see left_out.csv: {names}." if export.left_out else ""
        words = f"{counted(export.train, 'puzzle')} for training and {export.test} for testing are in {target}."
        self._long_work.end(f"{words}{left_out}")
