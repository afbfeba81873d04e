"""The workflows that let models design machines: single agent, iterative editing, hierarchical (docs/machines.md).

Read it from `_design_and_edit`. Each step lets the *lines* of its candidates go on at once (`workflow_lines`), and the
next begins when all have ended: only the answers, the simulations and the seed decide what comes next. Every question
has a place in the run, under which its reply is stored: a run that was interrupted asks only what was not answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import numpy as np

from spatial_workbench.engine.machines.building.blocks import ROOT
from spatial_workbench.engine.machines.building.edits import Edited, EditOutcome
from spatial_workbench.engine.machines.building.tree import MachineBlock, Tree
from spatial_workbench.engine.machines.designing import roles
from spatial_workbench.engine.machines.designing.replies import (
    DesignPlan,
    Heard,
    Inspection,
    MachineStructure,
    hear_inspection,
    hear_machine,
    hear_plan,
    hear_single,
    hear_steps,
)
from spatial_workbench.engine.machines.designing.roles import Assignment, Role, RolePrompt, Seen
from spatial_workbench.engine.machines.designing.strategies import MAX_TRIES, Node, search
from spatial_workbench.engine.machines.designing.workflow_lines import (
    CandidateLine,
    Crew,
    RoleQuestion,
    TimeUp,
    WorkflowLines,
)
from spatial_workbench.engine.machines.designing.workflow_records import (
    Machine,
    SearchRecord,
    WorkflowKind,
    WorkflowOptions,
    WorkflowRecord,
    path_to,
)

MAX_LAYER_TRIES = 6
BLIND_CANDIDATES = 4
_START: Tree = (MachineBlock(ROOT, 0, -1, -1),)


class _Ended(Exception):
    """The workflow cannot go on; the message is the record's `end`."""


def run_workflow(kind: WorkflowKind, assignment: Assignment, options: WorkflowOptions, crew: Crew) -> WorkflowRecord:
    """Designs a machine.

    Raises:
        Whatever the crew raises, except TimeUp, and NoReply where another candidate was answered.
    """
    if kind == "iterative":
        options = options.model_copy(update={"meta_designer": "none"})
    assignment = replace(assignment, representation=options.representation)
    return _Workflow(kind, assignment, options, crew).run()


