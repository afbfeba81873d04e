"""Machines as robots for other simulators: URDF, and MJCF with the level (docs/files.md).

Both are in the drawing's frame: x right, y forward, z up, metres, kilograms, where the level begins. Each block is a
link on its parent; a joint is at its pivot.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from xml.etree import ElementTree

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import (
    SPRING,
    BlockType,
    Joint,
    MachineShape,
    Vector,
    quaternions,
)
from spatial_workbench.engine.machines.building.joining import joins_of
from spatial_workbench.engine.machines.building.poses import kind_of, poses_of
from spatial_workbench.engine.machines.building.spatial import placed_poses
from spatial_workbench.engine.machines.building.tree import Link, MachineBlock, Tree, ends_of
from spatial_workbench.engine.machines.levels.level import Ball, Level, Obstacle
from spatial_workbench.engine.physics.frames import matrices, swapped, swapped_all, swapped_rotation
from spatial_workbench.engine.physics.parts import inertia_of

Element = ElementTree.Element
_add = ElementTree.SubElement

_TURNED: dict[str, Vector] = {"x": (0.0, math.pi / 2, 0.0), "y": (0.0, 0.0, 0.0), "z": (math.pi / 2, 0.0, 0.0)}
"""Roll, pitch and yaw of a cylinder along an axis of the machine's frame."""
_ALONG: dict[str, Vector] = {"x": (1.0, 0.0, 0.0), "y": (0.0, 0.0, 1.0), "z": (0.0, 1.0, 0.0)}
_HOLDING_STIFFNESS, _HOLDING_DAMPING = 2000.0, 50.0
"""Of MuJoCo's servos that hold steering parts, N m/rad and N m s/rad."""
_MOTOR_GAIN = 50.0
"""Of MuJoCo's velocity servos, N m s/rad; the torque is limited to that of the motor."""
_DUMMY_MASS_KG, _DUMMY_INERTIA = 0.001, 1e-6
"""Of the two links inside a ball joint, which URDF does not have."""


@dataclass(frozen=True, eq=False)
class RobotLink:
    """A block as a link: its building point (3,) and rotation (3, 3) in the drawing's frame."""

    entry: MachineBlock
    kind: BlockType
    position: Floats
    rotation: Floats

    @property
    def name(self) -> str:
        """A name that is used once."""
        return f"block_{self.entry.id}_{self.kind.name.lower().replace(' ', '_')}"

    @property
    def joint(self) -> Joint:
        """How it hangs on its parent."""
        return self.kind.joint

    @property
    def pivot(self) -> Floats:
        """The joint's pivot in the block's frame, (3,)."""
        return np.array(swapped(self.joint.pivot)) if self.joint.moves else np.zeros(3)

    @property
    def axis(self) -> Vector:
        """The joint's axis in the block's frame; hinges turn the other way in a mirrored frame."""
        sign = 1.0 if self.joint.kind == "prismatic" else -1.0
        x, y, z = (sign * value + 0.0 for value in swapped(self.joint.axis))
        return x, y, z

    @property
    def limits(self) -> tuple[float, float] | None:
        """The joint's limits in rad or m."""
        if self.joint.limits is None or self.joint.kind == "prismatic":
            return self.joint.limits
        low, high = self.joint.limits
        return math.radians(low), math.radians(high)

    @property
    def is_free(self) -> bool:
        """Whether it is a body of its own."""
        return self.joint.kind == "free" or self.entry.parent < 0

    @property
    def is_flipped(self) -> bool:
        """Whether its motor turns the other way where it stands."""
        motor = self.joint.motor
        facing = None if motor is None else motor.flip_when_facing
        return facing is not None and bool(np.allclose(self.rotation, _rotation_of(facing)))


