"""Until outcomes are opened, nothing in a leader's hands holds an answer to a main item, or a digest of one."""

import base64
import gzip
import hashlib
import json
import zipfile
from itertools import chain

import pytest

from spatial_workbench.app.results.study_report import export_study
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.store.studies.records import StudyError
from spatial_workbench.engine.studies.files.results_file import write_results
from spatial_workbench.engine.studies.files.sealed_parts import tells_outcomes, without_outcomes
from spatial_workbench.engine.studies.sessions.schema import TrialState
from tests.store.studying import document, results, session
from tests.studies.sittings import SECRET, Person, main_item, study

STUDY = document()

WORDS = "XYLOPHONE-QUARTZ"
ANSWER = json.dumps({"path": f"{WORDS}{'-' * 300}"})
DIGEST = hashlib.sha256(ANSWER.encode())
CHUNKS = [
    b'{"n":1,"t":0,"b":0,"trial":0,"kind":"item_shown","item":"m0","left":60000}\n'
    b'{"n":2,"t":5,"b":5,"trial":0,"kind":"edit","label":"XYLOPHONE-QUARTZ","patch":[{"op":"add"}]}\n'
    b'{"n":3,"t":9,"b":9,"trial":0,"kind":"submit","left":5,"sha256":"%s"}\n' % DIGEST.hexdigest().encode()
]
FORMS = (WORDS.encode(), DIGEST.hexdigest().encode(), DIGEST.digest(), base64.b64encode(DIGEST.digest()))
"""What an answer would be recognised by: words of it, and its digest in the usual encodings."""


def unpacked(path):
    """All bytes of a file, and those of what is packed in it."""
    content = path.read_bytes()
    yield content
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                part = archive.read(name)
                yield gzip.decompress(part) if name.endswith(".gz") else part


def cells(project):
    """All that the tables of a project hold, unpacked where it is packed."""
    for table in project.database.rows("SELECT name FROM sqlite_master WHERE type = 'table'"):
        for row in project.database.rows(f'SELECT * FROM "{table["name"]}"'):
            for value in tuple(row):
                content = value if isinstance(value, bytes) else str(value).encode()
                yield gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "leaders.workbench") as project:
        project.studies.add(STUDY)
        yield project


@pytest.fixture
def delivered(project, tmp_path):
    """A project with a session, whose answers are known, in one file; and in a second state that conflicts."""
    bundle, _ = project.places.add_bundle(STUDY.id, passphrase=SECRET)
    folder = tmp_path / "results"
    folder.mkdir()
    for number, words in enumerate((ANSWER, ANSWER + " ")):
        record = session(bundle, "P001H", [words, words])
        first, *rest = record.trials
        noted = first.model_copy(update={"sketches": {"page 1": f'"{WORDS}"'}, "scratch": WORDS})
        chunks = [CHUNKS[0].replace(b'"b":0', f'"b":{number}'.encode())]
        path = folder / f"{number}.studyresult"
        write_results(path, record.model_copy(update={"trials": (noted, *rest)}), chunks, bundle.key, bundle.seal)
    project.merging.merge(sorted(folder.iterdir()))
    return folder


def close(project):
    """Closes the collection, after deciding which state of the session counts."""
    (conflict,) = project.merging.conflicts(STUDY.id)
    project.merging.settle(conflict.session, 1, "It came first.")
    project.exclusions.close_study(STUDY.id, STUDY.name)


def test_no_file_and_no_table_holds_an_answer_or_its_digest(project, delivered, tmp_path):
    close(project)
    exported = tmp_path / "exported"
    exported.mkdir()
    export_study(project, STUDY.id, exported / "lines.jsonl", "jsonl")
    export_study(project, STUDY.id, exported / "csv", "csv")
    export_study(project, STUDY.id, exported / "psychds", "psychds", raw=sorted(delivered.iterdir()))
    assert project.merging.conflicts(STUDY.id)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} >= {".workbench", ".workbench-wal", ".studyresult", ".jsonl", ".csv"}
    for content in chain(*map(unpacked, files), cells(project)):
        assert not [form for form in FORMS if form in content]


def test_opening_gives_the_answers_back(project, delivered):
    close(project)
    project.outcomes.unseal(STUDY.id, SECRET)
    (record,) = project.sessions.all(STUDY.id)
    assert record.trials[0].submissions[0].answer.strip() == ANSWER
    assert (record.trials[0].scratch, dict(record.trials[0].sketches)) == (WORDS, {"page 1": f'"{WORDS}"'})
    events = [json.loads(line) for chunk in project.sessions.readable_events(record.id) for line in chunk.splitlines()]
    assert events[1]["label"] == WORDS
    assert [entry.answer.strip() for entry in project.outcomes.submissions_to_judge(STUDY.id)] == [ANSWER, ANSWER]


