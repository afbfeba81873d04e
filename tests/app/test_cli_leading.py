"""A study from its draft to open outcomes on the command line."""

import json
from datetime import date
from pathlib import Path

import pytest

from spatial_workbench.app.commands.plumbing import BAD_INPUT, NOT_PASSED, PASSED
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.files.bundles import read_bundle
from spatial_workbench.engine.studies.files.sealed_parts import SEALED_SESSION, outcomes_in
from spatial_workbench.engine.studies.sessions.schema import SessionState, TrialState
from spatial_workbench.engine.studies.sessions.session_file import Changes, SessionFile, folder_of
from tests.app.test_cli import run
from tests.store.studying import ITEMS, document, results, sealed_once, session
from tests.studies.sittings import SECRET

STUDY = document()


@pytest.fixture
def project(tmp_path):
    path = tmp_path / "work.workbench"
    with Project.create(path) as made:
        made.studies.add(STUDY)
    return str(path)


@pytest.fixture
def merged(capsys, project, tmp_path):
    """A study of which three people's results were merged."""
    path = tmp_path / "lab.study"
    (tmp_path / "secret").write_text(SECRET + "\n")
    run(capsys, "study", "bundle", project, STUDY.id, "-o", str(path), "--passphrase-file", str(tmp_path / "secret"))
    bundle = read_bundle(path)
    folder = tmp_path / "results"
    folder.mkdir()
    for code in ("P001H", "P002Q", "P003X"):
        results(folder, bundle, session(bundle, code))
    assert run(capsys, "study", "merge", project, str(folder))[0] == PASSED
    return bundle


def words(capsys, *arguments):
    """The JSON that a command prints."""
    return json.loads(run(capsys, "study", *arguments, "--json")[1])


def test_a_new_study_has_a_default_for_everything_and_nothing_wrong_with_it(capsys, tmp_path):
    path = str(tmp_path / "new.workbench")
    code, out, _ = run(capsys, "study", "new", path, "--name", "Loops", "--items", f"{ITEMS[0]},shikaku:0-2")
    study = out.splitlines()[0]
    assert (code, "Passphrase to leave" in out) == (PASSED, True)
    assert run(capsys, "study", "check", path, study)[0] == PASSED
    kept = words(capsys, "document", path, study)
    assert [item["id"] for item in kept["blocks"][0]["items"]][1:] == ["shikaku_0", "shikaku_1", "shikaku_2"]


def test_the_passphrase_of_a_new_study_is_stored_nowhere(capsys, tmp_path):
    path = tmp_path / "new.workbench"
    run(capsys, "study", "new", str(path), "--name", "L", "--items", ITEMS[0], "--passphrase", "open sesame 7")
    assert b"open sesame 7" not in path.read_bytes()


def test_criteria_that_share_an_answer_are_one_item(capsys, tmp_path):
    path = str(tmp_path / "new.workbench")
    study = words(capsys, "new", path, "--name", "Parts", "--items", "interlocking_parts")["id"]
    assert len(words(capsys, "document", path, study)["blocks"][0]["items"]) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("--name", "L"),
        ("--name", "L", "--items", "no_such_task"),
        ("--name", "x" * 81, "--items", "shikaku:0"),
        ("--name", "L", "--items", "shikaku:0", "--passphrase", "short"),
    ],
)
def test_a_new_study_of_nothing_is_refused_and_no_project_is_made(capsys, tmp_path, arguments):
    path = tmp_path / "new.workbench"
    assert run(capsys, "study", "new", str(path), *arguments)[0] == BAD_INPUT
    assert not path.exists()


def test_a_new_study_may_begin_with_a_document(capsys, project, tmp_path):
    (tmp_path / "s.json").write_text(json.dumps(STUDY.data))
    made = words(capsys, "new", project, "--from", str(tmp_path / "s.json"), "--name", "Copy")
    assert (made["name"], made["id"] != STUDY.id) == ("Copy", True)


