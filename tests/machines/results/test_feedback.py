"""Feedback and queries: their words, from traces that can be checked by hand."""

import dataclasses
import json

import numpy as np
import pytest

from spatial_workbench.engine.machines.building.blocks import quaternions
from spatial_workbench.engine.machines.building.information import information_of
from spatial_workbench.engine.machines.building.tree import read_tree
from spatial_workbench.engine.machines.levels.catalogue import level_of
from spatial_workbench.engine.machines.results.feedback import (
    break_time,
    detached_since,
    feedback_of,
    words_of_orientation,
)
from spatial_workbench.engine.machines.results.queries import MAX_QUERIES, Query, answer_of, euler_degrees, read_queries
from spatial_workbench.engine.machines.results.scoring import score_of
from spatial_workbench.engine.machines.results.trace import Break
from tests.machines.building.test_space import example, tree_of
from tests.machines.building.test_tree import EXAMPLES, block, link
from tests.machines.traces import at_rest, moving, through, thrown, trace_of

# A beam, a block on it, a spring between the two, and a boulder.
TREE = tree_of(block(1, 1, 0, 0), block(15, 2, 1, 0), link(9, 3, 0, 4, 2, 4), block(36, 4, 0, 4))
OTHERS = {3: at_rest(np.nan, np.nan, np.nan), 4: at_rest(0, 1, 0)}


def feedback(level_id, tree, trace):
    """The lines that are told."""
    level = level_of(level_id)
    return feedback_of(level, tree, trace, score_of(level, tree, trace)).splitlines()


def line(lines, start):
    """The one line that begins so, without its beginning."""
    (rest,) = [text.removeprefix(start) for text in lines if text.startswith(start)]
    return rest


def broken(block_id, time):
    return Break(block_id, 0, time, 100.0, 10.0, 1.2)


def asked(items, tree=TREE, window=5.0):
    return read_queries(f"<Required Feedback>{json.dumps(items)}</Required Feedback>", tree, window)


def answers(items, **more):
    trace = trace_of(moving((0, 1, 0), (0, 0, 1)), others=OTHERS, **more)
    return answer_of(asked(items), TREE, trace).splitlines()


def turning(*facings):
    """Rotations, each for five samples."""
    return np.repeat([quaternions()[facing] for facing in facings], 5, axis=0)


def test_a_car_is_told_its_orientation_distances_speeds_and_places():
    machine = EXAMPLES["four_wheel_car"]
    tree = example("four_wheel_car")
    lines = feedback("M1", tree, trace_of(through(machine["root_position_every_0.2s"]), others={6: at_rest(0, 1, 0)}))
    assert lines[:5] == [
        "Simulated for 5 s.",
        "Orientation: faces z+.",
        "Largest distance along z: 43.9 m.",
        "Distance at the end: 43.9 m.",
        "Top speed: 10.0 m/s.",
    ]
    assert line(lines, "Mean speed in each second: ") == "4.0, 9.8, 10.0, 10.0, 10.0 m/s."
    assert line(lines, "Broken parts: ") == "none."


def test_25_places_are_told_with_two_decimals():
    machine = EXAMPLES["four_wheel_car"]
    tree = example("four_wheel_car")
    lines = feedback("M1", tree, trace_of(through(machine["root_position_every_0.2s"]), others={6: at_rest(0, 1, 0)}))
    places = line(lines, "Starting block, position [x, y, z] every 0.2 s from 0.0 s: ").split("], [")
    assert places[:3] == ["[0.00, 1.00, 0.00", "0.00, 1.00, 0.15", "0.00, 1.00, 0.62"]
    assert (len(places), places[-1]) == (25, "0.00, 1.00, 41.86].")


def test_longer_windows_are_told_whole():
    lines = feedback("M4", TREE, trace_of(moving((0, 1, 0), (0, 0, 1)), others=OTHERS, window=8.0))
    assert line(lines, "Starting block, position").count("[") == 1 + 40


def test_a_catapult_is_told_distance_height_landing_and_the_boulder_s_way():
    machine = EXAMPLES["rotating_block_catapult"]
    root, path = (through(machine[name]) for name in ("root_position_every_0.2s", "boulder_centre_every_0.2s"))
    others = {19: at_rest(0, 1, 0)}
    lines = feedback("T2", example("rotating_block_catapult"), trace_of(root, others=others, balls={"block 11": path}))
    assert lines[1:4] == [
        "Boulder (id 11), distance: 47.3 m.",
        "Boulder (id 11), height: 9.94 m.",
        "Boulder (id 11), landing: at 2.2 s, 25.3 m along z from its start.",
    ]
    assert lines[4].endswith("[2.89, 0.95, 43.82].")
    assert line(lines, "Boulder (id 11), speed from each position to the next: ").startswith("2.5, 6.2, 10.5, 13.7,")


