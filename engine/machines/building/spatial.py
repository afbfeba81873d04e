"""The rules of space: no overlap, no face used twice, nothing larger than allowed (docs/machines.md)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.words import beside
from spatial_workbench.engine.machines.building.blocks import CONTAINER, Vector, constants
from spatial_workbench.engine.machines.building.poses import Pose, boxes_of, kind_of, lowest_of, poses_of
from spatial_workbench.engine.machines.building.tree import Entry, Fault, MachineBlock, Tree
from spatial_workbench.engine.machines.levels.level import SIZE_LIMITS

MOST_OVERLAPS = 1000
"""The most faults that are listed; a heap of blocks in one place has millions."""
_MOST_LISTED = 10
_ROUNDING = 1e-9


def spatial_faults(tree: Tree, size_limits: Vector = SIZE_LIMITS) -> list[Fault]:
    """What is wrong with where the blocks of a file-valid tree are; none: the machine is valid."""
    poses = poses_of(tree)
    low, high = boxes_of(tree, poses)
    return [*_faults_of_occupancy(tree), *_faults_of_overlap(tree, low, high), *_faults_of_size(low, high, size_limits)]


def overlaps_of(tree: Sequence[Entry], low: Floats, high: Floats) -> Iterator[tuple[int, int]]:
    """The pairs of blocks whose boxes, corners (n, 3), interpenetrate; the lower id first."""
    solid = np.flatnonzero(~np.isnan(low[:, 0]))
    first, second = np.triu_indices(len(solid), 1)
    first, second = solid[first], solid[second]
    depth = np.minimum(high[first], high[second]) - np.maximum(low[first], low[second])
    deep = (depth > constants()["limits"]["overlap_tolerance"] + _ROUNDING).all(axis=1)
    pairs = zip(first[deep].tolist(), second[deep].tolist(), strict=True)
    return (pair for pair in pairs if not _is_exempt(tree, *pair))


def overlaps_with(tree: Sequence[Entry], low: Floats, high: Floats, block: int) -> list[int]:
    """The blocks that one block's box interpenetrates: what an edit has to ask, in time linear in the blocks."""
    depth = np.minimum(high, high[block]) - np.maximum(low, low[block])
    deep = (depth > constants()["limits"]["overlap_tolerance"] + _ROUNDING).all(axis=1)
    others = (int(k) for k in np.flatnonzero(deep) if k != block)
    return [k for k in others if not _is_exempt(tree, min(k, block), max(k, block))]


def extent_of(low: Floats, high: Floats) -> Floats:
    """The size (3,) of the box around all blocks; linear ones never enlarge it."""
    return np.asarray(np.nanmax(high, axis=0) - np.nanmin(low, axis=0))


def placed_poses(tree: Sequence[Entry], poses: Sequence[Pose | None]) -> Floats:
    """The move (3,) that centres the machine's box on x = z = 0 and rests its lowest point on the ground.

    What collides touches the ground, not the boxes, which are 2 cm larger: the machine would fall by that.
    """
    low, high = boxes_of(tree, poses)
    bottom = np.nanmin(low, axis=0)
    top = np.nanmax(high, axis=0)
    return np.array([-(bottom[0] + top[0]) / 2, -lowest_of(tree, poses), -(bottom[2] + top[2]) / 2])


def _is_exempt(tree: Sequence[Entry], first: int, second: int) -> bool:
    """Whether the later block sits in the earlier one, a container."""
    entry = tree[second]
    return isinstance(entry, MachineBlock) and entry.parent == first and tree[first].type == CONTAINER


def _faults_of_occupancy(tree: Tree) -> list[Fault]:
    children = defaultdict(list)
    for entry in tree:
        if isinstance(entry, MachineBlock) and entry.parent >= 0:
            children[entry.parent, entry.face].append(entry.id)
    return [
        Fault("FACE_OCCUPIED", ids[1], f"Face {face} of block {parent} carries {_listed(ids)}; it takes one")
        for (parent, face), ids in children.items()
        if len(ids) > 1
    ]


def _faults_of_overlap(tree: Tree, low: Floats, high: Floats) -> list[Fault]:
    return [
        Fault("OVERLAP", b, f"Blocks {a}, {kind_of(tree[a]).name}, and {b}, {kind_of(tree[b]).name}, overlap")
        for a, b in islice(overlaps_of(tree, low, high), MOST_OVERLAPS)
    ]


def _faults_of_size(low: Floats, high: Floats, limits: Vector) -> list[Fault]:
    return [
        Fault("SIZE", None, f"The machine is {_length(value, limit)} m long along {axis}; at most {limit:g} m")
        for axis, value, limit in zip("xyz", extent_of(low, high).tolist(), limits, strict=True)
        if value > limit + _ROUNDING
    ]


def _length(value: float, limit: float) -> str:
    """A length beside its limit, without zeros at its end: "18" for "18.00"."""
    figure = beside(value, limit, 2)
    return figure.rstrip("0").rstrip(".") if "." in figure else figure


def _listed(ids: Sequence[int]) -> str:
    if len(ids) > _MOST_LISTED:
        return f"{', '.join(map(str, ids[:_MOST_LISTED]))} and {len(ids) - _MOST_LISTED:,} more"
    return f"{', '.join(map(str, ids[:-1]))} and {ids[-1]}"
