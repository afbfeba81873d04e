"""The workflows that let models design machines: single agent, iterative editing, hierarchical (docs/machines.md).

A workflow needs somebody to ask and somebody who simulates. Candidates are asked for one after the other, in a fixed
order: equal replies and equal simulations give equal runs, so a run that was interrupted is resumed with its replies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np

from spatial_workbench.engine.machines.building.blocks import ROOT
from spatial_workbench.engine.machines.building.edits import Edited
from spatial_workbench.engine.machines.building.spatial import spatial_faults
from spatial_workbench.engine.machines.building.tree import MachineBlock, Tree, read_tree, write_tree
from spatial_workbench.engine.machines.designing import roles
from spatial_workbench.engine.machines.designing.replies import DesignPlan, Inspection, MachineStructure
from spatial_workbench.engine.machines.designing.roles import Assignment, Role, RolePrompt, Seen
from spatial_workbench.engine.machines.designing.strategies import MAX_TRIES, Node, search
from spatial_workbench.engine.machines.designing.workflow_hearing import (
    Heard,
    Histories,
    hear_inspection,
    hear_machine,
    hear_plan,
    hear_queries,
    hear_single,
    hear_steps,
)
from spatial_workbench.engine.machines.designing.workflow_records import (
    Call,
    Machine,
    SearchRecord,
    Stage,
    WorkflowKind,
    WorkflowOptions,
    WorkflowRecord,
    path_to,
)
from spatial_workbench.engine.machines.results.feedback import feedback_of
from spatial_workbench.engine.machines.results.queries import answer_of, read_queries
from spatial_workbench.engine.machines.results.scoring import Score
from spatial_workbench.engine.machines.results.trace import Trace

MAX_LAYER_TRIES = 6
BLIND_CANDIDATES = 4
_START: Tree = (MachineBlock(ROOT, 0, -1, -1),)

T = TypeVar("T")
Ask = Callable[[Role, str, str], str]
"""Asks a role: its system text, and the text about the machine. Raises TimeUp when nobody may be asked any more."""
Simulate = Callable[[Tree], tuple[Trace, Score]]


class TimeUp(Exception):
    """The run's time is over; what was found so far counts."""


class _Ended(Exception):
    """The workflow cannot go on; the message is the record's `end`."""


@dataclass(frozen=True)
class _Question(Generic[T]):
    """A question to a role, and how its answer is read."""

    role: Role
    prompt: RolePrompt
    read: Callable[[str], Heard[T]]
    about: int | None = None
    candidate: int = 0
    attempt: int = 1


def run_workflow(
    kind: WorkflowKind, assignment: Assignment, options: WorkflowOptions, ask: Ask, simulate: Simulate
) -> WorkflowRecord:
    """Designs a machine.

    Raises:
        Whatever `ask` and `simulate` raise, except TimeUp.
    """
    if kind == "iterative":
        options = options.model_copy(update={"meta_designer": "none"})
    assignment = replace(assignment, representation=options.representation)
    return _Workflow(kind, assignment, options, ask, simulate).run()


