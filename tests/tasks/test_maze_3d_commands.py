"""Commands of the 3D maze: what each does to the heights, and what it says about wrong arguments."""

import pytest

from spatial_workbench.engine.core import Aid, AnswerError, resolve
from spatial_workbench.engine.core.scene import Polyline
from tests.tasks.acting import after

TASK, MAZE = resolve("maze_3d@3?size=5")
A = MAZE.parameters["start_height"]


def rows(answer):
    return answer.maze.split("\n")


def calls_to(answer):
    """Calls that place the markers of a maze and set its heights."""
    lines = rows(answer)
    for marker in "AB":
        row = next(r for r, line in enumerate(lines) if marker in line)
        yield "mark", {"marker": marker, "cell": [row, lines[row].index(marker)]}
    for height in range(10):
        cells = [[r, c] for r, line in enumerate(lines) for c, char in enumerate(line) if char == str(height)]
        if cells:
            yield "draw", {"path": cells, "height": height}


WITH_SOLUTIONS = [number for number, row in enumerate(TASK.published_rows()) if "solution" in row]


@pytest.mark.parametrize("number", WITH_SOLUTIONS)
def test_the_published_solution_is_reached(number):
    instance = TASK.instances()[number]
    reference = TASK.solve(instance)
    assert rows(after(TASK, instance, *calls_to(reference))) == rows(reference)


def test_the_proof_of_a_generated_maze_is_reached():
    reference = TASK.solve(MAZE)
    assert after(TASK, MAZE, *calls_to(reference)) == reference


def test_a_height_goes_to_each_cell_and_markers_keep_theirs():
    answer = after(TASK, MAZE, ("draw", {"path": [[0, 0], [0, 1], [1, 0]], "height": 7}))
    assert rows(answer)[:2] == ["A7...", "7...."]


def test_empty_cells_rise_from_0_and_none_above_9():
    answer = after(
        TASK, MAZE, ("draw", {"path": [[0, 1]], "height": 8}), ("rise", {"cells": [[0, 1], [0, 2]], "by": 3})
    )
    assert rows(answer)[0] == "A92.."


def test_erased_cells_are_blank():
    answer = after(TASK, MAZE, ("draw", {"path": [[0, 1]], "height": 8}), ("erase", {"cells": [[0, 1]]}))
    assert answer == TASK.empty(MAZE)


def test_a_step_climbs_by_one():
    answer = after(
        TASK,
        MAZE,
        ("draw", {"path": [[2, 2]], "height": 4}),
        ("step", {"cell": [2, 2], "direction": "right", "slope": "climb"}),
    )
    assert rows(answer)[2] == "..45."


def test_a_jump_lowers_the_cell_under_it_and_lands_as_high_as_it_began():
    answer = after(
        TASK,
        MAZE,
        ("draw", {"path": [[2, 2]], "height": 4}),
        ("step", {"cell": [2, 2], "direction": "up", "jump": True}),
    )
    landing, under, start = (int(row[2]) for row in rows(answer)[:3])
    assert landing == start == 4
    assert under <= 2


def test_a_marker_moves_and_leaves_its_height():
    answer = after(TASK, MAZE, ("mark", {"marker": "A", "cell": [2, 0]}))
    assert [row[0] for row in rows(answer)[:3]] == [str(A), ".", "A"]


def test_the_state_has_the_numbers_of_rows_and_columns():
    assert TASK.state(MAZE, TASK.empty(MAZE)) == "  01234\n0 A....\n1 .....\n2 .....\n3 .....\n4 ....B"


def test_routes_are_seen_only_by_who_may_measure():
    solved = TASK.solve(MAZE)
    routes = {aid: [one for one in TASK.sight(MAZE, solved, {aid}).items if isinstance(one, Polyline)] for aid in Aid}
    assert routes[Aid.EDITING] == []
    assert routes[Aid.MEASURING] != []


def test_the_rest_is_filled_around_a_path():
    proof = TASK.solve(MAZE)
    path = {tuple(cell) for cell in TASK.verify(MAZE, proof).details["path"]}
    between = {((a[0] + b[0]) // 2, (a[1] + b[1]) // 2) for a, b in TASK.verify(MAZE, proof).details["jumps"]}
    others = [[r, c] for r in range(5) for c in range(5) if (r, c) not in path | between]
    answer = after(TASK, MAZE, ("erase", {"cells": others}), ("fill_rest", {"seed": 1}), answer=proof)
    assert "." not in answer.maze


def test_a_repair_leaves_one_path():
    proof = TASK.solve(MAZE)
    spoilt = next(
        answer
        for r in range(5)
        for c in range(5)
        for height in range(10)
        if has_second_path(answer := after(TASK, MAZE, ("draw", {"path": [[r, c]], "height": height}), answer=proof))
    )
    repaired = TASK.verify(MAZE, after(TASK, MAZE, ("repair", None), answer=spoilt))
    assert repaired.details["second_path"] == []
    assert repaired.details["path"] != []


def has_second_path(answer):
    return TASK.verify(MAZE, answer).details.get("second_path", []) != []


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("draw", {"path": [[0, 5]], "height": 1}), r"There is no cell \[0, 5\]; cells go from 0 to 4, 4"),
        (("draw", {"path": [[0, 1]], "height": 10}), "height"),
        (("step", {"cell": [0, 0], "direction": "left"}), "The maze ends here"),
        (("step", {"cell": [2, 2], "direction": "left"}), "a cell that has a height"),
        (("mark", {"marker": "A", "cell": [4, 4]}), "A and B cannot share a cell"),
        (("fill_rest", None), "no path from A to B yet"),
        (("repair", None), "No change of a single cell"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, MAZE, call)
