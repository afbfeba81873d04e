"""Edits of a part: bars added and removed, boxes cut out, holes for rods, rotation and position. Print frame u, v, t
for the solid, the assembly's x, y, z for its place; mm and degrees.

Functions that end in a solid give STL text; they take a Progress, since they run in the background.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np

from spatial_workbench.engine.core.consent import allow_programs
from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.geometry.mesh_files import read_mesh
from spatial_workbench.engine.geometry.mesh_limits import MeshError
from spatial_workbench.engine.geometry.remember import remember_solids
from spatial_workbench.engine.tasks.interlocking_parts import solver
from spatial_workbench.engine.tasks.interlocking_parts.answer import Part
from spatial_workbench.engine.tasks.interlocking_parts.assembly import Posed, posed
from spatial_workbench.engine.tasks.interlocking_parts.cage import Cage
from spatial_workbench.engine.tasks.interlocking_parts.drawing import matrix_of
from spatial_workbench.engine.tasks.interlocking_parts.layers import section
from spatial_workbench.engine.tasks.interlocking_parts.making import contents_of, known, make
from spatial_workbench.engine.tasks.interlocking_parts.solid import CageSolid

HoleKind = Literal["round", "hexagonal", "teardrop"]
SNAP_MM = 4.0
CROSSING = 1.5
"""Where material is wider than this many bars, another bar crosses."""


class CageEditError(ValueError):
    """An impossible change; the message says why."""


@dataclass(frozen=True)
class CageBox:
    """A rectangle on the bed (u0, v0, u1, v1) that becomes bar or air."""

    bounds: tuple[float, float, float, float]
    adds: bool


@dataclass(frozen=True)
class Hole:
    """A hole for a rod: round and upright at (u, v), or lying along v at u."""

    kind: HoleKind
    place: tuple[float, float]


def grid_panel(cage: Cage, across: float, up: float, pitch: float, progress: Progress = silent) -> str:
    """A flat grid of bars, across x up, centred; bars along all edges.

    Raises:
        EditError: it has no room for two bars.
    """
    if min(across, up) <= 2 * cage.bar:
        raise CageEditError(f"A panel has to be wider than two bars ({2 * cage.bar:g} mm)")
    half = cage.bar / 2
    bars = [(c - half, -up / 2, c + half, up / 2) for c in _lines(across, cage.bar, pitch)]
    bars += [(-across / 2, c - half, across / 2, c + half) for c in _lines(up, cage.bar, pitch)]
    return solver.stl_of(solver.lattice(cage, bars))


def changed(cage: Cage, part: Part, change: CageBox | Hole, progress: Progress = silent) -> str:
    """The part's solid with a change.

    Raises:
        EditError: the part has no solid, nothing would be left, or nothing would change.
    """
    before = _manifold(part)
    after = _with(cage, before, change)
    if after.is_empty() or after.volume() < 1.0:
        raise CageEditError("Nothing would be left of the part")
    if abs(after.volume() - before.volume()) < 1e-6:
        raise CageEditError(
            "There is material already" if isinstance(change, CageBox) and change.adds else "Nothing is there"
        )
    return solver.stl_of(after)


def mirrored(part: Part, progress: Progress = silent) -> str:
    """The part's mirror image (u to -u).

    Raises:
        EditError: it has no solid.
    """
    return solver.stl_of(_manifold(part).mirror((1.0, 0.0, 0.0)))


def imported(name: str, data: bytes, progress: Progress = silent) -> str:
    """A mesh file as the contents of a part, on the bed and centred.

    Raises:
        CannotRepresent: it cannot be read.
    """
    from spatial_workbench.engine.exchange import suffix_of
    from spatial_workbench.engine.exchange.apart import read_apart

    return read_apart(f"{__name__}:part_in", data, progress, suffix=suffix_of(name))


def part_in(path: str, suffix: str) -> dict[str, Any]:
    """Reads a mesh file as one part; runs in the process for reading files."""
    from spatial_workbench.engine.exchange.apart import refusing

    try:
        vertices, triangles = read_mesh(f"part.{suffix}", Path(path).read_bytes())
        low, high = vertices.min(axis=0), vertices.max(axis=0)
        return {"text": contents_of(vertices - [*((low + high) / 2)[:2], low[2]], triangles)}
    except MeshError as error:
        return refusing(error)


def run_part(part: Part, progress: Progress = silent) -> tuple[str, bool]:
    """Runs a part's program in the sandbox, because a person asked for it; its mesh is kept.

    Returns:
        what is wrong with the part ("" if it is a solid), and whether a missing sandbox is the reason.
    """
    with allow_programs():
        built = make(part, progress)
    return built.problem or built.crossing or built.waiting, bool(built.waiting)


# Bars under the pointer ----------------------------------------------------------------------------------------------


def bar_at(cage: Cage, solid: CageSolid, point: Sequence[float]) -> CageBox | None:
    """The edit for a click on the bed: the piece of bar there is removed, or a bar is added across the window there."""
    from shapely import Point

    outline = outline_of(solid, cage.bar / 2)
    if outline.covers(Point(point[0], point[1])):
        return _piece_at(cage, outline, (point[0], point[1]))
    for polygon in getattr(outline, "geoms", [outline]):
        for ring in polygon.interiors:
            u0, v0, u1, v1 = ring.bounds
            if u0 < point[0] < u1 and v0 < point[1] < v1:
                return _across((u0, v0, u1, v1), cage.bar)
    return None


@remember_solids(maxsize=16)
def outline_of(solid: CageSolid, height: float) -> Any:
    """The section of a part at a height above its lowest point (shapely)."""
    return section(solid.manifold.slice(float(solid.bounds[0][2]) + height))


@remember_solids(maxsize=16)
def lines_of(solid: CageSolid, bar: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The edges and centre lines of a part's bars, in u and in v."""
    outline = outline_of(solid, bar / 2).simplify(1e-6)
    lines = []
    for axis in (0, 1):
        edges = sorted(set(_straight_edges(outline, axis, bar / 2)))
        middles = [edge + bar / 2 for edge in edges if any(abs(other - edge - bar) < 0.01 for other in edges)]
        lines.append(tuple(sorted({*edges, *middles})))
    return lines[0], lines[1]


