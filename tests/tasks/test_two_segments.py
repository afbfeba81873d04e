"""Two segments: the rules of docs/tasks/two_segments.md."""

import json
import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from spatial_workbench.engine.core import InstanceError, State, Verdict
from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.core.scene import Label
from spatial_workbench.engine.tasks.two_segments import answer_at
from spatial_workbench.engine.tasks.two_segments.arrangement import SegmentsArrangement
from spatial_workbench.engine.tasks.two_segments.board import SegmentsBoard, spell
from spatial_workbench.engine.tasks.two_segments.editing import moved_parallel, snap_candidates, snapped, tallies
from spatial_workbench.engine.tasks.two_segments.generator import grid_solutions, partition_types, random_square
from spatial_workbench.engine.tasks.two_segments.partition import counts_of, crosses, divide, regions_of, shape_counts
from spatial_workbench.engine.tasks.two_segments.placement import SegmentsPlacement

TASK = task("two_segments")
NUMBERS = range(27)
WRONG_BY_AFFINE_MAP = {23}


def on_unit(*segments, number=4):
    """The verdict on segments given by coordinates, on the unit square of instance `number`."""
    return TASK.verify(TASK.instances()[number], {"segments": segments})


def message(verdict):
    return next(check.message for check in verdict.checks if check.state is State.FAILED)


# Published instances -------------------------------------------------------------------------------------------------


def test_there_are_27_published_instances():
    assert len(TASK.instances()) == 27
    assert [i.parameters["target"] for i in TASK.instances()[:4]] == ["2T 2Q", "1T 1Q 1P", "2T 1Q 1H", "3T 1P"]


@pytest.mark.parametrize("number", NUMBERS)
def test_the_reference_answer_passes_both_methods(number):
    instance = TASK.instances()[number]
    answer = TASK.solve(instance)
    assert TASK.verify(instance, answer).passed
    assert TASK.crosscheck(instance, answer).passed


@pytest.mark.parametrize("number", NUMBERS)
def test_the_published_verifier_refuses_only_the_reference_answer_of_23(number):
    instance = TASK.instances()[number]
    verdict = TASK.verify(instance, TASK.solve(instance), "published")
    assert verdict.passed == (number not in WRONG_BY_AFFINE_MAP)


@pytest.mark.parametrize("number", [2, 20])
def test_the_published_verifier_accepts_only_cuts_around_corner_0_of_a_general_quadrilateral(number):
    instance = TASK.instances()[number]
    board = SegmentsBoard.of(instance.parameters)
    turned = [answer_at(board, ((0.3 + k, 3.25 + k), (0.75 + k, 3.7 + k))) for k in range(4)]
    assert [TASK.verify(instance, answer).passed for answer in turned] == [True] * 4
    assert [TASK.verify(instance, answer, "published").passed for answer in turned] == [True, False, False, False]


@pytest.mark.parametrize("number", NUMBERS)
def test_every_region_of_a_reference_answer_has_over_4_percent(number):
    instance = TASK.instances()[number]
    assert TASK.verify(instance, TASK.solve(instance)).figure("smallest region") > 4.3


@pytest.mark.parametrize(("number", "seed"), [(1, 37), (11, 71), (15, 53), (22, 101), (24, 19), (25, 83), (26, 97)])
def test_a_shifted_square_comes_from_its_seed(number, seed):
    corners = random_square(random.Random(seed))
    assert np.allclose(corners, TASK.instances()[number].parameters["corners"], atol=1e-12)


@pytest.mark.parametrize(
    ("number", "solutions"), [(0, 344), (3, 100), (5, 81), (7, 992), (9, 18), (10, 192), (13, 1152), (18, 2592)]
)
def test_the_published_grids_have_their_known_number_of_solutions(number, solutions):
    board = SegmentsBoard.of(TASK.instances()[number].parameters)
    assert sum(1 for _ in grid_solutions(board)) == solutions


