"""What can be done to earthworks: the commands of editors, agents and other programs. All lengths in voxels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field

from spatial_workbench.engine.core import AnswerError, Instance, WholeNumber
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList
from spatial_workbench.engine.core.acting.elements import Numbers, Triple, chosen
from spatial_workbench.engine.core.acting.retelling import place_moved, ways_of_list
from spatial_workbench.engine.tasks.fluid_simulation.answer import MAX_OPERATIONS, Earthworks, Operation
from spatial_workbench.engine.tasks.fluid_simulation.editing import PRESETS, FluidRectangle, preset
from spatial_workbench.engine.tasks.fluid_simulation.shaping import moved
from spatial_workbench.engine.tasks.fluid_simulation.world import FluidBox

commands = CommandList()

Steps = Annotated[WholeNumber, Field(ge=-1000, le=1000)]


class FluidBlock(CommandArguments):
    """A box of voxels."""

    low: Triple = Field(description="lowest voxel of the box: x, y, z")
    high: Triple = Field(description="highest voxel, included")


class ChosenOperations(CommandArguments):
    """Some operations."""

    operations: Numbers = Field(description="ids of operations")


class MovedOperations(ChosenOperations):
    """A step of some operations."""

    x: Steps = Field(default=0, description="voxels along x")
    y: Steps = Field(default=0, description="voxels along y")
    z: Steps = Field(default=0, description="voxels upwards")


class ReorderedOperation(CommandArguments):
    """A place in the order of operations."""

    operation: WholeNumber = Field(description="id of an operation")
    place: WholeNumber = Field(description="the id that it gets; it is carried out in this place")


class PlacedPreset(CommandArguments):
    """Where a group of operations is placed."""

    kind: Literal[tuple(PRESETS)]  # type: ignore[valid-type]
    x_min: WholeNumber = Field(description="lowest x of its columns")
    y_min: WholeNumber = Field(description="lowest y")
    x_max: WholeNumber = Field(description="highest x, included")
    y_max: WholeNumber = Field(description="highest y, included")
    level: WholeNumber = Field(
        description="lowest level of a pit or island; level of a pool's water, or of a roof's slab"
    )


@commands.add("Add rock", FluidBlock)
def rock(instance: Instance, answer: Earthworks, given: FluidBlock) -> Earthworks:
    """Fills a box of voxels with rock, after all other operations."""
    return _with(answer, instance, [_box(given, True)])


@commands.add("Dig", FluidBlock)
def air(instance: Instance, answer: Earthworks, given: FluidBlock) -> Earthworks:
    """Digs a box of voxels out, after all other operations."""
    return _with(answer, instance, [_box(given, False)])


@commands.add("Place operations", PlacedPreset)
def place(instance: Instance, answer: Earthworks, given: PlacedPreset) -> Earthworks:
    """Adds the operations of a pit, a walled pool, a roof on a pillar, or an island."""
    area = FluidRectangle(given.x_min, given.y_min, given.x_max, given.y_max)
    try:
        boxes = preset(given.kind, area, given.level)
    except ValueError as error:
        raise AnswerError(f"Nothing was placed: {error}") from None
    return _with(answer, instance, boxes)


@commands.add("Move operations", MovedOperations)
def move(instance: Instance, answer: Earthworks, given: MovedOperations) -> Earthworks:
    """Moves operations by a step, at most to the edge of the world."""
    operations = list(answer.earthworks)
    for k in chosen(given.operations, len(operations), "operation", "operations"):
        operations[k] = Operation.of(moved(operations[k].box, (given.x, given.y, given.z), instance.parameters["n"]))
    return _of(answer, operations)


@commands.add("Reorder operations", ReorderedOperation)
def reorder(instance: Instance, answer: Earthworks, given: ReorderedOperation) -> Earthworks:
    """Moves an operation to another place in the order."""
    operations = list(answer.earthworks)
    chosen((given.operation, given.place), len(operations), "operation")
    operations.insert(given.place, operations.pop(given.operation))
    return _of(answer, operations)


@commands.add("Delete operations", ChosenOperations)
def delete(instance: Instance, answer: Earthworks, given: ChosenOperations) -> Earthworks:
    """Deletes operations; the ids of later ones become smaller."""
    gone = set(chosen(given.operations, len(answer.earthworks), "operation", "operations"))
    return _of(answer, [operation for k, operation in enumerate(answer.earthworks) if k not in gone])


@commands.leading
def calls_between(instance: Instance, before: Earthworks, after: Earthworks) -> Iterator[Sequence[Call]]:
    """Calls that move operations, in space or in their order, or delete and add them."""

    def change(numbers: list[int]) -> Iterator[Sequence[Call]]:
        old, new = (answer.earthworks[numbers[0]] for answer in (before, after))
        x, y, z = (b - a for a, b in zip(old.xyzMin, new.xyzMin, strict=True))
        yield [("move", {"operations": numbers, "x": x, "y": y, "z": z})]
        if moved_one := place_moved(before.earthworks, after.earthworks):
            yield [("reorder", {"operation": moved_one[0], "place": moved_one[1]})]

    def add(operations: Sequence[Operation]) -> Iterator[Call]:
        for one in operations:
            yield one.material.lower(), {"low": list(one.xyzMin), "high": list(one.xyzMax)}

    yield from ways_of_list(
        before.earthworks, after.earthworks, lambda gone: ("delete", {"operations": gone}), add, change
    )


def _box(given: FluidBlock, is_rock: bool) -> FluidBox:
    (x0, y0, z0), (x1, y1, z1) = given.low, given.high
    return FluidBox((x0, y0, z0), (x1, y1, z1), is_rock)


def _with(answer: Earthworks, instance: Instance, boxes: Sequence[FluidBox]) -> Earthworks:
    for box in boxes:
        if fault := box.fault(instance.parameters["n"]):
            raise AnswerError(f"That box cannot be: {fault}")
    if len(answer.earthworks) + len(boxes) > MAX_OPERATIONS:
        raise AnswerError(f"That would be more than {MAX_OPERATIONS} operations")
    return _of(answer, [*answer.earthworks, *map(Operation.of, boxes)])


def _of(answer: Earthworks, operations: Sequence[Operation]) -> Earthworks:
    return answer.model_copy(update={"earthworks": tuple(operations)})
