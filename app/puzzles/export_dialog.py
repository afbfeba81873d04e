"""What is asked before puzzles are exported for fine-tuning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.app.puzzles.export_work import ExportOrder
from spatial_workbench.app.puzzles.set_work import PuzzleRow
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.sets.pages import MODEL_SIDE_PX
from spatial_workbench.engine.puzzles.sets.tuning import SEED, TuningForm
from spatial_workbench.engine.puzzles.sets.tuning_rows import TuningLayout
from spatial_workbench.widgets.number_box import BoundedIntBox, inset
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox


class ExportDialog(FormDialog):
    """Which puzzles are exported for fine-tuning, and where to.

    changed: Puzzles that are no longer what was verified, with the reason.

    Signals:
        ordered(ExportOrder): export this.
    """

    ordered = Signal(object)

    def __init__(
        self,
        path: Path,
        verified: Sequence[PuzzleRow],
        rows: Sequence[PuzzleRow],
        changed: Mapping[str, str] = MappingProxyType({}),
        parent: QWidget | None = None,
    ) -> None:
        about = (
            "Writes train_answer, train_reasoning and test with the pages, and left_out.csv with every puzzle that "
            "gives no row. A puzzle keeps its part when you export to the same folder again."
        )
        super().__init__("Export for fine-tuning", about, "Export", parent)
        self.resize(560, 0)
        self._path = path
        self._verified = tuple(verified)
        self._rows = tuple(rows)
        self._changed = dict(changed)
        self.layout_box = ChoiceBox()
        self.layout_box.setAccessibleName("Layout")
        for layout in TuningLayout:
            self.layout_box.addItem(layout.words, layout)
        self.side = inset(BoundedIntBox())
        self.side.setRange(32, 16_384)
        self.side.setValue(MODEL_SIDE_PX)
        self.side.setSuffix(" px")
        self.side.setAccessibleName("Longer side of pictures")
        self.side.setToolTip("Larger pictures are reduced; models of the published experiments saw 1,024 pixels")
        self.unverified = QCheckBox("Also export puzzles without errors that are not verified")
        self.unverified.toggled.connect(self._show_count)
        self.figures = QCheckBox("Name the figures in the steps, as in [figure_1]")
        self.seed = inset(BoundedIntBox())
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
        """The folders that are left out, with the reason."""
        faulty = {row.folder: f"It has {counted(row.errors, 'error')}" for row in self._wanted if row.errors}
        return faulty if self.unverified.isChecked() else self._changed | faulty

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
            words += f"; {len(self.dropped)} left out"
        self.count.setText(words)
        self.count.setToolTip("\n".join(f"{name}: {reason}" for name, reason in sorted(self.dropped.items())))
        self.go.setEnabled(bool(self.names))

    def _browse(self) -> None:
        if path := QFileDialog.getExistingDirectory(self, "The folder of the export", self.target.text()):
            self.target.setText(path)
