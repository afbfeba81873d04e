"""Lines that show how a block will act before it is placed, and where a machine's weight acts (docs/machines.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from spatial_workbench.engine.core.scene import Floats, Item, Label, Points, Polygon, Polyline
from spatial_workbench.engine.machines.building.blocks import Vector, rotations
from spatial_workbench.engine.machines.building.information import PUSHES
from spatial_workbench.engine.machines.building.poses import Pose, centers_of, kind_of, link_ends
from spatial_workbench.engine.machines.building.spatial import placed_poses
from spatial_workbench.engine.machines.building.tree import Link, Tree
from spatial_workbench.engine.physics.frames import swapped_all
from spatial_workbench.engine.tasks.machine.editing import MachineAssembly

ARROW_M = 0.9
_OUT_M = 0.6
"""How far outside a block an arrow runs that goes round it."""
_SPIN_DEG = 270.0
_ARC_STEP_DEG = 7.5
_PUSH_M = 1.8
_AXIS_M = 0.8
_FLAT_M = 0.03
"""Marks on the ground are drawn this high above it."""


def guide_items(tree: Tree, block: int, shift: Floats | None = None) -> list[Item]:
    """How a block acts: where it faces, the axis it turns about, how far and which way, and where a wheel pushes.

    Args:
        shift: Moves the drawing, m.
    """
    assembly = MachineAssembly(tree)
    pose = assembly.poses[block]
    if pose is None:
        return []
    moved = swapped_all(placed_poses(tree, assembly.poses)) + (0.0 if shift is None else shift)
    return [_drawn(line, moved) for line in _lines(tree, block, pose)]


def _drawn(line: Polyline, shift: Floats) -> Polyline:
    points = swapped_all(np.asarray(line.points, float)) + shift
    return Polyline(
        id=line.id, points=points, color=line.color, width_px=line.width_px, dashed=line.dashed, arrow=line.arrow
    )


def _lines(tree: Tree, block: int, pose: Pose) -> Iterator[Polyline]:
    """The lines in the machine's frame."""
    kind = kind_of(tree[block])
    turn = np.array(rotations()[pose.facing])
    origin = np.array(pose.position)
    front = turn @ (0, 0, 1)
    tip = origin + front * kind.size[2]
    yield _arrow(f"facing {block}", [tip, tip + ARROW_M * front], "text")
    joint = kind.joint
    pivot = origin + turn @ joint.pivot
    axis = turn @ joint.axis
    if joint.kind in ("revolute", "prismatic"):
        ends = [pivot - _AXIS_M * axis, pivot + (kind.size[2] + _AXIS_M) * axis]
        yield Polyline(id=f"axis {block}", points=np.array(ends), color="muted", width_px=2.0, dashed=True)
    if joint.kind == "revolute" and joint.limits is not None:
        yield from _sweep(block, pivot, axis, front, turn @ (0, 1, 0), joint.limits)
    if "PoweredWheel" in kind.tags:
        yield from _push(block, pose, origin + turn @ kind.center)
    elif joint.motor is not None and joint.limits is None:
        middle = origin + turn @ kind.center
        out = max(kind.size[:2]) / 2 + _OUT_M
        yield _arrow(f"spin {block}", _arc(middle, axis, out * (turn @ (0, 1, 0)), 0.0, _SPIN_DEG), "accent")


def _sweep(
    block: int, pivot: Floats, axis: Floats, front: Floats, up: Floats, limits: tuple[float, float]
) -> Iterator[Polyline]:
    """The arc that a block's Front can go through, or its upper side where it turns about its Front."""
    along = up if abs(float(axis @ front)) > 0.5 else front
    arc = _arc(pivot, axis, 1.2 * along, *limits)
    points = np.array([pivot, *arc, pivot])
    yield Polyline(id=f"sweep {block}", points=points, color="warning", width_px=2.0)


def _push(block: int, pose: Pose, middle: Floats) -> Iterator[Polyline]:
    """Where a powered wheel drives the machine; nothing where it lies flat."""
    way = PUSHES[pose.facing]
    if way is not None:
        direction = np.array(rotations()[way]) @ (0, 0, 1)
        yield _arrow(f"push {block}", [middle, middle + _PUSH_M * direction], "accent")


def _arc(middle: Floats, axis: Floats, arm: Floats, first_deg: float, last_deg: float) -> list[Floats]:
    """Points on the way of an arm that turns about an axis, by the usual formula in the machine's frame."""
    count = int(abs(last_deg - first_deg) / _ARC_STEP_DEG) + 1
    side = np.cross(axis, arm)
    return [middle + np.cos(a) * arm + np.sin(a) * side for a in np.radians(np.linspace(first_deg, last_deg, count))]


def _arrow(name: str, points: Sequence[Floats], color: str) -> Polyline:
    return Polyline(id=name, points=np.array(points), color=color, width_px=3.0, arrow=True)


def balance_items(assembly: MachineAssembly, judges: bool) -> list[Item]:
    """What the machine stands on, and where its weight acts; with `judges` also whether it stands.

    The polygon is the hull of all that touches the ground; above its inside the centre of mass makes the machine stand.
    """
    from shapely import MultiPoint

    balance = assembly.balance
    lift = assembly.lift
    corners = np.array(MultiPoint(balance.support + lift[[0, 2]]).convex_hull.exterior.coords[:-1])
    x, z = (balance.center + lift[[0, 2]]).tolist()
    height = balance.height + float(lift[1])
    color = ("passed" if balance.is_stable else "failed") if judges else "accent"
    foot: Vector = (x, z, _FLAT_M)
    ground = np.column_stack([corners, np.full(len(corners), _FLAT_M / 2)])
    plumb = np.array([foot, (x, z, height)])
    items: list[Item] = [
        Polygon(id="support", points=ground, color=color, opacity=0.22, outline=color, pickable=False),
        Polyline(id="plumb line", points=plumb, color=color, width_px=1.5, dashed=True, pickable=False),
        Points(name="weight", ids=["centre of mass"], positions=plumb, colors=color, size_px=9.0, pickable=False),
    ]
    if judges and not balance.is_stable:
        items.append(Label(id="stability", position=foot, text="Tips over", color="failed"))
    return items


def key_labels(assembly: MachineAssembly) -> Iterator[Label]:
    """The keys of blocks that have keys of their own, beside these."""
    centers = centers_of(assembly.tree, assembly.poses)
    for entry in assembly.tree:
        values = entry.settings.values() if entry.settings is not None else {}
        keys = [str(values[name]) for name in ("key", "key_back") if name in values]
        if keys:
            is_linear = isinstance(entry, Link)
            ends = link_ends(assembly.tree, assembly.poses, entry) if isinstance(entry, Link) else ()
            middle = np.mean(ends, axis=0) if is_linear else centers[entry.id]
            x, y, z = swapped_all(middle + assembly.lift).tolist()
            yield Label(id=f"key {entry.id}", position=(x, y, z), text=" / ".join(keys), size_px=14.0)
