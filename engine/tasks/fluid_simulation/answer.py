"""The answer of fluid_simulation: a list of earthworks.

Entries that are not operations are skipped with a warning; numbers that are written as text are refused, as in all
tasks.
"""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr

from spatial_workbench.engine.core import AnswerError, ReasonedAnswer, WholeNumber, at_most
from spatial_workbench.engine.tasks.fluid_simulation.world import FluidBox

MAX_OPERATIONS = 10_000

Pair = BeforeValidator(lambda value: tuple(value) if isinstance(value, list) else value)
CornerField = Annotated[tuple[WholeNumber, WholeNumber, WholeNumber], Pair]


class Operation(BaseModel):
    """A box of voxels that becomes rock or air."""

    model_config = ConfigDict(frozen=True, strict=True)

    xyzMin: CornerField = Field(description="Lowest x, y, z of the box")
    xyzMax: CornerField = Field(description="Highest x, y, z of the box, included")
    material: Literal["Rock", "Air"]

    _index: int | None = PrivateAttr(default=None)
    """Index in the list as it was given, if it differs from the index in the answer."""

    @classmethod
    def of(cls, box: FluidBox) -> "Operation":
        """The operation that fills or digs a box."""
        return cls(xyzMin=box.low, xyzMax=box.high, material="Rock" if box.rock else "Air")

    @property
    def box(self) -> FluidBox:
        """The box that it fills or digs."""
        return FluidBox(self.xyzMin, self.xyzMax, self.material == "Rock")


class Earthworks(ReasonedAnswer):
    """Earthworks carried out in order before the rain; later ones override earlier ones."""

    earthworks: Annotated[tuple[Operation, ...], at_most(MAX_OPERATIONS, "operations")]

    @classmethod
    def prepare(cls, data: Any, warn: Callable[[str], None]) -> Any:
        """Leaves out unreadable operations, with a warning for each."""
        listed = data.get("earthworks") if isinstance(data, dict) else None
        if not isinstance(listed, list | tuple):
            return data
        if len(listed) > MAX_OPERATIONS:
            raise AnswerError(f"Too many operations (limit {MAX_OPERATIONS})", ("earthworks",))
        readable: list[Operation] = []
        for i, entry in enumerate(listed):
            if isinstance(entry, Operation):
                readable.append(entry)
            elif place := written_as_text(entry):
                raise AnswerError(f"earthworks[{i}].{place} must be numbers, not text", ("earthworks", i, place))
            elif reason := misread(entry):
                warn(skipped(i, reason))
            else:
                readable.append(_read(entry, i, len(readable)))
        return {**data, "earthworks": readable}

    def within(self, n: int) -> tuple[list[FluidBox], list[tuple[int, str]]]:
        """The boxes that are possible in a world of n x n columns, and index and reason for each of the others."""
        boxes: list[FluidBox] = []
        faults: list[tuple[int, str]] = []
        for place, operation in enumerate(self.earthworks):
            box = operation.box
            if fault := box.fault(n):
                faults.append((place if operation._index is None else operation._index, fault))
            else:
                boxes.append(box)
        return boxes, faults


def skipped(index: int, reason: str) -> str:
    """The warning about a skipped operation."""
    return f"operation {index} is skipped: {reason}"


def written_as_text(entry: Any) -> str:
    """The corner of an operation whose coordinates are written as text, which no task reads as numbers; else empty."""
    corners = {key: entry.get(key) for key in ("xyzMin", "xyzMax")} if isinstance(entry, dict) else {}
    for key, corner in corners.items():
        values = corner if isinstance(corner, list | tuple) else [corner]
        if any(isinstance(value, str) for value in values):
            return key
    return ""


def misread(entry: Any) -> str:
    """Why an entry of the list is not an operation; empty if it is one."""
    if not isinstance(entry, dict):
        return "it is not an object"
    for key in ("xyzMin", "xyzMax"):
        corner = entry.get(key)
        if not isinstance(corner, list | tuple) or len(corner) != 3:
            return f"{key} has to be three coordinates"
        if not all(map(_is_whole, corner)):
            return f"{key} has to be whole numbers"
    if entry.get("material") not in ("Rock", "Air"):
        return 'material has to be "Rock" or "Air"'
    return ""


def _read(entry: dict[str, Any], index: int, place: int) -> Operation:
    operation = Operation.model_validate({key: entry[key] for key in ("xyzMin", "xyzMax", "material")})
    if index != place:
        operation._index = index
    return operation


def _is_whole(value: Any) -> bool:
    return not isinstance(value, bool) and (isinstance(value, int) or (isinstance(value, float) and value.is_integer()))
