"""A session: a document with the person's draft, its live verdict, and the person's clock and aids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from spatial_workbench.app.background import judging
from spatial_workbench.app.background.jobs import Jobs
from spatial_workbench.app.background.live_verdicts import LiveVerdicts
from spatial_workbench.app.background.project_service import ProjectService
from spatial_workbench.app.workspace.clock import Clock, ClockState
from spatial_workbench.engine.core import Aid, AidUse, Answer, AnswerError, Instance, Openness, Task, Verdict
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.engine.core.formats.patch import diff
from spatial_workbench.engine.core.solving.aids import EXPLORE
from spatial_workbench.engine.core.solving.handing_in import handed_in
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.panels.verdict_panel import SHOW_WRONG

if TYPE_CHECKING:
    from spatial_workbench.engine.puzzles.annotation.layers import PuzzleLayer
    from spatial_workbench.engine.store import ClockReading, Draft, Project

SHOW_KEY = "Show the key"
LIVE_VERDICT = "Live verdict"
PAUSED = "Clock paused"
CONTINUED = "Clock continued"


@dataclass(frozen=True)
class Beginning:
    """What a project stores about a person at an instance."""

    draft: Draft | None
    clock: ClockReading
    aids: tuple[AidUse, ...]
    sketches: tuple[PuzzleLayer, ...] = ()
    unread_sketches: tuple[str, ...] = ()
    """What is wrong with sketches that cannot be read, by page."""


class Session(QObject):
    """One person's work at one open instance, without widgets.

    Signals:
        submitted(int): an attempt was stored; its number. Its verdicts may still follow.
        judged(int, tuple): the verdicts of an attempt are stored too.
        trouble(str): something failed; the sentence says what that means for the person's work.
    """

    submitted = Signal(int)
    judged = Signal(int, object)
    trouble = Signal(str)

    def __init__(
        self, document: AnswerDocument[Any], person: str, beginning: Beginning, project: ProjectService, jobs: Jobs
    ) -> None:
        super().__init__()
        self.document = document
        self.person = person
        self.aids = list(beginning.aids)
        self.sketches = beginning.sketches
        """The sketches over the pages as they were when the instance was opened."""
        self.live = LiveVerdicts(document, jobs)
        self.clock = Clock(beginning.clock)
        self.explores = False
        """Whether the person explores, with all verdicts open, and does not solve."""
        self._project = project
        self._path = project.path
        self._jobs = jobs
        self._has_draft = beginning.draft is not None
        self.clock.ticked.connect(self._store_seconds)
        self.clock.pause_changed.connect(self._record_pause)
        document.edited.connect(self._store_edit)
        self.live.failed.connect(self._tell_of_failure)
        if self.has_used(SHOW_KEY):
            document.open_to(Openness.KEY)
        self.live.request()

    @classmethod
    def open(
        cls,
        task: Task[Any],
        instance: Instance,
        person: str,
        project: ProjectService,
        jobs: Jobs,
        ready: Callable[[Session, str], None],
    ) -> None:
        """Reads the person's draft and calls `ready(session, note)`; the note says if it could not be read."""

        def look(opened: Project) -> Beginning:
            address = instance.address
            stored = (
                opened.drafts.get(address, person),
                opened.drafts.clock(address, person),
                opened.drafts.aids(address, person),
            )
            return Beginning(*stored, *_layers_of(opened.drafts.sketches(address, person)))

        def begin(beginning: Beginning) -> None:
            answer, note = _answer_of(task, beginning.draft)
            note = " ".join(filter(None, (note, *beginning.unread_sketches)))
            document = AnswerDocument(task, instance, answer)
            readable = beginning if answer is not None else replace(beginning, draft=None)
            ready(cls(document, person, readable, project, jobs), note)

        project.ask(look, begin)

    def has_used(self, name: str) -> bool:
        """Whether the person has used this aid at the instance."""
        return any(use.name == name for use in self.aids)

    def use_aid(self, name: str, kind: Aid) -> None:
        """Records that the person uses an aid; viewing and editing do not count as aids."""
        if kind in (Aid.VIEWING, Aid.EDITING):
            return
        self._record(name, kind)

    def _record(self, name: str, kind: Aid) -> None:
        instance = self.document.instance
        person = self.person
        seconds = self.clock.reading.active_s
        self.aids.append(AidUse(name=name, kind=kind, at=datetime.now(UTC), seconds=seconds))
        self._store(lambda project: project.drafts.add_aid(instance, name, kind, seconds, person))

    def _record_pause(self, is_running: bool) -> None:
        """Records a pause or its end with the aids, as something that is no help."""
        if not self.clock.is_finished:
            self._record(CONTINUED if is_running else PAUSED, Aid.VIEWING)

    def show_key(self) -> None:
        """Shows what is missing from the key from now on, and records that it was shown."""
        self.use_aid(SHOW_KEY, Aid.SOLVING)
        self.document.open_to(Openness.KEY)

    def show_wrong(self, shows: bool) -> None:
        """Shows what is wrong while the person builds, and records that; or shows no more than the task's rule."""
        if shows and self.document.openness is Openness.RULE:
            self.use_aid(SHOW_WRONG, Aid.SOLVING)
            self.document.open_to(Openness.WRONG)
        elif not shows:
            self.document.open_to(Openness.RULE)

    def explore(self, explores: bool) -> None:
        """Opens all verdicts, and records that with every attempt from now on; or goes back to solving."""
        if explores == self.explores:
            return
        self.explores = explores
        if explores:
            self.use_aid(EXPLORE, Aid.SOLVING)
        self.document.open_to(Openness.KEY if explores or self.has_used(SHOW_KEY) else Openness.RULE)

    def submit(self) -> None:
        """Stores the current answer as an attempt, then judges it with every verifier."""
        from spatial_workbench.engine.store import Actor

        instance = self.document.instance
        task = self.document.task
        text = packed(task, handed_in(task, self.document.answer))
        revision = self.document.revision
        self._store_seconds(*self.clock.take_unstored())
        clock = self.clock.credit()
        person = self.person
        self._project.ask(
            lambda project: project.attempts.add(instance, text, Actor.PERSON, person, clock=clock),
            lambda number: self._judge(number, text, revision),
        )

    def store_sketch(self, layer: PuzzleLayer) -> None:
        """Stores the sketch over a page with the draft."""
        instance = self.document.instance
        person = self.person

        def store(project: Project) -> None:
            from spatial_workbench.engine.puzzles.annotation.layers import write_layer

            project.drafts.store_sketch(instance, layer.page, write_layer(layer).decode(), person)

        self._store(store)

    def close(self) -> None:
        """Stores the clock and stops requesting verdicts."""
        self.live.cancel()
        self.clock.count(ClockState.STOPPED)
        self._store_seconds(*self.clock.take_unstored())

    def _judge(self, number: int, text: str, revision: int) -> None:
        self.submitted.emit(number)
        self._jobs.run(
            "Checking the attempt",
            judging.verify_all,
            self.document.instance,
            text,
            done=lambda verdicts: self._store_verdicts(number, verdicts, revision),
            failed=lambda text: self.trouble.emit(f"The attempt is stored, but could not be checked. {text}"),
        )

    def _tell_of_failure(self, text: str) -> None:
        self.trouble.emit(f"The verifier failed. Your answer is safe. {text}")

    def _store(self, change: Callable[[Project], None], announce: bool = False) -> None:
        self._project.tell(change, announce, self._path)

    def _store_verdicts(self, number: int, verdicts: tuple[Verdict, ...], revision: int) -> None:
        tolerance = self.document.task.score_tolerance
        self._store(lambda project: project.attempts.add_verdicts(number, verdicts, tolerance), announce=True)
        self._tell_decision(verdicts, revision)
        self.judged.emit(number, verdicts)

    def _tell_decision(self, verdicts: tuple[Verdict, ...], revision: int) -> None:
        """Shows what is wrong with the submitted answer, if that was put off until now and it is still the same."""
        document = self.document
        if document.revision == revision and not document.tells_all:
            verdict = next(v for v in verdicts if v.verifier == self.live.verifier)
            document.set_verdict(document.task.live.restricted(verdict, Openness.WRONG), revision)

    def _store_edit(self, label: str, before: Answer, after: Answer) -> None:
        instance = self.document.instance
        person = self.person
        begin = not self._has_draft
        self._has_draft = True
        if self.clock.is_paused:
            self.clock.resume()
        if not self.has_used(LIVE_VERDICT):
            self.use_aid(LIVE_VERDICT, Aid.JUDGING)

        def store(project: Project) -> None:
            old, new = _data(before), _data(after)
            if begin:
                project.drafts.begin(instance, old, person)
            project.drafts.add_edit(instance.address, label, diff(old, new), person)

        self._store(store, announce=begin)

    def _store_seconds(self, active_s: float, idle_s: float, away_s: float) -> None:
        if any((active_s, idle_s, away_s)):
            instance = self.document.instance
            person = self.person
            self._store(lambda project: project.drafts.add_seconds(instance, active_s, away_s, person, idle_s))


def _data(answer: Answer) -> Any:
    return answer.model_dump(mode="json")


def _layers_of(stored: Mapping[str, str]) -> tuple[tuple[PuzzleLayer, ...], tuple[str, ...]]:
    """The sketches that can be read, and what is wrong with the others."""
    from spatial_workbench.engine.puzzles.annotation.layers import LayerError, read_layer

    layers = []
    unread = []
    for page, text in stored.items():
        try:
            layers.append(read_layer(text.encode()))
        except LayerError as error:
            unread.append(f"The sketch on {page} cannot be shown. {error}.")
    return tuple(layers), tuple(unread)


def _answer_of(task: Task[Any], draft: Draft | None) -> tuple[Answer | None, str]:
    if draft is None:
        return None, ""
    try:
        return task.parse(draft.answer), ""
    except AnswerError as error:
        return None, f"The stored draft cannot be read by this version ({error}). It stays in the project's history."
