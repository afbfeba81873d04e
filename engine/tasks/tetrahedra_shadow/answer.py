"""The answer: where each tetrahedron is, and how it is turned."""

from collections.abc import Iterable
from typing import Annotated

import numpy as np
from pydantic import Field, model_validator

from spatial_workbench.engine.core.answer import AnswerPart, Number, ReasonedAnswer, at_most
from spatial_workbench.engine.core.formats.jsontext import Path
from spatial_workbench.engine.core.scene import Floats

MAX_PIECES = 2000
ZERO_LENGTH = 1e-6
"""A quaternion shorter than this has no direction."""

NOTHING_GIVEN = "No tetrahedrons given"


class Tetrahedron(AnswerPart):
    """One unit tetrahedron: turned about its corner at the origin, then moved."""

    x: Number = Field(description="Translation along x, after the rotation")
    y: Number = Field(description="Translation along y")
    z: Number = Field(description="Translation along z")
    q0: Number = Field(description="Scalar part of the unit quaternion")
    q1: Number = Field(description="x of the quaternion's vector part")
    q2: Number = Field(description="y of the quaternion's vector part")
    q3: Number = Field(description="z of the quaternion's vector part")

    @model_validator(mode="after")
    def _has_direction(self) -> "Tetrahedron":
        if self.q0**2 + self.q1**2 + self.q2**2 + self.q3**2 < ZERO_LENGTH**2:
            raise ValueError("zero quaternion")
        return self


class Tetrahedra(ReasonedAnswer):
    """The tetrahedra of an arrangement."""

    tetrahedrons: Annotated[tuple[Tetrahedron, ...], at_most(MAX_PIECES, "tetrahedrons")] = Field(
        description="The tetrahedra, in any order"
    )

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        if not path or path[0] != "tetrahedrons":
            return None
        if len(path) == 1:
            return None if kind == "value_error" else NOTHING_GIVEN
        if len(path) == 2:
            return f"Tetrahedron {path[1]}: {message if kind == 'value_error' else 'must be an object'}"
        return f"Tetrahedron {path[1]}: field {path[2]} must be a finite number"


def poses_of(pieces: Iterable[Tetrahedron]) -> Floats:
    """The poses x, y, z, q0, q1, q2, q3 as they were given: (n, 7)."""
    rows = [(p.x, p.y, p.z, p.q0, p.q1, p.q2, p.q3) for p in pieces]
    return np.array(rows, dtype=float).reshape(-1, 7)


def pieces_at(poses: Floats) -> tuple[Tetrahedron, ...]:
    """Tetrahedra at poses (n, 7)."""
    names = ("x", "y", "z", "q0", "q1", "q2", "q3")
    return tuple(Tetrahedron(**dict(zip(names, row, strict=True))) for row in np.asarray(poses, float).tolist())