def test_a_wrong_passphrase_opens_nothing_and_is_no_look(project, delivered):
    close(project)
    with pytest.raises(StudyError, match="neither the passphrase"):
        project.outcomes.unseal(STUDY.id, "open sesame")
    assert (project.studies.state(STUDY.id), project.study_log.looks(STUDY.id)) == ("closed", [])
    assert project.study_keys.is_locked(STUDY.id)


def test_the_recovery_key_opens_too(project, delivered):
    close(project)
    project.outcomes.unseal(STUDY.id, project.study_keys.recovery(STUDY.id, SECRET))
    assert project.studies.state(STUDY.id) == "unsealed"


def test_times_counts_and_kinds_of_events_stay_open(project, delivered):
    (record,) = project.sessions.all(STUDY.id)
    assert [one.active_ms for one in record.trials[0].submissions] == [60_000]
    events = [json.loads(line) for chunk in project.sessions.readable_events(record.id) for line in chunk.splitlines()]
    assert [event["kind"] for event in events] == ["item_shown", "edit", "submit"]
    assert events[2] == {"n": 3, "t": 9, "b": 9, "trial": 0, "kind": "submit", "left": 5}


def test_equal_long_answers_are_flagged_when_outcomes_are_opened_and_exclude_nobody(project, tmp_path):
    bundle, _ = project.places.add_bundle(STUDY.id, passphrase=SECRET)
    folder = tmp_path / "results"
    folder.mkdir()
    people = [session(bundle, code, [ANSWER, ANSWER], number=n) for n, code in enumerate(("P001H", "P002Q"), 1)]
    project.merging.merge([results(folder, bundle, one) for one in people])
    project.exclusions.close_study(STUDY.id, STUDY.name)
    assert "identical" not in {breach.rule for breach in project.exclusions.fixed(STUDY.id)}
    project.outcomes.unseal(STUDY.id, SECRET)
    (breach,) = [breach for breach in project.exclusions.fixed(STUDY.id) if breach.rule == "identical"]
    assert (breach.code, breach.response) == ("P002Q", "flag")


def test_answers_in_the_open_are_not_taken_for_a_study_whose_answers_are_sealed(project, tmp_path):
    bundle, _ = project.places.add_bundle(STUDY.id, passphrase=SECRET)
    path = tmp_path / "open.studyresult"
    write_results(path, session(bundle, "P001H", [ANSWER]), CHUNKS, bundle.key)
    (merged,) = project.merging.merge([path])
    assert (merged.outcome, merged.message) == (
        "refused",
        "Its answers are not sealed, as those of this study have to be.",
    )


def test_lines_written_after_opening_merge_as_what_is_there_already(project, delivered, tmp_path):
    with Project.create(tmp_path / "copy.workbench") as other:
        project.save_copy(other.path)
    close(project)
    project.outcomes.unseal(STUDY.id, SECRET)
    export_study(project, STUDY.id, tmp_path / "lines.jsonl", "jsonl")
    assert WORDS in (tmp_path / "lines.jsonl").read_text()
    with Project.open(tmp_path / "copy.workbench") as other:
        (merged,) = other.merging.merge([tmp_path / "lines.jsonl"])
    assert merged.outcome == "already there"


def test_an_amended_study_is_opened_by_the_same_passphrase(project):
    project.studies.freeze(STUDY.id, SECRET)
    amended = STUDY.model_copy(update={"welcome": {"en": "Hello"}})
    digest = project.studies.amend(STUDY.id, amended, "A greeting", "A greeting changes no answer.")
    assert project.study_keys.public(digest) == project.study_keys.public(STUDY.hash)


def test_a_participants_results_are_sealed_and_writing_them_twice_gives_the_same_file(project, tmp_path):
    of = study([main_item(0)], id="0123456789abcdef")
    project.studies.add(of)
    bundle, _ = project.places.add_bundle(of.id, passphrase=SECRET)
    person = Person(tmp_path / "machine", its_bundle=bundle)
    person.work(2)
    person.place([0, 0, 1, 1])
    first, _ = person.sitting.write_results(tmp_path / "first")
    second, _ = person.sitting.write_results(tmp_path / "second")
    assert first.read_bytes() == second.read_bytes()
    (merged,) = project.merging.merge([first])
    assert merged.outcome == "new"
    (record,) = project.sessions.all(of.id)
    assert record.sealed
    assert not tells_outcomes(record)


def test_a_pilot_is_not_sealed(project, tmp_path):
    bundle, _ = project.places.add_bundle(STUDY.id, phase="pilot")
    assert bundle.seal == ""


def test_a_trial_that_was_solved_looks_submitted_until_it_is_opened(project):
    bundle, _ = project.places.add_bundle(STUDY.id, passphrase=SECRET)
    record = session(bundle, "P001H", [ANSWER])
    solved = record.trials[0].model_copy(update={"state": TrialState.SOLVED})
    assert without_outcomes(record.model_copy(update={"trials": (solved,)})).trials[0].state is TrialState.SUBMITTED
