"""The reference solution: plates at the bottom and the top, and side panels whose corners interlock like the
knuckles of a hinge, so that each panel hangs on two rods (docs/tasks/interlocking_parts.md)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.geometry.stl import write_stl
from spatial_workbench.engine.tasks.interlocking_parts.answer import Form, Part
from spatial_workbench.engine.tasks.interlocking_parts.cage import Cage

CLEARANCE = 0.2
HOLE_PLAY = 0.4
HOLE_SIDES = 48
_LONG = 2000.0


def construct(cage: Cage, progress: Progress = silent) -> tuple[Part, ...]:
    """The parts of the cage, in the order bottom, top, then south, north, east, west of each segment.

    Raises:
        ValueError: no pitch suits the cage.
    """
    if cage.pitch is None:
        raise ValueError("no pitch divides the width into gaps of the range and fits the outer height")
    progress(0, cage.parts, "Plates")
    flat = stl_of(plate(cage))
    top = cage.levels_at(cage.pitch) * cage.pitch
    parts = [_part(flat, np.eye(4)), _part(flat, _moved(np.eye(4), (0, 0, top)))]
    for first, last in cage.segments():
        progress(len(parts), cage.parts, "Panels")
        middle = _middle_height(cage, first, last)
        along_x, along_y = (stl_of(panel(cage, first, last, outer)) for outer in (True, False))
        for side, text in zip(SIDES, (along_x, along_x, along_y, along_y), strict=True):
            parts.append(_part(text, standing(cage, side, middle)))
    return tuple(parts)


SIDES = (marked("south"), marked("north"), marked("east"), marked("west"))
FACES = (*SIDES, marked("bottom"), marked("top"))


def standing(cage: Cage, face: str, middle: float) -> Floats:
    """The transform (4, 4) of a panel (or plate) that is printed flat, onto a face of the cage.

    middle: the height of the panel's middle; for the top plate, of its lower side; the bottom needs none.
    """
    d = cage.width / 2
    turns: dict[str, list[list[float]]] = {
        "south": [[1, 0, 0, 0], [0, 0, -1, -d], [0, 1, 0, middle]],
        "north": [[-1, 0, 0, 0], [0, 0, 1, d], [0, 1, 0, middle]],
        "east": [[0, 0, 1, d], [1, 0, 0, 0], [0, 1, 0, middle]],
        "west": [[0, 0, -1, -d], [-1, 0, 0, 0], [0, 1, 0, middle]],
        "bottom": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]],
        "top": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, middle]],
    }
    return np.array([*turns[face], [0, 0, 0, 1]], float)


def plate(cage: Cage) -> Any:
    """The plate (manifold3d), as printed."""
    outer = cage.width / 2 + cage.bar
    bars = [(c - cage.bar / 2, -outer, c + cage.bar / 2, outer) for c in _columns(cage)]
    bars += [(-outer, c - cage.bar / 2, outer, c + cage.bar / 2) for c in _columns(cage)]
    return _without(lattice(cage, bars), [round_hole(cage).translate((x, y, 0)) for x, y in cage.axes])


def panel(cage: Cage, first: int, last: int, is_outer: bool) -> Any:
    """The panel for the levels first to last - 1 (manifold3d), as printed; u across, v up around its middle.

    is_outer: it owns the corners at its ends; else those in the middle.
    """
    assert cage.pitch is not None
    low, high = _ends(cage, first, last)
    middle = _middle_height(cage, first, last)
    half = cage.bar / 2
    outer = cage.width / 2 + cage.bar
    owned = _owned(first, last, is_outer)
    corners = (-cage.axis_offset, cage.axis_offset)
    bars = [(c - half, low - middle, c + half, high - middle) for c in _columns(cage)[1:-1]]
    for level in range(first, last):
        reach = outer if any(level in run for run in owned) else cage.width / 2 - CLEARANCE
        z = _height(cage, level) - middle
        bars.append((-reach, z - half, reach, z + half))
    for run in owned:
        start, end = _corner_interval(cage, first, last, run, is_outer)
        bars += [(u - half, start - middle, u + half, end - middle) for u in corners]
    return _without(lattice(cage, bars), [hexagonal_hole(cage).translate((u, 0, half)) for u in corners])


def round_hole(cage: Cage) -> Any:
    """An upright prism around the hole for a rod (manifold3d), centred on the origin."""
    return _prism((cage.rod + HOLE_PLAY) / 2, HOLE_SIDES)


def hexagonal_hole(cage: Cage) -> Any:
    """A hexagonal hole that lies along v, one corner up, so that its roof needs no support (manifold3d)."""
    # A corner of the hexagon points along x; so x turns up, and the prism's axis along y.
    return _prism((cage.rod + HOLE_PLAY) / 2, 6).rotate((0, -90, 0)).rotate((0, 0, 90))


def _columns(cage: Cage) -> list[float]:
    """The positions of the bars' centres across the panel."""
    assert cage.pitch is not None
    count = round((cage.width + cage.bar) / cage.pitch)
    return [-cage.axis_offset + cage.pitch * i for i in range(count + 1)]