def test_the_document_of_a_draft_is_printed_and_replaced(capsys, project, tmp_path):
    changed = words(capsys, "document", project, STUDY.name) | {"name": "Renamed"}
    (tmp_path / "s.json").write_text(json.dumps(changed))
    run(capsys, "study", "document", project, STUDY.id, "--set", str(tmp_path / "s.json"))
    assert words(capsys, "status", project)[0]["name"] == "Renamed"
    run(capsys, "study", "freeze", project, STUDY.id)
    code, _, err = run(capsys, "study", "document", project, STUDY.id, "--set", str(tmp_path / "s.json"))
    assert (code, "frozen and cannot be changed" in err) == (BAD_INPUT, True)


def test_a_draft_is_deleted_after_a_question(capsys, project):
    assert run(capsys, "study", "delete", project, STUDY.id)[0] == BAD_INPUT
    assert words(capsys, "delete", project, STUDY.id, "--yes")["name"] == STUDY.name
    assert run(capsys, "study", "status", project, "--json")[1].strip() == "[]"


def test_problems_of_a_study_of_a_project_are_listed(capsys, project):
    with Project.open(project) as opened:
        opened.studies.change(STUDY.id, document(limits={"stop_on_pass": True}))
    code, out, _ = run(capsys, "study", "check", project, STUDY.id)
    assert (code, "limits.stop_on_pass" in out) == (NOT_PASSED, True)
    assert run(capsys, "study", "freeze", project, STUDY.id)[0] == BAD_INPUT


def test_a_prompt_that_is_too_wide_for_a_small_screen_is_refused(capsys, tmp_path):
    path = str(tmp_path / "wide.workbench")
    run(capsys, "study", "new", path, "--name", "Wide", "--items", "terrain_levelling:8,shikaku:0")
    code, out, _ = run(capsys, "study", "check", path, "Wide")
    assert code == NOT_PASSED
    assert "items.terrain_levelling_8: Its prompt has to be scrolled sideways" in out
    for words in (("freeze", path, "Wide"), ("bundle", path, "Wide", "-o", str(tmp_path / "f.study"))):
        code, _, err = run(capsys, "study", *words)
        assert (code, "scrolled sideways" in err) == (BAD_INPUT, True)
    assert run(capsys, "study", "bundle", path, "Wide", "-o", str(tmp_path / "f.study"), "--pilot")[0] == PASSED


def test_the_plan_names_all_that_a_registry_wants(capsys, project, tmp_path):
    run(capsys, "study", "check", project, STUDY.id, "--plan", str(tmp_path / "plan.md"))
    text = (tmp_path / "plan.md").read_text()
    for word in (
        STUDY.hash,
        date.today().isoformat(),
        *ITEMS,
        "4 places",
        "too_fast",
        "10000 draws",
        "no power analysis",
    ):
        assert word in text


def test_freezing_prints_the_hash_and_an_amendment_another(capsys, project, tmp_path):
    assert words(capsys, "freeze", project, STUDY.id)["hash"] == STUDY.hash
    changed = document(welcome="Hello")
    (tmp_path / "s.json").write_text(json.dumps(changed.data))
    amendment = ("freeze", project, STUDY.id, "--amendment", str(tmp_path / "s.json"))
    assert run(capsys, "study", *amendment)[0] == BAD_INPUT
    assert words(capsys, *amendment, "--reason", "A greeting was missing")["hash"] == changed.hash


def test_the_passphrase_for_the_outcomes_is_made_up_printed_once_and_stored_nowhere(capsys, project, tmp_path):
    made_up = words(capsys, "freeze", project, STUDY.id)["outcomes_passphrase"]
    assert made_up.encode() not in Path(project).read_bytes()
    assert words(capsys, "freeze", project, STUDY.id)["outcomes_passphrase"] == ""
    (tmp_path / "secret").write_text(made_up)
    sheet = tmp_path / "sheet.txt"
    run(capsys, "study", "recovery", project, STUDY.id, "-o", str(sheet), "--passphrase-file", str(tmp_path / "secret"))
    assert "RECOVERY SHEET" in sheet.read_text()


def test_the_recovery_key_is_not_given_for_a_wrong_passphrase(capsys, project, tmp_path):
    run(capsys, "study", "freeze", project, STUDY.id)
    (tmp_path / "secret").write_text("not the one")
    sheet = tmp_path / "sheet.txt"
    wrong = ("recovery", project, STUDY.id, "-o", str(sheet), "--passphrase-file", str(tmp_path / "secret"))
    code, _, err = run(capsys, "study", *wrong)
    assert (code, "neither the passphrase" in err, sheet.exists()) == (BAD_INPUT, True, False)


