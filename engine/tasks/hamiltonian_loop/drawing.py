"""The scene of hamiltonian_loop: flat, y down, cell centres at whole coordinates."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from spatial_workbench.engine.core.scene import Boxes, Floats, Item, Points, Polygon, Polyline, Scene
from spatial_workbench.engine.tasks.hamiltonian_loop.grid import Cell, LoopGrid, Place
from spatial_workbench.engine.tasks.hamiltonian_loop.pieces import Piece

CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


def draw_grid(grid: LoopGrid, steps: Sequence[Place]) -> Scene:
    """The grid with a walk on it.

    Ids: "cell x,y"; "inside", "walk N" (the parts of the walk that are in order), "step i" (a step that is not),
    "start", "end", "again x,y" (a cell that is visited twice), "open x,y" (a free cell without a step).
    """
    items: list[Item] = [_cells("free cells", grid.free, "field", 0.55)]
    if _is_closed(steps) and len(set(steps)) == len(steps):
        inside = np.array(steps, float)
        items.append(Polygon(id="inside", points=inside, color="accent", opacity=0.12, outline=None, pickable=False))
    if grid.blocked:
        items.append(_cells("blocked cells", sorted(grid.blocked), "muted", 1.0))
    if steps:
        items += _walk(steps)
    unvisited = [cell for cell in grid.free if cell not in set(steps)]
    if unvisited:
        items.append(_dots(unvisited))
    bounds = ((0.5, 0.5, 0.0), (grid.width + 0.5, grid.height + 0.5, 0.0))
    return Scene(items=tuple(items), flat=True, y_up=False, whole=True, bounds=bounds)


def square(x: float, y: float) -> Floats:
    """The corners of a cell."""
    corners: Floats = CORNERS + np.array([x, y])
    return corners


def draw_pieces(grid: LoopGrid, pieces: Sequence[Piece]) -> Scene:
    """The grid with several paths and loops, as an editor shows them. Ids are as in `draw_grid`."""
    if len(pieces) == 1:
        return draw_grid(grid, pieces[0].cells)
    scene = draw_grid(grid, ())
    walks = [_line(f"walk {k}", piece.cells, piece.closed) for k, piece in enumerate(pieces)]
    visited = {cell for piece in pieces for cell in piece.cells}
    fixed = [item for item in scene.items if item.name != "open cells"]
    left = [cell for cell in grid.free if cell not in visited]
    dots = [_dots(left)] if left else []
    return replace(scene, items=(*fixed, *walks, *_loose_ends(pieces), *dots))


def _loose_ends(pieces: Sequence[Piece]) -> Iterator[Points]:
    ends = [end for piece in pieces if not piece.closed for end in (piece.cells[0], piece.cells[-1])]
    if ends:
        ids = [f"end {x},{y}" for x, y in ends]
        yield Points(
            name="ends", ids=ids, positions=np.array(ends, float), colors="accent", size_px=10.0, pickable=False
        )


def _line(name: str, cells: Sequence[Place], closed: bool) -> Polyline:
    points = np.array(cells, float)
    return Polyline(id=name, points=points, color="accent", width_px=5.0, closed=closed, pickable=False)


def _cells(name: str, cells: Sequence[Cell], color: str, opacity: float) -> Boxes:
    return Boxes(
        name=name,
        ids=[f"cell {x},{y}" for x, y in cells],
        centers=np.array([(x, y, -0.01) for x, y in cells], float),
        sizes=np.array([1.0, 1.0, 0.01]),
        colors=color,
        opacity=opacity,
    )


def _dots(cells: Sequence[Cell]) -> Points:
    ids = [f"open {x},{y}" for x, y in cells]
    return Points(
        name="open cells", ids=ids, positions=np.array(cells, float), colors="neutral", size_px=6.0, pickable=False
    )


def _walk(steps: Sequence[Place]) -> Iterator[Item]:
    runs = _runs(steps)
    closed = _is_closed(steps)
    yield from _twice(steps)
    for number, (start, end) in enumerate(runs):
        if end - start > 1:
            yield _line(f"walk {number}", steps[start:end], closed)
    for i, _ in runs if not closed else ():
        ends = np.array([steps[i - 1], steps[i]])
        gap = i == 0
        role = "warning" if gap else "failed"
        yield Polyline(id=f"step {i}", points=ends, color=role, width_px=2.0, dashed=gap, arrow=not gap, pickable=False)
    yield _ends(steps, closed)


def _twice(steps: Sequence[Place]) -> Iterator[Polygon]:
    seen: set[Place] = set()
    for x, y in steps:
        if (x, y) in seen:
            yield Polygon(
                id=f"again {x:g},{y:g}", points=square(x, y), color="failed", opacity=0.4, outline=None, pickable=False
            )
        seen.add((x, y))


def _ends(steps: Sequence[Place], closed: bool) -> Points:
    ids = ["start"] if closed or len(steps) == 1 else ["start", "end"]
    positions = np.array([steps[0], steps[-1]][: len(ids)], float)
    return Points(name="ends", ids=ids, positions=positions, colors="accent", size_px=12.0, pickable=False)


def _runs(steps: Sequence[Place]) -> list[tuple[int, int]]:
    """The connected stretches of the walk: the first step of each and the one after its last."""
    starts = [i for i in range(len(steps)) if i == 0 or not _are_beside(steps[i - 1], steps[i])]
    return list(zip(starts, (*starts[1:], len(steps)), strict=True))


def _is_closed(steps: Sequence[Place]) -> bool:
    """Whether the walk is one closed line."""
    return len(steps) > 2 and all(_are_beside(steps[i - 1], steps[i]) for i in range(len(steps)))


def _are_beside(a: Place, b: Place) -> bool:
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1
