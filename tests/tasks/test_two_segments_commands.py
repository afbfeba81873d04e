"""Commands of two segments: where segments and ends go."""

import pytest

from spatial_workbench.engine.core import Aid, AnswerError, resolve
from tests.tasks.acting import after

TASK, UNIT = resolve("two_segments:0")


@pytest.mark.parametrize("instance", TASK.instances(), ids=str)
def test_the_reference_solution_is_reached(instance):
    reference = TASK.solve(instance)
    calls = [
        ("segment", {"segment": k, "start": list(a), "end": list(b)}) for k, (a, b) in enumerate(reference.segments)
    ]
    assert after(TASK, instance, *calls) == reference


def test_a_segment_goes_between_two_points_and_the_other_stays():
    before = TASK.empty(UNIT)
    answer = after(TASK, UNIT, ("segment", {"segment": 1, "start": [0, 0], "end": [1, 1]}))
    assert answer.segments == (before.segments[0], ((0, 0), (1, 1)))


def test_an_end_goes_to_a_share_of_a_side():
    side_1 = after(TASK, UNIT, ("end", {"segment": 0, "end": "B", "side": 1, "share": 0.25})).segments[0][1]
    corner = after(TASK, UNIT, ("end", {"segment": 0, "end": "B", "side": 1, "share": 0})).segments[0][1]
    opposite = after(TASK, UNIT, ("end", {"segment": 0, "end": "B", "side": 2, "share": 0})).segments[0][1]
    assert side_1 == tuple(a + 0.25 * (b - a) for a, b in zip(corner, opposite, strict=True))


def test_the_state_names_the_ends():
    state = TASK.state(UNIT, after(TASK, UNIT, ("segment", {"segment": 0, "start": [0, 0], "end": [1, 1]})))
    assert state["segments"][0] == {"id": 0, "A": [0, 0], "B": [1, 1]}


def test_regions_are_seen_only_by_who_may_measure():
    names = {aid: {item.name for item in TASK.sight(UNIT, TASK.solve(UNIT), {aid}).items} for aid in Aid}
    assert "region 0" in names[Aid.MEASURING]
    assert "region 0" not in names[Aid.EDITING]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("segment", {"segment": 2, "start": [0, 0], "end": [1, 1]}), "segment"),
        (("segment", {"segment": 0, "start": [0], "end": [1, 1]}), "start"),
        (("end", {"segment": 0, "end": "C", "side": 0, "share": 0}), "end"),
        (("end", {"segment": 0, "end": "A", "side": 0, "share": 2}), "share"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, UNIT, call)
