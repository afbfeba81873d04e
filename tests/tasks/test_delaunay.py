"""Delaunay triangulation: the checks, the published sets, and the nine where the published key is wrong."""

from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from spatial_workbench.engine.core import AnswerError, Cancelled, InstanceError, State, Verdict, silent
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.scene import Polygon
from spatial_workbench.engine.tasks.delaunay import checks, geometry, is_unambiguous, points_of
from spatial_workbench.engine.tasks.delaunay.crosscheck import judge as judge_again
from spatial_workbench.engine.tasks.delaunay.drawing import draw_circle
from spatial_workbench.engine.tasks.delaunay.editing import flipped, legalised, objection
from tests.sweeps import some

TASK = task_of("delaunay")
FIRST = TASK.instances()[0]
TRIANGLES = (5, 9, 11, 23, 39, 44, 52, 57, 62, 71, 73, 81, 90, 92, 95, 101, 108, 113, 119, 126, 125, 135, 138, 137, 139)
CONFLICTS = (11, 14, 15, 16, 19, 20, 21, 22, 24)
RIGHT = [[0, 1, 5], [0, 3, 5], [1, 2, 5], [2, 3, 4], [2, 3, 5]]


def judged(triangles, verifier="default"):
    return TASK.verify(FIRST, {"triangles": triangles}, verifier)


def messages(verdict):
    return [problem.message for check in verdict.checks for problem in check.problems]


@pytest.mark.parametrize("number", some(range(25)))
def test_the_reference_solves_every_published_set_by_both_methods(number):
    instance = TASK.instances()[number]
    answer = TASK.solve(instance)
    points = points_of(instance)
    assert len(answer.triangles) == TRIANGLES[number] == 2 * len(points) - 2 - len(geometry.hull(points))
    assert TASK.verify(instance, answer).passed
    assert TASK.crosscheck(instance, answer).passed


@pytest.mark.parametrize("number", some(range(25)))
def test_the_published_key_is_wrong_for_nine_of_the_displayed_sets(number):
    instance = TASK.instances()[number]
    agrees = TASK.verify(instance, TASK.solve(instance), "published").passed
    assert agrees is (number not in CONFLICTS)


def test_the_published_key_itself_fails_where_it_is_wrong():
    instance = TASK.instances()[11]
    key = [list(triangle) for triangle in sorted(TASK.published_key(instance))]
    assert TASK.verify(instance, {"triangles": key}, "published").passed
    assert not TASK.verify(instance, {"triangles": key}).passed


def test_order_and_direction_do_not_matter():
    assert judged([triangle[::-1] for triangle in RIGHT[::-1]]).passed


@pytest.mark.parametrize(
    ("triangles", "sentence"),
    [
        ([], "No triangles"),
        ([[0, 1, 6]], "Triangle 0: point 6 does not exist (0..5)"),
        ([[-1, 1, 2]], "Triangle 0: point -1 does not exist (0..5)"),
        ([[0, 1, 1]], "Triangle 0 uses point 1 twice"),
        ([[0, 1, 5], [5, 1, 0]], "Triangle 1 repeats triangle 0"),
        ([[0, 1, 5], [0, 1, 2]], "Triangles 0 and 1 overlap"),
        (RIGHT[:3], "Point 4 is not connected"),
        ([[0, 1, 5], [1, 2, 5], [2, 3, 4], [2, 3, 5]], "The triangles cover"),
    ],
)
def test_wrong_triangles_are_explained(triangles, sentence):
    verdict = judged(triangles)
    assert not verdict.passed
    assert any(message.startswith(sentence) for message in messages(verdict))


def test_the_paper_s_wrong_output_lacks_two_triangles_and_has_three_wrong_ones():
    key = {tuple(triangle) for triangle in RIGHT}
    given = (key - {(2, 3, 4), (2, 3, 5)}) | {(0, 1, 2), (2, 4, 5), (3, 4, 5)}
    verdict = judged([list(triangle) for triangle in given])
    assert (verdict.figure("missing"), verdict.figure("extra")) == (2, 3)


def test_an_edge_on_the_wrong_diagonal_is_named_with_the_point_inside():
    edge = (2, 3)
    wrong = flipped(points_of(FIRST), tuple(map(tuple, RIGHT)), edge)
    verdict = judged([list(triangle) for triangle in wrong])
    assert "has to be flipped" in messages(verdict)[0]
    assert any(element.startswith("edge ") for element in verdict.failed_elements)


def test_flat_triangles_are_named():
    instance = TASK.generate(1, points=5)
    flat = type(instance).published("delaunay", 99, {"points": [[0, 0], [1, 1], [2, 2], [0, 2]]})
    assert messages(TASK.verify(flat, {"triangles": [[0, 1, 2]]})) == ["Triangle 0 has no area"]


def test_of_four_concyclic_points_either_diagonal_is_right_for_both_methods():
    square = type(FIRST).published("delaunay", 99, {"points": [[0, 0], [10, 0], [10, 10], [0, 10]]})
    for triangles in ([[0, 1, 2], [0, 2, 3]], [[0, 1, 3], [1, 2, 3]]):
        assert TASK.verify(square, {"triangles": triangles}).passed
        assert TASK.crosscheck(square, {"triangles": triangles}).passed


@pytest.mark.parametrize("entry", [[0, 1], [0, 1, 2, 3], [0, 1, 2.5], [0, 1, True], "012", None])
def test_what_is_no_triple_is_refused_with_its_place(entry):
    with pytest.raises(AnswerError, match="Triangle 1: three indices expected"):
        TASK.parse({"triangles": [[0, 1, 2], entry]})


