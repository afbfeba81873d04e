"""The rigid parts of a machine: blocks that move as one, with their mass and what of them collides (docs/machines.md).

All in the engine's frame: right-handed, z up. Nothing here needs the physics engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import GRABBER, BlockType, Vector
from spatial_workbench.engine.physics.connections import BodyPlan, Connection, LinkPlan
from spatial_workbench.engine.physics.frames import swapped

MOST_SHAPES = 16
"""The engine drops the shapes of a link beyond these, without a word."""
_CYLINDRICAL = frozenset((2, 40, 46, 60))
"""Types with the inertia of a cylinder about their Front."""
_TILTED = 1e-9
"""The share of a tensor's trace above which its axes are turned to the principal ones."""


@dataclass(frozen=True)
class RigidPart:
    """Blocks of a body that are rigidly connected.

    Attributes:
        blocks: In the body's order; the first is the one that the joint leads to.
        above: The number of the part that it hangs on; -1 for the first.
        joint: The movable connection between the two; None for the first.
    """

    blocks: tuple[int, ...]
    above: int
    joint: LinkPlan | None


@dataclass(frozen=True, eq=False)
class LinkShape:
    """Blocks of a part that are one link of the engine's body.

    Attributes:
        blocks: The blocks.
        centers: (n, 3) their centres, from the joint of the part, along the axes of the part's first block.
        turned: (n, 3, 3) their rotations in these axes.
        mass: Their mass in the same frame.
        moments: (3,) their principal moments of inertia, kg m².
        axes: (3, 3) the principal axes, as columns.
    """

    blocks: tuple[int, ...]
    centers: Floats
    turned: Floats
    mass: Mass
    moments: Floats
    axes: Floats


@dataclass(frozen=True, eq=False)
class PartShape:
    """A rigid part where it is: its joint (3,) in the world, the axes (3, 3) of its first block, and its links."""

    part: RigidPart
    origin: Floats
    turned: Floats
    links: tuple[LinkShape, ...]


@dataclass(frozen=True, eq=False)
class Mass:
    """The mass of some blocks in a frame: kg, centre (3,) in m, and inertia (3, 3) about the centre in kg m²."""

    mass: float
    center: Floats
    tensor: Floats


def parts_of(plan: BodyPlan, connections: Sequence[Connection]) -> list[RigidPart]:
    """The rigid parts of a body, in depth-first order."""
    blocks = [[plan.base]]
    joints: list[LinkPlan | None] = [None]
    part = {plan.base: 0}
    for link in plan.links:
        if connections[link.connection].is_rigid:
            part[link.block] = part[link.above]
        else:
            part[link.block] = len(blocks)
            blocks.append([])
            joints.append(link)
        blocks[part[link.block]].append(link.block)
    return [
        RigidPart(tuple(row), -1 if joint is None else part[joint.above], joint)
        for row, joint in zip(blocks, joints, strict=True)
    ]


def shape_of(part: RigidPart, kinds: Sequence[BlockType], origin: Floats, centers: Floats, turned: Floats) -> PartShape:
    """A rigid part whose joint is at an origin (3,), of a machine with centres (all, 3) and rotations (all, 3, 3)."""
    axes = turned[part.blocks[0]]
    links = []
    for blocks in links_of(part.blocks, kinds):
        places = (centers[blocks] - origin) @ axes
        rotations = axes.T @ turned[blocks]
        mass = mass_of([kinds[block] for block in blocks], places, rotations)
        links.append(LinkShape(tuple(blocks), places, rotations, mass, *principal_axes(mass.tensor)))
    return PartShape(part, origin, axes, tuple(links))


def links_of(blocks: Sequence[int], kinds: Sequence[BlockType]) -> list[list[int]]:
    """A part's blocks in groups that can each be one link of a body; the first group has the first block.

    The engine knows one friction and one restitution a link, and MOST_SHAPES shapes. A grabber has a link of its own,
    since it asks what is near it.
    """
    groups: list[list[int]] = []
    open_groups: dict[tuple[float, ...], list[int]] = {}
    for block in blocks:
        kind = kinds[block]
        surface = (kind.friction, kind.restitution, block if kind.number == GRABBER else -1)
        group = open_groups.get(surface)
        if group is None or sum(len(kinds[k].shapes) for k in (*group, block)) > MOST_SHAPES:
            group = open_groups[surface] = []
            groups.append(group)
        group.append(block)
    return groups


def mass_of(kinds: Sequence[BlockType], centers: Floats, turned: Floats) -> Mass:
    """The mass of n blocks with centres (n, 3) and rotation matrices (n, 3, 3)."""
    masses = np.array([kind.mass for kind in kinds])
    total = float(masses.sum())
    middle = masses @ centers / total
    own = turned @ (np.array([inertia_of(kind) for kind in kinds])[:, :, None] * np.swapaxes(turned, 1, 2))
    arms = centers - middle
    around = (arms * arms).sum(axis=1)[:, None, None] * np.eye(3) - arms[:, :, None] * arms[:, None, :]
    return Mass(total, middle, (own + masses[:, None, None] * around).sum(axis=0))


def principal_axes(tensor: Floats) -> tuple[Floats, Floats]:
    """The moments (3,) of an inertia and its axes (3, 3) as columns: the engine takes no others.

    A tensor that is diagonal up to rounding keeps its axes, so that symmetrical machines stay symmetrical.
    """
    moments = np.diag(tensor)
    if np.abs(tensor - np.diag(moments)).max() <= _TILTED * moments.sum():
        return moments, np.eye(3)
    moments, axes = np.linalg.eigh(tensor)
    axes[:, 2] *= np.sign(np.linalg.det(axes))
    return moments, axes


def inertia_of(kind: BlockType) -> Vector:
    """The diagonal of a block's inertia, kg m2: that of a solid box, for wheels of a cylinder, for boulders of a
    sphere.
    """
    mass = kind.mass
    if kind.joint.kind == "free":
        value = 0.4 * mass * kind.shapes[0].radius ** 2
        return value, value, value
    x, y, z = swapped(kind.size)
    if kind.number in _CYLINDRICAL:
        radius = kind.shapes[0].radius
        across = mass * (3 * radius * radius + y * y) / 12
        return across, mass * radius * radius / 2, across
    return mass * (y * y + z * z) / 12, mass * (x * x + z * z) / 12, mass * (x * x + y * y) / 12
