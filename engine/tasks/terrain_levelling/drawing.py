"""Height maps as scenes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.abilities import BOTH, FIRST_ONLY, SECOND_ONLY
from spatial_workbench.engine.core.scene import Boxes, Floats, Frame, Ground, Item, Mesh, Points, Scene
from spatial_workbench.engine.tasks.terrain_levelling.flat import ROUNDING, STEP_M, labels
from spatial_workbench.engine.tasks.terrain_levelling.simulation import Charge

BAND_M = 0.2
BASE_M = -1.0
"""The level on which columns stand."""
MAX_FRAMES = 300
"""Maps in the film of a long plan."""
LIFT_M = 0.03
TINT = 0.35
NEAR_COLOR = "series 6"
"""Yellow: steps that are just too high."""
WAYS = ((-1, 0), (1, 0), (0, -1), (0, 1))


def draw_terrain(
    heights: Floats, colors: Sequence[str] | None = None, marks: Sequence[Item] = (), with_regions: bool = True
) -> Scene:
    """The map as columns in bands of 0.2 m; cell (x, y) has the id "cell x,y"."""
    rows, width = heights.shape
    regions = flat_regions(heights) if with_regions else ()
    return Scene(
        items=(columns(heights, colors or height_colors(heights)), *regions, *marks),
        unit="m",
        ground=Ground(pitch=5.0, extent=(-5.0, -5.0, width + 5.0, rows + 5.0), z=BASE_M),
        bounds=((0.0, 0.0, BASE_M), (float(width), float(rows), float(max(heights.max(), 1.0)))),
    )


def draw_largest_regions(first: Floats, second: Floats) -> Scene:
    """The cells of the largest flat regions of two maps of one place, on the columns of the first."""
    ours, theirs = (labels(heights) == 0 for heights in (first, second))
    colors = np.where(ours & theirs, BOTH, np.where(ours, FIRST_ONLY, np.where(theirs, SECOND_ONLY, "neutral")))
    return draw_terrain(first, colors.ravel().tolist(), with_regions=False)


def flat_regions(heights: Floats) -> list[Item]:
    """The two largest flat regions, outlined and tinted.

    The rim of the largest is yellow where the next cell is a step of at most 0.4 m away: a little rock there makes it
    grow.
    """
    items: list[Item] = []
    ranks = labels(heights)
    for rank, (role, name) in enumerate((("passed", "largest flat region"), ("accent", "second flat region"))):
        if (ranks == rank).sum() > 1:
            items.append(outline(heights, ranks == rank, name, role))
            items.append(tint(heights, ranks == rank, f"inside of the {name}", role))
    if near := nearly_flat(heights, ranks == 0):
        items.append(_tiles(near, "steps just too high", NEAR_COLOR))
    return items


def columns(heights: Floats, colors: Sequence[str]) -> Boxes:
    """One box a cell, from the base to its height."""
    rows, width = heights.shape
    x, y = np.meshgrid(np.arange(width), np.arange(rows))
    top = np.maximum(heights, BASE_M + 0.05)
    centers = np.stack([x + 0.5, y + 0.5, (top + BASE_M) / 2], axis=-1).reshape(-1, 3)
    sizes = np.stack([np.ones_like(top), np.ones_like(top), top - BASE_M], axis=-1).reshape(-1, 3)
    ids = [f"cell {c},{r}" for r in range(rows) for c in range(width)]
    return Boxes(name="terrain", ids=ids, centers=centers, sizes=sizes, colors=list(colors))


def height_colors(heights: Floats) -> list[str]:
    """Colours by height, in bands."""
    low, high = 0.0, 10.0
    share = np.clip((np.floor(heights / BAND_M) * BAND_M - low) / (high - low), 0, 1)
    return [f"scale {value:.3f}" for value in share.ravel()]


def change_colors(before: Floats, after: Floats) -> list[str]:
    """Blue where the map rose, red where it sank, grey where it stayed."""
    change = after - before
    return ["series 0" if d > 0.05 else "series 5" if d < -0.05 else "neutral" for d in change.ravel()]


def target_colors(heights: Floats, target: float) -> list[str]:
    """Colours for cells above, below and at the height to shave down to."""
    off = heights - target
    return ["series 5" if d > BAND_M / 2 else "series 0" if d < -BAND_M / 2 else "passed" for d in off.ravel()]


def tint(heights: Floats, region: NDArray[np.bool_], name: str, role: str) -> Mesh:
    """Clear tiles on the cells of a region."""
    cells = [
        [(x, y, z), (x + 1, y, z), (x + 1, y + 1, z), (x, y + 1, z)]
        for y, x in np.argwhere(region).tolist()
        for z in [float(heights[y, x]) + LIFT_M / 2]
    ]
    return replace(_tiles(cells, name, role), opacity=TINT)


def nearly_flat(heights: Floats, region: NDArray[np.bool_]) -> list[list[tuple[float, float, float]]]:
    """Strips where a region ends at a step above 0.2 m and up to 0.4 m: four corners each."""
    rows, width = region.shape
    strips = []
    for y, x in np.argwhere(region).tolist():
        for dx, dy in WAYS:
            beside = (x + dx, y + dy)
            if 0 <= beside[0] < width and 0 <= beside[1] < rows and not region[beside[1], beside[0]]:
                levels = float(heights[y, x]), float(heights[beside[1], beside[0]])
                if abs(levels[0] - levels[1]) <= 2 * STEP_M + ROUNDING:
                    strips.append(_rim(x, y, dx, dy, max(levels) + 2 * LIFT_M))
    return strips


def outline(heights: Floats, region: NDArray[np.bool_], name: str, role: str) -> Mesh:
    """A rim of thin tiles along the border of a region, just above its cells."""
    tiles = []
    rows, width = region.shape
    for y, x in np.argwhere(region):
        z = heights[y, x] + LIFT_M
        for dx, dy in WAYS:
            inside = 0 <= x + dx < width and 0 <= y + dy < rows and region[y + dy, x + dx]
            if not inside:
                tiles.append(_rim(x, y, dx, dy, z))
    return _tiles(tiles, name, role)


def _tiles(tiles: Sequence[Sequence[tuple[float, float, float]]], name: str, role: str) -> Mesh:
    """Quads of four corners each."""
    corners = np.array(tiles, float).reshape(-1, 3)
    first = np.arange(0, len(corners), 4)
    faces = np.concatenate([np.stack([first, first + 1, first + 2], 1), np.stack([first, first + 2, first + 3], 1)])
    return Mesh(id=name, vertices=corners, faces=faces, color=role, pickable=False)


def _rim(x: int, y: int, dx: int, dy: int, z: float) -> list[tuple[float, float, float]]:
    width = 0.12
    x0, x1 = (x, x + width) if dx < 0 else (x + 1 - width, x + 1) if dx > 0 else (x, x + 1)
    y0, y1 = (y, y + width) if dy < 0 else (y + 1 - width, y + 1) if dy > 0 else (y, y + 1)
    return [(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)]


def charge_marks(charges: Sequence[Charge], heights: Floats) -> list[Item]:
    """A marker above every cell that is to be blasted."""
    rows, width = heights.shape
    seen = [(i, c) for i, c in enumerate(charges) if 0 <= c.x < width and 0 <= c.y < rows]
    if not seen:
        return []
    places = np.array([_above(charge, heights) for _, charge in seen])
    ids = [f"blast {i}" for i, _ in seen]
    return [Points(name="blasts", ids=ids, positions=places, colors="warning", size_px=9.0)]


def selected_mark(charge: Charge, heights: Floats) -> Item:
    """A larger marker above one cell."""
    rows, width = heights.shape
    inside = Charge(min(max(charge.x, 0), width - 1), min(max(charge.y, 0), rows - 1), charge.z)
    places = np.array([_above(inside, heights)])
    return Points(name="selected blast", ids=["selected blast"], positions=places, colors="accent", size_px=14.0)


def _above(charge: Charge, heights: Floats) -> list[float]:
    return [charge.x + 0.5, charge.y + 0.5, float(heights[charge.y, charge.x]) + 0.25]


def draw_blasts(maps: Sequence[Floats], charges: Sequence[Charge], tracks: Sequence[Floats]) -> Scene:
    """A plan as it is carried out.

    Args:
        maps: The map before the first blast and after each one.
        tracks: Where the spheres of each blast are, (frames, k, 3), at some of its moments; empty: only what is left is
            shown.
    """
    base = draw_terrain(maps[0])
    stride = -(-len(charges) // MAX_FRAMES)
    frames = [Frame(0, base.items)]
    for number, charge in enumerate(charges, 1):
        caption = f"at ({charge.x}, {charge.y})"
        if tracks:
            lowered = maps[number - 1].copy()
            lowered[charge.y, charge.x] -= charge.z
            items = [*draw_terrain(lowered).items, selected_mark(charge, lowered)]
            moments = tracks[number - 1]
            frames += [Frame(number, [*items, _spheres(places)], caption) for places in moments]
        if number % stride == 0 or number == len(charges):
            frames.append(Frame(number, draw_terrain(maps[number]).items, caption))
    return replace(base, frames=tuple(frames), frame_unit=f"of {len(charges)} blasts") if charges else base


def _spheres(places: Floats) -> Points:
    there = places[np.isfinite(places).all(axis=1)]
    ids = [f"sphere {i}" for i in range(len(there))]
    return Points(name="spheres", ids=ids, positions=there, colors="series 1", size_px=12.0, pickable=False)


def rolling_scene(heights: Floats, after: Floats, tracks: Floats, seconds_a_frame: float) -> Scene:
    """A blast as it happens: the spheres at every sample, then the resulting map."""
    base = draw_terrain(heights)
    count = tracks.shape[1] if len(tracks) else 0
    ids = [f"sphere {i}" for i in range(count)]
    frames = []
    for k, places in enumerate(tracks):
        shown = np.where(np.isfinite(places), places, [0.0, 0.0, BASE_M - 5])
        balls = Points(name="spheres", ids=ids, positions=shown, colors="series 1", size_px=12.0, pickable=False)
        frames.append(Frame(k * seconds_a_frame, (balls,)))
    settled = draw_terrain(after)
    gone = Points(name="spheres", ids=ids, positions=np.full((count, 3), BASE_M - 5.0), size_px=1.0, pickable=False)
    frames.append(Frame(len(tracks) * seconds_a_frame, (*settled.items, gone), "settled"))
    return Scene(
        items=base.items,
        unit=base.unit,
        ground=base.ground,
        bounds=base.bounds,
        frames=tuple(frames),
        frame_unit="s",
    )