def _straight_edges(outline: Any, axis: int, least: float) -> Iterator[float]:
    """The positions of the outline's edges across an axis that have at least that length."""
    for polygon in getattr(outline, "geoms", [outline]):
        for ring in (polygon.exterior, *polygon.interiors):
            for start, end in pairwise(ring.coords):
                if abs(end[axis] - start[axis]) < 1e-6 and abs(end[1 - axis] - start[1 - axis]) >= least:
                    yield round(float(start[axis]), 3)


def snapped(value: float, lines: Sequence[float], grid: float = 1.0) -> float:
    """A coordinate snapped to the nearest line within SNAP_MM, or else to the grid."""
    nearest = min(lines, key=lambda line: abs(line - value), default=None)
    if nearest is not None and abs(nearest - value) <= SNAP_MM:
        return nearest
    return round(value / grid) * grid


def drawn_bar(cage: Cage, start: Sequence[float], end: Sequence[float]) -> CageBox:
    """The bar that a drag from one point to another draws: along u or v, whichever is longer."""
    u0, v0 = start
    u1, v1 = end
    half = cage.bar / 2
    if abs(u1 - u0) >= abs(v1 - v0):
        return CageBox((min(u0, u1), v0 - half, max(u0, u1), v0 + half), True)
    return CageBox((u0 - half, min(v0, v1), u0 + half, max(v0, v1)), True)


def _piece_at(cage: Cage, outline: Any, point: tuple[float, float]) -> CageBox | None:
    """The piece of bar at a point, between the bars that cross it; None at a crossing."""
    runs = [_run(outline, point, axis) for axis in (0, 1)]
    widths = [end - start for start, end in runs]
    if min(widths) > CROSSING * cage.bar:
        return None
    along = 0 if widths[0] > widths[1] else 1
    ends = [_walk(outline, point, along, sign, CROSSING * cage.bar, runs[along]) for sign in (-1, 1)]
    across = runs[1 - along]
    bounds = (ends[0], across[0], ends[1], across[1]) if along == 0 else (across[0], ends[0], across[1], ends[1])
    return CageBox(bounds, False)


