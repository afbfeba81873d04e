"""The nine criteria again by other methods: solid angles, layers, outlines, dexels, distances, run lengths, windows."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.checks import Check, CheckList, Problem
from spatial_workbench.engine.core.progress import Progress
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.verdict import Figure
from spatial_workbench.engine.core.words import beside, counted
from spatial_workbench.engine.geometry.remember import remember_solids
from spatial_workbench.engine.tasks.interlocking_parts import assembly, layers
from spatial_workbench.engine.tasks.interlocking_parts.assembly import Posed
from spatial_workbench.engine.tasks.interlocking_parts.cage import CRITERIA, Cage, name_of
from spatial_workbench.engine.tasks.interlocking_parts.dexels import Dexels, claimed_twice, dexels, free_runs
from spatial_workbench.engine.tasks.interlocking_parts.printing import CONTACT_MM2, FIT_MM, STABLE_MM
from spatial_workbench.engine.tasks.interlocking_parts.rays import (
    GAP_NEAR,
    GAP_RANGE,
    GAP_SHARE,
    THICKNESS_BIN,
    THICKNESS_RANGE,
    THICKNESS_SHARE,
    THICKNESS_SLACK,
    transformed,
)
from spatial_workbench.engine.tasks.interlocking_parts.recent_results import RecentResults
from spatial_workbench.engine.tasks.interlocking_parts.rules import unevaluated
from spatial_workbench.engine.tasks.interlocking_parts.solid import CageSolid
from spatial_workbench.engine.tasks.interlocking_parts.study import CageStudy

_SEED = 31
_ANGLE_POINTS = 100
_TOUCH_MM3 = 1.5
"""The overlap that dexels may report for solids that only touch, because of their line spacing."""


@dataclass(frozen=True, eq=False)
class DexelStudy:
    """A study, and its parts as dexels: along x, y and z in their places, and in their print frames."""

    study: CageStudy
    posed: tuple[dict[int, Dexels], ...]
    printed: dict[int, tuple[Dexels, ...]]

    @property
    def cage(self) -> Cage:
        """What is asked for."""
        return self.study.cage


checks = CheckList()


@checks.step(f"0 · {CRITERIA[0]}")
def _valid(seen: DexelStudy) -> Iterator[Problem]:
    study = seen.study
    if len(study.parts) != study.cage.parts:
        yield Problem(f"{counted(len(study.parts), 'part')} instead of {study.cage.parts}")
    for i, (built, part) in enumerate(zip(study.solid_results, study.parts, strict=True)):
        if built.solid is None:
            if not built.waiting:
                yield _problem(i, built.problem)
        elif not _is_solid(built.solid):
            yield _problem(i, "its mesh does not bound one body")
        if part.matrix is None or not _keeps_distances(part.matrix):
            yield _problem(i, "its transform is not a rigid motion")


@checks.step(f"1 · {CRITERIA[1]}")
def _printable(seen: DexelStudy) -> Iterator[Problem]:
    for i, place in seen.study.placed:
        low, high = place.solid.bounds
        printed = layers.layers(place.solid)
        if (high - low > np.array(seen.cage.printer) + FIT_MM).any():
            yield _problem(i, "it does not fit the printer")
        if printed.contact_mm2 < CONTACT_MM2:
            yield _problem(i, f"its lowest layer covers {printed.contact_mm2:.0f} mm² of the bed")
        if not printed.prints:
            yield _problem(i, "a layer of it reaches too far beyond the one below")
        if printed.margin < STABLE_MM:
            yield _problem(i, "it does not stand safely")


@checks.step(f"2 · {CRITERIA[2]}")
def _cubes(seen: DexelStudy) -> Iterator[Problem]:
    for i, place in seen.study.placed:
        small, large = layers.passes(place.solid, seen.cage)
        if not small:
            yield _problem(i, f"there is no room for a cube of {seen.cage.small_cube:g} mm")
        if not large:
            yield _problem(i, f"there is room for a cube of {seen.cage.large_cube:g} mm")


@checks.step(f"3 · {CRITERIA[3]}")
def _size(seen: DexelStudy) -> Iterator[Problem]:
    for i, _ in seen.study.placed:
        ways = [by_axis[i] for by_axis in seen.posed]
        inside = max(way.volume_in(*seen.cage.inner_box) for way in ways)
        outside = max(way.volume - way.volume_in(*seen.cage.outer_box) for way in ways)
        if inside > _TOUCH_MM3:
            yield _problem(i, f"about {beside(inside, 0, 0)} mm³ of it are in the space that has to be free")
        if outside > _TOUCH_MM3:
            yield _problem(i, f"about {beside(outside, 0, 0)} mm³ of it are outside the limit")


@checks.step(f"4 · {CRITERIA[4]}")
def _rods(seen: DexelStudy) -> Iterator[Problem]:
    places = list(seen.study.placed)
    for rod, axis in enumerate(seen.cage.axes):
        distances = [(axis_distance(place, axis), i) for i, place in places]
        if not distances:
            continue
        nearest, i = min(distances)
        if nearest < seen.cage.rod / 2 - 1e-3:
            yield Problem(f"Part {i} comes within {nearest:.2f} mm of rod {rod}'s axis", [name_of(i), f"rod {rod}"])
        if nearest > seen.cage.blocked / 2:
            yield Problem(f"The nearest part is {nearest:.2f} mm away from rod {rod}'s axis", [f"rod {rod}"])


@checks.step(f"5 · {CRITERIA[5]}")
def _apart(seen: DexelStudy) -> Iterator[Problem]:
    numbers = [i for i, _ in seen.study.placed]
    if not numbers:
        return
    shared = np.max([claimed_twice([by_axis[i] for i in numbers]) for by_axis in seen.posed], axis=0)
    for a, b in zip(*np.nonzero(shared > assembly.SHARED_MM3), strict=True):
        i, j = numbers[a], numbers[b]
        yield Problem(f"Parts {i} and {j} both claim about {shared[a, b]:.0f} mm³", [name_of(i), name_of(j)])


@checks.step(f"6 · {CRITERIA[6]}")
def _engaged(seen: DexelStudy) -> Iterator[Problem]:
    for i, place in seen.study.placed:
        near = sum(axis_distance(place, axis) < seen.cage.blocked / 2 for axis in seen.cage.axes)
        if near < 2:
            yield _problem(i, f"it comes near {counted(near, 'rod')}")


@checks.step(f"7 · {CRITERIA[7]}")
def _thickness(seen: DexelStudy) -> Iterator[Problem]:
    for i, ways in seen.printed.items():
        runs = np.concatenate([way.ends - way.starts for way in ways])
        dominant, share, _ = _dominant(runs, THICKNESS_RANGE, THICKNESS_BIN)
        if abs(dominant - seen.cage.bar) > THICKNESS_SLACK or share < THICKNESS_SHARE:
            yield _problem(i, f"runs through it are mostly {dominant:.1f} mm long")


@checks.step(f"8 · {CRITERIA[8]}")
def _gaps(seen: DexelStudy) -> Iterator[Problem]:
    if not seen.printed:
        return
    runs = np.concatenate([free_runs(list(by_axis.values())) for by_axis in seen.posed[:2]])
    dominant, _, values = _dominant(runs, GAP_RANGE, 1.0)
    near = (np.abs(values - dominant) <= GAP_NEAR).mean() if len(values) else 0.0
    if not seen.cage.gap_least <= dominant <= seen.cage.gap_most or near < GAP_SHARE:
        yield Problem(f"Gaps between parts are mostly {dominant:.1f} mm")
    for window in seen.study.census():
        if problem := window.problem(seen.cage):
            x, y, z = window.middle
            yield Problem(f"A window at the {window.face} ({x:.0f}, {y:.0f}, {z:.0f}) {problem}")


def judge(study: CageStudy, progress: Progress) -> tuple[list[Check], list[Figure]]:
    """The rows and figures of the other methods. Parts that were not evaluated count as in the default verifier."""
    rows, volume = _judged.get(study, lambda: _judge(study, progress))
    figures = [Figure("material", volume / 1000, "cm³"), Figure("windows", len(study.census()))]
    if study.waiting and not rows[0].problems:
        return [unevaluated(check.name, study) for check in rows], figures
    if rows[0].problems:
        return [rows[0], *(Check.not_reached(check.name) for check in rows[1:])], figures
    return rows, figures


def _judge(study: CageStudy, progress: Progress) -> tuple[list[Check], float]:
    """All rows, and the volume of the parts in mm³."""
    seen = _dexel_study(study, progress)
    return checks.run(seen, stop_at_first=False), sum(ways[2].volume for ways in seen.printed.values())


_judged: RecentResults[tuple[list[Check], float]] = RecentResults(6)


def axis_distance(place: Posed, axis: tuple[float, float]) -> float:
    """The distance of a part's surface from a vertical axis, in mm."""
    flat = transformed(place.solid.corners, place.matrix)[:, :, :2] - np.array(axis)
    starts = flat
    ways = np.roll(flat, -1, axis=1) - flat
    lengths = np.einsum("ijk,ijk->ij", ways, ways)
    along = np.divide(-np.einsum("ijk,ijk->ij", starts, ways), lengths, out=np.zeros_like(lengths), where=lengths > 0)
    nearest = np.linalg.norm(starts + np.clip(along, 0, 1)[..., None] * ways, axis=2).min()
    turns = starts[..., 0] * ways[..., 1] - starts[..., 1] * ways[..., 0]
    area = np.abs(turns.sum(axis=1))
    around = ((turns > 0).all(axis=1) | (turns < 0).all(axis=1)) & (area > 1e-9)
    return 0.0 if around.any() else float(nearest)


