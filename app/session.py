"""A session: one document with its draft in the project, its live verdict, and its clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from app import judging
from app.jobs import Jobs
from app.project_service import ProjectService
from app.verification import LiveVerdicts
from engine.core import Answer, AnswerError, Instance, Task, Verdict
from engine.core.patch import diff
from widgets.document import AnswerDocument

if TYPE_CHECKING:
    from engine.store import Project

STORE_CLOCK_S = 5.0


class Session(QObject):
    """Everything about one open instance that is not a widget.

    Signals:
        submitted(int): an attempt was stored; its number. Its verdicts may still follow.
        judged(int, tuple): the verdicts of an attempt are stored too.
        trouble(str): something went wrong; the sentence says what it means for the person's work.
    """

    submitted = Signal(int)
    judged = Signal(int, object)
    trouble = Signal(str)

    def __init__(
        self, document: AnswerDocument, project: ProjectService, jobs: Jobs, seconds: float, has_draft: bool
    ) -> None:
        super().__init__()
        self.document = document
        self.live = LiveVerdicts(document, jobs)
        self.clock = Clock(seconds)
        self._project = project
        self._path = project.path
        self._jobs = jobs
        self._has_draft = has_draft
        self.clock.ticked.connect(self._store_seconds)
        document.edited.connect(self._store_edit)
        self.live.failed.connect(lambda text: self.trouble.emit(f"The verifier broke. Your answer is safe. {text}"))
        self.live.request()

    @classmethod
    def open(
        cls,
        task: Task[Any],
        instance: Instance,
        project: ProjectService,
        jobs: Jobs,
        ready: Callable[[Session, str], None],
    ) -> None:
        """Looks for a draft and calls `ready(session, note)`; the note says if the draft could not be read."""

        def begin(draft) -> None:
            answer, note = _answer_of(task, draft)
            document = AnswerDocument(task, instance, answer)
            session = cls(document, project, jobs, draft.seconds if draft and answer else 0.0, answer is not None)
            ready(session, note)

        project.ask(lambda opened: opened.draft(instance.address), begin)

    def submit(self, person: str) -> None:
        """Stores the present answer as an attempt, then judges it by every verifier."""
        from engine.store import Actor

        instance, text = self.document.instance, judging.pack(self.document.task, self.document.answer)
        self._store_seconds(self.clock.take_unstored())
        seconds = self.clock.seconds
        self._project.ask(
            lambda project: project.add_attempt(instance, text, Actor.PERSON, person, seconds),
            lambda number: self._judge(number, text),
        )

    def close(self) -> None:
        """Stores the clock and stops asking for verdicts."""
        self.live.cancel()
        self.clock.pause()
        self._store_seconds(self.clock.take_unstored())

    def _judge(self, number: int, text: str) -> None:
        self.submitted.emit(number)
        self._jobs.run(
            "Judging the attempt",
            judging.verify_all,
            self.document.instance,
            text,
            done=lambda verdicts: self._store_verdicts(number, verdicts),
            failed=lambda text: self.trouble.emit(f"The attempt is stored, but could not be judged. {text}"),
        )

    def _tell(self, change: Callable[[Project], None], announce: bool = False) -> None:
        self._project.tell(change, announce, self._path)

    def _store_verdicts(self, number: int, verdicts: tuple[Verdict, ...]) -> None:
        tolerance = self.document.task.score_tolerance
        self._tell(lambda project: project.add_verdicts(number, verdicts, tolerance), announce=True)
        self.judged.emit(number, verdicts)

    def _store_edit(self, label: str, before: Answer, after: Answer) -> None:
        address, instance, begin = self.document.instance.address, self.document.instance, not self._has_draft
        self._has_draft = True

        def store(project) -> None:
            old, new = _data(before), _data(after)
            if begin:
                project.begin_draft(instance, old)
            project.add_edit(address, label, diff(old, new))

        self._tell(store, announce=begin)

    def _store_seconds(self, seconds: float) -> None:
        if seconds > 0 and self._has_draft:
            self._tell(lambda project: project.add_seconds(self.document.instance.address, seconds))


class Clock(QObject):
    """Counts the time that someone works on an instance.

    Signals:
        ticked(float): seconds that went by and are not stored yet; every five seconds.
        shown(float): the seconds to show; every second.
    """

    ticked = Signal(float)
    shown = Signal(float)

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._stored = seconds
        self._unstored = 0.0
        self._since: float | None = None
        self._timer = QTimer(self, interval=1000)
        self._timer.timeout.connect(self._tick)

    @property
    def seconds(self) -> float:
        """The time so far."""
        return self._stored + self._unstored + self._running()

    @property
    def is_running(self) -> bool:
        """Whether time is counted now."""
        return self._since is not None

    def run(self) -> None:
        """Counts from now on."""
        if self._since is None:
            self._since = time.monotonic()
            self._timer.start()

    def pause(self) -> None:
        """Stops counting."""
        self._unstored += self._running()
        self._since = None
        self._timer.stop()

    def take_unstored(self) -> float:
        """The seconds since the last call; the caller stores them."""
        seconds = self._unstored + self._running()
        self._stored += seconds
        self._unstored = 0.0
        if self._since is not None:
            self._since = time.monotonic()
        return seconds

    def _running(self) -> float:
        return 0.0 if self._since is None else time.monotonic() - self._since

    def _tick(self) -> None:
        self.shown.emit(self.seconds)
        if self._unstored + self._running() >= STORE_CLOCK_S:
            self.ticked.emit(self.take_unstored())


def _data(answer: Answer) -> Any:
    return answer.model_dump(mode="json")


def _answer_of(task: Task[Any], draft: Any) -> tuple[Answer | None, str]:
    if draft is None:
        return None, ""
    try:
        return task.parse(draft.answer), ""
    except AnswerError as error:
        return None, f"The stored draft cannot be read by this version ({error}). It stays in the project's history."
