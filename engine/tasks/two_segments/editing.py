"""What the editor of two_segments asks while an end or a segment is dragged: pure functions, microseconds each."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.tasks.two_segments.board import WORDS, Board, Point
from engine.tasks.two_segments.generator import grid_ticks
from engine.tasks.two_segments.partition import counts_of
from engine.tasks.two_segments.placement import Placement, Segments

STEP = 0.05
"""The regular snapping step along a side."""


class Snap(NamedTuple):
    """A place of the boundary that attracts an end."""

    s: float
    kind: str
    """"grid", "corner", "midpoint", "end" or "step": strongest first."""


class Tally(NamedTuple):
    """Regions of one shape: how many there are, and how many are wanted."""

    letter: str
    found: int
    wanted: int


def snap_candidates(board: Board, others: Iterable[float] = ()) -> list[Snap]:
    """All places that attract an end, strongest kind first.

    Args:
        others: boundary parameters of the other segment's ends.
    """
    grid = [] if board.grid is None else grid_ticks(board)
    steps = round(1 / STEP)
    return [
        *(Snap(tick / board.ticks, "grid") for tick in grid),
        *(Snap(float(k), "corner") for k in range(4)),
        *(Snap(k + 0.5, "midpoint") for k in range(4)),
        *(Snap(s % 4, "end") for s in others),
        *(Snap(i / steps, "step") for i in range(4 * steps)),
    ]


def snapped(board: Board, point: Point, candidates: Sequence[Snap], reach: float) -> tuple[float, str]:
    """The boundary parameter for a pointer at `point`, and what attracted it ("" if nothing did).

    A candidate attracts what is within `reach` (in the frame's unit); of the strongest kind that does, the nearest.
    """
    s = board.nearest_s(point)
    foot = board.point(s)
    best: tuple[int, float, Snap] | None = None
    strength = {kind: i for i, kind in enumerate(("grid", "corner", "midpoint", "end", "step"))}
    for candidate in candidates:
        x, y = board.point(candidate.s)
        distance = ((x - foot[0]) ** 2 + (y - foot[1]) ** 2) ** 0.5
        rank = (strength[candidate.kind], distance, candidate)
        if distance <= reach and (best is None or rank < best):
            best = rank
    return (best[2].s, best[2].kind) if best else (s, "")


def moved_parallel(board: Board, chord: tuple[float, float], shift: Point) -> tuple[float, float] | None:
    """The boundary parameters of a chord after its line is moved by `shift`; None where it leaves the frame.

    The ends keep their order: the first stays the one that the chord's direction leaves from.
    """
    (ax, ay), (bx, by) = map(board.point, chord)
    ox, oy, dx, dy = ax + shift[0], ay + shift[1], bx - ax, by - ay
    hits: list[tuple[float, float]] = []
    for k in range(4):
        (px, py), (qx, qy) = board.corners[k], board.corners[(k + 1) % 4]
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


def tallies(board: Board, segments: Segments) -> list[Tally]:
    """For each shape that is there or wanted: how many there are, and how many are wanted; empty if nothing is cut."""
    placed = Placement(board, segments)
    if not placed.is_partition:
        return []
    counts = counts_of(placed.regions)
    return [Tally(c, counts[c], board.target[c]) for c in WORDS if counts[c] or board.target[c]]
