"""Drives the joints of a machine: motors, steering and the springs of suspensions (docs/machines.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import radians
from typing import cast

from spatial_workbench.engine.machines.building.blocks import BlockType, Facing, Motor
from spatial_workbench.engine.machines.levels.level import Channel
from spatial_workbench.engine.physics.bodies import JointState
from spatial_workbench.engine.physics.connections import Connection
from spatial_workbench.engine.physics.engine import Engine
from spatial_workbench.engine.physics.places import Place

STEERING_DEG_S = 90.0
"""How fast steering follows its channel, in degrees a second."""

Policy = Mapping[Channel, float]


@dataclass(frozen=True)
class _Powered:
    """A joint with a motor: the connection, its child block, and the channel that it obeys."""

    place: Place
    connection: int
    block: int
    motor: Motor
    channel: Channel


class Driving:
    """Sets the joints of a machine's bodies before each step.

    Args:
        facings: The facing of each block; None: it has no pose.
        states: The states of the joints by connection. The world updates them after each step.
        rate: Steps a second.
    """

    def __init__(
        self,
        engine: Engine,
        kinds: Sequence[BlockType],
        facings: Sequence[Facing | None],
        connections: Sequence[Connection],
        states: Mapping[int, JointState],
        rate: int,
    ) -> None:
        self.engine = engine
        self.rate = rate
        self._kinds = kinds
        self._facings = facings
        self._connections = connections
        self._states = states
        self._steering: dict[Channel, float] = {"steer_hinge": 0.0, "steer_block": 0.0}
        self.own: dict[int, float] = {}
        """Values of single blocks that do not obey their channels: those with keys of their own, in free play."""
        self._own_steering: dict[int, float] = {}
        self._driven: dict[int, float] = {}
        self._obeyed: Policy | None = None
        """The policy that all motors are set by; None while some are on their way."""
        self._motors: list[_Powered] = []
        self._powered_states: list[JointState] = []
        self._suspensions: list[tuple[Place, int]] = []
        self.work_j = 0.0
        """What the motors did since the power went on."""

    def replace_joints(self, joints: Sequence[tuple[Place, int]]) -> None:
        """Replaces the joints that are driven, each with its connection, after bodies were made or replaced."""
        self._suspensions = [(place, index) for place, index in joints if self._connections[index].joint.stiffness]
        self._motors = [motor for place, index in joints if (motor := self._powered(place, index)) is not None]
        self._powered_states = [self._states[motor.connection] for motor in self._motors]
        self._driven.clear()
        self._obeyed = None

    @property
    def torques(self) -> dict[int, float]:
        """What the motors exert, N m, by block."""
        return {joint.block: self._states[joint.connection].torque for joint in self._motors}

    def count_work(self) -> None:
        """Adds what the motors did in the last step; a motor that is turned backwards did nothing."""
        work = 0.0
        for state in self._powered_states:
            power = state.torque * state.velocity
            if power > 0:
                work += power
        self.work_j += work / self.rate

    def drive(self, policy: Policy) -> None:
        """Sets the motors whose speed or angle has to change."""
        if policy == self._obeyed and not self.own:
            return
        for channel, angle in self._steering.items():
            self._steering[channel] = self._followed(angle, policy[channel])
        for block, value in self.own.items():
            self._own_steering[block] = self._followed(self._own_steering.get(block, 0.0), value)
        for joint in self._motors:
            target = self._target(joint, policy)
            if self._driven.get(joint.connection) != target:
                self._driven[joint.connection] = target
                self._set_motor(joint, target)
        is_settled = all(angle == policy[channel] for channel, angle in self._steering.items())
        self._obeyed = dict(policy) if is_settled and not self.own else None

    def _followed(self, angle: float, wanted: float) -> float:
        """An angle after one step towards another, in degrees."""
        step = STEERING_DEG_S / self.rate
        return angle + max(-step, min(step, wanted - angle))

    def _target(self, joint: _Powered, policy: Policy) -> float:
        """The speed in rad/s or the angle in rad that a motor is set to."""
        motor = joint.motor
        if motor.mode == "hold_position":
            angle = self._own_steering.get(joint.block, self._steering[joint.channel])
            return radians(angle) - self._states[joint.connection].offset
        is_flipped = motor.flip_when_facing is not None and motor.flip_when_facing == self._facings[joint.block]
        return motor.speed * self.own.get(joint.block, policy[joint.channel]) * (-1 if is_flipped else 1)

    def _set_motor(self, joint: _Powered, target: float) -> None:
        engine = self.engine
        motor = joint.motor
        if motor.mode == "velocity":
            engine.setJointMotorControl2(
                *joint.place, engine.VELOCITY_CONTROL, targetVelocity=target, force=motor.max_torque
            )
            return
        engine.setJointMotorControl2(
            *joint.place,
            engine.POSITION_CONTROL,
            targetPosition=target,
            positionGain=motor.position_gain,
            velocityGain=motor.velocity_gain,
            force=motor.max_torque,
        )

    def suspend(self) -> None:
        """Applies the springs of suspensions for the next step."""
        for place, index in self._suspensions:
            joint = self._connections[index].joint
            state = self._states[index]
            force = -joint.stiffness * (state.offset + state.position) - joint.damping * state.velocity
            self.engine.setJointMotorControl2(*place, self.engine.TORQUE_CONTROL, force=force)

    def _powered(self, place: Place, index: int) -> _Powered | None:
        connection = self._connections[index]
        motor = connection.joint.motor
        channel = self._kinds[connection.child].channel
        return _Powered(place, index, connection.child, motor, cast("Channel", channel)) if motor else None
