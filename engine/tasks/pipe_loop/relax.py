"""Moving chains of pipes: a joint is dragged and the rest follows, or everything settles until the order is met.

Positions are corrected pair by pair in iterations (position-based dynamics): neighbours to 1 m, second neighbours to
what the angles allow, everything into the square. Points that are locked do not move. Metres.
"""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.tasks.pipe_loop.board import PipeLimits, PipeOrder
from spatial_workbench.engine.tasks.pipe_loop.constraints import (
    AngleRange,
    AvoidMargin,
    CentroidBox,
    CoverageQuadrants,
    FixedStart,
    MinConvexHullArea,
    MinPointSeparation,
    MustTouchBoundary,
)
from spatial_workbench.engine.tasks.pipe_loop.live import live_rows
from spatial_workbench.engine.tasks.pipe_loop.shape import WALLS, PipeShape, Point

Floats = NDArray[np.float64]

CLEARANCE_M = 0.14
"""How far the settling chain keeps points from pipes."""
SPARE_DEG = 1.0
"""How far inside the required angles the settling chain stays."""
LEAST_ANGLE_DEG = 16.0
"""The least angle of a settling chain if none is required: twice the limit for running back."""
DRAG_ROUNDS = 30
FINISH_ROUNDS = 400
GOOD_M = 1e-4
RELAX_TICKS = 400
RELAX_ROUNDS = 8
"""A chain settles for so many times so many rounds; after each time it is looked at."""
OPEN_GOOD_M = 0.001
"""The length error at which an open chain has settled."""


def is_closed(points: Sequence[Point], pipes: int) -> bool:
    """Whether the points form a loop or have reached its maximum; otherwise they are a chain with two loose ends."""
    if len(points) < 3:
        return False
    (ax, ay), (bx, by) = points[0], points[-1]
    return abs(np.hypot(ax - bx, ay - by) - 1) <= 0.05 or len(points) >= pipes


# Dragging ------------------------------------------------------------------------------------------------------------


def dragged(
    points: Sequence[Point],
    moved: Mapping[int, Point],
    limits: PipeLimits,
    closed: bool,
    locked: Collection[int] = (),
    rounds: int = DRAG_ROUNDS,
) -> list[Point]:
    """The chain after some joints were moved; the others follow like a rope, with pipes of 1 m.

    Where the rope is too short the moved joints stay behind; locked joints stay, and nothing leaves the limits' square.
    """
    chain = np.array(points, float)
    for joint, place in moved.items():
        if joint not in locked:
            chain[joint] = limits.clamped(place)
    _follow(chain, sorted(moved), set(locked), closed)
    free = np.array([i not in locked for i in range(len(chain))])
    held = free.copy()
    held[list(moved)] = False
    _settle_lengths(chain, held, limits, closed, rounds)
    _settle_lengths(chain, free, limits, closed, FINISH_ROUNDS)
    return [(x, y) for x, y in chain.tolist()]


def _follow(chain: Floats, moved: Sequence[int], locked: set[int], closed: bool) -> None:
    """Pulls the neighbours of moved joints after them, one by one, both ways round."""
    count = len(chain)
    reach = count // 2 + 1 if closed else count
    place = chain.tolist()
    for start, way in ((moved[-1], 1), (moved[0], -1)):
        before = start
        for k in range(1, reach):
            joint = start + way * k
            if not closed and not 0 <= joint < count:
                break
            joint %= count
            if joint in locked or joint in moved:
                break
            (ax, ay), (bx, by) = place[before], place[joint]
            dx, dy = bx - ax, by - ay
            length = (dx * dx + dy * dy) ** 0.5 or 1.0
            if abs(length - 1) < 1e-9:
                break
            place[joint] = [ax + dx / length, ay + dy / length]
            before = joint
    chain[:] = place


def _settle_lengths(chain: Floats, free: NDArray[np.bool_], limits: PipeLimits, closed: bool, rounds: int) -> None:
    """Corrects the pipes of a chain (n, 2), in place, until they are 1 m long or the iterations run out."""
    first, second = pipe_ends(len(chain), closed)
    colours = _colours(len(chain), closed)
    for _ in range(rounds):
        np.clip(chain, *limits.bounds, out=chain, where=free[:, None])
        lengths = np.hypot(*(chain[second] - chain[first]).T)
        if np.abs(lengths - 1).max(initial=0.0) < GOOD_M:
            return
        for rows in colours:
            _correct(chain, first[rows], second[rows], 1.0, 1.0, free)
    np.clip(chain, *limits.bounds, out=chain, where=free[:, None])


