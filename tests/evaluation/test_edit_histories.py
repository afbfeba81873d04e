"""Histories of edits: answers after each, and what cannot be replayed."""

from datetime import UTC, datetime
from itertools import pairwise

import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.formats.patch import diff
from spatial_workbench.engine.evaluation.edit_histories import NoEditHistory, history_of_hands, history_of_person
from spatial_workbench.engine.store import Edit

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TASK, INSTANCE = resolve("shikaku:0")
EMPTY = TASK.empty(INSTANCE).model_dump(mode="json")
STATES = [EMPTY, {"rectangles": [[0, 0, 0, 0]]}, {"rectangles": []}]


def edits(states):
    steps = pairwise(states)
    return [Edit(number=k, label="Draw", patch=diff(old, new), at=NOW) for k, (old, new) in enumerate(steps, 1)]


def test_the_answers_of_a_history_are_those_after_each_edit():
    history = history_of_person("shikaku:0", 1, edits(STATES))
    assert list(history.answers) == [history.answer_after(number) for number in range(3)]
    assert "[0, 0, 0, 0]" in history.answer_after(1)


def test_edits_that_began_with_something_else_are_not_replayed():
    with pytest.raises(NoEditHistory, match="did not begin with the empty answer"):
        history_of_person("shikaku:0", 1, edits(STATES)[1:])


def test_an_unknown_instance_and_a_broken_run_are_told():
    with pytest.raises(NoEditHistory, match="does not know the instance"):
        history_of_person("shikaku:99999", 1, [])
    with pytest.raises(NoEditHistory, match="cannot be read"):
        history_of_hands("shikaku:0", 1, "{", NOW)
