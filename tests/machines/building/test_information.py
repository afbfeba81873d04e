"""The 3D information of machines."""

from spatial_workbench.engine.machines.building.information import information_of
from tests.machines.building.test_space import ARMS, example, tree_of
from tests.machines.building.test_tree import block, link


def test_a_block_tells_its_parent_its_children_and_its_place():
    beam = information_of(example("four_wheel_car"))[1]
    assert (beam["n"], beam["tid"], beam["id"]) == ("Wooden Block", 1, 1)
    assert beam["rel"]["parent"] == {"id": 0, "bpid": 0, "relOrient": "Front"}
    assert [child["id"] for child in beam["rel"]["children"]] == [3, 4]
    assert beam["abs"] == {"center": [0.0, 0.0, 1.5], "buildPt": [0.0, 0.0, 0.5], "orient": "z+", "rot": [0, 0, 0]}


def test_powered_wheels_tell_where_they_push():
    wheels = [row for row in information_of(example("four_wheel_car")) if row["tid"] == 2]
    assert {row["Special Attributes"]["Push Direction"] for row in wheels} == {"z+"}
    assert information_of(tree_of(block(2, 1, 0, 0)))[1]["Special Attributes"]["Push Direction"] == "x-"
    assert information_of(tree_of(block(2, 1, 0, 4)))[1]["Special Attributes"]["Push Direction"] == "none"


def test_heights_count_from_the_lowest_centre_and_the_ground_is_the_lowest_point():
    rows = information_of(tree_of(block(63, 1, 0, 5), block(15, 2, 0, 4)))
    assert [row["abs"]["center"][1] for row in rows] == [2.0, 0.0, 3.0]
    assert [row["onGround"] for row in rows] == [False, True, False]


def test_wheels_that_carry_the_machine_are_on_the_ground():
    rows = information_of(example("four_wheel_car"))
    assert [row["id"] for row in rows if row["onGround"]] == [3, 4, 5, 6]


def test_a_spring_tells_its_ends_and_both_directions_in_which_it_pulls():
    spring = information_of(tree_of(block(15, 1, 0, 0), link(9, 2, 0, 4, 1, 0)))[2]
    assert spring["rel"] == {"parent_a": {"id": 0, "bpid": 4}, "parent_b": {"id": 1, "bpid": 0}}
    assert spring["abs"]["ends"] == [[0.0, 0.5, 0.0], [0.0, 0.0, 1.5]]
    there, back = spring["Special Attributes"]["Pull Directions"]
    assert there == [-value + 0.0 for value in back]


def test_blocks_that_are_joined_name_each_other():
    rows = information_of(tree_of(*ARMS))
    assert (rows[3]["joined"], rows[5]["joined"], rows[1]["joined"]) == ([5], [3], [])