@pytest.mark.parametrize(
    ("content", "message"), [(b"\xfcber alle Berge", "is not text in UTF-8"), (b" \n", "There is no passphrase in")]
)
def test_a_file_without_a_readable_passphrase_freezes_nothing(capsys, project, tmp_path, content, message):
    (tmp_path / "secret").write_bytes(content)
    code, _, err = run(capsys, "study", "freeze", project, STUDY.id, "--passphrase-file", str(tmp_path / "secret"))
    assert (code, message in err) == (BAD_INPUT, True)
    with Project.open(Path(project)) as opened:
        assert opened.studies.row(STUDY.id).is_editable


def test_a_bundle_of_some_codes_is_written(capsys, project, tmp_path):
    path = tmp_path / "b.study"
    written = words(capsys, "bundle", project, STUDY.id, "-o", str(path), "--codes", "P001-P002,P005", "--site", "lab")
    assert written["codes"] == ["P001H", "P002Q", "P005N"]
    assert [slot.code for slot in read_bundle(path).slots] == written["codes"]
    code, _, err = run(capsys, "study", "bundle", project, STUDY.id, "-o", str(path), "--codes", "P002")
    assert (code, "P002Q is in another bundle already." in err) == (PASSED, True)


@pytest.mark.parametrize(("output", "codes"), [("b.zip", ""), ("b.study", "P001A"), ("b.study", "P900")])
def test_a_bundle_that_cannot_be_is_refused(capsys, project, tmp_path, output, codes):
    path = tmp_path / output
    assert run(capsys, "study", "bundle", project, STUDY.id, "-o", str(path), "--codes", codes)[0] == BAD_INPUT
    assert not path.exists()


def test_accommodations_travel_with_the_bundle(capsys, project, tmp_path):
    run(capsys, "study", "freeze", project, STUDY.id)
    run(capsys, "study", "accommodate", project, STUDY.id, "P001H", "--time-factor", "1.5", "--keyboard-only")
    run(capsys, "study", "bundle", project, STUDY.id, "-o", str(tmp_path / "b.study"))
    needs = read_bundle(tmp_path / "b.study").accommodations_of("P001H")
    assert (needs.time_factor, needs.keyboard_only) == (1.5, True)


def test_status_shows_states_and_times_and_no_outcome(capsys, project, merged):
    shown = words(capsys, "status", project, STUDY.id)
    assert shown["states"] == {"finished": 3, "not started": 1, "in reserve": 2}
    assert shown["missing"] == ["P004F"]
    text = run(capsys, "study", "status", project, STUDY.id)[1]
    assert "P001H  finished  2 of 2 items handed in, 2 min" in text
    assert not {"score", "passed", "answer"} & set(json.dumps(shown).replace('"', " ").split())


def test_merging_says_what_became_of_each_file(capsys, project, merged, tmp_path):
    (tmp_path / "bad.studyresult").write_bytes(b"no zip")
    code, out, _ = run(capsys, "study", "merge", project, str(tmp_path / "results"), str(tmp_path / "bad.studyresult"))
    assert (code, out.count("already there"), "bad.studyresult: refused" in out) == (NOT_PASSED, 3, True)


def test_a_place_is_replaced_by_a_reserve(capsys, project):
    run(capsys, "study", "freeze", project, STUDY.id)
    assert words(capsys, "replace", project, STUDY.id, "P001H", "--reason", "Dropped out")["replaced_by"] == "P005N"


def test_a_conflict_is_settled(capsys, project, merged, tmp_path):
    results(tmp_path / "results", merged, session(merged, "P001H"), 3, mark="other")
    assert run(capsys, "study", "merge", project, str(tmp_path / "results"))[0] == NOT_PASSED
    (conflict,) = words(capsys, "settle", project, STUDY.id)
    assert [state["number"] for state in conflict["states"]] == [1, 2]
    for number in (2, 1):
        reason = "The clock of the other was wrong"
        settled = ("--session", conflict["session"], "--state", str(number), "--reason", reason)
        states = words(capsys, "settle", project, STUDY.id, *settled)[0]["states"]
        assert [state["number"] for state in states if state["stands"]] == [number]


