"""A desk at which other programs act: it opens episodes, carries out their calls, and stores what is handed in."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core import AnswerError, Instance, InstanceError, Task, Verdict, resolve, tasks
from spatial_workbench.engine.core.acting.commands import HasCommands
from spatial_workbench.engine.core.agents import HANDS
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.engine.evaluation.hands.conditions import HandsOptions
from spatial_workbench.engine.evaluation.hands.episode import Episode
from spatial_workbench.engine.evaluation.hands.records import HandsCall, HandsEnd, HandsRecord, HandsStep
from spatial_workbench.engine.evaluation.hands.wording import in_words, listed_tools
from spatial_workbench.engine.store import Actor, Project, Transcript

if TYPE_CHECKING:
    from spatial_workbench.engine.core.drawer import Drawer

MOST_OPEN = 100
"""How many episodes are kept, those that have ended included."""


@dataclass
class _ClockOfCalls:
    """Seconds since the first call: programs list tools, and so open what there is, long before they act."""

    seconds: Callable[[], float]
    begun: float | None = None

    def start(self) -> None:
        """Starts the clock, unless it runs."""
        if self.begun is None:
            self.begun = self.seconds()

    def __call__(self) -> float:
        return 0.0 if self.begun is None else self.seconds() - self.begun


@dataclass
class OpenEpisode:
    """An episode with who acts in it. `lock` is held while a call is carried out."""

    key: str
    episode: Episode
    client: str
    opening: str
    clock: _ClockOfCalls
    lock: threading.Lock = field(default_factory=threading.Lock)
    attempt: int | None = None
    """The number of its attempt, once it is stored."""
    judging: threading.Thread | None = None
    """Judges its attempt; None before it is stored."""
    verdict: Verdict | None = None
    """That of the default verifier, once there is one."""


class HandsDesk:
    """Episodes of other programs. May be used in any thread.

    Args:
        options: The condition and the limits of every episode.
        minutes: How long an episode may take.
        project: The file in which attempts are stored; None: nothing is stored.
        only: The addresses that may be opened; empty: all instances of tasks with commands.
        drawer: Draws what is looked at; None: there are no pictures.
        seconds: The clock.
    """

    def __init__(
        self,
        options: HandsOptions,
        minutes: float = 30.0,
        project: Path | None = None,
        only: tuple[str, ...] = (),
        drawer: Drawer | None = None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self.options = options
        self._minutes = minutes
        self._project = project
        self._only = only
        self._drawer = drawer
        self._seconds = seconds
        self._open: dict[str, OpenEpisode] = {}
        self._lock = threading.Lock()
        self._store_lock = threading.Lock()

    @property
    def only(self) -> tuple[str, ...]:
        """The addresses that may be opened; empty: all instances of tasks with commands."""
        return self._only

    def tasks_in_words(self) -> str:
        """The tasks that can be opened, a line each."""
        if self._only:
            return "\n".join(self._only)
        lines = []
        for task in tasks():
            if isinstance(task, HasCommands):
                count = len(task.instances())
                lines.append(f"{task.id}:0 to {task.id}:{count - 1}  {task.title}. {task.summary}")
        return "\n".join(lines)

    def open(self, address: str, client: str) -> OpenEpisode:
        """Begins an episode.

        Raises:
            AnswerError: The address names nothing that can be opened, or too many episodes are open; says why.
        """
        task, instance = self._resolved(address)
        clock = _ClockOfCalls(self._seconds)
        episode = Episode(task, instance, self.options, self._drawer, clock)
        opening = f"{task.prompt(instance).text}\n\nThe tools:\n{listed_tools(episode.tools)}"
        opened = OpenEpisode(secrets.token_hex(4), episode, client, opening, clock)
        with self._lock:
            self._make_room()
            self._open[opened.key] = opened
        return opened

    def opened(self, key: str = "") -> OpenEpisode:
        """The open episode of a key; without a key, the only one that goes on, or else the last one that ended.

        Raises:
            AnswerError: There is none, or there are several.
        """
        with self._lock:
            if key:
                if key not in self._open:
                    raise AnswerError(f"There is no open episode “{key[:40]}”.")
                return self._open[key]
            going_on = [opened for opened in self._open.values() if opened.episode.end is None]
            if len(going_on) > 1:
                raise AnswerError("Several episodes are open; name one as “episode”.")
            if not self._open:
                raise AnswerError("Nothing is open yet.")
            return going_on[0] if going_on else list(self._open.values())[-1]

    def call(self, opened: OpenEpisode, tool: str, arguments: Any) -> HandsCall:
        """Carries out a call. If the episode ends with it, its answer is stored at once, and judged in the background.

        Once it has ended, a call tells what is known of the verdict, as far as the condition tells verdicts.
        """
        with opened.lock:
            had_ended = opened.episode.end is not None
            opened.clock.start()
            if opened.episode.end is None and opened.episode.seconds() > self._minutes * 60:
                opened.episode.end = HandsEnd.TIME
            call = opened.episode.call(tool, arguments)
            if opened.episode.end is not None and opened.attempt is None:
                self._store(opened)
        told = _judgement_in_words(opened) if had_ended or opened.judging else ""
        return call.model_copy(update={"result": f"{call.result} {told}"}) if told else call

    def wait_for_verdicts(self) -> None:
        """Waits until everything that was handed in is judged."""
        for opened in list(self._open.values()):
            if opened.judging is not None:
                opened.judging.join()

    def _make_room(self) -> None:
        """Forgets the oldest episode that has ended, if there are too many; one that goes on is never given up.

        Raises:
            AnswerError: All of them go on.
        """
        if len(self._open) < MOST_OPEN:
            return
        ended = next((key for key, opened in self._open.items() if opened.episode.end is not None), None)
        if ended is None:
            raise AnswerError(f"{MOST_OPEN} episodes are open; submit one first.")
        del self._open[ended]

    def _resolved(self, address: str) -> tuple[Task[Any], Instance]:
        if self._only and address not in self._only:
            raise AnswerError(f"“{address[:100]}” cannot be opened here; there are {', '.join(self._only)}.")
        try:
            task, instance = resolve(address)
        except (InstanceError, KeyError) as error:
            raise AnswerError(str(error.args[0])) from None
        if not isinstance(task, HasCommands):
            raise AnswerError(f"{task.title} has no commands.")
        return task, instance

    def _store(self, opened: OpenEpisode) -> None:
        """Stores the attempt, and begins to judge it: nothing is lost if judging is cut off."""
        if self._project is None:
            return
        episode = opened.episode
        record = record_of(episode, opened.opening)
        transcript = Transcript(kind=HANDS, record=record.model_dump_json(), words=record.words)
        answer = episode.submission
        with self._store_lock, _project_at(self._project) as project:
            opened.attempt = project.attempts.add(
                episode.instance,
                packed(episode.task, answer),
                Actor.MODEL,
                f"{opened.client} ({self.options.condition})",
                record.seconds,
                transcript=transcript,
                tolerance=episode.task.score_tolerance,
            )
        opened.judging = threading.Thread(target=self._judge, args=(opened, opened.attempt, answer), name="judging")
        opened.judging.start()

    def _judge(self, opened: OpenEpisode, attempt: int, answer: Any) -> None:
        """Judges an attempt with all verifiers, and stores the verdicts."""
        assert self._project is not None
        episode = opened.episode
        verdicts = episode.task.verify_all(episode.instance, answer)
        with self._store_lock, _project_at(self._project) as project:
            project.attempts.add_verdicts(attempt, verdicts, episode.task.score_tolerance)
        opened.verdict = next(verdict for verdict in verdicts if verdict.verifier == "default")


def record_of(episode: Episode, opening: str) -> HandsRecord:
    """The record of an episode in which each call was a step of its own."""
    assert episode.end is not None
    return HandsRecord(
        options=episode.options,
        native_tools=True,
        first_message=opening,
        steps=tuple(HandsStep(reply="", calls=(call,), seconds=call.seconds) for call in episode.calls),
        end=episode.end,
        seconds=round(episode.seconds(), 3),
    )


def _judgement_in_words(opened: OpenEpisode) -> str:
    """What is known of the verdict on what was handed in; "" where the condition tells none."""
    episode = opened.episode
    if opened.judging is None or not episode.options.judges:
        return ""
    if opened.verdict is not None:
        return in_words(episode.task.live.restricted(opened.verdict))
    if opened.judging.is_alive():
        return f"Attempt {opened.attempt} is being judged; a later call tells its verdict."
    return f"Attempt {opened.attempt} could not be judged."


def _project_at(path: Path) -> Any:
    return Project.open(path) if path.exists() else Project.create(path)