class _Workflow:
    """A run while it goes on."""

    def __init__(
        self, kind: WorkflowKind, assignment: Assignment, options: WorkflowOptions, ask: Ask, simulate: Simulate
    ) -> None:
        self._kind = kind
        self._assignment = assignment
        self._options = options
        self._ask = ask
        self._simulate = simulate
        self._rng = np.random.default_rng(options.seed)
        self._systems: dict[str, int] = {}
        self._calls: list[Call] = []
        self._machines: list[Machine] = []
        self._trees: list[Tree] = []
        self._searches: list[SearchRecord] = []
        self._lost: list[int] = []
        self._plan: DesignPlan | None = None
        self._layers: list[MachineStructure | None] = [None]
        self._is_over = False

    def run(self) -> WorkflowRecord:
        end: Any = "finished"
        try:
            if self._kind == "single":
                self._design_alone()
            else:
                self._design_and_edit()
        except _Ended as ended:
            end = str(ended)
        except TimeUp:
            self._is_over = True
            self._simulate_what_there_is()
        return self._record("timeout" if self._is_over else end)

    def _record(self, end: Any) -> WorkflowRecord:
        scored = [machine for machine in self._machines if machine.score is not None]
        best = max(scored, key=lambda machine: machine.score or 0.0, default=None)
        return WorkflowRecord(
            workflow=self._kind,
            level=self._assignment.level.id,
            options=self._options,
            systems=tuple(self._systems),
            calls=tuple(self._calls),
            machines=tuple(self._machines),
            searches=tuple(self._searches),
            lost=tuple(self._lost),
            best=None if best is None else best.id,
            end=end,
            plan=None if self._plan is None else asdict(self._plan),
        )

    def _simulate_what_there_is(self) -> None:
        """Where time was up before any machine was simulated, those of the last layer are."""
        valid = [machine for machine in self._machines if machine.is_valid]
        if valid and all(machine.score is None for machine in valid):
            for machine in valid:
                if machine.layer == valid[-1].layer:
                    self._simulated(machine)

    # Stages ------------------------------------------------------------------------------------------------------

    def _design_alone(self) -> None:
        prompt = roles.single_prompt(self._assignment)
        heard = self._call(_Question(Role.SINGLE, prompt, hear_single))
        if heard.value is None:
            raise _Ended("no machine")
        made = self._add(heard.value, None, "design")
        if not made.is_valid:
            raise _Ended("no machine")
        self._simulated(made)

    def _design_and_edit(self) -> None:
        if self._options.meta_designer != "none":
            self._plan = self._planned()
            self._layers = list(self._plan.structures)
        designs = [self._simulated(design) for design in self._designed()]
        designs.sort(key=lambda design: -(design.score or 0.0))
        for design in designs[: self._options.machines]:
            inspection = self._inspected(design) if self._options.inspector else None
            refined = self._refined_blindly(design, inspection)
            if refined is None:
                self._lost.append(design.id)
            else:
                self._searched(refined, inspection)
        if not self._searches:
            raise _Ended("lost")

    def _planned(self) -> DesignPlan:
        fault = ""
        for attempt in range(1, MAX_TRIES + 1):
            is_detailed = self._options.meta_designer == "detailed"
            prompt = roles.meta_designer_prompt(self._assignment, is_detailed, fault)
            heard = self._call(_Question(Role.META_DESIGNER, prompt, hear_plan, attempt=attempt))
            if heard.value is not None:
                return heard.value
            fault = heard.error
        raise _Ended("no plan")

    def _designed(self) -> list[Machine]:
        """The valid machines of the last layer."""
        below: list[Machine] = []
        types: set[int] = set()
        for layer, structure in enumerate(self._layers):
            types |= set(self._assignment.types if structure is None else structure.types)
            below = self._layer(layer, structure, frozenset(types), below)
        return below

    def _layer(
        self, layer: int, structure: MachineStructure | None, types: frozenset[int], below: Sequence[Machine]
    ) -> list[Machine]:
        """The valid machines of a structure; call j begins with valid machine j of the layer before, counted round."""
        for attempt in range(1, MAX_LAYER_TRIES + 1):
            made = []
            for k in range(self._options.designs):
                start = below[k % len(below)] if below else None
                tree = _START if start is None else self._trees[start.id]
                prompt = roles.designer_prompt(self._assignment, structure, types, self._seen(tree))
                about = None if start is None else start.id
                heard = self._call(_Question(Role.DESIGNER, prompt, hear_machine, about, k, attempt))
                if heard.value is not None:
                    made.append(self._add(heard.value, about, "design", layer=layer))
            valid = [machine for machine in made if machine.is_valid]
            if valid:
                return valid
        raise _Ended("no machine")

    def _inspected(self, design: Machine) -> Inspection | None:
        """The report; without defects where no answer names them."""
        tree = self._trees[design.id]
        fault = ""
        decides = self._options.information == "inspector"
        for attempt in range(1, MAX_TRIES + 1):
            seen = self._seen(tree)
            prompt = roles.inspector_prompt(self._assignment, seen, self._structures_of(design), decides, fault)
            question = _Question(Role.INSPECTOR, prompt, hear_inspection(tree), design.id, attempt=attempt)
            heard = self._call(question)
            if heard.value is not None:
                return heard.value
            fault = heard.error
        return None

    def _structures_of(self, design: Machine) -> list[str]:
        """A line for each structure with the blocks that its layer added."""
        if self._plan is None:
            return []
        lines = []
        counted = 0
        for k in path_to(self._machines, design.id):
            structure = self._layers[self._machines[k].layer or 0]
            size = len(self._trees[k])
            if structure is not None:
                added = ", ".join(map(str, range(counted, size))) or "none"
                lines.append(f"{structure.name}: blocks {added}")
            counted = max(counted, size)
        return lines

    def _refined_blindly(self, design: Machine, inspection: Inspection | None) -> Machine | None:
        """The first candidate whose steps can all be carried out; the answer also asks what to report of it."""
        seen = self._refiners_view(design, inspection)

        def prompt(history: str) -> RolePrompt:
            return roles.blind_refiner_prompt(self._assignment, _with_history(seen, history), inspection)

        for edited in self._edits(Role.BLIND_REFINER, design, prompt, BLIND_CANDIDATES):
            asked = self._calls[-1].answer if self._options.querier else ""
            made = self._add(edited.tree, design.id, "blind", edited)
            return self._simulated(made, asked)
        return None

    def _searched(self, root: Machine, inspection: Inspection | None) -> None:
        """Rounds of changes with feedback, which begin with a machine."""

        def expand(node: Node, count: int) -> list[Node]:
            machine = self._machines[node.id]
            seen = self._refiners_view(machine, inspection)

            def prompt(history: str) -> RolePrompt:
                return roles.refiner_prompt(self._assignment, _with_history(seen, history))

            made: list[Node] = []
            try:
                for edited in self._edits(Role.REFINER, machine, prompt, count):
                    child = self._simulated(self._add(edited.tree, machine.id, "round", edited))
                    made.append(_node(child, self._trees))
            except TimeUp:
                self._is_over = True
            return made

        options = self._options
        nodes = search(
            options.strategy, _node(root, self._trees), expand, self._rng, options.rounds, options.candidates
        )
        self._searches.append(
            SearchRecord(
                root=root.id,
                kept=tuple(nodes.kept),
                expanded=tuple(nodes.expanded),
                visits=nodes.visits,
                values=nodes.values,
            )
        )
        if self._is_over:
            raise TimeUp

    def _edits(
        self, role: Role, machine: Machine, prompt: Callable[[str], RolePrompt], candidates: int
    ) -> Iterator[Edited]:
        """What the candidates make of a machine, as they succeed: first every candidate's first try, and so on."""
        tree = self._trees[machine.id]
        histories = Histories(self._options.history)
        waiting = list(range(candidates))
        for attempt in range(1, MAX_TRIES + 1):
            for k in tuple(waiting):
                read = hear_steps(tree, self._assignment.level.size_limits)
                question = _Question(role, prompt(histories.words(k)), read, machine.id, k, attempt)
                heard = self._call(question)
                if heard.value is not None:
                    waiting.remove(k)
                    yield heard.value
                else:
                    histories.add(k, attempt, heard)

    # Calls and machines ------------------------------------------------------------------------------------------

    def _call(self, question: _Question[T]) -> Heard[T]:
        if self._is_over:
            raise TimeUp
        prompt = question.prompt
        answer = self._ask(question.role, prompt.system, prompt.user)
        heard = question.read(answer)
        self._calls.append(
            Call(
                role=question.role,
                about=question.about,
                candidate=question.candidate,
                attempt=question.attempt,
                system=self._systems.setdefault(prompt.system, len(self._systems)),
                prompt=prompt.user,
                answer=answer,
                parsed=heard.parsed,
                error=heard.error,
            )
        )
        return heard

    def _add(
        self, tree: Tree, parent: int | None, stage: Stage, edited: Edited | None = None, layer: int | None = None
    ) -> Machine:
        """A machine that the last call made."""
        faults = spatial_faults(tree, self._assignment.level.size_limits)
        machine = Machine(
            id=len(self._machines),
            parent=parent,
            call=len(self._calls) - 1,
            stage=stage,
            layer=layer,
            tree=tuple(write_tree(tree)),
            lines=() if edited is None else tuple(step.text for step in edited.steps),
            faults=tuple(f"{fault.sentence} ({fault.code})" for fault in faults),
        )
        self._machines.append(machine)
        self._trees.append(tree)
        return machine

    def _simulated(self, machine: Machine, asked: str = "") -> Machine:
        """The machine with its score, and with what it reports: to everybody, to `asked`, and to the querier."""
        tree = self._trees[machine.id]
        trace, score = self._simulate(tree)
        figures = tuple((figure.name, round(figure.value, 4), figure.unit) for figure in score.figures)
        simulated = machine.model_copy(
            update={
                "score": score.rank,
                "reward": score.reward,
                "success": score.success,
                "figures": figures,
                "fault": trace.fault,
                "feedback": self._basic_feedback(tree, trace, score),
            }
        )
        self._machines[machine.id] = simulated
        if machine.stage == "design" or trace.fault or self._options.feedback == "score":
            return simulated
        answers = [self._answers(asked, tree, trace), self._queried(simulated, trace)]
        feedback = "\n".join(filter(None, [simulated.feedback, *answers]))
        self._machines[machine.id] = simulated.model_copy(update={"feedback": feedback})
        return self._machines[machine.id]

    def _basic_feedback(self, tree: Tree, trace: Trace, score: Score) -> str:
        if self._options.feedback == "score" or trace.fault:
            shown = f"{score.shown.name.capitalize()}: {score.shown.value:.4g} {score.shown.unit}".rstrip() + "."
            return "\n".join([shown, *score.notes])
        return feedback_of(self._assignment.level, tree, trace, score)

    def _queried(self, machine: Machine, trace: Trace) -> str:
        """What the querier wants to know of a machine."""
        if not self._options.querier:
            return ""
        tree = self._trees[machine.id]
        prompt = roles.querier_prompt(self._assignment, self._seen(tree, machine.feedback))
        read = hear_queries(tree, self._assignment.level.window_s)
        try:
            self._call(_Question(Role.QUERIER, prompt, read, machine.id))
        except TimeUp:
            self._is_over = True
            return ""
        return self._answers(self._calls[-1].answer, tree, trace)

    def _answers(self, asked: str, tree: Tree, trace: Trace) -> str:
        return answer_of(read_queries(asked, tree, self._assignment.level.window_s), tree, trace)

    def _seen(self, tree: Tree, feedback: str = "") -> Seen:
        return Seen(tree, self._options.information != "never", feedback)

    def _refiners_view(self, machine: Machine, inspection: Inspection | None) -> Seen:
        is_informed = self._options.information != "never"
        if self._options.information == "inspector" and inspection is not None:
            is_informed = inspection.gives_information
        return Seen(self._trees[machine.id], is_informed, machine.feedback)


def _with_history(seen: Seen, history: str) -> Seen:
    return Seen(seen.tree, seen.with_information, seen.feedback, history)


def _node(machine: Machine, trees: Sequence[Tree]) -> Node:
    return Node(machine.id, machine.parent, trees[machine.id], machine.score or 0.0, machine.lines)


def tree_of(machine: Machine) -> Tree:
    """The construction tree of a recorded machine."""
    tree = read_tree(list(machine.tree)).tree
    assert tree is not None
    return tree
