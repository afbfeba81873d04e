"""A machine's rigid parts as bodies of the physics engine, joined where they can move (docs/machines.md).

All in the engine's frame: right-handed, z up.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, combinations
from math import radians
from typing import Any

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import BlockType, MachineShape, Vector
from spatial_workbench.engine.physics.connections import BodyPlan, Connection, LinkPlan, closing, rigid_clusters
from spatial_workbench.engine.physics.engine import Engine
from spatial_workbench.engine.physics.frames import Quaternion, matrices, products, quaternion_of, swapped
from spatial_workbench.engine.physics.parts import (
    MOST_SHAPES,
    LinkShape,
    PartShape,
    RigidPart,
    parts_of,
    shape_of,
)
from spatial_workbench.engine.physics.places import Place, glue

SELF_COLLISION = 8 | 8192
"""The engine's flags for a body whose links collide with each other, also with those that they hang on."""
_ALONG: Mapping[str, Quaternion] = {
    "z": (0.5**0.5, 0.0, 0.0, 0.5**0.5),
    "x": (0.0, 0.5**0.5, 0.0, 0.5**0.5),
    "y": (0.0, 0.0, 0.0, 1.0),
}
"""The rotation of the engine's cylinders, which lie along its z, for each axis of the machine's frame."""
MOST_LINKS = 128
"""How many links the engine takes in a body, the base included."""


@dataclass(eq=False)
class BodyState:
    """How all n blocks of a machine move, in the engine's frame. The rows of linear blocks are NaN.

    Attributes:
        centers: (n, 3) in m.
        rotations: (n, 4) quaternions x, y, z, w.
        velocities: (n, 3) in m/s.
        spins: (n, 3) angular velocities in rad/s.
    """

    centers: Floats
    rotations: Floats
    velocities: Floats
    spins: Floats


@dataclass
class JointState:
    """A joint that moves, in rad or m.

    Attributes:
        offset: Where it was when its body was made.
        position, velocity: How far it has moved from there, and how fast it moves.
        torque: What its motor exerts, N m.
    """

    offset: float = 0.0
    position: float = 0.0
    velocity: float = 0.0
    torque: float = 0.0


@dataclass(frozen=True, eq=False)
class PartBody:
    """A rigid part in the engine.

    Its frame begins at the centre of mass of its first link, where the engine measures, and has the axes of its first
    block.

    Attributes:
        part: What it consists of.
        link: Its first link; -1 for the base.
        axes: (3, 3) the axes of the engine's link in this frame, as columns.
        blocks: Its blocks, link by link.
        groups: For each link its number, and how many blocks it has.
        centers: (n, 3) the centres of the blocks.
        turned: (n, 3, 3) their rotations.
        pivot: (3,) where its joint turns.
        axis: (3,) the axis of its joint; zero for ball joints and the base.
    """

    part: RigidPart
    link: int
    axes: Floats
    blocks: tuple[int, ...]
    groups: tuple[tuple[int, int], ...]
    centers: Floats
    turned: Floats
    pivot: Floats
    axis: Floats


@dataclass(eq=False)
class MachineBody:
    """A body in the engine, with the link of each of its blocks; the base is link -1."""

    number: int
    plan: BodyPlan
    parts: tuple[PartBody, ...]
    links: Mapping[int, int]
    constraints: dict[int, int] = field(default_factory=dict)
    """The engine's constraint for every connection that closes a loop between rigid parts."""

    @cached_property
    def joints(self) -> list[tuple[int, int]]:
        """The link and the connection of every joint that moves."""
        return [(part.link, part.part.joint.connection) for part in self.parts if part.part.joint is not None]

    @property
    def anchors(self) -> dict[int, Place]:
        """The place of each block's part: its first link."""
        return {block: (self.number, part.link) for part in self.parts for block in part.blocks}


