"""Ids of instances follow from the question: not from seeds, splits, versions, or what is hidden."""

import json
from pathlib import Path

import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.evaluation.datasets.ids import instance_id
from tests.evaluation.datasets.inline import rows_of, written
from tests.sweeps import some

MADE_SO_FAR = json.loads(Path(__file__).with_name("ids.json").read_text())
"""Addresses with the ids that earlier versions gave them."""


@pytest.mark.parametrize(("address", "known_id"), some(list(MADE_SO_FAR.items()), 20))
def test_an_instance_has_the_same_id_as_ever(address, known_id):
    assert instance_id(*resolve(address)) == known_id


@pytest.mark.parametrize("name", ["maze_3d", "topology_enumeration", "two_segments", "voxel_projection"])
def test_equal_questions_have_equal_ids_whatever_their_seeds(name):
    known = task(name)
    instances = [resolve(f"{name}@{seed}")[1] for seed in range(60)]
    pairs = {(known.question_key(instance), instance_id(known, instance)) for instance in instances}
    keys, ids = zip(*pairs, strict=True)
    assert len(set(keys)) == len(set(ids)) == len(pairs)


def test_some_of_these_questions_are_equal():
    ids = {instance_id(*resolve(f"maze_3d@{seed}")) for seed in range(60)}
    assert len(ids) < 60


def test_what_a_solver_is_told_of_a_hidden_number_changes_the_id():
    known = task("printable_prime")
    published = known.instances()[0]
    longer = type(published).published(known.id, 0, {**published.parameters, "record": "1" * 200})
    other = type(published).published(known.id, 0, {**published.parameters, "record": "7" * 200})
    assert instance_id(known, published) != instance_id(known, longer) == instance_id(known, other)


def test_the_same_cube_has_the_same_digits_in_all_tasks_of_the_cube():
    names = ("cube_full_symbolic", "cube_full_visual", "cube_vertex_view", "cube_face_view")
    ids = {instance_id(*resolve(f"{name}@7")) for name in names}
    assert len(ids) == 4
    assert len({one.rpartition("-")[2] for one in ids}) == 1


def test_an_instance_has_the_same_id_in_every_data_set(tmp_path):
    small = {row["address"]: row["id"] for row in rows_of(written(tmp_path / "a", ("shikaku",), 3, 7))}
    split = written(tmp_path / "b", ("shikaku",), seed=7, splits={"train": 4, "test": 2}, published=True)
    large = {row["address"]: row["id"] for row in rows_of(split)}
    assert small.items() & large.items()
    assert all(large.get(address, one) == one for address, one in small.items())