@dataclass(frozen=True)
class RobotMachine:
    """A machine as links, with what connects them beside the tree."""

    tree: Tree

    @cached_property
    def links(self) -> dict[int, RobotLink]:
        """The blocks with a place of their own, by id."""
        poses = poses_of(self.tree)
        lift = placed_poses(self.tree, poses)
        return {
            entry.id: RobotLink(
                entry,
                kind_of(entry),
                np.array(swapped(np.add(pose.position, lift).tolist())),
                _rotation_of(pose.facing),
            )
            for entry, pose in zip(self.tree, poses, strict=True)
            if isinstance(entry, MachineBlock) and pose is not None
        }

    @cached_property
    def clusters(self) -> dict[int, int]:
        """The rigid part that each block belongs to, by the lowest id in it; blocks joined to one are in it, too."""
        found: dict[int, int] = {}
        for number, link in self.links.items():
            is_rigid = not link.is_free and not link.joint.moves
            found[number] = found[link.entry.parent] if is_rigid else number
        return found

    @cached_property
    def joined(self) -> list[tuple[int, int]]:
        """The pairs of blocks that are joined across a joint."""
        pairs = [(join.block, join.other) for join in joins_of(self.tree, poses_of(self.tree))]
        return [(a, b) for a, b in pairs if self.clusters[a] != self.clusters[b]]

    @cached_property
    def lines(self) -> list[Link]:
        """The springs, and the braces between rigid parts that can move."""
        links = [entry for entry in self.tree if isinstance(entry, Link)]
        return [
            entry
            for entry in links
            if entry.type == SPRING or self.clusters[entry.parent_a] != self.clusters[entry.parent_b]
        ]

    def end(self, block: int, face: int) -> Floats:
        """The middle of a face in its block's frame, (3,)."""
        return np.array(swapped(self.links[block].kind.faces[face].position))

    def children(self, block: int | None) -> Iterator[RobotLink]:
        """The links that hang on a block; None: the bodies of their own."""
        for link in self.links.values():
            if link.is_free if block is None else (not link.is_free and link.entry.parent == block):
                yield link

    def relative(self, link: RobotLink) -> tuple[Floats, Floats]:
        """Position and rotation of a link's building point in the frame of its parent, or the world."""
        if link.is_free:
            return link.position, link.rotation
        above = self.links[link.entry.parent]
        return above.rotation.T @ (link.position - above.position), above.rotation.T @ link.rotation


# URDF ----------------------------------------------------------------------------------------------------------------


def left_out_of_urdf(tree: Tree) -> list[str]:
    """What URDF cannot hold of a machine, in sentences."""
    machine = RobotMachine(tree)
    notes = []
    if machine.lines:
        listed = ", ".join(str(entry.id) for entry in machine.lines)
        notes.append(f"URDF has neither springs nor rods that join moving parts: block {listed} is left out")
    if machine.joined:
        listed = ", ".join(f"{a} and {b}" for a, b in machine.joined)
        notes.append(f"URDF has no closed loops: the join of blocks {listed} is left out")
    boulders = [str(number) for number, link in machine.links.items() if link.joint.kind == "free"]
    if boulders:
        notes.append(f"URDF holds a single robot: the boulder, block {', '.join(boulders)}, is left out")
    balls = [str(number) for number, link in machine.links.items() if link.joint.kind == "spherical"]
    if balls:
        notes.append(f"URDF has no ball joints: block {', '.join(balls)} hangs on three hinges")
    return notes


def write_urdf(tree: Tree) -> bytes:
    """A machine as URDF, with the starting block as the root."""
    machine = RobotMachine(tree)
    robot = Element("robot", name="machine")
    links = [link for link in machine.links.values() if link.entry.parent < 0 or not link.is_free]
    for link in links:
        _urdf_link(robot, link)
    for link in links:
        if not link.is_free:
            _urdf_joint(robot, machine, link)
    return _written(robot, left_out_of_urdf(tree))


def _urdf_link(robot: Element, link: RobotLink) -> None:
    element = _add(robot, "link", name=link.name)
    center = np.array(swapped(link.kind.center)) - link.pivot
    _urdf_inertial(element, link.kind.mass, center, inertia_of(link.kind))
    for shape in link.kind.shapes:
        for word in ("visual", "collision"):
            part = _add(element, word)
            rpy = _TURNED[shape.axis] if shape.kind == "cylinder" else (0.0, 0.0, 0.0)
            _add(part, "origin", xyz=_text(np.array(swapped(shape.center)) - link.pivot), rpy=_text(rpy))
            _add(_add(part, "geometry"), shape.kind, _urdf_shape(shape))
            if word == "visual":
                material = _add(part, "material", name=link.kind.name)
                _add(material, "color", rgba=_rgba(link.kind.color))


def _urdf_shape(shape: MachineShape) -> dict[str, str]:
    if shape.kind == "box":
        return {"size": _text(swapped(shape.size))}
    length = {"length": _text([shape.length])} if shape.kind == "cylinder" else {}
    return {"radius": _text([shape.radius])} | length


