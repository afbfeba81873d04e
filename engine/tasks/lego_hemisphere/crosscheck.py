"""The same rules by other methods: polygons for overlaps, studs one by one, forces for balance, points for volumes.

Works brick by brick in plain Python where the verifier computes arrays, and never touches a solid.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import cos, fmod, hypot, radians, sin
from typing import TYPE_CHECKING, Any

import numpy as np

from spatial_workbench.engine.core.checks import Check, CheckList, Problem
from spatial_workbench.engine.core.progress import Progress
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.verdict import Figure
from spatial_workbench.engine.geometry import convex
from spatial_workbench.engine.tasks.lego_hemisphere.brick import FAR, HEIGHT, LENGTH, STUDS, WIDTH, Bools
from spatial_workbench.engine.tasks.lego_hemisphere.target import FORGIVEN_MM, BrickShell

if TYPE_CHECKING:
    from shapely import Polygon
else:
    Polygon = Any

BALANCE_SLACK_MM = 1e-3
"""The verifier's hull tolerance, as a distance."""
POINTS = 2_000_000
"""Sample points in the half ball's box, one at random in each of equal cells."""
SEED = 20
LISTED = 200

checks = CheckList()


@dataclass(frozen=True, eq=False)
class Pile:
    """The shell and the bricks, each (x, y, z, angle), with their footprints as polygons."""

    shell: BrickShell
    bricks: Sequence[tuple[float, float, float, float]]

    @cached_property
    def footprints(self) -> list[Polygon]:
        """The footprint of each brick."""
        from shapely import box
        from shapely.affinity import rotate, translate

        plain = box(-LENGTH / 2, -WIDTH / 2, LENGTH / 2, WIDTH / 2)
        return [translate(rotate(plain, angle, origin=(0, 0)), x, y) for x, y, _, angle in self.bricks]

    def meeting(self, sideways_mm: float) -> Iterator[tuple[int, int]]:
        """Pairs i < j whose footprints, drawn in by half of `sideways_mm`, meet."""
        from shapely import STRtree

        drawn_in = [print_.buffer(-sideways_mm / 2, join_style="mitre") for print_ in self.footprints]
        tree = STRtree(drawn_in)
        for i, polygon in enumerate(drawn_in):
            z = self.bricks[i][2]
            near = [j for j in tree.query(polygon).tolist() if j > i and abs(self.bricks[j][2] - z) < HEIGHT + 1]
            yield from ((i, j) for j in sorted(near) if polygon.intersects(drawn_in[j]))

    @cached_property
    def contacts(self) -> list[tuple[int, int]]:
        """Lower and upper brick of each contact."""
        z = [brick[2] for brick in self.bricks]
        pairs = ((i, j) if z[i] < z[j] else (j, i) for i, j in self.meeting(0.5 + 1e-9))
        return [(i, j) for i, j in pairs if abs(z[j] - z[i] - HEIGHT) < 0.5]

    @cached_property
    def parts(self) -> list[list[int]]:
        """Groups of bricks connected by contacts."""
        parent = list(range(len(self.bricks)))
        for pair in self.contacts:
            i, j = (_root(parent, k) for k in pair)
            parent[max(i, j)] = min(i, j)
        parts: dict[int, list[int]] = {}
        for i in range(len(self.bricks)):
            parts.setdefault(_root(parent, i), []).append(i)
        return list(parts.values())

    def on_ground(self, part: Sequence[int]) -> list[int]:
        """The bricks of a part in the lowest layer."""
        return [i for i in part if self.bricks[i][2] < HEIGHT]


@dataclass(frozen=True)
class Sampled:
    """Volumes by counting points, relative to the target."""

    common: float
    bricks: float
    difference: float

    @property
    def raw(self) -> float:
        """The score before it is scaled and clamped."""
        return min(self.common, self.bricks) - 0.5 * self.difference


def judge(shell: BrickShell, poses: Floats, progress: Progress) -> tuple[list[Check], Sampled | None]:
    """The checks, and the volumes if all passed. `poses`: (n, 4)."""
    bricks = [(*(min(max(c, -FAR), FAR) for c in place), fmod(angle, 360.0)) for *place, angle in poses.tolist()]
    pile = Pile(shell, bricks)
    rows = checks.run(pile)
    if any(check.state != "passed" for check in rows):
        return rows, None
    return rows, sample(pile, progress)


