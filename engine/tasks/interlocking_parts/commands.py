"""What can be done to the parts of a cage: the commands of editors, agents and other programs. Lengths in mm.

Programs in parts are never run here: whoever sends one learns only from the verdict what it makes, where that may run
programs. The solid of a part is changed in the part's own frame, as printed: u, v on the bed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import AnswerError, Instance, Number, WholeNumber
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList
from spatial_workbench.engine.core.acting.elements import Numbers, chosen
from spatial_workbench.engine.core.acting.retelling import ways_of_list
from spatial_workbench.engine.core.reading.limits import MAX_TEXT_CHARS
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.interlocking_parts.answer import IDENTITY, MAX_PARTS, Form, Part, Parts
from spatial_workbench.engine.tasks.interlocking_parts.cage import Cage
from spatial_workbench.engine.tasks.interlocking_parts.drawing import matrix_of
from spatial_workbench.engine.tasks.interlocking_parts.editing import (
    CageBox,
    CageEditError,
    Hole,
    bounds_of,
    changed,
    grid_panel,
    mirrored,
    opposite,
    placed,
    pose_of,
    turned,
)
from spatial_workbench.engine.tasks.interlocking_parts.solver import standing

commands = CommandList()

FARTHEST_MM = 10_000.0
LEAST_PITCH_MM = 1.0
MOST_BARS = 400
SHOWN_CHARS = 2000
"""Longer contents are left out of the state."""
Mm = Annotated[Number, Field(ge=-FARTHEST_MM, le=FARTHEST_MM)]
Side = Annotated[Number, Field(gt=0, le=FARTHEST_MM)]
PartNumber = Annotated[WholeNumber, Field(ge=0, lt=MAX_PARTS)]
FileType = Literal["STL", "OpenSCAD", "Python Generating OpenSCAD", "Python Generating STL"]
Contents = Annotated[str, Field(max_length=MAX_TEXT_CHARS, json_schema_extra={"rows": 6})]


class PartPlace(CommandArguments):
    """A place in the assembly."""

    x_mm: Mm = Field(default=0.0, description="where the origin of the part's frame is, along x")
    y_mm: Mm = Field(default=0.0, description="along y")
    z_mm: Mm = Field(default=0.0, description="along z")
    turn_x_deg: Number = Field(default=0.0, description="turn about the assembly's x axis, the first of three turns")
    turn_y_deg: Number = Field(default=0.0, description="turn about its y axis, the second")
    turn_z_deg: Number = Field(default=0.0, description="turn about its z axis, the third")

    transform: Annotated[tuple[Number, ...], Field(strict=False, min_length=16, max_length=16)] | None = Field(
        default=None, description="4 x 4 matrix, row by row, as answers list it; in place of the position and the turns"
    )

    @property
    def matrix(self) -> Floats:
        """The transform (4, 4)."""
        if self.transform is not None:
            return np.array(self.transform).reshape(4, 4)
        return placed((self.x_mm, self.y_mm, self.z_mm), (self.turn_x_deg, self.turn_y_deg, self.turn_z_deg))


class PartSource(CommandArguments):
    """The source of a part."""

    contents: Contents = Field(description="the solid in mm, in the form that file_type names")
    file_type: FileType = Field(description="what the contents are")


class NewPart(PartPlace, PartSource):
    """A part with its source and its place."""


class PanelSize(CommandArguments):
    """A flat grid of bars."""

    across_mm: Side = Field(description="length along u")
    up_mm: Side = Field(description="length along v")
    pitch_mm: Annotated[Number, Field(ge=LEAST_PITCH_MM, le=FARTHEST_MM)] = Field(
        description="about how far apart the middles of bars are"
    )


class NewPanel(PartPlace, PanelSize):
    """A flat grid of bars and its place."""


class ChosenParts(CommandArguments):
    """Some parts."""

    parts: Numbers = Field(description="ids of parts")


class MovedParts(ChosenParts):
    """A step of some parts."""

    x_mm: Mm = Field(default=0.0, description="step along x")
    y_mm: Mm = Field(default=0.0, description="step along y")
    z_mm: Mm = Field(default=0.0, description="step along z")


class TurnedParts(ChosenParts):
    """A turn of some parts."""

    axis: Literal["x", "y", "z"] = Field(description="direction of the axis, through the middle of the box around them")
    turn_deg: Number = Field(description="how far, counter-clockwise as seen against the axis")


class StoodParts(ChosenParts):
    """A face of the cage."""

    face: Literal["south", "north", "east", "west", "bottom", "top"] = Field(description="face of the cage")
    height_mm: Mm = Field(
        default=0.0, description="z of the part's origin; on south, north, east and west that is a panel's middle"
    )


class PutPart(PartPlace):
    """A part and its place."""

    part: PartNumber = Field(description="id of the part")


class OnePart(CommandArguments):
    """A part."""

    part: PartNumber = Field(description="id of the part")


class ChangedPart(OnePart):
    """A part whose solid changes."""

    alike: bool = Field(default=True, description="whether parts with the same contents change, too")


class EditedSource(PartSource, ChangedPart):
    """The new source of a part."""


class ChangedBox(ChangedPart):
    """A rectangle on the bed that becomes bar or air."""

    u_low_mm: Mm = Field(description="its lower end along u")
    v_low_mm: Mm = Field(description="its lower end along v")
    u_high_mm: Mm = Field(description="its upper end along u")
    v_high_mm: Mm = Field(description="its upper end along v")
    adds: bool = Field(description="true: adds a bar there; false: cuts away what is there")


class HoleForRod(ChangedPart):
    """A hole."""

    kind: Literal["round", "hexagonal", "teardrop"] = Field(
        description="round: upright, at u and v; hexagonal, teardrop: lying along v, at u"
    )
    u_mm: Mm = Field(description="where, along u")
    v_mm: Mm = Field(default=0.0, description="where, along v; only for a round one")


@commands.add("New part", NewPart)
def place(instance: Instance, answer: Parts, given: NewPart) -> Parts:
    """Adds a part from its source."""
    part = Part(fileContents=given.contents, fileType=given.file_type, transform=IDENTITY)
    return _with(answer, [part.placed(given.matrix)])


@commands.add("New panel", NewPanel)
def panel(instance: Instance, answer: Parts, given: NewPanel) -> Parts:
    """Adds a flat grid of bars, centred, with bars along its edges."""
    if (given.across_mm + given.up_mm) / given.pitch_mm > MOST_BARS:
        raise AnswerError(f"That would be more than {MOST_BARS} bars", ("pitch_mm",))
    with _refusals():
        text = grid_panel(_cage(instance), given.across_mm, given.up_mm, given.pitch_mm)
    return _with(answer, [Part(fileContents=text, fileType=Form.STL, transform=IDENTITY).placed(given.matrix)])


@commands.add("Move parts", MovedParts)
def move(instance: Instance, answer: Parts, given: MovedParts) -> Parts:
    """Moves parts by a step."""
    numbers = _numbers(answer, given)
    return _at(answer, {i: _lifted(given) @ matrix_of(answer.parts[i]) for i in numbers})


@commands.add("Turn parts", TurnedParts)
def turn(instance: Instance, answer: Parts, given: TurnedParts) -> Parts:
    """Turns parts together about the middle of the box around them."""
    numbers = _numbers(answer, given)
    box = bounds_of(answer.parts[i] for i in numbers)
    if box is None:
        raise AnswerError("None of these parts has a mesh yet, so that they have no middle; use put", ("parts",))
    middle = (box[0] + box[1]) / 2
    axis = "xyz".index(given.axis)
    return _at(answer, {i: turned(matrix_of(answer.parts[i]), axis, given.turn_deg, middle) for i in numbers})


@commands.add("Place part", PutPart)
def put(instance: Instance, answer: Parts, given: PutPart) -> Parts:
    """Puts a part at a place, by position and angles."""
    return _at(answer, {_number(answer, given.part): given.matrix})


@commands.add("Stand on a face", StoodParts)
def stand(instance: Instance, answer: Parts, given: StoodParts) -> Parts:
    """Stands parts on a face of the cage."""
    matrix = standing(_cage(instance), given.face, given.height_mm)
    return _at(answer, dict.fromkeys(_numbers(answer, given), matrix))


@commands.add("Delete parts", ChosenParts)
def delete(instance: Instance, answer: Parts, given: ChosenParts) -> Parts:
    """Deletes parts; the ids of later ones become smaller."""
    gone = set(_numbers(answer, given))
    return _of(answer, [part for i, part in enumerate(answer.parts) if i not in gone])


@commands.add("Duplicate", MovedParts)
def duplicate(instance: Instance, answer: Parts, given: MovedParts) -> Parts:
    """Adds copies of parts, a step away."""
    parts = [answer.parts[i] for i in _numbers(answer, given)]
    return _with(answer, [part.placed(_lifted(given) @ matrix_of(part)) for part in parts])


@commands.add("Copy to the opposite side", ChosenParts)
def copy_opposite(instance: Instance, answer: Parts, given: ChosenParts) -> Parts:
    """Adds copies of parts on the opposite side of the cage."""
    parts = [answer.parts[i] for i in _numbers(answer, given)]
    return _with(answer, [part.placed(opposite(matrix_of(part))) for part in parts])


@commands.add("Mirror as a new part", OnePart)
def mirror(instance: Instance, answer: Parts, given: OnePart) -> Parts:
    """Adds the mirror image (u to -u) of a part, in the same place."""
    part = answer.parts[_number(answer, given.part)]
    with _refusals():
        text = mirrored(part)
    return _with(answer, [part.model_copy(update={"fileContents": text, "fileType": Form.STL.value})])


@commands.add("Change shape", ChangedBox)
def box(instance: Instance, answer: Parts, given: ChangedBox) -> Parts:
    """Adds a bar to a part, or cuts a box out of it."""
    bounds = (given.u_low_mm, given.v_low_mm, given.u_high_mm, given.v_high_mm)
    if not (bounds[0] < bounds[2] and bounds[1] < bounds[3]):
        raise AnswerError("Each upper end has to be above the lower one", ("u_high_mm",))
    return _changed(instance, answer, given, CageBox(bounds, given.adds))


@commands.add("Hole", HoleForRod)
def hole(instance: Instance, answer: Parts, given: HoleForRod) -> Parts:
    """Makes a hole for a rod in a part."""
    return _changed(instance, answer, given, Hole(given.kind, (given.u_mm, given.v_mm)))


@commands.add("Edit source", EditedSource)
def edit(instance: Instance, answer: Parts, given: EditedSource) -> Parts:
    """Replaces the source of a part."""
    return _replaced(answer, given, given.contents, given.file_type)


def summary(answer: Parts) -> Mapping[str, Any]:
    """The parts with their ids and places; contents that are long are left out."""
    return {"parts": [_row(i, part) for i, part in enumerate(answer.parts)]}


@commands.leading
def calls_between(instance: Instance, before: Parts, after: Parts) -> Iterator[Sequence[Call]]:
    """Calls that put parts elsewhere, change their sources, or delete and add them."""
    old, new = before.parts, after.parts

    def source(part: Part) -> dict[str, Any]:
        return {"contents": part.fileContents, "file_type": part.fileType}

    def change(numbers: list[int]) -> Iterator[Sequence[Call]]:
        yield [("edit", {"part": numbers[0], **source(new[numbers[0]])})]
        one_by_one: list[Call] = []
        for k in numbers:
            if source(old[k]) != source(new[k]):
                one_by_one.append(("edit", {"part": k, "alike": False, **source(new[k])}))
            if old[k].transform != new[k].transform:
                one_by_one.append(("put", {"part": k, **_place_of(new[k])}))
        yield one_by_one

    yield from ways_of_list(
        old,
        new,
        lambda gone: ("delete", {"parts": gone}),
        lambda rest: [("place", {**source(part), **_place_of(part)}) for part in rest],
        change,
    )


def _place_of(part: Part) -> dict[str, Any]:
    """The place of a part as arguments: position and angles where they say it to the last digit, else the matrix."""
    position, angles = pose_of(matrix_of(part))
    if part.placed(placed(position, angles)).transform != part.transform:
        return {"transform": list(part.transform)}
    return {
        **{f"{axis}_mm": value for axis, value in zip("xyz", position, strict=True)},
        **{f"turn_{axis}_deg": angle for axis, angle in zip("xyz", angles, strict=True)},
    }


def _row(number: int, part: Part) -> dict[str, Any]:
    position, angles = pose_of(matrix_of(part))
    length = len(part.fileContents)
    shown = {"contents": part.fileContents} if length <= SHOWN_CHARS else {"contents_characters": length}
    return {"id": number, "file_type": part.fileType, "position_mm": position, "turns_deg": angles, **shown}


def _cage(instance: Instance) -> Cage:
    return Cage.of(instance.parameters)


def _changed(instance: Instance, answer: Parts, given: ChangedPart, change: CageBox | Hole) -> Parts:
    part = answer.parts[_number(answer, given.part)]
    with _refusals():
        return _replaced(answer, given, changed(_cage(instance), part, change), Form.STL.value)


def _replaced(answer: Parts, given: ChangedPart, contents: str, file_type: str) -> Parts:
    """The parts with other contents in one, and in those that are alike."""
    number = _number(answer, given.part)
    old = answer.parts[number]
    parts = list(answer.parts)
    for i, part in enumerate(parts):
        is_alike = (part.fileContents, part.fileType) == (old.fileContents, old.fileType)
        if i == number or (given.alike and is_alike):
            parts[i] = part.model_copy(update={"fileContents": contents, "fileType": file_type})
    return _of(answer, parts)


@contextmanager
def _refusals() -> Iterator[None]:
    """Makes what cannot be made an AnswerError."""
    try:
        yield
    except CageEditError as error:
        raise AnswerError(str(error)) from None


def _numbers(answer: Parts, given: ChosenParts) -> tuple[int, ...]:
    return chosen(given.parts, len(answer.parts), "part", "parts")


def _number(answer: Parts, number: int) -> int:
    """The number of a part that exists."""
    if number >= len(answer.parts):
        raise AnswerError(f"There is no part {number}; there are {len(answer.parts)}, counted from 0", ("part",))
    return number


def _lifted(given: MovedParts) -> Floats:
    lift = np.eye(4)
    lift[:3, 3] = given.x_mm, given.y_mm, given.z_mm
    return lift


def _at(answer: Parts, matrices: Mapping[int, Floats]) -> Parts:
    parts = list(answer.parts)
    for number, matrix in matrices.items():
        parts[number] = parts[number].placed(matrix)
    return _of(answer, parts)


def _with(answer: Parts, new: Sequence[Part]) -> Parts:
    if len(answer.parts) + len(new) > MAX_PARTS:
        raise AnswerError(f"That would be more than {MAX_PARTS} parts")
    return _of(answer, [*answer.parts, *new])


def _of(answer: Parts, parts: Sequence[Part]) -> Parts:
    return answer.model_copy(update={"parts": tuple(parts)})
