"""A project that stays open keeps its journal, whatever else its process does with the file."""

import subprocess
import sys

import pytest

from spatial_workbench.engine.store import Project
from spatial_workbench.engine.store.holding import FileHold, JournalState

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="locks are not lost there")

OPEN_AND_CLOSE = """
import sys
from spatial_workbench.engine.store import Project
with Project.open(sys.argv[1]) as project:
    print(*project.people())
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "team.workbench"


@pytest.fixture
def project(path):
    with Project.create(path) as project:
        yield project


@pytest.fixture
def hold(project, path):
    kept = FileHold(path)
    yield kept
    kept.close()


def another_program_opens(path):
    return subprocess.run(
        [sys.executable, "-c", OPEN_AND_CLOSE, path], check=True, capture_output=True, text=True
    ).stdout


def look_into(path):
    """What a file dialog does to find out the kind of a file."""
    for file in path.parent.iterdir():
        file.read_bytes()[:16]


def test_the_journal_stays_when_another_program_closes_the_project(project, path, hold):
    look_into(path)
    assert hold.renew() is JournalState.HELD
    another_program_opens(path)
    assert hold.renew() is JournalState.HELD


@pytest.mark.slow
def test_a_removed_journal_is_noticed(project, path, hold):
    look_into(path)
    another_program_opens(path)
    assert hold.renew() is JournalState.GONE


def test_a_new_journal_in_the_place_of_the_old_one_is_noticed(project, path, hold):
    look_into(path)
    another_program_opens(path)
    with Project.open(path):
        assert hold.renew() is JournalState.REPLACED
