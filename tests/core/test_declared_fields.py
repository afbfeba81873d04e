"""The parameters of generators, as programs and the command line tell them."""

import json

import pytest

import spatial_workbench as sw
from spatial_workbench.app.commands.main import main

GENERATING = [task.id for task in sw.tasks().values() if task.generates]


def parameter(task_id, name):
    return {found.name: found for found in sw.task(task_id).generator_parameters}[name]


@pytest.mark.parametrize("task_id", GENERATING)
def test_every_parameter_that_a_generator_takes_is_told_with_a_sentence(task_id):
    told = sw.task(task_id).generator_parameters
    assert [found.name for found in told] == list(sw.task(task_id).difficulty.model_fields)
    assert all(found.about for found in told)
    json.dumps([found.as_data() for found in told])


@pytest.mark.parametrize("task_id", GENERATING)
def test_the_defaults_that_are_told_are_those_that_count(task_id):
    given = {found.name: found.default for found in sw.task(task_id).generator_parameters}
    assert sw.task(task_id).difficulty_of(given) == sw.task(task_id).difficulty_of({})


def test_a_task_without_generator_tells_no_parameters():
    assert [task.id for task in sw.tasks().values() if not task.generates and task.generator_parameters] == []


@pytest.mark.parametrize(
    ("task_id", "name", "words"),
    [
        ("shikaku", "width", "width: whole number, 5 to 30; 8 by default. Columns"),
        ("half_subdivision", "dimension", "dimension: 2 | 3; 3 by default. A square or a cube"),
        ("pack_prisms", "perfect", "perfect: yes or no; True by default. whether a packing without gaps exists"),
    ],
)
def test_a_parameter_reads_as_a_line(task_id, name, words):
    assert str(parameter(task_id, name)) == words


def test_a_parameter_that_is_drawn_says_no_default():
    assert "default" not in str(parameter("lego_hemisphere", "inner_mm"))


def test_show_tells_the_parameters_as_json(capsys):
    assert main(["show", "shikaku:0", "--json"]) == 0
    first = json.loads(capsys.readouterr().out)["generator_parameters"][0]
    assert first == {
        "name": "width",
        "about": "Columns",
        "kind": "whole number",
        "default": 8,
        "minimum": 5,
        "maximum": 30,
    }
