"""Drafts of studies on the command line."""

import json
from datetime import date

import pytest

from spatial_workbench.app.commands.plumbing import BAD_INPUT, PASSED
from tests.app.commands.leading.led_study import STUDY, printed_by
from tests.app.test_cli import run
from tests.store.studying import ITEMS


def test_a_new_study_has_a_default_for_everything_and_nothing_wrong_with_it(capsys, tmp_path):
    path = str(tmp_path / "new.workbench")
    code, out, _ = run(capsys, "study", "new", path, "--name", "Loops", "--items", f"{ITEMS[0]},shikaku:0-2")
    study = out.splitlines()[0]
    assert (code, "Passphrase to leave" in out) == (PASSED, True)
    assert run(capsys, "study", "check", path, study)[0] == PASSED
    kept = printed_by(capsys, "document", path, study)
    assert [item["id"] for item in kept["blocks"][0]["items"]][1:] == ["shikaku_0", "shikaku_1", "shikaku_2"]


def test_a_new_study_has_its_default_texts_in_its_languages(capsys, tmp_path):
    path = str(tmp_path / "new.workbench")
    study = printed_by(capsys, "new", path, "--name", "L", "--items", ITEMS[0], "--languages", "de, en")["id"]
    kept = printed_by(capsys, "document", path, study)
    assert kept["languages"] == ["de", "en"]
    assert kept["consent"]["boxes"][0]["text"] == {"de": "Ich nehme teil.", "en": "I take part."}
    assert run(capsys, "study", "new", path, "--name", "M", "--items", ITEMS[0], "--languages", ",")[0] == BAD_INPUT


def test_the_passphrase_of_a_new_study_is_stored_nowhere(capsys, tmp_path):
    path = tmp_path / "new.workbench"
    run(capsys, "study", "new", str(path), "--name", "L", "--items", ITEMS[0], "--passphrase", "open sesame 7")
    assert b"open sesame 7" not in path.read_bytes()


def test_criteria_that_share_an_answer_are_one_item(capsys, tmp_path):
    path = str(tmp_path / "new.workbench")
    study = printed_by(capsys, "new", path, "--name", "Parts", "--items", "interlocking_parts")["id"]
    assert len(printed_by(capsys, "document", path, study)["blocks"][0]["items"]) == 1


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
    made = printed_by(capsys, "new", project, "--from", str(tmp_path / "s.json"), "--name", "Copy")
    assert (made["name"], made["id"] != STUDY.id) == ("Copy", True)


@pytest.mark.slow
def test_the_document_of_a_draft_is_printed_and_replaced(capsys, project, tmp_path):
    changed = printed_by(capsys, "document", project, STUDY.name) | {"name": "Renamed"}
    (tmp_path / "s.json").write_text(json.dumps(changed))
    run(capsys, "study", "document", project, STUDY.id, "--set", str(tmp_path / "s.json"))
    assert printed_by(capsys, "status", project)[0]["name"] == "Renamed"
    run(capsys, "study", "freeze", project, STUDY.id)
    code, _, err = run(capsys, "study", "document", project, STUDY.id, "--set", str(tmp_path / "s.json"))
    assert (code, "frozen and cannot be changed" in err) == (BAD_INPUT, True)


def test_a_draft_is_deleted_after_a_question(capsys, project):
    assert run(capsys, "study", "delete", project, STUDY.id)[0] == BAD_INPUT
    assert printed_by(capsys, "delete", project, STUDY.id, "--yes")["name"] == STUDY.name
    assert run(capsys, "study", "status", project, "--json")[1].strip() == "[]"


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
