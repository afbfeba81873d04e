"""A machine's blocks as bodies of the physics engine: one link a block (docs/machines.md).

All in the engine's frame: right-handed, z up.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import radians
from typing import Any

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import BlockType, MachineShape, Vector
from spatial_workbench.engine.physics.connections import BodyPlan, Connection, LinkPlan, closing, rigid_clusters
from spatial_workbench.engine.physics.engine import Engine
from spatial_workbench.engine.physics.frames import Quaternion, matrices, swapped
from spatial_workbench.engine.physics.places import glue

SELF_COLLISION = 8
"""The engine's flag for a body whose links collide with each other."""
_ALONG: Mapping[str, Quaternion] = {
    "z": (0.5**0.5, 0.0, 0.0, 0.5**0.5),
    "x": (0.0, 0.5**0.5, 0.0, 0.5**0.5),
    "y": (0.0, 0.0, 0.0, 1.0),
}
"""The rotation of the engine's cylinders, which lie along its z, for each axis of the machine's frame."""
_CYLINDRICAL = frozenset((2, 40, 46, 60))
"""Types with the inertia of a cylinder about their Front."""


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


@dataclass(eq=False)
class MachineBody:
    """A body in the engine, with the link of each of its blocks; the base is link -1."""

    number: int
    plan: BodyPlan
    links: Mapping[int, int]
    joints: tuple[int, ...]
    """The connection of each link."""

    arms: Floats
    """(links, 3) from each connection's point to the centre of its link, in the link's frame."""

    constraints: dict[int, int] = field(default_factory=dict)
    """The engine's constraint for every connection that closes a loop between rigid parts."""