def _urdf_inertial(element: Element, mass: float, center: Floats, inertia: Vector) -> None:
    inertial = _add(element, "inertial")
    _add(inertial, "origin", xyz=_text(center), rpy="0 0 0")
    _add(inertial, "mass", value=_text([mass]))
    xx, yy, zz = (_text([value]) for value in inertia)
    _add(inertial, "inertia", ixx=xx, iyy=yy, izz=zz, ixy="0", ixz="0", iyz="0")


def _urdf_joint(robot: Element, machine: RobotMachine, link: RobotLink) -> None:
    above = machine.links[link.entry.parent]
    place = above.rotation.T @ (link.position + link.rotation @ link.pivot - above.position) - above.pivot
    turn = above.rotation.T @ link.rotation
    kind = link.joint.kind
    if kind == "spherical":
        _urdf_ball(robot, above, link, place, turn)
        return
    kinds = {"prismatic": "prismatic", "revolute": "revolute" if link.limits else "continuous"}
    joint = _urdf_joint_element(robot, f"joint_{link.entry.id}", kinds.get(kind, "fixed"), above.name, link.name)
    _add(joint, "origin", xyz=_text(place), rpy=_text(_rpy(turn)))
    if not link.joint.moves:
        return
    _add(joint, "axis", xyz=_text(link.axis))
    motor = link.joint.motor
    most = {"effort": _text([motor.max_torque if motor else 1e6]), "velocity": _text([_fastest(link)])}
    limits = {} if link.limits is None else dict(zip(("lower", "upper"), map(_one, link.limits), strict=True))
    _add(joint, "limit", {**limits, **most})
    _add(joint, "dynamics", damping=_text([link.joint.damping]), friction=_text([link.joint.friction_torque]))


def _urdf_ball(robot: Element, above: RobotLink, link: RobotLink, place: Floats, turn: Floats) -> None:
    """A ball joint as three hinges, with two small links between them."""
    names = [above.name, f"{link.name}_x", f"{link.name}_y", link.name]
    for name in names[1:3]:
        _urdf_inertial(_add(robot, "link", name=name), _DUMMY_MASS_KG, np.zeros(3), (_DUMMY_INERTIA,) * 3)
    for k, letter in enumerate("xyz"):
        joint = _urdf_joint_element(robot, f"joint_{link.entry.id}_{letter}", "continuous", names[k], names[k + 1])
        _add(joint, "origin", xyz=_text(place if k == 0 else np.zeros(3)), rpy=_text(_rpy(turn) if k == 0 else [0] * 3))
        _add(joint, "axis", xyz=_text(np.eye(3)[k]))


def _urdf_joint_element(robot: Element, name: str, kind: str, parent: str, child: str) -> Element:
    joint = _add(robot, "joint", name=name, type=kind)
    _add(joint, "parent", link=parent)
    _add(joint, "child", link=child)
    return joint


def _fastest(link: RobotLink) -> float:
    motor = link.joint.motor
    return abs(motor.speed) if motor is not None and motor.mode == "velocity" else 100.0


# MJCF ----------------------------------------------------------------------------------------------------------------


def left_out_of_mjcf(level: Level, tree: Tree) -> list[str]:
    """What MJCF holds otherwise than the simulation here, in sentences."""
    notes = ["Connections do not break"]
    if any(kind_of(entry).channel == "grab" for entry in tree):
        notes.append("Grabbers do not grip")
    if any(entry.type == SPRING for entry in tree):
        notes.append("Springs pull from the start, and are never slack")
    if level.programme:
        notes.append("Motors wait for control values instead of following the level's programme")
    return notes


def write_mjcf(level: Level, tree: Tree) -> bytes:
    """A machine in its level as MJCF.

    Motors are velocity servos in rad/s, positive values forward; steering parts are position servos in rad.
    """
    machine = RobotMachine(tree)
    model = Element("mujoco", model="machine")
    _add(model, "compiler", angle="radian", autolimits="true")
    _add(model, "option", gravity="0 0 -9.81", timestep="0.002", wind=_text(swapped(level.wind)))
    asset = _add(model, "asset")
    world = _add(model, "worldbody")
    _add(world, "light", pos="0 0 30", dir="0 0 -1")
    if level.has_plane:
        _add(world, "geom", name="ground", type="plane", size="0 0 1", friction="1")
    for number, obstacle in enumerate(level.obstacles):
        _mjcf_obstacle(asset, world, number, obstacle)
    for ball in level.balls:
        _mjcf_ball(world, ball)
    for link in machine.children(None):
        _mjcf_body(world, machine, link)
    _mjcf_lines(model, machine)
    _mjcf_joins(model, machine)
    _mjcf_motors(model, machine)
    return _written(model, left_out_of_mjcf(level, tree))


