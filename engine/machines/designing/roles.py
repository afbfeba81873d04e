"""What each role of a workflow is told (docs/machines.md): a system text with the rules, and a text about the machine.

The roles: a single agent; a meta-designer, who plans a machine's structures; a designer, who builds them one after the
other; an inspector, who looks for defects; a refiner, who mends them, first blind and later with feedback; and a
querier, who asks what a simulation should report.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from spatial_workbench.engine.machines.building.blocks import block_types
from spatial_workbench.engine.machines.building.information import information_of
from spatial_workbench.engine.machines.building.positions import write_positions
from spatial_workbench.engine.machines.building.tree import Tree, write_tree
from spatial_workbench.engine.machines.building.wording import (
    BUILDING,
    FRAME,
    NOTES,
    TREE_FORMAT,
    block_list,
    orientation_table,
    size_rule,
)
from spatial_workbench.engine.machines.designing import role_texts as texts
from spatial_workbench.engine.machines.designing.replies import Inspection, MachineStructure
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.machines.results.feedback import SAMPLE_S


class Role(StrEnum):
    """Who is asked."""

    SINGLE = "single"
    META_DESIGNER = "meta-designer"
    DESIGNER = "designer"
    INSPECTOR = "inspector"
    BLIND_REFINER = "blind refiner"
    REFINER = "refiner"
    QUERIER = "querier"


class Representation(StrEnum):
    """How machines are listed."""

    TREE = "tree"
    POSITIONS = "positions"


@dataclass(frozen=True)
class Assignment:
    """What a machine is wanted for: the level, and the task in words."""

    level: Level
    text: str
    representation: Representation = Representation.TREE

    @property
    def types(self) -> frozenset[int]:
        """The types of block that the level is meant for."""
        return self.level.types or frozenset(block_types())


@dataclass(frozen=True)
class RolePrompt:
    """A question to a role."""

    system: str
    user: str


@dataclass(frozen=True)
class Seen:
    """What a role is told of a machine: its tree, perhaps with the 3D information, and in words what is known of it."""

    tree: Tree
    with_information: bool = True
    feedback: str = ""
    history: str = ""


def single_prompt(assignment: Assignment) -> RolePrompt:
    """For a model that designs a machine in one answer."""
    rules = _rules(assignment), texts.WORKING_PARTS, _blocks(assignment.types), _format(assignment)
    asked = f"{texts.ONE_ANSWER}\n{_example(assignment)}"
    return RolePrompt(_joined(texts.WORLD, *rules, asked), _task(assignment))


def meta_designer_prompt(assignment: Assignment, is_detailed: bool = False, fault: str = "") -> RolePrompt:
    """For the role that divides a machine into structures.

    is_detailed: The guidance says block by block what is to be built.
    fault: What was wrong with the last answer.
    """
    guidance = texts.DETAILED_GUIDANCE if is_detailed else texts.PLAIN_GUIDANCE
    system = _joined(texts.WORLD, f"BLOCKS\n\n{_table()}", texts.PLANNING, f"{texts.PLAN_FORM}\n{guidance}")
    recommended = f"Recommended types: {', '.join(map(str, sorted(assignment.types)))}."
    return RolePrompt(system, _joined(_task(assignment), recommended, _last_fault(fault)))


def designer_prompt(
    assignment: Assignment, structure: MachineStructure | None, types: Collection[int], seen: Seen
) -> RolePrompt:
    """For the role that builds.

    structure: What is to be built; None: the whole machine.
    types: Those of the structures so far.
    """
    asked = f"{texts.BUILDING_RULES}\n{_example(assignment)}"
    system = _joined(texts.WORLD, _rules(assignment), _blocks(types), _format(assignment), asked)
    built = "Build the whole machine." if structure is None else _words_of_structure(structure)
    is_begun = len(seen.tree) > 1
    machine = _machine(assignment, seen.tree, seen.with_information and is_begun)
    return RolePrompt(system, _joined(_task(assignment), f"WHAT TO BUILD\n\n{built}", machine))


def inspector_prompt(
    assignment: Assignment,
    seen: Seen,
    structures: Sequence[str] = (),
    decides_information: bool = False,
    fault: str = "",
) -> RolePrompt:
    """For the role that looks for defects.

    structures: A line for each structure with its blocks.
    decides_information: The role also decides whether the refiner gets the 3D information.
    """
    asked = texts.INSPECTION_FORM, texts.INFORMATION_FORM if decides_information else ""
    told = (f"STRUCTURES\n\n{_each(structures)}" if structures else ""), texts.AT_START, _last_fault(fault)
    return RolePrompt(_of_machine(assignment, seen, *asked), _joined(_given(assignment, seen), *told))


def blind_refiner_prompt(assignment: Assignment, seen: Seen, inspection: Inspection | None) -> RolePrompt:
    """For the role that mends a machine that has not been simulated."""
    opening = "You mend a machine that has not been simulated yet."
    queries = (
        f"What the simulation should report, by the machine's ids after the change:\n{_query_form(assignment.level)}"
    )
    system = _of_refiner(assignment, seen, opening, texts.BLIND_PREDICTION, queries)
    report = f"REPORT ON DEFECTS\n\n{inspection.report}" if inspection is not None else ""
    user = _joined(_given(assignment, seen), _defective_blocks(seen, inspection), report, seen.history)
    return RolePrompt(system, user)


def refiner_prompt(assignment: Assignment, seen: Seen) -> RolePrompt:
    """For the role that improves a machine after its simulation."""
    opening = "You improve a machine; you are told what its simulation showed."
    system = _of_refiner(assignment, seen, opening, texts.GROUP_PREDICTION)
    return RolePrompt(system, _joined(_given(assignment, seen), f"SIMULATION\n\n{seen.feedback}", seen.history))


def querier_prompt(assignment: Assignment, seen: Seen) -> RolePrompt:
    """For the role that asks for more of what the simulation recorded."""
    asked = f"{texts.QUERYING}\n{_query_form(assignment.level)}"
    user = _joined(_given(assignment, seen), f"SIMULATION\n\n{seen.feedback}")
    return RolePrompt(_of_machine(assignment, seen, asked), user)


def _of_machine(assignment: Assignment, seen: Seen, *asked: str) -> str:
    """The system text of roles that look at a machine."""
    blocks = _blocks(frozenset(entry.type for entry in seen.tree))
    return _joined(texts.WORLD, _rules(assignment), blocks, _format(assignment), *asked)


def _of_refiner(assignment: Assignment, seen: Seen, opening: str, prediction: str, queries: str = "") -> str:
    """The system text of roles that change a machine."""
    blocks = _blocks(assignment.types | {entry.type for entry in seen.tree})
    rules = _rules(assignment), blocks, _format(assignment), f"COMMANDS\n\n{texts.EDITS}"
    asked = texts.REFINING.format(prediction=prediction), queries, texts.STEPS_FORM
    return _joined(texts.WORLD, opening, *rules, *asked)


def _task(assignment: Assignment) -> str:
    return f"TASK\n\n{assignment.text}"


def _given(assignment: Assignment, seen: Seen) -> str:
    return _joined(_task(assignment), _machine(assignment, seen.tree, seen.with_information))


def _defective_blocks(seen: Seen, inspection: Inspection | None) -> str:
    if inspection is None or not inspection.defects or not seen.with_information:
        return ""
    rows = [row for row in information_of(seen.tree) if row["id"] in inspection.defects]
    return f"BLOCKS NAMED AS DEFECTIVE\n\n{_lines(rows)}"


def _rules(assignment: Assignment) -> str:
    return _joined(FRAME, f"{BUILDING}\n{orientation_table()}", size_rule(assignment.level.size_limits))


def _blocks(types: Collection[int]) -> str:
    return f"BLOCKS\n\n{block_list(types)}\n\n{NOTES}"


def _table() -> str:
    """Every block with its category, its type and what it does."""
    return _each(
        f"- {kind.category}: type {kind.number}, {kind.name}. {kind.description.rstrip('.')}."
        for kind in block_types().values()
    )


def _format(assignment: Assignment) -> str:
    is_tree = assignment.representation is Representation.TREE
    return f"FORM\n\n{TREE_FORMAT if is_tree else texts.POSITIONS_FORMAT}"


def _example(assignment: Assignment) -> str:
    if assignment.representation is Representation.TREE:
        return '```json\n[{"type": 0, "id": 0, "parent": -1, "face_id": -1}, ...]\n```'
    return '```json\n[{"type": 0, "Position": [0, 0, 0], "Rotation": [0, 0, 0, 1]}, ...]\n```'


def _words_of_structure(structure: MachineStructure) -> str:
    return _each(
        (
            f"Structure: {structure.name}.",
            structure.description,
            f"Functions: {'; '.join(structure.functions)}." if structure.functions else "",
            f"Types: {', '.join(map(str, structure.types))}." if structure.types else "",
            f"Guidance: {structure.guidance}" if structure.guidance else "",
        )
    )


def _machine(assignment: Assignment, tree: Tree, with_information: bool) -> str:
    rows = write_tree(tree) if assignment.representation is Representation.TREE else write_positions(tree)
    information = f"3D INFORMATION, heights from the lowest centre\n\n{_lines(information_of(tree))}"
    return _joined(f"THE MACHINE\n\n{_lines(rows)}", information if with_information else "")


def _lines(rows: Sequence[object]) -> str:
    return "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]"


def _query_form(level: Level) -> str:
    return texts.QUERY_FORM.format(window=level.window_s, sample=SAMPLE_S)


def _last_fault(fault: str) -> str:
    return f"Your last answer could not be used: {fault}" if fault else ""


def _each(lines: Iterable[str]) -> str:
    return "\n".join(filter(None, lines))


def _joined(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))
