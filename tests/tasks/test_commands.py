"""Commands of all tasks: each is described, and says a sentence about whatever is wrong with its arguments."""

import math

import pytest

from spatial_workbench.engine.core import AnswerError
from spatial_workbench.engine.core.acting.commands import HasCommands, commands_of
from spatial_workbench.engine.core.registry import resolve, tasks

COMMANDS = [
    pytest.param(task, command, id=f"{task.id} {command.name}")
    for task in tasks()
    if isinstance(task, HasCommands)
    for command in task.commands()
]


def instance_of(task):
    published = task.instances()
    return published[0] if published else task.generate(1)


def apply(task, command, arguments):
    instance = instance_of(task)
    return command.apply(instance, task.empty(instance), arguments)


def is_a_sentence(error):
    text = str(error.value)
    return 8 < len(text) < 400 and "Traceback" not in text and "validation error" not in text and text[:1] != "<"


def lists_of(command):
    fields = command.schema().get("properties", {})
    return [name for name, field in fields.items() if field.get("type") == "array"]


@pytest.mark.parametrize(("task", "command"), COMMANDS)
def test_a_command_and_its_arguments_are_described(task, command):
    fields = command.schema().get("properties", {})
    assert command.about.endswith(".")
    assert [name for name, field in fields.items() if not ("description" in field or "enum" in field)] == []


def test_bounds_of_whole_numbers_are_named_as_json_schema_names_them():
    command = commands_of(resolve("printable_prime:0")[0])["add"]
    place = command.schema()["properties"]["place"]
    assert (place["minimum"], place["maximum"]) == (-1, 1000)


@pytest.mark.parametrize(("task", "command"), COMMANDS)
@pytest.mark.parametrize("arguments", [[1], "x", 3, {"not a field": 1}], ids=["list", "text", "number", "unknown"])
def test_what_is_not_arguments_is_refused_in_a_sentence(task, command, arguments):
    with pytest.raises(AnswerError) as error:
        apply(task, command, arguments)
    assert is_a_sentence(error)


@pytest.mark.parametrize(("task", "command"), COMMANDS)
@pytest.mark.parametrize(
    "value", [math.nan, math.inf, None, {}, [[[]]]], ids=["nan", "infinite", "none", "object", "lists"]
)
def test_a_wrong_type_is_refused_in_a_sentence(task, command, value):
    fields = command.schema().get("properties", {})
    for name in fields:
        with pytest.raises(AnswerError) as error:
            apply(task, command, {name: value})
        assert is_a_sentence(error)


@pytest.mark.parametrize(("task", "command"), [row for row in COMMANDS if lists_of(row.values[1])])
def test_more_elements_than_an_answer_holds_are_refused_in_a_sentence(task, command):
    for name in lists_of(command):
        with pytest.raises(AnswerError) as error:
            apply(task, command, {name: [0] * 10_001})
        assert is_a_sentence(error)