def _run(outline: Any, point: tuple[float, float], axis: int) -> tuple[float, float]:
    """The interval of material along an axis through a point."""
    from shapely import LineString

    low = outline.bounds[axis] - 1
    high = outline.bounds[axis + 2] + 1
    ends = [(low, point[1]), (high, point[1])] if axis == 0 else [(point[0], low), (point[0], high)]
    cut = outline.intersection(LineString(ends))
    for piece in getattr(cut, "geoms", [cut]):
        start = piece.bounds[axis]
        end = piece.bounds[axis + 2]
        if start <= point[axis] <= end:
            return start, end
    return point[axis], point[axis]


def _walk(outline: Any, point: tuple[float, float], along: int, sign: int, wide: float,
          run: tuple[float, float]) -> float:  # fmt: skip
    """How far a piece of bar reaches: to the bar that crosses it, or to its end."""
    end = run[0] if sign < 0 else run[1]
    corners = [
        edge for edge in _edges(outline, along) if 0 < sign * (edge - point[along]) <= sign * (end - point[along])
    ]
    start = point[along]
    for edge in sorted(corners, key=lambda edge: sign * edge):
        middle = (start + edge) / 2
        first, last = _run(outline, (middle, point[1]) if along == 0 else (point[0], middle), 1 - along)
        if last - first > wide:
            return start
        start = edge
    return end


def _edges(outline: Any, axis: int) -> list[float]:
    """The positions of the outline's corners along an axis."""
    rings = [
        ring for polygon in getattr(outline, "geoms", [outline]) for ring in (polygon.exterior, *polygon.interiors)
    ]
    return sorted({round(corner[axis], 6) for ring in rings for corner in ring.coords})


def _across(window: tuple[float, float, float, float], bar: float) -> CageBox:
    """A bar across the middle of a window's longer side."""
    u0, v0, u1, v1 = window
    middle_u = (u0 + u1) / 2
    middle_v = (v0 + v1) / 2
    half = bar / 2
    if v1 - v0 >= u1 - u0:
        return CageBox((u0, middle_v - half, u1, middle_v + half), True)
    return CageBox((middle_u - half, v0, middle_u + half, v1), True)


def bounds_of(parts: Iterable[Part]) -> tuple[Floats, Floats] | None:
    """The lowest and the highest corner of the box around parts; None while none of their meshes is known."""
    solids = [(known(part).solid, matrix_of(part)) for part in parts]
    boxes = [posed(solid, matrix).bounds for solid, matrix in solids if solid is not None]
    if not boxes:
        return None
    lows, highs = zip(*boxes, strict=True)
    return np.min(lows, axis=0), np.max(highs, axis=0)


# Places --------------------------------------------------------------------------------------------------------------


def pose_of(matrix: Floats) -> tuple[list[float], list[float]]:
    """Position in mm, and angles in degrees about x, then y, then z, of a rigid transform (4, 4)."""
    (r00, r01, _), (r10, r11, _), (r20, r21, r22) = matrix[:3, :3].tolist()
    if abs(r20) < 1 - 1e-12:
        angles = [np.arctan2(r21, r22), np.arcsin(-r20), np.arctan2(r10, r00)]
    else:  # Gimbal lock: x and z turn about the same line, so x takes the whole angle.
        sign = -1.0 if r20 > 0 else 1.0
        angles = [np.arctan2(sign * r01, r11), sign * np.pi / 2, 0.0]
    return matrix[:3, 3].tolist(), [round(float(np.degrees(angle)), 9) + 0.0 for angle in angles]


def placed(position: Sequence[float], angles_deg: Sequence[float]) -> Floats:
    """The transform (4, 4) of a position and angles about x, then y, then z."""
    matrix = np.eye(4)
    for axis, angle in enumerate(angles_deg):
        matrix[:3, :3] = _turn(axis, angle) @ matrix[:3, :3]
    matrix[:3, 3] = position
    return matrix


def _turn(axis: int, angle_deg: float) -> Floats:
    """The rotation (3, 3) about an axis; exact for multiples of 90 degrees."""
    c, s = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    turn = np.eye(3)
    u, v = (axis + 1) % 3, (axis + 2) % 3
    turn[u, u] = turn[v, v] = c
    turn[u, v] = -s
    turn[v, u] = s
    return _clean(turn)


