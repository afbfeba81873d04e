"""Large projects that were found sound are checked again only once they have changed."""

import os
import sqlite3
from contextlib import closing

import pytest

from spatial_workbench.engine.core import Cancelled, resolve
from spatial_workbench.engine.store import Actor, Project, ProjectError, inspection, sound_files

INSTANCE = resolve("shikaku:0")[1]


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A project that counts as large, with an attempt; it was closed after it was made."""
    monkeypatch.setattr(sound_files, "LEAST_BYTES", 0)
    with Project.create(tmp_path / "large.workbench") as project:
        project.attempts.add(INSTANCE, "{}", Actor.MODEL, "m")
    return tmp_path / "large.workbench"


@pytest.fixture
def checked(monkeypatch):
    """The files whose contents have been checked."""
    files = []
    check = inspection._fault_in_contents

    def noted(path, connection, progress):
        files.append(path)
        return check(path, connection, progress)

    monkeypatch.setattr(inspection, "_fault_in_contents", noted)
    return files


def change(path, statement="UPDATE facts SET who = 'n'"):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(statement)


def open_and_close(path):
    Project.open(path).close()


def test_a_file_is_not_checked_again_after_it_was_made_and_closed(path, checked):
    open_and_close(path)
    assert checked == []


def test_a_file_that_another_program_changed_is_checked_once(path, checked):
    change(path)
    open_and_close(path)
    open_and_close(path)
    assert checked == [path]


def test_what_this_program_stored_needs_no_check(path, checked):
    with Project.open(path) as project:
        project.attempts.add(INSTANCE, "{}", Actor.MODEL, "m")
    open_and_close(path)
    assert checked == []


def test_a_file_that_is_written_to_by_two_is_checked_again(path, checked):
    with Project.open(path) as project:
        change(path)
        project.attempts.add(INSTANCE, "{}", Actor.MODEL, "m")
    open_and_close(path)
    assert checked == [path]


def test_what_is_still_in_the_journal_counts_as_a_change(path, checked):
    with Project.open(path) as project:
        project.attempts.add(INSTANCE, "{}", Actor.MODEL, "m")
        open_and_close(path)
        open_and_close(path)
    assert checked == [path]


@pytest.mark.parametrize(
    "statement", ["UPDATE facts SET score = -1", "UPDATE items SET state = 'x'", "PRAGMA user_version = 0"]
)
def test_a_file_that_was_sound_and_is_not_is_refused(path, statement):
    with Project.open(path) as project:
        plan = '{"name": "b", "contenders": [{"settings": {"name": "m"}}], "addresses": ["shikaku:0"]}'
        project.batches.add("b", plan, [(0, "shikaku:0", "shikaku", 0, None)])
    change(path, statement)
    for _ in range(2):
        with pytest.raises(ProjectError):
            Project.open(path)


def test_a_damaged_large_file_is_refused_as_a_small_one_is(path, monkeypatch):
    content = bytearray(path.read_bytes())
    content[4096 * 8 :] = os.urandom(len(content) - 4096 * 8)
    path.write_bytes(content)
    refused = []
    for least in (0, 1 << 40):
        monkeypatch.setattr(sound_files, "LEAST_BYTES", least)
        with pytest.raises(ProjectError) as caught:
            Project.open(path)
        refused.append(str(caught.value))
    assert refused[0] == refused[1]
    assert "damaged" in refused[0]
    assert path.read_bytes() == content


def test_a_file_in_which_something_cannot_be_read_is_checked_again(path, checked):
    with pytest.raises(ProjectError), Project.open(path):
        raise sqlite3.DatabaseError("database disk image is malformed")
    open_and_close(path)
    assert checked == [path]


def test_a_copy_under_another_name_is_checked(path, checked):
    other = path.with_name("copy.workbench")
    other.write_bytes(path.read_bytes())
    open_and_close(other)
    assert checked == [other]


def test_a_file_that_another_replaces_is_checked(path, checked, tmp_path):
    other = path.with_name("copy.workbench")
    other.write_bytes(path.read_bytes())
    os.utime(other, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    other.replace(path)
    open_and_close(path)
    assert checked == [path]


def test_a_file_that_took_the_place_of_an_open_one_is_checked(path, checked):
    other = path.with_name("copy.workbench")
    other.write_bytes(path.read_bytes())
    with Project.open(path):
        other.replace(path)
    open_and_close(path)
    assert checked == [path]


def test_another_version_of_the_program_checks_again(path, checked, monkeypatch):
    monkeypatch.setattr(sound_files, "application_version", lambda: "999")
    open_and_close(path)
    assert checked == [path]


def test_small_files_are_not_remembered(path, checked, monkeypatch):
    monkeypatch.setattr(sound_files, "LEAST_BYTES", 1 << 40)
    change(path)
    open_and_close(path)
    open_and_close(path)
    assert checked == [path, path]


def test_without_a_cache_folder_files_are_checked_each_time(path, checked, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    open_and_close(path)
    open_and_close(path)
    assert checked == [path, path]


def test_only_so_many_files_are_remembered(tmp_path, monkeypatch, path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sound_files, "MAX_FILES", 2)
    for name in "abc":
        Project.create(tmp_path / f"{name}.workbench").close()
    assert len(list((tmp_path / "cache").rglob("*.json"))) == 2


def test_checking_a_large_file_tells_its_progress_and_can_be_cancelled(path):
    sound_files.forget(path)
    told = []

    def progress(done, total, text=""):
        told.append((done, total))
        raise Cancelled

    with pytest.raises(Cancelled):
        Project.open(path, progress)
    assert told[0][0] <= told[0][1]
    assert not sound_files.is_remembered(path, sound_files.stamp_of(path))
