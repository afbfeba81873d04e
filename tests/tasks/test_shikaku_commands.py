"""Commands of shikaku: what each does to the rectangles, and what it says about wrong arguments."""

import pytest

from spatial_workbench.engine.core import AnswerError, resolve
from tests.tasks.acting import after

TASK, BOARD = resolve("shikaku@2")


def drawn(*corners):
    calls = [("rectangle", {"corner": [x0, y0], "opposite": [x1, y1]}) for x0, y0, x1, y1 in corners]
    return after(TASK, BOARD, *calls)


@pytest.mark.parametrize("instance", TASK.instances()[:3], ids=str)
def test_the_reference_solution_is_reached_rectangle_by_rectangle(instance):
    reference = TASK.solve(instance)
    calls = [("rectangle", {"corner": [x0, y0], "opposite": [x1, y1]}) for x0, y0, x1, y1 in reference.rectangles]
    assert after(TASK, instance, *calls) == reference


def test_corners_may_be_given_in_any_order():
    assert drawn((2, 3, 0, 1)).rectangles == ((0, 1, 2, 3),)


def test_a_rectangle_that_is_there_is_not_drawn_again():
    assert len(drawn((0, 0, 1, 1), (1, 1, 0, 0)).rectangles) == 1


def test_a_rectangle_gets_other_corners():
    answer = after(
        TASK,
        BOARD,
        ("resize", {"rectangle": 0, "corner": [0, 0], "opposite": [2, 0]}),
        answer=drawn((0, 0, 1, 1), (2, 2, 3, 3)),
    )
    assert answer.rectangles == ((0, 0, 2, 0), (2, 2, 3, 3))


def test_ids_of_later_rectangles_become_smaller_when_one_is_deleted():
    answer = after(TASK, BOARD, ("delete", {"rectangles": [0]}), answer=drawn((0, 0, 1, 1), (2, 2, 3, 3)))
    assert TASK.state(BOARD, answer) == {"rectangles": [{"id": 0, "x_min": 2, "y_min": 2, "x_max": 3, "y_max": 3}]}


def test_a_candidate_has_the_area_of_its_clue():
    (x, y), clue = next((cell, clue) for cell, clue in clues().items() if clue > 1)
    x0, y0, x1, y1 = after(TASK, BOARD, ("candidate", {"cell": [x, y]})).rectangles[0]
    assert (x1 - x0 + 1) * (y1 - y0 + 1) == clue


def clues():
    grid = BOARD.parameters["grid"]
    return {(x, y): clue for y, row in enumerate(grid) for x, clue in enumerate(row) if clue}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("rectangle", {"corner": [0, 0], "opposite": [0, 99]}), r"There is no cell \[0, 99\]"),
        (("rectangle", {"corner": [0, 0, 0], "opposite": [0, 1]}), "corner"),
        (("resize", {"rectangle": 2, "corner": [0, 0], "opposite": [0, 1]}), "There is no rectangle 2"),
        (("delete", {"rectangles": [3]}), "there is no rectangle yet"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, BOARD, call)


def test_a_cell_without_a_clue_has_no_candidate():
    blank = next([x, y] for y, row in enumerate(BOARD.parameters["grid"]) for x, clue in enumerate(row) if not clue)
    with pytest.raises(AnswerError, match="holds no clue"):
        after(TASK, BOARD, ("candidate", {"cell": blank}))