def test_a_boulder_that_stays_in_the_air_has_no_landing():
    lines = feedback("T1", TREE, trace_of(others=OTHERS, balls={"block 4": moving((0, 4, 0), (0, 0, 2))}))
    assert "Boulder (id 4), landing: none." in lines


def test_a_throw_at_a_ring_is_told_success_and_distances():
    ball = thrown((0, 8 - 9.81 / 2 + 4, 0), (0, 9.81, 12))
    lines = feedback("T9n", TREE, trace_of(others=OTHERS, balls={"block 4": ball}))
    assert lines[1:3] == ["Target: not reached.", "Closest distance to the target: 1.0 m."]
    assert lines[3].startswith("Final distance to the target: ")


@pytest.mark.parametrize(("speed", "goal"), [(10.2, "reached"), (5, "not reached")])
def test_a_delivery_is_told_distance_success_and_the_ball_s_way(speed, goal):
    lines = feedback("D1", TREE, trace_of(others=OTHERS, balls={"ball": moving((0, 1.5, 15), (0, 0, speed))}))
    assert lines[1:3] == [f"Ball, distance: {5 * speed:.1f} m.", f"Goal: {goal}."]
    assert lines[3].startswith("Ball, position [x, y, z] every 0.2 s from 0.0 s: [0.00, 1.50, 15.00], ")


def test_broken_parts_are_told_at_the_next_sample_and_at_0_while_settling():
    trace = trace_of(others=OTHERS, breaks=(broken(2, -0.3), broken(1, 0.41), broken(1, 0.5)))
    assert line(feedback("M1", TREE, trace), "Broken parts: ") == (
        "Small Wooden Block (id 2) at 0.0 s, Wooden Block (id 1) at 0.6 s."
    )


@pytest.mark.parametrize(
    ("time", "told"), [(-0.5, 0.0), (0.0, 0.0), (0.001, 0.2), (0.2, 0.2), (0.6, 0.6), (0.601, 0.8)]
)
def test_times_of_breaks_are_rounded_up(time, told):
    assert break_time(time) == told


def test_blocks_that_lost_the_starting_block_for_good_are_told():
    trace = trace_of(others=OTHERS)
    attached = np.ones_like(trace.attached)
    attached[:, 3:] = False
    attached[30:40, 1] = False
    attached[60:, 2] = False
    lost = dataclasses.replace(trace, attached=attached)
    assert detached_since(TREE, lost) == {2: 1.0}
    assert (
        line(feedback("M1", TREE, lost), "Detached from the starting block: ")
        == "Small Wooden Block (id 2) since 1.0 s."
    )


def test_a_machine_that_turned_is_told_the_facing_that_lasts():
    words = words_of_orientation(turning("z+", "x-", "x-", "x-", "x-"))
    assert words == "Orientation: faces x- for most of the time."


def test_a_machine_that_tumbles_is_told_its_four_commonest_facings():
    rotations = np.array([quaternions()[facing] for facing in ("z+", "y+", "z-", "y-", "x+")] * 5)
    assert words_of_orientation(rotations) == "Orientation: changes often among z+, y+, z-, y-."


def test_why_something_counts_nothing_is_told_at_the_end():
    lines = feedback("T2", TREE, trace_of(others=OTHERS, balls={"block 4": at_rest(0, 0.95, 3)}))
    assert lines[-1] == "The boulder does not rise above 3 m, so the throw counts nothing."


@pytest.mark.parametrize(("level_id", "ball"), [("M1", None), ("T2", "block 4"), ("T9n", "block 4"), ("D1", "ball")])
def test_a_simulation_that_failed_says_so_and_tells_what_there_is(level_id, ball):
    balls = {ball: at_rest(0, 2, 15)} if ball else {}
    trace = trace_of(others=OTHERS, balls=balls, window=0.5, fault="block 1 is faster than 1,000 m/s")
    lines = feedback(level_id, TREE, trace)
    assert lines[-1] == "The simulation failed, so the machine counts nothing: block 1 is faster than 1,000 m/s"
    assert line(lines, "Starting block, position").count("[") == 1 + 3


def test_queries_are_read_inside_their_tags():
    text = 'Look at [1].\n<Required Feedback>\n```json\n[{"id": 1, "duration": [0, 1]}]\n```\n</Required Feedback>'
    assert read_queries(text, TREE, 5.0) == (Query(1, 0.0, 1.0, ("position", "rotation", "velocity")),)
    assert read_queries('[{"id": 1, "duration": [0, 1]}]', TREE, 5.0) == ()
    assert read_queries("<Required Feedback>nothing</Required Feedback>", TREE, 5.0) == ()


