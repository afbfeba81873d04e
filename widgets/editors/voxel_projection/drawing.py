"""The three scenes of the editor: the grid in 3D, the layer to paint on, and the projections."""

from __future__ import annotations

import numpy as np

from spatial_workbench.engine.core import Scene
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Boxes, Ground, Item, Label, Points, Polygon, Polyline
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.voxel_projection.drawing import (
    MANY,
    colors_by_layer,
    frame,
    hole_id,
    hole_opacity,
    layer_ring,
    scene_of,
    shades,
    voxels_of,
    walls,
)
from spatial_workbench.engine.tasks.voxel_projection.editing import Cell, Spot, cell_at, layer_of
from spatial_workbench.engine.tasks.voxel_projection.grid import AXES, Bools, VoxelGrid, cells_of, holes

GAP = 2.0
"""The gap between the panels of the projections, in cells."""
PANELS = (2, 1, 0)
"""The axes of the panels from left to right: along z, along y, along x."""
FILL = 0.9
FULL = marked("full")
"""What is said of a projection without holes."""


def across(axis: int) -> tuple[int, int]:
    """The axes to the right and upwards in a layer across an axis, and in the projection along it."""
    first, second = (k for k in range(3) if k != axis)
    return first, second


def in_space(
    grid: VoxelGrid, array: Bools, axis: int, depth: int, pair: tuple[Cell, Cell] | None, is_judged: bool
) -> Scene:
    """The voxels, with the layer outlined, the projections on walls, and an arrow from a voxel to its image."""
    cells = voxels_of(cells_of(array), colors_by_layer(array, axis, depth))
    items: list[Item] = [
        cells,
        *(walls(grid, array) if is_judged else shades(grid, array)),
        *frame(grid.n),
        *layer_ring(grid.n, axis, depth),
    ]
    if pair is not None:
        points = np.array(pair, float) + 0.5
        items.append(Polyline(id="mapping", points=points, color="warning", width_px=3.0, arrow=True, pickable=False))
    return scene_of(grid, items)


def in_layer(grid: VoxelGrid, array: Bools, axis: int, depth: int, cursor: Spot, is_judged: bool) -> Scene:
    """A layer as a grid and, if it may be judged, marks by the rules."""
    n = grid.n
    right, up = across(axis)
    items = [_cells("voxel", axis, depth, layer_of(array, axis, depth), "accent")]
    marks = _marks(grid, array, axis, depth) if is_judged else []
    return Scene(
        items=(*items, *marks, _cursor(cursor)),
        flat=True,
        axes=(AXES[right], AXES[up], ""),
        ground=Ground(1.0, (0, 0, n, n)),
        bounds=((-0.9, -0.9, 0.0), (n + 0.4, n + 0.4, 0.0)),
    )


def _marks(grid: VoxelGrid, array: Bools, axis: int, depth: int) -> list[Item]:
    """Forbidden cells, cells with a hole behind them, and rows and columns without a voxel."""
    filled = layer_of(array, axis, depth)
    forbidden = layer_of(grid.forbidden, axis, depth)
    missing = holes(array, axis)
    behind = missing & ~filled & ~forbidden & (missing.mean() <= MANY)
    return [
        _cells("forbidden", axis, depth, forbidden & ~filled, "muted", 0.45),
        _cells("needed", axis, depth, behind, "warning", 0.22),
        _cells("wrong", axis, depth, filled & forbidden, "failed"),
        *_empty_lines(array, axis, depth),
    ]


def in_projections(grid: VoxelGrid, array: Bools, is_judged: bool) -> Scene:
    """The three projections side by side; holes are marked and counted if the answer may be judged."""
    n = grid.n
    items: list[Item] = []
    for k, axis in enumerate(PANELS):
        missing = holes(array, axis)
        left = k * (n + GAP)
        items.append(_plates(axis, ~missing, left, "shaded", "target"))
        items += _panel_frame(axis, left, n)
        if is_judged:
            items.append(_plates(axis, missing, left, "hole", "failed", hole_opacity(missing)))
        items.append(_title(axis, left, n, int(missing.sum()) if is_judged else None))
    wide = 3 * n + 2 * GAP
    return Scene(items=tuple(items), flat=True, bounds=((-0.5, -0.12 * n, 0), (wide + 0.5, 1.16 * n, 0)))


