"""The five example machines: what they did when the recipe was measured, they do here."""

import json
import math

import numpy as np
import pytest

from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.machines.building.tree import Link, read_tree
from spatial_workbench.engine.machines.levels.catalogue import level_of
from spatial_workbench.engine.machines.levels.level import Ball, Level

pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")

from spatial_workbench.engine.physics.connections import only_strengthens
from spatial_workbench.engine.physics.machine_run import simulate

EXAMPLES = {
    row["name"]: row for row in json.loads(resource("machines", "examples.json").read_text("utf-8"))["machines"]
}
LEVELS = {
    "four_wheel_car": "M1",
    "rotating_block_catapult": "T2",
    "spring_catapult": "T2",
    "delivery_pusher": "D1",
    "published_layered_catapult": "T2",
}
CLOSE = 0.03


@pytest.fixture(scope="module")
def traces():
    return {name: simulate(tree_of(name), level_of(level)) for name, level in LEVELS.items()}


def tree_of(name):
    return read_tree(EXAMPLES[name]["tree"]).tree


def flight(trace):
    """Height and distance of the first ball until it touches the ground."""
    path = trace.paths[:, 0]
    landing = int(np.argmax(trace.touches[:, 0])) if trace.touches[:, 0].any() else len(path) - 1
    return path[: landing + 1, 1].max(), path[landing, 2] - path[0, 2]


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_breaks_where_it_broke(traces, name):
    breaks = [(row.block, math.ceil(row.time * 5) / 5) for row in traces[name].breaks]
    expected = [(row["block"], row["time"]) for row in EXAMPLES[name]["result"]["broken"]]
    assert [block for block, _ in breaks] == [block for block, _ in expected]
    assert [time for _, time in breaks] == pytest.approx([time for _, time in expected])


def test_the_car_drives_as_far(traces):
    trace = traces["four_wheel_car"]
    roots = trace.positions[trace.samples, 0]
    assert np.allclose(roots, EXAMPLES["four_wheel_car"]["root_position_every_0.2s"], atol=0.02)
    assert roots[-1, 2] - roots[0, 2] == pytest.approx(43.86, rel=CLOSE)


@pytest.mark.parametrize("name", ["rotating_block_catapult", "spring_catapult"])
def test_a_catapult_throws_as_high_and_as_far(traces, name):
    result = EXAMPLES[name]["result"]
    height, distance = flight(traces[name])
    assert height == pytest.approx(result["throw_height"], rel=CLOSE)
    assert distance == pytest.approx(result["throw_distance"], rel=CLOSE)


def test_the_pusher_pushes_the_ball_as_far(traces):
    path = traces["delivery_pusher"].paths[:, 0]
    assert path[-1, 2] - path[0, 2] == pytest.approx(32.61, rel=CLOSE)


def test_the_published_catapult_throws_backwards(traces):
    height, distance = flight(traces["published_layered_catapult"])
    assert height == pytest.approx(8.31, rel=CLOSE)
    assert distance < 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["four_wheel_car", "rotating_block_catapult", "spring_catapult", "delivery_pusher"])
def test_half_the_step_gives_the_same_within_three_percent(traces, name):
    halved = simulate(tree_of(name), level_of(LEVELS[name]), 480)
    if "car" in name:
        ends = [trace.positions[-1, 0, 2] - trace.positions[30, 0, 2] for trace in (halved, traces[name])]
    elif "pusher" in name:
        ends = [trace.paths[-1, 0, 2] - trace.paths[0, 0, 2] for trace in (halved, traces[name])]
    else:
        ends = [flight(trace)[1] for trace in (halved, traces[name])]
        assert flight(halved)[0] == pytest.approx(flight(traces[name])[0], rel=CLOSE)
    assert ends[0] == pytest.approx(ends[1], rel=CLOSE)
    assert [row.block for row in halved.breaks] == [row.block for row in traces[name].breaks]


@pytest.mark.parametrize("name", ["four_wheel_car", "published_layered_catapult"])
def test_two_runs_are_equal_to_the_last_bit_also_after_others(traces, name):
    again = simulate(tree_of(name), level_of(LEVELS[name]))
    assert np.array_equal(again.positions, traces[name].positions, equal_nan=True)
    assert again.breaks == traces[name].breaks


def test_the_flight_of_a_boulder_is_a_parabola(traces):
    trace = traces["rotating_block_catapult"]
    landing = int(np.argmax(trace.touches[:, 0]))
    flight = trace.paths[landing // 2 : landing - 2, 0]
    times = np.arange(len(flight)) / trace.rate
    assert -2 * np.polyfit(times, flight[:, 1], 2)[0] == pytest.approx(9.81, rel=0.02)
    for axis in (0, 2):
        speeds = np.diff(flight[:, axis]) * trace.rate
        assert np.ptp(speeds) <= 0.02 * max(1, np.abs(speeds).max())


def test_the_landing_is_where_the_parabola_meets_the_ground(traces):
    trace = traces["rotating_block_catapult"]
    landing = int(np.argmax(trace.touches[:, 0]))
    steps = np.arange(landing - 60, landing - 3)
    flight = trace.paths[steps, 0]
    height = np.polyfit(steps / trace.rate, flight[:, 1], 2) - (0, 0, 0.95)
    time = max(np.roots(height))
    along = np.polyval(np.polyfit(steps / trace.rate, flight[:, 2], 1), time)
    assert trace.landings[0, 0] == pytest.approx(time, abs=1e-4)
    assert trace.landings[0, 3] == pytest.approx(along, abs=1e-3)


@pytest.mark.slow
def test_a_machine_leaves_nothing_behind_for_the_next(traces):
    ball = Ball("ball", (0, 1.5, 15), 1.5, 2, 0.6, 0.15, 0.02)
    level = Level("ball", "delivery", "", "", frozenset(), balls=(ball,))
    pushed = simulate(tree_of("delivery_pusher"), level).paths[-1, 0, 2]
    simulate(tree_of("rotating_block_catapult"), level_of("T2"))
    assert simulate(tree_of("delivery_pusher"), level).paths[-1, 0, 2] == pushed


def test_a_brace_within_a_rigid_part_changes_no_bit_of_the_motion_if_nothing_breaks(traces):
    tree = tree_of("rotating_block_catapult")
    brace = next(entry for entry in tree if entry.type == 7)
    again = Link(brace.type, len(tree), brace.parent_a, brace.face_a, brace.parent_b, brace.face_b)
    assert only_strengthens((*tree, again), again)
    trace = simulate((*tree, again), level_of("T2"))
    usual = traces["rotating_block_catapult"]
    assert not usual.breaks
    assert np.array_equal(trace.positions[:, : len(tree)], usual.positions, equal_nan=True)
    assert np.array_equal(trace.paths, usual.paths)
