"""The file of a session: what is committed stays, what is damaged is restored or kept, and deleting deletes."""

import sqlite3

import pytest

from spatial_workbench.engine.core.clocks.system_clocks import read_clocks
from spatial_workbench.engine.studies.files.canonical import canonical
from spatial_workbench.engine.studies.files.merging import chain_of
from spatial_workbench.engine.studies.files.results_file import read_results
from spatial_workbench.engine.studies.sessions.entry import EntryRefused, check_materials, running_code
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from spatial_workbench.engine.studies.sessions.schema import SessionState
from spatial_workbench.engine.studies.sessions.session_file import (
    Damaged,
    SessionFileError,
    lines,
    read_session,
    tombstone,
)
from tests.studies.sittings import Person, bundle, study

ONE, TWO = (0, 0, 0, 0), (1, 1, 1, 1)


@pytest.fixture
def person(tmp_path):
    return Person(tmp_path, study(limits={"item_s": 300, "pauses": {"kind": "between"}}))


def test_the_file_is_one_of_sessions_and_is_written_through(person):
    connection = person.sitting.state.file._connection
    assert connection.execute("PRAGMA application_id").fetchone()["application_id"] == int.from_bytes(b"SWS1", "big")
    assert connection.execute("PRAGMA synchronous").fetchone()["synchronous"] == 2


def test_events_are_chained_in_chunks_of_64_or_10_seconds(person):
    for k in range(200):
        person.place((0, 0, k % 7, k % 7))
    person.work(11)
    chunks = person.sitting.state.file.chunks()
    assert all(len(lines([chunk])) <= 64 for chunk in chunks)
    digests = [d for (d,) in person.sitting.state.file._connection.execute("SELECT digest FROM chunks ORDER BY number")]
    assert tuple(digests) == chain_of(chunks)
    assert [event["n"] for event in lines(chunks)] == list(range(1, len(lines(chunks)) + 1))


def test_a_draft_is_what_its_patches_make_of_it(person):
    person.place(ONE)
    person.place(ONE, TWO)
    assert person.sitting.state.file.draft(0)["rectangles"] == [list(ONE), list(TWO)]
    assert person.sitting.state.file.draft(1) is None


def test_a_session_can_be_read_while_somebody_works_on_it(person, tmp_path):
    person.work(2)
    assert read_session(tmp_path / "P001H.session").trials[0].active_ms >= 1_000


def damage(path):
    """Overwrites the middle of a file."""
    with path.open("r+b") as file:
        file.seek(0)
        file.write(b"\xff" * 4096)


def test_a_damaged_file_is_replaced_by_its_copy_and_what_was_lost_is_named(person, tmp_path):
    person.place(ONE)
    person.sitting.work.submit()
    person.sitting.close()
    damage(tmp_path / "P001H.session")
    person.begin()
    assert "is lost" in person.sitting.state.note
    assert person.record.trials[0].submissions[0].answer
    assert (tmp_path / "P001H.damaged").exists()


def test_a_damaged_file_without_a_copy_is_kept_and_told(person, tmp_path):
    person.sitting.close()
    damage(tmp_path / "P001H.session")
    with pytest.raises(Damaged, match=r"kept as P001H\.damaged"):
        person.begin()
    assert (tmp_path / "P001H.damaged").exists()


def test_a_file_of_a_newer_version_is_refused_and_nothing_is_changed(person, tmp_path):
    person.sitting.close()
    path = tmp_path / "P001H.session"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(EntryRefused, match="newer version"):
        person.begin()
    assert path.read_bytes() == before


def test_a_session_of_a_version_without_sketches_goes_on(person, tmp_path):
    person.die()
    with sqlite3.connect(tmp_path / "P001H.session") as connection:
        connection.execute("DROP TABLE notes")
        connection.execute("PRAGMA user_version = 1")
    assert read_session(tmp_path / "P001H.session").trials[0].sketches == {}
    person.begin()
    person.sitting.go_on()
    assert person.sitting.work.sketch("page 1", "{}")
    assert person.record.trials[0].sketches == {"page 1": "{}"}


def test_something_else_is_no_session(tmp_path):
    (tmp_path / "x.session").write_text("hello")
    with pytest.raises(SessionFileError, match="cannot be read"):
        read_session(tmp_path / "x.session")


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OSError, match="file"):
        Person(tmp_path / "file", at_item=False)


def test_a_commit_that_fails_changes_nothing(person, monkeypatch):
    person.place(ONE)
    before = person.sitting.state.file.chunks()
    person.sitting.state.file._connection.execute("PRAGMA query_only = ON")
    assert person.place(ONE, TWO)
    assert person.sitting.state.trouble
    person.sitting.state.file._connection.execute("PRAGMA query_only = OFF")
    person.sitting.tick()
    assert person.sitting.state.file.draft(0)["rectangles"] == [list(ONE), list(TWO)]
    assert person.sitting.state.file.chunks()[: len(before)] == before


def test_deleting_leaves_no_byte_of_an_answer(person, tmp_path):
    person.sitting.work.edit("Type", "a very private answer")
    person.sitting.work.submit()
    person.sitting.leaving.stop(keeps=False)
    assert tombstone(tmp_path, "P001H")
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"private" not in left
    assert set(left.decode().split('"')) >= {"P001H", person.bundle.hash}


def test_so_many_events_stop_with_a_mark_and_answers_never_do(person, monkeypatch):
    monkeypatch.setattr("spatial_workbench.engine.studies.sessions.session_file.MOST_EVENT_BYTES", 1)
    person.sitting.state.file.chunks()
    person.place(ONE)
    assert person.sitting.state.file.events_stopped
    path, _ = person.sitting.write_results(person.folder / "results")
    assert read_results(path, lambda study, its: person.bundle.key).session.file_faults == ("log full",)
    assert person.sitting.state.file.draft(0)["rectangles"] == [list(ONE)]


def test_the_session_that_goes_on_is_found_for_autostart(person, tmp_path):
    assert running_code(person.bundle, tmp_path) == "P001H"
    person.sitting.leaving.stop(keeps=True)
    assert running_code(person.bundle, tmp_path) is None


def test_a_session_in_memory_leaves_nothing(tmp_path, monkeypatch):
    from spatial_workbench.engine.studies.sessions.entry import try_out

    made = bundle(study())
    monkeypatch.chdir(tmp_path)
    sitting = try_out(made, made.slots[0])
    sitting.entering.consent({"part": True})
    assert sitting.state.page is StudyPage.INSTRUCTIONS
    assert sitting.state.session_state is SessionState.CONSENTED
    assert list(tmp_path.iterdir()) == []


def test_a_machine_that_asks_differently_does_not_begin():
    made = bundle(study())
    object.__setattr__(made, "materials", tuple(m.model_copy(update={"prompt": "0" * 64}) for m in made.materials))
    assert check_materials(made).startswith("This version words shikaku:0 differently")


def test_the_clocks_of_this_machine_go_on():
    first, second = read_clocks(), read_clocks()
    assert first.m <= second.m
    assert first.b <= second.b
    assert canonical(first.wall)


def test_a_machine_with_an_older_version_does_not_begin():
    made = bundle(study())
    object.__setattr__(made, "needs", "999.1.0")
    assert check_materials(made).startswith("This study needs version 999.1.0 of the workbench; this is ")
