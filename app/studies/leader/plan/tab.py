"""The plan of the chosen study: checked and stored while it is edited, tried out, registered, frozen and amended."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from spatial_workbench.app.studies.leader import launching
from spatial_workbench.app.studies.leader.chosen_study import ChosenStudy
from spatial_workbench.app.studies.leader.dialogs.drafts import AmendDialog, RegistrationDialog
from spatial_workbench.app.studies.leader.freezing import Freezing
from spatial_workbench.app.studies.leader.plan.form import PlanForm
from spatial_workbench.app.studies.leader.work import freezing, planning
from spatial_workbench.app.studies.leader.work.freezing import Amendment
from spatial_workbench.app.studies.leader.work.planning import CheckedPlan
from spatial_workbench.app.studies.leader.work.reading import StudySnapshot
from spatial_workbench.app.studies.prompt_room import too_wide
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.studies.analysis.outcomes import StudyState
from spatial_workbench.engine.studies.planning.amending import incomparable_parts
from spatial_workbench.engine.studies.planning.document import DocumentError, study_of
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.forms.fields import PlacedProblem
from spatial_workbench.widgets.qt import call_later
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import BackgroundJob
    from spatial_workbench.engine.store import Project

STORING_MS = 50


class PlanTab(QWidget):
    """The form with what can be done about a plan."""

    def __init__(self, chosen: ChosenStudy) -> None:
        super().__init__()
        self._chosen = chosen
        self.freezing = Freezing(chosen)
        self.is_amending = False
        self._given: list[Any] = []
        """The documents that were stored since one of them was last read back, that one first."""
        self._checking: BackgroundJob | None = None
        self._is_unchecked = False
        """Whether the frozen plan has not been looked at yet; it is checked when somebody looks at it."""
        self.form = PlanForm()
        self.form.changed.connect(self._take_data)
        self.form.passphrase_given.connect(self._hash_passphrase)
        self.form.planner.asked.connect(
            lambda inputs: chosen.soon("Planning", planning.people_needed, inputs, done=self.form.planner.show_people)
        )
        self.form.planner.pilot_asked.connect(self._read_pilot)
        self._make_bar()
        self._lay_out()

    def _read_pilot(self) -> None:
        self._chosen.do("Checking the pilot", planning.pilot_found, done=self.form.planner.show_pilot)

    def show_study(self, snapshot: StudySnapshot, is_other: bool, is_in_another_state: bool) -> None:
        """Shows a study, unless the form holds it, or something newer, already."""
        if is_other:
            self.is_amending = False
            self._chosen.soon("Reading runs", planning.known_runs, self._chosen.path, done=self.form.offer_runs)
        has_changed = is_other or is_in_another_state or self._is_changed_elsewhere(snapshot)
        if not self.is_amending and has_changed:
            self._given[:] = [snapshot.document.data]
            self.form.show_plan(snapshot.document.data, is_fixed=not snapshot.is_editable)
            self._is_unchecked = True
        if self._is_unchecked and (snapshot.is_editable or self.isVisible()):
            self._check(self.form.data)
        self.tell_buttons()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_unchecked and self._chosen.snapshot is not None:
            self._check(self.form.data)

    def tell_buttons(self) -> None:
        """Enables what can be done now."""
        snapshot = self._chosen.snapshot
        has_error = self.first_error() is not None
        self.freeze.setVisible(snapshot is not None and snapshot.is_editable)
        self.freeze.setEnabled(not has_error)
        self.try_button.setEnabled(not has_error)
        self.amend.setVisible(snapshot is not None and snapshot.row.state is StudyState.FROZEN)
        self.amend.setText("Freeze amendment…" if self.is_amending else "Amend…")

    def first_error(self) -> PlacedProblem | None:
        """The first problem that prevents freezing the plan."""
        return next((problem for problem in self.form.problems if problem.is_error), None)

    def once_stored(self, then: Callable[[], None]) -> None:
        """Does something once all that was typed is checked and stored."""
        self.form.flush()
        if self._checking is not None and self._checking.is_pending:
            call_later(self, lambda: self.once_stored(then), STORING_MS)
        elif not self._chosen.is_closed:
            # Changes are stored in the project's thread, one after another; this comes after them.
            self._chosen.project.ask(lambda project: None, lambda _: then())

    def ask_registration(self) -> None:
        """Asks where and when the plan was registered."""
        dialog = RegistrationDialog(self)
        dialog.ordered.connect(lambda link, day: self._chosen.do("Registering", freezing.registered, link, day))
        self._chosen.ask(dialog)

    def write_plan(self) -> None:
        """Asks for the file of the plan."""
        path, _ = QFileDialog.getSaveFileName(self, "Write plan", "plan.md", "Markdown (*.md)")
        if path:
            self._chosen.do("Writing the plan", planning.plan_written, Path(path))

    def try_it(self) -> None:
        """Opens the participant's window with the current plan; the session leaves nothing behind."""
        folder = Path(tempfile.mkdtemp(prefix="study-trial-"))
        self._chosen.message.emit("Preparing the participant's window…")
        file = folder / "trial.study"
        self._chosen.run("Trying a study", planning.tried, self.form.data, file, done=self._launch_trial)

    def _launch_trial(self, path: Path) -> None:
        self._chosen.message.emit(launching.launch("study", "run", str(path), "--windowed", "--try"))

    def _is_changed_elsewhere(self, snapshot: StudySnapshot) -> bool:
        """Whether the document did not come from this form, and nobody is typing here."""
        stored = snapshot.document.data
        if stored in self._given:
            del self._given[: self._given.index(stored)]
            return False
        return stored != self.form.data and not self.form.is_typing

    def _take_data(self, data: Any) -> None:
        self._store(data)
        self._check(data)

    def _store(self, data: Any) -> None:
        """Stores what was typed into a draft; a document that cannot be read stays in the form."""
        snapshot = self._chosen.snapshot
        project = self._chosen.project
        if snapshot is not None and snapshot.is_editable:
            change = partial(_change, study=snapshot.row.id, data=data, given=self._given)
            project.tell(change, announce=True, path=project.path)

    def _hash_passphrase(self, words: str) -> None:
        study = self._chosen.id

        def done(kept: Mapping[str, str]) -> None:
            if self._chosen.id == study:
                self.form.show_passphrase(kept)

        self._chosen.soon("Hashing", planning.passphrase_hash, words, done=done)

    def _check(self, data: Any) -> None:
        """Checks a document in the background; the newest one wins."""
        self._is_unchecked = False
        if self._checking is not None:
            self._checking.cancel()
        self.verdict.setText("Checking…")
        self._checking = self._chosen.soon("Checking a study", planning.check, data, done=self._checked)

    def _checked(self, checked: CheckedPlan) -> None:
        self._checking = None
        if self._chosen.is_closed or checked.data != self.form.data:
            return
        self.form.show_problems(measured(checked))
        self._show_verdict()
        self.tell_buttons()

    def _show_verdict(self) -> None:
        errors = sum(problem.is_error for problem in self.form.problems)
        warnings = len(self.form.problems) - errors
        shown = [counted(count, word) for count, word in ((errors, "error"), (warnings, "warning")) if count]
        self.verdict.setText(" · ".join(shown) or "Nothing is wrong")
        self.verdict.setObjectName("error" if errors else "secondary")
        self.verdict.style().polish(self.verdict)

    def _freeze(self) -> None:
        def ask() -> None:
            if self.first_error() is None:
                self.freezing.ask(self.freezing.freeze)

        self.once_stored(ask)

    def _toggle_amending(self) -> None:
        """Begins an amendment of a frozen study, or freezes it."""
        snapshot = self._chosen.snapshot
        if snapshot is None:
            return
        if not self.is_amending:
            self.is_amending = True
            self.form.show_plan(snapshot.document.data, is_fixed=False)
            self.tell_buttons()
            self._chosen.message.emit("Change the document, then freeze the amendment.")
            return
        self._chosen.soon("Checking an amendment", planning.check, self.form.data, done=self._ask_amendment)

    def _ask_amendment(self, checked: CheckedPlan) -> None:
        checked = measured(checked)
        snapshot = self._chosen.snapshot
        if checked.study is None or snapshot is None or checked.errors:
            self.form.show_problems(checked)
            return
        dialog = AmendDialog(incomparable_parts(snapshot.document, checked.study), self)
        dialog.ordered.connect(partial(self._amend, checked.data))
        self._chosen.ask(dialog)

    def _amend(self, data: Any, reason: str, comparable: str) -> None:
        def done(text: str) -> None:
            self.is_amending = False
            self._chosen.finish(text)

        self._chosen.do("Amending a study", freezing.amended, Amendment(data, reason, comparable), done=done)

    def _make_bar(self) -> None:
        self.verdict = QLabel()
        self.verdict.setObjectName("secondary")
        self.as_json = QPushButton("JSON")
        self.as_json.setCheckable(True)
        self.as_json.setToolTip("Show the document as JSON, including everything that the form does not show")
        self.as_json.toggled.connect(self.form.show_as_json)
        self.try_button = make_button(
            "Try it", "play", self.try_it, "Opens the participant's window, which leaves nothing behind"
        )
        self.plan_button = make_button("Write plan…", "save", self.write_plan, "The plan as Markdown, for a registry")
        self.register = make_button(
            "Registered…", "link", self.ask_registration, "Where and when the plan was registered; not part of the hash"
        )
        self.freeze = make_button("Freeze…", "", self._freeze, "Fixes the document, its places and its materials")
        self.freeze.setObjectName("primary")
        self.amend = make_button("Amend…", "pencil", self._toggle_amending, "A further version, with a reason")

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setSpacing(2 * SPACE)
        bar.addWidget(self.verdict)
        bar.addStretch(1)
        for button in (self.as_json, self.try_button, self.plan_button, self.register, self.amend, self.freeze):
            bar.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 3 * SPACE, 0, 0)
        column.setSpacing(2 * SPACE)
        column.addLayout(bar)
        column.addWidget(self.form, 1)


def _change(project: Project, study: str, data: Any, given: list[Any]) -> None:
    """Stores a document, unless it is the one that is stored. `given` learns of it before anybody can read it."""
    try:
        document = study_of(json.loads(json.dumps(data)))
    except DocumentError:
        return
    if document.id == study and document.data != project.studies.document(study).data:
        given.append(document.data)
        project.studies.change(study, document)


def measured(checked: CheckedPlan) -> CheckedPlan:
    """A plan with the items whose prompts are too wide among its problems."""
    return replace(checked, problems=(*too_wide(checked.widest), *checked.problems))