# Bad input -----------------------------------------------------------------------------------------------------------

GOOD = [[0.25, 0], [0.75, 1]]


@pytest.mark.parametrize("segments", [[], [GOOD], [GOOD] * 3, [GOOD, [[0, 0], [1, 0.5, 1]]], [GOOD, [[0, 0]]], 7, None])
def test_anything_but_two_segments_of_two_points_is_refused(segments):
    verdict = TASK.verify(TASK.instances()[4], json.dumps({"segments": segments}))
    assert "two segments of two points are expected" in message(verdict)
    assert verdict.score == 0


@pytest.mark.parametrize("value", ["NaN", "Infinity", '"0.5"', "true", "null", "1e999"])
def test_anything_but_a_finite_number_is_refused_with_its_place(value):
    raw = f'{{"segments": [[[0.25, 0], [0.75, 1]], [[0, {value}], [1, 0.5]]]}}'
    assert "segments[1][0]: two finite numbers expected" in message(TASK.verify(TASK.instances()[4], raw))


def test_the_message_about_an_end_off_the_boundary_says_what_is_allowed():
    assert message(on_unit(GOOD, [[1, 0.25], [0.014, 0.5]])).endswith("; at most 0.0005 is allowed")


@pytest.mark.parametrize(
    ("segments", "number", "expected"),
    [
        (
            (GOOD, [[1, 0.25], [0.014, 0.5]]),
            4,
            "end B of segment 1 is 0.014 away from the nearest side",
        ),
        ((GOOD, [[1, 0.25], [-0.014, 0.5]]), 4, "end B of segment 1 is outside, 0.014 away from the nearest side"),
        (([[0.3, 0], [1, 1]], [[0, 0.2], [1, 0]]), 0, "end A of segment 0: x = 0.3 is not one of 0, 0.2, 0.4"),
        ((GOOD, [[1, 0.25], [1, 0.25]]), 4, "segment 1 has no length"),
        ((GOOD, [[0, 0], [1, 0]]), 4, "segment 1 runs along the bottom side"),
        ((GOOD, [[1, 0.25], [1, 0.5]]), 4, "segment 1 runs along the right side"),
        ((GOOD, GOOD[::-1]), 4, "both segments are the same"),
        (([[0, 0], [1, 0.2]], [[0.01, 0], [1, 1]]), 6, "region 0 is too small (0.0012 % of the area)"),
        (([[0, 0], [1, 1]], [[0, 0.5], [0.5, 1]]), 6, "2 triangles and 1 quadrilateral; wanted 1 triangle and 2"),
    ],
)
def test_a_wrong_answer_is_told_what_is_wrong(segments, number, expected):
    verdict = on_unit(*segments, number=number)
    assert expected in message(verdict)
    assert verdict.score == 0
    assert not TASK.crosscheck(TASK.instances()[number], {"segments": segments}).passed


def test_checks_after_the_first_failing_one_are_not_reached():
    states = [check.state for check in on_unit(GOOD, GOOD).checks]
    assert states == [State.PASSED] * 3 + [State.FAILED] + [State.NOT_REACHED] * 2


def test_the_published_verifier_accepts_a_sliver_that_its_rounding_hides():
    answer = {"segments": [[[0, 0], [1, 0.2]], [[0.01, 0], [1, 1]]]}
    assert TASK.verify(TASK.instances()[6], answer, "published").passed
    assert not TASK.verify(TASK.instances()[6], answer).passed


@pytest.mark.parametrize(
    ("number", "segments", "passes"),
    [
        (16, [[[0.15, 1], [0, 0]], [[0.85, 0], [0, 0.998]]], False),
        (12, [[[0.45, 0], [0, 0.15]], [[0.2, 1], [0, 0.1]]], False),
        (14, [[[0.4, 1], [1, 0.98]], [[0.42, 1], [0, 0.1]]], True),
    ],
)
def test_the_published_verifier_rounds_the_crossing_and_drops_one_straight_corner_at_a_time(number, segments, passes):
    verdict = TASK.verify(TASK.instances()[number], {"segments": segments}, "published")
    assert verdict.passed is passes


