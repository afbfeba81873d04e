"""The answer: the cells that are filled."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, WithJsonSchema

from spatial_workbench.engine.core import AnswerError, AnswerPart, Integer, Number, ReasonedAnswer, at_most
from spatial_workbench.engine.core.formats.jsontext import Path

MAX_VOXELS = 20_000
_NAMES = {"x", "y", "z", "xyz"}
WHOLE = 1e-9
"""A number this close to a whole number counts as that number."""

Cell = tuple[int, int, int]
Value = int | float
Place = tuple[Value, Value, Value] | Value
"""Coordinates, or one number that counts the cells along x, then y, then z."""


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


Coordinates = Annotated[
    tuple[Integer | Number, Integer | Number, Integer | Number] | Integer | Number,
    BeforeValidator(_tuple),
    WithJsonSchema({"type": "array", "items": {"type": "integer"}, "minItems": 3, "maxItems": 3}),
]


class Voxel(AnswerPart):
    """One filled cell."""

    xyz: Coordinates = Field(description="x, y, z: whole numbers from 0 to N - 1")


class FilledVoxels(ReasonedAnswer):
    """The filled cells."""

    # What the schema has always called it.
    model_config = ConfigDict(title="Voxels")

    voxels: Annotated[tuple[Voxel, ...], at_most(MAX_VOXELS, "voxels")] = Field(
        description="The filled cells, in any order"
    )

    @classmethod
    def of(cls, cells: Iterable[Sequence[int]], reasoning: str = "") -> "FilledVoxels":
        """The answer that fills these cells."""
        return cls.model_construct(
            reasoning=reasoning,
            voxels=tuple(Voxel.model_construct(xyz=(int(x), int(y), int(z))) for x, y, z in cells),
        )

    @classmethod
    def prepare(cls, data: Any, warn: Callable[[str], None]) -> Any:
        """Also accepts other spellings of a cell: [x, y, z], {"x", "y", "z"}, "x,y,z", or a single number."""
        voxels = data.get("voxels") if isinstance(data, dict) else None
        if not isinstance(voxels, list | tuple):
            raise AnswerError("voxels must be a list", ("voxels",))
        if len(voxels) > MAX_VOXELS:
            raise AnswerError(f"Too many voxels (limit {MAX_VOXELS})", ("voxels",))
        places = [_place(entry) for entry in voxels]
        strange = [i for i, entry in enumerate(voxels) if isinstance(entry, dict) and entry.keys() - _NAMES]
        if strange:
            warn(f"Fields of voxels other than x, y and z were ignored (the first: voxels[{strange[0]}])")
        bad = [i for i, place in enumerate(places) if place is None]
        if bad:
            raise AnswerError(bad_entry(bad[0], voxels[bad[0]], len(bad)), ("voxels", bad[0]))
        return {**data, "voxels": [{"xyz": place} for place in places]}

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        if len(path) > 1 and path[0] == "voxels":
            return f"Entry {path[1]} is not a cell of the grid"
        return None


def bad_entry(number: int, entry: Any, count: int, n: int | None = None) -> str:
    """A sentence about the first of several entries that are not cells of a grid, of n x n x n if that is known."""
    shown = str(entry if not isinstance(entry, dict) else entry.get("xyz", entry))
    more = f" (and {count - 1} more)" if count > 1 else ""
    shown = shown if len(shown) <= 40 else f"{shown[:37]}..."
    grid = "the grid" if n is None else f"the {n}-grid"
    return f"Entry {number}: {shown} is not a cell of {grid}{more}"


def cell_of(voxel: Voxel, n: int) -> Cell | None:
    """The cell of the grid of n x n x n that an entry means, or None if it means none."""
    place = voxel.xyz
    if not isinstance(place, tuple):
        if not _is_whole(place) or not 0 <= place < n**3:
            return None
        number = round(place)
        return number % n, number // n % n, number // n**2
    if not all(_is_whole(value) and 0 <= value < n for value in place):
        return None
    x, y, z = (int(value) for value in place)
    return x, y, z


def _place(entry: Any) -> Place | None:
    """What an entry in any of the spellings says; None if it cannot be read."""
    if isinstance(entry, dict):
        if entry.keys() >= {"x", "y", "z"}:
            return _triple([entry["x"], entry["y"], entry["z"]])
        entry = entry.get("xyz")
    if isinstance(entry, str):
        return _triple([_number(part) for part in entry.split(",")])
    if isinstance(entry, list | tuple):
        return _triple(entry)
    return _tidy(entry) if _is_number(entry) else None


def _triple(values: Sequence[Any]) -> Place | None:
    if len(values) != 3 or not all(map(_is_number, values)):
        return None
    x, y, z = map(_tidy, values)
    return x, y, z


def _number(text: str) -> Any:
    try:
        return float(text) if len(text) < 40 else None
    except ValueError:
        return None


def _is_number(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and (isinstance(value, int) or math.isfinite(value))


def _is_whole(value: Value) -> bool:
    return value == int(value)


def _tidy(value: Value) -> Value:
    """The whole number that a number stands for, else the number."""
    if isinstance(value, float) and abs(value) < 1e15 and abs(value - round(value)) <= WHOLE:
        return round(value)
    return value