def _dexel_study(study: CageStudy, progress: Progress) -> DexelStudy:
    places = dict(study.placed)
    printed: dict[int, tuple[Dexels, ...]] = {}
    posed: tuple[dict[int, Dexels], ...] = ({}, {}, {})
    for step, (i, place) in enumerate(places.items()):
        progress(step, len(places), f"Part {i}: dexels")
        printed[i] = _in_print_frame(place.solid)
        for by_axis, inside in zip(posed, _in_place(place), strict=True):
            by_axis[i] = inside
    return DexelStudy(study, posed, printed)


@remember_solids(maxsize=32)
def _in_print_frame(solid: CageSolid) -> tuple[Dexels, ...]:
    return tuple(dexels(solid.corners, axis) for axis in range(3))


@remember_solids(maxsize=32)
def _in_place(place: Posed) -> tuple[Dexels, ...]:
    corners = np.ascontiguousarray(transformed(place.solid.corners, place.matrix))
    return tuple(dexels(corners, axis) for axis in range(3))


def _is_solid(solid: CageSolid) -> bool:
    """Whether a mesh bounds one body, by trimesh and by solid angles."""
    import trimesh

    mesh = trimesh.Trimesh(solid.vertices, solid.triangles, process=False)
    if not (mesh.is_watertight and mesh.is_winding_consistent and mesh.volume > 0):
        return False
    bodies = trimesh.graph.connected_components(mesh.face_adjacency, nodes=np.arange(len(mesh.faces)))
    filled = sum(trimesh.Trimesh(solid.vertices, solid.triangles[body], process=False).volume > 0 for body in bodies)
    points = np.random.Generator(np.random.PCG64(_SEED)).uniform(*solid.bounds, (_ANGLE_POINTS, 3))
    windings = np.array([_solid_angle(solid.corners - point) for point in points]) / (4 * np.pi)
    return filled == 1 and bool((windings > -0.5).all() and (windings < 1.5).all())


