"""Poses, joins and the rules of space."""

import numpy as np
import pytest

from spatial_workbench.engine.machines.building.joining import Join, joins_of, locked_by
from spatial_workbench.engine.machines.building.poses import boxes_of, centers_of, poses_of
from spatial_workbench.engine.machines.building.spatial import (
    MOST_OVERLAPS,
    extent_of,
    overlaps_with,
    placed_poses,
    spatial_faults,
)
from spatial_workbench.engine.machines.building.tree import read_tree
from tests.machines.building.test_tree import EXAMPLES, ROOT, block, link
from tools.machine_builder import MachineBuilder


def tree_of(*rows):
    return read_tree([ROOT, *rows]).tree


def example(name):
    return read_tree(EXAMPLES[name]["tree"]).tree


@pytest.mark.parametrize("name", EXAMPLES)
def test_blocks_of_the_examples_stand_where_the_data_says(name):
    tree = example(name)
    poses = poses_of(tree)
    for row in EXAMPLES[name]["layout"]:
        pose = poses[row["id"]]
        if pose is not None:
            assert pose.position == pytest.approx(row["position"], abs=1e-9)
            assert pose.facing == row["facing"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_are_valid_and_as_large_as_the_data_says(name):
    tree = example(name)
    assert spatial_faults(tree) == []
    assert extent_of(*boxes_of(tree, poses_of(tree))) == pytest.approx(EXAMPLES[name]["extent_xyz"], abs=1e-9)


def test_the_published_centres_are_met():
    tree = example("published_layered_catapult")
    centers = centers_of(tree, poses_of(tree))
    for block_id, center in EXAMPLES["published_layered_catapult"]["published_centres"].items():
        assert centers[int(block_id)] == pytest.approx(center, abs=0.06)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_join_as_the_data_says(name):
    tree = example(name)
    assert len(joins_of(tree, poses_of(tree))) == len(EXAMPLES[name]["auto_joins"])


def test_blocks_that_touch_are_legal_and_blocks_that_interpenetrate_are_not():
    assert spatial_faults(tree_of(block(15, 1, 0, 0), block(15, 2, 1, 0))) == []
    (fault,) = spatial_faults(tree_of(block(15, 1, 0, 3), block(1, 2, 0, 0), block(1, 3, 2, 3), block(1, 4, 3, 3)))
    assert (fault.code, fault.entry) == ("OVERLAP", 4)


def test_what_sits_in_a_container_is_exempt_and_what_is_beside_it_is_not():
    bowl = (block(15, 1, 0, 4), block(30, 2, 1, 0))
    assert spatial_faults(tree_of(*bowl, block(36, 3, 2, 0))) == []
    (fault,) = spatial_faults(tree_of(*bowl, block(1, 3, 0, 0), block(63, 4, 3, 5)))
    assert (fault.code, fault.sentence) == ("OVERLAP", "Blocks 2, Container, and 4, Log, overlap")


def test_a_face_that_carries_two_blocks_is_named():
    faults = spatial_faults(tree_of(block(15, 1, 0, 0), block(15, 2, 0, 0)))
    assert [fault.code for fault in faults] == ["FACE_OCCUPIED", "OVERLAP"]
    assert faults[0].sentence == "Face 0 of block 0 carries 1 and 2; it takes one"


def test_linear_blocks_use_no_face_and_enlarge_nothing():
    tree = tree_of(block(15, 1, 0, 0), link(9, 2, 0, 0, 1, 0), link(7, 3, 0, 0, 1, 0))
    assert spatial_faults(tree) == []
    assert extent_of(*boxes_of(tree, poses_of(tree))) == pytest.approx([1, 1, 2])


def test_a_machine_may_be_as_large_as_the_limit_and_no_larger():
    beam = [block(63, k, k - 1, 0) for k in range(1, 6)]
    assert extent_of(*boxes_of(tree_of(*beam), poses_of(tree_of(*beam)))) == pytest.approx([1, 1, 16])
    longest = tree_of(*beam, block(15, 6, 5, 0))
    assert spatial_faults(longest) == []
    (fault,) = spatial_faults(tree_of(*beam, block(1, 6, 5, 0)))
    assert (fault.code, fault.sentence) == ("SIZE", "The machine is 18 m long along z; at most 17 m")


def test_a_level_may_allow_less():
    assert spatial_faults(tree_of(block(63, 1, 0, 4)), (17, 4, 17)) == []
    (fault,) = spatial_faults(tree_of(block(63, 1, 0, 4)), (17, 3.5, 17))
    assert fault.sentence == "The machine is 4 m long along y; at most 3.5 m"


# Two arms, one from the top of the starting block and one from below, whose ends meet in front of it.
ARMS = (block(15, 1, 0, 4), block(15, 2, 1, 4), block(15, 3, 2, 4), block(15, 4, 0, 5), block(15, 5, 4, 3))


def test_an_end_that_meets_a_vacant_face_is_joined():
    tree = tree_of(*ARMS)
    assert joins_of(tree, poses_of(tree)) == [Join(3, 5, 3)]


def test_a_face_that_carries_a_block_is_not_joined():
    tree = tree_of(*ARMS, block(15, 6, 5, 3))
    assert Join(3, 5, 3) not in joins_of(tree, poses_of(tree))


def test_a_join_that_bridges_a_swivel_names_it():
    mast = (block(63, 1, 0, 4), block(22, 2, 1, 0), block(1, 3, 2, 0))
    assert locked_by(tree_of(*mast), Join(3, 0, 3)) == [2]
    assert locked_by(tree_of(*mast), Join(1, 0, 3)) == []


def test_an_edit_asks_for_one_block_what_the_check_asks_for_all():
    tree = tree_of(block(15, 1, 0, 0), block(15, 2, 0, 0), block(15, 3, 2, 0))
    low, high = boxes_of(tree, poses_of(tree))
    assert overlaps_with(tree, low, high, 2) == [1]
    assert overlaps_with(tree, low, high, 3) == []


def test_a_machine_is_placed_in_the_middle_and_on_the_ground():
    tree = example("rotating_block_catapult")
    low, high = (corners + placed_poses(tree, poses_of(tree)) for corners in boxes_of(tree, poses_of(tree)))
    assert np.nanmin(low, axis=0)[1] == pytest.approx(-0.02)
    assert (np.nanmin(low, axis=0) + np.nanmax(high, axis=0))[[0, 2]] == pytest.approx([0, 0])


@pytest.mark.parametrize(
    ("kind", "face", "lift"), [(15, "y-", 1.48), (86, "y-", 1.5), (2, "x+", 1.0), (41, "z+", 0.48)]
)
def test_what_collides_rests_on_the_ground(kind, face, lift):
    builder = MachineBuilder()
    builder.add(kind, 0, face)
    assert placed_poses(builder.tree, poses_of(builder.tree))[1] == pytest.approx(lift)


def test_of_a_heap_of_blocks_in_one_place_some_overlaps_are_told():
    faults = spatial_faults(tree_of(*(block(35, k, 0, 0) for k in range(1, 200))))
    assert len([fault for fault in faults if fault.code == "OVERLAP"]) == MOST_OVERLAPS
    assert faults[0].sentence.endswith("9, 10 and 189 more; it takes one")
