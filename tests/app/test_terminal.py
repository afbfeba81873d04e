"""What strangers write never moves the cursor, changes a colour, or shows one name as another."""

import json

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.app.commands.terminal import escaped, escaped_json, escaped_line
from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.store import Actor, Project


def test_escape_sequences_are_shown_as_text():
    assert escaped("\x1b[31mred\x07 \x9b2J\u202egnp.exe") == "\\x1b[31mred\\x07 \\x9b2J\\u202egnp.exe"


def test_lines_and_tabs_of_a_text_stay():
    assert escaped("a\n\tb\r\nc") == "a\n\tb\\r\nc"


def test_a_name_never_breaks_a_line():
    assert escaped_line("name\nline: forged\r\t\u2028") == "name\\nline: forged\\r\\t\\u2028"


def test_a_long_error_keeps_its_ends():
    line = escaped_line("begin " + "x" * 10_000 + " end")
    assert len(line) <= 2000
    assert (line[:5], line[-3:]) == ("begin", "end")


def test_half_a_surrogate_can_be_printed():
    escaped("\ud83d").encode()


def test_json_stays_the_same_data():
    data = {"name": "\x9b31m\u202e\x7f é"}
    text = escaped_json(json.dumps(data, ensure_ascii=False))
    assert json.loads(text) == data
    assert "\u202e" not in text
    assert "é" in text


@pytest.mark.parametrize("command", [["runs"], ["batches"]])
def test_names_in_a_project_are_escaped_in_lists(command, tmp_path, capsys):
    task, instance = resolve("two_segments:0")
    answer = task.format(task.solve(instance))
    with Project.create(tmp_path / "p.workbench") as project:
        verdicts = task.verify_all(instance, answer)
        project.attempts.add(instance, answer, Actor.MODEL, "a\x1b[31m\nforged \u202e", 1.0, verdicts)
        project.batches.add("b\x1b]0;title\x07\nforged", "{}", [])
    main([command[0], str(tmp_path / "p.workbench")])
    said = capsys.readouterr().out
    assert "\\x1b" in said
    assert not any(sign in said for sign in "\x1b\x07\u202e")
    assert not any(line.startswith("forged") for line in said.splitlines())


def test_an_error_about_a_file_with_an_odd_name_is_one_line(capsys):
    assert main(["runs", "no\nsuch\x1b[2J.workbench"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "\x1b" not in said
