"""Drawings: the target's cells, what a formula gets wrong, where it is zero. Cell (x, y) is centred there, y down."""

from dataclasses import replace

import numpy as np

from spatial_workbench.engine.core.scene import Floats, Ground, Item, Polyline, Scene, Voxels
from spatial_workbench.engine.tasks.polynomial_fit.cells import Mask
from spatial_workbench.engine.tasks.polynomial_fit.contour import zero_lines

HIT, MISSED, EXTRA = "target", "failed", "warning"
"""Colour roles of marked cells that f finds, of those it misses, and of cells that it marks without need."""
_DENSE = 32
"""Up to this size a cell gets four samples of the contour a side; above, two; of very large grids one."""


def draw(target: Mask, marked: Mask | None = None, samples: tuple[Floats, Floats] | None = None) -> Scene:
    """The grid. `marked`: where f is positive. `samples`: values (y, x) of f and their places, for the zero line."""
    items: list[Item] = [draw_cells(target, target if marked is None else marked)]
    if samples is not None:
        items += draw_zero_lines(*samples)
    size = len(target)
    low = -0.5
    high = size - 0.5
    return Scene(
        items=items,
        flat=True,
        y_up=False,
        whole=True,
        ground=Ground(1.0, (low, low, high, high)),
        bounds=((low, low), (high, high)),
    )


def draw_cells(target: Mask, marked: Mask) -> Voxels:
    """All cells that are marked in the target or by f; their ids are "cell x,y,0"."""
    rows, columns = np.nonzero(target | marked)
    colors = np.where(~marked, MISSED, np.where(~target, EXTRA, HIT))[rows, columns]
    cells = np.stack([columns, rows, np.zeros_like(rows)], axis=1)
    edges = len(target) <= _DENSE
    return Voxels(name="cell", cells=cells, origin=(-0.5, -0.5, 0.0), colors=colors.tolist(), edges=edges)


def draw_zero_lines(values: Floats, places: Floats) -> list[Polyline]:
    """Where f is zero."""
    line = Polyline(id="", points=np.empty((0, 2)), color="text", width_px=2, pickable=False)
    return [replace(line, id=f"zero {k}", points=points) for k, points in enumerate(zero_lines(values, places))]


def sample_places(size: int) -> Floats:
    """Places of both axes at which a contour is sampled, from edge to edge of the grid."""
    each = 4 if size <= _DENSE else 2 if size <= 2 * _DENSE else 1
    return np.linspace(-0.5, size - 0.5, each * size + 1)


def cell_id(x: int, y: int) -> str:
    """The id of a cell in the scene."""
    return f"cell {x},{y},0"
