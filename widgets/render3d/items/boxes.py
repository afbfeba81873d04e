"""Boxes: one glyph for all bodies of an item and one for all its studs, without those that bricks hide."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.scene import Boxes
from spatial_workbench.widgets.render3d.items.base import ItemDrawer
from spatial_workbench.widgets.render3d.parts import GlyphPart
from spatial_workbench.widgets.render3d.shading import Shading
from spatial_workbench.widgets.render3d.shapes import box_arrays, studs, unit_box, unit_stud
from spatial_workbench.widgets.render3d.style import Style
from spatial_workbench.widgets.render3d.visibility import Bricks, Seen
from spatial_workbench.widgets.render3d.vtkdata import surface


class BoxesDrawer(ItemDrawer[Boxes]):
    """Draws Boxes. After each `paint`, `limit` has to say which of them are worth drawing."""

    def __init__(self, shading: Shading) -> None:
        super().__init__(shading)
        box = surface(*unit_box())
        stud = surface(*unit_stud())
        self._bodies = {clear: GlyphPart(shading, "box", box, clear) for clear in (False, True)}
        self._studs = {clear: GlyphPart(shading, "stud", stud, clear) for clear in (False, True)}
        self.parts = [self._bodies[False], self._studs[False], self._bodies[True], self._studs[True]]
        self._placed: list[NDArray[np.intp]] = []

    def set_item(self, item: Boxes) -> None:
        self.item = item
        self._centers, self._sizes, self._angles = box_arrays(item)
        if item.studs:
            places, sizes, owner = studs(self._centers, self._sizes, self._angles, item.studs)
            self._stud_places, self._stud_sizes, self._stud_owner = places, sizes, owner
        else:
            self._stud_places = self._stud_sizes = np.empty((0, 3))
            self._stud_owner = np.empty(0, np.intp)
        self._placed = []

    def paint(self, style: Style) -> None:
        self._rgba = style.rgba(self.item)

    def bricks(self) -> Bricks:
        """The item's boxes as the search for hidden bricks needs them."""
        alpha = self._rgba[:, 3]
        pitch = None
        if self.item.studs and len(self._sizes):
            pitch = self._sizes[0] / [*self.item.studs, 1]
        return Bricks(
            centers=self._centers,
            sizes=self._sizes,
            angles_deg=self._angles,
            solid=alpha == 255,
            drawn=alpha > 0,
            studs=self._stud_places,
            stud_owner=self._stud_owner,
            pitch=pitch,
        )

    def limit(self, seen: Seen) -> None:
        """Draws only these boxes and studs."""
        boxes, stud_mask = seen
        solid = self._rgba[:, 3] == 255
        stud_solid = solid[self._stud_owner]
        rows = [
            np.flatnonzero(boxes & solid),
            np.flatnonzero(stud_mask & stud_solid),
            np.flatnonzero(boxes & ~solid),
            np.flatnonzero(stud_mask & ~stud_solid),
        ]
        moved = len(rows) != len(self._placed) or any(
            not np.array_equal(a, b) for a, b in zip(rows, self._placed, strict=True)
        )
        if moved:
            self._place(rows)
        owners = (rows[0], self._stud_owner[rows[1]], rows[2], self._stud_owner[rows[3]])
        for part, owner in zip(self.parts, owners, strict=True):
            part.paint(self._rgba[owner])

    def _place(self, rows: list[NDArray[np.intp]]) -> None:
        self.builds += 1
        self._placed = rows
        for part, index in zip((self._bodies[False], self._bodies[True]), (rows[0], rows[2]), strict=True):
            part.set_instances(self._centers[index], self._sizes[index], self._angles[index])
        for part, index in zip((self._studs[False], self._studs[True]), (rows[1], rows[3]), strict=True):
            owner = self._stud_owner[index]
            part.set_instances(self._stud_places[index], self._stud_sizes[index], self._angles[owner])

    def set_coarse(self, coarse: bool) -> None:
        for part in self._studs.values():
            part.show(not coarse)
