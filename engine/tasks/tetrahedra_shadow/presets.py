"""Orientations with simple shadows, and how pieces of them are stacked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count
from typing import Any

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.tetrahedra_shadow.collisions import CONTACT, collisions, collisions_with
from spatial_workbench.engine.tasks.tetrahedra_shadow.solid import about_axis, multiplied, vertices_of

SPACING = 1.01
"""The height between levels of a stack; no tetrahedron is higher than 1."""

TILT_DEG = float(np.degrees(np.arctan(np.sqrt(2))))
"""Turned by this angle about an edge, a tetrahedron has two edges level, one over the other: its shadow is a square."""


@dataclass(frozen=True)
class TetrahedraPreset:
    """An orientation: its name, its quaternion before a turn about z, what its shadow is, and its symmetry.

    turn_deg: after a turn by this angle the shadow has the same directions again.
    """

    name: str
    quaternion: tuple[float, ...]
    about: str
    turn_deg: float


@cache
def presets() -> dict[str, TetrahedraPreset]:
    """The presets by name."""
    level = about_axis((1, 0, 0), 0.0)
    square = multiplied(about_axis((0, 0, 1), 45.0), about_axis((1, 0, 0), TILT_DEG))[0]
    wedge = about_axis((1, 0, 0), TILT_DEG - 90.0)
    known = (
        TetrahedraPreset(
            "triangle", tuple(level.tolist()), "lies on a face; the shadow is a triangle of side 1", 120.0
        ),
        TetrahedraPreset(
            "square", tuple(square.tolist()), "two edges level; the shadow is a square of side 0.707", 90.0
        ),
        TetrahedraPreset(
            "wedge", tuple(wedge.tolist()), "an edge upright; the shadow is a triangle, 1 wide, 0.707 high", 360.0
        ),
    )
    return {preset.name: preset for preset in known}


def pose_of(preset: str, x: float, y: float, turn_deg: float = 0.0, z: float = 0.0) -> Floats:
    """The pose (7,) of a preset that is turned about z and then moved."""
    turned = multiplied(about_axis((0, 0, 1), turn_deg), np.array(presets()[preset].quaternion))[0]
    return np.concatenate([[x, y, z], turned])


@lru_cache(maxsize=256)
def outline_of(preset: str, turn_deg: float = 0.0) -> Floats:
    """The corners (3 or 4, 2) of a preset's shadow at the origin, counter-clockwise; they cannot be written to."""
    from shapely import MultiPoint

    points = vertices_of(pose_of(preset, 0, 0, turn_deg)[None])[0, :, :2]
    hull = MultiPoint(points).convex_hull.simplify(1e-9)
    corners: Floats = np.asarray(hull.exterior.coords)[:-1]
    x, y = corners.T
    is_clockwise = float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) < 0
    corners = corners[::-1] if is_clockwise else corners
    corners.setflags(write=False)
    return corners


def stacked(poses: Floats, spacing: float = SPACING, contact: float = CONTACT) -> Floats:
    """The poses (n, 7) on levels of this spacing: each on the lowest one where it meets no earlier piece."""
    return settled(np.zeros((0, 7)), poses, spacing, contact)


def settled(others: Floats, poses: Floats, spacing: float = SPACING, contact: float = CONTACT) -> Floats:
    """The poses, one after the other, on the lowest level on which they meet neither the others nor each other.

    Levels are multiples of the spacing; the lowest corner of a piece lies on one. Pieces meet if they overlap by more
    than `contact` along every axis; below 0 they may not even touch.
    """
    placed = np.array(poses, dtype=float).reshape(-1, 7)
    if not len(placed):
        return placed
    placed[:, 2] = 0.0
    solids = vertices_of(placed)
    bottoms = solids[..., 2].min(axis=1)
    solids[..., 2] -= bottoms[:, None]
    taken = _taken_by(others, solids, spacing, contact)
    beside: list[list[int]] = [[] for _ in placed]
    for i, j in collisions(solids, contact).pairs.tolist():
        beside[j].append(i)
    levels: list[int] = []
    for own, earlier in zip(taken, beside, strict=True):
        own |= {levels[i] for i in earlier}
        levels.append(next(level for level in count() if level not in own))
    placed[:, 2] = [_tidy(spacing * level - bottom) for level, bottom in zip(levels, bottoms.tolist(), strict=True)]
    return placed


def _taken_by(others: Floats, solids: Floats, spacing: float, contact: float) -> list[set[int]]:
    """For each solid (n, 4, 3) with its lowest corner at z = 0, the levels on which it would meet others."""
    taken: list[set[int]] = [set() for _ in solids]
    if not len(others):
        return taken
    vertices = vertices_of(others)
    low, high = vertices[..., 2].min(axis=1), vertices[..., 2].max(axis=1)
    first = np.maximum(np.floor((low - 1.0) / spacing), 0).astype(int)
    last = np.ceil((high - contact) / spacing).astype(int)
    for step in range(int((last - first).max(initial=0)) + 1):
        # Lowering the others is the same as raising the solids to the level that is tried.
        lowered = vertices - [0, 0, 1] * (spacing * (first + step))[:, None, None]
        for i, j in collisions_with(solids, lowered, contact).pairs.tolist():
            taken[i].add(int(first[j]) + step)
    return taken


def arranged(pieces: Iterable[Sequence[Any]]) -> Floats:
    """The stacked poses (n, 7) of rows [preset, x, y, turn in degrees] from the resources.

    No two of them touch, so that verifiers that count contact as an intersection agree.
    """
    poses = [pose_of(str(name), float(x), float(y), float(turn)) for name, x, y, turn in pieces]
    return stacked(np.array(poses).reshape(-1, 7), contact=-CONTACT)


def _tidy(z: float) -> float:
    return round(z, 9) + 0.0
