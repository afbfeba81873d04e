"""Levels in files: what the documentation shows is a level, and every bad file is refused with the place."""

import json
import re
from pathlib import Path

import pytest

from spatial_workbench.engine.machines.levels.level import read_level, write_level
from spatial_workbench.engine.machines.levels.level_files import LevelFileError, level_hash, read_level_file

DOCUMENTED = re.search(
    r"\n\n((?:    .*\n)+)", Path("docs/machines.md").read_text("utf-8").partition("### Levels of your own")[2]
)[1]
CANYON = json.loads(DOCUMENTED)
PLAIN = {"format": "spatial-workbench-level", "version": 1, "task": "movement", "name": "Plain", "about": "Flat."}


def level(**more):
    return read_level_file(json.dumps(PLAIN | more).encode())


def refusal(**more):
    with pytest.raises(LevelFileError) as caught:
        level(**more)
    return str(caught.value)


def test_the_documented_level_is_one():
    canyon = read_level_file(DOCUMENTED.encode())
    assert (canyon.task, canyon.title, canyon.wind, canyon.has_plane) == ("throw", "Canyon", (3, 0, 0), False)
    assert canyon.parameters == ("speed", "strength")
    names = [thing.name for thing in canyon.obstacles]
    assert names[:3] == ["ground", "wall 1", "ramp 2"]
    assert len(names) == 3 + 16
    assert canyon.obstacles[0].friction == 0.6
    assert canyon.obstacles[2].friction == 0.3


def test_a_level_survives_being_written():
    canyon = read_level_file(DOCUMENTED.encode())
    assert read_level(json.loads(json.dumps(write_level(canyon)))) == canyon


def test_the_hash_is_that_of_what_a_file_says():
    again = json.dumps(dict(reversed(CANYON.items())), indent=3)
    assert level_hash(again.encode()) == level_hash(DOCUMENTED.encode())
    assert level_hash(json.dumps(CANYON | {"name": "Other"}).encode()) != level_hash(DOCUMENTED.encode())


@pytest.mark.parametrize(
    "thing",
    [
        {"kind": "box", "at": [0, 20], "size": [1, 2, 3], "bottom": 4, "heading_deg": 45},
        {"kind": "ramp", "at": [0, 20], "size": [1, 2, 3]},
        {"kind": "ridge", "at": [0, 20], "size": [1, 2, 3]},
        {"kind": "quarter_cylinder", "at": [0, 20], "size": [1, 2, 3]},
        {"kind": "quarter_pipe", "at": [0, 20], "size": [4, 4, 4], "on_side": True},
        {"kind": "wall", "start": [-5, 20], "end": [5, 20], "height": 3},
        {"kind": "rod", "at": [0, 20], "radius": 0.3, "length": 20},
        {"kind": "cone", "at": [0, 20], "radius": 0.5, "length": 1},
        {"kind": "rock", "at": [0, 20], "radius": 0.5, "seed": 4},
        {"kind": "ring", "center": [0, 8, 20], "radius": 3},
        {"kind": "sticky_ground", "at": [0, 20], "size": [5, 5]},
    ],
)
def test_every_kind_of_obstacle_can_be_described(thing):
    made = level(obstacles=[thing | {"friction": 0.5, "name": "it"}]).obstacles
    assert made
    assert {obstacle.friction for obstacle in made} == {0.5}
    assert all(obstacle.name.startswith("it") for obstacle in made)


def test_levels_of_delivery_and_pick_have_their_things():
    ball = {"at": [0, 15]}
    delivery = level(task="delivery", balls=[ball], goal={"at": [0, 40]})
    assert delivery.goal.high == (10, 5, 43)
    well = {"at": [0, 14], "side": 6, "depth": 3}
    pick = level(task="pick", balls=[{"at": [0, 14], "radius": 1}], ground={"well": well})
    assert pick.balls[0].center == (0, -2, 14)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"version": 2}, "version: Input should be 1"),
        ({"format": "other"}, "format: Input should be 'spatial-workbench-level'"),
        ({"task": "fly"}, "task: Input should be"),
        ({"wnd": 3}, "wnd: Extra inputs are not permitted"),
        ({"window_s": "5"}, "window_s: Input should be a valid number"),
        ({"window_s": 100}, "window_s: Input should be less than or equal to 60"),
        ({"obstacles": [{"kind": "tree", "at": [0, 20]}]}, "obstacles[0]: Input tag 'tree'"),
        ({"obstacles": [{"kind": "box", "at": [0, 20], "size": [1, 0, 1]}]}, "obstacles[0].size[1]: Input should be"),
        ({"obstacles": [{"kind": "box", "at": [0, 20]}]}, "obstacles[0].size: Field required"),
        (
            {"obstacles": [{"kind": "box", "at": [0, 3], "size": [1, 1, 1]}]},
            "obstacles[0]: “box 1” stands where machines",
        ),
        ({"obstacles": [{"kind": "wall", "start": [9, 9], "end": [9, 9], "height": 1}]}, "obstacles[0]: start and end"),
        ({"obstacles": [{"kind": "rock", "at": [k, 20], "radius": 1, "name": "a"} for k in (1, 2)]}, "given twice"),
        ({"obstacles": [{"kind": "rock", "at": [0, 20], "radius": 1}] * 501}, "obstacles: Tuple should have at most"),
        ({"types": [0, 99]}, "types: there is no block of type 99"),
        ({"parameters": ["fuel"]}, "parameters: there is no parameter “fuel”"),
        ({"targets": [{"kind": "zone", "center": [0, 0, 20], "radius": 3}]}, "targets: only levels of the task throw"),
        ({"task": "delivery"}, "balls: a level of the task delivery needs one"),
        ({"task": "delivery", "balls": [{"at": [0, 15]}]}, "goal: a level of the task delivery needs one"),
        ({"task": "pick", "balls": [{"at": [0, 15]}]}, "ground.well: a level of the task pick needs one"),
        ({"wind_m_s": [1, 2]}, "wind_m_s: a list of three numbers"),
        ({"size_limits": [20, 9, 9]}, "size_limits: at most 17, 9.5, 17"),
        ({"path": [[0, 0]]}, "path: a path has two points or more"),
        ({"par": 0}, "par: Input should be greater than 0"),
    ],
)
def test_a_bad_file_is_refused_with_the_place(more, words):
    assert words in refusal(**more)


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[1]", b"\xff\xfe", b'{"a": NaN}', b"[" * 100_000, b'{"a": 1e999}', b" " * 1_000_001]
)
def test_what_is_no_level_is_refused(data):
    with pytest.raises(LevelFileError):
        read_level_file(data)
