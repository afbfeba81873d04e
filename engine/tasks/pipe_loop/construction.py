"""Loops that meet an order: growth on a lattice, spikes, and zigzags that settle.

Source: docs/tasks/pipe_loop.md.
"""

import math
from collections.abc import Sequence

import numpy as np

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.tasks.pipe_loop.board import PipeOrder
from spatial_workbench.engine.tasks.pipe_loop.constraints import AngleRange, AvoidMargin, CentroidBox, FixedStart
from spatial_workbench.engine.tasks.pipe_loop.judging import judge
from spatial_workbench.engine.tasks.pipe_loop.relax import Relaxer
from spatial_workbench.engine.tasks.pipe_loop.shape import Floats, Point

Node = tuple[int, int]

MAX_GROWTHS = 400
MAX_ZIGZAGS = 16
SETTLE_ROUNDS = 150
MAX_SETTLES = 20

CALM_M = 1.2
"""How far from a crossing a zigzag reaches its full width."""

WALL_GAP_M = 0.02
SQUEEZED = 0.75
"""By how much a chain of eights may exceed its square and still settle into it."""

TRIANGLE = ((0.0, 0.0), (1.0, 0.0), (0.5, math.sqrt(3) / 2))


def construct(order: PipeOrder, seed: int = 0, progress: Progress = silent) -> list[Point] | None:
    """A loop that meets an order, or None if no construction found one."""
    rng = np.random.Generator(np.random.PCG64(seed))
    if order.pipes == 3:
        return list(TRIANGLE) if passes(order, TRIANGLE) else None
    if order.pipes % 2:
        return None
    angles = order.constraint_of(AngleRange)
    on_lattice = not order.crossings and (angles is None or (angles.min_deg <= 90 and angles.max_deg >= 180))
    if on_lattice and (loop := by_growth(order, rng, progress)):
        return loop
    return by_zigzag(order, rng, progress)


def passes(order: PipeOrder, points: Sequence[Point]) -> bool:
    """Whether a loop meets an order."""
    return judge(order, points).score == 1


# On a lattice --------------------------------------------------------------------------------------------------------


def by_growth(order: PipeOrder, rng: np.random.Generator, progress: Progress = silent) -> list[Point] | None:
    """A loop on the points of a lattice of 1 m, grown at random from a rectangle until the order is met."""
    margin = order.constraint_of(AvoidMargin)
    gap = margin.margin_ratio * order.side if margin else 0.0
    size = math.floor(order.side - 2 * gap + 1e-9)
    origin = (order.side - size) / 2 if gap else 0.0
    for attempt in range(MAX_GROWTHS if size >= 1 else 0):
        progress(attempt, MAX_GROWTHS, "growing a loop")
        loop = grown(rng, order.pipes, size)
        if loop is None:
            continue
        points = started(order, _centred(order, [(x + origin, y + origin) for x, y in loop], gap))
        if passes(order, points):
            return points
    return None


def _centred(order: PipeOrder, points: list[Point], gap: float) -> list[Point]:
    """The loop moved so that its centre of mass is at the required place, as far as there is room."""
    box = order.constraint_of(CentroidBox)
    if box is None:
        return points
    x0, x1, y0, y1 = box.bounds(order.side)
    chain = np.array(points)
    shift = ((x0 + x1) / 2, (y0 + y1) / 2) - chain.mean(axis=0)
    shift = np.clip(shift, gap - chain.min(axis=0), order.side - gap - chain.max(axis=0))
    return [(x, y) for x, y in (chain + shift).round(6).tolist()]


def grown(rng: np.random.Generator, pipes: int, size: int) -> list[Node] | None:
    """A lattice loop of a number of pipes in 0..size, or None if it got stuck.

    It starts as a rectangle; repeatedly, a pipe is replaced by the other three sides of a free unit square.
    """
    loop = _rectangle(rng, pipes, size)
    taken = set(loop)
    while len(loop) < pipes:
        for i in rng.permutation(len(loop)).tolist():
            ax, ay = loop[i]
            bx, by = loop[(i + 1) % len(loop)]
            bump = _free_bump(rng, (ax, ay), (bx, by), taken, size)
            if bump:
                loop[i + 1 : i + 1] = bump
                taken.update(bump)
                break
        else:
            return None
    return loop


