"""Meshes with the same faces between other corners, such as the pieces of a heap."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.core.scene import Floats, Mesh


@dataclass(frozen=True, eq=False)
class Copies:
    """Meshes of one opacity that share their array of faces. It has what every item of many elements has.

    Of see-through ones the nearest surface is seen, and what lies behind all of them.
    """

    members: tuple[Mesh, ...]
    opacity: float
    name: str = "copies"

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The id of each mesh."""
        return tuple(mesh.id for mesh in self.members)

    @cached_property
    def colors(self) -> list[str]:
        """The colour role of each mesh."""
        return [mesh.color for mesh in self.members]

    @cached_property
    def points(self) -> Floats:
        """All corners, (n, 3)."""
        return np.concatenate([np.asarray(mesh.vertices, float) for mesh in self.members])