def _mjcf_obstacle(asset: Element, world: Element, number: int, obstacle: Obstacle) -> None:
    name = f"{obstacle.name} {number}"
    place = {"pos": _text(swapped(obstacle.center)), "quat": _text(_wxyz(swapped_rotation(obstacle.rotation)))}
    shape = {"name": name, "friction": _text([obstacle.friction]), "rgba": "0.6 0.6 0.6 1"}
    if obstacle.kind == "hull":
        vertices = swapped_all(np.array(obstacle.vertices))
        _add(asset, "mesh", name=name, vertex=_text(vertices.ravel()))
        # MuJoCo moves a mesh to its own centre and axes, but a geom's place still means that of the file.
        _add(world, "geom", {**shape, **place, "type": "mesh", "mesh": name})
    elif obstacle.kind == "box":
        _add(world, "geom", {**shape, **place, "type": "box", "size": _text(np.array(swapped(obstacle.size)) / 2)})
    else:
        body = _add(world, "body", place)
        size = _text((obstacle.radius, obstacle.length / 2))
        _add(body, "geom", {**shape, "type": "cylinder", "size": size, "zaxis": _text(_ALONG["z"])})


def _mjcf_ball(world: Element, ball: Ball) -> None:
    body = _add(world, "body", name=ball.name, pos=_text(swapped(ball.center)))
    _add(body, "freejoint")
    _add(
        body,
        "geom",
        type="sphere",
        size=_text([ball.radius]),
        mass=_text([ball.mass]),
        friction=_text((ball.friction, max(ball.spinning_friction, 1e-3), max(ball.rolling_friction, 1e-4))),
        condim="6",
    )


def _mjcf_body(parent: Element, machine: RobotMachine, link: RobotLink) -> None:
    place, turn = machine.relative(link)
    body = _add(parent, "body", name=link.name, pos=_text(place), quat=_text(_quaternion(turn)))
    xx, yy, zz = inertia_of(link.kind)
    center = _text(swapped(link.kind.center))
    _add(body, "inertial", pos=center, mass=_text([link.kind.mass]), diaginertia=_text((xx, yy, zz)))
    if link.is_free:
        _add(body, "freejoint")
    elif link.joint.moves:
        _mjcf_joint(body, link)
    for shape in link.kind.shapes:
        _mjcf_shape(body, link.kind, shape)
    for end, number, face in _ends_on(machine, link.entry.id):
        _add(body, "site", name=end, pos=_text(machine.end(number, face)), size="0.05")
    for child in machine.children(link.entry.id):
        _mjcf_body(body, machine, child)


def _ends_on(machine: RobotMachine, block: int) -> Iterator[tuple[str, int, int]]:
    """The ends of springs and rods on a block: a name, the block, and its face."""
    for line in machine.lines:
        for k, (number, face) in enumerate(ends_of(line)):
            if number == block:
                yield f"end_{line.id}_{k}", number, face


def _mjcf_joint(body: Element, link: RobotLink) -> None:
    kinds = {"revolute": "hinge", "prismatic": "slide", "spherical": "ball"}
    values = {
        "name": f"joint_{link.entry.id}",
        "type": kinds[link.joint.kind],
        "pos": _text(link.pivot),
        "frictionloss": _text([link.joint.friction_torque]),
    }
    if link.joint.kind != "spherical":
        values["axis"] = _text(link.axis)
    if link.joint.stiffness:
        values |= {"stiffness": _text([link.joint.stiffness]), "damping": _text([link.joint.damping])}
    if link.limits is not None:
        values["range"] = _text(link.limits)
    _add(body, "joint", values)