@pytest.mark.parametrize(
    "item",
    [
        "block 1",
        {},
        {"id": 1},
        {"duration": [0, 1]},
        {"id": 5, "duration": [0, 1]},
        {"id": -1, "duration": [0, 1]},
        {"id": 1.5, "duration": [0, 1]},
        {"id": True, "duration": [0, 1]},
        {"id": 10**400, "duration": [0, 1]},
        {"id": 1, "duration": 3},
        {"id": 1, "duration": [0, 1, 2]},
        {"id": 1, "duration": [0, float("nan")]},
        {"id": 1, "duration": [3, 2]},
        {"id": 1, "duration": [6, 7]},
        {"id": [1], "duration": [0, 1]},
    ],
)
def test_bad_items_are_skipped_and_the_others_are_read(item):
    good = {"id": 2, "duration": [0, 1], "properties": ["position"]}
    assert asked([item, good]) == (Query(2, 0.0, 1.0, ("position",)),)


def test_durations_are_cut_to_the_window_and_names_of_the_reference_are_read():
    (query,) = asked([{"order_id": "1", "duration": ["-1", 99], "properties": ["velocity", "mass", "position"]}])
    assert query == Query(1, 0.0, 5.0, ("position", "velocity"))


def test_only_linear_blocks_have_a_length():
    of_block, of_spring = asked([{"id": k, "duration": [0, 1], "properties": ["length", "position"]} for k in (1, 3)])
    assert (of_block.properties, of_spring.properties) == (("position",), ("length",))


def test_no_more_than_a_limit_of_queries_is_read():
    assert len(asked([{"id": 1, "duration": [0, 1]}] * 10_000)) == MAX_QUERIES


def test_an_answer_lists_id_type_period_and_samples():
    assert answers([{"id": 1, "duration": [0.3, 0.8], "properties": ["position", "velocity"]}]) == [
        "Wooden Block (id 1), type 1, 0.3 s to 0.8 s.",
        "  position [x, y, z] in metres, every 0.2 s from 0.4 s: "
        "[0.00, 1.00, 0.40], [0.00, 1.00, 0.60], [0.00, 1.00, 0.80]",
        "  velocity [x, y, z] in m/s, every 0.2 s from 0.4 s: "
        "[0.00, 0.00, 1.00], [0.00, 0.00, 1.00], [0.00, 0.00, 1.00]",
    ]


def test_samples_end_with_the_break_and_are_said_to_be_incomplete():
    item = {"id": 2, "duration": [0, 2], "properties": ["position"]}
    assert answers([item], breaks=(broken(2, 0.35),)) == [
        "Small Wooden Block (id 2), type 15, 0 s to 2 s: breaks at 0.4 s.",
        "  position [x, y, z] in metres, every 0.2 s from 0.0 s, incomplete: [0.00, 1.00, 0.00], [0.00, 1.00, 0.20]",
    ]
    assert "incomplete" not in "".join(answers([item], breaks=(broken(2, 3.0),)))


def test_a_block_that_broke_before_the_period_has_no_samples():
    item = {"id": 2, "duration": [1, 2], "properties": ["position"]}
    assert answers([item], breaks=(broken(2, 0.35),)) == [
        "Small Wooden Block (id 2), type 15, 1 s to 2 s: broken since 0.4 s.",
        "  position [x, y, z] in metres, every 0.2 s, incomplete: no samples",
    ]


def test_the_length_of_a_spring_ends_when_a_block_that_it_hangs_on_breaks():
    lengths = np.tile(np.linspace(6, 0, 181)[:, None], (1, 5))
    item = {"id": 3, "duration": [0, 5]}
    first, second = answers([item], lengths=lengths, breaks=(broken(2, 0.6),))
    assert first == "Spring (id 3), type 9, 0 s to 5 s: breaks at 0.6 s."
    assert second == "  length in metres, every 0.2 s from 0.0 s, incomplete: 5.0, 4.8, 4.6"


def test_rotations_are_told_as_in_the_3d_information():
    tree = read_tree(EXAMPLES["rotating_block_catapult"]["tree"]).tree
    told = {row["abs"]["orient"]: row["abs"]["rot"] for row in information_of(tree) if "orient" in row["abs"]}
    assert len(told) > 3
    for facing, angles in told.items():
        assert euler_degrees(np.array([quaternions()[facing]]))[0] == pytest.approx(angles, abs=1e-4)


@pytest.mark.parametrize(
    "angles", [(10, 20, 30), (-100, 40, 20), (5, 90, 0), (0, -90, 0), (170, -30, -20), (0, 180, 0)]
)
def test_angles_are_those_of_turns_about_x_then_y_then_z(angles):
    x, y, z = (np.radians(angle) / 2 for angle in angles)
    about_x = (np.sin(x), 0, 0, np.cos(x))
    about_y = (0, np.sin(y), 0, np.cos(y))
    about_z = (0, 0, np.sin(z), np.cos(z))
    rotation = _times(about_z, _times(about_y, about_x))
    assert euler_degrees(np.array([rotation]))[0] == pytest.approx(angles, abs=1e-4)


def _times(a, b):
    """The product of two quaternions x, y, z, w."""
    vector = a[3] * np.array(b[:3]) + b[3] * np.array(a[:3]) + np.cross(a[:3], b[:3])
    return (*vector, a[3] * b[3] - np.dot(a[:3], b[:3]))
