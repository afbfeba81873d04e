"""The answer: one polyhedron with polygonal faces, and its reader."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import Answer, AnswerPart, Integer, Number, at_most
from spatial_workbench.engine.core.formats.jsontext import Path
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.geometry.polyhedron import Face

MAX_ELEMENTS = 20_000
"""How many vertices, and how many faces, an answer may have; see docs/tasks/csg_union.md."""


def _three(values: Iterable[float]) -> tuple[float, float, float]:
    x, y, z = values
    return float(x), float(y), float(z)


class Vertex(AnswerPart):
    """A vertex."""

    xyz: Annotated[tuple[Number, Number, Number], Field(strict=False, description="Position in cm")]


class Loop(AnswerPart):
    """A face."""

    vertex: Annotated[tuple[Integer, ...], at_most(MAX_ELEMENTS, "entries in a face")] = Field(
        description="Indices into the vertices, from 0: one simple loop, counter-clockwise seen from outside"
    )


class Shape(AnswerPart):
    """Vertices, and the faces between them."""

    vertex: Annotated[tuple[Vertex, ...], at_most(MAX_ELEMENTS, "vertices")]
    faces: Annotated[tuple[Loop, ...], at_most(MAX_ELEMENTS, "faces")]


class Polyhedron(Answer):
    """A polyhedron."""

    polyhedron: Shape

    @property
    def vertices(self) -> Floats:
        """The vertices, (n, 3), in cm."""
        return np.array([vertex.xyz for vertex in self.polyhedron.vertex], float).reshape(-1, 3)

    @property
    def faces(self) -> tuple[Face, ...]:
        """The loops of vertex indices."""
        return tuple(face.vertex for face in self.polyhedron.faces)

    @classmethod
    def of(cls, vertices: Iterable[Iterable[float]], faces: Iterable[Iterable[int]]) -> Polyhedron:
        """An answer of vertices (n, 3) in cm and loops of indices."""
        return cls(
            polyhedron=Shape(
                vertex=tuple(Vertex(xyz=_three(xyz)) for xyz in vertices),
                faces=tuple(Loop(vertex=tuple(int(k) for k in face)) for face in faces),
            )
        )

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        match path:
            case ("polyhedron", "vertex", int(i), "xyz", int(_)):
                if kind in ("missing", "too_short"):
                    return f"Vertex {i} needs three coordinates"
                fault = "is not finite" if kind == "finite_number" else "has non-numeric coordinates"
                return f"Vertex {i} {fault}"
            case ("polyhedron", "vertex", int(i), "xyz") if kind != "missing":
                return f"Vertex {i} needs three coordinates"
            case ("polyhedron", "faces", int(i), "vertex", int(j)):
                return f"Face {i} entry {j} is not an integer"
            case _:
                return None
