"""Packing: the orders, known packings, both methods, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_workbench.engine.core import AnswerError
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.solving.handing_in import handed_in
from spatial_workbench.engine.tasks.pack_prisms import Packing
from spatial_workbench.engine.tasks.pack_prisms.editing import (
    drop,
    laid_on,
    lattice,
    lonely_sides,
    mirrored,
    orientations,
    turned,
)
from spatial_workbench.engine.tasks.pack_prisms.packing import (
    BoxClass,
    PackingOrder,
    factor_triples,
    gaps,
    overlapping_pairs,
)
from spatial_workbench.engine.tasks.pack_prisms.search import enclosing_volume, search
from tests.sweeps import some

TASK = task_of("pack_prisms")
BOXES = (7, 18, 32, 49, 68, 91, 106, 108, 158)
VOLUMES = (210, 1365, 6755, 23772, 69961, 166538, 166913, 167593, 6417593)
KNOWN = (1, 1, 1, 0.968, 0.971, 0.943, 0.959, 0.949, 0.996)
"""Efficiencies that the solution has to reach at least."""


def order(number):
    return PackingOrder.of(TASK.instances()[number].parameters)


def judged(boxes, number=0, verifier="default"):
    data = {"boxes": [{"XyzMin": list(low), "XyzMax": list(high)} for low, high in boxes]}
    return TASK.verify(TASK.instances()[number], data, verifier)


def solved(number=0):
    low, high = TASK.solve(TASK.instances()[number]).corners
    return list(zip(low.tolist(), high.tolist(), strict=True))


def failed(verdict):
    return [check.name for check in verdict.checks if check.state == "failed"]


def messages(verdict):
    return [problem.message for check in verdict.checks for problem in check.problems]


@pytest.mark.parametrize("number", some(range(9)))
def test_the_published_orders_and_their_solutions(number):
    instance = TASK.instances()[number]
    assert (order(number).boxes, order(number).volume) == (BOXES[number], VOLUMES[number])
    assert order(number).perfect == (number < 3)
    low, high = TASK.solve(instance).corners
    assert order(number).volume / enclosing_volume(low, high) >= KNOWN[number]
    assert TASK.verify(instance, TASK.solve(instance)).passed
    assert TASK.crosscheck(instance, TASK.solve(instance)).score == 1
    assert TASK.verify(instance, TASK.solve(instance), "published").score == 1


def test_subtask_2_has_a_perfect_packing_although_the_published_rule_asks_for_95_percent():
    shifted = [
        ([x, y, z + (5 if z > 180 else 0)], [a, b, c + (5 if z > 180 else 0)]) for (x, y, z), (a, b, c) in solved(2)
    ]
    assert judged(shifted, 2).score == pytest.approx(193 / 198)
    assert judged(shifted, 2, "published").score == 1


@pytest.mark.parametrize("number", [4, 5, 6, 7])
def test_no_perfect_box_passes_the_necessary_tests(number):
    assert order(number).perfect_containers() == []


def test_the_boxes_that_pass_the_necessary_tests():
    assert order(2).perfect_containers() == [(5, 7, 193)]
    assert order(3).perfect_containers() == [(7, 12, 283)]
    assert order(8).perfect_containers() == [(91, 109, 647)]


def test_factors_of_a_volume():
    assert factor_triples(30) == [(2, 3, 5)]
    assert factor_triples(167593) == []


def test_an_imperfect_packing_of_a_perfect_order_scores_its_efficiency():
    boxes = solved()
    boxes[0] = ([0, 0, 10], [5, 3, 12]) if boxes[0][1][2] - boxes[0][0][2] == 2 else boxes[0]
    assert judged(boxes).score == pytest.approx(210 / (5 * 7 * 12))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda b: b[1:], "6 boxes of 2×3×5, 7 are wanted"),
        (lambda b: [*b, ([90, 0, 0], [95, 3, 2])], "8 boxes of 2×3×5, 7 are wanted"),
        (lambda b: [([0, 0, 0], [5, 3, 1]), *b[1:]], "1 box of 1×3×5, 0 are wanted"),
        (lambda b: [b[1], *b[1:]], "Boxes 0 and 1 overlap"),
        (lambda b: [([5, 3, 2], [0, 0, 0]), *b[1:]], "Box 0: XyzMin is not below XyzMax in x"),
        (lambda b: [([0, 0, 0], [0, 3, 2]), *b[1:]], "Box 0: XyzMin is not below XyzMax in x (0 to 0)"),
        (lambda b: [], "0 boxes of 2×3×5, 7 are wanted"),
    ],
)
def test_wrong_packings_are_explained(change, sentence):
    verdict = judged(change(solved()))
    assert verdict.score == 0
    assert any(sentence in message for message in messages(verdict))


def test_two_inverted_axes_pass_the_published_verifier_only_by_volume():
    boxes = solved()
    low, high = boxes[0]
    flipped = ([high[0], high[1], low[2]], [low[0], low[1], high[2]])
    assert failed(judged([flipped, *boxes[1:]])) == ["every box has a volume"]
    assert "volumes add up" not in failed(judged([flipped, *boxes[1:]], verifier="published"))


def test_the_box_is_measured_around_the_boxes_and_not_from_the_origin():
    shifted = [([v + 3 for v in low], [v + 3 for v in high]) for low, high in solved()]
    assert judged(shifted).score == 1
    assert judged(shifted, verifier="published").score < 1


def test_negative_coordinates_are_fine_but_the_published_verifier_refuses_them():
    shifted = [([v - 3 for v in low], [v - 3 for v in high]) for low, high in solved()]
    verdict = judged(shifted)
    assert verdict.score == 1
    assert any("negative" in warning for warning in verdict.warnings)
    assert failed(judged(shifted, verifier="published")) == ["no negative coordinate"]


def test_3_0_stands_for_3():
    boxes = [([float(v) for v in low], high) for low, high in solved()]
    assert judged(boxes).passed


def test_of_several_answers_the_one_with_most_boxes_counts():
    answer = TASK.parse([{"boxes": []}, {"boxes": [{"XyzMin": [0, 0, 0], "XyzMax": [5, 3, 2]}]}, {"note": 1}])
    assert len(answer.boxes) == 1
    assert "most boxes counts" in answer.warnings[0]


@pytest.mark.parametrize(
    "box",
    [
        {"XyzMin": [0, 0, 0]},
        {"XyzMin": [0, 0], "XyzMax": [5, 3, 2]},
        {"XyzMin": [0, 0, 0.5], "XyzMax": [5, 3, 2]},
        {"XyzMin": ["0", 0, 0], "XyzMax": [5, 3, 2]},
        {"XyzMin": [True, 0, 0], "XyzMax": [5, 3, 2]},
        {"XyzMin": [float("nan"), 0, 0], "XyzMax": [5, 3, 2]},
        {"XyzMin": [0, 0, 0], "XyzMax": [5, 3, 10**9]},
        [0, 0, 0, 5, 3, 2],
    ],
)
def test_bad_boxes_are_named(box):
    with pytest.raises(AnswerError) as caught:
        TASK.parse({"boxes": [{"XyzMin": [0, 0, 0], "XyzMax": [5, 3, 2]}, box]})
    assert "boxes[1]" in str(caught.value) + caught.value.place


@pytest.mark.parametrize("data", [{}, {"boxes": None}, {"boxes": 3}, "no packing", 7])
def test_an_answer_without_boxes_is_refused(data):
    with pytest.raises(AnswerError):
        TASK.parse(data)


def test_too_many_boxes_are_refused():
    with pytest.raises(AnswerError, match="limit 1000"):
        TASK.parse({"boxes": [{"XyzMin": [0, 0, 0], "XyzMax": [5, 3, 2]}] * 1001})


@given(st.integers(0, 10**6))
def test_both_methods_agree_on_disturbed_packings(seed):
    rng = np.random.default_rng(seed)
    instance = TASK.instances()[1]
    low, high = (corners.copy() for corners in TASK.solve(instance).corners)
    i = rng.integers(len(low))
    step = rng.integers(-4, 5, 3)
    low[i] += step
    high[i] += step
    answer = Packing.of(low, high)
    assert TASK.verify(instance, answer).score == pytest.approx(TASK.crosscheck(instance, answer).score)


@given(st.integers(0, 10**6))
def test_overlaps_are_those_of_counting_cells(seed):
    low = np.random.default_rng(seed).integers(0, 6, (8, 3))
    high = low + np.random.default_rng(seed + 1).integers(1, 4, (8, 3))
    cells = [
        {(x, y, z) for x in range(a[0], b[0]) for y in range(a[1], b[1]) for z in range(a[2], b[2])}
        for a, b in zip(low, high, strict=True)
    ]
    expected = [[i, j] for i in range(8) for j in range(i + 1, 8) if cells[i] & cells[j]]
    assert overlapping_pairs(low, high).tolist() == expected


@given(st.integers(0, 10**6))
def test_gaps_fill_what_the_boxes_leave(seed):
    rng = np.random.default_rng(seed)
    low = np.array([[0, 0, 0], [4, 4, 4]])
    high = low + rng.integers(1, 4, (2, 3))
    first, last = gaps(low, high)
    boxes = int(np.prod(high - low, axis=1).sum())
    assert int(np.prod(last - first, axis=1).sum()) + boxes == enclosing_volume(low, high)


def test_a_search_finds_the_perfect_packing_of_the_first_order():
    low, high = search([(7, (5, 3, 2))], np.random.default_rng(3), 400)
    assert enclosing_volume(low, high) <= 240
    assert not len(overlapping_pairs(low, high))


@pytest.mark.parametrize("difficulty", [{}, {"classes": 8, "boxes": 80}, {"perfect": False, "boxes": 20}])
def test_generated_orders_come_with_a_packing(difficulty):
    instance = TASK.generate(9, **difficulty)
    verdict = TASK.verify(instance, TASK.solve(instance))
    assert verdict.score > (0.999 if difficulty.get("perfect", True) else 0.8)
    assert instance == TASK.generate(9, **difficulty)


def test_the_prompt_holds_the_boxes_and_the_scale():
    text = TASK.prompt(TASK.instances()[7]).text
    assert "- 23 of 19 x 17 x 13" in text
    assert "167593" in text
    assert "0.95" in text
    assert "without any gap exists" in TASK.prompt(TASK.instances()[0]).text


# Moves of the editor -------------------------------------------------------------------------------------------------


def test_a_box_of_three_different_sides_lies_in_six_ways():
    assert len(orientations((5, 3, 2))) == 6
    assert len(orientations((5, 5, 1))) == 3


def test_a_block_is_cut_off_where_the_tray_is_empty():
    low, high = lattice(np.zeros(3, np.int64), (5, 3, 2), (2, 2, 2), 5)
    assert len(low) == 5
    assert high.max(axis=0).tolist() == [10, 6, 4]


def test_a_box_laid_near_the_edge_of_a_face_is_flush_with_it():
    corner = laid_on(
        np.array([3.1, 1.9, 2.0]), np.array([0, 0, 1.0]), np.array([5, 3, 2]), np.zeros(3, int), np.array([5, 3, 2])
    )
    assert corner.tolist() == [0, 0, 2]


def test_a_group_drops_until_it_meets_something():
    low = np.array([[0, 0, 0], [0, 0, 9]])
    assert drop(low, low + np.array([5, 3, 2]), [1], 2) == 7


def test_four_turns_are_none():
    low, high = np.array([[0, 0, 0], [5, 0, 0]]), np.array([[5, 3, 2], [7, 5, 3]])
    turned_low, turned_high = low, high
    for _ in range(4):
        turned_low, turned_high = turned(turned_low, turned_high, 2)
    assert (turned_low.tolist(), turned_high.tolist()) == (low.tolist(), high.tolist())


def test_two_mirrors_are_none():
    low, high = np.array([[0, 0, 0], [5, 0, 0]]), np.array([[5, 3, 2], [7, 5, 3]])
    assert mirrored(*mirrored(low, high, 0), 0)[0].tolist() == low.tolist()


def test_boxes_that_alone_make_the_bounding_box_large_are_found():
    low = np.array([[0, 0, 0], [5, 0, 0], [0, 0, 2]])
    assert 2 in lonely_sides(low, low + np.array([5, 3, 2]))


def test_a_size_is_found_whatever_way_a_box_lies():
    assert PackingOrder((BoxClass(1, (5, 3, 2)),), True, 1.0).class_of((2, 5, 3)) == 0


def test_a_packing_with_negative_coordinates_is_handed_in_at_the_origin():
    built = TASK.parse({"boxes": [{"XyzMin": [-5, -1, 3], "XyzMax": [0, 2, 5]}]})
    assert handed_in(TASK, built).corners[0].tolist() == [[0, 0, 0]]


@pytest.mark.parametrize("shift", [-7, 0, 4])
def test_a_packing_that_is_handed_in_scores_by_both_verifiers_wherever_it_was_built(shift):
    low, high = (corners + shift for corners in TASK.solve(TASK.instances()[3]).corners)
    placed = handed_in(TASK, Packing.of(low, high))
    assert [TASK.verify(TASK.instances()[3], placed, name).score for name in ("default", "published")] == [1, 1]
