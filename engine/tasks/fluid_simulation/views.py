"""Other views of the world: cut off above a level, with transparent rock, and one level from above."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.scene import Ground, Item, Polygon, Polyline, Scene, Voxels
from spatial_workbench.engine.tasks.fluid_simulation.shaping import rectangles
from spatial_workbench.engine.tasks.fluid_simulation.world import DEPTH, Cells

ROCK_ITEMS = ("rock", "fallen")
GHOST_OPACITY = 0.28
X_RAY_OPACITY = 0.14
SHADE = 0.11
"""How much darker the ground is drawn per level of depth."""
HATCHED = 200
"""The most rectangles that are hatched."""


def cut(item: Item, level: int) -> list[Item]:
    """An item cut off above a level: what remains of it, and a ghost of the rock above."""
    if not isinstance(item, Voxels):
        return [item]
    below = item.cells[:, 2] <= level
    if item.name not in ROCK_ITEMS:
        return [_some(item, below)]
    parts: list[Item] = [_some(item, below)]
    if not below.all():
        ghost = _some(item, ~below)
        parts.append(replace(ghost, name=f"{item.name} above", opacity=GHOST_OPACITY, pickable=False, edges=False))
    return parts


def see_through(item: Item) -> Item:
    """Rock drawn transparent, and everything else unchanged."""
    if not isinstance(item, Voxels) or item.name not in ROCK_ITEMS:
        return item
    return replace(item, opacity=X_RAY_OPACITY)


def draw_level(ground: Cells, rock: Cells, water: Cells, dry: Cells, level: int) -> Scene:
    """One level from above, flat: water, and rock that is darker the deeper it lies below the level.

    Args:
        ground: (n, n, 8) the rock that was there before the earthworks; it has another colour.
        rock: (n, n, 8) when nothing falls any more.
        water: (n, n, 8) water after the rain, or all that could hold water.
        dry: (n, n, 8) what could hold water but stays dry; it is hatched.
    """
    n = rock.shape[0]
    items = [*_from_above(ground, rock, water, level), *_dry(dry[:, :, level]), *_landmarks(n)]
    low = (-0.5, -0.5, 0.0)
    high = (n + 0.5, n + 0.5, 0.0)
    return Scene(items=tuple(items), flat=True, ground=Ground(1.0, (0, 0, n, n)), bounds=(low, high))


def _some(item: Voxels, mask: NDArray[np.bool_]) -> Voxels:
    if isinstance(item.colors, str):
        colors: Any = item.colors
    else:
        colors = [item.colors[i] for i in np.flatnonzero(mask).tolist()]
    return replace(item, cells=item.cells[mask], colors=colors)


def _from_above(ground: Cells, rock: Cells, water: Cells, level: int) -> Iterator[Item]:
    """The topmost cells at or below a level."""
    solid = (rock | water)[:, :, : level + 1]
    top = level - np.argmax(solid[:, :, ::-1], axis=2)
    met = solid.any(axis=2)
    x, y = np.indices(met.shape)
    is_rock = met & rock[x, y, top]
    natural = is_rock & ground[x, y, top]
    yield from _cells("ground", natural, top, "soil")
    yield from _cells("rock", is_rock & ~natural, top, "rock")
    for depth in range(1, level + 1):
        yield from _cells(f"shade {depth}", is_rock & (top == level - depth), top, "#000000", SHADE * depth)
    wet = met & ~is_rock
    yield from _cells("water", wet & (top == level), top, "water")
    yield from _cells("deep water", wet & (top < level), top, "water", 0.55)
    visible = is_rock & (top == level)
    yield from _cells("covered", rock[:, :, level + 1 :].any(axis=2) & ~visible, top, "text", 0.16)


def _cells(name: str, mask: NDArray[np.bool_], z: NDArray[Any], color: str, opacity: float = 1.0) -> Iterator[Item]:
    if mask.any():
        cells = np.column_stack([np.argwhere(mask), z[mask]])
        shade = opacity < 1.0 and color != "water"
        yield Voxels(name=name, cells=cells, colors=color, opacity=opacity, edges=opacity == 1.0, pickable=not shade)


def _dry(mask: NDArray[np.bool_]) -> Iterator[Item]:
    for i, (x0, y0, x1, y1) in enumerate(rectangles(mask)[:HATCHED]):
        points = np.array([(x0, y0), (x1 + 1, y0), (x1 + 1, y1 + 1), (x0, y1 + 1)], dtype=float)
        yield Polygon(id=f"dry {i}", points=points, color="water", pattern="hatch", outline="water", pickable=False)


def _landmarks(n: int) -> Iterator[Item]:
    """The border ring, at which water is lost, and the columns of the centre rain."""
    strips = {"south": (0, 0, n, 1), "north": (0, n - 1, n, n), "west": (0, 1, 1, n - 1), "east": (n - 1, 1, n, n - 1)}
    for name, (x0, y0, x1, y1) in strips.items():
        ring = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], dtype=float)
        yield Polygon(id=f"border {name}", points=ring, color="warning", opacity=0.3, outline=None, pickable=False)
    c = n // 2
    rain = np.array([(c, c), (c + 2, c), (c + 2, c + 2), (c, c + 2)], dtype=float)
    yield Polyline(id="rain", points=rain, color="accent", width_px=2.0, closed=True, pickable=False)


def water_of(details: dict[str, Any], n: int) -> Cells:
    """The water (n, n, 8) in a verdict's details."""
    water = np.zeros((n, n, DEPTH), dtype=bool)
    for body in details["bodies"]:
        water.reshape(-1)[np.array(body["cells"], dtype=np.int64)] = True
    return water


def dry_of(details: dict[str, Any], n: int) -> Cells:
    """The cells (n, n, 8) that could hold water but stay dry, from a verdict's details."""
    dry = np.zeros((n, n, DEPTH), dtype=bool)
    dry.reshape(-1)[np.array(details["dry"], dtype=np.int64)] = True
    return dry
