"""Tasks of other packages: they work everywhere as our own do, and a broken one is named and harms nobody."""

import importlib
import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from spatial_workbench.engine.core import Bucket, Family, broken_tasks, registry, resolve, task, tasks
from spatial_workbench.engine.core.plug_ins.old_names import MOVED
from spatial_workbench.root import ROOT

PACKAGE = Path(__file__).parents[1] / "sample_package"
OLD_PACKAGE = PACKAGE.with_name("old_package")
"""A plug-in as it was made for the last release, unchanged."""


@pytest.fixture
def installed(monkeypatch):
    """The sample package as if it were installed."""
    monkeypatch.syspath_prepend(str(PACKAGE))
    importlib.invalidate_caches()
    for remembered in (registry._registry, registry.task):
        remembered.cache_clear()
    yield
    for remembered in (registry._registry, registry.task):
        remembered.cache_clear()


def test_a_task_of_another_package_is_found_with_its_own_instances(installed):
    foreign, instance = resolve("count_corners:1")
    assert (foreign.title, instance.parameters["corners"]) == ("Count corners", 5)
    assert foreign.verify(instance, {"corners": 5}).passed
    assert resolve("count_corners@3")[1].parameters == resolve("count_corners@3")[1].parameters


def test_its_rules_are_those_of_its_own_package(installed):
    assert "how many corners" in task("count_corners").rules()


@pytest.mark.parametrize("each_task", tasks(), ids=lambda each_task: each_task.id)
def test_every_task_of_ours_has_its_rules_in_words(each_task):
    assert each_task.rules().startswith("# ")


def test_it_stands_behind_the_published_systems_in_a_family_of_its_own(installed):
    last = tasks()[-1]
    assert (last.id, last.family.label, last.bucket.label) == ("count_corners", "Sample tasks", "Counting")
    assert last.family not in Family.PUBLISHED
    assert last.bucket not in Bucket.PUBLISHED


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("abstract", "it lacks _crosscheck, caption, empty, prompt, scene, solve"),
        ("without_family", "its family has to be one of its own"),
        ("without_file", "its instances cannot be read"),
        ("shikaku", "there is a task “shikaku” already"),
        ("import_fails", "this module cannot be imported"),
        ("missing", "No module named 'sample_tasks.missing'"),
    ],
)
def test_a_broken_task_is_named_with_what_is_wrong(installed, name, reason):
    (broken,) = (candidate for candidate in broken_tasks() if candidate.name == name)
    assert reason in broken.reason


def test_a_broken_task_harms_no_other(installed):
    assert task("shikaku").family == Family.SCBENCH
    assert len([known for known in tasks() if known.family == Family.SCBENCH]) == 22
    assert len(tasks()) == len({known.id for known in tasks()})


def run(*arguments, tmp_path, package=PACKAGE):
    """A command of a workbench beside which the sample package is installed."""
    environment = {**os.environ, "PYTHONPATH": str(package), "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "spatial_workbench.app.commands.main", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


@pytest.mark.slow
def test_a_plug_in_of_the_last_release_works_and_its_makers_are_warned(tmp_path):
    listed = run("tasks", "--json", tmp_path=tmp_path, package=OLD_PACKAGE)
    assert "count_corners" in {row["id"] for row in json.loads(listed.stdout)}
    assert listed.stderr.count("imports “engine”, which is now called “spatial_workbench.engine”") == 1
    assert "CountCorners should inherit PlayedByAgents" in listed.stderr
    answer = tmp_path / "answer.json"
    answer.write_text('{"corners": 3}')
    judged = run("verify", "count_corners:0", str(answer), tmp_path=tmp_path, package=OLD_PACKAGE)
    assert judged.returncode == 0


@pytest.mark.slow
def test_its_agents_and_its_editor_work_too(tmp_path):
    code = (
        "from spatial_workbench.engine.core import agents_of, task\n"
        "from spatial_workbench.widgets.editors import editor_for\n"
        "old = task('count_corners')\n"
        "print(agents_of(old), old.expected_calls.__name__, editor_for(old).__name__)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(OLD_PACKAGE), str(ROOT)])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout == "{'counter': 'Agent that counts'} expected_calls CountingEditor\n", done.stderr


def test_every_module_that_has_moved_is_where_the_list_says():
    assert [new for new in MOVED.values() if find_spec(f"spatial_workbench.{new}") is None] == []


@pytest.mark.slow
def test_the_command_line_lists_and_judges_it(tmp_path):
    listed = run("tasks", "--json", tmp_path=tmp_path)
    assert "count_corners" in {row["id"] for row in json.loads(listed.stdout)}
    answer = tmp_path / "answer.json"
    answer.write_text('{"corners": 3}')
    assert run("verify", "count_corners:0", str(answer), tmp_path=tmp_path).returncode == 0
