"""The Studies page: the studies at the left; plan, progress, quality and outcomes of the chosen one at the right."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QHideEvent, QShowEvent, QUndoStack
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.studies.leader import work
from app.studies.leader.buttons import make_button
from app.studies.leader.checklist_view import ChecklistView
from app.studies.leader.dialogs import (
    AmendDialog,
    BundleDialog,
    ConflictsDialog,
    DeleteDraftDialog,
    ExcludeDialog,
    ListDialog,
    NameDialog,
    NeedsDialog,
    NewStudyDialog,
    PurgeDialog,
    ReasonDialog,
    RegistrationDialog,
    UnsealDialog,
    merge_heading,
    withdrawal_lines,
)
from app.studies.leader.outcomes_view import OutcomesView
from app.studies.leader.plan.form import PlanForm
from app.studies.leader.progress_view import ProgressView, results_in
from app.studies.leader.quality_view import QualityView
from app.studies.leader.work import Amendment, BundleOrder, CheckedPlan, StudySnapshot, Written
from app.studies.prompt_room import too_wide
from engine.core.interpreter import python_command, python_environment
from engine.store.study_records import DeletedDraft, Merged, StudyRow, Withdrawal
from engine.studies.amending import incomparable_parts
from engine.studies.checking import StudyProblem
from engine.studies.outcomes import StudyState
from widgets.empty_state import EmptyState
from widgets.icons import icon
from widgets.theme import SPACE

if TYPE_CHECKING:
    from app.background.jobs import BackgroundJob, Jobs
    from app.background.project_service import ProjectService
    from engine.evaluation.unsealing import Unsealed
    from engine.studies.checklist import Answer

STORING_MS = 50
LIVE_MS = 2000
"""How often the sessions on this machine are looked at."""
NO_STUDIES = (
    "No studies yet",
    "A study lets people solve the same items as models, under limits that are fixed beforehand.",
    "New study…",
)
STATE_ICONS = {
    StudyState.DRAFT: "pencil",
    StudyState.PILOT: "pencil",
    StudyState.FROZEN: "person",
    StudyState.CLOSED: "lock",
    StudyState.UNSEALED: "chart",
}
PLAN, PROGRESS, QUALITY, OUTCOMES, CHECKLIST = range(5)


class StudiesPage(QWidget):
    """The leader's page.

    Signals:
        message(str): a note for the status bar.
        report_asked(str, bool): write the report on a study; True: and open it.
        export_asked(str, str): export the data of a study in a form.
        results_asked(): go to Results.
    """

    title = "Studies"
    icon_name = "person"
    message = Signal(str)
    report_asked = Signal(str, bool)
    export_asked = Signal(str, str)
    results_asked = Signal()

    def __init__(self, jobs: Jobs, project: ProjectService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAcceptDrops(True)
        self._jobs = jobs
        self._project = project
        self.rows: tuple[StudyRow, ...] = ()
        self.snapshot: StudySnapshot | None = None
        self.dialog: QDialog | None = None
        self._to_choose = ""
        self._draft: DeletedDraft | None = None
        self._last_bundle: Path | None = None
        self._given: list[Any] = []
        """The documents that were given to the project since one of them was last read back, that one first."""
        self._amending = False
        self._is_closed = False
        self._reading: BackgroundJob | None = None
        self._reads_again = False
        self._checking: BackgroundJob | None = None
        self._running: list[BackgroundJob] = []
        self._live = QTimer(self, interval=LIVE_MS)
        self._live.timeout.connect(self._look_at_this_machine)
        self._stamp = 0.0
        self._make_list()
        self._make_head()
        self._make_tabs()
        self._lay_out()
        project.changed.connect(self.reload)
        project.opened.connect(self._forget)
        self.reload()

    # Reading -----------------------------------------------------------------------------------------------------

    @property
    def study(self) -> str:
        """The id of the chosen study; "" if none is chosen."""
        item = self.list.currentItem()
        return "" if item is None else str(item.data(Qt.ItemDataRole.UserRole))

    @property
    def undo_stack(self) -> QUndoStack:
        """The history of the plan."""
        return self.form.undo_stack

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is shown and stored."""
        jobs = [self._reading, self._checking, *self._running]
        return not any(job is not None and job.is_pending for job in jobs) and not self._reads_again

    def reload(self) -> None:
        """Reads the list, and the chosen study, again."""
        if self._project.path is None or self._is_closed:
            return
        if self._reading is not None and self._reading.is_pending:
            self._reads_again = True
            return
        self._reads_again = False
        self._reading = self._soon("Reading studies", work.read_page, self._project.path, self.study, done=self._show)

    def choose(self, study: str) -> None:
        """Goes to a study."""
        self._to_choose = study
        ids = [row.id for row in self.rows]
        if study in ids:
            self.list.setCurrentRow(ids.index(study))
        else:
            self.reload()

    def go_to(self, tab: int) -> None:
        """Goes to one of the tabs."""
        self.tabs.setCurrentIndex(tab)

    def close_page(self) -> None:
        """Stores what was typed last, and ends background work."""
        self.form.flush()
        self._is_closed = True
        self._live.stop()
        self._project.changed.disconnect(self.reload)
        self._project.opened.disconnect(self._forget)
        for job in (self._reading, *self._running):
            if job is not None:
                job.cancel()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._live.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._live.stop()

    def _forget(self) -> None:
        """Another project is in use."""
        self.snapshot, self._to_choose, self._amending, self._draft = None, "", False, None
        self.bring_back.hide()

    def _show(self, read: work.PageData) -> None:
        self._reading = None
        if self._is_closed:
            return
        if self._reads_again or (read.snapshot is not None and read.snapshot.row.id != self.study and self.study):
            self.reload()
            return
        self._show_rows(read.rows)
        if read.snapshot is not None and read.snapshot.row.id == self.study:
            self._show_study(read.snapshot)
        elif self.study:
            self.reload()

    def _show_rows(self, rows: tuple[StudyRow, ...]) -> None:
        self.stack.setCurrentIndex(0 if rows else 1)
        wanted = self._to_choose or self.study
        self.rows = rows
        self.list.blockSignals(True)
        if [row.id for row in rows] != self._ids():
            self.list.clear()
            for row in rows:
                item = QListWidgetItem()
                item.setData(Qt.ItemDataRole.UserRole, row.id)
                self.list.addItem(item)
        for place, row in enumerate(rows):
            item = self.list.item(place)
            item.setText(f"{row.name}\n{row.state} · {row.sessions} of {row.slots}\n{row.short_hash}")
            item.setIcon(icon(STATE_ICONS[row.state], "secondary"))
            item.setToolTip(f"{row.name}\n{row.sessions} sessions for {row.slots} slots\n{row.hash}")
        ids = [row.id for row in rows]
        self.list.setCurrentRow(ids.index(wanted) if wanted in ids else 0 if ids else -1)
        if self._to_choose in ids:
            self._to_choose = ""
        self.list.blockSignals(False)

    def _ids(self) -> list[str]:
        return [str(self.list.item(place).data(Qt.ItemDataRole.UserRole)) for place in range(self.list.count())]

    def _show_study(self, snapshot: StudySnapshot) -> None:
        is_other = self.snapshot is None or self.snapshot.row.id != snapshot.row.id
        before = None if is_other or self.snapshot is None else self.snapshot.row.state
        self.snapshot = snapshot
        row = snapshot.row
        self.heading.setText(row.name)
        version = f" · version {row.version}" if row.version > 1 else ""
        self.place.setText(f"{row.state} · {row.short_hash}{version} · {row.slots} slots · id {row.id}")
        self.place.setToolTip(row.hash)
        if is_other and date.today().isoformat() > row.delete_after and row.sessions:
            self.note.setText(f"The data were to be deleted after {row.delete_after}: Outcomes › Delete…")
            self.note.show()
        if is_other:
            self._amending = False
        if not self._amending and (is_other or before is not row.state or self._is_changed_elsewhere(snapshot)):
            self._given = [snapshot.document.data]
            self.form.show_plan(snapshot.document.data, is_fixed=not snapshot.is_editable)
            self._check(self.form.data)
        if is_other:
            self.tabs.setCurrentIndex(PLAN if snapshot.is_editable else OUTCOMES if snapshot.is_open else PROGRESS)
            self._soon("Reading runs", work.known_runs, self._project.path, done=self.form.offer_runs)
        self._show_tab()
        self._tell_buttons()

    def _show_tab(self) -> None:
        """Brings the tab in front up to date; the others follow when they are shown."""
        shows = {
            PROGRESS: self.progress.show_snapshot,
            QUALITY: self.quality.show_snapshot,
            OUTCOMES: self.outcomes.show_snapshot,
        }
        if self.snapshot is not None and self.tabs.currentIndex() in shows:
            shows[self.tabs.currentIndex()](self.snapshot)
        elif self.snapshot is not None and self.tabs.currentIndex() == CHECKLIST and self._project.path is not None:
            self._keep(
                self._soon("Reading the checklist", work.checklist, self._project.path, self.study, done=self._list)
            )

    def _list(self, answers: tuple[Answer, ...]) -> None:
        if not self._is_closed:
            self.checklist.show_answers(answers)

    def _answer(self, number: str, answer: str, reason: str) -> None:
        self._do("Answering", work.answered, number, answer, reason, done=self._list)

    def ask_registration(self) -> None:
        """Asks where and when the plan was registered."""
        dialog = RegistrationDialog(self)
        dialog.ordered.connect(lambda link, day: self._do("Registering", work.registered, link, day, done=self._done))
        self._open(dialog)

    def _is_changed_elsewhere(self, snapshot: StudySnapshot) -> bool:
        """Whether the document is none that this form has given away, and nobody types here at the moment."""
        stored = snapshot.document.data
        if stored in self._given:
            self._given = self._given[self._given.index(stored) :]
            return False
        return stored != self.form.data and not self.form.is_typing

    # The plan ----------------------------------------------------------------------------------------------------

    def _check(self, data: Any) -> None:
        """Checks a document in the background; the newest one wins."""
        if self._checking is not None:
            self._checking.cancel()
        self.verdict.setText("Checking…")
        self._checking = self._soon("Checking a study", work.check, data, done=self._checked)

    def _checked(self, checked: CheckedPlan) -> None:
        self._checking = None
        if self._is_closed or checked.data != self.form.data:
            return
        self.form.show_problems(measured(checked))
        errors = len([problem for problem in self.form.problems if problem.is_error])
        warnings = len(self.form.problems) - errors
        words = [
            f"{count} {word}{'' if count == 1 else 's'}" for count, word in ((errors, "error"), (warnings, "warning"))
        ]
        shown = " · ".join(word for word in words if not word.startswith("0 "))
        self.verdict.setText(shown or "Nothing is wrong")
        self.verdict.setObjectName("error" if errors else "secondary")
        self.verdict.style().polish(self.verdict)
        self._tell_buttons()
        snapshot, study = self.snapshot, checked.study
        if study is None or snapshot is None or not snapshot.is_editable or study.id != snapshot.row.id:
            return
        if study.data != snapshot.document.data:
            self._given.append(study.data)
            self._project.tell(lambda project: project.change_study(study.id, study), announce=True)

    def _take_passphrase(self, passphrase: str) -> None:
        self._keep(self._soon("Hashing", work.passphrase_hash, passphrase, done=self.form.show_passphrase))

    def _toggle_amending(self) -> None:
        """Begins an amendment of a frozen study, or freezes it."""
        snapshot = self.snapshot
        if snapshot is None:
            return
        if not self._amending:
            self._amending = True
            self.form.show_plan(snapshot.document.data, is_fixed=False)
            self.go_to(PLAN)
            self._tell_buttons()
            self.message.emit("Change the document, then freeze the amendment.")
            return
        self._keep(self._soon("Checking an amendment", work.check, self.form.data, done=self._ask_amendment))

    def _ask_amendment(self, checked: CheckedPlan) -> None:
        checked = measured(checked)
        if checked.study is None or self.snapshot is None or checked.errors:
            self.form.show_problems(checked)
            return
        dialog = AmendDialog(incomparable_parts(self.snapshot.document, checked.study), self)
        dialog.ordered.connect(partial(self._amend, checked.data))
        self._open(dialog)

    def _amend(self, data: Any, reason: str, comparable: str) -> None:
        def done(text: str) -> None:
            self._amending = False
            self._done(text)

        self._do("Amending a study", work.amended, Amendment(data, reason, comparable), done=done)

    def _freeze(self) -> None:
        def freeze() -> None:
            if self._first_error() is None:
                self._do("Freezing a study", work.frozen, done=self._done)

        self._once_stored(freeze)

    def _once_stored(self, then: Callable[[], None]) -> None:
        """Does something once all that was typed is checked and stored."""
        self.form.flush()
        if self._checking is not None and self._checking.is_pending:
            QTimer.singleShot(STORING_MS, self, lambda: self._once_stored(then))
        elif not self._is_closed:
            # Changes are stored in the project's thread, one after another; this comes after them.
            self._project.ask(lambda project: None, lambda _: then())

    def write_plan(self) -> None:
        """Asks for the file of the plan."""
        path, _ = QFileDialog.getSaveFileName(self, "Write plan", "plan.md", "Markdown (*.md)")
        if path:
            self._do("Writing the plan", work.plan_written, Path(path), done=self._done)

    def try_it(self) -> None:
        """Opens the participant's window with the plan as it stands; the session leaves nothing."""
        folder = Path(tempfile.mkdtemp(prefix="study-trial-"))
        self.message.emit("Preparing the participant's window…")
        self._long("Trying a study", work.tried, self.form.data, folder / "trial.study", done=self._launch_trial)

    def _launch_trial(self, path: Path) -> None:
        self._launch("study", "run", str(path), "--windowed", "--try")

    def _launch(self, *arguments: str) -> None:
        # In a session of its own, so that it outlives this window.
        command = python_command("-m", "app.commands.main", *arguments)
        nothing = subprocess.DEVNULL
        try:
            subprocess.Popen(
                command, stdin=nothing, stdout=nothing, stderr=nothing, env=python_environment(), start_new_session=True
            )
        except OSError as error:
            self.message.emit(f"The participant's window could not be started: {error.strerror}")
            return
        self.message.emit("The participant's window opens.")

    # Collecting --------------------------------------------------------------------------------------------------

    def ask_new(self) -> None:
        """Asks for a new study."""
        dialog = NewStudyDialog(self)
        dialog.ordered.connect(lambda wish: self._create("Making a study", work.new_study, wish))
        self._open(dialog)

    def ask_delete(self) -> None:
        """Asks before the chosen draft is deleted."""
        if self.snapshot is not None and self.snapshot.row.state is StudyState.DRAFT:
            dialog = DeleteDraftDialog(self.snapshot.row.name, self)
            dialog.ordered.connect(lambda: self._do("Deleting a draft", work.deleted, done=self._deleted))
            self._open(dialog)

    def _deleted(self, draft: DeletedDraft) -> None:
        self._draft = draft
        self.bring_back.setToolTip(f"“{draft.name}”, which was deleted last")
        self.bring_back.show()
        self._done(f"“{draft.name}” was deleted.")

    def restore(self) -> None:
        """Brings the draft back that was deleted last."""
        if self._draft is not None:
            self.bring_back.hide()
            self._create("Restoring a draft", work.restored, self._draft)
            self._draft = None

    def ask_purge(self) -> None:
        """Asks what is deleted of the data."""
        if self.snapshot is not None:
            dialog = PurgeDialog(self.snapshot.row.name, self.snapshot.row.delete_after, self)
            dialog.ordered.connect(lambda all_: self._do("Deleting data", work.purged, all_, done=self._done))
            self._open(dialog)

    def ask_document(self) -> None:
        """Asks for the file of a document."""
        path, _ = QFileDialog.getOpenFileName(self, "Open a document", "", "Documents (*.json)")
        if path:
            self._create("Reading a study", work.taken_over, Path(path))

    def ask_bundle(self) -> None:
        """Asks for the places and the file of a bundle."""
        if self.snapshot is None or self._project.path is None:
            return
        self.form.flush()
        name = "".join(letter if letter.isalnum() else "-" for letter in self.snapshot.row.name)
        dialog = BundleDialog(self._project.path.parent, name, self.snapshot.is_editable, self)
        dialog.ordered.connect(self.write_bundle)
        self._open(dialog)

    def write_bundle(self, order: BundleOrder) -> None:
        """Writes a bundle; the first one that is not for a pilot freezes the study."""

        def write() -> None:
            if self._freezes(order) and (problem := self._first_error()) is not None:
                self._failed(f"{problem.place}: {problem.message}.")
                return
            self._do("Writing a bundle", work.bundled, order, done=self._bundled)

        self._once_stored(write)

    def _freezes(self, order: BundleOrder) -> bool:
        return self.snapshot is not None and self.snapshot.is_editable and not order.is_pilot

    def _first_error(self) -> StudyProblem | None:
        return next((problem for problem in self.form.problems if problem.is_error), None)

    def _bundled(self, written: Written) -> None:
        self._last_bundle = written.path
        self._done(written.words)
        if written.warnings:
            self._open(ListDialog("Bundle", "The bundle was written.", written.warnings, self))

    def run_here(self) -> None:
        """Opens the participant's window with a bundle."""
        path: str | Path | None = self._last_bundle
        if path is None:
            path, _ = QFileDialog.getOpenFileName(self, "Run a bundle", "", "Bundles (*.study)")
        if path:
            self._launch("study", "run", str(path))

    def ask_merge(self) -> None:
        """Asks for results files."""
        paths, _ = QFileDialog.getOpenFileNames(self, "Merge results", "", "Results (*.studyresult *.jsonl)")
        if paths:
            self.merge([Path(path) for path in paths])

    def merge(self, paths: Sequence[Path]) -> None:
        """Takes results over."""
        self._long("Merging results", work.merged, self._project.path, list(paths), done=self._merged)

    def _merged(self, merged: tuple[Merged, ...]) -> None:
        heading = merge_heading(merged)
        self._done(heading)
        self._open(ListDialog("Merged", heading, [entry.words for entry in merged], self))

    def ask_note(self, code: str) -> None:
        """Asks for a note, about a code if one is chosen."""
        about = f"About {code}." if code else "About the study."
        dialog = ReasonDialog("Note", f"{about} It is kept in the log.", "Add", parent=self)
        dialog.ordered.connect(lambda text: self._do("Adding a note", work.noted, text, code, done=self._done))
        self._open(dialog)

    def show_log(self) -> None:
        """Shows what happened to the study, the newest first."""
        if self.snapshot is not None:
            lines = [
                f"{note.at.astimezone():%Y-%m-%d %H:%M}  {note.kind}  {note.code}  {note.text}".replace("    ", "  ")
                for note in reversed(self.snapshot.log)
            ]
            self._open(ListDialog("Log", "What happened to the study, the newest first.", lines, self))

    def ask_needs(self, code: str) -> None:
        """Asks what a place has beyond the others."""
        dialog = NeedsDialog(code, self)
        dialog.ordered.connect(lambda needs: self._do("Noting needs", work.accommodated, code, needs, done=self._done))
        self._open(dialog)

    def ask_replace(self, code: str) -> None:
        """Asks why a place is replaced."""
        about = f"A reserve of the same row and condition stands in for {code}. The reason is put into the log."
        dialog = ReasonDialog("Replace", about, "Replace", parent=self)
        dialog.ordered.connect(lambda text: self._do("Replacing a place", work.replaced, code, text, done=self._done))
        self._open(dialog)

    def ask_withdraw(self, code: str) -> None:
        """Asks before all data of a code are deleted."""
        about = (
            f"All data of {code} are deleted for good, and no results file brings them back. Type the code to go on."
        )
        dialog = ReasonDialog("Withdraw", about, "Delete", len(code), self)
        dialog.ordered.connect(lambda text: self._withdraw(code, text))
        self._open(dialog)

    def _withdraw(self, code: str, typed: str) -> None:
        if typed.strip().upper() == code:
            is_pilot = self.snapshot is not None and self.snapshot.is_editable
            self._do("Withdrawing", work.withdrawn, code, is_pilot, done=self._withdrawn)
        else:
            self.message.emit(f"Nothing was deleted: “{typed[:20]}” is not {code}.")

    def _withdrawn(self, done: Withdrawal) -> None:
        self._done(f"The data of {done.code} were deleted.")
        self._open(ListDialog("Withdrawn", f"{done.code} has withdrawn.", withdrawal_lines(done), self))

    def ask_settle(self) -> None:
        """Asks which state of a session stands."""
        if self.snapshot is not None:
            dialog = ConflictsDialog(self.snapshot.conflicts, self)
            dialog.ordered.connect(self._settle)
            self._open(dialog)

    def _settle(self, session: str, digest: str, reason: str) -> None:
        path = self._project.path
        self._long("Settling a conflict", work.settled, path, session, digest, reason, done=self._done)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.take_dropped([Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()])

    def take_dropped(self, paths: list[Path]) -> None:
        """Merges results that were dropped; a document becomes a draft."""
        documents = [path for path in paths if path.suffix == ".json"]
        for path in documents:
            self._create("Reading a study", work.taken_over, path)
        rest = [path for path in paths if path not in documents]
        if rest:
            self.merge(results_in(rest) or rest)

    def _look_at_this_machine(self) -> None:
        """Reads the study again if the files of its sessions on this machine have changed."""
        snapshot = self.snapshot
        if snapshot is None or self.tabs.currentIndex() != PROGRESS or not self.is_idle:
            return
        hashes = tuple(dict.fromkeys((snapshot.row.hash, *(bundle.hash for bundle in snapshot.bundles))))
        self._keep(self._soon("Looking at sessions", work.stamp_of, hashes, done=self._compare_stamp))

    def _compare_stamp(self, stamp: float) -> None:
        if stamp != self._stamp:
            self._stamp = stamp
            self.reload()

    # Deciding ----------------------------------------------------------------------------------------------------

    def ask_exclude(self, code: str) -> None:
        """Asks whom to exclude, and why."""
        snapshot = self.snapshot
        if snapshot is None:
            return
        sessions = [
            (slot.session, slot.code, [(place, cell.item) for place, cell in enumerate(slot.cells)])
            for slot in snapshot.progress.slots
            if slot.session
        ]
        dialog = ExcludeDialog(sessions, code, bool(snapshot.list_hash) or snapshot.is_open, self)
        dialog.ordered.connect(
            lambda session, reason, position: self._do(
                "Excluding", work.excluded, session, reason, position, done=self._done
            )
        )
        self._open(dialog)

    def ask_close(self) -> None:
        """Asks for the name before collection is closed."""
        if self.snapshot is not None:
            dialog = NameDialog(self.snapshot.row.name, self.snapshot.missing, self)
            dialog.ordered.connect(lambda name: self._do("Closing", work.closed, name, done=self._done))
            self._open(dialog)

    def ask_unseal(self, is_early: bool) -> None:
        """Asks before outcomes are opened."""
        if self.snapshot is not None:
            dialog = UnsealDialog(is_early, self.snapshot.missing, self)
            dialog.ordered.connect(lambda note: self.unseal(is_early, note))
            self._open(dialog)

    def unseal(self, is_early: bool = False, note: str = "") -> None:
        """Opens the outcomes; judging may take long."""
        self._do(
            "Judging submissions",
            work.unsealed,
            is_early,
            note,
            done=self._unsealed,
            progressed=self.outcomes.show_progress,
        )

    def _unsealed(self, done: Unsealed) -> None:
        self.outcomes.show_progress(0, 0, "")
        self._done(f"{done.judged} submissions judged.")
        self._project.changed.emit()
        if lines := [*done.warnings, *done.failures]:
            self._open(ListDialog("Outcomes", "The outcomes are open.", lines, self))

    # Helpers -----------------------------------------------------------------------------------------------------

    def _soon(self, label: str, function: Callable[..., Any], *arguments: Any, done: Any) -> BackgroundJob:
        return self._jobs.live.run(label, function, *arguments, done=done, failed=self._failed, quiet=True, owner=self)

    def _do(self, label: str, function: Callable[..., Any], *arguments: Any, done: Any, progressed: Any = None) -> None:
        """Does something with the chosen study in the background."""
        self._long(label, function, self._project.path, self.study, *arguments, done=done, progressed=progressed)

    def _create(self, label: str, function: Callable[..., Any], *arguments: Any) -> None:
        self._long(label, function, self._project.path, *arguments, done=self._created)

    def _created(self, study: str) -> None:
        self._to_choose = study
        self._done("The draft is stored.")

    def _long(
        self, label: str, function: Callable[..., Any], *arguments: Any, done: Any, progressed: Any = None
    ) -> None:
        self._keep(
            self._jobs.run(
                label, function, *arguments, done=done, failed=self._failed, progressed=progressed, owner=self
            )
        )

    def _keep(self, job: BackgroundJob) -> None:
        self._running = [*(earlier for earlier in self._running if earlier.is_pending), job]

    def _done(self, text: str) -> None:
        if not self._is_closed:
            self.message.emit(text)
            self.reload()

    def _failed(self, text: str) -> None:
        if not self._is_closed:
            self._reading = None
            self.outcomes.show_progress(0, 0, "")
            self.note.setText(text)
            self.note.show()
            self.message.emit(text)

    def _open(self, dialog: QDialog) -> None:
        self.note.hide()
        self.dialog = dialog
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _tell_buttons(self) -> None:
        snapshot = self.snapshot
        is_draft = snapshot is not None and snapshot.is_editable
        errors = any(problem.is_error for problem in self.form.problems)
        self.delete.setEnabled(snapshot is not None and snapshot.row.state is StudyState.DRAFT)
        self.freeze.setVisible(is_draft)
        self.freeze.setEnabled(not errors)
        self.try_button.setEnabled(not errors)
        self.amend.setVisible(snapshot is not None and snapshot.row.state is StudyState.FROZEN)
        self.amend.setText("Freeze amendment…" if self._amending else "Amend…")

    def _make_list(self) -> None:
        self.list = QListWidget()
        self.list.setAccessibleName("Studies")
        self.list.setMinimumWidth(200)
        self.list.setWordWrap(True)
        self.list.currentRowChanged.connect(lambda _: self.reload())
        self.new = make_button("New study…", "place", self.ask_new, "A draft with a default for everything")
        self.delete = make_button("Delete draft…", "delete", self.ask_delete, "Deletes the chosen draft")
        self.bring_back = make_button("Bring draft back", "undo", self.restore, "The draft that was deleted last")
        self.bring_back.hide()
        self.open = make_button("Open document…", "open", self.ask_document, "A draft from a document in a file")

    def _make_head(self) -> None:
        self.heading, self.place, self.note, self.verdict = QLabel(), QLabel(), QLabel(), QLabel()
        self.heading.setObjectName("pageTitle")
        self.place.setObjectName("secondary")
        self.place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.note.setObjectName("error")
        self.note.setWordWrap(True)
        self.note.hide()
        self.verdict.setObjectName("secondary")
        self.as_json = QPushButton("JSON")
        self.as_json.setCheckable(True)
        self.as_json.setToolTip("Show the document as JSON: everything that the form does not hold is there")
        self.try_button = make_button(
            "Try it", "play", self.try_it, "Opens the participant's window; it leaves nothing"
        )
        self.plan_button = make_button("Write plan…", "save", self.write_plan, "The plan as Markdown, for a registry")
        self.register = make_button(
            "Registered…", "link", self.ask_registration, "Where and when the plan was registered; not part of the hash"
        )
        self.freeze = make_button("Freeze", "", self._freeze, "Fixes the document, its places and its materials")
        self.freeze.setObjectName("primary")
        self.amend = make_button("Amend…", "pencil", self._toggle_amending, "A further version, with a reason")

    def _make_tabs(self) -> None:
        self.form, self.progress = PlanForm(), ProgressView()
        self.quality, self.outcomes, self.checklist = QualityView(), OutcomesView(), ChecklistView()
        self.checklist.given.connect(self._answer)
        self.form.changed.connect(self._check)
        self.form.passphrase_given.connect(self._take_passphrase)
        self.form.planner.asked.connect(
            lambda inputs: self._soon("Planning", work.people_needed, inputs, done=self.form.planner.show_people)
        )
        self.as_json.toggled.connect(self.form.show_as_json)
        self.progress.bundle_asked.connect(self.ask_bundle)
        self.progress.run_asked.connect(self.run_here)
        self.progress.merge_asked.connect(self.ask_merge)
        self.progress.settle_asked.connect(self.ask_settle)
        self.progress.log_asked.connect(self.show_log)
        self.progress.accommodate_asked.connect(self.ask_needs)
        self.progress.note_asked.connect(self.ask_note)
        self.progress.replace_asked.connect(self.ask_replace)
        self.progress.withdraw_asked.connect(self.ask_withdraw)
        self.quality.exclude_asked.connect(self.ask_exclude)
        self.quality.close_asked.connect(self.ask_close)
        self.outcomes.unseal_asked.connect(self.ask_unseal)
        self.outcomes.report_asked.connect(lambda opens: self.report_asked.emit(self.study, opens))
        self.outcomes.export_asked.connect(lambda kind: self.export_asked.emit(self.study, kind))
        self.outcomes.results_asked.connect(self.results_asked)
        self.outcomes.purge_asked.connect(self.ask_purge)

    def _lay_out(self) -> None:
        plan = QWidget()
        column = QVBoxLayout(plan)
        column.setContentsMargins(0, 3 * SPACE, 0, 0)
        column.setSpacing(2 * SPACE)
        bar = QHBoxLayout()
        bar.setSpacing(2 * SPACE)
        bar.addWidget(self.verdict)
        bar.addStretch(1)
        for button in (self.as_json, self.try_button, self.plan_button, self.register, self.amend, self.freeze):
            bar.addWidget(button)
        column.addLayout(bar)
        column.addWidget(self.form, 1)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        for page, text in (
            (plan, "Plan"),
            (self.progress, "Progress"),
            (self.quality, "Quality"),
            (self.outcomes, "Outcomes"),
            (self.checklist, "Checklist"),
        ):
            self.tabs.addTab(page, text)
        self.tabs.currentChanged.connect(lambda _: self._show_tab())
        right = QWidget()
        body = QVBoxLayout(right)
        body.setContentsMargins(6 * SPACE, 5 * SPACE, 6 * SPACE, 0)
        body.setSpacing(2 * SPACE)
        body.addWidget(self.heading)
        body.addWidget(self.place)
        body.addWidget(self.note)
        body.addWidget(self.tabs, 1)
        left = QWidget()
        left.setObjectName("panel")
        side = QVBoxLayout(left)
        side.setContentsMargins(3 * SPACE, 5 * SPACE, 3 * SPACE, 3 * SPACE)
        side.setSpacing(2 * SPACE)
        side.addWidget(self.list, 1)
        for button in (self.bring_back, self.new, self.open, self.delete):
            side.addWidget(button)
        splitter = QSplitter()
        splitter.setHandleWidth(1)
        splitter.addWidget(left)
        splitter.addWidget(right)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([230, 1000])
        splitter.setChildrenCollapsible(False)
        empty = EmptyState(*NO_STUDIES)
        empty.button.clicked.connect(self.ask_new)
        self.stack = QStackedWidget()
        self.stack.addWidget(splitter)
        self.stack.addWidget(empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)


def measured(checked: CheckedPlan) -> CheckedPlan:
    """A plan with the items whose prompts are too wide among its problems."""
    return replace(checked, problems=(*too_wide(checked.widest), *checked.problems))
