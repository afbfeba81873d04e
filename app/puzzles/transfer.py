"""What imports puzzles, and exports them for fine-tuning, each after a dialog."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtWidgets import QWidget

from spatial_workbench.app.background.project_service import ProjectService
from spatial_workbench.app.puzzles import export_work
from spatial_workbench.app.puzzles.export_dialog import ExportDialog
from spatial_workbench.app.puzzles.export_work import ExportOrder
from spatial_workbench.app.puzzles.importing.dialog import ImportDialog
from spatial_workbench.app.puzzles.importing.report import LeftOutDialog
from spatial_workbench.app.puzzles.importing.sources import PastedPictures
from spatial_workbench.app.puzzles.long_work import LongWork
from spatial_workbench.app.puzzles.puzzle_list import PuzzleList
from spatial_workbench.app.puzzles.set_changing import LoadsSets, open_dialog, sets_home
from spatial_workbench.app.puzzles.set_list import SetList
from spatial_workbench.app.puzzles.set_work import SetEntry
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.sets.import_plan import ImportOrder
from spatial_workbench.engine.puzzles.sets.importing import Imported, carry_out
from spatial_workbench.engine.puzzles.sets.tuning import TuningExport
from spatial_workbench.widgets.clipboard import pasted

MOST_NAMED = 5
"""Names of puzzles that were left out, in the message after an export."""


class PuzzleTransfer(QObject):
    """Imports puzzles, and exports them for fine-tuning.

    load: reads the list of sets again.
    add_folder: lists a folder as a set.
    """

    def __init__(
        self,
        page: QWidget,
        project: ProjectService,
        sets: SetList,
        puzzles: PuzzleList,
        long_work: LongWork,
        load: LoadsSets,
        add_folder: Callable[[Path], object],
    ) -> None:
        super().__init__(page)
        self._page = page
        self._project = project
        self._sets = sets
        self._puzzles = puzzles
        self._long_work = long_work
        self._load = load
        self._add_folder = add_folder
        self._pictures = PastedPictures()
        self._is_closed = False

    def ask_import(self) -> ImportDialog:
        """Asks what to import, and where to."""
        entry = self._sets.entry
        chosen = entry.name if entry is not None else ""
        dialog = ImportDialog(self._sets.entries, chosen, sets_home(), self._pictures, self._page)
        dialog.ordered.connect(self.run_import)
        dialog.folder_wanted.connect(self._add_folder)
        open_dialog(dialog)
        return dialog

    def offer_import(self, sources: Sequence[Path]) -> ImportDialog:
        """Asks what of some files and folders to import."""
        dialog = self.ask_import()
        dialog.add(sources)
        return dialog

    def offer_data(self, data: QMimeData) -> None:
        """Asks what of something that was dropped or pasted to import."""
        self.ask_import().take(data)

    def paste(self) -> None:
        """Asks what to import of the clipboard."""
        self.offer_data(pasted())

    def run_import(self, order: ImportOrder) -> None:
        """Imports in the background."""
        count = counted(len(order.steps), "puzzle")
        self._long_work.run(f"Importing {count}", carry_out, order, done=partial(self._end_import, order))

    def close(self) -> None:
        """Deletes what was pasted, and opens no dialog any more."""
        self._is_closed = True
        self._pictures.close()

    def ask_export(self) -> None:
        """Asks what to export for fine-tuning."""
        entry = self._sets.entry
        if entry is None:
            return
        self._project.ask(partial(export_work.verified_in, entry.path), partial(self._open_export, entry))

    def _open_export(self, entry: SetEntry, found: tuple[list[str], dict[str, str]]) -> None:
        if self._is_closed or self._sets.entry != entry:
            return
        names, changed = found
        rows = self._puzzles.model.rows
        verified = [row for row in rows if row.folder in names]
        dialog = ExportDialog(entry.path, verified, rows, changed, self._page)
        dialog.ordered.connect(self.run_export)
        open_dialog(dialog)

    def run_export(self, order: ExportOrder) -> None:
        """Exports in the background."""
        self._long_work.run(
            "Exporting for fine-tuning", export_work.run_export, order, done=partial(self._end_export, order.target)
        )

    def _end_import(self, order: ImportOrder, imported: Imported) -> None:
        count = len(imported.left_out)
        left_out = f" {counted(count, 'file or puzzle', 'files and puzzles')} left out." if count else ""
        self._long_work.end(f"{counted(len(imported.folders), 'puzzle')} imported.{left_out}")
        known = next((entry.name for entry in self._sets.entries if entry.path == order.target), "")
        self._load(imported.set_name or known)
        if len(imported.left_out) > len(order.left_out):
            open_dialog(LeftOutDialog(imported.left_out[len(order.left_out) :], self._page))

    def _end_export(self, target: Path, export: TuningExport) -> None:
        names = ", ".join(sorted(export.left_out)[:MOST_NAMED])
        left_out = f" {len(export.left_out)} left out, see left_out.csv: {names}." if export.left_out else ""
        words = f"{counted(export.train, 'puzzle')} for training and {export.test} for testing are in {target}."
        self._long_work.end(f"{words}{left_out}")
