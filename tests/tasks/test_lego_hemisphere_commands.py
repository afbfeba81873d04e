"""Commands of the Lego shell: what each does to the bricks, and what it says about wrong arguments."""

import pytest

from spatial_workbench.engine.core import AnswerError, resolve
from tests.tasks.acting import after

TASK, SMALL = resolve("lego_hemisphere:0")


def poses(answer):
    return [(*brick.Centroid, brick.RotationDegrees) for brick in answer.bricks]


def placed(*places):
    calls = [("place", {"x_mm": x, "y_mm": y, "layer": layer, "turn_deg": turn}) for x, y, layer, turn in places]
    return after(TASK, SMALL, *calls)


def test_a_brick_of_a_layer_has_its_centre_half_a_brick_above_the_layers_bottom():
    assert poses(placed((55, 0, 0, 0), (55, 0, 2, 90))) == [(55, 0, 4.8, 0), (55, 0, 24, 90)]


def test_the_reference_solution_is_reached_brick_by_brick():
    reference = TASK.solve(SMALL)
    calls = [
        ("place", {"x_mm": x, "y_mm": y, "layer": round((z - 4.8) / 9.6), "turn_deg": turn})
        for x, y, z, turn in poses(reference)
    ]
    assert after(TASK, SMALL, *calls).bricks == reference.bricks


def test_a_move_takes_the_chosen_bricks_along_and_leaves_the_others():
    answer = after(
        TASK, SMALL, ("move", {"bricks": [1], "x_mm": 8, "layers": 1}), answer=placed((0, 0, 0, 0), (40, 0, 0, 0))
    )
    assert poses(answer) == [(0, 0, 4.8, 0), (48, 0, 14.4, 0)]


def test_bricks_turn_together_about_their_middle():
    answer = after(
        TASK,
        SMALL,
        ("turn", {"bricks": [0, 1], "turn_deg": 180}),
        answer=placed((0, 0, 0, 0), (32, 0, 0, 0)),
    )
    assert poses(answer) == [(32, 0, 4.8, 180), (0, 0, 4.8, 180)]


def test_ids_of_later_bricks_become_smaller_when_one_is_deleted():
    answer = after(TASK, SMALL, ("delete", {"bricks": [0]}), answer=placed((0, 0, 0, 0), (40, 0, 0, 0)))
    assert TASK.state(SMALL, answer) == {"bricks": [{"id": 0, "Centroid": [40, 0, 4.8], "RotationDegrees": 0}]}


def test_a_mirror_adds_only_images_that_are_not_there_yet():
    answer = after(
        TASK, SMALL, ("mirror", {"bricks": [0, 1], "across": "x"}), answer=placed((55, 0, 0, 0), (-55, 0, 0, 0))
    )
    assert len(answer.bricks) == 2


def test_turns_by_right_angles_make_the_ring_of_the_specification():
    answer = after(TASK, SMALL, ("mirror", {"bricks": [0], "across": "turns"}), answer=placed((55, 0, 0, 0)))
    assert sorted(poses(answer)) == [(-55, 0, 4.8, 180), (0, -55, 4.8, 270), (0, 55, 4.8, 90), (55, 0, 4.8, 0)]


def test_an_array_holds_columns_times_rows_times_layers():
    answer = after(
        TASK, SMALL, ("array", {"bricks": [0], "columns": 3, "rows": 2, "layers": 2}), answer=placed((0, 0, 0, 0))
    )
    assert len(set(poses(answer))) == 12
    assert (64, 16, 14.4, 0) in poses(answer)


def test_more_bricks_than_an_answer_may_hold_are_refused():
    with pytest.raises(AnswerError, match="more than 5000 bricks"):
        after(TASK, SMALL, ("array", {"bricks": [0], "columns": 5000, "rows": 5000}), answer=placed((0, 0, 0, 0)))


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("place", {"x_mm": "3", "y_mm": 0, "layer": 0}, "x_mm must be a number"),
        ("place", {"x_mm": 1, "y_mm": 0}, "layer is missing"),
        ("place", {"x_mm": 1, "y_mm": 0, "layer": 0, "z": 3}, "z is not a field"),
        ("place", {"x_mm": float("nan"), "y_mm": 0, "layer": 0}, "x_mm must be a finite number"),
        ("place", [1, 2], "must be an object"),
        ("delete", {"bricks": [7]}, "There is no brick 7"),
        ("delete", {"bricks": list(range(10_001))}, "Too many numbers"),
    ],
)
def test_wrong_arguments_are_named(name, arguments, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, SMALL, (name, arguments))
