"""Lets a model design machines by the workflows of docs/machines.md, as an agent of the machine tasks."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import TypeVar

from pydantic import ValidationError

from spatial_workbench.engine.core.agents import AgentFailed, AgentPlan, AgentRun, Model, ParallelModel, Turn
from spatial_workbench.engine.core.formats.jsontext import format_path
from spatial_workbench.engine.core.progress import Cancelled, Progress
from spatial_workbench.engine.machines.building.tree import Tree
from spatial_workbench.engine.machines.designing.prompts import Assignment
from spatial_workbench.engine.machines.designing.roles import Role, RolePrompt
from spatial_workbench.engine.machines.designing.strategies import MCTS_CANDIDATES, Strategy
from spatial_workbench.engine.machines.designing.workflow_lines import TimeUp, tree_of
from spatial_workbench.engine.machines.designing.workflow_records import WorkflowOptions, WorkflowRecord
from spatial_workbench.engine.machines.designing.workflows import BLIND_CANDIDATES, run_workflow
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.machines.results.scoring import Score
from spatial_workbench.engine.machines.results.trace import STEPS_PER_S, Trace
from spatial_workbench.engine.physics.client import PhysicsUnavailable, physics
from spatial_workbench.engine.physics.failures import failed_trace, words_of_error
from spatial_workbench.engine.physics.machine_judging import simulate_and_score
from spatial_workbench.engine.physics.machine_results import simulated
from spatial_workbench.engine.tasks.machine.answer import MachineAnswer
from spatial_workbench.engine.tasks.machine.prompt import assignment_text

KIND = "machine"
_EXPECTED_STRUCTURES = 3

T = TypeVar("T")
_log = logging.getLogger(__name__)


def play_workflow(level: Level, plan: AgentPlan, model: Model, progress: Progress) -> AgentRun:
    """A run of a workflow; its answer is the best machine, or where there is none the last design as it was written.

    Raises:
        NoReply: The model gave no reply.
        AgentFailed: The options are not valid, or the physics engine cannot be used.
        Cancelled: Raised by `progress`.
    """
    options = options_of(plan)
    players = _Players(level, plan, model, progress)
    assignment = Assignment(level, assignment_text(level))
    with ThreadPoolExecutor(1, "physics") as pool:
        # They start while the first question is asked; if they cannot, the first simulation says why.
        pool.submit(physics().start)
        record = run_workflow(plan.kind, assignment, options, players)  # type: ignore[arg-type]
    return AgentRun(_answer(record), KIND, record.model_dump_json())


def options_of(plan: AgentPlan) -> WorkflowOptions:
    """The options of a plan. Raises AgentFailed where they are not valid."""
    try:
        return WorkflowOptions.model_validate(dict(plan.options))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise AgentFailed(f"Option {format_path(first['loc'])}: {first['msg']}") from None


def expected_calls(plan: AgentPlan) -> int:
    """About how many questions a workflow asks if every answer can be used."""
    if plan.kind == "single":
        return 1
    try:
        options = options_of(plan)
    except AgentFailed:
        options = WorkflowOptions()
    has_plan = plan.kind == "hierarchical" and options.meta_designer != "none"
    designs = options.designs * (_EXPECTED_STRUCTURES if has_plan else 1) + has_plan
    candidates = options.candidates or (MCTS_CANDIDATES if options.strategy is Strategy.MCTS else 5)
    expansions = options.rounds
    if options.strategy is Strategy.MCTS:
        # Each new child is visited before another expansion.
        expansions = -(-options.rounds // candidates)
    refined = options.inspector + BLIND_CANDIDATES + options.querier + expansions * candidates * (1 + options.querier)
    return designs + refined * min(options.machines, options.designs)


def words_of_run(record: str) -> str:
    """The answers of all roles. Raises ValueError if the record is not one of a workflow."""
    calls = WorkflowRecord.model_validate_json(record).calls
    return "\n".join(call.answer for call in calls)


def _answer(record: WorkflowRecord) -> str:
    if record.best is not None and record.workflow != "single":
        return MachineAnswer.of(tree_of(record.machines[record.best])).model_dump_json()
    designs = [call.answer for call in record.calls if call.role in (Role.SINGLE, Role.DESIGNER)]
    return designs[-1] if designs else ""


class _Players:
    """The model and the physics, as a workflow asks them: its `Crew`."""

    def __init__(self, level: Level, plan: AgentPlan, model: Model, progress: Progress) -> None:
        self._level = level
        self._model = model
        self._progress = progress
        self._limit_s = plan.minutes * 60
        self._expected = expected_calls(plan)
        self._calls = 0
        self._begin = time.monotonic()
        self._earlier_s = 0.0
        self._of_line = threading.local()

    def ask(self, place: str, role: Role, prompt: RolePrompt) -> str:
        """A role's answer. Raises TimeUp, NoReply or Cancelled."""
        self._report_progress(role.value)
        if self._seconds_left <= 0:
            raise TimeUp
        turns = Turn("system", prompt.system), Turn("user", prompt.user)
        if isinstance(self._model, ParallelModel):
            reply = self._model.reply_at(place, turns, self._seconds_left)
        else:
            reply = self._model.reply(turns, self._seconds_left)
        self._of_line.earlier_s = self._line_s + reply.earlier_seconds
        self._calls += 1
        if self._seconds_left <= 0:
            raise TimeUp
        return reply.text

    def simulate(self, tree: Tree) -> tuple[Trace, Score]:
        """What a machine does and is worth. Raises AgentFailed or Cancelled."""
        self._report_progress("simulation")
        return simulate_and_score(tree, self._level, simulate=self._trace)

    def together(self, works: Sequence[Callable[[], T]]) -> list[T]:
        """The results of works that go on at once, as many as the model may be asked questions."""
        count = min(self._model.parallel if isinstance(self._model, ParallelModel) else 1, len(works))
        if count == 1:
            ended = [self._walk(work) for work in works]
            self._earlier_s += sum(seconds for _, seconds in ended)
        else:
            ended = self._walk_at_once(works, count)
            # The lines of a run that was interrupted had gone on at once, too.
            self._earlier_s += max(seconds for _, seconds in ended)
        return [result for result, _ in ended]

    def _walk_at_once(self, works: Sequence[Callable[[], T]], count: int) -> list[tuple[T, float]]:
        """As `_walk`, in threads. If one fails, no other is begun."""
        with ThreadPoolExecutor(count, "workflow") as pool:
            futures = [pool.submit(self._walk, work) for work in works]
            for unfinished in wait(futures, return_when=FIRST_EXCEPTION).not_done:
                unfinished.cancel()
        failed = [future for future in futures if not future.cancelled() and future.exception()]
        return [future.result() for future in failed or futures]

    def _walk(self, work: Callable[[], T]) -> tuple[T, float]:
        """The result of a work, and how long its replies of an interrupted run had taken."""
        self._of_line.earlier_s = 0.0
        result = work()
        seconds = self._line_s
        self._of_line.earlier_s = 0.0
        return result, seconds

    def _trace(self, tree: Tree, level: Level) -> Trace:
        """The trace of a machine; where the simulation raises, one that says so."""
        try:
            return simulated(tree, level, progress=lambda *_: self._report_progress("simulation"))
        except PhysicsUnavailable as error:
            raise AgentFailed(str(error)) from None
        except Cancelled:
            raise
        except Exception as error:
            _log.exception("a simulation of a workflow")
            return failed_trace(tree, level, STEPS_PER_S, words_of_error(error))

    @property
    def _line_s(self) -> float:
        """How long the earlier replies of this thread's line took."""
        return getattr(self._of_line, "earlier_s", 0.0)

    @property
    def _seconds_left(self) -> float:
        return self._limit_s - self._earlier_s - self._line_s - (time.monotonic() - self._begin)

    def _report_progress(self, text: str) -> None:
        self._progress(min(self._calls, self._expected), self._expected, text)
