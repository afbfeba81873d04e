"""An address means the same bytes for ever: data sets, frozen studies and stored attempts rely on it."""

import hashlib
import json
from pathlib import Path

import pytest

from spatial_workbench.engine.core import Family, InstanceError, resolve, tasks
from spatial_workbench.engine.core.registry import as_stored, instance_with
from tests.sweeps import some

MADE_SO_FAR = json.loads(Path(__file__).with_name("addresses.json").read_text())
"""Addresses with the beginning of the SHA-256 of their parameters, as they were made by earlier versions."""


@pytest.mark.parametrize(("address", "digest"), some(list(MADE_SO_FAR.items()), 31))
def test_an_address_gives_the_same_parameters_as_ever(address, digest):
    _, instance = resolve(address)
    assert hashlib.sha256(instance.parameters_json.encode()).hexdigest()[:16] == digest


def test_every_generator_is_among_them():
    generating = {task.id for task in tasks() if task.generates and task.family in Family.PUBLISHED}
    assert generating <= {address.partition("@")[0] for address in MADE_SO_FAR}


@pytest.mark.parametrize(
    ("task_id", "parameters", "seed", "address"),
    [
        ("shikaku", None, 7, "shikaku@7"),
        ("shikaku", {"width": 10}, 7, "shikaku@7?width=10"),
        ("terrain_levelling", {"n": 20}, None, "terrain_levelling:1"),
        ("lego_hemisphere", {"inner_mm": 41, "outer_mm": 77}, None, "lego_hemisphere@0?inner_mm=41.0&outer_mm=77.0"),
    ],
)
def test_parameters_of_other_people_make_an_address(task_id, parameters, seed, address):
    instance = instance_with(task_id, parameters, seed)
    assert instance.address == address
    assert resolve(address)[1] == instance


def test_a_published_instance_is_found_by_its_parameters_unless_others_have_the_same():
    for task in tasks():
        for instance in (task.instances()[0], task.instances()[-1]):
            alike = [other for other in task.instances() if other.parameters == instance.parameters]
            if len(alike) == 1:
                assert instance_with(task.id, instance.parameters) == instance


@pytest.mark.parametrize(
    ("parameters", "seed", "words"),
    [
        (None, None, "neither a seed nor parameters are given"),
        ({}, None, "neither a seed nor parameters are given"),
        ([1], None, "parameters: an object"),
        (None, -1, "seed: a whole number from 0"),
        (None, True, "seed: a whole number from 0"),
        (None, "7", "seed: a whole number from 0"),
        ({"widht": 9}, 1, "did you mean “width”?"),
        ({"widht": 9}, None, "no published instance of shikaku has them. “widht” is no parameter"),
        ({"width": 9}, None, "they alone make none; give a seed, too"),
        ({"width": "9\0"}, 1, "width: "),
    ],
)
def test_parameters_that_make_no_instance_are_refused(parameters, seed, words):
    with pytest.raises(InstanceError) as raised:
        instance_with("shikaku", parameters, seed)
    assert words in str(raised.value)


def test_parameters_that_several_instances_have_name_them():
    with pytest.raises(InstanceError, match="instances 0, 1, 2, 3, 4 and 4 more of terrain_levelling have them"):
        instance_with("terrain_levelling", {"octaves": 4})


TOGETHER = {
    ("csg_union", "cavity"): {"solids": 6},
    ("hyper_snake", "food_traps"): {"wall_count": 2},
    ("pipe_loop", "pipes"): {"pipes": 8},
}
"""Values that a parameter needs beside another than its usual one, or instead of it."""


def unusual(parameter):
    """A value that is not the usual one; None for texts, whose form is the task's own."""
    low, high, usual = parameter.low, parameter.high, parameter.default
    if parameter.choices:
        return next(value for value in parameter.choices if value != usual)
    if parameter.kind == "yes or no":
        return not usual
    if parameter.kind == "whole number":
        return int(low) if usual is None else usual - 2 if usual - 2 >= low else min(usual + 2, int(high))
    if parameter.kind == "number":
        return low if usual is None else (usual + (low if usual > low else high)) / 2
    return None


def sample():
    """Each parameter of each task with one value."""
    for task in tasks():
        for parameter in task.generator_parameters:
            if (value := unusual(parameter)) is not None:
                yield task.id, {parameter.name: value} | TOGETHER.get((task.id, parameter.name), {})


def test_the_sample_is_of_every_task_with_parameters():
    assert {task_id for task_id, _ in sample()} == {task.id for task in tasks() if task.generator_parameters}


@pytest.mark.parametrize(
    ("task_id", "parameters"), [pytest.param(*case, id="-".join((case[0], *case[1]))) for case in some([*sample()], 12)]
)
def test_instances_of_other_people_with_a_seed_and_any_parameter_have_an_address(task_id, parameters):
    instance = instance_with(task_id, parameters, seed=3)
    assert instance.address.startswith(f"{task_id}@3?")
    assert all(name in instance.address for name in parameters)
    assert resolve(instance.address)[1] == instance


def test_a_stored_generated_instance_keeps_its_parameters_and_its_address():
    task, instance = as_stored("shikaku@7?width=10", '{"grid": "as stored"}')
    assert (task.id, instance.address, instance.parameters) == (
        "shikaku",
        "shikaku@7?width=10",
        {"grid": "as stored"},
    )


@pytest.mark.parametrize(
    ("address", "parameters", "words"),
    [
        ("shikaku:0", "{}", "holds no seed"),
        ("shikaku@x", "{}", "holds no seed"),
        ("shikaku@7", "[]", "no JSON object"),
        ("shikaku@7", "{", "no JSON object"),
        ("tangram@7", "{}", "no task"),
    ],
)
def test_what_is_wrong_with_a_stored_instance_is_said(address, parameters, words):
    with pytest.raises(InstanceError, match=words):
        as_stored(address, parameters)
