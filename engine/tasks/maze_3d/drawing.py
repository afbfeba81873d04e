"""A maze as columns in space, and as a plan.

Ids: "cell r,c", "path", "loose k" (a step of the path that is not a bridge), "second path", "A", "B".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from spatial_workbench.engine.core.scene import Boxes, Floats, Ground, Item, Label, Polyline, Scene
from spatial_workbench.engine.tasks.maze_3d.graph import MazeStudy, is_jump
from spatial_workbench.engine.tasks.maze_3d.maze import Cell, Maze, id_of

HEIGHT_COLORS = (
    "#3E5C86", "#557499", "#6F8CAB", "#8BA3BA", "#A8B9C6", "#C3CBCD", "#D8D6C8", "#E6DBB9", "#EFD9A0", "#F4D27F",
)  # fmt: skip
"""The colours of heights, from water to sand; green and red routes are visible on all of them."""
LEVEL = 0.26
"""The drawn height of one unit, in cells."""
FLOOR = 0.2
"""The drawn height of a column of height 0."""
_LIFT = 0.07
_JUMP_RISE = 0.9
JUMP_SWING = 0.32
"""How far jumps bulge sideways on the plan, in cells."""
_MARK_RISE = 0.75
_PLAN_SHARES = np.linspace(0, 1, 9)[1:-1, None]
_ARC = [(share, _JUMP_RISE * 4 * share * (1 - share)) for share in np.linspace(0, 1, 13)[1:-1].tolist()]
Route = Sequence[Cell]
Trace = Callable[[Route], Floats]


def draw_maze(maze: Maze, routes: MazeStudy) -> Scene:
    """The maze in space: columns, the path with jumps as arcs, and a second path; row 0 is at the back."""
    n = maze.size
    tops: Floats = (FLOOR + LEVEL * maze.heights).astype(float)

    def trace(route: Route) -> Floats:
        return _trace_in_space(route, tops, n)

    items: list[Item] = [*_columns(maze, tops), *_routes(routes, trace, width_px=5.0), *_marks_in_space(maze, tops)]
    highest = FLOOR + 10 * LEVEL
    return Scene(
        items=tuple(items),
        axes=("", "", ""),
        ground=Ground(pitch=1.0, extent=(0.0, 0.0, float(n), float(n))),
        bounds=((0.0, 0.0, 0.0), (float(n), float(n), highest)),
    )


def draw_plan(maze: Maze, routes: MazeStudy, shows_reach: bool = True) -> Scene:
    """The maze from above: y goes down, whole coordinates are corners of cells. Digits are left to the view."""
    n = maze.size
    cells = [(r, c) for r in range(n) for c in range(n)]
    colors = ["field" if h < 0 else HEIGHT_COLORS[h] for h in maze.heights.ravel().tolist()]
    centers = np.array([(c + 0.5, r + 0.5, -0.05) for r, c in cells])
    items: list[Item] = [
        Boxes(name="cells", ids=list(map(id_of, cells)), centers=centers, sizes=np.array([1, 1, 0.1]), colors=colors)
    ]
    on_path = {maze.start, *routes.path}
    beside = [cell for cell in routes.reached if cell not in on_path]
    if shows_reach and beside:
        items.append(_reach(beside))
    items += _routes(routes, trace_on_plan, width_px=3.5)
    return Scene(
        items=tuple(items),
        axes=("", "", ""),
        flat=True,
        y_up=False,
        bounds=((0.0, 0.0, 0.0), (float(n), float(n), 0.0)),
    )


def trace_on_plan(route: Route) -> Floats:
    """The points (n, 2) of a route from above: its corners, and jumps that bulge sideways."""
    points = [_middle(route[0])]
    way = (0, 0)
    for start, end in pairwise(route):
        a, b = _middle(start), _middle(end)
        before = way
        way = (end[0] - start[0], end[1] - start[1])
        if is_jump(start, end):
            swing = swing_of(np.array(a), np.array(b))
            arc = a + _PLAN_SHARES * np.subtract(b, a) + JUMP_SWING * np.sin(np.pi * _PLAN_SHARES) * swing
            points += arc.tolist()
        elif way == before:
            points.pop()
        points.append(b)
    return np.array(points)


def swing_of(a: Floats, b: Floats) -> Floats:
    """The direction (2,) in which a jump bulges on the plan: up or to the right, regardless of its direction."""
    return np.array([0.0, -1.0]) if a[1] == b[1] else np.array([1.0, 0.0])


def _columns(maze: Maze, tops: Floats) -> Iterator[Boxes]:
    filled = np.argwhere(maze.heights >= 0)
    if len(filled):
        heights = tops[tuple(filled.T)]
        centers = np.column_stack([filled[:, 1] + 0.5, maze.size - filled[:, 0] - 0.5, heights / 2])
        sizes = np.column_stack([np.ones(len(filled)), np.ones(len(filled)), heights])
        colors = [HEIGHT_COLORS[h] for h in maze.heights[tuple(filled.T)].tolist()]
        ids = [id_of((r, c)) for r, c in filled.tolist()]
        yield Boxes(name="cells", ids=ids, centers=centers, sizes=sizes, colors=colors)


def _routes(routes: MazeStudy, trace: Trace, width_px: float) -> Iterator[Polyline]:
    """The path on a pale background, its steps that are not bridges over it, and the second path where it differs."""
    if len(routes.path) < 2:
        return
    points = trace(routes.path)
    yield Polyline(id="path bed", points=points, color="viewport_top", width_px=width_px + 3, pickable=False)
    yield Polyline(id="path", points=points, color="passed", width_px=width_px, arrow=True, pickable=False)
    for k in routes.loose:
        step = trace(routes.path[k : k + 2])
        yield Polyline(id=f"loose {k}", points=step, color="failed", width_px=width_px, pickable=False)
    if routes.detour:
        points = trace(routes.detour.cells)
        yield Polyline(
            id="second path", points=points, color="failed", width_px=width_px * 0.7, dashed=True, pickable=False
        )


def _marks_in_space(maze: Maze, tops: Floats) -> Iterator[Label]:
    for name, cell in (("A", maze.start), ("B", maze.end)):
        if cell is not None:
            x = cell[1] + 0.5
            y = maze.size - cell[0] - 0.5
            place = (x, y, float(tops[cell]) + _MARK_RISE)
            yield Label(id=name, position=place, text=name, color="text", size_px=18.0)


def _reach(reached: Route) -> Boxes:
    centers = np.array([(c + 0.5, r + 0.5, 0.0) for r, c in reached])
    ids = [f"reached {r},{c}" for r, c in reached]
    size = np.array([1.0, 1.0, 0.01])
    return Boxes(name="reached", ids=ids, centers=centers, sizes=size, colors="passed", opacity=0.3, pickable=False)


def _middle(cell: Cell) -> tuple[float, float]:
    return cell[1] + 0.5, cell[0] + 0.5


def _trace_in_space(route: Route, tops: Floats, n: int) -> Floats:
    """The points (n, 3) of a route: along the columns for walks, through the air for jumps."""
    heights = [float(tops[cell]) + _LIFT for cell in route]
    places = [(c + 0.5, n - r - 0.5) for r, c in route]
    points = [(*places[0], heights[0])]
    for k, (start, end) in enumerate(pairwise(route)):
        x, y = places[k]
        x2, y2 = places[k + 1]
        z = heights[k]
        z2 = heights[k + 1]
        if is_jump(start, end):
            points += [(x + s * (x2 - x), y + s * (y2 - y), z + rise) for s, rise in _ARC]
        elif z != z2:
            # The riser is drawn slightly before the higher column, so that it is not half inside it.
            s = 0.5 - _LIFT if z < z2 else 0.5 + _LIFT
            edge = x + s * (x2 - x), y + s * (y2 - y)
            points += [(*edge, z), (*edge, z2)]
        points.append((x2, y2, z2))
    return np.array(points)