def pipe_ends(count: int, closed: bool) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The first and the second point of each pipe."""
    first = np.arange(count if closed else count - 1)
    return first, (first + 1) % count


def _colours(count: int, closed: bool) -> list[NDArray[np.intp]]:
    """The pipes in groups without common points."""
    pipes = np.arange(count if closed else count - 1)
    if closed and count % 2:
        return [pipes[:-1:2], pipes[1::2], pipes[-1:]]
    return [pipes[::2], pipes[1::2]]


def _correct(
    chain: Floats,
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    low: float,
    high: float,
    free: NDArray[np.bool_],
    share: float = 1.0,
) -> None:
    """Moves pairs of points apart or together until their distance is within bounds."""
    gap = chain[second] - chain[first]
    length = np.hypot(gap[:, 0], gap[:, 1])
    target = np.clip(length, low, high)
    weights = free[first].astype(float) + free[second]
    step = share * (length - target) / (np.maximum(length, 1e-9) * np.maximum(weights, 1.0))
    move = gap * step[:, None]
    np.add.at(chain, first, move * free[first][:, None])
    np.add.at(chain, second, -move * free[second][:, None])


# Settling ------------------------------------------------------------------------------------------------------------


class Relaxer:
    """Lets a chain settle towards an order, a number of rounds at a time.

    Attributes:
        chain: the points, (n, 2).
    """

    def __init__(
        self,
        order: PipeOrder,
        points: Sequence[Point],
        locked: Collection[int] = (),
        closed: bool = True,
        seed: int = 0,
    ) -> None:
        self.order = order
        self.closed = closed
        self.chain = np.array(points, float)
        self.free = np.array([i not in locked for i in range(len(points))])
        self._rng = np.random.Generator(np.random.PCG64(seed))
        self._separate_same_points()
        count = len(points)
        self._first, self._second = pipe_ends(count, closed)
        self._colours = _colours(count, closed)
        self._before = np.arange(count if closed else count - 2)
        self._after = (self._before + 2) % count
        angles = order.constraint_of(AngleRange)
        low = max(angles.min_deg + SPARE_DEG if angles else 0.0, LEAST_ANGLE_DEG)
        high = angles.max_deg - SPARE_DEG if angles else 180.0
        self._apart = 2 * np.sin(np.radians([low, high]) / 2)
        margin = order.constraint_of(AvoidMargin)
        self._low = margin.margin_ratio * order.side if margin else 0.0

    @property
    def points(self) -> list[Point]:
        """The points as they are now."""
        return [(x, y) for x, y in self.chain.tolist()]

    @property
    def length_error_m(self) -> float:
        """The largest error of a pipe's length."""
        lengths = np.hypot(*(self.chain[self._second] - self.chain[self._first]).T)
        return float(np.abs(lengths - 1).max(initial=0.0))

    @property
    def has_settled(self) -> bool:
        """Whether every check passes; for an open chain, whether all pipes are 1 m long."""
        if not self.closed:
            return self.length_error_m < OPEN_GOOD_M
        shape = PipeShape.of(self.points, self.order.side)
        return len(self.chain) == self.order.pipes and all(row.met for row in live_rows(self.order, shape, True))

    def run(self, rounds: int) -> None:
        """Settles for some rounds."""
        for k in range(rounds):
            if k % 4 == 0:
                self._pull_towards_order()
                self._keep_clear()
            if self.closed or len(self.chain) > 2:
                low, high = self._apart
                _correct(self.chain, self._before, self._after, low, high, self.free, share=0.4)
            for _ in range(2):
                for rows in self._colours:
                    _correct(self.chain, self._first[rows], self._second[rows], 1.0, 1.0, self.free)
            np.clip(self.chain, self._low, self.order.side - self._low, out=self.chain, where=self.free[:, None])

    def _separate_same_points(self) -> None:
        """Moves coincident points apart, since corrections have no direction for them."""
        self.chain += np.where(self.free[:, None], self._rng.normal(0, 1e-4, self.chain.shape), 0.0)

    def _move_points(self, points: NDArray[np.intp] | int, by: Floats) -> None:
        self.chain[points] += by * self.free[points][..., None]

    def _pull_towards_order(self) -> None:
        """Moves the chain slightly towards the constraints that concern it as a whole."""
        shape = PipeShape(self.chain, self.order.side)
        for constraint in self.order.constraints:
            if isinstance(constraint, FixedStart):
                goal = np.array([constraint.x_ratio, constraint.y_ratio]) * self.order.side
                self._move_points(0, 0.3 * (goal - self.chain[0]))
            elif isinstance(constraint, CentroidBox):
                self._pull_centroid(constraint)
            elif isinstance(constraint, MustTouchBoundary):
                self._pull_to_walls(shape, constraint.edges_needed)
            elif isinstance(constraint, CoverageQuadrants):
                self._pull_into_quadrants(shape)
            elif (
                isinstance(constraint, MinConvexHullArea)
                and shape.hull_area < constraint.min_area_ratio * self.order.side**2
            ):
                self._move_points(np.arange(len(self.chain)), 0.02 * (self.chain - self.chain.mean(axis=0)))
            elif isinstance(constraint, MinPointSeparation):
                self._push_points_apart(constraint.min_dist)

    def _pull_centroid(self, box: CentroidBox) -> None:
        x0, x1, y0, y1 = box.bounds(self.order.side)
        middle = self.chain.mean(axis=0)
        self._move_points(np.arange(len(self.chain)), 0.5 * (np.clip(middle, (x0, y0), (x1, y1)) - middle))

    def _pull_to_walls(self, shape: PipeShape, needed: int) -> None:
        gaps = np.stack([shape.points[:, 0], shape.side - shape.points[:, 0],
                         shape.points[:, 1], shape.side - shape.points[:, 1]])  # fmt: skip
        nearest = gaps.argmin(axis=1)
        reach = gaps[np.arange(4), nearest]
        ways = np.array([(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)])
        for wall in np.argsort(reach)[:needed]:
            if WALLS[wall] not in shape.walls:
                self._move_points(int(nearest[wall]), ways[wall] * min(reach[wall], 0.3))

    def _pull_into_quadrants(self, shape: PipeShape) -> None:
        middle = self.order.side / 2
        for sx, sy in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            offsets = (self.chain - middle) * (sx, sy)
            lacking = np.maximum(-offsets, 0).sum(axis=1)
            if lacking.min() > 0:
                goal = int(lacking.argmin())
                self._move_points(goal, 0.3 * np.maximum(0.02 - offsets[goal], 0) * (sx, sy))

    def _push_points_apart(self, least_m: float) -> None:
        first, second = np.triu_indices(len(self.chain), 2)
        near = np.hypot(*(self.chain[first] - self.chain[second]).T) < 1.05 * least_m
        _correct(self.chain, first[near], second[near], 1.05 * least_m, np.inf, self.free, share=0.5)

    def _keep_clear(self) -> None:
        """Pushes nearly touching points and pipes apart; even those at required crossings, since these are few."""
        points, pipes, offset, share = near_pipes(self.chain, self._first, self._second, CLEARANCE_M)
        distance = np.hypot(offset[:, 0], offset[:, 1])
        push = 0.5 * (CLEARANCE_M - distance)[:, None] * offset / np.maximum(distance, 1e-9)[:, None]
        np.add.at(self.chain, points, push * self.free[points][:, None])
        for ends, part in ((self._first[pipes], 1 - share), (self._second[pipes], share)):
            np.add.at(self.chain, ends, -push * (part * self.free[ends])[:, None])