class BodyMaker:
    """Makes and removes the bodies of a machine in one world."""

    def __init__(self, engine: Engine, kinds: Sequence[BlockType], connections: Sequence[Connection]) -> None:
        self._engine = engine
        self._kinds = kinds
        self._connections = connections

    def make_body(
        self, plan: BodyPlan, state: BodyState, joints: Mapping[int, JointState], live: Collection[int]
    ) -> MachineBody:
        """Makes the body of a plan, in the positions and with the velocities of a state.

        Args:
            joints: The joints that move, by connection; each is where its offset says.
            live: The connections that are not broken.

        Raises:
            ValueError: It has more links than the engine takes.
        """
        turned = matrices(state.rotations)
        shapes = [
            shape_of(part, self._kinds, self._origin(part, state, turned), state.centers, turned)
            for part in parts_of(plan, self._connections)
        ]
        firsts = [-1, *(accumulate(len(shape.links) for shape in shapes))]
        firsts[1:] = [count - 1 for count in firsts[1:]]
        if firsts[-1] >= MOST_LINKS:
            raise ValueError(
                f"one body of it needs {firsts[-1] + 1} links, and the engine takes {MOST_LINKS}: one for each part "
                f"that moves, and one for every {MOST_SHAPES} shapes"
            )
        parts = tuple(self._part_body(shape, first, turned) for shape, first in zip(shapes, firsts, strict=False))
        number = self._create_body(shapes, parts)
        links = {
            block: first + k
            for shape, first in zip(shapes, firsts, strict=False)
            for k, link in enumerate(shape.links)
            for block in link.blocks
        }
        body = MachineBody(number, plan, parts, links)
        self._set_dynamics(body, shapes, joints)
        self._set_collisions(body)
        self._close_loops(body, state, live)
        self._set_velocities(body, state, turned)
        return body

    def remove_body(self, body: MachineBody) -> None:
        """Removes a body from the world."""
        for constraint in body.constraints.values():
            self._engine.removeConstraint(constraint)
        self._engine.removeBody(body.number)

    # Geometry ----------------------------------------------------------------------------------------------------

    def _origin(self, part: RigidPart, state: BodyState, turned: Floats) -> Floats:
        """Where a part's links begin: at the pivot of its joint, or the centre of the base."""
        if part.joint is None:
            return np.asarray(state.centers[part.blocks[0]])
        connection = self._connections[part.joint.connection]
        child = connection.child
        offset = np.array(swapped(connection.joint.pivot)) - swapped(self._kinds[child].center)
        return np.asarray(state.centers[child] + turned[child] @ offset)

    def _part_body(self, shape: PartShape, first: int, turned: Floats) -> PartBody:
        middle = shape.links[0].mass.center
        axis = np.zeros(3)
        joint = shape.part.joint
        if joint is not None and self._connections[joint.connection].joint.kind != "spherical":
            axis = shape.turned.T @ self._axis(joint, turned)
        return PartBody(
            part=shape.part,
            link=first,
            axes=shape.links[0].axes,
            blocks=tuple(block for link in shape.links for block in link.blocks),
            groups=tuple((first + k, len(link.blocks)) for k, link in enumerate(shape.links)),
            centers=np.concatenate([link.centers for link in shape.links]) - middle,
            turned=np.concatenate([link.turned for link in shape.links]),
            pivot=-middle,
            axis=axis,
        )

    def _axis(self, link: LinkPlan, turned: Floats) -> Floats:
        """The axis of a link's joint in the world, about or along which its coordinate grows."""
        connection = self._connections[link.connection]
        # Hinges turn the other way in a mirrored frame; a joint seen from its child turns back.
        sign = (1 if connection.joint.kind == "prismatic" else -1) * (-1 if link.is_reversed else 1)
        return np.asarray(sign * (turned[connection.child] @ np.array(swapped(connection.joint.axis))))

    def _create_body(self, shapes: Sequence[PartShape], parts: Sequence[PartBody]) -> int:
        columns: dict[str, list[Any]] = {name: [] for name in _LINK_ARGUMENTS}
        for shape, part in zip(shapes, parts, strict=True):
            for k, link in enumerate(shape.links):
                if part.link + k >= 0:
                    # The engine counts the base as 0 here.
                    above = part.link + 1 if k else parts[part.part.above].link + 1
                    row = [*self._link_row(link), *self._hold(shape, part, shapes, is_first=k == 0), above]
                    for name, value in zip(_LINK_ARGUMENTS, row, strict=True):
                        columns[name].append(value)
        base = shapes[0]
        mass, shape_number, visual, center, axes = self._link_row(base.links[0])
        return int(
            self._engine.createMultiBody(
                mass,
                shape_number,
                visual,
                base.origin.tolist(),
                quaternion_of(base.turned).tolist(),
                center,
                axes,
                flags=SELF_COLLISION,
                **columns,
            )
        )

    def _link_row(self, link: LinkShape) -> list[Any]:
        """Mass, shape, no drawing, and the frame of inertia."""
        return [
            link.mass.mass,
            self._shape(link),
            -1,
            link.mass.center.tolist(),
            quaternion_of(link.axes).tolist(),
        ]

    def _hold(self, shape: PartShape, part: PartBody, shapes: Sequence[PartShape], is_first: bool) -> list[Any]:
        """Where a link is on the one above, and how it is joined to it."""
        joint = part.part.joint
        if not is_first or joint is None:
            return [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], self._engine.JOINT_FIXED, [0.0, 0.0, 1.0]]
        above = shapes[part.part.above]
        return [
            (above.turned.T @ (shape.origin - above.origin)).tolist(),
            quaternion_of(above.turned.T @ shape.turned).tolist(),
            self._joint_type(self._connections[joint.connection].joint.kind),
            part.axis.tolist(),
        ]

    def _joint_type(self, kind: str) -> int:
        engine = self._engine
        types = {
            "revolute": engine.JOINT_REVOLUTE,
            "prismatic": engine.JOINT_PRISMATIC,
            "spherical": engine.JOINT_SPHERICAL,
        }
        return int(types[kind])

    def _shape(self, link: LinkShape) -> int:
        """The collision shapes of a link's blocks."""
        return int(self._engine.createCollisionShapeArray(**engine_shapes(self._engine, self._kinds, link)))

    # Dynamics ----------------------------------------------------------------------------------------------------

    def _set_dynamics(self, body: MachineBody, shapes: Sequence[PartShape], joints: Mapping[int, JointState]) -> None:
        engine = self._engine
        for shape, part in zip(shapes, body.parts, strict=True):
            for k, link in enumerate(shape.links):
                kind = self._kinds[link.blocks[0]]
                engine.changeDynamics(
                    body.number,
                    part.link + k,
                    localInertiaDiagonal=link.moments.tolist(),
                    lateralFriction=kind.friction,
                    restitution=kind.restitution,
                    linearDamping=0,
                    angularDamping=0,
                    jointDamping=0,
                )
        for link_number, index in body.joints:
            self._free_joint(body.number, link_number, index, joints[index].offset)

    def _free_joint(self, number: int, link: int, index: int, offset: float) -> None:
        """Replaces the engine's own motor with the joint's friction, and sets its limits."""
        engine = self._engine
        joint = self._connections[index].joint
        if joint.kind == "spherical":
            engine.setJointMotorControlMultiDof(
                number,
                link,
                engine.POSITION_CONTROL,
                targetPosition=[0, 0, 0, 1],
                targetVelocity=[0, 0, 0],
                positionGain=0,
                velocityGain=1,
                force=[joint.friction_torque] * 3,
            )
            return
        force = 0.0 if joint.motor else joint.friction_torque
        engine.setJointMotorControl2(number, link, engine.VELOCITY_CONTROL, targetVelocity=0, force=force)
        if joint.limits:
            low, high = joint.limits if joint.kind == "prismatic" else map(radians, joint.limits)
            engine.changeDynamics(
                number,
                link,
                jointLowerLimit=low - offset,
                jointUpperLimit=high - offset,
            )

    def _set_collisions(self, body: MachineBody) -> None:
        """The links of one rigid part do not collide."""
        for part in body.parts:
            for (first, _), (second, _) in combinations(part.groups, 2):
                self._engine.setCollisionFilterPair(body.number, body.number, first, second, 0)

    def _close_loops(self, body: MachineBody, state: BodyState, live: Collection[int]) -> None:
        clusters = rigid_clusters(body.plan, self._connections)
        anchors = body.anchors
        turned = matrices(state.rotations)
        for index in closing(body.plan, self._connections, live):
            ends = self._connections[index].parent, self._connections[index].child
            if clusters[ends[0]] != clusters[ends[1]]:
                x, y, z = point_of(self._connections[index], self._kinds, state, turned)
                body.constraints[index] = glue(self._engine, anchors[ends[0]], anchors[ends[1]], (x, y, z))

    def _set_velocities(self, body: MachineBody, state: BodyState, turned: Floats) -> None:
        """Gives the base and the joints the velocities of the state, which are those of rigid parts."""
        engine = self._engine
        if not state.velocities.any() and not state.spins.any():
            return
        base = body.parts[0]
        spin = state.spins[base.blocks[0]]
        arm = turned[base.part.blocks[0]] @ base.centers[0]
        velocity = state.velocities[base.blocks[0]] - np.cross(spin, arm)
        engine.resetBaseVelocity(body.number, velocity.tolist(), spin.tolist())
        for part in body.parts[1:]:
            joint = part.part.joint
            assert joint is not None
            kind = self._connections[joint.connection].joint.kind
            axes = turned[part.part.blocks[0]]
            relative = state.spins[joint.block] - state.spins[joint.above]
            if kind == "spherical":
                # Its velocity is measured along the axes of the link's inertia.
                velocity = part.axes.T @ axes.T @ relative
                engine.resetJointStateMultiDof(body.number, part.link, [0, 0, 0, 1], velocity.tolist())
                continue
            if kind == "prismatic":
                arm = state.centers[joint.block] - state.centers[joint.above]
                relative = state.velocities[joint.block] - state.velocities[joint.above]
                relative = relative - np.cross(state.spins[joint.above], arm)
            engine.resetJointState(body.number, part.link, 0.0, float(axes @ part.axis @ relative))


