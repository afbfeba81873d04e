"""Freezing a study on the command line: what is refused, the passphrase, the recovery sheet, the registration."""

import json
from pathlib import Path

import pytest

from spatial_workbench.app.commands.plumbing import BAD_INPUT, NOT_PASSED, PASSED
from spatial_workbench.engine.store import Project
from tests.app.commands.leading.led_study import STUDY, printed_by
from tests.app.test_cli import run
from tests.store.studying import document


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


def test_freezing_prints_the_hash_and_an_amendment_another(capsys, project, tmp_path):
    assert printed_by(capsys, "freeze", project, STUDY.id)["hash"] == STUDY.hash
    changed = document(welcome="Hello")
    (tmp_path / "s.json").write_text(json.dumps(changed.data))
    amendment = ("freeze", project, STUDY.id, "--amendment", str(tmp_path / "s.json"))
    assert run(capsys, "study", *amendment)[0] == BAD_INPUT
    assert printed_by(capsys, *amendment, "--reason", "A greeting was missing")["hash"] == changed.hash


@pytest.mark.slow
def test_the_passphrase_for_the_outcomes_is_made_up_printed_once_and_stored_nowhere(capsys, project, tmp_path):
    made_up = printed_by(capsys, "freeze", project, STUDY.id)["outcomes_passphrase"]
    assert made_up.encode() not in Path(project).read_bytes()
    assert printed_by(capsys, "freeze", project, STUDY.id)["outcomes_passphrase"] == ""
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


def test_registration_is_remembered(capsys, project):
    registered = printed_by(
        capsys, "register", project, STUDY.id, "--link", "https://osf.example/x", "--date", "2026-11-20"
    )
    assert registered["date"] == "2026-11-20"
    assert run(capsys, "study", "register", project, STUDY.id, "--link", "x", "--date", "soon")[0] == BAD_INPUT
