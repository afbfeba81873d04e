"""Lets a model design machines by the workflows of docs/machines.md, as an agent of the machine tasks."""

from __future__ import annotations

import time
from functools import partial

from pydantic import ValidationError

from spatial_workbench.engine.core.agents import AgentFailed, AgentPlan, AgentRun, Model, Turn
from spatial_workbench.engine.core.formats.jsontext import format_path
from spatial_workbench.engine.core.progress import Progress
from spatial_workbench.engine.machines.building.tree import Tree
from spatial_workbench.engine.machines.designing.roles import Assignment, Role
from spatial_workbench.engine.machines.designing.strategies import MCTS_CANDIDATES, Strategy
from spatial_workbench.engine.machines.designing.workflow_records import WorkflowOptions, WorkflowRecord
from spatial_workbench.engine.machines.designing.workflows import TimeUp, run_workflow, tree_of
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.machines.results.scoring import Score
from spatial_workbench.engine.machines.results.trace import Trace
from spatial_workbench.engine.physics.client import PhysicsUnavailable
from spatial_workbench.engine.physics.machine_judging import simulate_and_score
from spatial_workbench.engine.physics.machine_results import simulated
from spatial_workbench.engine.tasks.machine.answer import MachineAnswer
from spatial_workbench.engine.tasks.machine.prompt import assignment_text

KIND = "machine"
_EXPECTED_STRUCTURES = 3


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
    record = run_workflow(plan.kind, assignment, options, players.ask, players.simulate)  # type: ignore[arg-type]
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
    refined = options.inspector + 1 + options.querier + expansions * candidates * (1 + options.querier)
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
    """The model and the physics, as a workflow asks them."""

    def __init__(self, level: Level, plan: AgentPlan, model: Model, progress: Progress) -> None:
        self._level = level
        self._model = model
        self._progress = progress
        self._limit_s = plan.minutes * 60
        self._expected = expected_calls(plan)
        self._calls = 0
        self._begin = time.monotonic()
        self._earlier_s = 0.0

    def ask(self, role: Role, system: str, user: str) -> str:
        """A role's answer. Raises TimeUp, NoReply or Cancelled."""
        self._report_progress(role.value)
        if self._seconds_left <= 0:
            raise TimeUp
        reply = self._model.reply((Turn("system", system), Turn("user", user)), self._seconds_left)
        self._earlier_s += reply.earlier_seconds
        self._calls += 1
        if self._seconds_left <= 0:
            raise TimeUp
        return reply.text

    def simulate(self, tree: Tree) -> tuple[Trace, Score]:
        """What a machine does and is worth. Raises AgentFailed or Cancelled."""
        try:
            return simulate_and_score(
                tree, self._level, simulate=partial(simulated, progress=lambda *_: self._report_progress("simulation"))
            )
        except PhysicsUnavailable as error:
            raise AgentFailed(str(error)) from None

    @property
    def _seconds_left(self) -> float:
        return self._limit_s - self._earlier_s - (time.monotonic() - self._begin)

    def _report_progress(self, text: str) -> None:
        self._progress(min(self._calls, self._expected), self._expected, text)
