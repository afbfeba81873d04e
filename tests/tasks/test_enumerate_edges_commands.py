"""Commands of enumerate edges: sides are joined and separated."""

import pytest

from spatial_workbench.engine.core import Aid, AnswerError, resolve
from tests.tasks.acting import after

TASK, SQUARES = resolve("enumerate_edges:0")


@pytest.mark.parametrize("instance", TASK.instances(), ids=str)
def test_the_reference_solution_is_reached(instance):
    reference = TASK.solve(instance)
    calls = [("set", {"square": k, "pairs": list(map(list, pairs))}) for k, pairs in enumerate(reference.edges)]
    assert after(TASK, instance, *calls) == reference


def test_pairs_are_written_with_the_smaller_index_first_and_in_order():
    answer = after(TASK, SQUARES, ("set", {"square": 1, "pairs": [[3, 2], [0, 1]]}))
    assert answer.edges[1] == ((0, 1), (2, 3))


def test_sides_are_joined_and_separated():
    joined = after(
        TASK,
        SQUARES,
        ("join", {"square": 0, "first": 2, "second": 0}),
        ("join", {"square": 0, "first": 1, "second": 3}),
        ("separate", {"square": 0, "first": 0, "second": 2}),
    )
    assert joined.edges[0] == ((1, 3),)


def test_the_state_lists_every_square():
    answer = after(TASK, SQUARES, ("join", {"square": 0, "first": 2, "second": 0}))
    assert TASK.state(SQUARES, answer)["squares"][0] == {"id": 0, "pairs": [[0, 2]]}


def test_which_sides_are_cut_is_seen_only_by_who_may_have_judgements():
    items = {aid: TASK.sight(SQUARES, TASK.empty(SQUARES), {aid}).items for aid in Aid}
    colors = {aid: {item.color for item in items[aid] if " side " in item.name} for aid in Aid}
    assert colors[Aid.EDITING] == {"text"}
    assert len(colors[Aid.JUDGING]) == 2


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("set", {"square": 99, "pairs": []}), "There is no square 99"),
        (("set", {"square": 0, "pairs": [[0, 4]]}), "are not two of the sides"),
        (("join", {"square": 0, "first": 1, "second": 1}), "are not two of the sides"),
        (("join", {"square": 0, "first": 1, "second": 4}), "second"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, SQUARES, call)
