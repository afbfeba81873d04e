"""Pipe loop: the rules of docs/tasks/pipe_loop.md."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial_workbench.engine.core import InstanceError, State
from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.tasks.pipe_loop import loop_answer
from spatial_workbench.engine.tasks.pipe_loop.board import PipeOrder
from spatial_workbench.engine.tasks.pipe_loop.constraints import TYPES, constraints_of
from spatial_workbench.engine.tasks.pipe_loop.construction import construct, grown, passes
from spatial_workbench.engine.tasks.pipe_loop.contacts import contacts_of
from spatial_workbench.engine.tasks.pipe_loop.crosscheck import judge as judge_again
from spatial_workbench.engine.tasks.pipe_loop.generator import presets
from spatial_workbench.engine.tasks.pipe_loop.judging import judge
from spatial_workbench.engine.tasks.pipe_loop.shape import PipeShape

TASK = task("pipe_loop")
NUMBERS = range(40)
SIX = TASK.instances()[1]
EIGHT = TASK.instances()[2]
RECTANGLE = [(0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1)]
SQUARE_8 = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)]


def judged(points, instance=SIX, verifier="default"):
    return TASK.verify(instance, {"points": [{"x": x, "y": y} for x, y in points]}, verifier)


def failures(verdict):
    return {check.name: check.message for check in verdict.checks if check.state is State.FAILED}


def order_with(*constraints, pipes=6, side=2.0):
    return PipeOrder(pipes, side, constraints_of(constraints))


def row(order, points, name):
    """The row of one check, and whether the cross-check has the same opinion of the whole."""
    outcome = judge(order, points)
    assert outcome.score == judge_again(order, points).score
    return next(check for check in outcome.checks if check.name == name)


# Published instances -------------------------------------------------------------------------------------------------


def test_there_are_40_orders_from_3_to_420_pipes():
    orders = [PipeOrder.of(i.parameters) for i in TASK.instances()]
    assert len(orders) == 40
    assert (orders[0].pipes, orders[0].side, orders[39].pipes, orders[39].side) == (3, 1, 420, 50)
    assert [i for i, order in enumerate(orders) if len(order.constraints) > 1 or order.crossings] == list(range(11, 21))


@pytest.mark.parametrize("number", NUMBERS)
def test_the_reference_passes_all_three_verifiers(number):
    instance = TASK.instances()[number]
    answer = TASK.solve(instance)
    assert TASK.verify(instance, answer).passed
    assert TASK.crosscheck(instance, answer).passed
    assert TASK.verify(instance, answer, "published").passed


@pytest.mark.parametrize(("number", "smallest", "largest"), [(12, 63.9, 145.7), (16, 24.1, 141.6), (17, 22.9, 161.5),
                                                             (18, 44.2, 133.0)])  # fmt: skip
def test_the_stored_loops_have_the_angles_that_are_documented(number, smallest, largest):
    verdict = TASK.verify(TASK.instances()[number], TASK.solve(TASK.instances()[number]))
    assert verdict.figure("smallest angle") == pytest.approx(smallest, abs=0.1)
    assert verdict.figure("largest angle") == pytest.approx(largest, abs=0.1)
    assert verdict.figure("worst length error") < 0.009


def test_the_prompt_names_every_number_of_the_constraints():
    text = TASK.prompt(TASK.instances()[18]).text
    assert text == TASK.prompt(TASK.instances()[18]).text
    for words in (
        "48 straight pipes",
        "0 <= x <= 7",
        "(3.5, 3.5)",
        "0.25 m",
        "40 to 140",
        "neither crosses nor touches",
    ):
        assert words in text
    assert "neither crosses" not in TASK.prompt(TASK.instances()[16]).text


# Basic checks --------------------------------------------------------------------------------------------------------


def test_a_rectangle_of_six_pipes_passes():
    assert judged(RECTANGLE).passed


def test_the_first_point_repeated_at_the_end_is_one_too_many():
    assert "the first point is repeated at the end" in failures(judged([*RECTANGLE, RECTANGLE[0]]))["number of pipes"]


def test_the_bounds_know_no_tolerance():
    message = failures(judged([*RECTANGLE[:2], (2.0000000001, 0), *RECTANGLE[3:]]))["inside the square"]
    assert message == "Point 2, (2.0000000001, 0), is outside the square of 2 m"


@pytest.mark.parametrize(("length", "passes_"), [(0.9501, True), (0.9499, False), (1.0499, True), (1.0501, False)])
def test_a_pipe_may_be_5_cm_too_long_or_short(length, passes_):
    thin = math.sqrt(1 - (length / 2) ** 2)
    triangle = order_with(pipes=3, side=2.0)
    points = [(0.0, 0.0), (length, 0.0), (length / 2, thin)]
    assert (judge(triangle, points).score == 1) is passes_
    assert (judge_again(triangle, points).score == 1) is passes_


def test_a_limit_is_judged_by_the_exact_fraction_of_the_given_number():
    order = order_with(pipes=3, side=2.0)
    points = [(0.0, 0.0), (0.95, 0.0), (0.475, 0.88)]
    exactly = judge(order, points)
    assert exactly.score == judge_again(order, points).score
    assert judge_again(order, points).warnings


def test_the_closing_pipe_is_a_row_of_its_own():
    names = failures(judged([*RECTANGLE[:-1], (0.5, 1.5)])).keys()
    assert {"pipe lengths", "closing pipe"} <= names


def test_points_that_agree_to_six_decimals_are_the_same():
    assert "Point 5 is the same as point 1" in failures(judged([*RECTANGLE[:5], (1.0000001, 0)]))["no point twice"]


def test_pipes_that_run_back_are_refused():
    flat = [(0, 0), (1, 0), (0, 0.05)]
    assert "run back along each other" in failures(judged(flat, TASK.instances()[0]))["no way back"]


def test_fewer_than_three_points_stop_the_verification():
    verdict = judged([(0, 0), (1, 0)])
    assert failures(verdict) == {"at least three points": "A loop has at least 3 points, not 2"}
    assert verdict.checks[1].state is State.NOT_REACHED


def test_all_failures_are_reported_with_their_elements():
    verdict = judged([(0, 0), (3, 0), (3, 0)])
    assert len(failures(verdict)) > 3
    assert {"point 1", "point 2", "pipe 0"} <= set(verdict.failed_elements)


def test_pipes_without_length_are_judged_by_both_methods():
    verdicts = TASK.verify_all(SIX, {"points": [{"x": 0, "y": 0}] * 4})
    assert not any(verdict.passed for verdict in verdicts)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("7", "must be an object"),
        ("{}", "points is missing"),
        ('{"points": 3}', "points must be a list"),
        ('{"points": []}', "at least 3 points, not 0"),
        ('{"points": [[0, 0]]}', "points[0] must be an object"),
        ('{"points": [{"x": 0}]}', "points[0].y is missing"),
        ('{"points": [{"x": "0", "y": 0}]}', 'points[0].x must be a number, not "0"'),
        ('{"points": [{"x": 0, "y": true}]}', "points[0].y must be a number, not true"),
        ('{"points": [{"x": 0, "y": null}]}', "points[0].y must be a number, not null"),
        ('{"points": [{"x": 0, "y": NaN}]}', "must be a finite number"),
        ('{"points": [{"x": 0, "y": 1e999}]}', "must be a finite number"),
        (json.dumps({"points": [{"x": 0, "y": 0}] * 1201}), "Too many points"),
    ],
)
def test_bad_input_is_refused_with_its_place(raw, expected):
    verdict = TASK.verify(SIX, raw)
    assert verdict.score == 0
    assert any(expected in check.message for check in verdict.checks)


def test_huge_coordinates_are_wrong_and_nothing_else():
    assert judged([(1e308, -1e308), (1e308, 1e308), (-1e308, 0)], TASK.instances()[0]).score == 0


# Crossings -----------------------------------------------------------------------------------------------------------

BOW = [(0, 0), (2, 2), (2, 0), (0, 2)]


def test_a_bow_crosses_once():
    contacts = contacts_of(np.array(BOW, float))
    assert [(c.first, c.second, c.point) for c in contacts.crossings] == [(0, 2, (1.0, 1.0))]
    assert (contacts.touches, contacts.published_count) == ((), 1)


def test_three_pipes_through_one_point_are_three_crossings():
    star = np.array([(math.cos(a), math.sin(a)) for a in np.radians([0, 180, 60, 240, 120, 300])])
    assert len(contacts_of(star).crossings) >= 3


FROM_THE_LEFT = [(0, 0), (2, 0), (2, 1), (1, 0), (0, 1)]
FROM_THE_RIGHT = [(x, -y) for x, y in FROM_THE_LEFT]


def test_an_end_on_a_pipe_touches_from_either_side_and_the_published_test_sees_it_from_the_left_only():
    left, right = (contacts_of(np.array(points, float)) for points in (FROM_THE_LEFT, FROM_THE_RIGHT))
    assert (
        [(c.first, c.second) for c in left.touches] == [(c.first, c.second) for c in right.touches] == [(0, 2), (0, 3)]
    )
    assert (left.published_count, right.published_count) == (2, 0)
    assert not left.crossings
    assert not right.crossings


def test_pipes_that_lie_along_each_other_touch():
    along = contacts_of(np.array([(0, 0), (3, 0), (3, 1), (2, 0), (1, 0), (0, 1)], float))
    assert (0, 3) in [(c.first, c.second) for c in along.touches]
    assert not along.crossings


def test_a_touch_fails_a_row_of_its_own_that_the_published_verifier_has_not():
    ours = judged(FROM_THE_RIGHT)
    published = judged(FROM_THE_RIGHT, verifier="published")
    assert failures(ours)["no touching"] == "Pipes 0 and 2 touch (and 1 more)"
    assert "crossings" not in failures(ours).keys() | failures(published).keys()
    assert judged(FROM_THE_LEFT).warnings == ("The published test counts 2 crossings, where there are 0",)


def test_signs_are_exact_where_rounding_is_not():
    # Pipes 2 and 3 meet a hair above the diagonal, on it, and a hair below.
    counts = [
        contacts_of(np.array([(0, 0), (1, 1), (3, 1), (0.5, 0.5 + hair), (0, 2)])).crossings
        for hair in (1e-16, 0, -1e-16)
    ]
    assert [[(c.first, c.second) for c in contacts] for contacts in counts] == [[(0, 2)], [], [(0, 3)]]


POINTS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=5, max_size=9, unique=True)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(POINTS)
def test_noding_and_signs_find_the_same_crossings_where_nothing_touches(points):
    from spatial_workbench.engine.tasks.pipe_loop.crosscheck import PipeRing

    places = [(float(x), float(y)) for x, y in points]
    contacts = contacts_of(np.array(places))
    ring = PipeRing(order_with(), places)
    assert bool(contacts.touches) == bool(len(ring.touches))
    if not contacts.touches and min(ring.angles) > 1e-6:
        assert len(contacts.crossings) == ring.crossings
        assert contacts.published_count == ring.crossings
        assert (round(ring.turns / 360) + ring.crossings) % 2 == 1


# Constraints ---------------------------------------------------------------------------------------------------------


def test_interior_angles_are_180_where_it_is_straight():
    assert np.allclose(PipeShape.of(RECTANGLE, 2).angles_deg, [90, 180, 90, 90, 180, 90])


def test_a_pipe_without_length_has_angles_of_0():
    assert PipeShape.of([(0, 0), (0, 0), (1, 0), (1, 1)], 2).angles_deg[:2].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("constraint", "name", "passes_", "message"),
    [
        ({"type": "angle_range", "min_deg": 90, "max_deg": 180}, "angles", True, "90.0° to 180.0°, within 90° to 180°"),
        ({"type": "angle_range", "min_deg": 91, "max_deg": 180}, "angles", False, "point 0 is 90.00°"),
        ({"type": "centroid_box", "xmin_ratio": 0.5, "xmax_ratio": 0.5, "ymin_ratio": 0.25, "ymax_ratio": 0.25},
         "centre of mass", True, "(1.000, 0.500)"),
        ({"type": "centroid_box", "xmin_ratio": 0.6, "xmax_ratio": 1, "ymin_ratio": 0, "ymax_ratio": 1},
         "centre of mass", False, "(1.000, 0.500) is not in 1.2-2 by 0-2"),
        ({"type": "must_touch_boundary", "edges_needed": 3}, "walls touched", True, "3 (left, right, bottom)"),
        ({"type": "must_touch_boundary", "edges_needed": 4}, "walls touched", False, "not touched: top"),
        ({"type": "min_turns", "min_turns": 4}, "turns", True, "4, at least 4"),
        ({"type": "min_turns", "min_turns": 5}, "turns", False, "4, at least 5"),
        ({"type": "max_straight_run", "max_run": 1}, "straight runs", True, "longest 1, at most 1"),
        ({"type": "max_straight_run", "max_run": 0}, "straight runs", False, "1 straight points in a row"),
        ({"type": "coverage_quadrants"}, "quadrants", True, "4 of 4"),
        ({"type": "avoid_margin", "margin_ratio": 0}, "margin", True, "0.000 m, at least 0 m"),
        ({"type": "avoid_margin", "margin_ratio": 0.05}, "margin", False, "Point 0, (0, 0), is in the margin of 0.1 m"),
        ({"type": "min_convex_hull_area", "min_area_ratio": 0.5}, "hull area", True, "2.00 m², at least 2 m²"),
        ({"type": "min_convex_hull_area", "min_area_ratio": 0.51}, "hull area", False, "2.00 m², at least 2.04 m²"),
        ({"type": "fixed_start", "x_ratio": 0.1, "y_ratio": 0}, "start", True, "0.200 m away, at most 0.25 m"),
        ({"type": "fixed_start", "x_ratio": 0.2, "y_ratio": 0}, "start", False, "Point 0 is 0.400 m away"),
        ({"type": "min_point_separation", "min_dist": 1}, "separation", True, "1.000 m, at least 1 m"),
        ({"type": "min_point_separation", "min_dist": 1.01}, "separation", False, "Points 0 and 5 are 1.000 m apart"),
    ],
)  # fmt: skip
def test_a_constraint_says_what_it_measures(constraint, name, passes_, message):
    check = row(order_with(constraint), RECTANGLE, name)
    assert (check.state is State.PASSED) is passes_
    assert message in check.message


def test_a_quadrant_without_a_point_is_named():
    check = row(order_with({"type": "coverage_quadrants"}, side=2.5), RECTANGLE, "quadrants")
    assert check.elements == ("quadrant upper left", "quadrant upper right")


def test_a_straight_run_goes_on_over_the_start_only_in_new_orders():
    points = [(1, 0), (2, 0), (3, 0), (3, 1), (2, 1), (1, 1), (0, 1), (0, 0)]
    shape = PipeShape.of(points, 4)
    assert [len(run) for run in shape.straight_runs(False)] == [2, 2]
    turned = PipeShape.of(points[1:] + points[:1], 4)
    assert sorted(map(len, turned.straight_runs(False))) == [1, 1, 2]
    assert sorted(map(len, turned.straight_runs(True))) == [2, 2]


def test_an_exact_number_of_crossings_takes_the_place_of_none():
    order = order_with({"type": "exact_crossings", "count": 1}, pipes=4)
    assert row(order, BOW, "crossings").state is State.PASSED
    assert row(order_with(pipes=4), BOW, "crossings").message.startswith("Pipes 0 and 2 cross; 1 crossing, 0 wanted")


def test_unknown_constraints_and_numbers_are_refused():
    assert len(TYPES) == 12
    for bad in ({"type": "nonsense"}, {"type": "min_turns"}, {"type": "min_turns", "min_turns": 1, "x": 1},
                {"type": "min_turns", "min_turns": "4"}):  # fmt: skip
        with pytest.raises(ValueError):
            constraints_of([bad])


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([11, 12, 13, 14, 15, 16, 17, 18, 19, 20]), st.floats(0, 0.6))
def test_both_methods_agree_on_shaken_reference_loops(seed, number, strength):
    instance = TASK.instances()[number]
    rng = np.random.default_rng(seed)
    points = np.array(TASK.solve(instance).places)
    points[rng.integers(len(points), size=2)] += rng.normal(0, strength, (2, 2))
    answer = loop_answer(np.clip(points, 0, instance.parameters["side"]).tolist())
    assert TASK.verify(instance, answer).score == TASK.crosscheck(instance, answer).score


# Construction and generator ------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 9), st.floats(0.1, 0.8))
def test_a_grown_loop_has_its_pipes_and_no_point_twice(seed, size, density):
    pipes = max(4, 2 * round(density * (size + 1) ** 2 / 2))
    loop = grown(np.random.default_rng(seed), pipes, size)
    assert loop is None or (len(loop) == len(set(loop)) == pipes)
    assert loop is None or passes(PipeOrder(pipes, float(size), ()), loop)


@pytest.mark.parametrize("preset", [name for name in presets() if name != "any"])
def test_a_new_order_of_every_preset_comes_with_a_loop(preset):
    instance = TASK.generate(3, preset=preset, pipes=40, side=7)
    assert TASK.generate(3, preset=preset, pipes=40, side=7) == instance
    assert TASK.verify(instance, TASK.solve(instance)).passed
    assert TASK.crosscheck(instance, TASK.solve(instance)).passed


def test_constraints_of_your_own_combine():
    own = '[{"type": "min_turns", "min_turns": 10}, {"type": "must_touch_boundary", "edges_needed": 2}]'
    instance = TASK.generate(1, pipes=24, side=6, constraints=own)
    assert TASK.verify(instance, TASK.solve(instance)).passed
    assert TASK.caption(instance) == "24 pipes · 6 m · 2 constraints"


@pytest.mark.parametrize(
    ("difficulty", "reason"),
    [
        ({"pipes": 5}, "3 or an even number"),
        ({"pipes": 2}, "3 or an even number"),
        ({"pipes": 601}, "pipes"),
        ({"pipes": 40, "side": 3, "preset": "none"}, "no construction lays 40 pipes in a square of 3 m"),
        ({"constraints": "[1]"}, "a list of objects"),
        ({"constraints": "no"}, "not JSON"),
        ({"constraints": '[{"type": "nonsense"}]'}, "not a constraint"),
        ({"constraints": '[{"type": "max_crossings", "max": 3}]'}, "exact_crossings"),
    ],
)
def test_the_generator_refuses_with_the_reason(difficulty, reason):
    with pytest.raises(InstanceError, match=reason):
        TASK.generate(0, **difficulty)


def test_a_triangle_is_the_only_odd_loop():
    assert construct(PipeOrder(3, 1.0, ())) is not None
    assert construct(PipeOrder(5, 3.0, ())) is None


# Drawing -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 11, 13, 15, 16, 18, 19])
def test_the_scene_has_everything_that_a_verdict_names(number):
    instance = TASK.instances()[number]
    crossed = loop_answer([(0.1, 0.1), (0.9, 0.9), (0.9, 0.1), (0.1, 0.9), (0.1, 0.9)])
    verdict = TASK.verify(instance, crossed)
    assert set(verdict.failed_elements) <= set(TASK.scene(instance, crossed).ids())


def test_a_chain_that_is_not_closed_shows_its_gap():
    gap = TASK.scene(SIX, loop_answer(RECTANGLE[:4])).item("pipe 3")
    assert gap.dashed
    assert "pipe 5" not in {item.name for item in TASK.scene(SIX, loop_answer(RECTANGLE)).items}


@pytest.mark.parametrize("places", [1, 2, 4])
def test_of_thousands_of_repeated_points_contacts_are_counted_and_the_first_are_listed(places):
    corners = [(1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 2.0)][:places]
    contacts = contacts_of(np.array([corners[i % places] for i in range(400)]))
    few = contacts_of(np.array([corners[i % places] for i in range(40)]))
    assert len(contacts.touches) == 1000 < contacts.touch_count
    assert few.touch_count == len(few.touches)
    assert contacts.crossing_count == few.crossing_count == 0


@pytest.mark.parametrize("method", ["default", "published", "crosscheck"])
def test_thousands_of_repeated_points_are_judged_at_once(method):
    instance = TASK.instances()[0]
    answer = {"points": [{"x": 1.0, "y": 1.0}] * 1200}
    verdict = TASK.crosscheck(instance, answer) if method == "crosscheck" else TASK.verify(instance, answer, method)
    assert verdict.score == 0
    assert all(check.problem_count <= 1200 for check in verdict.checks)
