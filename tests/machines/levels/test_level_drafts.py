"""Levels while they are made: new ones can be built on, and things are moved, turned, copied and removed."""

import json
from typing import get_args

import pytest

from spatial_workbench.engine.machines.levels import level_drafts as drafts
from spatial_workbench.engine.machines.levels.level import MachineTask
from spatial_workbench.engine.machines.levels.level_files import examine_level, read_level_file


@pytest.fixture
def draft():
    made = drafts.new_draft()
    for kind in ("box", "wall", "ring"):
        made, _ = drafts.added_thing(made, kind)
    return made


@pytest.mark.parametrize("task", get_args(MachineTask))
def test_a_new_level_of_any_task_can_be_built_on(task):
    assert read_level_file(drafts.written(drafts.new_draft(task))).task == task


@pytest.mark.parametrize("kind", [*drafts.KINDS, "ball", "target"])
def test_ten_things_of_any_kind_can_be_added_and_stand_in_nobodys_way(kind):
    made = drafts.new_draft()
    for _ in range(10):
        made, place = drafts.added_thing(made, kind)
    assert place.endswith("[9]")
    assert examine_level(made).faults == ()


def test_a_level_of_another_task_gets_what_that_needs():
    made, _ = drafts.added_thing(drafts.new_draft("throw"), "target")
    for task in get_args(MachineTask):
        made = drafts.with_needs(made | {"task": task})
        assert examine_level(made).faults == ()


def test_things_move_along_x_and_z_and_only_boxes_and_rings_rise(draft):
    moved = drafts.moved_things(draft, drafts.places_of(draft), (1, 2, 3))
    box, wall, ring = moved["obstacles"]
    assert (box["at"], box["bottom"]) == ([1, 15], 2)
    assert (wall["start"], wall["end"]) == ([-4, 19], [6, 19])
    assert ring["center"] == [1, 7, 23]


def test_a_move_by_hand_ends_on_the_grid_along_the_ways_it_goes(draft):
    box = {"kind": "box", "at": [0.2, 12], "size": [1, 1, 1]}
    x, y, z = drafts.snapped(box, (1.0, 0.0, 0.0))
    assert (0.2 + x, y, z) == (pytest.approx(1.0), 0, 0)


def test_only_things_with_a_direction_turn(draft):
    turned = drafts.turned_things(draft, drafts.places_of(draft), -15)
    assert turned["obstacles"][0]["heading_deg"] == 345
    assert turned["obstacles"][1:] == draft["obstacles"][1:]


def test_copies_stand_beside_and_have_no_name_that_is_given_twice(draft):
    named = drafts.with_thing(draft, "obstacles[0]", draft["obstacles"][0] | {"name": "gate"})
    copied, places = drafts.copied_things(named, ["obstacles[0]", "obstacles[1]"])
    assert places == ("obstacles[3]", "obstacles[4]")
    assert copied["obstacles"][3]["at"] == [2, 12]
    assert examine_level(copied).faults == ()


def test_copies_of_balls_have_names_of_their_own():
    made, _ = drafts.added_thing(drafts.new_draft("delivery"), "ball")
    made, _ = drafts.copied_things(made, ["balls[0]"])
    assert [ball.get("name", "ball") for ball in made["balls"]] == ["ball", "ball 2", "ball 3"]


def test_removing_takes_only_what_is_named(draft):
    left = drafts.without_things(draft, ["obstacles[0]", "obstacles[2]"])
    assert [thing["kind"] for thing in left["obstacles"]] == ["wall"]


def test_a_file_has_one_line_for_each_list_of_numbers(draft):
    text = drafts.written(draft).decode()
    assert '"at": [0, 12],' in text
    assert json.loads(text) == draft


@pytest.mark.parametrize(
    ("contents", "can_be_shown"),
    [
        ([], False),
        ({"obstacles": "many"}, False),
        ({"obstacles": [{"kind": "tree"}]}, False),
        ({"goal": 3}, False),
        ({"wind_m_s": "strong", "obstacles": [{"kind": "box"}]}, True),
    ],
)
def test_what_is_wrong_only_in_its_values_can_be_shown_as_a_form(contents, can_be_shown):
    assert drafts.is_editable(contents) is can_be_shown


def test_things_without_a_proper_place_can_still_be_moved_turned_and_copied():
    broken = drafts.new_draft() | {"obstacles": [{"kind": "box", "at": "there", "size": None}]}
    for change in (
        drafts.moved_things(broken, ["obstacles[0]"], (1, 1, 1)),
        drafts.turned_things(broken, ["obstacles[0]"], 15),
        drafts.copied_things(broken, ["obstacles[0]"])[0],
    ):
        assert examine_level(change).faults