@pytest.mark.parametrize("value", [0.0005, 0.2505, 0.5005, 0.7495])
def test_the_published_verifier_refuses_an_end_exactly_half_a_unit_off_the_grid(value):
    answer = {"segments": [[[value, 0], [0.75, 1]], [[0, 0.75], [1, 0.25]]]}
    states = [TASK.verify(TASK.instances()[5], answer, name).checks[0].state for name in ("default", "published")]
    assert states == [State.PASSED, State.FAILED]


def test_counts_over_target_name_their_regions():
    verdict = on_unit([[0, 0], [1, 1]], [[0, 0.5], [0.5, 1]], number=6)
    assert len(verdict.failed_elements) == 2
    assert all(element.startswith("region ") for element in verdict.failed_elements)


# Tolerance -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("off", "passes"), [(0.0004, True), (-0.0004, True), (0.0006, False), (-0.0006, False)])
def test_an_end_may_be_off_its_side_by_half_a_unit_of_the_last_decimal(off, passes):
    answer = {"segments": [[[0.25, off], [0.75, 1]], [[1, 0.25], [0, 0.75]]]}
    assert TASK.verify(TASK.instances()[4], answer).passed is passes
    assert TASK.crosscheck(TASK.instances()[4], answer).passed is passes


@pytest.mark.parametrize("verify", [TASK.verify, TASK.crosscheck])
def test_an_end_at_a_slanted_corner_belongs_to_a_side_whose_strip_holds_it(verify):
    answer = {"segments": [[[0.511, 0.662], [0, 0]], [[0.917, 0.696], [0, 0]]]}
    assert verify(TASK.generate(1004), answer).passed


@pytest.mark.parametrize("verify", [TASK.verify, TASK.crosscheck])
def test_a_region_of_exactly_the_smallest_share_is_no_sliver(verify):
    answer = {"segments": [[[1, 0.6], [0.7, 0]], [[0.85, 1], [1, 0.55]]]}
    assert verify(TASK.instances()[12], answer).passed


@pytest.mark.slow
@settings(max_examples=300)
@given(st.tuples(*[st.integers(0, 3)] * 4), st.tuples(*[st.integers(-12, 12)] * 8), st.integers(0, 20))
def test_both_methods_choose_the_same_side_at_corners_of_slanted_frames(corners, offsets, seed):
    instance = TASK.generate(1000 + seed, frame=("parallelogram", "quadrilateral", "rotated")[seed % 3])
    board = SegmentsBoard.of(instance.parameters)
    steps = np.array(offsets).reshape(4, 2) * board.tolerance / 4
    ends = (np.array([board.corners[k] for k in corners]) + steps).tolist()
    first, second = SegmentsArrangement(board, [ends[:2], ends[2:]]).places
    nears = [board.nearest(end) for end in ends]
    ticks = [board.snap(near) if board.on_boundary(near) else None for near in nears]
    assert [p if p is None else round(p * board.ticks) % (4 * board.ticks) for p in (*first, *second)] == ticks


def test_an_end_close_to_a_corner_counts_as_the_corner():
    assert on_unit([[0.0003, 0], [1, 0.75]], [[1, 0.0004], [0, 0.75]], number=21).passed


def test_the_order_of_segments_and_ends_does_not_matter():
    assert on_unit([[0, 0.75], [1, 0.25]], [[0.75, 1], [0.25, 0]]).passed


# The rule and the arrangement ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", partition_types())
def test_the_example_of_each_type_makes_its_shapes_in_a_general_quadrilateral(target):
    instance = TASK.generate(5, partition=target, frame="quadrilateral")
    answer = TASK.solve(instance)
    assert TASK.verify(instance, answer).passed
    assert TASK.crosscheck(instance, answer).passed


