"""Commands of terrain levelling: what each does to the plan, and what it says about wrong arguments."""

import pytest

from spatial_workbench.engine.core import Aid, AnswerError, resolve
from tests.tasks.acting import after

TASK, MAP = resolve("terrain_levelling:0")
TWO = ("blast", {"x": 3, "y": 4, "charge_m": 1.5}), ("blast", {"x": 5, "y": 6, "charge_m": 2})


def charges(answer):
    return [tuple(charge) for charge in answer.charges]


@pytest.mark.parametrize("instance", TASK.instances()[:2], ids=str)
def test_the_stored_plan_is_reached(instance):
    reference = TASK.solve(instance)
    rows = [[x, y, z] for x, y, z in charges(reference)]
    calls = [("blast_all", {"blasts": rows[k : k + 5000]}) for k in range(0, len(rows), 5000)]
    assert after(TASK, instance, *calls) == reference


def test_blasts_are_added_at_the_end():
    assert charges(after(TASK, MAP, *TWO)) == [(3, 4, 1.5), (5, 6, 2.0)]


def test_blasts_get_another_depth():
    assert charges(after(TASK, MAP, *TWO, ("charge", {"blasts": [1], "charge_m": 0.5})))[1] == (5, 6, 0.5)


def test_a_blast_goes_to_another_place_in_the_order():
    assert charges(after(TASK, MAP, *TWO, ("reorder", {"blast": 1, "place": 0})))[0] == (5, 6, 2.0)


def test_ids_of_later_blasts_become_smaller_when_one_is_deleted():
    answer = after(TASK, MAP, *TWO, ("delete", {"blasts": [0]}))
    assert TASK.state(MAP, answer) == {"blasts": [{"id": 0, "x": 5, "y": 6, "z": 2.0}]}


def test_a_blast_that_is_too_deep_is_kept_since_nobody_judges():
    assert len(after(TASK, MAP, ("blast", {"x": 0, "y": 0, "charge_m": 900})).blasts) == 1


def test_flat_regions_are_seen_only_by_who_may_have_judgements():
    names = {aid: {item.name for item in TASK.sight(MAP, TASK.empty(MAP), {aid}).items} for aid in Aid}
    assert "largest flat region" in names[Aid.JUDGING]
    assert "largest flat region" not in names[Aid.EDITING]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("blast", {"x": 99, "y": 0, "charge_m": 1}), r"There is no cell \[99, 0\]"),
        (("blast", {"x": 1, "y": 0, "charge_m": 0}), "charge_m"),
        (("blast_all", {"blasts": [[1, 1, 1], [0.5, 1, 1]]}), "A blast is a column, a row"),
        (("delete", {"blasts": [0]}), "there is no blast yet"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, MAP, call)
