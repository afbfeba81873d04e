"""Every verdict that is short of the full score has a line that says what costs."""

import json
from functools import cache

import pytest

from spatial_workbench.engine.core import FULL_SCORE, State, tasks
from tests.mutations import hostile_answers

SLOW_TO_JUDGE = {"terrain_levelling", "interlocking_parts"}
SPOILED = 2


def says_what_costs(verdict):
    return any(check.state is State.FAILED or check.name == FULL_SCORE for check in verdict.checks)


def halves(data):
    """The answer without the second half of its longest list."""
    if isinstance(data, dict):
        longest = max(data, key=lambda name: len(data[name]) if isinstance(data[name], list) else -1, default=None)
        if longest is not None and isinstance(data[longest], list):
            return data | {longest: data[longest][: len(data[longest]) // 2]}
    return data


@cache
def answers_to(task):
    """An instance, and answers from right to hopeless."""
    instance = min(task.instances()[:3], key=lambda one: len(one.parameters_json))
    good = json.loads(task.solve(instance).model_dump_json(by_alias=True))
    spoiled = [] if task.id in SLOW_TO_JUDGE else hostile_answers(good, 24, SPOILED)
    return instance, [task.empty(instance), *([] if task.id in SLOW_TO_JUDGE else [halves(good)]), *spoiled]


@pytest.mark.parametrize("task", [t for t in tasks() if t.instances()], ids=lambda task: task.id)
def test_a_score_that_is_short_has_a_line_that_says_what_costs(task):
    instance, answers = answers_to(task)
    verdicts = [task.verify(instance, answer) for answer in answers]
    assert [verdict for verdict in verdicts if verdict.score < 1 - 1e-9 and not says_what_costs(verdict)] == []
