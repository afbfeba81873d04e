"""Histories told as calls: what is kept, taken back, built anew, and what no call leads to."""

import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.acting.retelling import place_moved, retold, ways_of_list
from spatial_workbench.engine.tasks.pack_prisms import Packing, PlacedBox
from spatial_workbench.engine.tasks.shikaku import Rectangles

TASK, BOARD = resolve("shikaku:0")
A, B, C = (0, 0, 1, 1), (2, 0, 3, 1), (4, 4, 4, 4)


def told(*lists):
    return list(retold(TASK, BOARD, [Rectangles(rectangles=rectangles) for rectangles in lists]))


def names(*lists):
    return [[name for name, _ in edit.calls] for edit in told(*lists)]


def test_an_element_more_is_one_call():
    assert told([A], [A, B])[1].calls == (("rectangle", {"corner": [2, 0], "opposite": [3, 1]}),)


def test_an_answer_that_was_there_before_is_taken_back_or_made_again():
    assert names([A], [A, B], [A], [A, B], []) == [["rectangle"], ["rectangle"], ["undo"], ["redo"], ["undo"]]


def test_calls_after_something_was_taken_back_go_on_from_there():
    assert told([A], [A, B], [A], [A, C], [A])[4].calls == (("undo", {"steps": 1}),)


def test_elements_that_stay_are_not_deleted():
    assert told([A, B, C], [A, C])[1].calls == (("delete", {"rectangles": [1]}),)


def test_an_edit_that_changes_nothing_has_no_call():
    assert names([A], [A]) == [["rectangle"], []]


def test_what_no_call_leads_to_is_said_and_later_edits_make_up_for_it():
    twice = [A, A]
    edits = told([A], twice, [A, B])
    assert [edit.is_exact for edit in edits] == [True, False, True]
    assert edits[1].calls == ()


def test_moves_of_a_cube_that_no_undo_reaches_begin_again():
    task, cube = resolve("cube_full_symbolic:3")
    answers = [task.answer_type(moves=moves) for moves in (("R", "U"), ("R", "F"))]
    assert [edit.calls for edit in retold(task, cube, answers)][1] == (
        ("undo", {"steps": 1}),
        ("move", {"moves": "R F"}),
    )


def test_boxes_of_no_size_are_not_told():
    task, order = resolve("pack_prisms:0")
    odd = Packing(boxes=(PlacedBox(XyzMin=(0, 0, 0), XyzMax=(99, 1, 1)),))
    assert [edit.is_exact for edit in retold(task, order, [odd])] == [False]


@pytest.mark.parametrize(
    ("before", "after", "moved"),
    [("abcd", "bcad", (0, 2)), ("abcd", "cabd", (2, 0)), ("abcd", "badc", None), ("abc", "abcd", None)],
)
def test_one_element_that_went_to_another_place_is_found(before, after, moved):
    assert place_moved(before, after) == moved


def test_the_longest_beginning_is_kept_and_the_last_way_builds_everything_anew():
    ways = list(ways_of_list("abc", "acd", lambda gone: ("delete", gone), lambda rest: [("add", rest)]))
    assert ways == [[("delete", [1]), ("add", "d")], [("delete", [0, 1, 2]), ("add", "acd")]]
