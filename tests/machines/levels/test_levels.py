"""Levels: what the tables of docs/machines.md say, and the generated ones."""

import dataclasses
from collections import Counter

import numpy as np
import pytest

from spatial_workbench.engine.machines.levels.catalogue import in_the_way, level_of, levels
from spatial_workbench.engine.machines.levels.level import SIZE_LIMITS, policy_at
from spatial_workbench.engine.machines.levels.random_levels import (
    DeliveryDifficulty,
    MovementDifficulty,
    PickDifficulty,
    ThrowDifficulty,
    random_level,
)
from spatial_workbench.engine.machines.levels.scenery import bounds_of

DELIVERY = [f"D{k}" for k in range(1, 10)]
DIFFICULTIES = {
    "movement": MovementDifficulty(stones=400, largest_scale=3, cone_groups=60),
    "throw": ThrowDifficulty(widest_m=20, farthest_target_m=60),
    "delivery": DeliveryDifficulty(farthest_ball_m=12, obstacles=10),
    "pick": PickDifficulty(),
}


def bounds(level_id, word):
    """The lowest and the highest corner of the obstacles whose names begin with a word."""
    parts = [bounds_of(thing) for thing in level_of(level_id).obstacles if thing.name.startswith(word)]
    return np.min([low for low, _ in parts], axis=0), np.max([high for _, high in parts], axis=0)


def test_the_levels_stand_in_the_order_of_the_tasks():
    assert list(levels()) == [
        *(f"M{k}" for k in range(1, 9)),
        *(f"T{k}" for k in range(1, 14)),
        *("T8n", "T9n", "T11n"),
        *DELIVERY,
        *(f"{level_id}-15" for level_id in DELIVERY),
        *("D6o", "D7o", "D6o-15", "D7o-15"),
        *("P1", "P2"),
    ]
    assert all(level.id == level_id for level_id, level in levels().items())


@pytest.mark.parametrize("level_id", levels())
def test_nothing_stands_where_the_largest_machine_is_placed(level_id):
    assert in_the_way(level_of(level_id)) == ()


@pytest.mark.parametrize("level_id", levels())
def test_names_of_obstacles_are_given_once(level_id):
    names = Counter(thing.name for thing in level_of(level_id).obstacles)
    assert set(names.values()) <= {1}


@pytest.mark.parametrize("level_id", levels())
def test_every_vertex_of_a_hull_is_given_once(level_id):
    for thing in level_of(level_id).obstacles:
        assert len(set(thing.vertices)) == len(thing.vertices)


def test_what_stands_in_the_machine_s_place_is_named():
    level = dataclasses.replace(level_of("T11n"), size_limits=SIZE_LIMITS)
    assert all(name.startswith("ring 1") for name in in_the_way(level))
    assert in_the_way(level)


@pytest.mark.parametrize(
    ("level_id", "word", "low", "high"),
    [
        ("M1", "left wall", (-12.5, 0, -20), (-11.5, 10, 980)),
        ("M1", "rear wall", (-11.5, 0, -16.5), (11.5, 10, -15.5)),
        ("M2", "quarter-pipe", (-12.9, 0, 15.7), (12.9, 3.5, 22.3)),
        ("M3", "quarter-cylinder", (-12.25, 0, 31.45), (12.25, 2, 40.55)),
        ("M4", "left box", (-12.1, 0, 39), (-3.9, 1.5, 43)),
        ("M4", "right box", (3.46, 0, 39), (11.66, 1.5, 43)),
        ("M4", "ridge", (-13.2, 0, 42.6), (13.2, 1.7, 49.4)),
        ("M8", "beam", (-10, 4, 9.5), (10, 6, 10.5)),
        ("T2", "front wall", (-11.4, 0, 10.6), (11.4, 3, 11.4)),
        ("T3", "front fence", (-30.2, 0, 29.8), (30.2, 1, 30.2)),
        ("T3", "right sticky ground", (11, 0, -11), (31, 0.02, 11)),
        ("T4", "left pipe", (-17, 0, -15), (-13, 4, 15)),
        ("T5", "front pipe", (-20, 0, 15), (20, 4, 25)),
        ("T6", "right pipe", (15, 0, -20), (25, 10, 20)),
        ("T8", "right wall", (11.6, 0, -12.5), (12.4, 3, 12.5)),
        ("T13", "slab", (-11, 5, 15), (11, 5.5, 17)),
        ("D1", "end wall", (-10.5, 0, 70), (10.5, 4, 71)),
        ("D2", "ramp", (-10, 0, 28), (10, 3.5, 32)),
        ("D4", "quarter-pipe", (-10, 0, 31), (10, 5, 39)),
        ("D5", "end wall", (-10.5, 0, 55), (10.5, 4, 56)),
        ("D5", "block", (-2.5, 0, 20.5), (-1.5, 2, 21.5)),
        ("D6", "platform", (-10, 0, 25.1), (10, 1.8, 29.1)),
        ("D6", "block", (-2.5, 1.8, 25.5), (-1.5, 3.8, 26.5)),
        ("D7", "block", (-0.5, 1.8, 25.5), (0.5, 3.8, 26.5)),
        ("D6o", "platform", (-10, 0, 25.1), (10, 1.8, 29.1)),
        ("D6o", "block", (-0.5, 1.8, 25.5), (0.5, 3.8, 26.5)),
        ("D7o", "block", (1.3, 1.8, 25.5), (2.3, 3.8, 26.5)),
        ("D8", "ridge", (3, 0, 28), (5, 0.5, 40)),
        ("P1", "floor", (-3, -4, 7), (3, -3, 13)),
        ("P2", "floor", (-3, -7, 7), (3, -6, 13)),
    ],
)
def test_things_stand_where_the_tables_say(level_id, word, low, high):
    assert bounds(level_id, word) == (pytest.approx(low, abs=1e-6), pytest.approx(high, abs=1e-6))


