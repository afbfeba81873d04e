"""Commands of the fluid simulation: what each does to the earthworks, and what it says about wrong arguments."""

import pytest

from spatial_workbench.engine.core import Aid, AnswerError, resolve
from tests.tasks.acting import after

TASK, SMALL = resolve("fluid_simulation:0")
POOL = ("rock", {"low": [2, 2, 3], "high": [4, 4, 4]}), ("air", {"low": [3, 3, 1], "high": [3, 3, 4]})


def boxes(answer):
    return [(one.material, one.xyzMin, one.xyzMax) for one in answer.earthworks]


@pytest.mark.parametrize("instance", TASK.instances(), ids=str)
def test_the_reference_solution_is_reached_box_by_box(instance):
    reference = TASK.solve(instance)
    calls = [
        (one.material.lower(), {"low": list(one.xyzMin), "high": list(one.xyzMax)}) for one in reference.earthworks
    ]
    assert after(TASK, instance, *calls) == reference


def test_operations_keep_the_order_of_the_calls():
    assert boxes(after(TASK, SMALL, *POOL)) == [("Rock", (2, 2, 3), (4, 4, 4)), ("Air", (3, 3, 1), (3, 3, 4))]


def test_an_operation_moves_by_a_step():
    answer = after(TASK, SMALL, *POOL, ("move", {"operations": [1], "x": 1, "z": -1}))
    assert boxes(answer)[1] == ("Air", (4, 3, 0), (4, 3, 3))


def test_an_operation_goes_to_another_place_in_the_order():
    answer = after(TASK, SMALL, *POOL, ("reorder", {"operation": 1, "place": 0}))
    assert [material for material, *_ in boxes(answer)] == ["Air", "Rock"]


def test_ids_of_later_operations_become_smaller_when_one_is_deleted():
    answer = after(TASK, SMALL, *POOL, ("delete", {"operations": [0]}))
    assert [row["id"] for row in TASK.state(SMALL, answer)["earthworks"]] == [0]
    assert boxes(answer) == [("Air", (3, 3, 1), (3, 3, 4))]


def test_a_pit_is_dug_down_to_its_level():
    area = {"x_min": 2, "y_min": 2, "x_max": 4, "y_max": 3}
    answer = after(TASK, SMALL, ("place", {"kind": "pit", "level": 1, **area}))
    assert boxes(answer) == [("Air", (2, 2, 1), (4, 3, 2))]


def test_water_is_seen_only_by_who_may_have_judgements():
    answer = after(TASK, SMALL, *POOL)
    names = {aid: {getattr(item, "name", "") for item in TASK.sight(SMALL, answer, {aid}).items} for aid in Aid}
    assert "capacity" in names[Aid.JUDGING]
    assert "capacity" not in names[Aid.EDITING]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("rock", {"low": [0, 0, 0], "high": [0, 0, 8]}), "z runs from 0 to 8, outside 0..7"),
        (("air", {"low": [3, 0, 0], "high": [2, 0, 0]}), "the minimum is above the maximum"),
        (("delete", {"operations": [0]}), "there is no operation yet"),
        (("place", {"kind": "pit", "x_min": 0, "y_min": 0, "x_max": 1, "y_max": 1, "level": 9}), "cannot be: z"),
        (("place", {"kind": "tower", "x_min": 0, "y_min": 0, "x_max": 1, "y_max": 1, "level": 1}), "kind"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, SMALL, call)
