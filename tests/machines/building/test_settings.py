"""Settings of single blocks: parameters in their ranges, and what is ignored with a sentence."""

import pytest

from spatial_workbench.engine.machines.building.blocks import block_types
from spatial_workbench.engine.machines.building.poses import kind_of
from spatial_workbench.engine.machines.building.positions import read_positions, write_positions
from spatial_workbench.engine.machines.building.settings import BlockSettings, fault_in
from spatial_workbench.engine.machines.building.tree import read_tree, without_settings, write_tree
from spatial_workbench.engine.machines.levels.references import references

ROOT = {"type": 0, "id": 0, "parent": -1, "face_id": -1}


def machine(kind, **more):
    return [ROOT, {"type": kind, "id": 1, "parent": 0, "face_id": 0} | more]


def only(kind, **parameters):
    reading = read_tree(machine(kind, parameters=parameters))
    return reading.tree[1], [fault.sentence for fault in reading.warnings]


def test_a_machine_without_settings_is_written_as_ever():
    tree = references()["T2"].tree
    assert all(set(row) <= {"type", "id", "parent", "face_id", "parent_a", "face_id_a", "parent_b", "face_id_b"}
               for row in write_tree(tree))  # fmt: skip


def test_parameters_are_read_and_written():
    rows = machine(2, parameters={"speed": 2.0, "reversed": True, "key": "W"})
    tree = read_tree(rows).tree
    assert write_tree(tree) == rows
    assert read_positions(write_positions(tree)).tree == tree
    assert write_tree(without_settings(tree)) == machine(2)


def test_usual_values_are_no_settings():
    assert only(2, speed=1, reversed=False)[0].settings is None
    assert only(35, mass=3)[0].settings is None


@pytest.mark.parametrize(
    ("kind", "parameters", "words"),
    [
        (2, {"speed": 5}, "“speed” has to be a number from 0 to 4"),
        (2, {"speed": True}, "“speed” has to be a number"),
        (2, {"speed": "2"}, "“speed” has to be a number"),
        (2, {"reversed": 1}, "“reversed” has to be true or false"),
        (2, {"key": "left mouse"}, "“key” has to be the name of a key"),
        (2, {"mass": 2}, "“mass” is no parameter of this block; it has speed, reversed, key, key_back"),
        (1, {"speed": 2}, "“speed” is no parameter of this block"),
    ],
)
def test_what_a_parameter_cannot_be_is_ignored_with_a_sentence(kind, parameters, words):
    entry, warnings = only(kind, **parameters)
    assert entry.settings is None
    assert len(warnings) == 1
    assert words in warnings[0]


@pytest.mark.parametrize("value", [3, "fast", [1], None])
def test_parameters_that_are_no_object_are_ignored(value):
    reading = read_tree(machine(2, parameters=value))
    assert reading.tree[1].settings is None
    assert "“parameters” has to be an object" in reading.warnings[0].sentence


@pytest.mark.parametrize("kept", [3, [["Single", "a"]], [["Single", "a", 1]], [["<x", "a", "1"]], [["A", "a", "\0"]]])
def test_kept_entries_that_no_file_can_have_are_ignored(kept):
    reading = read_tree(machine(2, kept=kept))
    assert reading.tree[1].settings is None
    assert "“kept”" in reading.warnings[0].sentence


def test_a_type_is_as_its_parameters_make_it():
    assert kind_of(only(35, mass=5)[0]).mass == 5
    assert kind_of(only(2, speed=2)[0]).joint.motor.speed == 2 * block_types()[2].joint.motor.speed
    assert (
        kind_of(only(22, speed=0.5, reversed=True)[0]).joint.motor.speed == -0.5 * block_types()[22].joint.motor.speed
    )
    assert kind_of(only(16, strength=2)[0]).joint.stiffness == 2 * block_types()[16].joint.stiffness
    assert kind_of(only(2, key="W")[0]) == block_types()[2]


def test_settings_without_a_difference_are_none():
    assert BlockSettings.of({"speed": 1.0}) is None
    assert BlockSettings.of({}, ()) == BlockSettings((), ())
    assert fault_in(9, "strength", 0.1) == ""