def test_too_many_triangles_are_refused():
    with pytest.raises(AnswerError, match=r"Too many triangles \(limit 4000\)"):
        TASK.parse({"triangles": [[0, 1, 2]] * 4001})


@pytest.mark.parametrize("difficulty", [{}, {"points": 40, "clusters": 3}, {"points": 3}])
def test_generated_points_have_one_answer_and_repeat_for_their_seed(difficulty):
    instance = TASK.generate(5, **difficulty)
    assert instance == TASK.generate(5, **difficulty)
    assert is_unambiguous(points_of(instance))
    assert TASK.verify(instance, TASK.solve(instance)).passed
    assert TASK.crosscheck(instance, TASK.solve(instance)).passed


def test_the_generator_refuses_too_few_points_with_the_field():
    with pytest.raises(InstanceError, match="points"):
        TASK.generate(1, points=2)


PLACES = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), min_size=3, max_size=12, unique=True)


def with_empty_circles(points):
    """All triples whose circumcircle has no point inside."""
    for triple in combinations(range(len(points)), 3):
        a, b, c = (points[i] for i in geometry.counter_clockwise(points, triple))
        if geometry.orient(a, b, c) and all(geometry.in_circle(a, b, c, p) <= 0 for p in points):
            yield triple


@settings(deadline=None)
@given(PLACES)
def test_growing_and_testing_all_triples_agree(places):
    points = tuple(places)
    assume(len(geometry.hull(points)) >= 3 and is_unambiguous(points))
    assert set(geometry.delaunay(points)) == set(with_empty_circles(points))


SQUARES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=4, max_size=8, unique=True)


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(SQUARES, st.data())
def test_both_methods_agree_on_points_with_ties_whatever_the_triangles(places, data):
    points = tuple(places)
    empty = list(with_empty_circles(points))
    triangles = data.draw(st.permutations(empty).map(lambda some: some[: 2 * len(points)])) if empty else []
    chosen = triangles[: data.draw(st.integers(0, len(triangles)))]
    passed = all(check.state is State.PASSED for check in checks.run(points, chosen))
    assert passed == bool(judge_again(points, chosen, silent).score)


@pytest.mark.slow
def test_a_thousand_points_are_judged_by_both_methods_and_the_crosscheck_can_be_cancelled():
    instance = TASK.generate(5, points=1024)
    verdicts = TASK.verify_all(instance, TASK.solve(instance))
    assert all(verdict.passed for verdict in verdicts)
    with pytest.raises(Cancelled):
        TASK.crosscheck(instance, TASK.solve(instance), cancelled)


def cancelled(done, total, text=""):
    raise Cancelled


@pytest.mark.parametrize("number", some(range(25)))
def test_the_prompt_promises_no_more_than_the_points_keep(number):
    instance = TASK.instances()[number]
    points = points_of(instance)
    triangles = geometry.delaunay(points_of(instance))
    for edge, owners in geometry.edge_owners(triangles).items():
        if len(owners) == 2:
            a, b, c = (points[i] for i in geometry.counter_clockwise(points, triangles[owners[0]]))
            assert geometry.in_circle(a, b, c, points[geometry.third(triangles[owners[1]], edge)]) < 0
    assert "general position" not in TASK.prompt(instance).text


@settings(deadline=None)
@given(PLACES, st.lists(st.integers(0, 100), max_size=8))
def test_flipping_failing_edges_leads_back_to_the_answer(places, choices):
    points = tuple(places)
    assume(len(geometry.hull(points)) >= 3 and is_unambiguous(points))
    triangles = geometry.delaunay(points)
    for choice in choices:
        edges = [edge for edge, owners in geometry.edge_owners(triangles).items() if len(owners) == 2]
        if edges:
            triangles = flipped(points, triangles, edges[choice % len(edges)]) or triangles
    assert tuple(sorted(map(tuple, map(sorted, legalised(points, triangles))))) == geometry.delaunay(points)


def test_a_triangle_that_overlaps_is_objected_to():
    points = points_of(FIRST)
    assert objection(points, [(0, 1, 5)], (0, 1, 2)) == "It overlaps triangle 0"
    assert objection(points, [(0, 1, 5)], (5, 0, 1)) == "This triangle is there already"
    assert objection(points, [(0, 1, 5)], (1, 2, 5)) == ""


def test_a_verdict_travels_as_json_and_names_elements_of_the_scene():
    answer = TASK.parse({"triangles": [[0, 1, 5], [0, 1, 2]]})
    verdict = TASK.verify(FIRST, answer)
    assert Verdict.model_validate_json(verdict.model_dump_json()) == verdict
    assert set(verdict.failed_elements) <= set(TASK.scene(FIRST, answer, verdict).ids())


def test_the_prompt_shows_three_decimals_and_never_changes():
    assert "0: (0.956, 0.208)" in TASK.prompt(FIRST).text
    assert TASK.prompt(FIRST) == TASK.prompt(FIRST)


def test_corners_on_one_line_have_no_circle_to_be_drawn():
    assert draw_circle(((0, 0), (500, 500), (1000, 1000)), (0, 1, 2), "circle") == []


def test_the_two_keys_are_drawn_where_they_differ():
    instance = TASK.instances()[11]
    answer = TASK.solve(instance)
    ours, theirs = (TASK.verify(instance, answer, name) for name in ("default", "published"))
    contrast = TASK.contrast(instance, answer, ours, theirs)
    drawn = {item.id for item in contrast.scene.items if isinstance(item, Polygon)}
    assert "triangle 1-15-18" in drawn
    assert "1-15-18" in contrast.says
    assert TASK.contrast(instance, answer, ours, ours) is None
    assert TASK.contrast(TASK.instances()[0], TASK.solve(TASK.instances()[0]), ours, theirs) is None
