"""Levels of people's own as instances: addresses, prompts, scores, and parameters that count."""

import json

import platformdirs
import pytest

from spatial_workbench.engine.core import InstanceError, collections_of
from spatial_workbench.engine.core.registry import resolve, task
from spatial_workbench.engine.evaluation.planning.plan import select
from spatial_workbench.engine.machines.building.tree import write_tree
from spatial_workbench.engine.machines.levels.references import references
from spatial_workbench.engine.tasks.machine.open_levels import add_level_file, added_levels
from tests.machines.levels.test_level_files import CANYON, PLAIN

pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")
CAR = write_tree(references()["M1"].tree)


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(platformdirs, "user_data_path", lambda *arguments, **more: tmp_path)


def added(tmp_path, data):
    path = tmp_path / "own.level.json"
    path.write_text(json.dumps(data))
    return add_level_file(path)


def with_speed(rows, speed):
    return [row | {"parameters": {"speed": speed}} if row["type"] == 2 else row for row in rows]


def figure(verdict, name):
    return next(row.value for row in verdict.figures if row.name == name)


def test_an_added_level_is_an_instance_by_its_address(tmp_path):
    address = added(tmp_path, CANYON)
    judge, instance = resolve(address)
    assert instance.address == address
    assert judge.caption(instance) == "Canyon"
    assert "A wall 4 m high" in judge.prompt(instance).text
    assert "speed (types 2, 22, 46): speed of the motor, 0 to 4 times the usual" in judge.prompt(instance).text
    assert resolve(address)[1] == instance
    assert added_levels() == {address: "Canyon"}
    assert [entry.caption for entry in collections_of(judge)["levels"]] == ["Canyon"]
    assert select("machine_throw:levels") == (address,)
    assert judge.scene(instance, judge.solve(instance)).items


def test_a_level_of_another_task_is_refused(tmp_path):
    address = added(tmp_path, CANYON)
    with pytest.raises(InstanceError, match="is a level of the task throw"):
        resolve(address.replace("throw", "pick"))


def test_a_file_that_is_no_level_is_named_with_the_place(tmp_path):
    with pytest.raises(InstanceError, match=r"“own.level.json” is no level. window_s: "):
        added(tmp_path, PLAIN | {"window_s": 0})


def test_parameters_count_where_the_level_lets_them(tmp_path):
    judge, instance = resolve(added(tmp_path, PLAIN | {"window_s": 2, "parameters": ["speed"]}))
    plain, still = (judge.verify(instance, rows) for rows in (CAR, with_speed(CAR, 0)))
    assert figure(plain, "distance") > 5
    assert figure(still, "distance") < 0.5
    assert not any("does not count" in warning for warning in still.warnings)
    assert plain.score == pytest.approx(1)


def test_a_par_decides_what_scores_1(tmp_path):
    judge, instance = resolve(added(tmp_path, PLAIN | {"window_s": 2, "par": 100}))
    verdict = judge.verify(instance, CAR)
    assert verdict.score == pytest.approx(figure(verdict, "distance") / 100, rel=0.01)
    assert judge.crosscheck(instance, CAR).score == pytest.approx(verdict.score, abs=judge.score_tolerance)


def test_published_levels_are_not_among_the_added_ones():
    assert collections_of(task("machine_throw")) == {}