def relaxed(order: PipeOrder, points: Sequence[Point]) -> list[Point]:
    """The points after they have settled, or after the longest time that is allowed for it."""
    relaxer = Relaxer(order, points, closed=is_closed(points, order.pipes))
    for _ in range(RELAX_TICKS):
        relaxer.run(RELAX_ROUNDS)
        if relaxer.has_settled:
            break
    return relaxer.points


def near_pipes(
    chain: Floats, first: NDArray[np.intp], second: NDArray[np.intp], reach_m: float
) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats, Floats]:
    """Points nearer than `reach_m` to a pipe that does not end at them.

    Returns:
        the points, the pipes, the vectors from pipe to point (m, 2), and where along the pipe the foot is (0 to 1).
    """
    middles = (chain[first] + chain[second]) / 2
    near_x, near_y = (np.abs(middles[:, None, k] - chain[None, :, k]) < 0.55 + reach_m for k in (0, 1))
    pipes, points = np.nonzero(near_x & near_y)
    keep = (points != first[pipes]) & (points != second[pipes])
    pipes = pipes[keep]
    points = points[keep]
    start = chain[first[pipes]]
    along = chain[second[pipes]] - chain[first[pipes]]
    square = np.maximum((along**2).sum(axis=1), 1e-12)
    share = np.clip(((chain[points] - start) * along).sum(axis=1) / square, 0.0, 1.0)
    offset = chain[points] - start - share[:, None] * along
    near = np.hypot(offset[:, 0], offset[:, 1]) < reach_m
    return points[near], pipes[near], offset[near], share[near]