def _height(cage: Cage, level: int) -> float:
    assert cage.pitch is not None
    return cage.bar / 2 + cage.pitch * level


def _ends(cage: Cage, first: int, last: int) -> tuple[float, float]:
    """The lower and upper end of the segment's panels."""
    low, high = _joints(cage, first, last)
    return (low + CLEARANCE if first == 1 else low), high - CLEARANCE


def _joints(cage: Cage, first: int, last: int) -> tuple[float, float]:
    """The heights where the segment meets what is below and above: a plate, or the next level's bars."""
    low = cage.bar if first == 1 else _height(cage, first) - cage.bar / 2
    return low, _height(cage, last) - cage.bar / 2


def _middle_height(cage: Cage, first: int, last: int) -> float:
    """The height of v = 0."""
    return sum(_joints(cage, first, last)) / 2


def _runs(first: int, last: int) -> tuple[range, range, range]:
    """The levels by who owns the corners: the outer panels, the inner ones, the outer ones again."""
    count = last - first
    inner = count // 2
    upper = (count - inner) // 2
    start = last - upper - inner
    return range(first, start), range(start, last - upper), range(last - upper, last)


def _owned(first: int, last: int, is_outer: bool) -> Sequence[range]:
    below, inside, above = _runs(first, last)
    return (below, above) if is_outer else (inside,)


def _corner_interval(cage: Cage, first: int, last: int, run: range, is_outer: bool) -> tuple[float, float]:
    """The heights of a run's corner piece; where panels meet, the inner one leaves the clearance."""
    low, high = _ends(cage, first, last)
    gap = 0.0 if is_outer else CLEARANCE
    start = low if run.start == first else (_height(cage, run.start - 1) + _height(cage, run.start)) / 2 + gap
    end = high if run.stop == last else (_height(cage, run.stop - 1) + _height(cage, run.stop)) / 2 - gap
    return start, end


def lattice(cage: Cage, bars: Sequence[tuple[float, float, float, float]]) -> Any:
    """Bars that lie on the bed, each from (u0, v0) to (u1, v1), as one solid (manifold3d)."""
    import manifold3d

    # United in the plane, because uniting solids with coplanar faces would leave unnecessary vertices.
    outlines = [manifold3d.CrossSection.square((u1 - u0, v1 - v0)).translate((u0, v0)) for u0, v0, u1, v1 in bars]
    return manifold3d.Manifold.extrude(manifold3d.CrossSection.batch_boolean(outlines, manifold3d.OpType.Add), cage.bar)


def _prism(radius: float, sides: int) -> Any:
    import manifold3d

    around = radius / np.cos(np.pi / sides)
    return manifold3d.Manifold.cylinder(_LONG, around, around, sides, center=True)


def _without(solid: Any, holes: Sequence[Any]) -> Any:
    import manifold3d

    return manifold3d.Manifold.batch_boolean([solid, *holes], manifold3d.OpType.Subtract)


def stl_of(solid: Any) -> str:
    """A manifold3d solid as STL text."""
    mesh = solid.to_mesh64()
    return write_stl(np.asarray(mesh.vert_properties)[:, :3], np.asarray(mesh.tri_verts).astype(np.int64))


def _moved(matrix: Floats, by: Sequence[float]) -> Floats:
    moved = matrix.copy()
    moved[:3, 3] += by
    return moved


def _part(text: str, matrix: Floats) -> Part:
    return Part(fileContents=text, fileType=Form.STL, transform=(0.0,) * 16).placed(matrix)
