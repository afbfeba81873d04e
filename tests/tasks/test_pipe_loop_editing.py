"""Pipe loop: what gestures do to a chain of pipes."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.tasks.pipe_loop.board import PipeLimits, PipeOrder
from spatial_workbench.engine.tasks.pipe_loop.constraints import constraints_of
from spatial_workbench.engine.tasks.pipe_loop.editing import (
    bumped,
    closed_with_two,
    first_point,
    laid,
    mirrored,
    pulled_in,
    spiked,
    stretch_of,
    turned,
)
from spatial_workbench.engine.tasks.pipe_loop.judging import judge
from spatial_workbench.engine.tasks.pipe_loop.relax import Relaxer, dragged, is_closed

TASK = task("pipe_loop")
RECTANGLE = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (0.0, 1.0)]
CHAIN = [(1.0, 1.0), (2.0, 1.0), (3.0, 1.0), (4.0, 1.0)]


def lengths(points, closed=True):
    after = [*points[1:], points[0]] if closed else points[1:]
    return [math.dist(a, b) for a, b in zip(points, after, strict=False)]


# Laying --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("snap", "end"),
    [
        ("free", (1 + math.cos(0.3), 1 + math.sin(0.3))),
        ("angle", (1 + math.cos(math.radians(15)), 1 + math.sin(math.radians(15)))),
        ("lattice", (2, 1)),
    ],
)
def test_a_pipe_of_one_metre_is_laid_towards_the_pointer(snap, end):
    points, _ = laid([(1.0, 1.0)], (1 + 2 * math.cos(0.3), 1 + 2 * math.sin(0.3)), PipeLimits(5, 9), snap)
    assert points[-1] == pytest.approx(end, abs=1e-8)


def test_a_pipe_may_snap_to_the_direction_of_another_or_to_a_wall():
    tilted = [(1.0, 1.0), (1 + math.cos(0.5), 1 + math.sin(0.5))]
    along, _ = laid(tilted, (3.5, 2.2), PipeLimits(5, 9), "directions")
    assert math.atan2(along[-1][1] - along[-2][1], along[-1][0] - along[-2][0]) == pytest.approx(0.5)
    to_wall, _ = laid([(4.4, 2.0)], (5.2, 2.9), PipeLimits(5, 9), "directions")
    assert to_wall[-1][0] == pytest.approx(5)


def test_a_pipe_out_of_the_square_or_beyond_the_number_is_refused():
    assert laid([(0.5, 0.5)], (-3, 0.5), PipeLimits(5, 9), "free") == (None, "The pipe would leave the square.")
    assert laid(RECTANGLE, (1, 2), PipeLimits(2, 6), "free")[1] == "All 6 pipes are used."


def test_where_nothing_is_kept_inside_pipes_leave_the_square():
    free = PipeLimits(5, 9, keeps_inside=False)
    assert laid([(0.5, 0.5)], (-3, 0.5), free, "free")[0][-1] == pytest.approx((-0.5, 0.5))
    assert bumped(RECTANGLE, 0, (0.5, -1), free)[0][1:3] == [(0, -1), (1, -1)]
    assert dragged(CHAIN[:2], {0: (-1.0, 1.0)}, free, closed=False)[0] == pytest.approx((-1, 1), abs=0.01)


def test_a_chain_begins_on_the_lattice_if_that_is_wanted():
    assert first_point((1.4, 1.6), PipeLimits(5, 9), "lattice") == (1, 2)
    assert first_point((-1.0, 1.6), PipeLimits(5, 9), "free") == (0, 1.6)


def test_two_pipes_close_a_gap_of_up_to_two_metres():
    points, _ = closed_with_two(RECTANGLE[:5], PipeLimits(2, 6))
    assert points[-1] == pytest.approx((0, 1), abs=1e-6)
    assert closed_with_two(CHAIN, PipeLimits(5, 9))[1] == "The gap is 3.00 m; two pipes reach 2 m."
    assert "points are left" in closed_with_two(RECTANGLE, PipeLimits(2, 6))[1]


# Bumps, spikes, stretches --------------------------------------------------------------------------------------------


def test_a_bump_adds_two_pipes_and_is_pulled_in_again():
    points, _ = bumped(RECTANGLE, 3, (1.5, 2), PipeLimits(3, 9))
    assert points[4:6] == [(2, 2), (1, 2)]
    assert set(np.round(lengths(points), 9)) == {1}
    assert pulled_in(points, 4)[0] == RECTANGLE


def test_a_bump_out_of_the_square_is_refused():
    assert bumped(RECTANGLE, 0, (0.5, -1), PipeLimits(3, 9)) == (None, "That would leave the square.")


def test_only_the_top_of_a_bump_is_pulled_in():
    assert "not the top of a bump" in pulled_in(RECTANGLE, 3)[1]


@pytest.mark.parametrize("legs", [1, 2, 3])
def test_a_spike_adds_two_legs_less_one(legs):
    points, _ = spiked(RECTANGLE, 3, legs, (1.5, 5), PipeLimits(6, 99))
    assert len(points) == 6 + 2 * legs - 1
    assert lengths(points) == pytest.approx([1] * len(points))


def test_a_stretch_is_the_shortest_run_with_the_chosen_points():
    assert stretch_of([2, 4, 3], 20) == (2, 4)
    assert stretch_of([19, 1], 20) == (19, 1)
    assert stretch_of([3], 20) is None


@pytest.mark.parametrize("change", [mirrored, turned])
def test_a_stretch_keeps_its_lengths_and_comes_back_when_it_is_done_twice(change):
    points, _ = bumped([(x + 2, y + 2) for x, y in RECTANGLE], 3, (3.5, 4), PipeLimits(6, 99))
    once, _ = change(points, 2, 6, PipeLimits(6, 99))
    assert lengths(once) == pytest.approx([1] * 8)
    assert np.allclose(change(once, 2, 6, PipeLimits(6, 99))[0], points)


def test_a_stretch_of_two_points_is_refused():
    assert "at least three" in mirrored(RECTANGLE, 0, 1, PipeLimits(2, 9))[1]


# Dragging ------------------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 47), st.tuples(st.floats(-2, 9), st.floats(-2, 9)))
def test_a_dragged_joint_keeps_every_pipe_at_one_metre_in_the_square(joint, place):
    points = TASK.solve(TASK.instances()[18]).places
    moved = dragged(points, {joint: place}, PipeLimits(7, 99), closed=True)
    assert max(abs(length - 1) for length in lengths(moved)) < 0.02
    assert min(map(min, moved)) >= 0
    assert max(map(max, moved)) <= 7


def test_a_short_drag_reaches_the_pointer():
    points = [(x + 2.0, y + 2.0) for x, y in RECTANGLE]
    moved = dragged(points, {1: (3.0, 1.6)}, PipeLimits(6, 99), closed=True)
    assert math.dist(moved[1], (3.0, 1.6)) < 0.05


def test_locked_joints_stay():
    moved = dragged(CHAIN, {3: (3.5, 2.5)}, PipeLimits(6, 99), closed=False, locked={1})
    assert moved[0] == CHAIN[0]
    assert moved[1] == CHAIN[1]
    assert lengths(moved, closed=False) == pytest.approx([1, 1, 1], abs=0.01)


def test_the_end_of_an_open_chain_pulls_the_rest_after_it():
    moved = dragged(CHAIN, {3: (5.0, 3.0)}, PipeLimits(6, 99), closed=False)
    assert moved[3] == pytest.approx((5, 3), abs=0.02)
    assert lengths(moved, closed=False) == pytest.approx([1, 1, 1], abs=0.001)


def test_a_chain_counts_as_closed_when_its_ends_are_a_pipe_apart():
    assert is_closed(RECTANGLE, 9)
    assert not is_closed(CHAIN, 9)
    assert is_closed(CHAIN, 4)


# Settling ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [12, 13, 15, 18, 20])
def test_a_shaken_loop_settles_until_it_is_right_again(number):
    instance = TASK.instances()[number]
    order = PipeOrder.of(instance.parameters)
    shaken = np.array(TASK.solve(instance).places) + np.random.default_rng(1).normal(0, 0.05, (order.pipes, 2))
    relaxer = Relaxer(order, np.clip(shaken, 0, order.side).tolist())
    for _ in range(20):
        relaxer.run(50)
        if judge(order, relaxer.points).score == 1:
            return
    pytest.fail(str([c.message for c in judge(order, relaxer.points).checks if c.problems]))


def test_settling_moves_points_off_a_wall_margin_and_locked_ones_not():
    order = PipeOrder(6, 4.0, constraints_of([{"type": "avoid_margin", "margin_ratio": 0.1}]))
    relaxer = Relaxer(order, RECTANGLE, locked={0})
    relaxer.run(100)
    assert relaxer.points[0] == (0, 0)
    assert min(map(min, relaxer.points[1:])) >= 0.4 - 1e-9
