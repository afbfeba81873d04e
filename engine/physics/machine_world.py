"""A machine in a level, step by step, until its connections break (docs/machines.md).

Runs inside the physics process; elsewhere ask `engine.physics.client`. All in the engine's frame: right-handed, z up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import (
    BOULDER,
    GRABBER,
    SPRING,
    BlockType,
    constants,
)
from spatial_workbench.engine.machines.building.poses import kind_of, poses_of
from spatial_workbench.engine.machines.building.spatial import placed_poses
from spatial_workbench.engine.machines.building.tree import Tree, ends_of
from spatial_workbench.engine.machines.levels.level import Ball, Level, as_simulated
from spatial_workbench.engine.machines.results.trace import SETTLE_S, STEPS_PER_S, Bond, Break
from spatial_workbench.engine.physics.block_states import state_at_start
from spatial_workbench.engine.physics.bodies import BodyMaker, BodyState, JointState, MachineBody, point_of
from spatial_workbench.engine.physics.connections import body_plans, connections_of, redundancy, rigid_clusters
from spatial_workbench.engine.physics.driving import Driving, Policy
from spatial_workbench.engine.physics.engine import EmptiedEngine
from spatial_workbench.engine.physics.forces import Lines, Wind
from spatial_workbench.engine.physics.frames import matrices, swapped
from spatial_workbench.engine.physics.grabbers import Grabbers
from spatial_workbench.engine.physics.loads import Bearing, Loads, Overload
from spatial_workbench.engine.physics.motion import Motion
from spatial_workbench.engine.physics.outside import Hold, Outside
from spatial_workbench.engine.physics.places import Place
from spatial_workbench.engine.physics.scenery import Scenery

LOOKS_PER_S = 60
"""How often a second the loads are looked at: a connection breaks up to 1/60 s after the moment of its overload."""


class MachineWorld:
    """One machine in one level, in a connection of its own to the engine.

    Nothing is shared with other worlds, so equal machines run equally, whatever ran before.

    Args:
        rate: Steps a second.

    Attributes:
        steps: How many steps have been simulated.
        breaks: The connections that broke, in order.
        kinds: The block type of each block.
        ground: The bodies whose touch ends a flight.
        balls: The machine's boulders, then the level's balls, each with the number of its body.
        lines: The springs and braces.
        places: The body and link of each block that has one.
        motion: How the present bodies move.
    """

    def __init__(self, tree: Tree, level: Level, rate: int = STEPS_PER_S) -> None:
        self.tree = tree = as_simulated(tree, level)
        self.level = level
        self.rate = rate
        self.engine = EmptiedEngine()
        try:
            self._make(tree, level)
        except BaseException:
            self.engine.close()
            raise

    def _make(self, tree: Tree, level: Level) -> None:
        self.steps = 0
        self.breaks: list[Break] = []
        self.kinds = [kind_of(entry) for entry in tree]
        self._averaged_steps = round(constants()["physics"]["break_average_window"] * self.rate)
        self._look_steps = round(self.rate / LOOKS_PER_S)
        self._set_parameters()
        poses = poses_of(tree)
        self._state = state_at_start(poses, self.kinds, placed_poses(tree, poses))
        self._state_step = 0
        self._scenery = Scenery(self.engine, level)
        self.ground = self._scenery.ground
        self.balls = self._make_balls(level)
        self._wind = Wind(self.engine, swapped(level.wind), self.kinds) if any(level.wind) else None
        self._connections = connections_of(tree, poses)
        self._live = set(range(len(self._connections)))
        self._joints = {k: JointState() for k, c in enumerate(self._connections) if not c.is_rigid}
        self._loads = Loads(len(self._connections), self._averaged_steps)
        self._maker = BodyMaker(self.engine, self.kinds, self._connections)
        self.lines = Lines(self.engine, tree, self._state, self.rate)
        self._grabbers = Grabbers(self.engine, _free_grabbers(tree), self._averaged_steps)
        facings = [pose.facing if pose else None for pose in poses]
        self._driving = Driving(self.engine, self.kinds, facings, self._connections, self._joints, self.rate)
        self._bodies: list[MachineBody] = []
        self.places: dict[int, Place] = {}
        self._add_bodies([k for k, kind in enumerate(self.kinds) if kind.number != BOULDER and not kind.is_linear])

    def close(self) -> None:
        """Leaves the engine to the next world, whatever became of this one."""
        self.engine.leave()

    @property
    def time(self) -> float:
        """Seconds since the power went on; negative while the machine settles."""
        return self.steps / self.rate - SETTLE_S

    @property
    def attached(self) -> frozenset[int]:
        """The blocks that unbroken connections lead to from the starting block."""
        return frozenset(next(body.links for body in self._bodies if 0 in body.links))

    @property
    def motor_torques(self) -> dict[int, float]:
        """What the motors exert, N m, by block."""
        return self._driving.torques

    @property
    def work_j(self) -> float:
        """What motors and springs did since the power went on, J."""
        return self._driving.work_j + self.lines.work_j

    @property
    def bonds(self) -> list[Bond]:
        """Every connection, with the largest load it bore."""
        kinds = {False: "block", True: "join"}
        bonds = [
            Bond(c.child, c.parent, kinds[c.is_join], float(peak))
            for c, peak in zip(self._connections, self._loads.peaks, strict=True)
        ]
        return bonds + [
            Bond(line.entry.id, line.entry.parent_a, "spring" if line.entry.type == SPRING else "brace", line.peak)
            for line in self.lines.lines.values()
        ]

    def drive_alone(self, values: Mapping[int, float]) -> None:
        """Sets the values of single blocks, which do not obey their channels from now on."""
        self._driving.own = self.lines.own = dict(values)

    def step(self, policy: Policy) -> None:
        """Advances by one step, with every channel set as the policy says."""
        self._driving.drive(policy)
        for line, force in self.lines.pull(self.places, policy["contract"], self._outside):
            entry = line.entry
            self.breaks.append(Break(entry.id, entry.parent_a, self.time, force, 0.0, force / line.limit))
        self._driving.suspend()
        if self._wind:
            self._wind.blow(self.state(), self.places, self._outside)
            for ball, number in self.balls:
                self._wind.blow_ball(number, ball.radius)
        self.engine.stepSimulation()
        self.steps += 1
        self.motion.read()
        self._read_joints(self._driven)
        self._record_loads()
        self._grabbers.update(bool(policy["grab"]))
        if self.steps % self._look_steps == 0:
            overload = self._find_overload()
            if overload is not None:
                self._break_connection(overload)
        if self.time > 0:
            self._driving.count_work()

    def state(self) -> BodyState:
        """How the blocks move now; computed only once a step, since bodies that are replaced move on unchanged."""
        if self._state_step != self.steps:
            self._state = self.motion.state(self.boulders, len(self.kinds))
            self._state_step = self.steps
        return self._state

    # Making ------------------------------------------------------------------------------------------------------

    def _set_parameters(self) -> None:
        world = constants()["physics"]
        self.engine.setPhysicsEngineParameter(
            fixedTimeStep=1 / self.rate,
            numSolverIterations=world["solver_iterations"],
            enableConeFriction=world["cone_friction"],
            deterministicOverlappingPairs=1,
        )
        self.engine.setGravity(0, 0, -world["gravity"])

    def _make_balls(self, level: Level) -> list[tuple[Ball, int]]:
        """The machine's boulders, then the level's balls, with their bodies."""
        boulders = [
            _boulder(k, kind, self._state.centers[k]) for k, kind in enumerate(self.kinds) if kind.number == BOULDER
        ]
        return [(ball, self._scenery.make_ball(ball)) for ball in [*boulders, *level.balls]]

    @property
    def boulders(self) -> dict[int, int]:
        """The bodies of the machine's boulders, by block."""
        blocks = [k for k, kind in enumerate(self.kinds) if kind.number == BOULDER]
        return {block: number for block, (_, number) in zip(blocks, self.balls, strict=False)}

    def _add_bodies(self, blocks: Sequence[int]) -> None:
        """Makes the bodies that some blocks form by the connections that are not broken."""
        links = [line.entry for line in self.lines.lines.values()]
        for plan in body_plans(blocks, self._connections, self._live):
            body = self._maker.make_body(plan, self.state(), self._joints, self._live)
            around = redundancy(plan, self._connections, self._live, links)
            watched = [*(link.connection for link in plan.links), *body.constraints]
            connections = [(self._connections[index], around.get(index, 1)) for index in watched]
            forces = [connection.force_limit * factor for connection, factor in connections]
            self._loads.watch(watched, forces, [c.torque_limit * factor for c, factor in connections])
            self._bodies.append(body)
        self._replace_bodies()

    def _replace_bodies(self) -> None:
        """Makes the present bodies known to everything that acts on them."""
        bodies = self._bodies
        state = self.state()
        self.motion = Motion(self.engine, bodies, state)
        self._bearing = Bearing(bodies, self.motion, self._connections, self.kinds, state)
        self._outside = Outside(bodies, self.motion, self.kinds, self._scenery.rough)
        self.places = {block: (body.number, link) for body in bodies for block, link in body.links.items()}
        self._closings = self._closing_holds(state)
        self._forces_of_closings: list[list[Sequence[float]]] = []
        closings = [index for body in bodies for index in body.constraints]
        self._watched = np.concatenate([self._bearing.connections, np.array(closings, int)])
        clusters: dict[int, tuple[int, int]] = {}
        for body in bodies:
            parts = rigid_clusters(body.plan, self._connections)
            clusters.update({block: (body.plan.base, part) for block, part in parts.items()})
        self.lines.place(self.motion, clusters)
        moving = [((body.number, link), index) for body in bodies for link, index in body.joints]
        self._grabbers.replace_bodies(self.motion, self.places, self._grabbable_bodies())
        self._driving.replace_joints(moving)
        rows = [(body, [joint for joint in body.joints if self._is_driven(joint[1])]) for body in bodies]
        self._driven = [(body.number, self._states_of(joints)) for body, joints in rows if joints]

    def _states_of(self, joints: Iterable[tuple[int, int]]) -> list[tuple[int, JointState]]:
        """The link and the state of some joints of a body."""
        return [(link, self._joints[index]) for link, index in joints]

    def _is_driven(self, connection: int) -> bool:
        """Whether a joint has a motor or a spring, which has to be told how it moves."""
        joint = self._connections[connection].joint
        return joint.motor is not None or bool(joint.stiffness)

    def _closing_holds(self, state: BodyState) -> list[Hold]:
        """The engine's constraints between parts."""
        turned = matrices(state.rotations)
        motion = self.motion
        holds = []
        for body in self._bodies:
            for index, constraint in body.constraints.items():
                connection = self._connections[index]
                point = point_of(connection, self.kinds, state, turned).tolist()
                blocks = connection.parent, connection.child
                holds.append(Hold(constraint, tuple((k, motion.local(motion.row_of[k], point)) for k in blocks)))
        return holds

    def _grabbable_bodies(self) -> dict[int, list[int]]:
        """For every grabber the bodies that it may hold: all balls, and the parts of the machine except its own."""
        balls = [number for _, number in self.balls]
        parts = [body.number for body in self._bodies]
        return {
            block: [*balls, *(number for number in parts if number != self.places[block][0])]
            for block in self._grabbers.blocks
        }

    # Breaking ----------------------------------------------------------------------------------------------------

    def _read_joints(self, joints: Iterable[tuple[int, Sequence[tuple[int, JointState]]]]) -> None:
        """Reads joints that turn or slide."""
        for number, states in joints:
            rows = self.engine.getJointStates(number, [link for link, _ in states])
            for (_, state), (position, velocity, _, torque) in zip(states, rows, strict=True):
                state.position = position
                state.velocity = velocity
                state.torque = torque

    def _record_loads(self) -> None:
        """Reads what the loads of the last step follow from."""
        engine = self.engine
        held: list[tuple[Hold, Sequence[float]]] = []
        if self._closings:
            held = [(hold, engine.getConstraintState(hold.number)) for hold in self._closings]
            self._forces_of_closings.append([state for _, state in held])
        if len(self._watched):
            held += [(hold, engine.getConstraintState(hold.number)) for hold in self._grabbers.holds]
            self._outside.end_step(engine.getContactPoints(), held)

    def _find_overload(self) -> Overload | None:
        """The connection that was overloaded most since the last look, if one was."""
        values = self.motion.take_values()
        acting = self._outside.take()
        closings = self._forces_of_closings
        self._forces_of_closings = []
        if not len(self._watched):
            return None
        loads = self._bearing.loads(values, self._outside.links, acting, self.rate)
        if self._closings:
            loads = np.concatenate([loads, np.array(closings)], axis=1)
        return self._loads.add(self._watched, loads)

    def _break_connection(self, overload: Overload) -> None:
        """Parts the body that an overloaded connection holds together."""
        connection = self._connections[overload.connection]
        self.breaks.append(
            Break(connection.child, connection.parent, self.time, overload.force, overload.torque, overload.load)
        )
        self._live.discard(overload.connection)
        self._loads.forget(overload.connection)
        self._rebuild_body(next(body for body in self._bodies if connection.child in body.links))

    def _rebuild_body(self, body: MachineBody) -> None:
        """Replaces a body by the parts that are still connected, with their positions and velocities."""
        self.state()
        self._grabbers.release_all()
        if body.joints:
            self._read_joints([(body.number, self._states_of(body.joints))])
        for _, index in body.joints:
            joint = self._joints[index]
            joint.offset = joint.offset + joint.position
            joint.position = 0.0
        self._maker.remove_body(body)
        self._bodies = [other for other in self._bodies if other is not body]
        self._add_bodies(sorted(body.links))


def _free_grabbers(tree: Tree) -> list[int]:
    """The grabbers that carry nothing on their face."""
    carrying = {parent for entry in tree for parent, _ in ends_of(entry) if not kind_of(entry).is_linear}
    return [entry.id for entry in tree if entry.type == GRABBER and entry.id not in carrying]


def _boulder(block: int, kind: BlockType, center: Floats) -> Ball:
    x, y, z = swapped(center.tolist())
    return Ball(
        f"block {block}",
        (x, y, z),
        kind.shapes[0].radius,
        kind.mass,
        kind.friction,
        kind.restitution,
        kind.special["rolling_friction"],
        kind.special["spinning_friction"],
    )
