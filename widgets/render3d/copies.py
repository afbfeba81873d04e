"""Meshes that have the same faces but different vertices, such as the pieces of a heap."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spatial_workbench.engine.core.scene import Floats, Mesh


@dataclass(frozen=True, eq=False)
class Copies:
    """Meshes of one opacity that share their array of faces, with the attributes of an item of many elements.

    Of see-through meshes only the nearest surface is seen, and through it what lies behind all of them.
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
