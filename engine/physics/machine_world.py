"""A machine in a level, step by step, until its connections break (docs/machines.md).

Runs inside the physics process; elsewhere ask `engine.physics.client`. All in the engine's frame: right-handed, z up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
from spatial_workbench.engine.physics.block_states import read_state, state_at_start
from spatial_workbench.engine.physics.bodies import BodyMaker, BodyState, JointState, MachineBody
from spatial_workbench.engine.physics.connections import body_plans, connections_of, redundancy, rigid_clusters
from spatial_workbench.engine.physics.driving import Driving, Policy
from spatial_workbench.engine.physics.engine import Engine
from spatial_workbench.engine.physics.forces import Lines, Wind
from spatial_workbench.engine.physics.frames import swapped
from spatial_workbench.engine.physics.grabbers import Grabbers
from spatial_workbench.engine.physics.loads import Loads, Overload
from spatial_workbench.engine.physics.places import Place
from spatial_workbench.engine.physics.scenery import Scenery


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
    """

    def __init__(self, tree: Tree, level: Level, rate: int = STEPS_PER_S) -> None:
        self.tree = tree = as_simulated(tree, level)
        self.level = level
        self.rate = rate
        self.engine = Engine()
        try:
            self._make(tree, level)
        except BaseException:
            self.close()
            raise

    def _make(self, tree: Tree, level: Level) -> None:
        rate = self.rate
        self.steps = 0
        self.breaks: list[Break] = []
        self.kinds = [kind_of(entry) for entry in tree]
        self._averaged_steps = round(constants()["physics"]["break_average_window"] * rate)
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
        self._peaks = np.zeros(len(self._connections))
        self._joints = {k: JointState() for k, c in enumerate(self._connections) if not c.is_rigid}
        self._maker = BodyMaker(self.engine, self.kinds, self._connections)
        self.lines = Lines(self.engine, tree, self._state, rate)
        self._grabbers = Grabbers(self.engine, _free_grabbers(tree), self._averaged_steps)
        facings = [pose.facing if pose else None for pose in poses]
        self._driving = Driving(self.engine, self.kinds, facings, self._connections, self._joints, rate)
        self._bodies: list[tuple[MachineBody, Loads]] = []
        self.places: dict[int, Place] = {}
        self._add_bodies([k for k, kind in enumerate(self.kinds) if kind.number != BOULDER and not kind.is_linear])

    def close(self) -> None:
        """Closes the connection to the engine."""
        self.engine.close()

    @property
    def time(self) -> float:
        """Seconds since the power went on; negative while the machine settles."""
        return self.steps / self.rate - SETTLE_S

    @property
    def attached(self) -> frozenset[int]:
        """The blocks that unbroken connections lead to from the starting block."""
        return frozenset(next(body.links for body, _ in self._bodies if 0 in body.links))

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
        for body, loads in self._bodies:
            self._keep_peaks(body, loads)
        kinds = {False: "block", True: "join"}
        bonds = [
            Bond(c.child, c.parent, kinds[c.is_join], float(peak))
            for c, peak in zip(self._connections, self._peaks, strict=True)
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
        for line, force in self.lines.pull(self.places, policy["contract"]):
            entry = line.entry
            self.breaks.append(Break(entry.id, entry.parent_a, self.time, force, 0.0, force / line.limit))
        self._driving.suspend()
        if self._wind:
            self._wind.blow(self.state(), self.places)
            for ball, number in self.balls:
                self._wind.blow_ball(number, ball.radius)
        self.engine.stepSimulation()
        self.steps += 1
        self._grabbers.update(self.places, self._grabbable, bool(policy["grab"]))
        self._look_for_breaks()
        if self.time > 0:
            self._driving.count_work()

    def state(self) -> BodyState:
        """How the blocks move now. It is read only once a step, since bodies that are replaced move on unchanged."""
        if self._state_step != self.steps:
            bodies = [body for body, _ in self._bodies]
            self._state = read_state(self.engine, bodies, self._boulders, len(self.kinds))
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
    def _boulders(self) -> dict[int, int]:
        """The bodies of the machine's boulders, by block."""
        blocks = [k for k, kind in enumerate(self.kinds) if kind.number == BOULDER]
        return {block: number for block, (_, number) in zip(blocks, self.balls, strict=False)}

    def _add_bodies(self, blocks: Sequence[int]) -> None:
        """Makes the bodies that some blocks form by the connections that are not broken."""
        for plan in body_plans(blocks, self._connections, self._live):
            body = self._maker.make_body(plan, self.state(), self._joints, self._live)
            around = redundancy(plan, self._connections, self._live, [line.entry for line in self.lines.lines.values()])
            watched = [*body.joints, *body.constraints]
            self._bodies.append((body, self._loads(body, watched, around)))
        self._set_places()

    def _loads(self, body: MachineBody, watched: Sequence[int], around: Mapping[int, int]) -> Loads:
        connections = [self._connections[index] for index in watched]
        factors = [around.get(index, 1) for index in watched]
        arms = np.vstack([body.arms, np.zeros((len(body.constraints), 3))])
        forces = [c.force_limit * factor for c, factor in zip(connections, factors, strict=True)]
        torques = [c.torque_limit * factor for c, factor in zip(connections, factors, strict=True)]
        return Loads(arms, forces, torques, self._averaged_steps)

    def _set_places(self) -> None:
        self.places = {block: (body.number, link) for body, _ in self._bodies for block, link in body.links.items()}
        clusters: dict[int, tuple[int, int]] = {}
        for body, _ in self._bodies:
            parts = rigid_clusters(body.plan, self._connections)
            clusters.update({block: (body.plan.base, part) for block, part in parts.items()})
        self.lines.set_clusters(clusters)
        joints = [
            ((body.number, link), index)
            for body, _ in self._bodies
            for link, index in enumerate(body.joints)
            if not self._connections[index].is_rigid
        ]
        self._moving = joints
        self._grabbable = self._grabbable_bodies()
        self._driving.replace_joints(joints)

    def _grabbable_bodies(self) -> dict[int, list[int]]:
        """For every grabber the bodies that it may hold: all balls, and the parts of the machine except its own."""
        balls = [number for _, number in self.balls]
        parts = [body.number for body, _ in self._bodies]
        return {
            block: [*balls, *(number for number in parts if number != self.places[block][0])]
            for block in self._grabbers.blocks
        }

    # Breaking ----------------------------------------------------------------------------------------------------

    def _look_for_breaks(self) -> None:
        """Reads the loads of all connections, and breaks the one that is overloaded most, if there is any."""
        worst: tuple[MachineBody, Overload] | None = None
        for body, loads in self._bodies:
            if body.joints:
                overload = loads.add(self._reactions(body))
                if overload is not None and (worst is None or overload.load > worst[1].load):
                    worst = body, overload
        if worst is not None:
            self._break_connection(*worst)

    def _reactions(self, body: MachineBody) -> list[Sequence[float]]:
        states = self.engine.getJointStates(body.number, range(len(body.joints)))
        for place, index in self._moving:
            if place[0] == body.number:
                state = self._joints[index]
                state.position, state.velocity, _, state.torque = states[place[1]]
        reactions = [state[2] for state in states]
        return reactions + [self.engine.getConstraintState(number) for number in body.constraints.values()]

    def _break_connection(self, body: MachineBody, overload: Overload) -> None:
        index = [*body.joints, *body.constraints][overload.row]
        connection = self._connections[index]
        self.breaks.append(
            Break(connection.child, connection.parent, self.time, overload.force, overload.torque, overload.load)
        )
        self._live.discard(index)
        self._rebuild_body(body)

    def _rebuild_body(self, body: MachineBody) -> None:
        """Replaces a body by the parts that are still connected, with their positions and velocities."""
        self.state()
        self._grabbers.release_all(self.places)
        for index in body.joints:
            if index in self._joints:
                joint = self._joints[index]
                joint.offset = joint.offset + joint.position
                joint.position = 0.0
        loads = next(loads for other, loads in self._bodies if other is body)
        self._keep_peaks(body, loads)
        self._maker.remove_body(body)
        self._bodies = [(other, kept) for other, kept in self._bodies if other is not body]
        self._add_bodies(sorted(body.links))

    def _keep_peaks(self, body: MachineBody, loads: Loads) -> None:
        rows = [*body.joints, *body.constraints]
        self._peaks[rows] = np.maximum(self._peaks[rows], loads.peaks)


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
