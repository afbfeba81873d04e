"""Machines as global positions."""

import math

import pytest

from spatial_workbench.engine.machines.building.poses import poses_of
from spatial_workbench.engine.machines.building.positions import read_positions, write_positions
from spatial_workbench.engine.machines.building.tree import Link, read_tree
from tests.machines.building.test_tree import EXAMPLES, ROOT, block, link

HALF = math.sqrt(0.5)


def standing(tree):
    """What stands where, whatever the ids."""
    poses = poses_of(tree)
    blocks = {(entry.type, pose.position, pose.facing) for entry, pose in zip(tree, poses, strict=True) if pose}
    return blocks, sum(isinstance(entry, Link) for entry in tree)


@pytest.mark.parametrize("machine", EXAMPLES.values(), ids=EXAMPLES)
def test_the_examples_come_back_from_their_positions(machine):
    tree = read_tree(machine["tree"]).tree
    reading = read_positions(write_positions(tree))
    assert not reading.faults
    assert standing(reading.tree) == standing(tree)


@pytest.mark.parametrize("machine", EXAMPLES.values(), ids=EXAMPLES)
def test_the_positions_of_the_examples_are_those_of_the_data(machine):
    for row, wanted in zip(write_positions(read_tree(machine["tree"]).tree), machine["global_position"], strict=True):
        assert row["type"] == wanted["type"]
        assert row["Position"] == pytest.approx(wanted["Position"], abs=1e-6)
        assert row["Rotation"] == pytest.approx(wanted["Rotation"], abs=1e-6)


def test_a_machine_that_was_turned_and_moved_as_a_whole_is_the_same():
    tree = read_tree(EXAMPLES["four_wheel_car"]["tree"]).tree
    turned = [
        {
            "type": row["type"],
            "Position": [row["Position"][2] + 3, row["Position"][1] + 5.05, -row["Position"][0]],
            "Rotation": _quarter_turn(row["Rotation"]),
        }
        for row in write_positions(tree)
    ]
    reading = read_positions([{"GP": [0, 5.05, 0], "GR": [0, 0, 0, 1]}, *turned])
    blocks, _ = standing(reading.tree)
    wanted, _ = standing(tree)
    assert {(kind, facing) for kind, _, facing in blocks} == {(kind, facing) for kind, _, facing in wanted}


def _quarter_turn(rotation):
    """About y, z turning to x, before a rotation."""
    x, y, z, w = rotation
    return [HALF * (x + z), HALF * (y + w), HALF * (z - x), HALF * (w - y)]


def test_a_spring_may_be_given_by_a_rotated_end():
    rows = write_positions(read_tree([ROOT, block(15, 1, 0, 4), link(9, 2, 0, 0, 1, 0)]).tree)
    x, y, z = rows[2]["end-position"]
    rows[2] |= {"Rotation": [0, 0, 1, 0], "end-position": [-x, -y, z]}
    spring = read_positions(rows).tree[2]
    assert (spring.parent_a, spring.face_a, spring.parent_b, spring.face_b) == (0, 0, 1, 0)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"Position": [0, 0, 9]}, "BAD_PARENT"),
        ({"Rotation": [0, HALF, 0, HALF]}, "BAD_PARENT"),
        ({"Position": [0, 0, float("nan")]}, "BAD_NUMBER"),
        ({"Position": [0, 0, 10**400]}, "BAD_NUMBER"),
        ({"Rotation": [0, 0, 0, 0]}, "BAD_NUMBER"),
        ({"type": 99}, "UNKNOWN_TYPE"),
        ({"type": 0}, "SECOND_ROOT"),
    ],
)
def test_a_listing_that_is_no_machine_is_named(change, code):
    rows = write_positions(read_tree([ROOT, block(15, 1, 0, 0)]).tree)
    reading = read_positions([rows[0], rows[1] | change])
    assert reading.tree is None
    assert [fault.code for fault in reading.faults] == [code]


def test_a_key_that_is_missing_is_named():
    rows = write_positions(read_tree([ROOT, block(15, 1, 0, 0)]).tree)
    del rows[1]["Rotation"]
    assert [fault.code for fault in read_positions(rows).faults] == ["BAD_KEYS"]


def test_an_unknown_key_is_a_warning():
    rows = write_positions(read_tree([ROOT, block(15, 1, 0, 0)]).tree)
    reading = read_positions([rows[0], rows[1] | {"name": "beam"}])
    assert reading.tree is not None
    assert "“name” is not known and was ignored" in reading.warnings[0].sentence


def test_a_listing_of_two_thousand_blocks_is_read():
    rows = [ROOT, *(block(15, k, k - 1, 0) for k in range(1, 2000))]
    listing = write_positions(read_tree(rows).tree)
    assert standing(read_positions(listing).tree) == standing(read_tree(rows).tree)
    listing[1]["Position"] = [50, 0, 0]
    assert len(read_positions(listing).faults) == 1999
