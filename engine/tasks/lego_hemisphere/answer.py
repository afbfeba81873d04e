"""The answer: a list of bricks."""

from collections.abc import Callable, Iterable
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from spatial_workbench.engine.core import AnswerError, Number, ReasonedAnswer, at_most
from spatial_workbench.engine.core.formats.jsontext import Path
from spatial_workbench.engine.core.scene import Floats

MAX_BRICKS = 5000

Position = Annotated[
    tuple[Number, Number, Number],
    Field(strict=False),
    WithJsonSchema({"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3}),
]


class Brick(BaseModel):
    """One 2 x 4 brick."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)

    Centroid: Position = Field(description="x, y, z of the centre of the 32 x 16 x 9.6 mm brick, in mm")
    RotationDegrees: Number = Field(description="Turn about +z in degrees; 0: long side along x")

    @classmethod
    def at(cls, x: float, y: float, z: float, angle_deg: float = 0.0) -> "Brick":
        """A brick by its centre in mm and its turn in degrees."""
        return cls(Centroid=(float(x), float(y), float(z)), RotationDegrees=float(angle_deg))


class Structure(ReasonedAnswer):
    """The bricks of a structure."""

    bricks: Annotated[tuple[Brick, ...], at_most(MAX_BRICKS, "bricks")] = Field(description="The bricks, in any order")

    @classmethod
    def prepare(cls, data: Any, warn: Callable[[str], None]) -> Any:
        """Refuses what is not a list of bricks."""
        bricks = data.get("bricks") if isinstance(data, dict) else None
        if not isinstance(bricks, list | tuple):
            raise AnswerError("No brick list found", ("bricks",))
        if len(bricks) > MAX_BRICKS:
            raise AnswerError(f"Too many bricks (limit {MAX_BRICKS})", ("bricks",))
        return data

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        if len(path) < 2 or path[0] != "bricks":
            return None
        if "Centroid" in path:
            return f"Brick {path[1]}: Centroid must be three finite numbers"
        if "RotationDegrees" in path:
            return f"Brick {path[1]}: RotationDegrees must be a finite number"
        return f"Brick {path[1]} must be an object with Centroid and RotationDegrees"


def poses_of(bricks: Iterable[Brick]) -> Floats:
    """The poses x, y, z in mm and the turn in degrees: (n, 4)."""
    rows = [(*brick.Centroid, brick.RotationDegrees) for brick in bricks]
    return np.array(rows, dtype=float).reshape(-1, 4)


def bricks_at(poses: Floats) -> tuple[Brick, ...]:
    """Bricks at poses (n, 4)."""
    return tuple(Brick.at(*pose) for pose in poses.tolist())