def figures(sampled: Sampled) -> list[Figure]:
    """The sampled figures."""
    return [
        Figure("raw", sampled.raw),
        Figure("I/R", sampled.common),
        Figure("S/R", sampled.bricks),
        Figure("D/R", sampled.difference),
    ]


# Checks ----------------------------------------------------------------------------------------------------------


@checks.step("at least one brick")
def _not_empty(pile: Pile) -> Iterator[Problem]:
    if not pile.bricks:
        yield Problem("There are no bricks")


@checks.step("layer height")
def _layer_height(pile: Pile) -> Iterator[Problem]:
    for i, (_, _, z, _) in enumerate(pile.bricks):
        above = (z - 4.8) % HEIGHT
        if min(above, HEIGHT - above) > 0.96 + 1e-8:
            yield _about(i, "is between two layers")


@checks.step("not below the ground")
def _above_ground(pile: Pile) -> Iterator[Problem]:
    for i, brick in enumerate(pile.bricks):
        if brick[2] < 4.7 - 1e-9:
            yield _about(i, "is in the ground")


@checks.step("not wholly in the hollow")
def _not_in_hollow(pile: Pile) -> Iterator[Problem]:
    for i, corners in enumerate(_corners(pile)):
        if all(x * x + y * y + z * z < pile.shell.inner_mm**2 for x, y, z in corners):
            yield _about(i, "is wholly in the hollow")


@checks.step("not wholly outside")
def _not_outside(pile: Pile) -> Iterator[Problem]:
    from shapely import Point

    for i, (footprint, brick) in enumerate(zip(pile.footprints, pile.bricks, strict=True)):
        if hypot(footprint.distance(Point(0, 0)), max(0.0, abs(brick[2]) - HEIGHT / 2)) > pile.shell.outer_mm:
            yield _about(i, "is wholly outside")


@checks.step("no brick twice")
def _no_duplicates(pile: Pile) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for i, (x, y, z, angle) in enumerate(pile.bricks):
        key = f"{round(x * 10)} {round(y * 10)} {round(z * 10)} {round(angle % 180) % 180}"
        if seen.setdefault(key, i) != i:
            yield _pair(seen[key], i, "are the same")


@checks.step("no two bricks share volume")
def _no_overlap(pile: Pile) -> Iterator[Problem]:
    z = [brick[2] for brick in pile.bricks]
    overlapping = ((i, j) for i, j in pile.meeting(0.01) if HEIGHT - abs(z[i] - z[j]) > 0.01)
    for i, j in islice(overlapping, LISTED):
        area = pile.footprints[i].intersection(pile.footprints[j]).area
        yield _pair(i, j, f"share {area:.2f} mm² of the ground plan")


@checks.step("studs aligned")
def _studs_aligned(pile: Pile) -> Iterator[Problem]:
    for lower, upper in pile.contacts:
        if not _click(pile.bricks[lower], pile.bricks[upper]):
            yield _pair(lower, upper, "do not click")


@checks.step("nothing falls over")
def _balanced(pile: Pile) -> Iterator[Problem]:
    for part in pile.parts:
        feet = pile.on_ground(part)
        if feet and len(part) > 1 and not _held(pile, part, feet):
            yield Problem(f"The part with brick {part[0]} falls over", [f"brick {i}" for i in part])


@checks.step("everything connected to the ground")
def _supported(pile: Pile) -> Iterator[Problem]:
    for part in pile.parts:
        if not pile.on_ground(part):
            yield Problem(f"The part with brick {part[0]} floats", [f"brick {i}" for i in part])


def _about(i: int, says: str) -> Problem:
    return Problem(f"Brick {i} {says}", [f"brick {i}"])


def _pair(i: int, j: int, say: str) -> Problem:
    return Problem(f"Bricks {i} and {j} {say}", [f"brick {i}", f"brick {j}"])


def _corners(pile: Pile) -> Iterator[list[tuple[float, float, float]]]:
    for footprint, brick in zip(pile.footprints, pile.bricks, strict=True):
        ends = (brick[2] - HEIGHT / 2, brick[2] + HEIGHT / 2)
        yield [(x, y, z) for x, y in footprint.exterior.coords for z in ends]