def test_24_equally_spaced_ends_give_each_type_as_often_as_documented():
    chords = [(a, b) for a, b in combinations(range(24), 2) if not on_one_side(6, a, b)]
    pairs = Counter(spell(shape_counts(divide(6, a, b))) for a, b in combinations(chords, 2))
    assert len(pairs) == 17
    assert pairs["4 triangles"] == 1
    assert pairs["1 triangle, 2 quadrilaterals and 1 pentagon"] == 3000
    assert pairs["2 triangles and 1 pentagon"] == 2300


def on_one_side(n, a, b):
    sides = [{t // n, (t // n - 1) % 4} if t % n == 0 else {t // n} for t in (a, b)]
    return bool(sides[0] & sides[1])


ENDS = st.tuples(*[st.integers(0, 399)] * 4)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(ENDS, st.sampled_from([2, 4, 23]))
def test_the_rule_of_the_cyclic_order_agrees_with_the_arrangement(ends, number):
    a, b, c, d = (end / 100 for end in ends)
    board = SegmentsBoard.of(TASK.instances()[number].parameters)
    segments = answer_at(board, ((a, b), (c, d))).segments
    assume(SegmentsPlacement(board, segments).is_partition)
    arrangement = SegmentsArrangement(board, segments)
    arrangement.build_graph()
    assert arrangement.counts() == counts_of(SegmentsPlacement(board, segments).regions)
    assert arrangement.euler_faces() == len(arrangement.faces)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(ENDS, st.sampled_from([2, 4, 23]))
def test_both_methods_give_the_same_score(ends, number):
    a, b, c, d = (end / 100 for end in ends)
    instance = TASK.instances()[number]
    answer = answer_at(SegmentsBoard.of(instance.parameters), ((a, b), (c, d)))
    assert TASK.verify(instance, answer).score == TASK.crosscheck(instance, answer).score


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(ENDS)
def test_the_areas_of_the_regions_add_up_to_the_frame(ends):
    board = SegmentsBoard.of(TASK.instances()[2].parameters)
    a, b, c, d = (10 * end for end in ends)
    assume({a, b} != {c, d} and not on_one_side(1000, a, b) and not on_one_side(1000, c, d))
    regions = regions_of(board, (a, b), (c, d))
    assert len(regions) == (4 if crosses((a, b), (c, d)) else 3)
    assert sum(region.share for region in regions) == pytest.approx(1)


# Generator -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_a_drawn_instance_is_solved_by_its_reference(seed):
    instance = TASK.generate(seed)
    assert TASK.generate(seed) == instance
    assert TASK.verify(instance, TASK.solve(instance)).passed


@pytest.mark.parametrize(
    ("difficulty", "reason"),
    [
        ({"partition": "5T"}, "partition"),
        ({"corners": "0,0 0,1 1,1 1,0"}, "clockwise"),
        ({"corners": "0,0 1,0 0.2,0.2 0,1"}, "not convex"),
        ({"corners": "0,0 1,0 1,1"}, "four pairs"),
        ({"partition": "2T 1H", "grid_values": "0 1"}, "no two segments"),
        ({"grid": "with", "frame": "rotated"}, "needs the unit square"),
    ],
)
def test_the_generator_refuses_with_the_reason(difficulty, reason):
    with pytest.raises(InstanceError, match=reason):
        TASK.generate(1, **difficulty)


def test_equal_parameters_give_equal_prompts():
    first, second = TASK.generate(3, grid="with", frame="unit"), TASK.generate(3, grid="with", frame="unit")
    assert TASK.prompt(first) == TASK.prompt(second)


def test_the_prompt_prints_corners_with_6_digits_and_tells_the_tolerance():
    text = TASK.prompt(TASK.instances()[1]).text
    assert "(0.0203904, 0.137524), (0.797794, 0.137524), (0.797794, 0.914927), (0.0203904, 0.914927)" in text
    assert "at most 0.00005 of that side's length" in text


def test_the_prompt_lists_the_grid():
    assert "0, 0.15, 0.33, 0.5, 0.67, 0.85, 1." in TASK.prompt(TASK.instances()[3]).text


# Editor and scene ----------------------------------------------------------------------------------------------------

UNIT = SegmentsBoard.of(TASK.instances()[4].parameters)


def test_a_pointer_slides_round_the_corners():
    assert UNIT.nearest_s((0.4, -0.3)) == pytest.approx(0.4)
    assert UNIT.nearest_s((1.2, 0.25)) == pytest.approx(1.25)
    assert UNIT.nearest_s((-1, -1)) == 0


def test_the_stronger_kind_attracts_first():
    candidates = snap_candidates(UNIT, others=[0.52])
    assert snapped(UNIT, (0.515, 0.1), candidates, 0.03) == (0.5, "midpoint")
    assert snapped(UNIT, (0.535, 0), candidates, 0.02) == (0.52, "end")
    assert snapped(UNIT, (0.338, 0), candidates, 0.02) == (pytest.approx(0.35), "step")
    assert snapped(UNIT, (0.33, 0), candidates, 0.001) == (pytest.approx(0.33), "")


def test_grid_values_attract_before_anything_else():
    board = SegmentsBoard.of(TASK.instances()[3].parameters)
    assert snapped(board, (0.34, 0), snap_candidates(board), 0.02) == (0.33, "grid")


def test_a_segment_moves_parallel_until_it_leaves_the_frame():
    assert moved_parallel(UNIT, (0.25, 2.75), (0.1, 0.4)) == pytest.approx((0.35, 2.65))
    assert moved_parallel(UNIT, (0.25, 2.75), (2, 0)) is None


def test_the_live_counts_stand_beside_the_target():
    bar = tallies(UNIT, TASK.solve(TASK.instances()[12]).segments)
    assert [(t.letter, t.actual, t.target) for t in bar] == [("T", 1, 0), ("Q", 2, 4), ("P", 1, 0)]


def test_the_scene_fills_regions_by_shape_and_letters_them():
    instance = TASK.instances()[12]
    scene = TASK.scene(instance, TASK.solve(instance))
    letters = [item.text for item in scene.items if isinstance(item, Label)]
    assert sorted(letters) == ["P", "Q", "Q", "T"]
    assert {"frame", "region 3", "segment 1", "end 0A", "end 1B", "crossing"} <= set(scene.ids())
    assert scene.flat
    assert scene.y_up


def test_regions_over_the_target_are_outlined():
    scene = TASK.scene(TASK.instances()[4], TASK.solve(TASK.instances()[12]))
    shapes = {scene.item(f"letter {i}").text for i in range(4) if f"wrong {i}" in set(scene.ids())}
    assert shapes == {"T", "P"}


def test_an_answer_that_cuts_nothing_can_still_be_drawn():
    scene = TASK.scene(TASK.instances()[4], TASK.parse({"segments": [GOOD, [[2, 2], [3, 3]]]}))
    assert "region 0" not in set(scene.ids())


def test_the_text_of_an_answer_and_the_json_of_a_verdict_read_back():
    answer = TASK.solve(TASK.instances()[1])
    verdict = TASK.verify(TASK.instances()[1], answer)
    assert TASK.parse(TASK.format(answer)) == answer
    assert Verdict.model_validate_json(verdict.model_dump_json()) == verdict


def test_the_schema_asks_for_two_segments_and_nothing_else():
    schema = TASK.schema()
    assert schema["required"] == ["segments"]
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("number", NUMBERS)
def test_the_empty_answer_cuts_the_frame_but_solves_nothing(number):
    verdict = TASK.verify(TASK.instances()[number], TASK.empty(TASK.instances()[number]))
    assert verdict.figure("regions") in (3, 4)
    assert not verdict.passed
