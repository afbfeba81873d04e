"""A session's file that is written in a thread: commits return at once, keep their order, and are never lost twice."""

import threading

import pytest

from spatial_workbench.engine.studies.sessions.edit_history import DraftEdit
from spatial_workbench.engine.studies.sessions.pages import Cover
from spatial_workbench.engine.studies.sessions.queued_file import QueuedSessionFile
from spatial_workbench.engine.studies.sessions.session_file import Changes, SessionFile
from tests.studies.sittings import Person

ONE, TWO = (0, 0, 0, 0), (1, 1, 1, 1)


class SlowDisk:
    """A disk that writes nothing until it is let go."""

    def __init__(self, monkeypatch):
        self.is_free = threading.Event()
        self.writers = set()
        self.is_free.set()
        self.fault = None
        write = SessionFile.commit

        def commit(file, changes):
            self.writers.add(threading.current_thread().name)
            assert self.is_free.wait(20)
            if self.fault is not None:
                raise self.fault
            write(file, changes)

        monkeypatch.setattr(SessionFile, "commit", commit)


@pytest.fixture
def disk(monkeypatch):
    return SlowDisk(monkeypatch)


@pytest.fixture
def person(disk, tmp_path):
    worker = Person(tmp_path, file_type=QueuedSessionFile)
    worker.sitting.state.file.flush()
    disk.writers.clear()
    yield worker
    disk.fault = None
    disk.is_free.set()
    worker.sitting.close()


def rectangles(answer):
    return [list(rectangle) for rectangle in answer["rectangles"]]


def test_an_edit_does_not_wait_for_the_disk(person, disk):
    disk.is_free.clear()
    assert person.place(ONE)
    assert person.place(ONE, TWO)
    assert not person.sitting.state.file.is_stored
    disk.is_free.set()
    assert rectangles(person.sitting.state.file.draft(0)) == [list(ONE), list(TWO)]
    assert disk.writers == {"session file"}


def test_edits_are_stored_in_their_order_however_busy_the_disk_is(person, disk):
    for k in range(60):
        disk.is_free.clear() if k % 3 else disk.is_free.set()
        person.place(*[(0, 0, place, place) for place in range(k % 7 + 1)])
    disk.is_free.set()
    assert len(person.sitting.state.file.draft(0)["rectangles"]) == 59 % 7 + 1
    numbers = [event["n"] for event in person.events("edit")]
    assert len(numbers) == 60
    assert numbers == sorted(numbers)


def test_a_disk_that_takes_nothing_covers_the_item_and_nothing_is_lost_once_it_does(person, disk):
    disk.fault = OSError("No space left on device")
    person.place(ONE)
    with person.sitting.state.file._state:
        person.sitting.state.file._state.wait_for(lambda: person.sitting.state.file.fault is not None)
    person.work(0.5)
    assert person.sitting.state.cover is Cover.TROUBLE
    assert "No space left" in person.sitting.state.trouble
    disk.fault = None
    with person.sitting.state.file._state:
        person.sitting.state.file._state.wait_for(lambda: person.sitting.state.file.fault is None)
    person.work(0.5)
    assert person.sitting.state.cover is Cover.GAP
    assert rectangles(person.sitting.state.file.draft(0)) == [list(ONE)]
    assert person.record.trials[0].edits == 1


def test_deleting_waits_for_what_is_still_being_written(person, tmp_path):
    person.place(ONE)
    person.sitting.leaving.stop(keeps=False)
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".lock", ".tombstone"]


def test_a_draft_that_begins_anew_replaces_the_edits_that_were_not_stored_yet():
    first = Changes(edits=((0, DraftEdit([["a"]])), (1, DraftEdit([["b"]]))))
    assert first.then(Changes(begun={0: {"fresh": 1}})).edits == ((1, DraftEdit([["b"]])),)
