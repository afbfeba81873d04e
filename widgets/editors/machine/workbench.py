"""The context that the editor and its gestures share: the machine, and the changes that become steps of the history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from spatial_workbench.engine.core.scene import Floats, Item, Polygon, Polyline, RigidBodies
from spatial_workbench.engine.machines.building.blocks import rotations
from spatial_workbench.engine.machines.building.edits import Add, Move
from spatial_workbench.engine.machines.building.poses import PlacedFace, faces_of, kind_of
from spatial_workbench.engine.machines.building.tree import Tree
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.physics.frames import swapped
from spatial_workbench.engine.tasks.machine.building import Built, added, moved, without
from spatial_workbench.engine.tasks.machine.drawing import machine_items
from spatial_workbench.engine.tasks.machine.editing import MachineAssembly
from spatial_workbench.engine.tasks.machine.guides import guide_items
from spatial_workbench.engine.tasks.machine.mirroring import (
    added_on_both_sides,
    moved_on_both_sides,
    without_both_sides,
)

FACE_M = 0.8
_ABOVE_M = 0.03
_SHADOW: dict[str, Any] = {"colors": "accent", "opacity": 0.35, "edges": False, "pickable": False}
_MOST_NOTICES = 2
_MOST_GUIDED = 4
"""The greatest number of new blocks that show how they act; more would hide each other."""


class Workbench:
    """The machine on the bench.

    edit: replaces the machine, as a step of the history under the words of the command. say: shows a message.
    """

    def __init__(
        self, level: Level, edit: Callable[[str, Tree], None], say: Callable[[str], None], judges: bool
    ) -> None:
        self.level = level
        self.assembly: MachineAssembly | None = None
        """None while the answer is no machine."""
        self.judges = judges
        self.is_symmetric = False
        """Whether whatever is built is built on the other side too."""
        self._edit = edit
        self._say = say

    def apply_built(self, built: Built) -> bool:
        """Applies a changed machine, or says why it cannot be made."""
        if not built.is_made:
            self._say(f"Not done: {built.reason}.")
            return False
        self._edit("; ".join(built.lines), built.tree)
        if built.notices:
            self._say(_listed(built.notices))
        return True

    def with_block(self, command: Add) -> Built:
        """The machine with one more block, and with its mirror image where that is wanted."""
        assert self.assembly is not None
        if self.is_symmetric:
            return added_on_both_sides(self.assembly, command, self.level)
        return added(self.assembly, [command], self.level)

    def with_move(self, command: Move) -> Built:
        """The machine after a move, and after the mirrored move where that is wanted."""
        assert self.assembly is not None
        change = moved_on_both_sides if self.is_symmetric else moved
        return change(self.assembly, command, self.level)

    def without(self, blocks: Sequence[int]) -> Built:
        """The machine without some blocks, and without their mirror images where that is wanted."""
        assert self.assembly is not None
        remove = without_both_sides if self.is_symmetric else without
        return remove(self.assembly, blocks, self.level)

    def nearest_face(self, block: int, place: Sequence[float]) -> PlacedFace | None:
        """The face of a block that is nearest to a point of the drawing."""
        if self.assembly is None:
            return None
        faces = self.assembly.faces_of(block)
        return min(faces, key=lambda face: float(np.linalg.norm(self.shown(face.position) - place)), default=None)

    @property
    def all_faces(self) -> list[PlacedFace]:
        """The faces of all blocks, used ones too."""
        return [] if self.assembly is None else faces_of(self.assembly.tree, self.assembly.poses)

    def shown(self, position: Sequence[float]) -> Floats:
        """A point of the machine in the drawing."""
        assert self.assembly is not None
        return np.array(swapped(np.add(position, self.assembly.lift).tolist()))

    def face_squares(
        self, block: int, chosen: PlacedFace | None, change: Callable[[PlacedFace], Built | None] | None = None
    ) -> list[Item]:
        """The faces of a block, the chosen one outlined: used ones in grey, vacant ones in blue.

        Where the editor may judge, vacant faces are green if their `change` can be made, otherwise red.
        """
        assert self.assembly is not None
        judged = change if self.judges else None
        return [self._square(face, chosen, judged) for face in self.assembly.faces_of(block)]

    def next_line(self, faces: Sequence[PlacedFace]) -> list[Item]:
        """Where the next linear block goes: both faces, and a line between them; all let the pointer through."""
        squares = [replace(self._square(face, face), color="accent", pickable=False) for face in faces]
        named = [replace(square, id=f"next face {number}") for number, square in enumerate(squares, 1)]
        points = np.array([self.shown(face.position) for face in faces])
        line = Polyline(id="next block", points=points, color="accent", width_px=4.0, dashed=True, pickable=False)
        return [*named, line]

    def next_block(self, kind: int, face: PlacedFace) -> list[Item]:
        """Where the next block goes: its face, and the block as a shadow; both let the pointer through."""
        assert self.assembly is not None
        square = replace(self._square(face, face), id="next face", color="accent", pickable=False)
        built = added(self.assembly, [Add(kind, face.block, face.face)], self.level)
        shadows = [item for item in self.preview(built) if isinstance(item, RigidBodies) and item.name == "blocks"]
        return [square, *(replace(item, name="next block", **_SHADOW) for item in shadows)]

    def _square(
        self, face: PlacedFace, chosen: PlacedFace | None, change: Callable[[PlacedFace], Built | None] | None = None
    ) -> Polygon:
        assert self.assembly is not None
        square = FACE_M / 2 * np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]) + (0, 0, _ABOVE_M)
        corners = square @ np.array(rotations()[face.facing]).T + face.position
        points = np.array([self.shown(corner.tolist()) for corner in corners])
        is_chosen = face == chosen
        return Polygon(
            id=f"face {face.face}",
            points=points,
            color=self._color_of(face, change),
            opacity=1.0 if is_chosen else 0.7,
            outline="accent" if is_chosen else "line",
        )

    def _color_of(self, face: PlacedFace, change: Callable[[PlacedFace], Built | None] | None) -> str:
        assert self.assembly is not None
        if (face.block, face.face) not in self.assembly.vacant:
            return "muted"
        built = change(face) if change is not None else None
        return "target" if built is None else "passed" if built.is_made else "failed"

    def preview(self, built: Built) -> list[Item]:
        """The new blocks of a changed machine, drawn where they will be seen from here, and how they act."""
        assert self.assembly is not None
        after = MachineAssembly(built.tree)
        shift = np.array(swapped((self.assembly.lift - after.lift).tolist()))
        guides = [line for k in built.new[:_MOST_GUIDED] for line in guide_items(built.tree, k, shift)]
        return [*machine_items(built.tree, only=frozenset(built.new), shift=shift), *guides]


def _listed(notices: Sequence[str]) -> str:
    """The notices as one message; of many, the first."""
    rest = len(notices) - _MOST_NOTICES
    more = (f"and {rest} more",) if rest > 0 else ()
    return "; ".join((*notices[:_MOST_NOTICES], *more)) + "."


def name_of(tree: Tree, block: int) -> str:
    """A block for people: "block 5, Log"."""
    return f"block {block}, {kind_of(tree[block]).name}"
