"""Dialogs about bundles, and about session files that do not go together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.app.studies.leader.work.bundling import BundleOrder
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.store.studies.records import Conflict, Merged
from spatial_workbench.engine.studies.analysis.conflicts import ConflictingState
from spatial_workbench.engine.studies.files.merging import StudyMergeOutcome

_TREE_PX = (900, 220)


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
        ordered(str, int, str): session, number of the state, reason.
    """

    ordered = Signal(str, int, str)
    HEADS = ("State", "File", "Merged", "Machine", "Came to", "Signature")

    def __init__(self, conflicts: Sequence[Conflict], parent: QWidget | None = None) -> None:
        about = (
            "These sessions arrived in states of which none continues the other. One counts; all are kept. Collection "
            "can be closed once each is decided."
        )
        super().__init__("Conflicts", about, "Let it stand", parent)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Sessions and their states")
        self.tree.setHeaderLabels(list(self.HEADS))
        self.tree.setUniformRowHeights(True)
        self.tree.setMinimumSize(*_TREE_PX)
        for conflict in conflicts:
            self._add_conflict(conflict)
        self.tree.expandAll()
        for column in range(len(self.HEADS)):
            self.tree.resizeColumnToContents(column)
        self.reason = QLineEdit(placeholderText="is added to the log")
        self.details = QLabel()
        self.details.setObjectName("secondary")
        self.details.setWordWrap(True)
        self.body.insertWidget(1, self.tree, 1)
        self.body.insertWidget(2, self.details)
        self.form.addRow("Reason", self.reason)
        self.tree.currentItemChanged.connect(self._check_input)
        self.reason.textChanged.connect(self._check_input)
        self._check_input()

    def choose(self, session: str, number: int) -> None:
        """Chooses a state."""
        for item in self._state_items():
            if item.data(0, Qt.ItemDataRole.UserRole) == (session, number):
                self.tree.setCurrentItem(item)

    def order(self) -> None:
        """Passes the decision on."""
        session, number = self._chosen()
        self.ordered.emit(session, number, self.reason.text().strip())
        self.accept()

    def _add_conflict(self, conflict: Conflict) -> None:
        decided = "decided" if conflict.is_settled else "to be decided"
        top = QTreeWidgetItem(self.tree, [f"{conflict.code}: {decided}"])
        top.setFirstColumnSpanned(True)
        top.setFlags(Qt.ItemFlag.ItemIsEnabled)
        for state in conflict.states:
            item = QTreeWidgetItem(top, _cells_of(state))
            item.setData(0, Qt.ItemDataRole.UserRole, (conflict.session, state.number))
            item.setData(1, Qt.ItemDataRole.UserRole, _details_of(state))
            item.setToolTip(0, state.digest)

    def _state_items(self) -> list[QTreeWidgetItem]:
        tops = [self.tree.topLevelItem(k) for k in range(self.tree.topLevelItemCount())]
        items = [top.child(k) for top in tops if top is not None for k in range(top.childCount())]
        return [item for item in items if item is not None]

    def _chosen(self) -> tuple[str, int]:
        item = self.tree.currentItem()
        chosen = None if item is None else item.data(0, Qt.ItemDataRole.UserRole)
        return ("", 0) if chosen is None else (chosen[0], chosen[1])

    def _check_input(self) -> None:
        item = self.tree.currentItem()
        self.details.setText("Choose a state." if item is None else item.data(1, Qt.ItemDataRole.UserRole))
        self.go.setEnabled(bool(self._chosen()[0] and self.reason.text().strip()))


def _cells_of(state: ConflictingState) -> list[str]:
    """The columns of a state in the list of conflicts."""
    return [
        f"{state.number}" + (" (stands)" if state.stands else ""),
        state.file or "not known",
        "" if state.merged_at is None else f"{state.merged_at:%Y-%m-%d %H:%M}",
        state.machine or "–",
        f"{state.state}, {counted(state.items_ended, 'item')} ended",
        state.signature,
    ]


def _details_of(state: ConflictingState) -> str:
    """What else is known of a state, in sentences."""
    ended = f", ended {state.ended_at[:16].replace('T', ' ')}" if state.ended_at else ""
    worked = f"{counted(state.submissions, 'submission')} in {state.active_ms / 60_000:.1f} min of work"
    events = f"{counted(state.chunks, 'chunk')} of events"
    differs = f" It differs from state 1 in {'; '.join(state.differs)}." if state.differs else ""
    return (
        f"State {state.number} began {state.began_at[:16].replace('T', ' ')} UTC{ended}: {worked}, {events}.{differs}"
    )


def merge_heading(merged: Sequence[Merged]) -> str:
    """How many sessions became what."""
    counts = {outcome: sum(entry.outcome is outcome for entry in merged) for outcome in StudyMergeOutcome}
    parts = ", ".join(f"{count} {outcome.value}" for outcome, count in counts.items() if count)
    return f"Sessions: {parts}." if parts else "No file was dropped."
