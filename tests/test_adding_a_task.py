"""Does literally what docs/adding_a_task.md says, in an empty folder, with an editor and without one."""

import os
import re
import subprocess
import sys
import zipfile

import pytest

from spatial_workbench.root import ROOT

PAGE = ROOT / "docs" / "adding_a_task.md"
FILE = re.compile(r"^`(my_tasks/\S+)`(?:(?!```|`my_tasks)[^\n]*\n)+```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FOR_EVERY_TASK = (
    "tests/core/reading/test_pipeline.py",
    "tests/core/test_task.py",
    "tests/editors/test_controls.py",
    "tests/editors/test_every_editor.py",
    "tests/editors/test_pointing.py",
    "tests/editors/test_still.py",
    "tests/evaluation/test_failure_modes.py",
    "tests/models/test_schemas.py",
    "tests/tasks/test_short_scores.py",
    "tests/test_hostile_answers.py",
)
"""Where tests run for each task that there is, or over all of them."""

pytestmark = pytest.mark.skipif(not PAGE.is_file(), reason="not installed from source")


def files_of_the_page():
    """Contents by path; the page says of one file that it is empty."""
    page = PAGE.read_text("utf-8").partition("## What a task has")[0]
    return dict(FILE.findall(page)) | {"my_tasks/my_tasks/__init__.py": ""}


def install(folder, files):
    """Builds the package, and unpacks it as an installer would; returns the folder for modules."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    code = f"from setuptools import build_meta; build_meta.build_wheel({str(folder)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=folder / "my_tasks", check=True, capture_output=True)
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(folder / "installed")
    return folder / "installed"


@pytest.fixture(scope="module")
def with_editor(tmp_path_factory):
    return install(tmp_path_factory.mktemp("with"), files_of_the_page())


@pytest.fixture(scope="module")
def without_editor(tmp_path_factory):
    files = files_of_the_page()
    del files["my_tasks/my_tasks/saw_bar_editor.py"]
    project = "my_tasks/pyproject.toml"
    files[project] = re.sub(r"\[project\.entry-points\.\"spatial_workbench\.editors\"\]\n.*\n\n", "", files[project])
    return install(tmp_path_factory.mktemp("without"), files)


@pytest.fixture(params=["with_editor", pytest.param("without_editor", marks=pytest.mark.slow)])
def installed(request):
    return request.getfixturevalue(request.param)


def run(installed, tmp_path, *arguments, given=None, folder=None):
    path = os.pathsep.join([str(installed), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": path, "XDG_CACHE_HOME": str(tmp_path)}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder or installed.parent,
        env=environment,
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )


def command(installed, tmp_path, *words, given=None):
    done = run(installed, tmp_path, "-m", "spatial_workbench", *words, given=given)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_page_has_every_file_that_it_speaks_of():
    assert set(files_of_the_page()) == {
        f"my_tasks/{name}"
        for name in (
            "pyproject.toml",
            "my_tasks/__init__.py",
            "my_tasks/saw_bar.py",
            "my_tasks/saw_bar_editor.py",
            "my_tasks/resources/tasks/saw_bar.json",
            "my_tasks/resources/rules/saw_bar.md",
            "my_tasks/resources/evaluation/cards/saw_bar.json",
        )
    }


@pytest.mark.slow
def test_the_commands_of_the_page_do_what_it_says(installed, tmp_path):
    assert "saw_bar" in command(installed, tmp_path, "tasks")
    answer = command(installed, tmp_path, "solve", "saw_bar:0")
    assert "passed, score 1" in command(installed, tmp_path, "verify", "saw_bar:0", "-", given=answer)
    command(installed, tmp_path, "pictures", "saw_bar", "-o", "my_tasks/my_tasks/resources/thumbnails")
    drawn = installed.parent / "my_tasks" / "my_tasks" / "resources" / "thumbnails"
    assert sorted(path.name for path in drawn.iterdir()) == ["saw_bar-dark.png", "saw_bar-light.png"]


@pytest.mark.slow
def test_its_controls_are_listed_with_their_classes(with_editor, tmp_path):
    assert command(with_editor, tmp_path, "controls", "saw_bar").split() == ["saw_bar", "editing", "Place"]


@pytest.mark.slow
def test_it_joins_no_published_benchmark(installed, tmp_path):
    code = (
        "from spatial_workbench.engine.core import Family, tasks\n"
        "print(sorted(task.id for task in tasks() if task.family not in Family.PUBLISHED))\n"
    )
    assert run(installed, tmp_path, "-c", code).stdout.strip() == "['saw_bar']"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_holds_for_every_task_holds_for_it_too(installed, tmp_path):
    quietly = ("-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider")
    arguments = (*quietly, "--task", "saw_bar", "-k", "saw_bar or census", *FOR_EVERY_TASK)
    done = run(installed, tmp_path, *arguments, folder=ROOT)
    assert done.returncode == 0, done.stdout[-4000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 40
