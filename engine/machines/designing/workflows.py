"""The workflows that let models design machines, from the first question to the last (docs/machines.md).

    single         one agent designs a machine
    iterative      designs of a whole machine; a report on the best; blind changes; rounds of changes with feedback
    hierarchical   a plan; designs of one structure after the other; then as above

What a role is told and how its answer is read is data (`roles`), and so is every machine that comes of it
(`workflow_records`). Candidates go on at once, each in a *line* (`workflow_lines`), and the next step begins when all
lines have ended: only the answers, the simulations and the seed decide what comes next. Every question has a place in
the run, under which its reply is stored: a run that was interrupted asks only what was not answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import numpy as np

from spatial_workbench.engine.core.agents import NobodyReplies, NoReply
from spatial_workbench.engine.machines.building.edits import Edited
from spatial_workbench.engine.machines.building.spatial import spatial_faults
from spatial_workbench.engine.machines.building.tree import Tree
from spatial_workbench.engine.machines.designing.prompts import START, Assignment, Briefing, TryHistory
from spatial_workbench.engine.machines.designing.replies import DesignPlan, Inspection, MachineStructure
from spatial_workbench.engine.machines.designing.roles import Role
from spatial_workbench.engine.machines.designing.strategies import MAX_TRIES, Node, search
from spatial_workbench.engine.machines.designing.workflow_lines import (
    CandidateLine,
    Crew,
    DesignedMachine,
    MachineReport,
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
from spatial_workbench.engine.machines.results.feedback import feedback_of
from spatial_workbench.engine.machines.results.queries import answer_of, read_queries
from spatial_workbench.engine.machines.results.scoring import Score
from spatial_workbench.engine.machines.results.trace import Trace

MAX_LAYER_TRIES = 6
BLIND_CANDIDATES = 4

Designing = CandidateLine[DesignedMachine]
"""A line that comes to a machine."""


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
        self._crew = crew
        self._lines = WorkflowLines(assignment.level, crew)
        self._rng = np.random.default_rng(options.seed)
        self._plan: DesignPlan | None = None
        self._searches: list[SearchRecord] = []
        self._lost: list[int] = []
        self._expansions = 0

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
            end = "timeout"
            self._simulate_what_there_is()
        return self._record("timeout" if self._lines.is_over else end)

    # The workflows ---------------------------------------------------------------------------------------------------

    def _design_alone(self) -> None:
        question = RoleQuestion("single agent", Role.SINGLE, Briefing(self._assignment))
        (line,) = self._lines.together([partial(self._design, question=question, is_simulated=True)])
        if self._lines.is_over:
            raise TimeUp
        if line.value is None or not self._lines.add(line, line.value, None, "design").is_valid:
            raise _Ended("no machine")

    def _design_and_edit(self) -> None:
        structures: Sequence[MachineStructure | None] = [None]
        if self._options.meta_designer != "none":
            self._plan = self._planned()
            structures = self._plan.structures
        designs = self._designed(structures)
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

    # Step 1: the plan ------------------------------------------------------------------------------------------------

    def _planned(self) -> DesignPlan:
        told = Briefing(self._assignment, is_detailed=self._options.meta_designer == "detailed")
        for attempt in range(1, MAX_TRIES + 1):
            question = RoleQuestion(f"plan, try {attempt}", Role.META_DESIGNER, told, attempt=attempt)
            heard = self._lines.ask_one(question)
            if isinstance(heard.value, DesignPlan):
                return heard.value
            told = replace(told, fault=heard.error)
        raise _Ended("no plan")

    # Step 2: designs, one structure after the other ------------------------------------------------------------------

    def _designed(self, structures: Sequence[MachineStructure | None]) -> list[Machine]:
        """The valid machines of the last layer, which are simulated."""
        below: list[Machine] = []
        types: frozenset[int] = frozenset()
        for layer, structure in enumerate(structures):
            types |= self._assignment.types if structure is None else frozenset(structure.types)
            told = Briefing(self._assignment, structure=structure, types=types)
            below = self._layer(layer, told, below, is_last=layer == len(structures) - 1)
        return below

    def _layer(self, layer: int, told: Briefing, below: Sequence[Machine], is_last: bool) -> list[Machine]:
        """The valid machines of a structure; call j begins with valid machine j of the layer before, counted round."""
        starts = [below[k % len(below)].id if below else None for k in range(self._options.designs)]
        for attempt in range(1, MAX_LAYER_TRIES + 1):
            works = []
            for k, start in enumerate(starts):
                shown = self._shown(told, START if start is None else self._lines.trees[start])
                place = f"structure {layer}, try {attempt}, design {k}"
                question = RoleQuestion(place, Role.DESIGNER, shown, start, k, attempt)
                works.append(partial(self._design, question=question, is_simulated=is_last))
            lines = self._lines.together(works)
            made = [
                self._lines.add(line, line.value, start, "design", layer)
                for line, start in zip(lines, starts, strict=True)
                if line.value is not None
            ]
            if self._lines.is_over:
                raise TimeUp
            valid = [machine for machine in made if machine.is_valid]
            if valid:
                return valid
        raise _Ended("no machine")

    def _design(self, line: Designing, question: RoleQuestion, is_simulated: bool) -> DesignedMachine | None:
        """A line: a machine as a role builds it, with its score."""
        tree: Tree | None = line.ask(question)
        if tree is None:
            return None
        is_valid = not spatial_faults(tree, self._assignment.level.size_limits)
        return DesignedMachine(tree, report=self._measured(tree) if is_simulated and is_valid else None)

    # Step 3: a report on a design ------------------------------------------------------------------------------------

    def _inspected(self, design: Machine) -> Inspection | None:
        """The report; None where no answer names defects."""
        told = replace(
            self._shown(Briefing(self._assignment), self._lines.trees[design.id]),
            structures=self._structures_of(design),
            decides_information=self._options.information == "inspector",
        )
        for attempt in range(1, MAX_TRIES + 1):
            place = f"machine {design.id}, report, try {attempt}"
            heard = self._lines.ask_one(RoleQuestion(place, Role.INSPECTOR, told, design.id, attempt=attempt))
            if isinstance(heard.value, Inspection):
                return heard.value
            told = replace(told, fault=heard.error)
        return None

    def _structures_of(self, design: Machine) -> list[str]:
        """A line for each structure with the blocks that its layer added."""
        if self._plan is None:
            return []
        lines = []
        counted = 0
        for k in path_to(self._lines.machines, design.id):
            structure = self._plan.structures[self._lines.machines[k].layer or 0]
            size = len(self._lines.trees[k])
            added = ", ".join(map(str, range(counted, size))) or "none"
            lines.append(f"{structure.name}: blocks {added}")
            counted = max(counted, size)
        return lines

    # Step 4: changes before the first simulation that is told --------------------------------------------------------

    def _refined_blindly(self, design: Machine, inspection: Inspection | None) -> Machine | None:
        """The first candidate whose steps can all be carried out; the answer also asks what to report of it."""
        told = replace(self._told_for_changes(design, inspection), inspection=inspection)
        place = f"machine {design.id}, blind"
        for lines in self._tries(Role.BLIND_REFINER, design, place, told, BLIND_CANDIDATES):
            for line in lines:
                assert line.value is not None
                made = self._lines.add(line, line.value, design.id, "blind")
                asked = line.asked[0].text if self._options.querier else ""
                judge = partial(self._judged, place=place, tree=line.value.tree, asked=asked)
                (judged,) = self._lines.together([judge])
                assert judged.value is not None
                return self._lines.enter_report(made, judged.value, judged)
        if self._lines.is_over:
            raise TimeUp
        return None

    # Step 5: rounds of changes with feedback -------------------------------------------------------------------------

    def _searched(self, root: Machine, inspection: Inspection | None) -> None:
        def expand(node: Node, count: int) -> list[Node]:
            return [self._node(child) for child in self._expanded(node.id, inspection, count)]

        options = self._options
        nodes = search(options.strategy, self._node(root), expand, self._rng, options.rounds, options.candidates)
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
        told = self._told_for_changes(machine, inspection)
        self._expansions += 1
        place = f"machine {parent}, expansion {self._expansions}"
        return [
            self._lines.add(line, line.value, parent, "round")
            for lines in self._tries(Role.REFINER, machine, place, told, count)
            for line in lines
            if line.value is not None
        ]

    def _node(self, machine: Machine) -> Node:
        return Node(machine.id, machine.parent, self._lines.trees[machine.id], machine.score or 0.0, machine.lines)

    # Changes of a machine, blind or with feedback --------------------------------------------------------------------

    def _tries(
        self, role: Role, machine: Machine, place: str, told: Briefing, candidates: int
    ) -> Iterator[list[Designing]]:
        """The candidates that succeed with changes of a machine: at their first try, at their second, and so on."""
        history = TryHistory(self._options.history)
        waiting = list(range(candidates))
        has_reply = False
        for attempt in range(1, MAX_TRIES + 1):
            works = []
            for k in waiting:
                at = f"{place}, try {attempt}, candidate {k}"
                shown = replace(told, history=history.words(k))
                works.append(partial(self._change, question=RoleQuestion(at, role, shown, machine.id, k, attempt)))
            lines = self._lines.together(works, needs_reply=not has_reply)
            has_reply |= any(line.heard is not None for line in lines)
            for k, line in zip(tuple(waiting), lines, strict=True):
                if line.value is not None:
                    waiting.remove(k)
                elif line.heard is not None:
                    history.add(k, attempt, line.heard.parsed or (), line.heard.error)
            yield [line for line in lines if line.value is not None]
            if self._lines.is_over or not waiting:
                return

    def _change(self, line: Designing, question: RoleQuestion) -> DesignedMachine | None:
        """A line: a change of a machine; what a refiner with feedback makes is simulated and asked about, too."""
        edited: Edited | None = line.ask(question)
        if edited is None:
            return None
        if question.role is Role.BLIND_REFINER:
            return DesignedMachine(edited.tree, edited)
        return DesignedMachine(edited.tree, edited, self._judged(line, question.place, edited.tree))

    def _judged(self, line: CandidateLine[Any], place: str, tree: Tree, asked: str = "") -> MachineReport:
        """What a machine does, told with the answers to what was `asked` and to the querier."""
        report = self._measured(tree)
        if report.trace.fault or self._options.feedback == "score":
            return report
        answers = [self._answers(asked, tree, report.trace)]
        if self._options.querier:
            told = replace(self._shown(Briefing(self._assignment), tree), feedback=report.feedback)
            asked = self._queries(line, RoleQuestion(f"{place}, querier", Role.QUERIER, told))
            answers.append(self._answers(asked, tree, report.trace))
        return replace(report, feedback="\n".join(filter(None, [report.feedback, *answers])))

    def _queries(self, line: CandidateLine[Any], question: RoleQuestion) -> str:
        """What the querier wants to know; nothing where it does not reply."""
        try:
            line.ask(question)
        except NobodyReplies:
            raise
        except (TimeUp, NoReply):
            return ""
        return line.asked[-1].text

    def _answers(self, asked: str, tree: Tree, trace: Trace) -> str:
        return answer_of(read_queries(asked, tree, self._assignment.level.window_s), tree, trace)

    # What roles are told of a machine, and what it does --------------------------------------------------------------

    def _shown(self, told: Briefing, tree: Tree) -> Briefing:
        """What is told of a machine where no inspector decides that."""
        return replace(told, tree=tree, with_information=self._options.information != "never")

    def _told_for_changes(self, machine: Machine, inspection: Inspection | None) -> Briefing:
        told = replace(
            self._shown(Briefing(self._assignment), self._lines.trees[machine.id]), feedback=machine.feedback
        )
        if self._options.information == "inspector" and inspection is not None:
            told = replace(told, with_information=inspection.gives_information)
        return told

    def _measured(self, tree: Tree) -> MachineReport:
        """What a machine does and is worth, with what is told of it to everybody."""
        trace, score = self._crew.simulate(tree)
        return MachineReport(trace, score, self._basic_feedback(tree, trace, score))

    def _basic_feedback(self, tree: Tree, trace: Trace, score: Score) -> str:
        if self._options.feedback == "score" or trace.fault:
            shown = f"{score.shown.name.capitalize()}: {score.shown.value:.4g} {score.shown.unit}".rstrip() + "."
            return "\n".join([shown, *score.notes])
        return feedback_of(self._assignment.level, tree, trace, score)

    # The end ---------------------------------------------------------------------------------------------------------

    def _simulate_what_there_is(self) -> None:
        """Where time was up before any machine was simulated, those of the last layer are."""
        valid = [machine for machine in self._lines.machines if machine.is_valid]
        if valid and all(machine.score is None for machine in valid):
            for machine in valid:
                if machine.layer == valid[-1].layer:
                    self._lines.enter_report(machine, self._measured(self._lines.trees[machine.id]))

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
