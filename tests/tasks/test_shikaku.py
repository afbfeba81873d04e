"""Shikaku: the rules, the published boards, and what is refused."""

import json

import pytest

from spatial_workbench.engine.core import AnswerError, InstanceError, State, Verdict
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.tasks.shikaku import board_of
from spatial_workbench.engine.tasks.shikaku.board import ShikakuBoard, exact_covers, solutions
from tests.sweeps import some

TASK = task_of("shikaku")
ROWS = json.loads(resource("tasks", "shikaku.json").read_text())["instances"]
FIRST = TASK.instances()[0]
RIGHT = ROWS[0]["answer"]
CLUES = (14, 16, 23, 23, 26, 37)
CANDIDATES = (36, 56, 85, 121, 141, 167)


def judged(rectangles):
    return TASK.verify(FIRST, {"rectangles": rectangles})


def messages(verdict):
    return [problem.message for check in verdict.checks for problem in check.problems]


@pytest.mark.parametrize("number", some(range(6)))
def test_the_published_boards_have_one_solution_by_both_methods(number):
    instance = TASK.instances()[number]
    board = board_of(TASK.instances()[number])
    assert len(board.clues) == CLUES[number]
    assert sum(len(board.candidates(cell)) for cell in board.clues) == CANDIDATES[number]
    assert [list(map(list, tiling)) for tiling in solutions(board)] == [sorted(ROWS[number]["answer"])]
    assert exact_covers(board) == 1
    assert TASK.verify(instance, TASK.solve(instance)).passed
    assert TASK.crosscheck(instance, TASK.solve(instance)).passed


def test_the_order_of_rectangles_does_not_matter():
    assert judged(RIGHT[::-1]).passed


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda r: [], "No rectangles"),
        (lambda r: [[0, 2, 0, 0], *r[1:]], "rectangles[0]: right/bottom lies before left/top"),
        (lambda r: [*r[:-1], [6, 2, 7, 5]], "rectangles[13] leaves the 7 x 7 grid (x_max = 7)"),
        (lambda r: [*r, r[0]], "Rectangles 0 and 14 both cover cells (0, 0) to (0, 2)"),
        (lambda r: [[0, 0, 0, 1], *r[1:]], "Rectangle 0 has 2 cells, its clue is 3"),
        (lambda r: [[0, 1, 0, 2], *r[1:]], "Rectangle 0 contains no clue"),
        (lambda r: r[1:], "Cell (0, 0) is not covered"),
    ],
)
def test_wrong_rectangles_are_explained(change, sentence):
    verdict = judged(change(RIGHT))
    assert not verdict.passed
    assert sentence in messages(verdict)


def test_a_rectangle_with_two_clues_is_named():
    assert "Rectangle 0 contains 2 clues" in messages(judged([[0, 0, 2, 0]]))


def test_all_failures_are_reported_not_only_the_first():
    states = {check.name: check.state for check in judged([[0, 0, 0, 1], [5, 5, 9, 9]]).checks}
    assert states["inside the grid"] is State.FAILED
    assert states["areas equal the clues"] is State.FAILED
    assert states["every cell covered"] is State.FAILED


@pytest.mark.parametrize(
    ("reading", "hint"),
    [
        (lambda x0, y0, x1, y1: [y0, x0, y1, x1], "Columns and rows look exchanged"),
        (lambda x0, y0, x1, y1: [x0, y0, x1 + 1, y1 + 1], "both ends are included"),
        (lambda x0, y0, x1, y1: [x0, 6 - y1, x1, 6 - y0], "counted from the bottom"),
    ],
)
def test_an_answer_that_is_right_in_another_reading_gets_a_hint(reading, hint):
    verdict = judged([reading(*rectangle) for rectangle in RIGHT])
    assert not verdict.passed
    assert any(hint in warning for warning in verdict.warnings)


@pytest.mark.parametrize("entry", [[0, 0, 1], [0, 0, 1, 2, 3], [0, 0, 1, 2.9], [0, 0, 1, "2"], [0, 0, True, 2], "0012"])
def test_what_is_no_rectangle_is_refused_with_its_place(entry):
    with pytest.raises(AnswerError, match=r"rectangles\[1\]: four whole numbers expected"):
        TASK.parse({"rectangles": [[0, 0, 1, 1], entry]})


def test_absurd_numbers_are_outside_and_nothing_more():
    verdict = judged([[0, 0, 10**9, 1], [-(10**9), 0, 0, 0]])
    assert "leaves the 7 x 7 grid" in messages(verdict)[0]
    assert TASK.scene(FIRST, TASK.parse({"rectangles": [[0, 0, 10**9, 1]]}), verdict).items


@pytest.mark.parametrize("difficulty", [{}, {"width": 12, "height": 6}, {"largest_area": 6, "long_share": 0.8}])
def test_generated_boards_have_one_solution_and_repeat_for_their_seed(difficulty):
    instance = TASK.generate(4, **difficulty)
    board = board_of(instance)
    assert instance == TASK.generate(4, **difficulty)
    assert sum(board.clues.values()) == board.width * board.height
    assert exact_covers(board) == 1
    assert TASK.verify(instance, TASK.solve(instance)).passed


def test_the_generator_refuses_with_the_field():
    with pytest.raises(InstanceError, match="width"):
        TASK.generate(1, width=3)


def test_a_board_that_cannot_be_solved_has_no_solution_by_both_methods():
    board = ShikakuBoard(((2, 0), (0, 3)))
    assert solutions(board) == []
    assert exact_covers(board) == 0


def test_a_verdict_travels_as_json_and_names_elements_of_the_scene():
    answer = TASK.parse({"rectangles": RIGHT[1:]})
    verdict = TASK.verify(FIRST, answer)
    assert Verdict.model_validate_json(verdict.model_dump_json()) == verdict
    assert set(verdict.failed_elements) <= set(TASK.scene(FIRST, answer, verdict).ids())


def test_the_prompt_shows_the_grid_and_never_changes():
    assert "3 0 8 0 0 0 0\n0 0 0 0 0 0 2" in TASK.prompt(FIRST).text
    assert TASK.prompt(FIRST) == TASK.prompt(FIRST)
