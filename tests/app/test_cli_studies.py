"""Studies on the command line: documents are checked, slots listed, sizes planned."""

import json
import sys
from pathlib import Path

import pytest

from spatial_workbench.app.commands.plumbing import BAD_INPUT, NOT_PASSED, PASSED
from spatial_workbench.engine.studies.files.bundles import write_bundle
from spatial_workbench.engine.studies.planning import keyboard
from tests.app.test_cli import run
from tests.studies.planning.test_document import SMALLEST
from tests.studies.sittings import bundle, study


@pytest.fixture
def document(tmp_path):
    def write(**changes):
        path = tmp_path / "study.json"
        path.write_text(json.dumps(SMALLEST | changes))
        return str(path)

    return write


def test_a_study_without_problems_passes(capsys, document):
    code, out, _ = run(capsys, "study", "check", document())
    assert (code, "Nothing is wrong with “Two mazes”" in out) == (PASSED, True)


def test_problems_are_listed_with_their_places(capsys, document):
    code, out, _ = run(capsys, "study", "check", document(limits={"stop_on_pass": True}), "--json")
    assert code == NOT_PASSED
    assert json.loads(out)["problems"][0]["place"] == "limits.stop_on_pass"


def test_a_document_that_cannot_be_read_is_refused_with_the_place(capsys, document):
    code, _, err = run(capsys, "study", "check", document(colour="red"))
    assert (code, err) == (BAD_INPUT, "colour: is not a field of the document\n")


def test_slots_are_listed_with_codes_and_orders(capsys, document):
    _, out, _ = run(capsys, "study", "slots", document())
    assert out.splitlines()[0].startswith("P001H  only")
    assert {line.split()[2] for line in out.splitlines()} == {"m0", "m1"}


@pytest.mark.parametrize(
    ("words", "people", "slots"),
    [
        (("--half-width", "0.1"), 17, 17),
        (("--difference", "0.15", "--groups", "2"), 28, 56),
        (("--half-width", "0.1", "--dropout", "0.15", "--multiple", "4"), 17, 20),
    ],
)
def test_the_plan_says_how_many_people_are_needed(capsys, words, people, slots):
    spread = ("--sd-people", str(0.0326**0.5), "--sd-rest", str(0.0382**0.5), "--items", "8")
    code, out, _ = run(capsys, "study", "plan", *spread, *words, "--json")
    plan = json.loads(out)
    assert (code, plan["people"], plan["slots"]) == (PASSED, people, slots)


def test_without_qt_it_is_said_that_prompts_were_not_measured(capsys, document, monkeypatch):
    monkeypatch.setitem(sys.modules, "spatial_workbench.app.studies.prompt_room", None)
    code, _, err = run(capsys, "study", "check", document())
    assert (code, "Whether prompts fit into the window was not checked" in err) == (PASSED, True)


def test_the_plan_says_what_the_trials_are_worth(capsys):
    _, out, _ = run(capsys, "study", "plan", "--items", "8", "--half-width", "0.1", "--scores", "graded")
    assert "17 people" in out
    assert "Their 136 trials are worth" in out


def test_items_that_are_passed_or_failed_take_more_people(capsys):
    _, out, _ = run(capsys, "study", "plan", "--items", "8", "--half-width", "0.1")
    assert "23 people" in out


@pytest.mark.parametrize("words", [(), ("--half-width", "0.1", "--difference", "0.1"), ("--half-width", "-1")])
def test_a_plan_without_a_wish_is_refused(capsys, words):
    assert run(capsys, "study", "plan", "--items", "8", *words)[0] == BAD_INPUT


def test_simulated_people_rehearse_a_bundle(tmp_path, capsys):
    write_bundle(tmp_path / "f.study", bundle(study()))
    code, out, _ = run(capsys, "study", "rehearse", str(tmp_path / "f.study"), "--people", "2", "--json")
    assert code == PASSED
    assert all(Path(path).exists() for path in json.loads(out))
    assert run(capsys, "study", "rehearse", str(tmp_path / "f.study"), "--people", "9000")[0] == BAD_INPUT


def test_a_bundle_that_is_damaged_is_refused_in_a_sentence(tmp_path, capsys):
    (tmp_path / "f.study").write_bytes(b"no zip")
    code, _, err = run(capsys, "study", "rehearse", str(tmp_path / "f.study"))
    assert code == BAD_INPUT
    assert "is damaged" in err


def test_items_that_need_a_pointer_are_named(capsys, document, monkeypatch):
    monkeypatch.setattr(keyboard, "BY_KEYS", keyboard.BY_KEYS - {"tetrahedra_shadow"})
    shadows = json.loads(json.dumps(SMALLEST["blocks"]).replace("maze_3d", "tetrahedra_shadow"))
    _, _, err = run(capsys, "study", "check", document(blocks=shadows))
    assert "tetrahedra_shadow:0, tetrahedra_shadow:1" in err
    assert json.loads(run(capsys, "study", "check", document(blocks=shadows), "--json")[1])["by_pointer"] == [
        "tetrahedra_shadow:0",
        "tetrahedra_shadow:1",
    ]
