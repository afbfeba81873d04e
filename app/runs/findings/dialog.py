"""Asks which tasks are searched for disagreements, for how long, and how."""

from __future__ import annotations

import os
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QListWidget, QListWidgetItem, QSpinBox, QWidget

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.app.runs.findings.work import LabOrder
from spatial_workbench.engine.core.registry import task, tasks
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.laboratory.own import OwnVerifier
from spatial_workbench.widgets.number_box import inset
from spatial_workbench.widgets.wheel_fields import CountBox

ABOUT = (
    "Makes answers from references, mutations, the edges of tolerances and stored attempts, asks all verifiers about "
    "each, and keeps those that two verifiers judge differently."
)
MOST_WORKERS = 64
_ID = Qt.ItemDataRole.UserRole


class LabDialog(FormDialog):
    """The tasks, the minutes for each, the seed, and the processes.

    Signals:
        ordered(LabOrder): search like this.
    """

    ordered = Signal(object)

    def __init__(self, chosen: Sequence[str] = (), parent: QWidget | None = None) -> None:
        super().__init__("Look for disagreements", ABOUT, "Search", parent)
        self.resize(560, 560)
        self.tasks = QListWidget()
        self.tasks.setAccessibleName("Tasks")
        self.tasks.setMinimumHeight(220)
        for known in tasks():
            names = [*known.verifiers(), "crosscheck"]
            item = QListWidgetItem(known.title, self.tasks)
            item.setData(_ID, known.id)
            item.setToolTip(f"Verifiers: {', '.join(names)}")
            item.setCheckState(Qt.CheckState.Checked if known.id in chosen else Qt.CheckState.Unchecked)
        self.tasks.itemChanged.connect(lambda _: self._show_chosen())
        self.own = QListWidget()
        self.own.setAccessibleName("Verifiers of your own")
        self.own.setMaximumHeight(96)
        self.own.setToolTip("Those of the chosen tasks that are asked, too; a command runs as you do")
        self.own.itemChanged.connect(lambda _: self._show_duration())
        self.minutes = _number(1, 10_000, 5)
        self.minutes.setSuffix(" min")
        self.seed = _number(0, 10**9 - 1, 1)
        self.workers = _number(1, MOST_WORKERS, max(1, (os.cpu_count() or 2) - 1))
        self.programs = QCheckBox("Run programs in answers, in the sandbox")
        for box in (self.minutes, self.workers):
            box.valueChanged.connect(lambda _: self._show_duration())
        self.form.addRow("Tasks", self.tasks)
        self.form.addRow("Also ask", self.own)
        self.form.setRowVisible(self.own, False)
        self.form.addRow("Time for each", self.minutes)
        self.form.addRow("Seed", self.seed)
        self.form.addRow("Processes", self.workers)
        self.form.addRow("", self.programs)
        # The buttons stay in their place when a task is chosen and the note becomes longer.
        self.note.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.note.setMinimumHeight(2 * self.note.fontMetrics().lineSpacing())
        self._show_chosen()

    def offer(self, verifiers: Sequence[OwnVerifier]) -> None:
        """Offers verifiers of the user's own; those of tasks that are not chosen are hidden, and not asked."""
        self.own.clear()
        for verifier in verifiers:
            item = QListWidgetItem(f"{verifier.name} · {task(verifier.task).title} · {verifier.kind.value}", self.own)
            item.setData(_ID, verifier)
            item.setCheckState(Qt.CheckState.Unchecked)
        self._show_chosen()

    def asked_too(self) -> tuple[OwnVerifier, ...]:
        """The verifiers of the user's own that are to be asked, too."""
        items = [self.own.item(row) for row in range(self.own.count())]
        return tuple(
            item.data(_ID) for item in items if item.checkState() is Qt.CheckState.Checked and not item.isHidden()
        )

    def chosen(self) -> tuple[str, ...]:
        """The ids of the chosen tasks."""
        items = [self.tasks.item(row) for row in range(self.tasks.count())]
        return tuple(item.data(_ID) for item in items if item.checkState() is Qt.CheckState.Checked)

    def order(self) -> None:
        """Asks for the search."""
        order = LabOrder(
            self.chosen(),
            float(self.minutes.value()),
            self.seed.value(),
            self.workers.value(),
            self.programs.isChecked(),
            self.asked_too(),
        )
        self.ordered.emit(order)
        self.accept()

    def _show_chosen(self) -> None:
        chosen = self.chosen()
        items = [self.own.item(row) for row in range(self.own.count())]
        for item in items:
            item.setHidden(item.data(_ID).task not in chosen)
        self.form.setRowVisible(self.own, any(not item.isHidden() for item in items))
        self._show_duration()

    def _show_duration(self) -> None:
        chosen = self.chosen()
        self.go.setEnabled(bool(chosen))
        minutes = self.minutes.value() * len(chosen) / self.workers.value()
        about = counted(max(1, round(minutes)), "minute")
        self.show_note(
            f"{counted(len(chosen), 'task')}, about {about}. The search runs in the background, is stored in the "
            "project, and goes on where it stopped."
            if chosen
            else "Choose at least one task."
        )


def _number(least: int, most: int, value: int) -> QSpinBox:
    box = inset(CountBox())
    box.setRange(least, most)
    box.setValue(value)
    return box
