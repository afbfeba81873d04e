"""What the roles of a workflow are told (docs/machines.md), part by part; `roles` says which role is told which parts.

A part makes a text of a `Briefing`; a part that has nothing to say is empty and left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

from spatial_workbench.engine.machines.building.blocks import ROOT, block_types
from spatial_workbench.engine.machines.building.edits import EditOutcome
from spatial_workbench.engine.machines.building.information import information_of
from spatial_workbench.engine.machines.building.positions import write_positions
from spatial_workbench.engine.machines.building.tree import MachineBlock, Tree, write_tree
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

START: Tree = (MachineBlock(ROOT, 0, -1, -1),)
"""The starting block alone."""


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
class Briefing:
    """What there is to tell a role; each role is told some of it.

    Attributes:
        tree: The machine so far.
        with_information: Whether the 3D information may be told.
        structure: What is to be built; None: the whole machine.
        types: Those of the structures so far.
        structures: A line for each structure with its blocks.
        inspection: The inspector's report.
        feedback: What the simulation of the machine showed.
        history: The tries before.
        fault: What was wrong with the last answer.
        is_detailed: The plan's guidance says block by block what is to be built.
        decides_information: The inspector also decides whether the refiner gets the 3D information.
    """

    assignment: Assignment
    tree: Tree = START
    with_information: bool = True
    structure: MachineStructure | None = None
    types: frozenset[int] = frozenset()
    structures: Sequence[str] = ()
    inspection: Inspection | None = None
    feedback: str = ""
    history: str = ""
    fault: str = ""
    is_detailed: bool = False
    decides_information: bool = False


Part = str | Callable[[Briefing], str]


def text_of(parts: Iterable[Part], told: Briefing) -> str:
    """The parts with an empty line between them."""
    return _joined(*(part if isinstance(part, str) else part(told) for part in parts))


# What holds for every machine -----------------------------------------------------------------------------------------


def rules(told: Briefing) -> str:
    """The frame, how blocks are joined, and the size limits."""
    return _joined(FRAME, f"{BUILDING}\n{orientation_table()}", size_rule(told.assignment.level.size_limits))


def blocks_of_level(told: Briefing) -> str:
    """The blocks that the level is meant for."""
    return _blocks(told.assignment.types)


def blocks_of_structures(told: Briefing) -> str:
    """The blocks of the structures so far."""
    return _blocks(told.types)


def blocks_of_machine(told: Briefing) -> str:
    """The blocks that the machine has."""
    return _blocks({entry.type for entry in told.tree})


def blocks_for_changes(told: Briefing) -> str:
    """The blocks that the machine has, and those that the level is meant for."""
    return _blocks(told.assignment.types | {entry.type for entry in told.tree})


def _blocks(types: Collection[int]) -> str:
    return f"BLOCKS\n\n{block_list(types)}\n\n{NOTES}"


def all_blocks(told: Briefing) -> str:
    """Every block with its category, its type and what it does."""
    rows = (
        f"- {kind.category}: type {kind.number}, {kind.name}. {kind.description.rstrip('.')}."
        for kind in block_types().values()
    )
    return f"BLOCKS\n\n{_each(rows)}"


def form(told: Briefing) -> str:
    """How machines are listed."""
    return f"FORM\n\n{TREE_FORMAT if _is_tree(told) else texts.POSITIONS_FORMAT}"


# What is asked --------------------------------------------------------------------------------------------------------


def machine_wanted(asked: str) -> Part:
    """Asks for a machine; the text goes on with an example of the form."""
    return partial(_with_example, asked)


def _with_example(asked: str, told: Briefing) -> str:
    if _is_tree(told):
        return f'{asked}\n```json\n[{{"type": 0, "id": 0, "parent": -1, "face_id": -1}}, ...]\n```'
    return f'{asked}\n```json\n[{{"type": 0, "Position": [0, 0, 0], "Rotation": [0, 0, 0, 1]}}, ...]\n```'


def plan_wanted(told: Briefing) -> str:
    """The form of plans."""
    return f"{texts.PLAN_FORM}\n{texts.DETAILED_GUIDANCE if told.is_detailed else texts.PLAIN_GUIDANCE}"


def information_wanted(told: Briefing) -> str:
    """Whether the refiner should be told the 3D information, where the inspector decides that."""
    return texts.INFORMATION_FORM if told.decides_information else ""


def queries_wanted(asked: str) -> Part:
    """Asks what a simulation should report."""
    return partial(_with_query_form, asked)


def _with_query_form(asked: str, told: Briefing) -> str:
    return f"{asked}\n{texts.QUERY_FORM.format(window=told.assignment.level.window_s, sample=SAMPLE_S)}"


# What is told of the task and the machine -----------------------------------------------------------------------------


def task(told: Briefing) -> str:
    """The task in words."""
    return f"TASK\n\n{told.assignment.text}"


def recommended_types(told: Briefing) -> str:
    """The types that the level is meant for, as numbers."""
    return f"Recommended types: {', '.join(map(str, sorted(told.assignment.types)))}."


def what_to_build(told: Briefing) -> str:
    """A structure, or the whole machine."""
    words = "Build the whole machine." if told.structure is None else _words_of_structure(told.structure)
    return f"WHAT TO BUILD\n\n{words}"


def machine(told: Briefing) -> str:
    """The machine, with the 3D information if that may be told."""
    rows = write_tree(told.tree) if _is_tree(told) else write_positions(told.tree)
    information = f"3D INFORMATION, heights from the lowest centre\n\n{_lines(information_of(told.tree))}"
    return _joined(f"THE MACHINE\n\n{_lines(rows)}", information if told.with_information else "")


def machine_so_far(told: Briefing) -> str:
    """The machine as its designer is told it: of a starting block alone, there is nothing more to say."""
    is_begun = len(told.tree) > 1
    return machine(replace(told, with_information=told.with_information and is_begun))


def structures(told: Briefing) -> str:
    """Which blocks belong to which structure."""
    return f"STRUCTURES\n\n{_each(told.structures)}" if told.structures else ""


def defective_blocks(told: Briefing) -> str:
    """The 3D information of the blocks that the inspector names."""
    if told.inspection is None or not told.inspection.defects or not told.with_information:
        return ""
    rows = [row for row in information_of(told.tree) if row["id"] in told.inspection.defects]
    return f"BLOCKS NAMED AS DEFECTIVE\n\n{_lines(rows)}"


def report(told: Briefing) -> str:
    """The inspector's report."""
    return "" if told.inspection is None else f"REPORT ON DEFECTS\n\n{told.inspection.report}"


def simulation(told: Briefing) -> str:
    """What the simulation showed."""
    return f"SIMULATION\n\n{told.feedback}"


def history(told: Briefing) -> str:
    """The tries before."""
    return told.history


def last_fault(told: Briefing) -> str:
    """What was wrong with the last answer."""
    return f"Your last answer could not be used: {told.fault}" if told.fault else ""


class TryHistory:
    """What candidates are told of the tries before: their own steps, and every step that failed after the same ones."""

    def __init__(self, is_told: bool) -> None:
        self._is_told = is_told
        self._tries: dict[int, list[str]] = {}
        self._failed: dict[tuple[str, ...], str] = {}

    def add(self, candidate: int, attempt: int, steps: Sequence[Mapping[str, str]], error: str) -> None:
        """A try that failed: its steps as they are stored, or why there are none."""
        lines = [": ".join(filter(None, (step["text"], step["outcome"], step["reason"]))) for step in steps]
        words = "\n".join(lines) or error
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


def _is_tree(told: Briefing) -> bool:
    return told.assignment.representation is Representation.TREE


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


def _lines(rows: Sequence[object]) -> str:
    return "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]"


def _each(lines: Iterable[str]) -> str:
    return "\n".join(filter(None, lines))


def _joined(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))
