"""A search on several processes, stored in a project and resumed where it stopped.

Each task is searched in lanes, which draw different answers; a lane is one job after the other, each of which continues
from the state that the last one left. What a job found is stored before the next begins, so that a search that was
killed loses one job of each lane.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.evaluation.laboratory.findings import Divergence, Finding
from spatial_workbench.engine.evaluation.laboratory.own import OwnVerifier
from spatial_workbench.engine.evaluation.laboratory.searching.task_search import (
    FindingGroup,
    SearchState,
    all_known_found,
    group_as_data,
    group_from_data,
)
from spatial_workbench.engine.evaluation.laboratory.verifiers import Trouble
from spatial_workbench.engine.executor import Executor, ExecutorJob, Finished, JobOutcome, run_jobs

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

EXPLORE = "spatial_workbench.engine.evaluation.laboratory.searching.task_search:explore"
JOB_S = 10.0
JOB_ANSWERS = 500
GRACE_S = 300.0
"""How much longer than planned a job may take: as long as a slow solver or verifier needs."""
PROCESSOR_TIMES = 8
"""How many times as long a job may take where time of the processor counts, on a machine with other work."""
MEMORY_LIMIT_MB = 4096
_SLEEVE = 0.5
"""A lane with less time left than this is finished; seconds."""


@dataclass(frozen=True)
class LabPlan:
    """What is searched.

    Attributes:
        tasks: Ids of tasks.
        seconds: How long each task is searched, all lanes together; None: not by time.
        answers: How many answers each task is asked about at most; with `seconds` None, searches repeat exactly.
        seed: Seed of all draws.
        lanes: How many processes search in one task at a time.
        programs: Whether programs in answers run, in the sandbox.
        own: Verifiers of the user's own that are asked beside those of their tasks.
        of_processor: Whether seconds are those of the processor.
        until_known: Whether the search in a task ends when all its known differences are found.
    """

    tasks: Sequence[str]
    seconds: float | None = 300.0
    answers: int | None = None
    seed: int = 1
    lanes: int = 1
    programs: bool = False
    own: Sequence[OwnVerifier] = ()
    of_processor: bool = False
    until_known: bool = False


class KeepsSearches(Protocol):
    """Where searches are stored: `project.searches`, or `SearchMemory`."""

    def state(self, task: str, seed: int, lane: int) -> dict[str, Any] | None: ...

    def store(self, state: dict[str, Any], groups: Sequence[dict[str, Any]], smallest: Any) -> None: ...

    def groups(self, task: str | None = None) -> list[dict[str, Any]]: ...

    def asked(self, task: str) -> int: ...

    def seconds(self, task: str) -> float: ...


class SearchMemory:
    """Keeps searches as long as the process runs, where there is no project."""

    def __init__(self) -> None:
        self._states: dict[tuple[str, int, int], dict[str, Any]] = {}
        self._groups: dict[tuple[str, str], dict[str, Any]] = {}

    def state(self, task: str, seed: int, lane: int) -> dict[str, Any] | None:
        """How far a search is; None if it has not begun."""
        return self._states.get((task, seed, lane))

    def store(self, state: dict[str, Any], groups: Sequence[dict[str, Any]], smallest: Any) -> None:
        """Keeps how far a search is, and what it found."""
        self._states[state["task"], state["seed"], state["lane"]] = state
        for group in groups:
            key = state["task"], group["key"]
            self._groups[key] = smallest(self._groups[key], group) if key in self._groups else group

    def groups(self, task: str | None = None) -> list[dict[str, Any]]:
        """The groups of findings in a task, or in all."""
        return [group for (of, _), group in self._groups.items() if task in (None, of)]

    def asked(self, task: str) -> int:
        """About how many answers all searches in a task have asked."""
        return sum(state["asked"] for (of, _, _), state in self._states.items() if of == task)

    def seconds(self, task: str) -> float:
        """How long all searches in a task have run."""
        return float(sum(state["seconds"] for (of, _, _), state in self._states.items() if of == task))


@dataclass
class _Lane:
    state: dict[str, Any]
    is_running: bool = False
    jobs: int = 0
    is_over: bool = False


@dataclass
class SearchRun:
    """A search in some tasks. `notes` says what went wrong besides, in sentences."""

    plan: LabPlan
    executor: Executor
    keeps: KeepsSearches
    stored: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    progress: Progress = silent
    notes: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Searches, or goes on where an earlier search with the same seed stopped.

        Raises:
            Cancelled: Raised by the progress; what was found until then is stored.
            ExecutorUnavailable: The cluster was lost.
        """
        lanes = {
            (task, lane): _Lane(self._state(task, lane)) for task in self.plan.tasks for lane in range(self.plan.lanes)
        }
        with tempfile.TemporaryDirectory() as folder:
            running: dict[str, tuple[tuple[str, int], Path]] = {}
            jobs = self._jobs(lanes, running, Path(folder))
            report = self._reporting(lanes)
            for finished in run_jobs(self.executor, lambda: next(jobs, None), report):
                place, journal = running.pop(finished.key)
                self._settle(lanes[place], finished, journal)
        self._reporting(lanes)(0)

    def _state(self, task: str, lane: int) -> dict[str, Any]:
        stored = self.keeps.state(task, self.plan.seed, lane)
        return stored or SearchState(task, self.plan.seed, lane).as_data()

    def _jobs(
        self, lanes: dict[tuple[str, int], _Lane], running: dict[str, tuple[tuple[str, int], Path]], folder: Path
    ) -> Iterator[ExecutorJob | None]:
        """The next job of a lane that has time left and is not running; None where there is none now."""
        while True:
            ready = [place for place, lane in lanes.items() if not lane.is_running and self._limits(lane) is not None]
            if not ready:
                yield None
                continue
            place = min(ready, key=lambda place: lanes[place].jobs)
            lane = lanes[place]
            limits = self._limits(lane)
            assert limits is not None
            key = f"{place[0]} {place[1]} {lane.jobs} {id(self)}"
            journal = folder / f"{len(running)}-{place[0]}-{place[1]}"
            running[key] = place, journal
            lane.is_running = True
            lane.jobs += 1
            yield ExecutorJob(
                key,
                EXPLORE,
                {
                    "state": lane.state,
                    "limits": limits,
                    "stored": [list(pair) for pair in self.stored.get(place[0], ())][place[1] :: self.plan.lanes],
                    "programs": self.plan.programs,
                    "journal": str(journal),
                    "own": [own.model_dump(mode="json") for own in self.plan.own if own.task == place[0]],
                },
                (limits["seconds"] or JOB_S) + GRACE_S * (PROCESSOR_TIMES if self.plan.of_processor else 1),
                MEMORY_LIMIT_MB,
            )

    def _limits(self, lane: _Lane) -> dict[str, Any] | None:
        """The limits of a lane's next job; None if it has reached those of the plan."""
        if lane.is_over or (self.plan.until_known and all_known_found(lane.state["task"], lane.state["groups"])):
            return None
        seconds = None if self.plan.seconds is None else self.plan.seconds / self.plan.lanes - lane.state["seconds"]
        answers = JOB_ANSWERS * 100
        if self.plan.answers is not None:
            answers = -(-self.plan.answers // self.plan.lanes) - lane.state["asked"]
        if answers <= 0 or (seconds is not None and seconds < _SLEEVE):
            return None
        if seconds is None:
            return {"seconds": None, "answers": min(answers, JOB_ANSWERS)}
        return {"seconds": min(seconds, JOB_S), "answers": answers, "of_processor": self.plan.of_processor}

    def _settle(self, lane: _Lane, finished: Finished, journal: Path) -> None:
        """Stores what a job found; a job that died is a finding about the answer that it asked about last."""
        lane.is_running = False
        if finished.outcome is JobOutcome.CANCELLED:
            return
        if finished.outcome is JobOutcome.DONE:
            lane.state, groups = finished.value["state"], finished.value["groups"]
        else:
            lane.state, groups = _after_death(lane.state, finished), _death(finished, journal)
            self.notes.append(f"{lane.state['task']}: {finished.message}")
            lane.is_over = finished.outcome is JobOutcome.FAILED
        self.keeps.store(lane.state, groups, smaller_group)

    def _reporting(self, lanes: dict[tuple[str, int], _Lane]) -> Any:
        if self.plan.seconds is None:
            total = float((self.plan.answers or 0) * len(self.plan.tasks))
        else:
            total = self.plan.seconds * len(self.plan.tasks)

        def report(_: int) -> None:
            states = [lane.state for lane in lanes.values()]
            done = sum(state["asked" if self.plan.seconds is None else "seconds"] for state in states)
            asked = sum(state["asked"] for state in states)
            groups = len({(state["task"], key) for state in states for key in state["groups"]})
            self.progress(min(done, total), total, f"{asked:,} answers, {groups} groups of differences")

        return report


def stored_answers(project: Project, task: str) -> list[tuple[str, str]]:
    """The answers of a project's attempts at a task: address and text, each once."""
    from spatial_workbench.engine.store import RunFilter

    attempts = [project.attempts.get(number) for number in project.runs.numbers(RunFilter(tasks=(task,)))]
    return list(dict.fromkeys((attempt.address, attempt.answer) for attempt in attempts))


def smaller_group(stored: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Two groups of the same key as one, as JSON data."""
    joined = group_as_data(group_from_data(stored).joined_with(group_from_data(new)))
    return {**{name: value for name, value in stored.items() if name not in joined}, **joined}


def groups_in(keeps: KeepsSearches, task: str | None = None) -> list[FindingGroup]:
    """The groups that are stored: questions first, then what no known difference explains, then the rest."""
    groups = [group_from_data(row) for row in keeps.groups(task)]
    return sorted(groups, key=lambda group: (not group.is_question, bool(group.known)))


def _after_death(state: dict[str, Any], finished: Finished) -> dict[str, Any]:
    """The state with which a search goes on whose process died: the draws that killed it are left out."""
    yields = state["yields"]
    draws = {source: count + 1 for source, count in yields["draws"].items()}
    return {**state, "yields": {**yields, "draws": draws}, "seconds": state["seconds"] + finished.seconds}


def _death(finished: Finished, journal: Path) -> list[dict[str, Any]]:
    if finished.outcome is JobOutcome.FAILED:
        return []
    kind = "time-out" if finished.outcome is JobOutcome.TIMED_OUT else "crash"
    with suppress(OSError, ValueError, TypeError, KeyError):
        asked = json.loads(journal.read_text("utf-8"))
        trouble = Trouble("default", kind, finished.message)
        way = Divergence("default", "default", kind, kind)
        finding = Finding(asked["address"], asked["answer"], asked["source"], way, trouble, trouble)
        return [group_as_data(FindingGroup(way.shape, finding, 1, (), 0.0))]
    return []