def _solid_angle(corners: Floats) -> float:
    """The solid angle of triangles (m, 3, 3) seen from the origin."""
    a, b, c = corners.transpose(1, 0, 2)
    la, lb, lc = (np.linalg.norm(x, axis=1) for x in (a, b, c))
    top = np.einsum("ij,ij->i", a, np.cross(b, c))
    dots = (np.einsum("ij,ij->i", x, y) for x, y in ((a, b), (b, c), (c, a)))
    ab, bc, ca = dots
    return float(2 * np.arctan2(top, la * lb * lc + ab * lc + bc * la + ca * lb).sum())


def _keeps_distances(matrix: NDArray[np.float64]) -> bool:
    """Whether a transform keeps the distances and the order of four points."""
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    moved = np.column_stack([points, np.ones(4)]) @ matrix.T
    before = np.linalg.norm(points[:, None] - points, axis=2)
    after = np.linalg.norm(moved[:, None, :3] - moved[:, :3], axis=2)
    ways = moved[1:, :3] - moved[0, :3]
    is_affine = np.abs(moved[:, 3] - 1).max() <= assembly.RIGID
    return bool(
        is_affine and np.abs(after - before).max() <= assembly.RIGID and np.cross(ways[0], ways[1]) @ ways[2] > 0
    )


def _dominant(runs: Floats, bounds: tuple[float, float], width: float) -> tuple[float, float, Floats]:
    """The dominant length, the share of its bin, and the lengths that count."""
    values = runs[(runs >= bounds[0]) & (runs <= bounds[1])]
    if not len(values):
        return float("nan"), 0.0, values
    bins = np.floor(values / width + 0.5).astype(np.int64)
    names, counts = np.unique(bins, return_counts=True)
    chosen = values[bins == names[counts.argmax()]]
    return float(np.median(chosen)), len(chosen) / len(values), values


def _problem(part: int, words: str) -> Problem:
    return Problem(f"Part {part}: {words}", [name_of(part)])