def test_a_conflict_says_what_is_known_of_each_state(capsys, project, merged, tmp_path):
    other = tmp_path / "results" / "from the other machine.studyresult"
    results(tmp_path / "results", merged, session(merged, "P001H"), 3, mark="other").rename(other)
    run(capsys, "study", "merge", project, str(other))
    out = run(capsys, "study", "settle", project, STUDY.id)[1]
    assert "not settled" in out
    assert "2. from the other machine.studyresult, merged 20" in out
    assert "signed, unchanged" in out
    assert "differs in events after chunk 0" in out


def test_collection_is_not_closed_while_a_conflict_is_open(capsys, project, merged, tmp_path):
    results(tmp_path / "results", merged, session(merged, "P001H"), 3, mark="other")
    run(capsys, "study", "merge", project, str(tmp_path / "results"))
    name = ("--name", STUDY.name, "--yes")
    code, _, error = run(capsys, "study", "close", project, STUDY.id, *name)
    assert (code, "P001H" in error) == (BAD_INPUT, True)
    (conflict,) = words(capsys, "settle", project, STUDY.id)
    reason = ("--reason", "The other came from a copy of the machine")
    words(capsys, "settle", project, STUDY.id, "--session", conflict["session"], "--state", "1", *reason)
    assert run(capsys, "study", "close", project, STUDY.id, *name)[0] == PASSED


def test_the_whole_life_of_a_study(capsys, project, merged, tmp_path):
    reason = ("--reason", "Was interrupted by a fire alarm")
    run(capsys, "study", "exclude", project, STUDY.id, "P003X", *reason, "--item", "m1")
    assert run(capsys, "study", "unseal", project, STUDY.id, "--yes")[0] == BAD_INPUT
    assert run(capsys, "study", "close", project, STUDY.id)[0] == BAD_INPUT
    closed = words(capsys, "close", project, STUDY.id, "--name", STUDY.name)
    assert ("by_hand", "P003X") in [(entry["rule"], entry["code"]) for entry in closed["entries"]]
    code, _, err = run(capsys, "study", "unseal", project, STUDY.id)
    assert (code, "No results were merged for P004F" in err) == (BAD_INPUT, True)
    code, _, err = run(capsys, "study", "unseal", project, STUDY.id, "--yes")
    assert (code, "--passphrase-file FILE" in err) == (BAD_INPUT, True)
    opening = ("--yes", "--workers", "1", "--passphrase-file", str(tmp_path / "secret"))
    assert words(capsys, "unseal", project, STUDY.id, *opening)["judged"] == 6
    assert words(capsys, "exclude", project, STUDY.id, "P001H", *reason)["kind"] == "post-hoc"
    with Project.open(project) as opened:
        outcomes = opened.outcomes.of(STUDY.id)
    assert {judged.score for judged in outcomes.judged.values()} == {1.0}
    assert (outcomes.counts.started, len(outcomes.post_hoc)) == (3, 1)


def test_withdrawing_names_what_is_left_elsewhere(capsys, project, merged, tmp_path):
    assert run(capsys, "study", "withdraw", project, STUDY.id, "P001H")[0] == BAD_INPUT
    code, out, _ = run(capsys, "study", "withdraw", project, STUDY.id, "p001h", "--yes")
    assert (code, "1 sessions and 0 attempts deleted" in out) == (PASSED, True)
    assert "Still holds the data: 0-" in out
    assert words(capsys, "show", project, STUDY.id, "P001H")["sessions"] == []


def test_withdrawing_deletes_the_file_on_this_machine(capsys, project, merged):
    path = kept_here(merged, "P002Q")
    assert words(capsys, "withdraw", project, STUDY.id, "P002Q", "--yes")["local"] == ["P002Q.session"]
    assert not path.exists()


def kept_here(bundle, code, **changes):
    """The session of a code in the folder of this machine; `changes` came after its results were written."""
    path = folder_of(bundle.hash) / f"{code}.session"
    record = session(bundle, code)
    file = SessionFile.create(path, record.model_copy(update={"trials": ()}))
    trials = {trial.position: trial.model_copy(update=changes) for trial in record.trials}
    handed_in = tuple((position, one) for position, trial in trials.items() for one in trial.submissions)
    file.commit(Changes(trials=trials, submissions=handed_in))
    outcomes = outcomes_in(record)
    file.sealed(SEALED_SESSION, outcomes, lambda _: sealed_once(bundle.seal, SEALED_SESSION, outcomes, None))
    file.close()
    return path


