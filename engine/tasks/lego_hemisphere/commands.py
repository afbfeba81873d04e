"""What can be done to a structure: the commands of editors, agents and other programs. All lengths in mm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import Aid, AnswerError, Instance, Number, WholeNumber
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList
from spatial_workbench.engine.core.acting.elements import Numbers, chosen
from spatial_workbench.engine.core.acting.retelling import ways_of_list
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.lego_hemisphere.answer import MAX_BRICKS, Brick, Structure, bricks_at, poses_of
from spatial_workbench.engine.tasks.lego_hemisphere.brick import HEIGHT, height_of
from spatial_workbench.engine.tasks.lego_hemisphere.editing import images, moved, not_among, turned
from spatial_workbench.engine.tasks.lego_hemisphere.solver import fill_layer as bricks_of_layer
from spatial_workbench.engine.tasks.lego_hemisphere.target import BrickShell
from spatial_workbench.engine.tasks.lego_hemisphere.transforms import arrayed, four_fold, worth_keeping

commands = CommandList()

Layer = Annotated[WholeNumber, Field(ge=0, le=1000)]
Count = Annotated[WholeNumber, Field(ge=1, le=MAX_BRICKS)]


class PlacedBrick(CommandArguments):
    """Where a brick is placed."""

    x_mm: Number = Field(description="x of its centre")
    y_mm: Number = Field(description="y of its centre")
    layer: Layer = Field(description="layer, from 0 on the ground; a layer is 9.6 mm high")
    turn_deg: Number = Field(default=0.0, description="turn about +z; 0: long side along x")


class ChosenBricks(CommandArguments):
    """Some bricks."""

    bricks: Numbers = Field(description="ids of bricks")


class MovedBricks(ChosenBricks):
    """A step of some bricks."""

    x_mm: Number = Field(default=0.0, description="step along x")
    y_mm: Number = Field(default=0.0, description="step along y")
    layers: Annotated[WholeNumber, Field(ge=-1000, le=1000)] = Field(default=0, description="layers up, or down if < 0")


class TurnedBricks(ChosenBricks):
    """A turn of some bricks."""

    turn_deg: Number = Field(description="turn about +z, around their common middle")


class MirroredBricks(ChosenBricks):
    """Mirror images of some bricks."""

    across: Literal["x", "y", "both", "turns"] = Field(
        description="x: images at x = 0; y: images at y = 0; both: all three; turns: turned by 90, 180 and 270 degrees "
        "about the origin"
    )


class RepeatedBricks(ChosenBricks):
    """Rows of copies of some bricks."""

    columns: Count = Field(default=1, description="how many stand along x, the bricks themselves included")
    rows: Count = Field(default=1, description="how many along y")
    layers: Count = Field(default=1, description="how many upwards")
    x_mm: Number = Field(default=32.0, description="distance along x")
    y_mm: Number = Field(default=16.0, description="distance along y")
    layer_step: Annotated[WholeNumber, Field(ge=1, le=1000)] = Field(default=1, description="layers from copy to copy")


class OneLayer(CommandArguments):
    """A layer."""

    layer: Layer = Field(description="layer, from 0 on the ground")


class LeastShare(CommandArguments):
    """A share of a brick."""

    share: Annotated[Number, Field(ge=0, le=1)] = Field(default=0.25, description="0 to 1")


@commands.add("Place brick", PlacedBrick)
def place(instance: Instance, answer: Structure, given: PlacedBrick) -> Structure:
    """Places a brick."""
    return _with(answer, [Brick.at(given.x_mm, given.y_mm, height_of(given.layer), given.turn_deg)])


@commands.add("Move bricks", MovedBricks)
def move(instance: Instance, answer: Structure, given: MovedBricks) -> Structure:
    """Moves bricks by a step."""
    numbers, poses = _poses(answer, given)
    return _replaced(answer, numbers, moved(poses, (given.x_mm, given.y_mm, HEIGHT * given.layers)))


@commands.add("Turn bricks", TurnedBricks)
def turn(instance: Instance, answer: Structure, given: TurnedBricks) -> Structure:
    """Turns bricks together."""
    numbers, poses = _poses(answer, given)
    return _replaced(answer, numbers, turned(poses, given.turn_deg))


@commands.add("Delete bricks", ChosenBricks)
def delete(instance: Instance, answer: Structure, given: ChosenBricks) -> Structure:
    """Deletes bricks; the ids of later ones become smaller."""
    gone = set(chosen(given.bricks, len(answer.bricks), "brick", "bricks"))
    return _of(answer, [brick for i, brick in enumerate(answer.bricks) if i not in gone])


@commands.add("Copy bricks", MovedBricks)
def duplicate(instance: Instance, answer: Structure, given: MovedBricks) -> Structure:
    """Adds copies of bricks, a step away."""
    _, poses = _poses(answer, given)
    return _with(answer, bricks_at(moved(poses, (given.x_mm, given.y_mm, HEIGHT * given.layers))))


@commands.add("Mirror bricks", MirroredBricks)
def mirror(instance: Instance, answer: Structure, given: MirroredBricks) -> Structure:
    """Adds the mirror images of bricks, or their turns by right angles, that are not there yet."""
    sources = [answer.bricks[i] for i in chosen(given.bricks, len(answer.bricks), "brick", "bricks")]
    if given.across == "turns":
        copies = four_fold(sources)
    else:
        copies = images(sources, given.across in ("x", "both"), given.across in ("y", "both"))
    return _with(answer, not_among(copies, answer.bricks))


@commands.add("Array of bricks", RepeatedBricks)
def array(instance: Instance, answer: Structure, given: RepeatedBricks) -> Structure:
    """Adds copies of bricks in columns, rows and layers."""
    sources = [answer.bricks[i] for i in chosen(given.bricks, len(answer.bricks), "brick", "bricks")]
    counts = (given.columns, given.rows, given.layers)
    copies = len(sources) * (given.columns * given.rows * given.layers - 1)
    if len(answer.bricks) + copies > MAX_BRICKS:
        raise AnswerError(f"That would be more than {MAX_BRICKS} bricks")
    return _with(answer, arrayed(sources, counts, (given.x_mm, given.y_mm, HEIGHT * given.layer_step))[len(sources) :])


@commands.add("Fill layer", OneLayer, Aid.SOLVING)
def fill_layer(instance: Instance, answer: Structure, given: OneLayer) -> Structure:
    """Lets the strip solver fill the empty part of a layer."""
    return _with(answer, bricks_of_layer(BrickShell(**instance.parameters), given.layer, answer.bricks))


@commands.add("Remove bricks that cost points", LeastShare, Aid.SOLVING)
def keep_worthy(instance: Instance, answer: Structure, given: LeastShare) -> Structure:
    """Deletes the bricks of which no more than a share is inside the shell."""
    return _of(answer, worth_keeping(BrickShell(**instance.parameters), answer.bricks, given.share))


@commands.leading
def calls_between(instance: Instance, before: Structure, after: Structure) -> Iterator[Sequence[Call]]:
    """Calls that change bricks where they are, or delete and place them."""

    def change(numbers: list[int]) -> Iterator[Sequence[Call]]:
        old, new = (poses_of(answer.bricks[k] for k in numbers)[0] for answer in (before, after))
        x, y, z, turn_deg = np.round(new - old, 9).tolist()
        given = {"bricks": numbers, "x_mm": x, "y_mm": y, "layers": round(z / HEIGHT)}
        yield [("move", given)]
        yield [("turn", {"bricks": numbers, "turn_deg": turn_deg})]

    yield from ways_of_list(before.bricks, after.bricks, lambda gone: ("delete", {"bricks": gone}), _placing, change)


def _placing(bricks: Sequence[Brick]) -> Iterator[Call]:
    for brick in bricks:
        x, y, z = brick.Centroid
        layer = round((z - height_of(0)) / HEIGHT)
        yield "place", {"x_mm": x, "y_mm": y, "layer": layer, "turn_deg": brick.RotationDegrees}


def _poses(answer: Structure, given: ChosenBricks) -> tuple[tuple[int, ...], Floats]:
    """The numbers of the chosen bricks and their poses, (n, 4)."""
    numbers = chosen(given.bricks, len(answer.bricks), "brick", "bricks")
    return numbers, poses_of(answer.bricks[i] for i in numbers)


def _replaced(answer: Structure, numbers: Sequence[int], poses: Floats) -> Structure:
    bricks = list(answer.bricks)
    for number, brick in zip(numbers, bricks_at(np.asarray(poses)), strict=True):
        bricks[number] = brick
    return _of(answer, bricks)


def _with(answer: Structure, new: Sequence[Brick]) -> Structure:
    if len(answer.bricks) + len(new) > MAX_BRICKS:
        raise AnswerError(f"That would be more than {MAX_BRICKS} bricks")
    return _of(answer, [*answer.bricks, *new])


def _of(answer: Structure, bricks: Sequence[Brick]) -> Structure:
    return answer.model_copy(update={"bricks": tuple(bricks)})
