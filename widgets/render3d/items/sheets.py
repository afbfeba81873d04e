"""Sheets: polygons in space, drawn as one surface and one set of outlines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.widgets.render3d.camera import Camera
from spatial_workbench.widgets.render3d.items.base import ItemDrawer
from spatial_workbench.widgets.render3d.parts import SurfacePart
from spatial_workbench.widgets.render3d.shading import Shading
from spatial_workbench.widgets.render3d.sheets import RenderSheet, Sheets, sheets_of
from spatial_workbench.widgets.render3d.style import Bytes, Style
from spatial_workbench.widgets.render3d.vtkdata import segments, surface

OUTLINE_PX = 1.5


class SheetsDrawer(ItemDrawer[Sheets]):
    """Draws Sheets: solid and see-through polygons separately, each with their outlines."""

    def __init__(self, shading: Shading) -> None:
        super().__init__(shading)
        self._faces = [SurfacePart(shading, clear=clear, inner_side=True) for clear in (False, True)]
        self._lines = [SurfacePart(shading, "flat", clear) for clear in (False, True)]
        self.parts = [*self._faces, *self._lines]
        self._rows: list[NDArray[np.intp]] = []

    def set_item(self, item: Sheets) -> None:
        self.item = item
        self._sheets = sheets_of(item.members)
        self._sizes = np.array([len(sheet.points) for sheet in self._sheets])
        self._outlined = np.array([polygon.outline is not None for polygon in item.members])
        self._rows = []

    def paint(self, style: Style) -> None:
        rgba = style.rgba(self.item)
        lines = _line_colors(self.item, style)
        rows = [np.flatnonzero(rgba[:, 3] == 255), np.flatnonzero((rgba[:, 3] > 0) & (rgba[:, 3] < 255))]
        if not self._rows or any(not np.array_equal(a, b) for a, b in zip(rows, self._rows, strict=True)):
            self._build(rows)
        for faces, edges, drawn in zip(self._faces, self._lines, rows, strict=True):
            lined = drawn[self._outlined[drawn]]
            faces.paint(np.repeat(rgba[drawn], self._sizes[drawn], axis=0))
            edges.paint(np.repeat(lines[lined], self._sizes[lined], axis=0))

    def _build(self, rows: list[NDArray[np.intp]]) -> None:
        self.builds += 1
        self._rows = rows
        for faces, edges, drawn in zip(self._faces, self._lines, rows, strict=True):
            sheets = [self._sheets[i] for i in drawn]
            lined = [self._sheets[i] for i in drawn[self._outlined[drawn]]]
            normals = np.repeat([sheet.normal for sheet in sheets], self._sizes[drawn], axis=0).reshape(-1, 3)
            faces.set_data(surface(_points(sheets), _joined(sheets, [s.triangles for s in sheets]), normals))
            edges.set_data(segments(_points(lined), _rings(self._sizes[drawn[self._outlined[drawn]]])))

    def fit_pixels(self, camera: Camera, height_px: float, ratio: float) -> None:
        for part in self._lines:
            part.set_width(OUTLINE_PX * ratio)


def _line_colors(item: Sheets, style: Style) -> Bytes:
    roles = [style.roles.get(polygon.id, polygon.outline or "line") for polygon in item.members]
    table = {role: np.round(np.array([*style.theme.rgb(role), 1.0]) * 255).astype(np.uint8) for role in set(roles)}
    return np.array([table[role] for role in roles], np.uint8).reshape(-1, 4)


def _points(sheets: Sequence[RenderSheet]) -> NDArray[np.floating]:
    return np.concatenate([np.empty((0, 3)), *(sheet.points for sheet in sheets)])


def _rings(sizes: NDArray[np.integer]) -> NDArray[np.integer]:
    """The sides of closed rings with these numbers of points, ring after ring: pairs of indices."""
    ends = np.cumsum(sizes)
    following = np.arange(1, int(sizes.sum()) + 1)
    following[ends - 1] = ends - sizes
    return np.column_stack([np.arange(len(following)), following])


def _joined(sheets: Sequence[RenderSheet], indices: Sequence[NDArray[np.integer]]) -> NDArray[np.integer]:
    """The triangles of all sheets, with indices into their joined points."""
    starts = np.concatenate([[0], np.cumsum([len(sheet.points) for sheet in sheets])]).astype(int)
    moved = [index + start for index, start in zip(indices, starts, strict=False)]
    return np.concatenate([np.empty((0, 3), int), *moved]).astype(int)
