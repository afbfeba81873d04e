"""A folder that takes its place when it is whole, whatever happens on the way."""

import os
import subprocess
import sys
from contextlib import suppress

import pytest

from spatial_workbench.engine.puzzles.sets.export_folder import clear_leftovers, export_folder


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def target(tmp_path):
    folder = tmp_path / "out"
    (folder / "images").mkdir(parents=True)
    (folder / "split.json").write_text("old")
    (folder / "images" / "own.txt").write_text("mine")
    return folder


def test_what_is_written_takes_the_place_and_other_files_stay(target):
    with export_folder(target) as folder:
        (folder / "split.json").write_text("new")
    assert contents(target.parent) == {"out/split.json": "new", "out/images/own.txt": "mine"}


def test_a_failure_leaves_the_folder_as_it_was(target):
    with suppress(KeyError), export_folder(target) as folder:
        (folder / "split.json").write_text("new")
        raise KeyError
    assert contents(target.parent) == {"out/split.json": "old", "out/images/own.txt": "mine"}


def test_a_killed_process_leaves_nothing_once_the_next_one_looks(target):
    code = (
        "import os, sys; from pathlib import Path\n"
        "from spatial_workbench.engine.puzzles.sets.export_folder import export_folder\n"
        "with export_folder(Path(sys.argv[1])) as folder:\n"
        "    (folder / 'split.json').write_text('half'); os._exit(9)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", code, str(target)], check=False, env=environment)
    assert len(list(target.parent.iterdir())) == 2
    clear_leftovers(target.parent)
    assert contents(target.parent) == {"out/split.json": "old", "out/images/own.txt": "mine"}


@pytest.mark.parametrize(("has_new", "found"), [(True, "new"), (False, "old")])
def test_a_process_that_is_killed_between_old_and_new_loses_neither(target, has_new, found):
    beside = target.parent / ".export-abc"
    (beside / "old").mkdir(parents=True)
    (beside / "lock").touch()
    target.rename(beside / "old" / "out")
    if has_new:
        (beside / "new" / "out").mkdir(parents=True)
        (beside / "new" / "out" / "split.json").write_text("new")
    clear_leftovers(target.parent)
    assert contents(target.parent)["out/split.json"] == found
    assert not beside.exists()


def test_an_export_that_runs_is_left_alone(target):
    with export_folder(target) as folder:
        clear_leftovers(target.parent)
        assert folder.is_dir()


def test_folders_of_other_programs_are_left_alone(tmp_path):
    (tmp_path / ".export-notes").mkdir()
    clear_leftovers(tmp_path)
    assert (tmp_path / ".export-notes").is_dir()
