"""What can be done to an arrangement: the commands of editors, agents and other programs.

Lengths are in edges of a tetrahedron. Pieces may share volume: that is for the verdict to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import AnswerError, Instance, Number, WholeNumber
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList, NoArguments
from spatial_workbench.engine.core.acting.elements import Numbers, chosen
from spatial_workbench.engine.core.acting.retelling import ways_of_list
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.tetrahedra_shadow.answer import (
    MAX_PIECES,
    Tetrahedra,
    Tetrahedron,
    pieces_at,
    poses_of,
)
from spatial_workbench.engine.tasks.tetrahedra_shadow.editing import (
    centered_at,
    mirrored,
    moved,
    on_ground,
    ring_copies,
    row_copies,
    tidy,
    turned,
)
from spatial_workbench.engine.tasks.tetrahedra_shadow.presets import pose_of, settled, stacked
from spatial_workbench.engine.tasks.tetrahedra_shadow.solid import normalised

commands = CommandList()

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
Count = Annotated[WholeNumber, Field(ge=2, le=MAX_PIECES)]


class LaidTetrahedron(CommandArguments):
    """A tetrahedron with a simple shadow, and where its middle is."""

    orientation: Literal["triangle", "square", "wedge"] = Field(
        description="triangle: on a face, shadow of side 1; square: two edges level, shadow of side 0.707; wedge: an "
        "edge upright, shadow 1 wide and 0.707 high"
    )
    x: Number = Field(description="x of its middle")
    y: Number = Field(description="y of its middle")
    turn_deg: Number = Field(default=0.0, description="turn about z")
    stacks: bool = Field(default=True, description="on the lowest level where it meets no other; else on the ground")


class ChosenTetrahedra(CommandArguments):
    """Some tetrahedra."""

    tetrahedrons: Numbers = Field(description="ids of tetrahedra")


class MovedTetrahedra(ChosenTetrahedra):
    """A step of some tetrahedra."""

    x: Number = Field(default=0.0, description="step along x")
    y: Number = Field(default=0.0, description="step along y")
    z: Number = Field(default=0.0, description="step upwards")


class TurnedTetrahedra(ChosenTetrahedra):
    """A turn of some tetrahedra."""

    axis: Literal["x", "y", "z"] = Field(description="direction of the axis, which goes through their common middle")
    turn_deg: Number = Field(description="how far, counter-clockwise as seen against the axis")


class MirroredTetrahedra(ChosenTetrahedra):
    """Mirror images of some tetrahedra."""

    across: Literal["x", "y"] = Field(description="x: images at x = 0; y: images at y = 0")


class TetrahedraInRow(ChosenTetrahedra):
    """Rows of copies of some tetrahedra."""

    count: Count = Field(description="how many there are in the row, the tetrahedra themselves included")
    x: Number = Field(default=0.0, description="step along x from one to the next")
    y: Number = Field(default=0.0, description="step along y")


class TetrahedraInRing(ChosenTetrahedra):
    """Copies of some tetrahedra around the origin."""

    count: Count = Field(description="how many there are in the ring, the tetrahedra themselves included")


class PlacedTetrahedron(CommandArguments):
    """A tetrahedron as an answer lists it."""

    x: Number = Field(description="translation along x, after the rotation")
    y: Number = Field(description="translation along y")
    z: Number = Field(default=0.0, description="translation along z")
    q0: Number = Field(default=1.0, description="scalar part of the unit quaternion")
    q1: Number = Field(default=0.0, description="x of the quaternion's vector part")
    q2: Number = Field(default=0.0, description="y of the quaternion's vector part")
    q3: Number = Field(default=0.0, description="z of the quaternion's vector part")


@commands.add("Place tetrahedron", PlacedTetrahedron)
def place(instance: Instance, answer: Tetrahedra, given: PlacedTetrahedron) -> Tetrahedra:
    """Places a tetrahedron by its translation and quaternion, as an answer lists it."""
    return _with(answer, [Tetrahedron(**given.model_dump())])


@commands.add("Lay tetrahedron", LaidTetrahedron)
def lay(instance: Instance, answer: Tetrahedra, given: LaidTetrahedron) -> Tetrahedra:
    """Places a tetrahedron with a simple shadow by its middle."""
    pose = tidy(centered_at(pose_of(given.orientation, 0.0, 0.0, given.turn_deg), given.x, given.y)[None])
    others = poses_of(answer.tetrahedrons)
    return _with(answer, pieces_at(settled(others, pose) if given.stacks else on_ground(pose)))


@commands.add("Move tetrahedra", MovedTetrahedra)
def move(instance: Instance, answer: Tetrahedra, given: MovedTetrahedra) -> Tetrahedra:
    """Moves tetrahedra by a step."""
    numbers, poses = _poses(answer, given)
    return _replaced(answer, numbers, moved(poses, (given.x, given.y, given.z)))


@commands.add("Turn tetrahedra", TurnedTetrahedra)
def turn(instance: Instance, answer: Tetrahedra, given: TurnedTetrahedra) -> Tetrahedra:
    """Turns tetrahedra together."""
    numbers, poses = _poses(answer, given)
    return _replaced(answer, numbers, turned(poses, AXES[given.axis], given.turn_deg))


@commands.add("Delete tetrahedra", ChosenTetrahedra)
def delete(instance: Instance, answer: Tetrahedra, given: ChosenTetrahedra) -> Tetrahedra:
    """Deletes tetrahedra; the ids of later ones become smaller."""
    gone = set(chosen(given.tetrahedrons, len(answer.tetrahedrons), "tetrahedron", "tetrahedrons"))
    return _of(answer, [piece for k, piece in enumerate(answer.tetrahedrons) if k not in gone])


@commands.add("Copy tetrahedra", MovedTetrahedra)
def duplicate(instance: Instance, answer: Tetrahedra, given: MovedTetrahedra) -> Tetrahedra:
    """Adds copies of tetrahedra, a step away."""
    _, poses = _poses(answer, given)
    return _with(answer, pieces_at(moved(poses, (given.x, given.y, given.z))))


@commands.add("Mirror tetrahedra", MirroredTetrahedra)
def mirror(instance: Instance, answer: Tetrahedra, given: MirroredTetrahedra) -> Tetrahedra:
    """Adds the mirror images of tetrahedra."""
    _, poses = _poses(answer, given)
    return _with(answer, pieces_at(mirrored(poses, "xy".index(given.across))))


@commands.add("Repeat in a row", TetrahedraInRow)
def row(instance: Instance, answer: Tetrahedra, given: TetrahedraInRow) -> Tetrahedra:
    """Adds copies of tetrahedra in a row."""
    _, poses = _poses(answer, given)
    _require_room(answer, len(poses) * (given.count - 1))
    return _with(answer, pieces_at(row_copies(poses, given.count, (given.x, given.y))))


@commands.add("Repeat in a ring", TetrahedraInRing)
def ring(instance: Instance, answer: Tetrahedra, given: TetrahedraInRing) -> Tetrahedra:
    """Adds copies of tetrahedra evenly around the origin."""
    _, poses = _poses(answer, given)
    _require_room(answer, len(poses) * (given.count - 1))
    return _with(answer, pieces_at(ring_copies(poses, given.count)))


@commands.add("Restack", NoArguments)
def restack(instance: Instance, answer: Tetrahedra, given: NoArguments) -> Tetrahedra:
    """Moves all tetrahedra to the lowest levels on which none meet."""
    return _of(answer, pieces_at(stacked(on_ground(poses_of(answer.tetrahedrons)))))


@commands.add("Normalise", NoArguments)
def normalise(instance: Instance, answer: Tetrahedra, given: NoArguments) -> Tetrahedra:
    """Gives all quaternions the length 1."""
    return _of(answer, pieces_at(normalised(poses_of(answer.tetrahedrons))))


@commands.leading
def calls_between(instance: Instance, before: Tetrahedra, after: Tetrahedra) -> Iterator[Sequence[Call]]:
    """Calls that move tetrahedra, or delete and place them."""
    old, new = before.tetrahedrons, after.tetrahedrons

    def change(numbers: list[int]) -> Iterator[Sequence[Call]]:
        first, later = old[numbers[0]], new[numbers[0]]
        step = {axis: round(getattr(later, axis) - getattr(first, axis), 9) for axis in "xyz"}
        yield [("move", {"tetrahedrons": numbers, **step})]
        yield [("restack", {})]
        yield [("normalise", {})]

    yield from ways_of_list(
        old,
        new,
        lambda gone: ("delete", {"tetrahedrons": gone}),
        lambda rest: [("place", piece.model_dump()) for piece in rest],
        change,
    )


def _poses(answer: Tetrahedra, given: ChosenTetrahedra) -> tuple[tuple[int, ...], Floats]:
    """The numbers of the chosen tetrahedra and their poses, (n, 7)."""
    numbers = chosen(given.tetrahedrons, len(answer.tetrahedrons), "tetrahedron", "tetrahedrons")
    return numbers, poses_of(answer.tetrahedrons[k] for k in numbers)


def _replaced(answer: Tetrahedra, numbers: Sequence[int], poses: Floats) -> Tetrahedra:
    pieces = list(answer.tetrahedrons)
    for number, piece in zip(numbers, pieces_at(np.asarray(poses)), strict=True):
        pieces[number] = piece
    return _of(answer, pieces)


def _with(answer: Tetrahedra, new: Sequence[Tetrahedron]) -> Tetrahedra:
    _require_room(answer, len(new))
    return _of(answer, [*answer.tetrahedrons, *new])


def _require_room(answer: Tetrahedra, count: int) -> None:
    if len(answer.tetrahedrons) + count > MAX_PIECES:
        raise AnswerError(f"That would be more than {MAX_PIECES} tetrahedra")


def _of(answer: Tetrahedra, pieces: Sequence[Tetrahedron]) -> Tetrahedra:
    return answer.model_copy(update={"tetrahedrons": tuple(pieces)})