def _root(parent: list[int], i: int) -> int:
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


def _click(lower: Sequence[float], upper: Sequence[float]) -> bool:
    """Whether every stud of the lower brick under the upper one meets a socket, and there is at least one."""
    twist = (upper[3] - lower[3] + 45.0) % 90.0 - 45.0
    if abs(twist) > 1.0 + 1e-9:
        return False
    studs = _turned(STUDS, lower[3]) + lower[:2]
    sockets = _turned(STUDS, upper[3] - twist) + upper[:2]
    under = np.abs(_turned(studs - upper[:2], -upper[3])) < [LENGTH / 2, WIDTH / 2]
    gaps = np.abs(_turned((studs[:, None] - sockets).reshape(-1, 2), -lower[3])).max(axis=1).reshape(8, 8)
    meets = (gaps <= 0.5 + 1e-9).any(axis=1)
    covered = under.all(axis=1)
    return bool(meets.any() and meets[covered].all())


def _turned(points: Floats, angle_deg: float) -> Floats:
    c, s = cos(radians(angle_deg)), sin(radians(angle_deg))
    turned: Floats = points @ np.array([[c, s], [-s, c]])
    return turned


def _held(pile: Pile, part: Sequence[int], feet: Sequence[int]) -> bool:
    """Whether upward forces at the corners of the ground bricks can balance the weight, by linear programming."""
    from scipy.optimize import linprog

    x, y = np.array([point for i in feet for point in pile.footprints[i].exterior.coords[:4]]).T
    mass_x, mass_y, *_ = np.mean([pile.bricks[i] for i in part], axis=0)
    moments = np.array([x - mass_x, mass_x - x, y - mass_y, mass_y - y])
    slack = np.full((4, 1), -1.0)
    solution = linprog(
        c=[*np.zeros(len(x)), 1.0],
        A_ub=np.hstack([moments, slack]),
        b_ub=np.zeros(4),
        A_eq=[[*np.ones(len(x)), 0.0]],
        b_eq=[1.0],
    )
    return bool(solution.success and solution.fun <= BALANCE_SLACK_MM)


# Volumes ---------------------------------------------------------------------------------------------------------


def sample(pile: Pile, progress: Progress) -> Sampled:
    """Counts points in bricks and target, plain and grown by the forgiven 0.05 mm."""
    points, low, step = _points(pile.shell)
    in_bricks, in_grown_bricks = _in_bricks(pile, points, low, step, progress)
    in_target, in_grown_target = _in_target(pile.shell, points)
    either = in_bricks | in_target
    forgiven = in_grown_bricks & in_grown_target
    per_point = step**3 / _target_volume(pile.shell)
    return Sampled(
        common=float((in_bricks & in_target).sum() * per_point),
        bricks=float(in_bricks.sum() * per_point),
        difference=float((either & ~forgiven).sum() * per_point),
    )


def _points(shell: BrickShell) -> tuple[Floats, Floats, float]:
    """Points (nx, ny, nz, 3), one in each cell of a grid that holds every brick that touches the shell.

    Returns the grid's lowest corner and its step too.
    """
    reach = shell.outer_mm + LENGTH + WIDTH
    low = np.array([-reach, -reach, -1.0])
    high = np.array([reach, reach, shell.outer_mm + 2 * HEIGHT])
    step = max(1.0, float(np.prod(high - low) / POINTS) ** (1 / 3))
    count = np.ceil((high - low) / step).astype(int).tolist()
    cells = np.stack(np.meshgrid(*map(np.arange, count), indexing="ij"), -1)
    points: Floats = low + step * (cells + np.random.Generator(np.random.PCG64(SEED)).random((*count, 3)))
    return points, low, step


