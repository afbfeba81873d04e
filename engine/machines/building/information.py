"""The 3D information that roles get beside the tree: where every block is and what it does (docs/machines.md)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import SPRING, Facing, Vector
from spatial_workbench.engine.machines.building.joining import joins_of
from spatial_workbench.engine.machines.building.poses import Pose, boxes_of, kind_of, link_ends, poses_of
from spatial_workbench.engine.machines.building.tree import Entry, Link, MachineBlock, Tree

NEAR_GROUND_M = 0.05
PUSHES: dict[Facing, Facing | None] = {"x+": "z+", "x-": "z+", "z+": "x-", "z-": "x+", "y+": None, "y-": None}
"""Where a powered wheel pushes the machine, by the wheel's facing."""
_DEGREES: dict[Facing, tuple[int, int, int]] = {
    "z+": (0, 0, 0),
    "z-": (0, 180, 0),
    "x-": (0, -90, 0),
    "x+": (0, 90, 0),
    "y+": (-90, 0, 0),
    "y-": (90, 0, 0),
}


def information_of(tree: Tree) -> list[dict[str, Any]]:
    """The information of every block, in the order of the tree; lengths in metres to one decimal.

    Heights count from the lowest centre. A block is on the ground when its lowest point is within NEAR_GROUND_M of the
    machine's.
    """
    poses = poses_of(tree)
    low, high = boxes_of(tree, poses)
    lift = -float(np.nanmin((low + high)[:, 1] / 2))
    children = _children(tree)
    joined = _joined(tree, poses)
    grounded = low[:, 1] <= np.nanmin(low[:, 1]) + NEAR_GROUND_M
    rows = []
    for k, (entry, pose) in enumerate(zip(tree, poses, strict=True)):
        row: dict[str, Any] = {"n": kind_of(entry).name, "tid": entry.type, "id": k}
        if isinstance(entry, Link):
            row |= _of_link(tree, poses, entry, lift)
        elif pose is not None:
            center = (low[k] + high[k]) / 2
            row["rel"] = {"parent": _parent(tree, entry), "children": children[k]}
            row["abs"] = _place(pose, center, lift)
            row["onGround"] = bool(grounded[k])
            row["Special Attributes"] = _special(entry, pose)
            row["joined"] = joined[k]
        rows.append(row)
    return rows


def _parent(tree: Tree, entry: MachineBlock) -> dict[str, Any] | None:
    if entry.parent < 0:
        return None
    return {"id": entry.parent, "bpid": entry.face, "relOrient": _word(tree, entry)}


def _children(tree: Tree) -> defaultdict[int, list[dict[str, Any]]]:
    children = defaultdict(list)
    for entry in tree:
        if isinstance(entry, MachineBlock) and entry.parent >= 0:
            children[entry.parent].append({"id": entry.id, "cpt": entry.face, "relOrient": _word(tree, entry)})
    return children


def _word(tree: Tree, entry: MachineBlock) -> str:
    """Where a block's Front looks as its parent sees it."""
    return kind_of(tree[entry.parent]).faces[entry.face].direction


def _joined(tree: Tree, poses: Sequence[Pose | None]) -> defaultdict[int, list[int]]:
    joined = defaultdict(list)
    for join in joins_of(tree, poses):
        joined[join.block].append(join.other)
        joined[join.other].append(join.block)
    return joined


def _place(pose: Pose, center: Floats, lift: float) -> dict[str, Any]:
    return {
        "center": _rounded(center, lift),
        "buildPt": _rounded(pose.position, lift),
        "orient": pose.facing,
        "rot": list(_DEGREES[pose.facing]),
    }


def _special(entry: Entry, pose: Pose) -> dict[str, Any]:
    kind = kind_of(entry)
    told = dict(kind.stated)
    if "PoweredWheel" in kind.tags:
        told["Push Direction"] = PUSHES[pose.facing] or "none"
    return told


def _of_link(tree: Tree, poses: Sequence[Pose | None], link: Link, lift: float) -> dict[str, Any]:
    first, second = link_ends(tree, poses, link)
    row: dict[str, Any] = {
        "rel": {
            "parent_a": {"id": link.parent_a, "bpid": link.face_a},
            "parent_b": {"id": link.parent_b, "bpid": link.face_b},
        },
        "abs": {"ends": [_rounded(first, lift), _rounded(second, lift)]},
        "Special Attributes": dict(kind_of(link).stated),
    }
    if link.type == SPRING:
        row["Special Attributes"]["Pull Directions"] = [_direction(first, second), _direction(second, first)]
    return row


def _direction(start: Vector, end: Vector) -> list[float]:
    """From one point to another, as a vector of length 1; zeros where they are the same."""
    length = math.dist(start, end) or 1.0
    return [round((b - a) / length, 2) + 0.0 for a, b in zip(start, end, strict=True)]


def _rounded(position: Sequence[float] | Floats, lift: float) -> list[float]:
    x, y, z = (float(value) for value in position)
    return [round(value, 1) + 0.0 for value in (x, y + lift, z)]