class _Workflow:
    """A run while it goes on."""

    def __init__(self, kind: WorkflowKind, assignment: Assignment, options: WorkflowOptions, crew: Crew) -> None:
        self._kind = kind
        self._assignment = assignment
        self._options = options
        self._lines = WorkflowLines(assignment, options, crew)
        self._rng = np.random.default_rng(options.seed)
        self._searches: list[SearchRecord] = []
        self._lost: list[int] = []
        self._expansions = 0
        self._plan: DesignPlan | None = None
        self._layers: list[MachineStructure | None] = [None]

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
            self._lines.is_over = True
            self._simulate_what_there_is()
        return self._record("timeout" if self._lines.is_over else end)

    def _record(self, end: Any) -> WorkflowRecord:
        scored = [machine for machine in self._lines.machines if machine.score is not None]
        best = max(scored, key=lambda machine: machine.score or 0.0, default=None)
        return WorkflowRecord(
            workflow=self._kind,
            level=self._assignment.level.id,
            options=self._options,
            systems=tuple(self._lines.systems),
            calls=tuple(self._lines.calls),
            machines=tuple(self._lines.machines),
            searches=tuple(self._searches),
            lost=tuple(self._lost),
            best=None if best is None else best.id,
            end=end,
            plan=None if self._plan is None else asdict(self._plan),
        )

    def _simulate_what_there_is(self) -> None:
        """Where time was up before any machine was simulated, those of the last layer are."""
        valid = [machine for machine in self._lines.machines if machine.is_valid]
        if valid and all(machine.score is None for machine in valid):
            for machine in valid:
                if machine.layer == valid[-1].layer:
                    self._lines.score_design(machine)

    # Stages ------------------------------------------------------------------------------------------------------

    def _design_alone(self) -> None:
        prompt = roles.single_prompt(self._assignment)
        line = self._lines.ask_one(RoleQuestion("single agent", Role.SINGLE, prompt, hear_single))
        if line.value is None:
            raise _Ended("no machine")
        made = self._lines.add(line, line.value, None, "design")
        if not made.is_valid:
            raise _Ended("no machine")
        self._lines.score_design(made)

    def _design_and_edit(self) -> None:
        if self._options.meta_designer != "none":
            self._plan = self._planned()
            self._layers = list(self._plan.structures)
        designs = [self._lines.score_design(design) for design in self._designed()]
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
            place = f"plan, try {attempt}"
            line = self._lines.ask_one(RoleQuestion(place, Role.META_DESIGNER, prompt, hear_plan, attempt=attempt))
            if isinstance(line.value, DesignPlan):
                return line.value
            fault = line.asked[0][2].error
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
        starts = [below[k % len(below)] if below else None for k in range(self._options.designs)]
        for attempt in range(1, MAX_LAYER_TRIES + 1):
            works = []
            for k, start in enumerate(starts):
                seen = self._lines.seen(_START if start is None else self._lines.trees[start.id])
                prompt = roles.designer_prompt(self._assignment, structure, types, seen)
                place = f"structure {layer}, try {attempt}, design {k}"
                about = None if start is None else start.id
                question = RoleQuestion(place, Role.DESIGNER, prompt, hear_machine, about, k, attempt)
                works.append(partial(self._lines.ask_first, question=question))
            lines = self._lines.together(works)
            made = [
                self._lines.add(line, line.value, None if start is None else start.id, "design", layer=layer)
                for line, start in zip(lines, starts, strict=True)
                if line.value is not None
            ]
            if self._lines.is_over:
                raise TimeUp
            valid = [machine for machine in made if machine.is_valid]
            if valid:
                return valid
        raise _Ended("no machine")

    def _inspected(self, design: Machine) -> Inspection | None:
        """The report; without defects where no answer names them."""
        tree = self._lines.trees[design.id]
        fault = ""
        decides = self._options.information == "inspector"
        for attempt in range(1, MAX_TRIES + 1):
            seen = self._lines.seen(tree)
            prompt = roles.inspector_prompt(self._assignment, seen, self._structures_of(design), decides, fault)
            place = f"machine {design.id}, report, try {attempt}"
            read = hear_inspection(tree)
            line = self._lines.ask_one(RoleQuestion(place, Role.INSPECTOR, prompt, read, design.id, attempt=attempt))
            if isinstance(line.value, Inspection):
                return line.value
            fault = line.asked[0][2].error
        return None

    def _structures_of(self, design: Machine) -> list[str]:
        """A line for each structure with the blocks that its layer added."""
        if self._plan is None:
            return []
        lines = []
        counted = 0
        for k in path_to(self._lines.machines, design.id):
            structure = self._layers[self._lines.machines[k].layer or 0]
            size = len(self._lines.trees[k])
            if structure is not None:
                added = ", ".join(map(str, range(counted, size))) or "none"
                lines.append(f"{structure.name}: blocks {added}")
            counted = max(counted, size)
        return lines

    def _refined_blindly(self, design: Machine, inspection: Inspection | None) -> Machine | None:
        """The first candidate whose steps can all be carried out; the answer also asks what to report of it."""
        seen = self._refiners_view(design, inspection)

        def prompt(history: str) -> RolePrompt:
            return roles.blind_refiner_prompt(self._assignment, replace(seen, history=history), inspection)

        place = f"machine {design.id}, blind"
        for lines in self._tries(Role.BLIND_REFINER, design, place, prompt, BLIND_CANDIDATES):
            for line in lines:
                asked = line.asked[0][1] if self._options.querier else ""
                made = self._lines.add(line, line.value.tree, design.id, "blind", line.value)
                judge = partial(self._lines.judge, place=place, tree=line.value.tree, asked=asked)
                (judged,) = self._lines.together([judge])
                return self._lines.score(made, judged)
        if self._lines.is_over:
            raise TimeUp
        return None

    def _searched(self, root: Machine, inspection: Inspection | None) -> None:
        """Rounds of changes with feedback, which begin with a machine."""

        def expand(node: Node, count: int) -> list[Node]:
            return [_node(child, self._lines.trees) for child in self._expanded(node.id, inspection, count)]

        options = self._options
        nodes = search(
            options.strategy, _node(root, self._lines.trees), expand, self._rng, options.rounds, options.candidates
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
        if self._lines.is_over:
            raise TimeUp

    def _expanded(self, parent: int, inspection: Inspection | None, count: int) -> list[Machine]:
        """What candidates make of a machine with its feedback; nothing where time is up."""
        machine = self._lines.machines[parent]
        seen = self._refiners_view(machine, inspection)

        def prompt(history: str) -> RolePrompt:
            return roles.refiner_prompt(self._assignment, replace(seen, history=history))

        self._expansions += 1
        made = []
        place = f"machine {parent}, expansion {self._expansions}"
        for lines in self._tries(Role.REFINER, machine, place, prompt, count):
            for line in lines:
                child = self._lines.add(line, line.value.tree, parent, "round", line.value)
                made.append(self._lines.score(child, line))
        return made

    def _tries(
        self, role: Role, machine: Machine, place: str, prompt: Callable[[str], RolePrompt], candidates: int
    ) -> Iterator[list[CandidateLine]]:
        """The candidates that succeed with changes of a machine: at their first try, at their second, and so on.

        A refiner's machine is simulated within its line, while other candidates are still being asked.
        """
        read = hear_steps(self._lines.trees[machine.id], self._assignment.level.size_limits)
        histories = _Histories(self._options.history)
        waiting = list(range(candidates))
        has_reply = False
        for attempt in range(1, MAX_TRIES + 1):
            works = []
            for k in waiting:
                at = f"{place}, try {attempt}, candidate {k}"
                question = RoleQuestion(at, role, prompt(histories.words(k)), read, machine.id, k, attempt)
                work = self._lines.ask_first if role is Role.BLIND_REFINER else self._lines.change
                works.append(partial(work, question=question))
            lines = self._lines.together(works, needs_reply=not has_reply)
            has_reply |= any(line.heard is not None for line in lines)
            for k, line in zip(tuple(waiting), lines, strict=True):
                if line.value is not None:
                    waiting.remove(k)
                elif line.heard is not None:
                    histories.add(k, attempt, line.heard)
            yield [line for line in lines if line.value is not None]
            if self._lines.is_over or not waiting:
                return

    def _refiners_view(self, machine: Machine, inspection: Inspection | None) -> Seen:
        is_informed = self._options.information != "never"
        if self._options.information == "inspector" and inspection is not None:
            is_informed = inspection.gives_information
        return Seen(self._lines.trees[machine.id], is_informed, machine.feedback)


class _Histories:
    """What candidates are told of the tries before: their own steps, and every step that failed after the same ones."""

    def __init__(self, is_told: bool) -> None:
        self._is_told = is_told
        self._tries: dict[int, list[str]] = {}
        self._failed: dict[tuple[str, ...], str] = {}

    def add(self, candidate: int, attempt: int, heard: Heard[Edited]) -> None:
        """A try that failed."""
        steps: list[dict[str, str]] = heard.parsed or []
        lines = [": ".join(filter(None, (step["text"], step["outcome"], step["reason"]))) for step in steps]
        words = "\n".join(lines) or heard.error
        self._tries.setdefault(candidate, []).append(f"Try {attempt}:\n{words}")
        done = [step["text"] for step in steps if step["outcome"] == EditOutcome.SUCCESS]
        for step in steps:
            if step["outcome"] == EditOutcome.ERROR:
                after = f"after {'; '.join(done)}" if done else "at the beginning"
                self._failed.setdefault((*done, step["text"]), f"- {after}: {step['text']}: {step['reason']}")

    def words(self, candidate: int) -> str:
        """What a candidate is told; nothing before its first failure."""
        if not self._is_told or not self._tries.get(candidate):
            return ""
        tries = "\n\n".join(self._tries[candidate])
        known = "\n".join(self._failed.values())
        failing = f"\n\nSteps that are known to fail:\n{known}" if known else ""
        return f"EARLIER TRIES, which changed nothing\n\n{tries}{failing}"


def _node(machine: Machine, trees: Sequence[Tree]) -> Node:
    return Node(machine.id, machine.parent, trees[machine.id], machine.score or 0.0, machine.lines)
