"""What the editor needs while an end or a segment is dragged: pure functions that take microseconds."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.tasks.two_segments.board import WORDS, Point, SegmentsBoard
from spatial_workbench.engine.tasks.two_segments.generator import grid_ticks
from spatial_workbench.engine.tasks.two_segments.partition import counts_of
from spatial_workbench.engine.tasks.two_segments.placement import ENDS, Segments, SegmentsPlacement

STEP = 0.05
"""The regular snapping step along a side."""

END_NAMES = tuple(f"{segment}{end}" for segment in (0, 1) for end in ENDS)
"""Names of the four ends by number: end 0 and 1 of segment 0, then those of segment 1."""

ALONG = 0.2
"""Cosine of the steepest angle at which a boundary still leads in a direction."""

KINDS = (marked("grid"), marked("corner"), marked("midpoint"), marked("end"), marked("step"))
"""What attracts an end, the strongest first."""


class SegmentsSnap(NamedTuple):
    """A place of the boundary that attracts an end."""

    s: float
    kind: str
    """"grid", "corner", "midpoint", "end" or "step": strongest first."""


class SegmentsTally(NamedTuple):
    """The number of regions of a shape, and the target."""

    letter: str
    actual: int
    target: int


def snap_candidates(board: SegmentsBoard, others: Iterable[float] = ()) -> list[SegmentsSnap]:
    """All places that attract an end, strongest kind first.

    Args:
        others: boundary parameters of the other segment's ends.
    """
    grid = [] if board.grid is None else grid_ticks(board)
    steps = round(1 / STEP)
    return [
        *(SegmentsSnap(tick / board.ticks, "grid") for tick in grid),
        *(SegmentsSnap(float(k), "corner") for k in range(4)),
        *(SegmentsSnap(k + 0.5, "midpoint") for k in range(4)),
        *(SegmentsSnap(s % 4, "end") for s in others),
        *(SegmentsSnap(i / steps, "step") for i in range(4 * steps)),
    ]


def snapped(board: SegmentsBoard, point: Point, candidates: Sequence[SegmentsSnap], reach: float) -> tuple[float, str]:
    """The boundary parameter for a pointer at `point`, and what attracted it ("" if nothing did).

    A candidate attracts what is within `reach` (in the frame's unit); of the strongest kind that does, the nearest.
    """
    s = board.nearest_s(point)
    foot = board.point(s)
    best: tuple[int, float, SegmentsSnap] | None = None
    strength = {kind: i for i, kind in enumerate(KINDS)}
    for candidate in candidates:
        x, y = board.point(candidate.s)
        distance = ((x - foot[0]) ** 2 + (y - foot[1]) ** 2) ** 0.5
        rank = (strength[candidate.kind], distance, candidate)
        if distance <= reach and (best is None or rank < best):
            best = rank
    return (best[2].s, best[2].kind) if best else (s, "")


def moved_parallel(board: SegmentsBoard, chord: tuple[float, float], shift: Point) -> tuple[float, float] | None:
    """The boundary parameters of a chord after its line is moved by `shift`; None where it leaves the frame.

    The ends keep their order: the first stays the one that the chord's direction leaves from.
    """
    (ax, ay), (bx, by) = map(board.point, chord)
    ox = ax + shift[0]
    oy = ay + shift[1]
    dx = bx - ax
    dy = by - ay
    hits: list[tuple[float, float]] = []
    for k in range(4):
        px, py = board.corners[k]
        qx, qy = board.corners[(k + 1) % 4]
        ex, ey = qx - px, qy - py
        determinant = dx * ey - dy * ex
        if determinant == 0:
            continue
        t = ((px - ox) * dy - (py - oy) * dx) / determinant
        along = ((px - ox) * ey - (py - oy) * ex) / determinant
        if 0 <= t <= 1:
            hits.append((along, (k + t) % 4))
    if not hits or min(hits)[1] == max(hits)[1]:
        return None
    return min(hits)[1], max(hits)[1]


def tallies(board: SegmentsBoard, segments: Segments) -> list[SegmentsTally]:
    """The tally of each shape that occurs or should occur; empty if nothing is cut."""
    placed = SegmentsPlacement(board, segments)
    if not placed.is_partition:
        return []
    counts = counts_of(placed.regions)
    return [SegmentsTally(c, counts[c], board.target[c]) for c in WORDS if counts[c] or board.target[c]]


def on_grid(board: SegmentsBoard, s: float) -> float:
    """The place on the grid that is nearest along the boundary; `s` itself where there is no grid."""
    if board.grid is None:
        return s
    places = [tick / board.ticks for tick in grid_ticks(board)]
    return min(places, key=lambda place: min((place - s) % 4, (s - place) % 4), default=s)


def with_ends(board: SegmentsBoard, segments: Segments, places: Mapping[int, float]) -> tuple[tuple[Point, Point], ...]:
    """The segments with some ends (0 to 3) at these boundary parameters; the other ends keep their coordinates."""
    points = [board.written(places[end]) if end in places else segments[end // 2][end % 2] for end in range(4)]
    return (points[0], points[1]), (points[2], points[3])


def nudged(board: SegmentsBoard, s: float, way: Point, step: float, places: Sequence[float] | None = None) -> float:
    """The next place of the boundary in a direction; `s` itself if the boundary does not lead that way.

    Args:
        way: the direction, a unit vector.
        step: fraction of a side; a step ends at a corner.
        places: the boundary parameters that an end may go to; None: steps along the boundary.
    """
    s %= 4
    forward = math.floor(s + 1e-9) + 1
    back = math.ceil(s - 1e-9) - 1
    goals = [min(s + step, forward), max(s - step, back)]
    if places is not None:
        goals = [s + min(_ahead(s, places)), s - min(_ahead(-s, [-place for place in places]))]
    x0, y0 = board.point(s)
    best = s
    slope = ALONG
    for goal in goals:
        x, y = board.point(goal)
        along = ((x - x0) * way[0] + (y - y0) * way[1]) / (math.hypot(x - x0, y - y0) or 1.0)
        if along > slope:
            best = goal % 4
            slope = along
    return best


def affine_frame(board: SegmentsBoard) -> tuple[Point, Point, Point, Point] | None:
    """The parallelogram of corners 0, 1 and 3, the published verifier's frame; None if it equals the frame."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = board.corners
    corner = (bx + dx - ax, by + dy - ay)
    if math.dist(corner, (cx, cy)) < board.tolerance * math.sqrt(board.area):
        return None
    return (ax, ay), (bx, by), corner, (dx, dy)


def _ahead(s: float, places: Iterable[float]) -> list[float]:
    """How far each place is ahead, at most once around; the place itself is once around."""
    return [(place - s) % 4 if (place - s) % 4 > 1e-9 else 4.0 for place in places]
