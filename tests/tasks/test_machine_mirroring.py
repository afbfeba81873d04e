"""Copies, arrays and mirror images keep the parameters of blocks; motors are reversed where a mirror image needs it."""

import json

import numpy as np
import pytest

from spatial_workbench.engine.machines.building.edits import Add
from spatial_workbench.engine.machines.building.poses import faces_of, poses_of
from spatial_workbench.engine.machines.building.settings import BlockSettings
from spatial_workbench.engine.machines.building.tree import MachineBlock
from spatial_workbench.engine.machines.levels.catalogue import level_of
from spatial_workbench.engine.machines.levels.level_files import read_level_file
from spatial_workbench.engine.physics.machine_results import simulated
from spatial_workbench.engine.tasks.machine.building import arrayed, copied, pasted
from spatial_workbench.engine.tasks.machine.editing import MachineAssembly
from spatial_workbench.engine.tasks.machine.mirroring import added_on_both_sides, mirrored, words_of_turning
from tests.machines.levels.test_level_files import PLAIN

OPEN = read_level_file(json.dumps(PLAIN).encode())
PUBLISHED = level_of("M1")
WHEEL, ROTATING, LOG, HINGE, SPRING = 2, 22, 63, 28, 9
ROOT = MachineBlock(0, 0, -1, -1)
KEYS = {"key": "W", "key_back": "S"}


def face_towards(tree, block, facing, nth=0):
    faces = faces_of(tree, poses_of(tree))
    return [face.face for face in faces if face.block == block and face.facing == facing][nth]


def machine(kind, facing, **parameters):
    """A log ahead of the starting block, and a block of a kind on its side that looks to that side."""
    tree = (ROOT, MachineBlock(LOG, 1, 0, face_towards((ROOT,), 0, "z+")))
    settings = BlockSettings.of(parameters)
    return MachineAssembly((*tree, MachineBlock(kind, 2, 1, face_towards(tree, 1, facing), settings)))


def values(entry):
    return entry.settings.values() if entry.settings is not None else {}


def test_a_copy_keeps_parameters_and_keys():
    assembly = machine(WHEEL, "x+", speed=2.0, **KEYS)
    built = copied(assembly, 2, (1, face_towards(assembly.tree, 1, "x-")), OPEN)
    assert values(built.tree[3]) == {"speed": 2.0, **KEYS}


def test_an_array_keeps_parameters_and_keys():
    built = arrayed(machine(HINGE, "x+", **KEYS), 2, OPEN)
    assert built.new
    assert all(values(built.tree[k]) == KEYS for k in built.new)


def test_what_is_pasted_from_another_machine_keeps_parameters_and_keys():
    source = machine(WHEEL, "x+", speed=0.5, **KEYS)
    built = pasted(MachineAssembly((ROOT,)), source, [2], [0], OPEN)
    assert values(built.tree[1]) == {"speed": 0.5, **KEYS}


def test_what_hangs_on_a_copy_keeps_its_parameters_too():
    assembly = machine(LOG, "x+")
    tree = (*assembly.tree, MachineBlock(WHEEL, 3, 2, 0, BlockSettings.of({"speed": 3.0})))
    built = mirrored(MachineAssembly(tree), [2], OPEN)
    assert [values(entry) for entry in built.tree[4:]] == [{}, {"speed": 3.0}]


@pytest.mark.parametrize("level", [OPEN, PUBLISHED])
def test_a_mirrored_wheel_at_the_side_pushes_the_same_way_as_it_is(level):
    built = mirrored(machine(WHEEL, "x+", speed=2.0, reversed=True, **KEYS), [2], level)
    assert values(built.tree[3]) == {"speed": 2.0, "reversed": True, **KEYS}


def test_a_mirrored_rotating_block_is_reversed_where_that_counts():
    assembly = machine(ROTATING, "x+", speed=2.0, **KEYS)
    assert values(mirrored(assembly, [2], OPEN).tree[3]) == {"speed": 2.0, "reversed": True, **KEYS}
    assert values(mirrored(assembly, [2], PUBLISHED).tree[3]) == {"speed": 2.0, **KEYS}
    back = machine(ROTATING, "x+", reversed=True)
    assert values(mirrored(back, [2], OPEN).tree[3]) == {}


def test_the_notice_about_turning_is_given_only_where_motors_cannot_be_reversed():
    assembly = machine(ROTATING, "x+")
    assert "turns the opposite way" in words_of_turning(assembly, 2, PUBLISHED)
    assert words_of_turning(assembly, 2, OPEN) == ""


def test_building_on_both_sides_reverses_the_other_rotating_block():
    built = added_on_both_sides(MachineAssembly((ROOT,)), Add(ROTATING, 0, face_towards((ROOT,), 0, "x+")), OPEN)
    assert [values(entry) for entry in built.tree[1:]] == [{}, {"reversed": True}]


@pytest.mark.parametrize("facing", ["x+", "y+"])
def test_the_two_sides_of_a_machine_move_as_mirror_images(facing):
    tree = (ROOT, MachineBlock(LOG, 1, 0, face_towards((ROOT,), 0, "x+")))
    tree = (*tree, MachineBlock(ROTATING, 2, 1, face_towards(tree, 1, facing, -1)))
    tree = (*tree, MachineBlock(LOG, 3, 2, face_towards(tree, 2, "y+" if facing == "x+" else "z+")))
    whole = mirrored(MachineAssembly(tree), [1], OPEN).tree
    other = next(entry.id for entry in whole[4:] if entry.type == LOG and whole[entry.parent].type == ROTATING)
    trace = simulated(whole, OPEN)
    started = int(np.searchsorted(trace.times, 0.0))
    moments = slice(started, started + 6)
    here, there = trace.positions[moments, 3], trace.positions[moments, other]
    assert np.abs(here[-1] - here[0]).max() > 0.2
    assert here * (-1, 1, 1) == pytest.approx(there, abs=0.05)
