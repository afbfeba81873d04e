"""Commands of crowds: what each does to the people, and what it says about wrong arguments."""

import pytest

from spatial_workbench.engine.core import Aid, AnswerError, resolve
from spatial_workbench.engine.tasks.hide_and_seek.field import CrowdField
from tests.sweeps import some
from tests.tasks.acting import after

TASK, FIRST = resolve("hide_and_seek:0")
TWO = (("person", {"x_m": 1, "y_m": 2}), ("person", {"x_m": 3.5, "y_m": 2}))


def places(answer):
    return [person.xy for person in answer.people]


@pytest.mark.parametrize("instance", some(TASK.instances()), ids=str)
def test_the_reference_crowd_is_reached_person_by_person(instance):
    reference = TASK.solve(instance)
    calls = [("person", {"x_m": x, "y_m": y}) for x, y in places(reference)]
    assert after(TASK, instance, *calls) == reference


def test_a_block_has_columns_along_x_and_rows_along_y():
    answer = after(TASK, FIRST, ("block", {"x_m": 1, "y_m": 2, "columns": 3, "rows": 2, "spacing_m": 0.6}))
    assert places(answer) == [(1, 2), (1.6, 2), (2.2, 2), (1, 2.6), (1.6, 2.6), (2.2, 2.6)]


def test_people_move_by_a_step_and_others_stay():
    assert places(after(TASK, FIRST, *TWO, ("move", {"people": [1], "x_m": -0.5, "y_m": 0.1}))) == [(1, 2), (3, 2.1)]


def test_copies_stand_a_step_away():
    answer = after(TASK, FIRST, *TWO, ("duplicate", {"people": [0, 1], "y_m": 1}))
    assert places(answer) == [(1, 2), (3.5, 2), (1, 3), (3.5, 3)]


def test_ids_of_later_people_become_smaller_when_one_is_deleted():
    answer = after(TASK, FIRST, *TWO, ("delete", {"people": [0]}))
    assert TASK.state(FIRST, answer) == {"people": [{"id": 0, "xy": [3.5, 2]}]}


def test_people_may_overlap_and_stand_in_the_building_since_nobody_judges():
    answer = after(TASK, FIRST, *[("person", {"x_m": 0, "y_m": 0})] * 2)
    assert places(answer) == [(0, 0), (0, 0)]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("person", {"x_m": "1", "y_m": 0}), "x_m must be a number"),
        (("person", {"x_m": 1}), "y_m is missing"),
        (("person", {"x_m": float("nan"), "y_m": 0}), "x_m must be a finite number"),
        (("person", {"x_m": 1e300, "y_m": 0}), "x_m must be a finite number"),
        (("move", {"people": [2], "x_m": 1}), "There is no person 2; ids go from 0 to 1"),
        (("delete", {"people": []}), "people"),
        (("delete", {"people": list(range(10_001))}), "Too many numbers"),
        (("block", {"x_m": 0, "y_m": 0, "columns": 1000, "rows": 1000}), "more than 1000 people"),
        (("block", {"x_m": 0, "y_m": 0, "columns": 2, "spacing_m": 0}), "spacing_m"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, FIRST, *TWO, call)


def test_the_safe_ground_is_shown_only_to_who_may_have_solving_aids():
    seen = [{item.name for item in TASK.sight(FIRST, after(TASK, FIRST, *TWO), aids).items} for aids in ((), Aid)]
    assert [{"shadow", "safe ground"} <= names for names in seen] == [False, True]
    assert all("people" in names for names in seen)


def test_people_are_sprayed_on_safe_ground_until_nobody_is_missing():
    spray = ("spray", {"x_m": 0, "y_m": 0, "radius_m": 60, "seed": 3})
    answer = after(TASK, FIRST, *TWO, spray)
    field = CrowdField.of(FIRST.parameters)
    assert 2 < len(answer.people) <= field.people
    assert (field.margins(answer.centers[2:]) > 0).all()
    assert after(TASK, FIRST, *TWO, spray) == answer


def test_a_spray_where_nobody_can_hide_is_refused():
    with pytest.raises(AnswerError, match="no safe ground"):
        after(TASK, FIRST, ("spray", {"x_m": 1e6, "y_m": 0}))
