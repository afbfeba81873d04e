"""What can be done to a machine, and asked about it: the edit commands of docs/machines.md, and a simulation.

A command does what a line of edit commands does, and is refused for the same reasons: a block is not added where it
would overlap another one, or where the machine would become too large.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated, Literal

from pydantic import Field, StrictBool

from spatial_workbench.engine.core import Aid, AnswerError, Instance, Progress, WholeNumber
from spatial_workbench.engine.core.acting.commands import (
    Call,
    CommandArguments,
    CommandList,
    NoArguments,
    QuestionList,
    QuestionReply,
)
from spatial_workbench.engine.core.acting.elements import Numbers, chosen
from spatial_workbench.engine.machines.building.edits import Add, Command, EditOutcome, Move, Remove, apply_lines
from spatial_workbench.engine.machines.building.settings import PARAMETERS, fault_in, usual_value
from spatial_workbench.engine.machines.building.tree import (
    MAX_BLOCKS,
    Entry,
    Link,
    MachineBlock,
    Tree,
    with_parameter,
    without_settings,
)
from spatial_workbench.engine.machines.results.feedback import feedback_of
from spatial_workbench.engine.physics.machine_judging import judge_machine
from spatial_workbench.engine.physics.machine_results import simulated
from spatial_workbench.engine.tasks.machine.answer import MachineAnswer
from spatial_workbench.engine.tasks.machine.building import Built, arrayed
from spatial_workbench.engine.tasks.machine.editing import MachineAssembly
from spatial_workbench.engine.tasks.machine.mirroring import mirrored
from spatial_workbench.engine.tasks.machine.task import level_of_instance

commands = CommandList()
questions = QuestionList()

MOST_FAULTS = 20
BlockNumber = Annotated[WholeNumber, Field(ge=0, lt=MAX_BLOCKS)]


class AddedBlock(CommandArguments):
    """A block, and the face that it goes to."""

    type: Annotated[WholeNumber, Field(ge=0, le=10_000)] = Field(description="type of the block, such as 15")
    parent: BlockNumber = Field(description="id of the block that it is put on")
    face_id: BlockNumber = Field(description="face of that block")
    parent_b: BlockNumber | None = Field(default=None, description="only for linear blocks: id of the second block")
    face_id_b: BlockNumber | None = Field(default=None, description="only for linear blocks: face of the second block")


class ChosenBlocks(CommandArguments):
    """Some blocks."""

    blocks: Numbers = Field(description="ids of blocks")


class OneBlock(CommandArguments):
    """A block."""

    block: BlockNumber = Field(description="id of the block")


class RemovedBlock(CommandArguments):
    """A block that goes."""

    block: BlockNumber = Field(description="id of the block")


class MovedBlock(RemovedBlock):
    """A block, and the face that it moves to."""

    parent: BlockNumber = Field(description="id of the block that it is put on, which is lower than its own")
    face_id: BlockNumber = Field(description="face of that block")


class GivenParameter(RemovedBlock):
    """A parameter of a block."""

    name: Literal["speed", "reversed", "strength", "mass", "key", "key_back"] = Field(description="which parameter")
    value: StrictBool | float | Annotated[str, Field(max_length=20)] = Field(
        description="a number, true or false for reversed, or the name of a key"
    )


@commands.add("Add block", AddedBlock)
def add(instance: Instance, answer: MachineAnswer, given: AddedBlock) -> MachineAnswer:
    """Adds a block to a face, or a linear block between two faces."""
    if (given.parent_b is None) is not (given.face_id_b is None):
        raise AnswerError("parent_b and face_id_b belong together", ("parent_b",))
    second = None if given.parent_b is None or given.face_id_b is None else (given.parent_b, given.face_id_b)
    return _edited(instance, answer, Add(given.type, given.parent, given.face_id, second))


@commands.add("Remove block", RemovedBlock)
def remove(instance: Instance, answer: MachineAnswer, given: RemovedBlock) -> MachineAnswer:
    """Removes a block that carries nothing; the ids of later ones become smaller."""
    return _edited(instance, answer, Remove(given.block))


@commands.add("Move block", MovedBlock)
def move(instance: Instance, answer: MachineAnswer, given: MovedBlock) -> MachineAnswer:
    """Moves a block, with all that hangs on it, to another face."""
    return _edited(instance, answer, Move(given.block, given.parent, given.face_id))


@commands.add("Set parameter", GivenParameter)
def set_parameter(instance: Instance, answer: MachineAnswer, given: GivenParameter) -> MachineAnswer:
    """Sets a parameter of a block, where the level lets parameters count; keys are for free play, and always can."""
    tree = _tree_of(answer)
    if given.block >= len(tree):
        raise AnswerError(f"There is no block {given.block}", ("block",))
    if PARAMETERS[given.name].form != "key" and given.name not in level_of_instance(instance).parameters:
        raise AnswerError(f"The parameter “{given.name}” does not count in this level", ("name",))
    entry = tree[given.block]
    value = given.value
    fault = "" if value == "" == usual_value(given.name) else fault_in(entry.type, given.name, value)
    if fault:
        raise AnswerError(fault, ("value",))
    return MachineAnswer.of(
        tuple(with_parameter(row, given.name, value) if row is entry else row for row in tree), answer.reasoning
    )


@commands.add("Mirror blocks", ChosenBlocks)
def mirror(instance: Instance, answer: MachineAnswer, given: ChosenBlocks) -> MachineAnswer:
    """Adds copies of blocks, with all that hangs on them, on the other side of the plane x = 0."""
    level = level_of_instance(instance)
    assembly = _assembly(answer)
    return _built(answer, mirrored(assembly, chosen(given.blocks, len(assembly.tree), "block", "blocks"), level))


@commands.add("Repeat along the beam", OneBlock)
def array(instance: Instance, answer: MachineAnswer, given: OneBlock) -> MachineAnswer:
    """Adds copies of a block, with all that hangs on it, on every other face of the row along the beam it stands on."""
    assembly = _assembly(answer)
    (block,) = chosen((given.block,), len(assembly.tree), "block", "block")
    return _built(answer, arrayed(assembly, block, level_of_instance(instance)))


@questions.add("Simulate", NoArguments, Aid.JUDGING)
def simulate(instance: Instance, answer: MachineAnswer, given: NoArguments, progress: Progress) -> QuestionReply:
    """Simulates the machine in its level, and tells what it does; or why it cannot be simulated."""
    level = level_of_instance(instance)
    judged = judge_machine(answer.reading, level, simulate=partial(simulated, progress=progress))
    tree = judged.reading.tree
    if tree is None or judged.trace is None:
        faults = [fault.sentence for fault in (*judged.reading.faults, *judged.spatial)]
        return QuestionReply("\n".join(["The machine is not simulated.", *faults[:MOST_FAULTS]]))
    early = [f"The simulation ended early: {judged.trace.fault}."] if judged.trace.fault else []
    return QuestionReply("\n".join([*early, feedback_of(level, tree, judged.trace, judged.score)]))


@commands.leading
def calls_between(instance: Instance, before: MachineAnswer, after: MachineAnswer) -> Iterator[Sequence[Call]]:
    """Calls that set parameters, move or remove one block, or remove the last blocks and add others."""
    old, new = before.reading.tree, after.reading.tree
    if old is None or new is None:
        return
    if without_settings(old) == without_settings(new):
        yield [call for first, second in zip(old, new, strict=True) for call in _setting(first, second)]
    same = next((k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    if len(old) == len(new) + 1:
        yield [("remove", {"block": same})]
    entry = new[same] if same < len(old) == len(new) else None
    if isinstance(entry, MachineBlock):
        yield [("move", {"block": same, "parent": entry.parent, "face_id": entry.face})]
    removing: list[Call] = [("remove", {"block": k}) for k in range(len(old) - 1, max(0, same - 1), -1)]
    yield [*removing, *(call for entry in new[max(1, same) :] for call in (_adding(entry), *_setting(None, entry)))]


def _setting(before: Entry | None, after: Entry) -> Iterator[Call]:
    """The calls that give an entry of a tree its parameters."""
    old = before.settings.values() if before is not None and before.settings is not None else {}
    new = after.settings.values() if after.settings is not None else {}
    for name in sorted(old | new):
        value = new.get(name, usual_value(name))
        if old.get(name, usual_value(name)) != value:
            yield "set_parameter", {"block": after.id, "name": name, "value": value}


def _adding(entry: Entry) -> Call:
    """The call that adds an entry of a tree."""
    if isinstance(entry, Link):
        first = {"type": entry.type, "parent": entry.parent_a, "face_id": entry.face_a}
        return "add", {**first, "parent_b": entry.parent_b, "face_id_b": entry.face_b}
    return "add", {"type": entry.type, "parent": entry.parent, "face_id": entry.face}


def _edited(instance: Instance, answer: MachineAnswer, command: Command) -> MachineAnswer:
    tree = _tree_of(answer)
    if isinstance(command, Add) and len(tree) >= MAX_BLOCKS:
        raise AnswerError(f"That would be more than {MAX_BLOCKS} blocks")
    edited = apply_lines(tree, [str(command)], level_of_instance(instance).size_limits)
    if edited.steps[0].outcome is not EditOutcome.SUCCESS:
        raise AnswerError(edited.steps[0].reason)
    return MachineAnswer.of(edited.tree, answer.reasoning)


def _assembly(answer: MachineAnswer) -> MachineAssembly:
    return MachineAssembly(_tree_of(answer))


def _built(answer: MachineAnswer, built: Built) -> MachineAnswer:
    """The answer after a larger step. Raises AnswerError if it is impossible, or the machine grows too large."""
    if not built.is_made:
        raise AnswerError(f"Not done: {built.reason}")
    if len(built.tree) > MAX_BLOCKS:
        raise AnswerError(f"That would be more than {MAX_BLOCKS} blocks")
    return MachineAnswer.of(built.tree, answer.reasoning)


def _tree_of(answer: MachineAnswer) -> Tree:
    tree = answer.reading.tree
    if tree is None:
        raise AnswerError("The list of blocks is no machine, so that there is nothing to edit")
    return tree