def _mjcf_shape(body: Element, kind: BlockType, shape: MachineShape) -> None:
    sizes = {
        "box": np.array(swapped(shape.size)) / 2,
        "sphere": np.array([shape.radius]),
        "cylinder": np.array([shape.radius, shape.length / 2]),
    }
    values = {"type": shape.kind, "size": _text(sizes[shape.kind]), "pos": _text(swapped(shape.center))}
    if shape.kind == "cylinder":
        values["zaxis"] = _text(_ALONG[shape.axis])
    _add(body, "geom", {**values, "friction": _text([kind.friction]), "rgba": _rgba(kind.color)})


def _mjcf_lines(model: Element, machine: RobotMachine) -> None:
    """Springs that pull, and rods that hold their length, as tendons."""
    tendons = _add(model, "tendon") if machine.lines else None
    for line in machine.lines:
        assert tendons is not None
        special = kind_of(line).special
        values = {"name": f"line_{line.id}"}
        if line.type == SPRING:
            rest = _text((0.0, special["rest_length"]))
            values |= {
                "stiffness": _one(special["stiffness"]),
                "damping": _one(special["damping"]),
                "springlength": rest,
            }
        else:
            values |= {"stiffness": _one(special["rod_stiffness"]), "damping": _one(special["rod_damping"])}
        spatial = _add(tendons, "spatial", values)
        for k in (0, 1):
            _add(spatial, "site", site=f"end_{line.id}_{k}")


def _mjcf_joins(model: Element, machine: RobotMachine) -> None:
    if machine.joined:
        equality = _add(model, "equality")
        for a, b in machine.joined:
            _add(equality, "weld", body1=machine.links[a].name, body2=machine.links[b].name)


def _mjcf_motors(model: Element, machine: RobotMachine) -> None:
    powered = [link for link in machine.links.values() if link.joint.motor is not None]
    actuators = _add(model, "actuator") if powered else None
    for link in powered:
        motor = link.joint.motor
        assert actuators is not None
        assert motor is not None
        values = {
            "name": f"motor_{link.entry.id}",
            "joint": f"joint_{link.entry.id}",
            "forcerange": _text((-motor.max_torque, motor.max_torque)),
        }
        if motor.mode == "velocity":
            fastest = abs(motor.speed)
            sign = (-1 if link.is_flipped else 1) * (-1 if motor.speed < 0 else 1)
            values |= {"kv": _one(_MOTOR_GAIN), "gear": _one(sign), "ctrlrange": _text((-fastest, fastest))}
            _add(actuators, "velocity", values)
        else:
            values |= {
                "kp": _one(_HOLDING_STIFFNESS),
                "kv": _one(_HOLDING_DAMPING),
                "ctrlrange": _text(link.limits or (-3.2, 3.2)),
            }
            _add(actuators, "position", values)


# Writing -------------------------------------------------------------------------------------------------------------


def _written(root: Element, notes: Sequence[str]) -> bytes:
    ElementTree.indent(root)
    if notes:
        root.insert(0, ElementTree.Comment(" " + ". ".join(notes) + ". "))
    data: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return data + b"\n"


def _rotation_of(facing: str) -> Floats:
    return np.asarray(matrices(np.array([swapped_rotation(quaternions()[facing])]))[0].round(9) + 0.0)  # type: ignore[index]


def _quaternion(rotation: Floats) -> Vector | tuple[float, float, float, float]:
    """A rotation as w, x, y, z."""
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(rotation).as_quat()
    return float(w), float(x), float(y), float(z)


def _rpy(rotation: Floats) -> Sequence[float]:
    """Roll, pitch and yaw of a rotation, about fixed axes."""
    if abs(rotation[2, 0]) > 1 - 1e-9:
        sign = math.copysign(1.0, -rotation[2, 0])
        return math.atan2(sign * rotation[0, 1], rotation[1, 1]), sign * math.pi / 2, 0.0
    roll = math.atan2(rotation[2, 1], rotation[2, 2])
    return roll, math.asin(-rotation[2, 0]), math.atan2(rotation[1, 0], rotation[0, 0])


def _wxyz(rotation: Sequence[float]) -> Sequence[float]:
    x, y, z, w = rotation
    return w, x, y, z


def _rgba(color: str) -> str:
    red, green, blue = (int(color[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return _text((red, green, blue, 1.0))


def _one(value: float) -> str:
    return _text([value])


def _text(values: Sequence[float] | Floats) -> str:
    return " ".join(f"{round(float(value), 9) + 0.0:.9g}" for value in values)
