"""Machines as robots: MuJoCo loads what is written, everything stands where it does here, and motors push forward."""

import re

import mujoco
import numpy as np
import pytest

from spatial_workbench.engine.core.registry import resolve
from spatial_workbench.engine.exchange import format_of, formats_of, left_out, write_answer
from spatial_workbench.engine.machines.building.poses import kind_of
from spatial_workbench.engine.machines.building.tree import MachineBlock, read_tree
from spatial_workbench.engine.machines.levels.references import references
from spatial_workbench.engine.tasks.machine import MachineAnswer
from spatial_workbench.engine.tasks.machine.robot_files import RobotMachine
from tests.sweeps import some

TASKS = {"M": "machine_movement", "T": "machine_throw", "D": "machine_delivery", "P": "machine_pick"}
ADDRESSES = {
    instance.parameters["level"]: instance.address
    for name in TASKS.values()
    for instance in resolve(f"{name}:0")[0].instances()
}
ROOT = {"type": 0, "id": 0, "parent": -1, "face_id": -1}


def loaded(suffix, tree, level="M1"):
    task, instance = resolve(ADDRESSES[level])
    data = write_answer(task, instance, MachineAnswer.of(tree), suffix)
    return mujoco.MjModel.from_xml_string(data.decode())


def settled(model):
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return data


def chain(*kinds):
    rows = [{"type": kind, "id": k, "parent": k - 1, "face_id": 0} for k, kind in enumerate(kinds, 1)]
    return read_tree([ROOT, *rows]).tree


@pytest.mark.parametrize("level", some(sorted(references()), 6))
def test_mujoco_loads_every_reference_machine_in_its_level(level):
    tree = references()[level].tree
    model = loaded("mjcf.xml", tree, level)
    data = settled(model)
    for link in RobotMachine(tree).links.values():
        assert data.body(link.name).xpos == pytest.approx(link.position, abs=1e-5)
        assert data.body(link.name).xmat.reshape(3, 3) == pytest.approx(link.rotation, abs=1e-5)
        assert model.body(link.name).mass[0] == pytest.approx(link.kind.mass)


@pytest.mark.parametrize("level", some(sorted(references()), 6))
def test_mujoco_loads_every_reference_machine_as_urdf(level):
    tree = references()[level].tree
    model = loaded("urdf", tree, level)
    data = settled(model)
    links = RobotMachine(tree).links
    found = {model.body(k).name for k in range(model.nbody)}
    # Links that are fixed to another one are merged with it, and a ball joint is three hinges with two links between.
    hung = [link for link in links.values() if link.joint.moves and not link.is_free]
    between = {f"{link.name}_{axis}" for link in hung if link.joint.kind == "spherical" for axis in "xy"}
    assert found - {"world"} == between | {link.name for link in hung}
    for link in links.values():
        if link.name in found:
            place = link.position + link.rotation @ link.pivot - links[0].position
            assert data.body(link.name).xpos == pytest.approx(place, abs=1e-5)
            assert data.body(link.name).xmat.reshape(3, 3) == pytest.approx(link.rotation, abs=1e-5)


def test_the_masses_of_a_robot_are_those_of_the_machine():
    tree = references()["T2"].tree
    mass = sum(kind_of(entry).mass for entry in tree if isinstance(entry, MachineBlock))
    assert loaded("mjcf.xml", tree, "T2").body_mass.sum() == pytest.approx(mass)


@pytest.mark.parametrize("kind", [28, 13, 2, 46, 19, 5, 44, 76, 22, 16])
def test_every_joint_has_its_counterpart(kind):
    tree = chain(kind, 15) if kind not in (2,) else chain(kind)
    model = loaded("mjcf.xml", tree)
    joint = model.joint("joint_1")
    types = {44: mujoco.mjtJoint.mjJNT_BALL, 76: mujoco.mjtJoint.mjJNT_BALL, 16: mujoco.mjtJoint.mjJNT_SLIDE}
    assert joint.type[0] == types.get(kind, mujoco.mjtJoint.mjJNT_HINGE)
    limits = kind_of(tree[1]).joint.limits
    if limits is not None:
        expected = limits if kind == 16 else np.radians(limits)
        assert joint.range == pytest.approx(expected, abs=1e-6)
    urdf = loaded("urdf", tree)
    assert urdf.njnt == (3 if kind in (44, 76) else 1)


def test_a_positive_control_drives_a_car_forward():
    model = loaded("mjcf.xml", references()["M1"].tree)
    data = settled(model)
    data.ctrl[:] = 5.0
    begin = data.body("block_0_starting_block").xpos.copy()
    for _ in range(1500):
        mujoco.mj_step(model, data)
    end = data.body("block_0_starting_block").xpos
    assert end[1] - begin[1] > 5
    assert abs(end[0] - begin[0]) < 2


def test_parameters_count_only_where_the_level_lets_them():
    rows = [ROOT, {"type": 2, "id": 1, "parent": 0, "face_id": 3, "parameters": {"speed": 2}}]
    model = loaded("mjcf.xml", read_tree(rows).tree)
    assert model.actuator("motor_1").ctrlrange == pytest.approx((-10, 10))


def test_robots_are_written_and_not_read():
    task, _ = resolve("machine_throw:1")
    assert format_of(task, "a.mjcf.xml", reading=False) == "mjcf.xml"
    assert format_of(task, "a.urdf", reading=False) == "urdf"
    assert not {"urdf", "mjcf.xml"} & set(formats_of(task, reading=True))


def test_what_a_robot_cannot_hold_is_named():
    task, instance = resolve("machine_throw:1")
    spring = MachineAnswer.of(references()["T2"].tree)
    rows = [*chain(44, 15, 16)]
    notes = left_out(task, instance, MachineAnswer.of(rows), "urdf")
    assert notes == ["URDF has no ball joints: block 1 hangs on three hinges"]
    assert "Connections do not break" in left_out(task, instance, spring, "mjcf.xml")
    assert not left_out(task, instance, spring, "tree.json")
    data = write_answer(task, instance, MachineAnswer.of(rows), "urdf").decode()
    assert re.search("<!-- URDF has no ball joints: block 1", data)
