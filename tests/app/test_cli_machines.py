"""Machines on the command line: every broken rule is named, with its place, and none is simulated."""

import json

import pytest

from spatial_workbench.app.commands.plumbing import BAD_INPUT, NOT_PASSED
from tests.app.test_cli import run, with_input
from tests.machines.broken import TEXTS

ADDRESS = "machine_movement:0"


@pytest.mark.parametrize("code", [code for code in TEXTS if code != "NOT_A_LIST"])
def test_the_command_line_names_the_rule_that_an_answer_breaks(capsys, monkeypatch, code):
    with_input(monkeypatch, TEXTS[code])
    status, out, err = run(capsys, "verify", ADDRESS, "-", "--json")
    assert (status, err) == (NOT_PASSED, "")
    assert code in out


def test_what_is_no_list_cannot_be_read_as_an_answer(capsys, monkeypatch):
    with_input(monkeypatch, TEXTS["NOT_A_LIST"])
    status, _, err = run(capsys, "verify", ADDRESS, "-")
    assert status == BAD_INPUT
    assert "blocks" in err


HEAP = [{"type": 0, "id": 0, "parent": -1, "face_id": -1}]
HEAP += [{"type": 1, "id": i, "parent": 0, "face_id": 0} for i in range(1, 10_000)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (json.dumps(HEAP), "blocks"),
        ('[{"type": 0, "id": 0, "parent": -1, "face_id": NaN}]', "face_id"),
        (f'[{{"type": 0, "id": {"1" + 400 * "0"}, "parent": -1, "face_id": -1}}]', "id"),
        (json.dumps([{"type": 1, "id": k, "parent": 1 - k, "face_id": 0} for k in (0, 1)]), "block 0"),
        ('[{"type": 0, "id": 0, "parent": -1, "face_id": -1} // the root\n]', "comments in the answer were left out"),
    ],
    ids=["10,000 blocks", "NaN", "10**400", "cycle", "comment"],
)
def test_hostile_lists_are_answered_with_the_place_at_once(capsys, monkeypatch, text, words):
    with_input(monkeypatch, text)
    _, out, err = run(capsys, "verify", ADDRESS, "-")
    assert words.lower() in (out + err).lower()
    assert "Traceback" not in out + err
