"""What can be done to a packing: the commands of editors, agents and other programs. All lengths are whole numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, get_args

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import AnswerError, Instance, WholeNumber
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList, NoArguments
from spatial_workbench.engine.core.acting.elements import Numbers, chosen
from spatial_workbench.engine.core.acting.retelling import ways_of_list
from spatial_workbench.engine.tasks.pack_prisms import FARTHEST, MAX_BOXES, Corner, Packing, PlacedBox
from spatial_workbench.engine.tasks.pack_prisms.editing import drop as fall_of
from spatial_workbench.engine.tasks.pack_prisms.editing import lattice, mirrored, shifted_to_origin, turned
from spatial_workbench.engine.tasks.pack_prisms.packing import Ints, PackingOrder

commands = CommandList()

Axis = Literal["x", "y", "z"]
Count = Annotated[WholeNumber, Field(ge=1, le=MAX_BOXES)]
Orientation = Literal["xyz", "yxz", "xzy", "zxy", "yzx", "zyx"]
Length = Annotated[WholeNumber, Field(ge=-FARTHEST, le=FARTHEST)]


class NewBox(CommandArguments):
    """A box and where it lies."""

    size: Annotated[WholeNumber, Field(ge=0, le=FARTHEST)] = Field(
        description="which size: the number of its line in the list of boxes, from 0"
    )
    corner: Corner = Field(description="lowest corner: x, y, z")
    orientation: Orientation = Field(
        default="xyz", description="which of its sides, in the order of the list, lies along x, y and z"
    )


class ChosenBoxes(CommandArguments):
    """Some boxes."""

    boxes: Numbers = Field(description="ids of boxes")


class MovedBoxes(ChosenBoxes):
    """A step of some boxes."""

    x: Length = Field(default=0, description="step along x")
    y: Length = Field(default=0, description="step along y")
    z: Length = Field(default=0, description="step along z")


class BoxesAlong(ChosenBoxes):
    """Some boxes and an axis."""

    axis: Axis


class RepeatedBox(CommandArguments):
    """Rows of equal boxes."""

    size: Annotated[WholeNumber, Field(ge=0, le=FARTHEST)] = Field(
        description="which size: the number of its line in the list of boxes, from 0"
    )
    corner: Corner = Field(description="lowest corner of the first box: x, y, z")
    orientation: Orientation = Field(
        default="xyz", description="which of its sides, in the order of the list, lies along x, y and z"
    )
    columns: Count = Field(default=1, description="how many boxes along x")
    rows: Count = Field(default=1, description="how many along y")
    layers: Count = Field(default=1, description="how many along z")


@commands.add("Place box", NewBox)
def place(instance: Instance, answer: Packing, given: NewBox) -> Packing:
    """Places a box."""
    corner = np.array(given.corner, np.int64)
    return _with(answer, corner[None], corner[None] + _sides(instance, given))


@commands.add("Move boxes", MovedBoxes)
def move(instance: Instance, answer: Packing, given: MovedBoxes) -> Packing:
    """Moves boxes by a step."""
    return _moved(answer, _numbers(answer, given), np.array([given.x, given.y, given.z], np.int64))


@commands.add("Drop boxes", BoxesAlong)
def drop(instance: Instance, answer: Packing, given: BoxesAlong) -> Packing:
    """Moves boxes together towards the low end of an axis, until one meets another box or level 0."""
    numbers = _numbers(answer, given)
    axis = "xyz".index(given.axis)
    return _moved(answer, numbers, -fall_of(*answer.corners, numbers, axis) * np.eye(3, dtype=np.int64)[axis])


@commands.add("Turn boxes", BoxesAlong)
def turn(instance: Instance, answer: Packing, given: BoxesAlong) -> Packing:
    """Turns boxes together by 90 degrees about an axis; their lowest corner stays where it is."""
    numbers = _numbers(answer, given)
    low, high = answer.corners
    return _replaced(answer, numbers, *turned(low[numbers], high[numbers], "xyz".index(given.axis)))


@commands.add("Mirror boxes", BoxesAlong)
def mirror(instance: Instance, answer: Packing, given: BoxesAlong) -> Packing:
    """Mirrors boxes together along an axis, in place."""
    numbers = _numbers(answer, given)
    low, high = answer.corners
    return _replaced(answer, numbers, *mirrored(low[numbers], high[numbers], "xyz".index(given.axis)))


@commands.add("Delete boxes", ChosenBoxes)
def delete(instance: Instance, answer: Packing, given: ChosenBoxes) -> Packing:
    """Deletes boxes; the ids of later ones become smaller."""
    numbers = _numbers(answer, given)
    low, high = answer.corners
    return Packing.of(np.delete(low, numbers, axis=0), np.delete(high, numbers, axis=0))


@commands.add("Place boxes", RepeatedBox)
def array(instance: Instance, answer: Packing, given: RepeatedBox) -> Packing:
    """Places equal boxes side by side in columns, rows and layers."""
    count = given.columns * given.rows * given.layers
    if len(answer.boxes) + count > MAX_BOXES:
        raise AnswerError(f"That would be more than {MAX_BOXES} boxes")
    sides = _sides(instance, given)
    counts = (given.columns, given.rows, given.layers)
    return _with(answer, *lattice(np.array(given.corner, np.int64), sides.tolist(), counts, count))


@commands.add("Move to the origin", NoArguments)
def to_origin(instance: Instance, answer: Packing, given: NoArguments) -> Packing:
    """Moves all boxes together so that their lowest corner is the origin."""
    return Packing.of(*shifted_to_origin(*answer.corners))


@commands.leading
def calls_between(instance: Instance, before: Packing, after: Packing) -> Iterator[Sequence[Call]]:
    """Calls that move or turn boxes where they are, or delete and place them."""

    def change(numbers: list[int]) -> Iterator[Sequence[Call]]:
        (low, _), (new_low, _) = before.corners, after.corners
        x, y, z = (new_low[numbers[0]] - low[numbers[0]]).tolist()
        yield [("move", {"boxes": numbers, "x": x, "y": y, "z": z})]
        yield from ([(name, {"boxes": numbers, "axis": axis})] for name in ("turn", "mirror") for axis in "xyz")

    def place(boxes: Sequence[PlacedBox]) -> Iterator[Call]:
        classes = PackingOrder.of(instance.parameters).classes
        for box in boxes:
            sides = tuple(b - a for a, b in zip(box.XyzMin, box.XyzMax, strict=True))
            size, way = _size_and_way(sides, [kind.sides for kind in classes])
            yield "place", {"size": size, "corner": list(box.XyzMin), "orientation": way}

    yield from ways_of_list(before.boxes, after.boxes, lambda gone: ("delete", {"boxes": gone}), place, change)


def _size_and_way(sides: Sequence[int], classes: Sequence[Sequence[int]]) -> tuple[int, str]:
    """The number of the size that has these sides along x, y and z, and its orientation; -1 if there is none."""
    for size, own in enumerate(classes):
        for way in get_args(Orientation):
            if [own["xyz".index(axis)] for axis in way] == list(sides):
                return size, way
    return -1, "xyz"


def _sides(instance: Instance, given: NewBox | RepeatedBox) -> Ints:
    """The sides of a box along x, y and z, (3,)."""
    classes = PackingOrder.of(instance.parameters).classes
    if given.size >= len(classes):
        raise AnswerError(f"There is no size {given.size}; there are sizes 0 to {len(classes) - 1}", ("size",))
    sides = classes[given.size].sides
    return np.array([sides["xyz".index(axis)] for axis in given.orientation], np.int64)


def _numbers(answer: Packing, given: ChosenBoxes) -> list[int]:
    return list(chosen(given.boxes, len(answer.boxes), "box", "boxes"))


def _moved(answer: Packing, numbers: list[int], step: Ints) -> Packing:
    low, high = answer.corners
    return _replaced(answer, numbers, low[numbers] + step, high[numbers] + step)


def _replaced(answer: Packing, numbers: list[int], new_low: Ints, new_high: Ints) -> Packing:
    low, high = (corners.copy() for corners in answer.corners)
    low[numbers], high[numbers] = new_low, new_high
    return Packing.of(low, high)


def _with(answer: Packing, new_low: Ints, new_high: Ints) -> Packing:
    if len(answer.boxes) + len(new_low) > MAX_BOXES:
        raise AnswerError(f"That would be more than {MAX_BOXES} boxes")
    low, high = answer.corners
    return Packing.of(np.vstack([low, new_low]), np.vstack([high, new_high]))
