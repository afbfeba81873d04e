"""Collecting: bundles for machines, their results, and actions on single places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFileDialog

from spatial_workbench.app.studies.leader import launching
from spatial_workbench.app.studies.leader.chosen_study import ChosenStudy
from spatial_workbench.app.studies.leader.dialogs.collecting import BundleDialog, ConflictsDialog, merge_heading
from spatial_workbench.app.studies.leader.dialogs.deciding import ReasonDialog
from spatial_workbench.app.studies.leader.dialogs.deleting import withdrawal_lines
from spatial_workbench.app.studies.leader.dialogs.lists import ListDialog
from spatial_workbench.app.studies.leader.dialogs.needs import NeedsDialog
from spatial_workbench.app.studies.leader.plan.tab import PlanTab
from spatial_workbench.app.studies.leader.progress_view import ProgressView
from spatial_workbench.app.studies.leader.work import bundling, collecting, deleting, reading
from spatial_workbench.app.studies.leader.work.bundling import BundleOrder, Written
from spatial_workbench.engine.store.studies.records import Merged, Withdrawal

LIVE_MS = 2000
"""How often the sessions on this machine are checked."""


class Collecting(QObject):
    """Performs the actions of the page about progress.

    Signals:
        stale(): a session on this machine has changed.
    """

    stale = Signal()

    def __init__(self, chosen: ChosenStudy, plan: PlanTab, view: ProgressView) -> None:
        super().__init__(view)
        self._chosen = chosen
        self._plan = plan
        self._view = view
        self._last_bundle: Path | None = None
        self._stamp = 0.0
        self._live = QTimer(self, interval=LIVE_MS)
        self._live.timeout.connect(self._look_at_this_machine)
        for signal, slot in (
            (view.bundle_asked, self.ask_bundle),
            (view.run_asked, self.run_here),
            (view.merge_asked, self.ask_merge),
            (view.settle_asked, self.ask_settle),
            (view.log_asked, self.show_log),
            (view.accommodate_asked, self.ask_needs),
            (view.note_asked, self.ask_note),
            (view.replace_asked, self.ask_replace),
            (view.withdraw_asked, self.ask_withdraw),
        ):
            signal.connect(slot)

    def watch(self, is_watching: bool) -> None:
        """Looks at the sessions on this machine every now and then, or stops."""
        if is_watching:
            self._live.start()
        else:
            self._live.stop()

    # Bundles and results ---------------------------------------------------------------------------------------------

    def ask_bundle(self) -> None:
        """Asks for the places and the file of a bundle."""
        snapshot = self._chosen.snapshot
        folder = self._chosen.project.files_folder
        if snapshot is None or folder is None:
            return
        self._plan.form.flush()
        name = "".join(letter if letter.isalnum() else "-" for letter in snapshot.row.name)
        dialog = BundleDialog(folder, name, snapshot.is_editable, self._view)
        dialog.ordered.connect(self.write_bundle)
        self._chosen.ask(dialog)

    def write_bundle(self, order: BundleOrder) -> None:
        """Writes a bundle; the first one that is not for a pilot freezes the study."""

        def write() -> None:
            if self._freezes(order) and (problem := self._plan.first_error()) is not None:
                self._chosen.failed.emit(f"{problem.place}: {problem.message}.")
                return
            if self._freezes(order) and not order.passphrase:
                self._plan.freezing.ask(lambda passphrase: self.write_bundle(replace(order, passphrase=passphrase)))
                return
            self._chosen.do("Writing a bundle", bundling.bundled, order, done=self._bundled)

        self._plan.once_stored(write)

    def _freezes(self, order: BundleOrder) -> bool:
        snapshot = self._chosen.snapshot
        return snapshot is not None and snapshot.is_editable and not order.is_pilot

    def _bundled(self, written: Written) -> None:
        self._last_bundle = written.path
        self._chosen.finish(written.words)
        if written.warnings:
            self._show_list("Bundle", "The bundle was written.", written.warnings)
        if written.recovery:
            self._plan.freezing.show_recovery_key(written.recovery)

    def run_here(self) -> None:
        """Opens the participant's window with a bundle."""
        path: str | Path | None = self._last_bundle
        if path is None:
            path, _ = QFileDialog.getOpenFileName(self._view, "Run a bundle", "", "Bundles (*.study)")
        if path:
            self._chosen.message.emit(launching.launch("study", "run", str(path)))

    def ask_merge(self) -> None:
        """Asks for results files."""
        paths, _ = QFileDialog.getOpenFileNames(self._view, "Merge results", "", "Results (*.studyresult *.jsonl)")
        if paths:
            self.merge([Path(path) for path in paths])

    def merge(self, paths: Sequence[Path]) -> None:
        """Merges results."""
        self._chosen.run("Merging results", collecting.merged, self._chosen.path, list(paths), done=self._merged)

    def _merged(self, merged: tuple[Merged, ...]) -> None:
        heading = merge_heading(merged)
        self._chosen.finish(heading)
        self._show_list("Merged", heading, [entry.words for entry in merged])

    def ask_settle(self) -> None:
        """Asks which state of a session counts."""
        if self._chosen.snapshot is not None:
            dialog = ConflictsDialog(self._chosen.snapshot.conflicts, self._view)
            dialog.ordered.connect(
                lambda *decision: self._chosen.run(
                    "Settling a conflict", collecting.settled, self._chosen.path, *decision
                )
            )
            self._chosen.ask(dialog)

    # Places ----------------------------------------------------------------------------------------------------------

    def ask_note(self, code: str) -> None:
        """Asks for a note, about a code if one is chosen."""
        about = f"About {code}." if code else "About the study."
        dialog = ReasonDialog("Note", f"{about} It is kept in the log.", "Add", parent=self._view)
        dialog.ordered.connect(lambda text: self._chosen.do("Adding a note", collecting.noted, text, code))
        self._chosen.ask(dialog)

    def show_log(self) -> None:
        """Shows what happened to the study, the newest first."""
        if self._chosen.snapshot is not None:
            lines = [
                f"{note.at.astimezone():%Y-%m-%d %H:%M}  {note.kind}  {note.code}  {note.text}".replace("    ", "  ")
                for note in reversed(self._chosen.snapshot.log)
            ]
            self._show_list("Log", "The history of the study, newest first.", lines)

    def ask_needs(self, code: str) -> None:
        """Asks what a place has beyond the others."""
        dialog = NeedsDialog(code, self._view)
        dialog.ordered.connect(lambda needs: self._chosen.do("Noting needs", collecting.accommodated, code, needs))
        self._chosen.ask(dialog)

    def ask_replace(self, code: str) -> None:
        """Asks why a place is replaced."""
        about = f"A reserve of the same row and condition replaces {code}. The reason is added to the log."
        dialog = ReasonDialog("Replace", about, "Replace", parent=self._view)
        dialog.ordered.connect(lambda text: self._chosen.do("Replacing a place", collecting.replaced, code, text))
        self._chosen.ask(dialog)

    def ask_withdraw(self, code: str) -> None:
        """Asks before all data of a code are deleted."""
        about = (
            f"All data of {code} are deleted for good, and no results file can restore them. Type the code to go on."
        )
        dialog = ReasonDialog("Withdraw", about, "Delete", len(code), self._view)
        dialog.ordered.connect(lambda text: self._withdraw(code, text))
        self._chosen.ask(dialog)

    def _withdraw(self, code: str, typed: str) -> None:
        if typed.strip().upper() == code:
            is_pilot = self._chosen.snapshot is not None and self._chosen.snapshot.is_editable
            self._chosen.do("Withdrawing", deleting.withdrawn, code, is_pilot, done=self._withdrawn)
        else:
            self._chosen.message.emit(f"Nothing was deleted: “{typed[:20]}” is not {code}.")

    def _withdrawn(self, done: Withdrawal) -> None:
        self._chosen.finish(f"The data of {done.code} were deleted.")
        self._show_list("Withdrawn", f"{done.code} has withdrawn.", withdrawal_lines(done))

    def _show_list(self, title: str, heading: str, lines: Sequence[str]) -> None:
        self._chosen.ask(ListDialog(title, heading, lines, self._view))

    # This machine ----------------------------------------------------------------------------------------------------

    def _look_at_this_machine(self) -> None:
        """Finds out whether the files of the study's sessions on this machine have changed."""
        snapshot = self._chosen.snapshot
        if snapshot is None or not self._view.isVisible() or not self._chosen.is_idle:
            return
        hashes = tuple(dict.fromkeys((snapshot.row.hash, *(bundle.hash for bundle in snapshot.bundles))))
        self._chosen.soon("Looking at sessions", reading.stamp_of, hashes, done=self._compare_stamp)

    def _compare_stamp(self, stamp: float) -> None:
        if stamp != self._stamp:
            self._stamp = stamp
            self.stale.emit()