class BodyMaker:
    """Makes and removes the bodies of a machine in one world."""

    def __init__(self, engine: Engine, kinds: Sequence[BlockType], connections: Sequence[Connection]) -> None:
        self._engine = engine
        self._kinds = kinds
        self._connections = connections
        self._shapes: dict[tuple[int, tuple[float, ...]], int] = {}

    def make_body(
        self, plan: BodyPlan, state: BodyState, joints: Mapping[int, JointState], live: Collection[int]
    ) -> MachineBody:
        """Makes the body of a plan, in the positions and with the velocities of a state.

        Args:
            joints: The joints that move, by connection; each is where its offset says.
            live: The connections that are not broken.
        """
        frames = self._link_frames(plan, state)
        number = self._create_body(plan, state, frames)
        links = {plan.base: -1} | {link.block: row for row, link in enumerate(plan.links)}
        turned = matrices(state.rotations)
        arms = [
            turned[link.block].T @ (state.centers[link.block] - self._point(link.connection, state, turned))
            for link in plan.links
        ]
        body = MachineBody(
            number, plan, links, tuple(link.connection for link in plan.links), np.reshape(arms, (-1, 3))
        )
        self._set_dynamics(body, joints)
        self._set_collisions(body, live)
        self._close_loops(body, state, live)
        self._set_velocities(body, state, turned)
        return body

    def remove_body(self, body: MachineBody) -> None:
        """Removes a body from the world."""
        for constraint in body.constraints.values():
            self._engine.removeConstraint(constraint)
        self._engine.removeBody(body.number)

    # Geometry ----------------------------------------------------------------------------------------------------

    def _link_frames(self, plan: BodyPlan, state: BodyState) -> dict[int, Floats]:
        """The origin of each block's link: the pivot of its joint, or the centre of the base."""
        turned = matrices(state.rotations)
        frames = {plan.base: state.centers[plan.base]}
        for link in plan.links:
            connection = self._connections[link.connection]
            if connection.is_rigid:
                frames[link.block] = self._point(link.connection, state, turned)
            else:
                child = connection.child
                offset = np.array(swapped(connection.joint.pivot)) - swapped(self._kinds[child].center)
                frames[link.block] = state.centers[child] + turned[child] @ offset
        return frames

    def _point(self, index: int, state: BodyState, turned: Floats) -> Floats:
        connection = self._connections[index]
        offset = np.array(swapped(connection.point)) - swapped(self._kinds[connection.child].center)
        return np.asarray(state.centers[connection.child] + turned[connection.child] @ offset)

    def _create_body(self, plan: BodyPlan, state: BodyState, frames: Mapping[int, Floats]) -> int:
        turned = matrices(state.rotations)
        columns: dict[str, list[Any]] = {name: [] for name in _LINK_ARGUMENTS}
        numbers = {plan.base: 0} | {link.block: row + 1 for row, link in enumerate(plan.links)}
        for link in plan.links:
            row = self._link_row(link, state, turned, frames)
            for name, value in zip(_LINK_ARGUMENTS, [*row, numbers[link.above]], strict=True):
                columns[name].append(value)
        base = plan.base
        return int(
            self._engine.createMultiBody(
                self._kinds[base].mass,
                self._shape(base, (0.0, 0.0, 0.0)),
                -1,
                frames[base].tolist(),
                state.rotations[base].tolist(),
                flags=SELF_COLLISION,
                **columns,
            )
        )

    def _link_row(self, link: LinkPlan, state: BodyState, turned: Floats, frames: Mapping[int, Floats]) -> list[Any]:
        block = link.block
        above = link.above
        connection = self._connections[link.connection]
        offset = turned[block].T @ (state.centers[block] - frames[block])
        axis = turned[block].T @ self._axis(link, turned)
        return [
            self._kinds[block].mass,
            self._shape(block, tuple(offset.tolist())),
            -1,
            (turned[above].T @ (frames[block] - frames[above])).tolist(),
            self._between(state.rotations[above], state.rotations[block]),
            offset.tolist(),
            (0.0, 0.0, 0.0, 1.0),
            self._joint_type(connection.joint.kind),
            axis.tolist(),
        ]

    def _axis(self, link: LinkPlan, turned: Floats) -> Floats:
        """The axis of a link's joint in the world, about or along which its coordinate grows."""
        connection = self._connections[link.connection]
        # Hinges turn the other way in a mirrored frame; a joint seen from its child turns back.
        sign = (1 if connection.joint.kind == "prismatic" else -1) * (-1 if link.is_reversed else 1)
        return np.asarray(sign * (turned[connection.child] @ np.array(swapped(connection.joint.axis))))

    def _between(self, first: Floats, second: Floats) -> Quaternion:
        inverse = self._engine.invertTransform((0, 0, 0), first.tolist())[1]
        rotation: Quaternion = self._engine.multiplyTransforms((0, 0, 0), inverse, (0, 0, 0), second.tolist())[1]
        return rotation

    def _joint_type(self, kind: str) -> int:
        engine = self._engine
        types = {
            "fixed": engine.JOINT_FIXED,
            "revolute": engine.JOINT_REVOLUTE,
            "prismatic": engine.JOINT_PRISMATIC,
            "spherical": engine.JOINT_SPHERICAL,
        }
        return int(types[kind])

    def _shape(self, block: int, center: Sequence[float]) -> int:
        """The collision shape of a block, given its centre in its link's frame."""
        key = self._kinds[block].number, tuple(round(value, 12) for value in center)
        if key not in self._shapes:
            parts = engine_shapes(self._engine, self._kinds[block], center)
            self._shapes[key] = self._engine.createCollisionShapeArray(**parts)
        return self._shapes[key]

    # Dynamics ----------------------------------------------------------------------------------------------------

    def _set_dynamics(self, body: MachineBody, joints: Mapping[int, JointState]) -> None:
        engine = self._engine
        for block, link in body.links.items():
            kind = self._kinds[block]
            engine.changeDynamics(
                body.number,
                link,
                localInertiaDiagonal=inertia_of(kind),
                lateralFriction=kind.friction,
                restitution=kind.restitution,
                linearDamping=0,
                angularDamping=0,
                jointDamping=0,
            )
            if link >= 0:
                engine.enableJointForceTorqueSensor(body.number, link, 1)
        for link, index in enumerate(body.joints):
            if not self._connections[index].is_rigid:
                self._free_joint(body.number, link, index, joints[index].offset)

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

    def _set_collisions(self, body: MachineBody, live: Collection[int]) -> None:
        """Blocks of one rigid part do not collide, nor do those that are connected."""
        clusters = rigid_clusters(body.plan, self._connections)
        pairs = {(a, b) for a, b in combinations(sorted(clusters), 2) if clusters[a] == clusters[b]}
        for index in (*body.joints, *closing(body.plan, self._connections, live)):
            pairs.add((self._connections[index].parent, self._connections[index].child))
        for a, b in pairs:
            self._engine.setCollisionFilterPair(body.number, body.number, body.links[a], body.links[b], 0)

    def _close_loops(self, body: MachineBody, state: BodyState, live: Collection[int]) -> None:
        clusters = rigid_clusters(body.plan, self._connections)
        turned = matrices(state.rotations)
        for index in closing(body.plan, self._connections, live):
            ends = self._connections[index].parent, self._connections[index].child
            if clusters[ends[0]] != clusters[ends[1]]:
                first, second = ((body.number, body.links[end]) for end in ends)
                x, y, z = self._point(index, state, turned)
                body.constraints[index] = glue(self._engine, first, second, (x, y, z))

    def _set_velocities(self, body: MachineBody, state: BodyState, turned: Floats) -> None:
        """Gives the base and the joints the velocities of the state."""
        engine = self._engine
        base = body.plan.base
        if not state.velocities.any() and not state.spins.any():
            return
        engine.resetBaseVelocity(body.number, state.velocities[base].tolist(), state.spins[base].tolist())
        for number, link in enumerate(body.plan.links):
            connection = self._connections[link.connection]
            if connection.is_rigid:
                continue
            relative = state.spins[link.block] - state.spins[link.above]
            if connection.joint.kind == "spherical":
                velocity = (turned[link.block].T @ relative).tolist()
                engine.resetJointStateMultiDof(body.number, number, [0, 0, 0, 1], velocity)
                continue
            axis = self._axis(link, turned)
            if connection.joint.kind == "prismatic":
                arm = state.centers[link.block] - state.centers[link.above]
                relative = state.velocities[link.block] - state.velocities[link.above]
                relative = relative - np.cross(state.spins[link.above], arm)
            engine.resetJointState(body.number, number, 0.0, float(axis @ relative))


