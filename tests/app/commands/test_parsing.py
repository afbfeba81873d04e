"""The parser suggests what was meant, shells complete words, and progress is for terminals."""

import io
import os
import subprocess
import sys

import pytest

from spatial_workbench.app.commands import plumbing
from spatial_workbench.app.commands.main import main
from spatial_workbench.app.commands.parsing import SHELLS, suggestion
from spatial_workbench.engine.core.version import application_version


def refused(capsys, *words):
    """What the parser says of words that it does not take."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("verfiy", "shikaku:0", "-"), "“verify”"),
        (("puzzles", "chek", "set"), "“check”"),
        (("runs", "work.workbench", "--modle", "birch"), "“--model”"),
        (("export", "work.workbench", "--format", "parqet", "-o", "x"), "“parquet”"),
    ],
)
def test_a_word_that_is_nearly_right_is_answered_with_what_was_meant(capsys, words, meant):
    assert f"did you mean {meant}?" in refused(capsys, *words)


def test_a_word_that_is_near_to_nothing_gets_no_suggestion(capsys):
    assert "did you mean" not in refused(capsys, "xyzzy")
    assert suggestion("unrecognized arguments: --xyzzy", ["--json"]) == ""


def test_the_version_is_told(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"spatial-workbench {application_version()}\n"


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_gets_a_script_that_completes_this_program(capsys, shell):
    assert main(["completion", shell]) == 0
    assert "spatial-workbench" in capsys.readouterr().out


@pytest.mark.slow
def test_a_shell_that_asks_is_told_the_commands_that_begin_so():
    asked = {"_ARGCOMPLETE": "1", "COMP_LINE": "spatial-workbench sol", "COMP_POINT": "21", "_ARGCOMPLETE_IFS": "\n"}
    asked["_ARGCOMPLETE_STDOUT_FILENAME"] = "/dev/stdout"
    command = [sys.executable, "-m", "spatial_workbench"]
    done = subprocess.run(command, env=os.environ | asked, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["solve"]


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def shown(monkeypatch):
    """Prints a line of progress where standard error is a terminal, and returns what is seen there."""

    def show():
        terminal = Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        plumbing.print_progress("3/7", 2.0)
        return terminal.getvalue()

    yield show
    plumbing.be_quiet(False)


def test_progress_is_printed_on_a_terminal(shown):
    assert shown() == "3/7 · 2 s   \r"


def test_progress_is_not_printed_elsewhere(capsys):
    plumbing.print_progress("3/7", 2.0)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("words", [("--quiet", "tasks"), ("tasks", "--quiet")])
def test_a_quiet_command_prints_no_progress(shown, words):
    assert main(words) == 0
    assert shown() == ""