def _free_bump(rng: np.random.Generator, a: Node, b: Node, taken: set[Node], size: int) -> list[Node]:
    """The two new corners of a free unit square beside a pipe."""
    normal = (a[1] - b[1], b[0] - a[0])
    for sign in (1, -1) if rng.random() < 0.5 else (-1, 1):
        corners = [(x + sign * normal[0], y + sign * normal[1]) for x, y in (a, b)]
        if all(0 <= x <= size and 0 <= y <= size and (x, y) not in taken for x, y in corners):
            return corners
    return []


def _rectangle(rng: np.random.Generator, pipes: int, size: int) -> list[Node]:
    """The largest rectangle for a number of pipes, or as often a smaller one."""
    half = min(pipes // 2, 2 * size)
    if rng.random() < 0.5:
        half = int(rng.integers(2, half + 1))
    width = int(rng.integers(max(1, half - size), min(size, half - 1) + 1))
    height = half - width
    x0, y0 = int(rng.integers(0, size - width + 1)), int(rng.integers(0, size - height + 1))
    bottom = [(x0 + i, y0) for i in range(width)]
    right = [(x0 + width, y0 + j) for j in range(height)]
    top = [(x0 + width - i, y0 + height) for i in range(width)]
    return bottom + right + top + [(x0, y0 + height - j) for j in range(height)]


def started(order: PipeOrder, points: list[Point]) -> list[Point]:
    """The same loop, begun at the point nearest to the required start."""
    start = order.constraint_of(FixedStart)
    if start is None:
        return points
    goal = (start.x_ratio * order.side, start.y_ratio * order.side)
    first = min(range(len(points)), key=lambda i: math.dist(points[i], goal))
    return points[first:] + points[:first]


def spiked_square(corner: float, side: int, spikes: dict[int, int]) -> list[Point]:
    """A square of whole side whose pipes k carry spikes of two legs of spikes[k] pipes each, pointing inward.

    Pipes are counted counter-clockwise from the lower left corner. A spike of m adds 2 m - 1 pipes.
    """
    ways = ((1, 0), (0, 1), (-1, 0), (0, -1))
    points: list[Point] = []
    x, y = corner, corner
    for k in range(4 * side):
        dx, dy = ways[k // side]
        points.append((x, y))
        legs = spikes.get(k, 0)
        if legs:
            height = math.sqrt(legs**2 - 0.25)
            apex = (x + dx / 2 - dy * height, y + dy / 2 + dx * height)
            points += [*_leg((x, y), apex, legs), apex]
            points += reversed(_leg((x + dx, y + dy), apex, legs))
        x, y = x + dx, y + dy
    return points


def _leg(foot: Point, apex: Point, pipes: int) -> list[Point]:
    """The points strictly between foot and apex."""
    (ax, ay), (bx, by) = foot, apex
    return [(ax + (bx - ax) * k / pipes, ay + (by - ay) * k / pipes) for k in range(1, pipes)]


# Zigzags -------------------------------------------------------------------------------------------------------------


def by_zigzag(order: PipeOrder, rng: np.random.Generator, progress: Progress = silent) -> list[Point] | None:
    """A zigzag along a closed guide that settles until the order is met."""
    for attempt in range(MAX_ZIGZAGS):
        progress(attempt, MAX_ZIGZAGS, "bending a zigzag")
        start = _zigzag_start(order, rng)
        if start is None:
            return None
        relaxer = Relaxer(order, start, seed=attempt)
        for _ in range(MAX_SETTLES):
            relaxer.run(SETTLE_ROUNDS)
            points = [(round(x, 6), round(y, 6)) for x, y in relaxer.points]
            if passes(order, points):
                return points
    return None


def _zigzag_start(order: PipeOrder, rng: np.random.Generator) -> list[Point] | None:
    angles = order.constraint_of(AngleRange)
    low, high = (angles.min_deg, angles.max_deg) if angles else (20.0, 175.0)
    least, most = math.sin(math.radians(low / 2)), math.sin(math.radians(high / 2))
    spacing = least + (most - least) * float(rng.uniform(0.15, 0.85))
    half_width = math.sqrt(max(0.0, 1 - spacing**2)) / 2
    guide = _guide(order, rng, half_width, order.pipes * spacing)
    if guide is None:
        return None
    return started(order, zigzag(guide, order.pipes, half_width, crossing_places(order, guide)))


def zigzag(guide: Floats, count: int, half_width: float, calm_at: Sequence[Point] = ()) -> list[Point]:
    """Points to the left and right of a closed guide (m, 2) in turn, about 1 m from each to the next.

    Near the places `calm_at` the zigzag is flat, so that two branches can cross there.
    """
    ring = np.vstack([guide, guide[:1]])
    steps = np.hypot(*np.diff(ring, axis=0).T)
    widths = np.full(len(ring), half_width)
    for x, y in calm_at:
        widths = np.minimum(widths, half_width * np.hypot(ring[:, 0] - x, ring[:, 1] - y) / CALM_M)
    pipes = np.concatenate([[0.0], np.cumsum(steps / np.sqrt(1 - 4 * widths[1:] ** 2))])
    places = pipes[-1] * (np.arange(count) + 0.5) / count
    middle = np.stack([np.interp(places, pipes, ring[:, axis]) for axis in (0, 1)], axis=1)
    tangent = np.roll(middle, -1, axis=0) - np.roll(middle, 1, axis=0)
    tangent /= np.maximum(np.hypot(tangent[:, 0], tangent[:, 1]), 1e-9)[:, None]
    normal = np.stack([-tangent[:, 1], tangent[:, 0]], axis=1)
    sides = np.where(np.arange(count) % 2, 1.0, -1.0) * np.interp(places, pipes, widths)
    return [(x, y) for x, y in (middle + sides[:, None] * normal).tolist()]


def crossing_places(order: PipeOrder, guide: Floats) -> list[Point]:
    """Where a chain of eights crosses its middle line."""
    (x0, y0), (x1, y1) = guide.min(axis=0).tolist(), guide.max(axis=0).tolist()
    turns = [math.cos(math.pi * k / (order.crossings + 1)) for k in range(1, order.crossings + 1)]
    return [((x0 + x1) / 2 + (x1 - x0) / 2 * turn, (y0 + y1) / 2) for turn in turns]


def _guide(order: PipeOrder, rng: np.random.Generator, half_width: float, length: float) -> Floats | None:
    """A closed curve of about a length: a ring or a chain of eights where it fits, else a coarse lattice loop."""
    room = order.side / 2 - half_width - WALL_GAP_M
    shape = _eights(order.crossings) if order.crossings else _ring(float(rng.uniform(0, 1)))
    scale = length / float(np.hypot(*(np.roll(shape, -1, axis=0) - shape).T).sum())
    slack = room - scale * float(np.abs(shape).max())
    if slack < 0 and not order.crossings:
        return _coarse_guide(order, rng, half_width, length)
    if room < SQUEEZED * scale:
        return None
    guide: Floats = shape * min(scale, room) + order.side / 2 + rng.uniform(-1, 1, 2) * max(slack, 0.0)
    return guide


def _ring(squareness: float) -> Floats:
    """A curve between the unit circle (0) and the square of side 2 (1)."""
    circle = _eights(0)
    ring: Floats = circle / np.abs(circle).max(axis=1, keepdims=True) ** squareness
    return ring


def _eights(crossings: int) -> Floats:
    """A closed curve that crosses its middle line a number of times: circle, figure of eight, ..."""
    t = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    return np.stack([np.cos(t), np.sin((crossings + 1) * t) * (0.8 if crossings else 1.0)], axis=1)


def _coarse_guide(order: PipeOrder, rng: np.random.Generator, half_width: float, length: float) -> Floats | None:
    """A lattice loop of a pitch that leaves room for the zigzag, with round corners."""
    wall = half_width + WALL_GAP_M
    inner = order.side - 2 * wall
    for size in range(int(inner / (2 * half_width + 0.3)), 0, -1):
        pieces = 2 * round(length * size / inner / 2)
        if 4 <= pieces <= (size + 1) ** 2 // 2 * 2 and (loop := grown(rng, pieces, size)):
            return _rounded_off(np.array(loop, float) * inner / size + wall)
    return None


def _rounded_off(corners: Floats) -> Floats:
    """A closed curve through places near these corners: a running mean over half a side."""
    fine = np.linspace(corners, np.roll(corners, -1, axis=0), 12, endpoint=False, axis=1).reshape(-1, 2)
    mean: Floats = np.mean([np.roll(fine, shift, axis=0) for shift in range(-3, 4)], axis=0)
    return mean
