"""The scenes of hyper_snake: the whole field on a flat sheet, and a slice of it in space.

Ids: "cell 0,1,2", "step i" (from cell i - 1 of the path to cell i), "food N", "start", "head".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from spatial_workbench.engine.core.scene import Boxes, Floats, Frame, Item, Label, Points, Polyline, Scene
from spatial_workbench.engine.tasks.hyper_snake.field import Cell, Numbers, SnakeField, written
from spatial_workbench.engine.tasks.hyper_snake.layout import Slice, SnakeSheet, sheet_of
from spatial_workbench.engine.tasks.hyper_snake.rules import Trail, element

CELL = 0.88
WALL = 0.94
LINK = 0.17
MARK = 0.38
"""Size of start, head and food in a slice; cells of the path are slightly smaller."""
STUB = 0.4
"""How far a step that leaves its panel is drawn, in cells."""
SHADES = 32
"""How many colours the path runs through."""
MAX_ARROWS = 60
MAX_FRAMES = 300
"""Frames of a snake on its way; a longer path goes several cells at a time."""
CLOSE = 0.018
"""Coordinates closer together than this share of the sheet are left out."""
AXIS_COLORS = (
    "series 5",
    "accent",
    "series 2",
    "series 3",
    "series 1",
    "series 4",
    "#8E6BD8",
    "soil",
    "#7C9A2E",
    "text",
)
"""The colour of steps along each axis."""


def axis_color(axis: int) -> str:
    """The colour of steps along an axis."""
    return AXIS_COLORS[axis % len(AXIS_COLORS)]


def draw_sheet(field: SnakeField, cells: Sequence[Cell], marks_faults: bool = True) -> Scene:
    """The whole field on paper, with a path that may break rules, and marks where it does."""
    sheet = sheet_of(field)
    trail = _trail(field, cells)
    shown = trail.numbers[trail.numbers >= 0]
    items = [*_cells(field, sheet.places, np.arange(field.cell_count), shown, flat=True)]
    items += _links(field, sheet, trail)
    items += _marks(field, sheet.places, shown)
    items += _faults(trail, sheet.places) if marks_faults else _jumps(trail, sheet.places)
    items += _scales(field, sheet)
    width, height = sheet.size
    row = _row(sheet)
    margin = 0.5 + row * (1 + (field.axes + 1) // 2)
    bounds = ((-margin, -margin, 0.0), (width + 1.5 * row, height + 1.5 * row, 0.0))
    return Scene(items=tuple(items), axes=("", "", ""), flat=True, bounds=bounds)


def draw_crawl(field: SnakeField, cells: Sequence[Cell]) -> Scene:
    """The whole field on paper, with frames in which the snake goes along its path."""
    whole = draw_sheet(field, cells)
    count = len(cells)
    shown = sorted({round(float(k)) for k in np.linspace(1, count, min(count, MAX_FRAMES))})
    frames = [Frame(k, draw_sheet(field, cells[:k]).items) for k in shown]
    if len(frames) < 2:
        return whole
    return replace(draw_sheet(field, ()), bounds=whole.bounds, frames=tuple(frames), frame_unit=f"of {count} cells")


def draw_slice(field: SnakeField, cells: Sequence[Cell], cut: Slice) -> Scene:
    """A slice along up to three axes, at fixed positions on the others; anything off the slice is left out."""
    trail = _trail(field, cells)
    inside = cut.holds(field)
    places = cut.places(field, np.arange(field.cell_count))
    shown = trail.numbers[trail.numbers >= 0]
    items = [*_cells(field, places, np.flatnonzero(inside), shown, flat=False)]
    items += _tubes(trail, cut, inside, places)
    items += _marks(field, places, shown, inside)
    names = [f"axis {k}" for k in cut.axes] + [""] * (3 - len(cut.axes))
    colors = [axis_color(k) for k in cut.axes] + ["text"] * (3 - len(cut.axes))
    ends = np.array([field.size[k] for k in cut.axes] + [1] * (3 - len(cut.axes)), float)
    return Scene(
        items=tuple(items),
        axes=(names[0], names[1], names[2]),
        axis_colors=(colors[0], colors[1], colors[2]),
        bounds=((-0.6,) * 3, tuple((ends - 0.4).tolist())),
    )


def _trail(field: SnakeField, cells: Sequence[Cell]) -> Trail:
    """The cells before the first one that has no place in the grid's space."""
    if set(map(len, cells)) <= {field.axes}:
        return Trail(field, cells)
    whole = next(i for i, cell in enumerate(cells) if len(cell) != field.axes)
    return Trail(field, cells[:whole])


# Cells ---------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def cell_ids(field: SnakeField) -> tuple[str, ...]:
    """The ids of all cells by number."""
    return tuple(map(element, field.cells))


