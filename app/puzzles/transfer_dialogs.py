"""Dialogs of what moves in and out: what an import brings and where to, and an export for fine-tuning."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QSpinBox,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.app.puzzles.set_work import PuzzleRow, SetEntry
from spatial_workbench.app.puzzles.transfer_work import ExportOrder, ImportOrder, PuzzlesPreview
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.sets.folders import shown_folder
from spatial_workbench.engine.puzzles.sets.importing import PdfMatch, name_similarity
from spatial_workbench.engine.puzzles.sets.pages import MODEL_SIDE_PX
from spatial_workbench.engine.puzzles.sets.tuning import SEED, TuningForm
from spatial_workbench.engine.puzzles.sets.tuning_rows import TuningLayout
from spatial_workbench.widgets.number_box import inset
from spatial_workbench.widgets.qt import top_items
from spatial_workbench.widgets.theme import SPACE

WITHOUT = "without a solution"


class ImportDialog(FormDialog):
    """A preview of an import, and the choice of its set. Pairs of PDFs can be changed before the import.

    Signals:
        ordered(ImportOrder): import this.
    """

    ordered = Signal(object)

    def __init__(
        self,
        preview: PuzzlesPreview,
        sets: Sequence[SetEntry],
        chosen: str,
        new_home: Path,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(f"Import {preview.source.name}", preview.words, "Import", parent)
        self.resize(720, 460)
        self.preview = preview
        self.list = _matches(preview) if preview.matches else _names(preview)
        self.body.insertWidget(1, self.list, 1)
        self.target = QComboBox()
        for entry in sets:
            if not entry.is_read_only and not entry.trouble:
                self.target.addItem(entry.name, (entry.path, False))
        self.target.addItem(f"a new set in {new_home}", (new_home, True))
        self.target.setCurrentIndex(max(0, self.target.findText(chosen)))
        self.form.addRow("Into", self.target)

    def order(self) -> None:
        """Requests the ticked choices."""
        matches = tuple(_chosen_matches(self.list)) if isinstance(self.list, QTreeWidget) else ()
        if self.preview.matches and not matches:
            self.show_trouble("Tick at least one puzzle.")
            return
        path, is_new = self.target.currentData()
        self.ordered.emit(ImportOrder(self.preview.source, path, matches, is_new))
        self.accept()


def _names(preview: PuzzlesPreview) -> QListWidget:
    box = QListWidget()
    box.setAccessibleName("Puzzles to import")
    box.addItems([shown_folder(name) for name in preview.names])
    return box


def _matches(preview: PuzzlesPreview) -> QTreeWidget:
    tree = QTreeWidget()
    tree.setAccessibleName("PDF files and their solutions")
    tree.setRootIsDecorated(False)
    tree.setHeaderLabels(["Puzzle", "Solution", "Names alike"])
    for match in preview.matches:
        item = QTreeWidgetItem(tree, [match.title, "", _likeness(match)])
        item.setData(0, Qt.ItemDataRole.UserRole, match)
        item.setCheckState(0, Qt.CheckState.Checked)
        box = QComboBox()
        box.setAccessibleName(f"Solution of {match.title}")
        box.addItem(WITHOUT, None)
        for solution in preview.solutions:
            box.addItem(solution.name, solution)
        box.setCurrentIndex(0 if match.solution is None else 1 + preview.solutions.index(match.solution))
        box.currentIndexChanged.connect(lambda _, item=item, box=box: _rematched(item, box))
        tree.setItemWidget(item, 1, box)
    tree.setColumnWidth(0, 260)
    tree.setColumnWidth(1, 280)
    return tree


def _rematched(item: QTreeWidgetItem, box: QComboBox) -> None:
    match: PdfMatch = item.data(0, Qt.ItemDataRole.UserRole)
    solution = box.currentData()
    similarity = name_similarity(match.puzzle.stem, solution.stem) if solution else 0.0
    changed = PdfMatch(match.puzzle, solution, similarity)
    item.setData(0, Qt.ItemDataRole.UserRole, changed)
    item.setText(2, _likeness(changed))


def _likeness(match: PdfMatch) -> str:
    return f"{match.similarity:.0f} %" if match.solution is not None else "–"


def _chosen_matches(tree: QTreeWidget) -> list[PdfMatch]:
    ticked = [item for item in top_items(tree) if item.checkState(0) == Qt.CheckState.Checked]
    return [item.data(0, Qt.ItemDataRole.UserRole) for item in ticked]


class ExportDialog(FormDialog):
    """Which puzzles are exported for fine-tuning, and where to.

    Signals:
        ordered(ExportOrder): export this.
    """

    ordered = Signal(object)

    def __init__(
        self, path: Path, verified: Sequence[PuzzleRow], rows: Sequence[PuzzleRow], parent: QWidget | None = None
    ) -> None:
        about = (
            "Writes train_answer, train_reasoning and test with the pages, and left_out.csv with every puzzle that "
            "gives no row. A puzzle keeps its part when you export to the same folder again."
        )
        super().__init__("Export for fine-tuning", about, "Export", parent)
        self.resize(560, 320)
        self._path = path
        self._verified = tuple(verified)
        self._rows = tuple(rows)
        self.layout_box = QComboBox()
        self.layout_box.setAccessibleName("Layout")
        for layout in TuningLayout:
            self.layout_box.addItem(layout.words, layout)
        self.side = inset(QSpinBox())
        self.side.setRange(32, 16_384)
        self.side.setValue(MODEL_SIDE_PX)
        self.side.setSuffix(" px")
        self.side.setAccessibleName("Longer side of pictures")
        self.side.setToolTip("Larger pictures are reduced; models of the published experiments saw 1,024 pixels")
        self.unverified = QCheckBox("Also export puzzles without errors that are not verified")
        self.unverified.toggled.connect(self._show_count)
        self.figures = QCheckBox("Name the figures in the steps, as in [figure_1]")
        self.seed = inset(QSpinBox())
        self.seed.setRange(0, 10**9 - 1)
        self.seed.setValue(SEED)
        self.target = QLineEdit(str(path.parent / f"{path.name}-tuning"))
        browse = QPushButton("Browse…")
        browse.clicked.connect(self._browse)
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        row.addWidget(self.target, 1)
        row.addWidget(browse)
        self.count = QLabel()
        self.form.addRow("Puzzles", self.count)
        self.form.addRow("", self.unverified)
        self.form.addRow("", self.figures)
        self.form.addRow("Layout", self.layout_box)
        self.form.addRow("Pictures at most", self.side)
        self.form.addRow("Seed of the split", self.seed)
        self.form.addRow("Into the folder", row)
        self._show_count()

    @property
    def names(self) -> tuple[str, ...]:
        """The folders that would be exported."""
        return tuple(row.folder for row in self._wanted if not row.errors)

    @property
    def _wanted(self) -> tuple[PuzzleRow, ...]:
        return self._rows if self.unverified.isChecked() else self._verified

    @property
    def dropped(self) -> dict[str, str]:
        """The folders that are left out because of their errors."""
        return {row.folder: f"It has {counted(row.errors, 'error')}" for row in self._wanted if row.errors}

    def order(self) -> None:
        """Asks for the export."""
        target = Path(self.target.text().strip())
        layout = TuningLayout(self.layout_box.currentData())
        form = TuningForm(layout, self.side.value(), self.seed.value(), self.figures.isChecked())
        self.ordered.emit(ExportOrder(self._path, self.names, target, form, self.dropped))
        self.accept()

    def _show_count(self) -> None:
        kind = "without errors" if self.unverified.isChecked() else "verified"
        words = f"{counted(len(self.names), 'puzzle')} {kind}"
        if self.dropped:
            words += f"; {len(self.dropped)} left out because of errors"
        self.count.setText(words)
        self.go.setEnabled(bool(self.names))

    def _browse(self) -> None:
        if path := QFileDialog.getExistingDirectory(self, "The folder of the export", self.target.text()):
            self.target.setText(path)
