"""Drawings of shikaku: cells, clues, rectangles. Cell (x, y) fills the square from (x, y) to (x + 1, y + 1), y down."""

from collections.abc import Sequence

import numpy as np

from spatial_workbench.engine.core.scene import Floats, Item, Label, Polygon, Polyline, Scene
from spatial_workbench.engine.core.verdict import Verdict
from spatial_workbench.engine.tasks.shikaku.board import Rectangle, ShikakuBoard, area_of

_INSET = 0.06
_COLORS = ("series 4", "series 1", "series 2", "series 3", "series 6")


def draw(board: ShikakuBoard, rectangles: Sequence[Rectangle], verdict: Verdict | None = None) -> Scene:
    """The grid with its clues and the rectangles so far; cells that a verdict names are marked."""
    failed = verdict.failed_elements if verdict else ()
    items: list[Item] = [_outline(board), *_lines(board)]
    items += [draw_rectangle(f"rectangle {k}", r, color_of(k, r)) for k, r in enumerate(rectangles) if _is_drawable(r)]
    items += [_marked(name) for name in failed if name.startswith("cell ")]
    items += [_clue(x, y, value) for (x, y), value in board.clues.items()]
    bounds = ((-0.3, -0.3), (board.width + 0.3, board.height + 0.3))
    return Scene(items=items, flat=True, y_up=False, whole=True, axes=("column", "row", ""), bounds=bounds)


def draw_rectangle(name: str, rectangle: Rectangle, color: str, opacity: float = 0.4) -> Polygon:
    """A rectangle, a little smaller than its cells, so that neighbours read apart."""
    return Polygon(id=name, points=corners_of(rectangle, _INSET), color=color, opacity=opacity, outline="text")


def corners_of(rectangle: Rectangle, inset: float = 0.0) -> Floats:
    """The corners of a rectangle: (4, 2)."""
    x0, y0, x1, y1 = rectangle
    low = np.array([x0 + inset, y0 + inset])
    high = np.array([x1 + 1 - inset, y1 + 1 - inset])
    return np.array([low, [high[0], low[1]], high, [low[0], high[1]]])


def color_of(k: int, rectangle: Rectangle) -> str:
    """A role that differs between most neighbours."""
    return _COLORS[(rectangle[0] * 2 + rectangle[1] * 3 + area_of(rectangle)) % len(_COLORS)]


def _is_drawable(rectangle: Rectangle) -> bool:
    x0, y0, x1, y1 = rectangle
    return x0 <= x1 and y0 <= y1 and max(map(abs, rectangle)) <= 1000


def _outline(board: ShikakuBoard) -> Polygon:
    whole = (0, 0, board.width - 1, board.height - 1)
    return Polygon(id="grid", points=corners_of(whole), color="panel", outline="text", pickable=False)


def _lines(board: ShikakuBoard) -> list[Polyline]:
    upright = [([x, 0], [x, board.height]) for x in range(1, board.width)]
    level = [([0, y], [board.width, y]) for y in range(1, board.height)]
    return [
        Polyline(id=f"line {i}", points=np.array(ends, dtype=float), color="line", width_px=1, pickable=False)
        for i, ends in enumerate(upright + level)
    ]


def _clue(x: int, y: int, value: int) -> Label:
    return Label(id=f"clue {x},{y}", position=(x + 0.5, y + 0.5), text=str(value), size_px=17)


def _marked(name: str) -> Polygon:
    x, y = (int(part) for part in name.split()[1].split(","))
    return Polygon(
        id=name, points=corners_of((x, y, x, y), 0.02), color="failed", opacity=0.5, outline="failed", pattern="hatch"
    )