def point_of(connection: Connection, kinds: Sequence[BlockType], state: BodyState, turned: Floats) -> Floats:
    """Where the two blocks of a connection meet, (3,) in the world, m."""
    offset = np.array(swapped(connection.point)) - swapped(kinds[connection.child].center)
    return np.asarray(state.centers[connection.child] + turned[connection.child] @ offset)


_LINK_ARGUMENTS = (
    "linkMasses",
    "linkCollisionShapeIndices",
    "linkVisualShapeIndices",
    "linkInertialFramePositions",
    "linkInertialFrameOrientations",
    "linkPositions",
    "linkOrientations",
    "linkJointTypes",
    "linkJointAxis",
    "linkParentIndices",
)


def engine_shapes(engine: Engine, kinds: Sequence[BlockType], link: LinkShape) -> dict[str, list[Any]]:
    """The arguments of `createCollisionShapeArray` for a link."""
    shapes = [(row, shape) for row, block in enumerate(link.blocks) for shape in kinds[block].shapes]
    rows = [_shape_row(engine, shape) for _, shape in shapes]
    blocks = [row for row, _ in shapes]
    middles = np.array([swapped(kinds[link.blocks[row]].center) for row in blocks])
    offsets = np.array([swapped(shape.center) for _, shape in shapes]) - middles
    turns = np.array([quaternion_of(matrix) for matrix in link.turned])
    return {
        "shapeTypes": [row[0] for row in rows],
        "halfExtents": [row[1] for row in rows],
        "radii": [row[2] for row in rows],
        "lengths": [row[3] for row in rows],
        "collisionFramePositions": (
            link.centers[blocks] + (link.turned[blocks] @ offsets[:, :, None])[:, :, 0]
        ).tolist(),
        "collisionFrameOrientations": products(turns[blocks], np.array([row[4] for row in rows])).tolist(),
    }


def _shape_row(engine: Engine, shape: MachineShape) -> tuple[int, Vector, float, float, Quaternion]:
    if shape.kind == "box":
        x, y, z = swapped(shape.size)
        return engine.GEOM_BOX, (x / 2, y / 2, z / 2), 1.0, 1.0, _ALONG["y"]
    if shape.kind == "sphere":
        return engine.GEOM_SPHERE, (1.0, 1.0, 1.0), shape.radius, 1.0, _ALONG["y"]
    return engine.GEOM_CYLINDER, (1.0, 1.0, 1.0), shape.radius, shape.length, _ALONG[shape.axis]