def panel_at(n: int, x: float, y: float) -> tuple[int, Spot] | None:
    """The axis of the projection in which a point lies, and the place in it."""
    k = int(x // (n + GAP))
    u = int(np.floor(x - k * (n + GAP)))
    v = int(np.floor(y))
    if not 0 <= k < 3 or not (0 <= u < n and 0 <= v < n):
        return None
    return PANELS[k], (u, v)


def _cells(name: str, axis: int, depth: int, mask: Bools, color: str, opacity: float = 1.0) -> Boxes:
    spots = np.argwhere(mask)
    ids = ["{} {},{},{}".format(name, *cell_at(axis, depth, (u, v))) for u, v in spots.tolist()]
    centers = np.column_stack([spots + 0.5, np.zeros(len(spots))])
    sizes = np.array([FILL, FILL, 0.01])
    return Boxes(name=f"{name} cells", ids=ids, centers=centers, sizes=sizes, colors=color, opacity=opacity)


def _empty_lines(array: Bools, axis: int, depth: int) -> list[Item]:
    """Marks beside rows and columns of a layer that have no voxel: holes of the other two projections."""
    layer = layer_of(array, axis, depth)
    columns, rows = np.flatnonzero(~layer.any(axis=1)), np.flatnonzero(~layer.any(axis=0))
    places = [[u + 0.5, -0.4] for u in columns.tolist()] + [[-0.4, v + 0.5] for v in rows.tolist()]
    ids = [f"empty column {u}" for u in columns.tolist()] + [f"empty row {v}" for v in rows.tolist()]
    marks = np.array(places, float).reshape(-1, 2)
    return [Points(name="empty lines", ids=ids, positions=marks, colors="failed", size_px=7.0)]


def _cursor(cursor: Spot) -> Item:
    u, v = cursor
    corners = np.array([[u, v], [u + 1, v], [u + 1, v + 1], [u, v + 1]], float)
    return Polygon(id="cursor", points=corners, color="accent", opacity=0.12, outline="accent", pickable=False)


def _plates(axis: int, mask: Bools, left: float, name: str, color: str, opacity: float = 1.0) -> Boxes:
    places = np.argwhere(mask)
    centers = np.column_stack([places + 0.5, np.zeros(len(places))]) + np.array([left, 0.0, 0.0])
    ids = [hole_id(axis, u, v).replace("hole", name) for u, v in places.tolist()]
    sizes = np.array([FILL, FILL, 0.01])
    return Boxes(
        name=f"{name} along {AXES[axis]}", ids=ids, centers=centers, sizes=sizes, colors=color, opacity=opacity
    )


def _panel_frame(axis: int, left: float, n: int) -> list[Item]:
    corners = np.array([[0, 0], [n, 0], [n, n], [0, n]], float) + np.array([left, 0.0])
    right, up = (AXES[k] for k in across(axis))
    name = f"projection along {AXES[axis]}"
    return [
        Polyline(id=f"frame of {name}", points=corners, color="line", closed=True, pickable=False),
        Label(id=f"axes of {name}", position=(left + n / 2, -0.07 * n), text=f"{right} →   {up} ↑", color="secondary"),
    ]


def _title(axis: int, left: float, n: int, missing: int | None) -> Label:
    """A label with the axis of a projection and, unless `missing` is None, its number of holes."""
    text = AXES[axis]
    color = "secondary"
    if missing is not None:
        text += f": {counted(missing, 'hole') if missing else FULL}"
        color = "failed" if missing else "passed"
    position = (left + n / 2, 1.08 * n)
    return Label(id=f"projection along {AXES[axis]}", position=position, text=text, color=color)