@pytest.mark.parametrize(("own", "original"), [("D6", "D6o"), ("D7", "D7o"), ("D6-15", "D6o-15"), ("D7-15", "D7o-15")])
def test_only_the_block_and_its_words_differ_from_the_original_and_the_title_says_so(own, original):
    mine, theirs = level_of(own), level_of(original)
    assert "not as in the original" in mine.title
    assert "original" not in theirs.title
    assert mine.obstacles[:-1] == theirs.obstacles[:-1]
    assert (mine.balls, mine.goal, mine.window_s, mine.types) == (
        theirs.balls,
        theirs.goal,
        theirs.window_s,
        theirs.types,
    )


def test_windows_wind_and_size_differ_where_the_tables_say():
    windows = {level_id: level.window_s for level_id, level in levels().items() if level.window_s != 5}
    long = {f"{level_id}-15": 15 for level_id in (*DELIVERY, "D6o", "D7o")}
    assert windows == {"M4": 8, "M7": 20, "P1": 10, "P2": 10} | long
    assert {level_id: level.wind for level_id, level in levels().items() if any(level.wind)} == {"T7": (0, -10, 0)}
    assert level_of("T12").size_limits == (17, 5, 17)


def test_rocks_and_rods_are_stored_by_their_seed():
    assert (level_of("M5").seed, level_of("M6").seed) == (5, 6)
    rocks = [thing for thing in level_of("M5").obstacles if thing.name.startswith("rock")]
    assert len(rocks) == 40
    assert rocks[0].center == pytest.approx((6.1, 0.076, 40.53))


def test_the_curves_lead_to_the_right_and_then_to_the_left():
    path = level_of("M7").path
    assert pytest.approx(path[13], abs=1e-5) == (15, 35)
    assert path[-1] == pytest.approx((60, 70), abs=1e-5)
    assert level_of("M7").types == level_of("M1").types | {19, 40}


def test_rings_lie_in_the_order_in_which_they_are_passed():
    assert [(target.kind, target.center, target.radius) for target in level_of("T11").targets] == [
        ("ring", (0, 15, 35), 6),
        ("ring", (0, 15, 50), 6),
    ]
    assert level_of("T8n").targets[0].center == (0, 0, 20)


@pytest.mark.parametrize(("level_id", "center"), [("D1", (0, 66)), ("D8", (0, 50)), ("D9", (28, 10))])
def test_the_goal_of_a_delivery_is_20_m_by_6_m_and_5_m_high(level_id, center):
    goal = level_of(level_id).goal
    assert np.subtract(goal.high, goal.low) == pytest.approx((20, 5, 6))
    assert np.add(goal.high, goal.low)[[0, 2]] / 2 == pytest.approx(center, abs=1e-5)


def test_the_stone_lies_in_the_middle_of_the_well():
    (stone,) = level_of("P1").balls
    assert stone.center == pytest.approx((0, -2.05, 10))
    assert not level_of("P1").has_plane


def test_the_programme_of_a_well_drives_turns_grabs_and_goes_back():
    values = [policy_at(level_of("P1").programme, time) for time in (0.5, 2, 3.5, 5, 9)]
    assert [value["drive"] for value in values] == [1, 0, 0, 0, -1]
    assert [value["steer_hinge"] for value in values] == [0, -90, -90, 90, 90]
    assert [value["grab"] for value in values] == [0, 0, 1, 1, 1]


@pytest.mark.parametrize("task", DIFFICULTIES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_equal_seeds_give_equal_levels_and_other_seeds_others(task, seed):
    level = random_level(task, seed, DIFFICULTIES[task])
    assert level == random_level(task, seed, DIFFICULTIES[task])
    assert level != dataclasses.replace(random_level(task, seed + 1, DIFFICULTIES[task]), id=level.id, seed=seed)
    assert (level.id, level.task, level.seed) == (f"{task}@{seed}", task, seed)
    assert in_the_way(level) == ()


def test_the_preset_of_the_reference_strews_150_stones_and_80_cones():
    level = random_level("movement", 7)
    names = Counter(thing.name.split()[0] for thing in level.obstacles)
    assert (names["stone"], names["cone"]) == (150, 80)
    assert np.linalg.norm(level.wind) == pytest.approx(5, abs=0.01)


def test_a_generated_throw_may_have_a_zone_behind_its_walls():
    level = random_level("throw", 4, ThrowDifficulty(farthest_target_m=40))
    (target,) = level.targets
    wall = next(thing for thing in level.obstacles if thing.name == "front wall")
    assert target.center[2] - target.radius > wall.center[2]
