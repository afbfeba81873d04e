"""Builds machines block by block, for measurements and tests."""

from __future__ import annotations

from typing import Any

from spatial_workbench.engine.machines.building.poses import faces_of, poses_of
from spatial_workbench.engine.machines.building.tree import Link, MachineBlock, Tree


class MachineBuilder:
    """Builds a machine block by block; faces are named by where they look."""

    def __init__(self) -> None:
        self._entries: list[Any] = [MachineBlock(0, 0, -1, -1)]

    @property
    def tree(self) -> Tree:
        """The machine so far."""
        return tuple(self._entries)

    def add(self, kind: int, parent: int, facing: str, place: int = 0) -> int:
        """Adds a block to the face of a parent that looks that way, the `place`-th of these; its id."""
        self._entries.append(MachineBlock(kind, len(self._entries), parent, self.face(parent, facing, place)))
        return len(self._entries) - 1

    def link(self, kind: int, first: tuple[int, str, int], second: tuple[int, str, int]) -> int:
        """Adds a linear block between two faces (block, facing, place); its id."""
        ends = [(block, self.face(block, facing, place)) for block, facing, place in (first, second)]
        self._entries.append(Link(kind, len(self._entries), *ends[0], *ends[1]))
        return len(self._entries) - 1

    def face(self, block: int, facing: str, place: int) -> int:
        """The number of a face."""
        poses = poses_of(self.tree)
        return [face.face for face in faces_of(self.tree, poses) if face.block == block and face.facing == facing][
            place
        ]