def _cells(field: SnakeField, places: Floats, numbers: Numbers, shown: Numbers, flat: bool) -> list[Item]:
    """Free cells, cells of the path, and walls; unchanged items are the same objects again."""
    age = np.full(field.cell_count, -1, np.int64)
    age[shown] = np.arange(len(shown))
    age[field.is_wall] = -1
    visited = numbers[age[numbers] >= 0]
    free = numbers[(age[numbers] < 0) & ~field.is_wall[numbers]]
    walls = numbers[field.is_wall[numbers]]
    shades = [f"scale {0.08 + 0.84 * s / (SHADES - 1):.3f}" for s in range(SHADES)]
    last = max(1, len(shown) - 1)
    colors = [shades[s] for s in (age[visited] * (SHADES - 1) // last).tolist()]
    ids = cell_ids(field)
    size = CELL if flat else 0.3
    items: list[Item] = [
        _boxes("free cells", ids, places, free, size if flat else 0.14, "field" if flat else "muted"),
        _boxes("path", ids, places, visited, size, colors, 0.55 if flat else 1.0),
        _boxes("walls", ids, places, walls, WALL if flat else 0.5, "rock"),
    ]
    return [item for item in items if isinstance(item, Boxes) and len(item.ids)]


def _boxes(
    name: str,
    ids: Sequence[str],
    places: Floats,
    numbers: Numbers,
    size: float,
    colors: str | list[str],
    opacity: float = 1.0,
) -> Boxes:
    centers = np.zeros((len(numbers), 3))
    centers[:, : places.shape[1]] = places[numbers]
    sizes = np.array([size, size, size if places.shape[1] == 3 else 0.02])
    return Boxes(
        name=name, ids=[ids[n] for n in numbers.tolist()], centers=centers, sizes=sizes, colors=colors, opacity=opacity
    )


def _marks(field: SnakeField, places: Floats, shown: Numbers, inside: np.ndarray | None = None) -> list[Item]:
    """Food, start and head: dots on the sheet, or cubes around those cells that are in a slice."""
    eaten = {field.first, *shown.tolist()}
    marks = [("start", field.first, "text")]
    if len(shown) > 1:
        marks.append(("head", int(shown[-1]), "accent"))
    marks += [(f"food {k}", n, "passed" if n in eaten else "warning") for k, n in enumerate(field.food_numbers)]
    items: list[Item] = []
    for name, number, color in marks:
        spot = places[[number]]
        if inside is None:
            size = 12 if name == "head" else 9
            pickable = name.startswith("food")
            items.append(Points(name=name, ids=[name], positions=spot, colors=color, size_px=size, pickable=pickable))
        elif inside[number]:
            size_3d = np.full(3, MARK)
            items.append(Boxes(name=name, ids=[name], centers=spot, sizes=size_3d, colors=color, pickable=False))
    return items


# Steps ---------------------------------------------------------------------------------------------------------------


def _steps(trail: Trail) -> tuple[Numbers, Numbers, Numbers]:
    """The proper steps: index of the cell that each leads to, axis, and sign."""
    if len(trail.cells) < 2:
        return (np.empty(0, np.int64),) * 3
    changes = trail.changes
    proper = (np.abs(changes).sum(axis=1) == 1) & trail.inside[1:] & trail.inside[:-1]
    rows = np.flatnonzero(proper)
    axes = np.abs(changes[rows]).argmax(axis=1)
    return rows + 1, axes, changes[rows, axes]


def _links(field: SnakeField, sheet: SnakeSheet, trail: Trail) -> list[Item]:
    """Steps in the colour of their axis: from cell to cell along axes 0 and 1, else as stubs in their direction."""
    steps, axes, signs = _steps(trail)
    if not len(steps):
        return []
    origin = sheet.places[trail.numbers[steps - 1]]
    upright = axes % 2
    length = np.where(axes < 2, 1.0, STUB) * signs
    middle = origin.copy()
    middle[np.arange(len(steps)), upright] += length / 2
    sizes = np.full((len(steps), 3), LINK)
    sizes[np.arange(len(steps)), upright] += np.where(axes < 2, 1.0, STUB)
    sizes[:, 2] = 0.02
    centers = np.concatenate([middle, np.full((len(steps), 1), 0.02)], axis=1)
    colors = [axis_color(axis) for axis in axes.tolist()]
    ids = [f"step {i}" for i in steps.tolist()]
    return [Boxes(name="steps", ids=ids, centers=centers, sizes=sizes, colors=colors, pickable=False)]


def _tubes(trail: Trail, cut: Slice, inside: np.ndarray, places: Floats) -> list[Item]:
    """Steps within the slice as bars from cell to cell."""
    steps, axes, _ = _steps(trail)
    shown = inside[trail.numbers[steps]] & inside[trail.numbers[steps - 1]] if len(steps) else np.zeros(0, bool)
    steps = steps[shown]
    axes = axes[shown]
    if not len(steps):
        return []
    centers = (places[trail.numbers[steps]] + places[trail.numbers[steps - 1]]) / 2
    sizes = np.full((len(steps), 3), 0.1)
    shown_as = {axis: k for k, axis in enumerate(cut.axes)}
    sizes[np.arange(len(steps)), [shown_as[axis] for axis in axes.tolist()]] = 1.0
    colors = [axis_color(axis) for axis in axes.tolist()]
    ids = [f"step {i}" for i in steps.tolist()]
    return [Boxes(name="steps", ids=ids, centers=centers, sizes=sizes, colors=colors)]


def _faults(trail: Trail, places: Floats) -> list[Item]:
    """Steps that break a rule: red arrows with the axes that change, and marks where the path cannot be."""
    if len(trail.cells) < 1:
        return []
    items: list[Item] = []
    numbers = trail.numbers.tolist()
    broken = _broken_steps(trail)
    for i in broken:
        if numbers[i] >= 0 and numbers[i - 1] >= 0:
            items += _arrow(trail, i, places[numbers[i - 1]], places[numbers[i]])
    outside = [i for i in broken if numbers[i] < 0 <= numbers[i - 1]]
    wrong = [(f"step {i}", numbers[i - 1]) for i in outside]
    wrong += [(f"step {i}", numbers[i]) for i in _not_allowed(trail)[:MAX_ARROWS]]
    if wrong:
        spots = places[[number for _, number in wrong]]
        ids = [name for name, _ in wrong]
        items.append(Points(name="wrong", ids=ids, positions=spots, colors="failed", size_px=11))
    return items


def _jumps(trail: Trail, places: Floats) -> list[Item]:
    """Steps between cells that are not adjacent, as arrows without any judgement."""
    numbers = trail.numbers.tolist()
    return [
        Polyline(id=f"step {i}", points=places[numbers[i - 1 : i + 1]], color="text", width_px=2.5, arrow=True)
        for i in _broken_steps(trail)
        if numbers[i] >= 0 and numbers[i - 1] >= 0
    ]


def _broken_steps(trail: Trail) -> list[int]:
    proper = set(_steps(trail)[0].tolist())
    return [i for i in range(1, len(trail.numbers)) if i not in proper][:MAX_ARROWS]


def _not_allowed(trail: Trail) -> list[int]:
    """The indices of cells that are walls, or were visited before."""
    _, first = np.unique(trail.numbers, return_index=True)
    again = np.ones(len(trail.numbers), bool)
    again[first] = False
    wrong: list[int] = np.flatnonzero((again | trail.field.is_wall[trail.numbers]) & trail.inside).tolist()
    return wrong


def _arrow(trail: Trail, i: int, tail: Floats, tip: Floats) -> list[Item]:
    axes = np.flatnonzero(trail.changes[i - 1]).tolist()
    if not axes:
        return []
    ends = np.stack([tail, tip])
    middle = ends.mean(axis=0)
    words = f"axes {written(axes)[1:-1]}" if len(axes) > 1 else f"axis {axes[0]} by {trail.changes[i - 1, axes[0]]:+d}"
    return [
        Polyline(id=f"step {i}", points=ends, color="failed", width_px=2.5, arrow=True),
        Label(id=f"axes of step {i}", position=(float(middle[0]), float(middle[1])), text=words, color="failed"),
    ]


# Scales --------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _scales(field: SnakeField, sheet: SnakeSheet) -> tuple[Item, ...]:
    """Along the left and the lower edge, a row of coordinates for each axis, the innermost next to the cells.

    If there are many cells, the coordinates of axes that would crowd are left out.
    """
    items: list[Item] = []
    row = _row(sheet)
    extent = float(sheet.size.max())
    for axis in range(field.axes):
        along = axis % 2
        off = -0.2 - row * (1 + axis // 2)
        half = _block(field, sheet, axis) / 2
        places = [c * float(sheet.pitches[axis]) + half for c in range(field.size[axis])]
        words = list(zip(places, map(str, range(field.size[axis])), strict=True))
        if sheet.pitches[axis] < CLOSE * extent:
            words = []
        name = "→" if along == 0 else "↑"
        words.append((float(sheet.size[along]) + row, f"{name}{axis}"))
        for k, (place, text) in enumerate(words):
            position = (place, off) if along == 0 else (off, place)
            label = Label(id=f"axis {axis}, {k}", position=position, text=text, color=axis_color(axis), size_px=11)
            items.append(label)
    return tuple(items)


def _row(sheet: SnakeSheet) -> float:
    """The height of a row of coordinates, in cells."""
    width, height = sheet.size.tolist()
    return float(max(0.7, 0.022 * width, 0.036 * height))


def _block(field: SnakeField, sheet: SnakeSheet, axis: int) -> float:
    """The extent, from first to last cell, of the block that one step along an axis contains."""
    inner = range(axis % 2, axis, 2)
    return float(sum((field.size[k] - 1) * sheet.pitches[k] for k in inner))
