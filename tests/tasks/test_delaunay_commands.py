"""Commands of triangulations: what each does to the triangles, and what it says about wrong arguments."""

import pytest

from spatial_workbench.engine.core import AnswerError, resolve
from tests.sweeps import some
from tests.tasks.acting import after

TASK, FIRST = resolve("delaunay:0")


def triangles(*corners):
    return [("triangle", {"points": list(three)}) for three in corners]


@pytest.mark.parametrize("instance", some(TASK.instances()), ids=str)
def test_the_reference_triangulation_is_reached_triangle_by_triangle(instance):
    reference = TASK.solve(instance)
    assert after(TASK, instance, *triangles(*reference.triangles)) == reference


def test_corners_are_listed_in_rising_order():
    assert after(TASK, FIRST, *triangles((5, 1, 0))).triangles == ((0, 1, 5),)


def test_a_flip_puts_the_other_diagonal():
    """The edge 2-5 lies between the triangles 1-2-5 and 2-3-5; the other diagonal is 1-3."""
    answer = after(TASK, FIRST, *triangles((1, 2, 5), (2, 3, 5)), ("flip", {"points": [5, 2]}))
    assert sorted(answer.triangles) == [(1, 2, 3), (1, 3, 5)]


def test_flipping_all_failing_edges_gives_the_reference():
    reference = TASK.solve(FIRST)
    wrong = after(TASK, FIRST, ("flip", {"points": [2, 5]}), answer=reference)
    assert sorted(after(TASK, FIRST, ("flip_all", {}), answer=wrong).triangles) == sorted(reference.triangles)


def test_ids_of_later_triangles_become_smaller_when_one_is_deleted():
    answer = after(TASK, FIRST, *triangles((0, 1, 5), (0, 3, 5)), ("delete", {"triangles": [0]}))
    assert TASK.state(FIRST, answer) == {"triangles": [{"id": 0, "points": [0, 3, 5]}]}


def test_triangles_may_overlap_since_nobody_judges():
    assert len(after(TASK, FIRST, *triangles((0, 1, 2), (0, 1, 3))).triangles) == 2


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("triangle", {"points": [0, 1, 99]}), "There is no point 99; points go from 0 to 5"),
        (("triangle", {"points": [0, 1, 1]}), "make no triangle"),
        (("triangle", {"points": [0, 1, 5]}), "there already"),
        (("triangle", {"points": [0, 1]}), "points"),
        (("triangle", {"points": [0, 1, float("nan")]}), "must be a whole number"),
        (("triangle", {"points": list(range(10_000))}), "points"),
        (("triangle", {"corners": [0, 1, 2]}), "points is missing"),
        (("flip", {"points": [0, 1]}), "The edge 0-1 is not between two triangles"),
        (("delete", {"triangles": [7]}), "There is no triangle 7; ids go from 0 to 0"),
        (("delete", {"triangles": [True]}), "must be a whole number"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, FIRST, *triangles((0, 1, 5)), call)
