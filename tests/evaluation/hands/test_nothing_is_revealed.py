"""In the condition "hands" nothing that is told reveals a check, a reference or a key, in any task with commands."""

import json

import pytest

from spatial_workbench.engine.core import AnswerError
from spatial_workbench.engine.core.acting.commands import HasCommands, commands_of
from spatial_workbench.engine.core.registry import tasks
from spatial_workbench.engine.evaluation.hands.conditions import AIDS, HandsOptions
from spatial_workbench.engine.evaluation.hands.episode import Episode
from spatial_workbench.engine.evaluation.hands.tools import all_tools

TASKS = [task for task in tasks() if isinstance(task, HasCommands)]
SHORTEST = 12
"""Shorter texts may stand in a reply by chance."""
ALWAYS_RED = ("sniper", "sniper words")
"""What has the colour of a failure whatever the answer is."""
SIMULATED = ("fluid_simulation", "terrain_levelling")
JUNK = [{}, {"not a field": 1}, [1], {"elements": ["key", "reference", "proof"]}]


def instances_of(task):
    """The first published instance, and a generated one where that holds something hidden."""
    published = task.instances()[:1]
    return [*published, *([task.generate(1)] if task.generates and (task.hidden or not published) else [])]


def replies(task, instance):
    """What is told by rules, state, and calls of every tool with useless arguments; the rules come first."""
    acting = Episode(task, instance, HandsOptions(condition="hands", sees="text"))
    calls = [("rules", {}), ("state", {}), ("note", {"text": "n"}), ("undo", {}), ("redo", {})]
    calls += [(name, junk) for name in all_tools(task) for junk in JUNK if name not in ("rules", "submit")]
    return [acting.call(name, arguments).result for name, arguments in calls]


def texts_of(value):
    """How a value of a key may be written: as text, as JSON with and without spaces, and its first entries."""
    if isinstance(value, str):
        return [value]
    texts = [json.dumps(value), json.dumps(value, separators=(",", ":"))]
    if isinstance(value, list) and len(value) > 3:
        texts += [json.dumps(value[:3])[1:-1], json.dumps(value[:3], separators=(",", ":"))[1:-1]]
    return texts


def told(secrets, replies):
    """The texts among the secrets that stand in a reply."""
    texts = {text for secret in secrets for text in texts_of(secret) if len(text) >= SHORTEST}
    return [text for text in texts if any(text in reply for reply in replies)]


def judged_at_once():
    """The tasks with published instances; those whose verifiers simulate are slow."""
    for task in TASKS:
        if task.instances():
            marks = [pytest.mark.slow] if task.id in SIMULATED else []
            yield pytest.param(task, marks=marks, id=task.id)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_no_reply_holds_a_hidden_parameter(task):
    for instance in instances_of(task):
        hidden = [instance.parameters[name] for name in task.hidden if name in instance.parameters]
        assert told(hidden, replies(task, instance)) == []


@pytest.mark.parametrize("task", [task for task in TASKS if task.instances()], ids=lambda task: task.id)
def test_no_reply_holds_a_part_of_the_reference(task):
    instance = task.instances()[0]
    reference = task.solve(instance)
    parts = reference.model_dump(mode="json").values()
    empty = task.empty(instance).model_dump(mode="json").values()
    assert told([task.format(reference), *(part for part in parts if part not in empty)], replies(task, instance)) == []


@pytest.mark.parametrize("task", list(judged_at_once()))
def test_no_reply_names_a_check_or_a_figure(task):
    instance = task.instances()[0]
    verdict = task.verify(instance, task.empty(instance))
    names = [item.name for item in (*verdict.checks, *verdict.figures)]
    _, *others = replies(task, instance)
    assert told(names, others) == []


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_commands_that_solve_are_refused(task):
    instance = instances_of(task)[0]
    acting = Episode(task, instance, HandsOptions(condition="hands"))
    solving = [name for name, command in commands_of(task).items() if command.aid.value in ("judging", "solving")]
    assert [acting.call(name, {}).result for name in solving] == [
        f"{name} is not allowed in this condition." for name in solving
    ]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_what_is_seen_does_not_show_what_the_reference_holds(task):
    for instance in instances_of(task):
        acting = Episode(task, instance, HandsOptions(condition="hands"))
        hidden = [instance.parameters[name] for name in task.hidden if name in instance.parameters]
        texts = [item.text for item in acting._sight().items if hasattr(item, "text")]
        assert told(hidden, texts) == []


@pytest.mark.parametrize("task", [task for task in TASKS if task.instances()], ids=lambda task: task.id)
def test_nothing_in_sight_has_the_colour_of_a_failure(task):
    instance = task.instances()[0]
    reference = task.solve(instance)
    for answer in (task.empty(instance), half_of(task, reference), reference):
        items = task.sight(instance, answer, AIDS["hands"]).items
        assert "failed" not in {color for item in items if item.name not in ALWAYS_RED for color in colors_of(item)}


def half_of(task, answer):
    """The answer with half of each list, and its first entry once more; the answer itself if that is none."""
    data = answer.model_dump(mode="json", by_alias=True)
    lists = {name: value for name, value in data.items() if isinstance(value, list)}
    try:
        return task.parse(data | {name: [*value[: len(value) // 2], *value[:1]] for name, value in lists.items()})
    except AnswerError:
        return answer


def colors_of(item):
    for name in ("color", "colors", "outline"):
        value = getattr(item, name, None)
        yield from [value] if isinstance(value, str) else map(str, value or ())