_LINK_ARGUMENTS = (
    "linkMasses",
    "linkCollisionShapeIndices",
    "linkVisualShapeIndices",
    "linkPositions",
    "linkOrientations",
    "linkInertialFramePositions",
    "linkInertialFrameOrientations",
    "linkJointTypes",
    "linkJointAxis",
    "linkParentIndices",
)


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


def engine_shapes(engine: Engine, kind: BlockType, center: Sequence[float]) -> dict[str, list[Any]]:
    """The arguments of `createCollisionShapeArray` for a block, given its centre in its link's frame."""
    rows = [_shape_row(engine, shape) for shape in kind.shapes]
    shift = np.array(center) - swapped(kind.center)
    return {
        "shapeTypes": [row[0] for row in rows],
        "halfExtents": [row[1] for row in rows],
        "radii": [row[2] for row in rows],
        "lengths": [row[3] for row in rows],
        "collisionFramePositions": [(shift + swapped(shape.center)).tolist() for shape in kind.shapes],
        "collisionFrameOrientations": [row[4] for row in rows],
    }


def _shape_row(engine: Engine, shape: MachineShape) -> tuple[int, Vector, float, float, Quaternion]:
    if shape.kind == "box":
        x, y, z = swapped(shape.size)
        return engine.GEOM_BOX, (x / 2, y / 2, z / 2), 1.0, 1.0, _ALONG["y"]
    if shape.kind == "sphere":
        return engine.GEOM_SPHERE, (1.0, 1.0, 1.0), shape.radius, 1.0, _ALONG["y"]
    return engine.GEOM_CYLINDER, (1.0, 1.0, 1.0), shape.radius, shape.length, _ALONG[shape.axis]