def _in_bricks(pile: Pile, points: Floats, low: Floats, step: float, progress: Progress) -> tuple[Bools, Bools]:
    """Which points are in a brick, and in a grown one: (nx, ny, nz) each."""
    plain = np.zeros(points.shape[:3], dtype=bool)
    grown = np.zeros(points.shape[:3], dtype=bool)
    reach = np.array([18.5, 18.5, 5.5])
    for done, (x, y, z, angle) in enumerate(pile.bricks):
        if done % 100 == 0:
            progress(done, len(pile.bricks), "counting points")
        center = np.array([x, y, z])
        first = np.maximum(np.floor((center - reach - low) / step).astype(int), 0)
        last = np.ceil((center + reach - low) / step).astype(int) + 1
        block = tuple(map(slice, first.tolist(), last.tolist()))
        inside, inside_grown = _in_brick(points[block] - center, angle)
        plain[block] |= inside
        grown[block] |= inside_grown
    return plain, grown


def _in_brick(offsets: Floats, angle_deg: float) -> tuple[Bools, Bools]:
    """Which offsets (..., 3) from a brick's centre are in it, and in it grown by an axis-aligned cube."""
    c, s = abs(cos(radians(angle_deg))), abs(sin(radians(angle_deg)))
    half = np.array([LENGTH, WIDTH, HEIGHT]) / 2
    local = np.abs(np.concatenate([_turned(offsets[..., :2], -angle_deg), offsets[..., 2:]], axis=-1))
    spread = FORGIVEN_MM * np.array([c + s, c + s, 1.0])
    outline = np.array([c * half[0] + s * half[1], s * half[0] + c * half[1]]) + FORGIVEN_MM
    in_outline = (np.abs(offsets[..., :2]) <= outline).all(-1)
    return (local <= half).all(-1), (local <= half + spread).all(-1) & in_outline


def _in_target(shell: BrickShell, points: Floats) -> tuple[Bools, Bools]:
    """Which points (..., 3) are in the target, and in the grown target."""
    in_outer, near_outer = _in_polyhedron(shell.ring_points(shell.outer_mm), points, FORGIVEN_MM)
    in_inner, deep_inner = _in_polyhedron(shell.ring_points(shell.inner_mm), points, -FORGIVEN_MM)
    z = points[..., 2]
    return in_outer & ~in_inner & (z >= 0), near_outer & ~deep_inner & (z >= -FORGIVEN_MM)


def _in_polyhedron(corners: Floats, points: Floats, growth: float) -> tuple[Bools, Bools]:
    """Which points (..., 3) are in the hull of `corners`, and in it with its planes moved out by a cube's reach."""
    normals, offsets = convex.planes_of(corners)
    moved = offsets + growth * np.abs(normals).sum(axis=1)
    distance = np.linalg.norm(points, axis=-1)
    plain = distance < min(offsets.min(), moved.min())
    grown = plain.copy()
    doubtful = ~plain & (distance <= np.linalg.norm(corners, axis=1).max() + 2 * FORGIVEN_MM)
    plain[doubtful], grown[doubtful] = _behind_planes(points[doubtful], normals, offsets, moved)
    return plain, grown


def _behind_planes(points: Floats, normals: Floats, *offsets: Floats) -> list[Bools]:
    """For each set of offsets, which points (n, 3) are behind all planes."""
    inside = [np.empty(len(points), dtype=bool) for _ in offsets]
    for start in range(0, len(points), 20_000):
        chunk = slice(start, start + 20_000)
        heights = points[chunk] @ normals.T
        for result, limit in zip(inside, offsets, strict=True):
            result[chunk] = (heights <= limit).all(axis=1)
    return inside


def _target_volume(shell: BrickShell) -> float:
    """The target's volume from the rings' areas: between two rings a sphere is a frustum of regular polygons."""
    return _half_sphere(shell, shell.outer_mm) - _half_sphere(shell, shell.inner_mm)


def _half_sphere(shell: BrickShell, radius_mm: float) -> float:
    x, y, z = shell.ring_points(radius_mm).T
    heights = np.array([0.0, *sorted({round(h, 9) for h in z.tolist() if h > 0})])
    segments = int(np.sum(np.abs(z - z.max()) < 1e-9))
    radii = np.array([np.hypot(x, y).max(), *(np.hypot(x, y)[np.abs(z - h) < 1e-6].max() for h in heights[1:])])
    prismatoid = np.diff(heights) * (radii[:-1] ** 2 + radii[:-1] * radii[1:] + radii[1:] ** 2) / 3
    return float(prismatoid.sum() * segments / 2 * np.sin(2 * np.pi / segments))