def turned(matrix: Floats, axis: int, angle_deg: float, center: Floats) -> Floats:
    """A transform turned about an axis (0, 1, 2) of the assembly through a point."""
    turn = np.eye(4)
    turn[:3, :3] = _turn(axis, angle_deg)
    turn[:3, 3] = center - turn[:3, :3] @ center
    moved = turn @ matrix
    moved[:3, :3] = _clean(moved[:3, :3])
    return np.asarray(moved.round(9))


def opposite(matrix: Floats) -> Floats:
    """A transform turned by 180 degrees about the middle of the cage: south becomes north."""
    return turned(matrix, 2, 180.0, np.zeros(3))


def face_snap(cage: Cage, low: float, high: float, axis: int, others: Sequence[Posed], clearance: float,
              reach: float) -> tuple[float, str]:  # fmt: skip
    """How far to move a part that spans low to high along an axis so that one of its faces meets another part's.

    The clearance is kept from faces of other parts, but not from the free inside and the floor.
    Returns the move, and what it meets ("" and 0 if nothing is within reach).
    """
    best = reach
    name = ""
    move = 0.0
    for line, gap, what in _face_lines(cage, axis, others, clearance):
        for edge, sign in ((low, 1.0), (high, -1.0)):
            way = line + sign * gap - edge
            if abs(way) < best - 1e-9:
                best = abs(way)
                move = way
                name = what
    return move, name


def _face_lines(cage: Cage, axis: int, others: Sequence[Posed], clearance: float) -> Iterator[tuple[float, float, str]]:
    for number, other in enumerate(others):
        for bound in other.bounds:
            yield float(bound[axis]), clearance, f"a face of part {number}"
    for bound in cage.inner_box:
        yield float(bound[axis]), 0.0, "the free inside"
    if axis == 2:
        yield 0.0, 0.0, "the floor"


def _clean(turn: Floats) -> Floats:
    """A rotation whose entries next to -1, 0 and 1 are exact."""
    whole = np.round(turn)
    return np.where(np.abs(turn - whole) < 1e-12, whole, turn) + 0.0


def _manifold(part: Part) -> Any:
    built = make(part)
    if built.solid is None or not built.is_valid:
        raise CageEditError(f"The part is not a solid: {built.problem or built.crossing or built.waiting}")
    return built.solid.manifold


def _with(cage: Cage, solid: Any, change: CageBox | Hole) -> Any:
    if isinstance(change, Hole):
        return solid - _hole(cage, change)
    if change.adds:
        return solid + _box(cage, change.bounds)
    import manifold3d

    u0, v0, u1, v1 = change.bounds
    low, high = solid.bounding_box()[2], solid.bounding_box()[5]
    block = manifold3d.Manifold.cube((u1 - u0, v1 - v0, high - low + 2)).translate((u0, v0, low - 1))
    return solid - block


def _hole(cage: Cage, hole: Hole) -> Any:
    import manifold3d

    u, v = hole.place
    if hole.kind == "round":
        return solver.round_hole(cage).translate((u, v, 0))
    if hole.kind == "hexagonal":
        return solver.hexagonal_hole(cage).translate((u, 0, cage.bar / 2))
    radius = (cage.rod + solver.HOLE_PLAY) / 2
    circle = manifold3d.CrossSection.circle(radius / np.cos(np.pi / 48), 48)
    # A roof of 45 degrees on the circle; it points to +y here, and up once the prism lies along v.
    side = radius / np.sqrt(2)
    roof = manifold3d.CrossSection([[(-side, side), (side, side), (0.0, 2 * side)]])
    lying = manifold3d.Manifold.extrude(circle + roof, 2000.0).translate((0, 0, -1000)).rotate((90, 0, 0))
    return lying.translate((u, 0, cage.bar / 2))


def _lines(length: float, bar: float, pitch: float) -> list[float]:
    """Middles of bars: at both ends, and as evenly between as the pitch says."""
    span = length - bar
    count = max(1, round(span / pitch))
    return [-span / 2 + span * i / count for i in range(count + 1)]


def _box(cage: Cage, bounds: tuple[float, float, float, float]) -> Any:
    u0, v0, u1, v1 = bounds
    if u1 - u0 <= 0 or v1 - v0 <= 0:
        raise CageEditError("The bar has no length")
    return solver.lattice(cage, [bounds])
