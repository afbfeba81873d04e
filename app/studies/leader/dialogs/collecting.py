"""Dialogs about bundles, and about session files that do not go together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.app.studies.leader.work import BundleOrder
from spatial_workbench.engine.store.studies.records import Conflict, Merged
from spatial_workbench.engine.studies.files.merging import StudyMergeOutcome


class BundleDialog(FormDialog):
    """Asks for the places and the file of a bundle.

    Signals:
        ordered(BundleOrder): write it.
    """

    ordered = Signal(object)

    def __init__(self, folder: Path, name: str, may_pilot: bool, parent: QWidget | None = None) -> None:
        about = (
            "A machine needs only this file and the application, no network. Anybody with the file can forge results."
        )
        super().__init__("Write a bundle", about, "Write…", parent)
        self._file = folder / f"{name}.study"
        self.codes = QLineEdit(placeholderText="all places without the reserves, or P001-P020, P031")
        self.codes.setMinimumWidth(360)
        self.site = QLineEdit(placeholderText="name of the machine or the room")
        self.pilot = QCheckBox("For a pilot: its sessions are never analysed")
        self.pilot.setVisible(may_pilot)
        self.form.addRow("Places", self.codes)
        self.form.addRow("Site", self.site)
        self.form.addRow("", self.pilot)
        self._may_pilot = may_pilot
        self.pilot.toggled.connect(self._check_input)
        self._check_input()

    def order(self) -> None:
        """Asks for the file and passes the order on."""
        path, _ = QFileDialog.getSaveFileName(self, "Write a bundle", str(self._file), "Bundles (*.study)")
        if path:
            self.order_to(Path(path).with_suffix(".study"))

    def order_to(self, path: Path) -> None:
        """Passes the order on for this file."""
        is_pilot = self.pilot.isChecked() and self._may_pilot
        self.ordered.emit(BundleOrder(path, self.codes.text().strip(), self.site.text().strip(), is_pilot))
        self.accept()

    def _check_input(self) -> None:
        freezes = self._may_pilot and not self.pilot.isChecked()
        self.show_note("This freezes the study and fixes its document." if freezes else "")


class ConflictsDialog(FormDialog):
    """Shows sessions that arrived in several states, and asks which one counts.

    Signals:
        ordered(str, str, str): session, digest, reason.
    """

    ordered = Signal(str, str, str)

    def __init__(self, conflicts: Sequence[Conflict], parent: QWidget | None = None) -> None:
        about = "These sessions arrived in states that do not continue each other. One counts; all are kept."
        super().__init__("Conflicts", about, "Let it stand", parent)
        self.list = QListWidget()
        self.list.setAccessibleName("States")
        self.list.setMinimumSize(460, 160)
        for conflict in conflicts:
            for place, (digest, words) in enumerate(conflict.states):
                stands = " (stands)" if place == 0 else ""
                item = QListWidgetItem(f"{conflict.code}  {digest[:12]}  {words}{stands}", self.list)
                item.setData(Qt.ItemDataRole.UserRole, (conflict.session, digest))
        self.reason = QLineEdit(placeholderText="is added to the log")
        self.body.insertWidget(1, self.list)
        self.form.addRow("Reason", self.reason)
        self.list.currentRowChanged.connect(self._check_input)
        self.reason.textChanged.connect(self._check_input)
        self._check_input()

    def order(self) -> None:
        """Passes the decision on."""
        session, digest = self.list.currentItem().data(Qt.ItemDataRole.UserRole)
        self.ordered.emit(session, digest, self.reason.text().strip())
        self.accept()

    def _check_input(self) -> None:
        self.go.setEnabled(self.list.currentItem() is not None and bool(self.reason.text().strip()))


def merge_heading(merged: Sequence[Merged]) -> str:
    """How many files became what."""
    counts = {outcome: sum(entry.outcome is outcome for entry in merged) for outcome in StudyMergeOutcome}
    return ", ".join(f"{count} {outcome.value}" for outcome, count in counts.items() if count) or "No file was dropped."