def test_purging_deletes_only_what_was_merged(capsys, project, merged):
    whole = kept_here(merged, "P001H")
    other = kept_here(merged, "P003X", state=TrialState.SHOWN)
    assert words(capsys, "purge", project, STUDY.id)["files"] == ["P001H.session"]
    assert (whole.exists(), other.exists()) == (False, True)
    other.unlink()


def test_purging_all_data_asks(capsys, project, merged):
    assert run(capsys, "study", "purge", project, STUDY.id, "--data")[0] == BAD_INPUT
    assert words(capsys, "purge", project, STUDY.id, "--data", "--yes")["sessions"] == 3


def test_all_that_is_stored_of_a_code_is_printed(capsys, project, merged):
    run(capsys, "study", "note", project, STUDY.id, "Came late", "--code", "P001H")
    shown = words(capsys, "show", project, STUDY.id, "P001H", "--events")
    assert shown["sessions"][0]["state"] == SessionState.FINISHED
    assert len(shown["sessions"][0]["events"]) == 2
    assert shown["notes"][0].endswith("Came late")


@pytest.mark.parametrize("code", ["P001A", "P900X"])
def test_a_code_that_the_study_lacks_is_refused(capsys, project, code):
    run(capsys, "study", "freeze", project, STUDY.id)
    assert run(capsys, "study", "withdraw", project, STUDY.id, code, "--yes")[0] == BAD_INPUT


def test_an_unknown_study_is_refused(capsys, project):
    code, _, err = run(capsys, "study", "status", project, "Nine mazes")
    assert (code, "Study “Nine mazes”" in err) == (BAD_INPUT, True)


def test_registration_is_remembered(capsys, project):
    registered = words(capsys, "register", project, STUDY.id, "--link", "https://osf.example/x", "--date", "2026-11-20")
    assert registered["date"] == "2026-11-20"
    assert run(capsys, "study", "register", project, STUDY.id, "--link", "x", "--date", "soon")[0] == BAD_INPUT


def test_exported_lines_are_merged_back_with_equal_rows(capsys, project, merged, tmp_path):
    lines = tmp_path / "out.jsonl"
    run(capsys, "study", "export", project, STUDY.id, "-o", str(lines), "--format", "jsonl")
    other = tmp_path / "copy.workbench"
    with Project.open(project) as opened:
        before = opened.sessions.all(STUDY.id)
        opened.save_copy(other)
    with Project.open(other) as copy, copy.database.write_transaction():
        copy.sessions.erase([one.id for one in before])
    assert run(capsys, "study", "merge", str(other), str(lines))[0] == PASSED
    with Project.open(other) as copy:
        assert copy.sessions.all(STUDY.id) == before


def test_points_of_the_checklist_are_answered(capsys, project):
    points = words(capsys, "checklist", project, STUDY.id, "1.9", "Partial", "--reason", "Only the protocol")
    assert len(points) == 71
    assert [point["value"] for point in points if point["number"] == "1.9"] == ["Partial"]
    text = run(capsys, "study", "checklist", project, STUDY.id)[1]
    assert text.splitlines()[-1].startswith("1 of 71 points of the checklist are answered; ")


def test_a_point_that_the_software_reports_is_confirmed(capsys, project):
    points = words(capsys, "checklist", project, STUDY.id, "--confirm", "1.2,2.2")
    assert [point["number"] for point in points if point["is_confirmed"]] == ["1.2", "2.2"]
    assert run(capsys, "study", "checklist", project, STUDY.id, "--confirm", "1.9")[0] == BAD_INPUT


@pytest.mark.parametrize(("number", "answer"), [("9.9", "Yes"), ("5.1", "Yes"), ("1.9", "Perhaps")])
def test_a_point_that_does_not_take_an_answer_is_refused(capsys, project, number, answer):
    assert run(capsys, "study", "checklist", project, STUDY.id, number, answer)[0] == BAD_INPUT
