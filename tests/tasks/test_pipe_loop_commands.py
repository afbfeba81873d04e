"""Commands of pipe loops: what each does to the chain, and what it says about wrong arguments."""

import pytest

from spatial_workbench.engine.core import Aid, AnswerError, resolve
from tests.sweeps import some
from tests.tasks.acting import after

TASK, FIRST = resolve("pipe_loop:0")
_, WIDE = resolve("pipe_loop:6")
"""16 pipes, so that three points are an open chain."""


def chain(*points):
    return [("pipe", {"x_m": x, "y_m": y}) for x, y in points]


RECTANGLE = chain((0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1))


@pytest.mark.parametrize("instance", some(TASK.instances(), 6), ids=str)
def test_the_reference_loop_is_reached_pipe_by_pipe(instance):
    reference = TASK.solve(instance)
    assert after(TASK, instance, *chain(*reference.places)) == reference


def test_pipes_of_a_metre_are_laid_in_a_direction():
    answer = after(TASK, FIRST, *chain((1, 1)), ("lay", {"heading_deg": 90, "pipes": 2}), ("lay", {"heading_deg": 0}))
    assert answer.places == [(1, 1), (1, 2), (1, 3), (2, 3)]


def test_the_chain_turns_about_a_joint():
    answer = after(TASK, FIRST, *chain((1, 1), (2, 1), (3, 1), (4, 1)), ("bend", {"joint": 1, "turn_deg": 90}))
    assert answer.places == [(1, 1), (2, 1), (2, 2), (2, 3)]


def test_a_joint_moves_alone_or_takes_the_others_along():
    line = chain((1, 1), (2, 1), (3, 1))
    alone = after(TASK, WIDE, *line, ("move", {"joint": 2, "x_m": 3.5, "y_m": 1, "follows": False}))
    assert alone.places == [(1, 1), (2, 1), (3.5, 1)]
    together = after(TASK, WIDE, *line, ("move", {"joint": 2, "x_m": 3.5, "y_m": 1}))
    assert [x for x, _ in together.places] == pytest.approx([1.5, 2.5, 3.5], abs=1e-3)


def test_ids_of_later_joints_become_smaller_when_one_is_deleted():
    answer = after(TASK, FIRST, *chain((1, 1), (2, 1), (3, 1)), ("delete", {"joints": [0]}))
    assert TASK.state(FIRST, answer) == {"points": [{"id": 0, "x": 2, "y": 1}, {"id": 1, "x": 3, "y": 1}]}


def test_a_bump_is_made_and_pulled_in_again():
    bumped = after(TASK, FIRST, *RECTANGLE, ("bump", {"pipe": 3, "x_m": 1.5, "y_m": 3}))
    assert bumped.places == [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (1, 1), (0, 1)]
    assert after(TASK, FIRST, ("pull_in", {"pipe": 4}), answer=bumped) == after(TASK, FIRST, *RECTANGLE)


def test_a_spike_has_legs_of_as_many_pipes_as_asked_for():
    answer = after(TASK, FIRST, *RECTANGLE, ("spike", {"pipe": 3, "x_m": 1.5, "y_m": 3, "legs": 2}))
    assert len(answer.points) == 6 + 3
    assert answer.places[5] == pytest.approx((1.5, 1 + (4 - 0.25) ** 0.5), abs=1e-6)


def test_a_stretch_is_mirrored_at_the_line_through_its_ends_or_turned():
    line = chain((0, 0), (0, 1), (1, 1), (2, 1), (2, 0))
    assert after(TASK, FIRST, *line, ("mirror", {"first": 0, "last": 4})).places[2] == (1, -1)
    assert after(TASK, FIRST, *line, ("turn", {"first": 0, "last": 4})).places[1:4] == [(0, -1), (1, -1), (2, -1)]


def test_a_ring_that_has_settled_passes():
    answer = after(TASK, FIRST, ("ring", {}), ("relax", {}))
    assert TASK.verify(FIRST, answer).passed


def test_a_chain_is_closed_with_two_pipes():
    answer = after(TASK, WIDE, *chain((1, 1), (2, 1), (2, 2)), ("close", {}))
    assert answer.places[-1] == (1, 2)


def test_pipes_may_leave_the_square_and_be_too_long_since_nobody_judges():
    assert after(TASK, FIRST, *chain((1, 1), (-7, 1))).places == [(1, 1), (-7, 1)]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("pipe", {"x_m": "1", "y_m": 0}), "x_m must be a number"),
        (("pipe", {"x_m": float("nan"), "y_m": 0}), "x_m must be a finite number"),
        (("move", {"joint": 9, "x_m": 0, "y_m": 0}), "There is no joint 9; ids go from 0 to 2"),
        (("move", {"joint": 1.5, "x_m": 0, "y_m": 0}), "joint must be a whole number"),
        (("delete", {"joints": list(range(10_001))}), "Too many numbers"),
        (("lay", {"heading_deg": 0, "pipes": 1200}), "more than 1200 points"),
        (("pull_in", {"pipe": 1}), "Too few pipes are left"),
        (("mirror", {"first": 1, "last": 2}), "Select a stretch of at least three points"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, FIRST, *chain((0, 0), (1, 0), (2, 0)), call)


def test_without_pipes_nothing_can_be_bent():
    with pytest.raises(AnswerError, match="no joint yet"):
        after(TASK, FIRST, ("bend", {"joint": 0, "turn_deg": 90}))


def test_crossings_are_marked_only_for_who_may_have_judgements():
    """Two pipes cross at (1.5, 1)."""
    crossed = after(TASK, WIDE, *chain((1, 1), (2, 1), (1.5, 1.5), (1.5, 0.5)))
    seen = [{item.name for item in TASK.sight(WIDE, crossed, aids).items} for aids in ((), Aid)]
    assert ["contact 0-2" in names for names in seen] == [False, True]
