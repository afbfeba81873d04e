"""What a program in a sandbox can do: keep its names, print, call tools, fail without dying."""

import time

import pytest

from spatial_workbench.engine.core import Cancelled
from spatial_workbench.engine.sandbox import SandboxUnavailable, ToolError


def test_names_are_kept_between_steps(start):
    session = start()
    session.run("x = 3")
    assert session.run("x * 2").output == "6\n"


def test_the_value_of_a_last_expression_is_printed_only_when_asked_for(start):
    assert start().run("1 + 1", echo=False).output == ""


def test_an_exception_is_told_with_its_line_and_the_next_step_runs(start):
    session = start()
    assert session.run("x = 1\n1 / 0").exception == "ZeroDivisionError: division by zero (line 2)"
    assert session.run("x").output == "1\n"


def test_a_syntax_error_is_told_with_its_line(start):
    assert "(line 2)" in start().run("x = 1\nif").exception


def test_output_and_errors_are_kept_apart(start):
    result = start().run("import sys\nprint('a')\nprint('b', file=sys.stderr)")
    assert (result.output, result.errors) == ("a\n", "b\n")


def test_a_tool_is_called_with_plain_data_and_gives_it_back(start):
    session = start({"join": lambda *parts, by: by.join(parts)})
    result = session.run("join('a', 'b', by='-')")
    assert (result.output, result.calls) == ("'a-b'\n", 1)


def test_a_tool_that_refuses_raises_in_the_program_with_its_message(start):
    def refuse():
        raise ToolError("the cube is solved already")

    session = start({"move": refuse})
    result = session.run("try:\n    move()\nexcept ToolError as error:\n    print(error)")
    assert result.output == "the cube is solved already\n"


def test_a_wrong_call_of_a_tool_is_an_error_of_the_program(start):
    assert "missing 1 required" in start({"f": lambda x: x}).run("f()").exception


def test_numpy_can_be_asked_for(start):
    assert start(packages=["numpy"]).run("import numpy\nint(numpy.arange(4).sum())").output == "6\n"


def test_state_of_the_host_changes_only_through_tools(start):
    moves = []
    session = start({"move": lambda name: moves.append(name)})
    session.run("move('U')\nfor i in range(3): move('R')")
    assert moves == ["U", "R", "R", "R"]


def test_exit_ends_the_step_and_not_the_program(start):
    session = start()
    session.run("x = 5\nraise SystemExit")
    assert session.run("x").output == "5\n"


def test_a_step_is_cancelled_when_nobody_waits_any_more(start):
    def cancel(done, total, text=""):
        if done > 0.1:
            raise Cancelled

    session = start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        session.run("while True: pass", progress=cancel)
    assert time.monotonic() - began < 10
    with pytest.raises(SandboxUnavailable):
        session.run("1")


def test_a_closed_session_refuses_steps(start):
    session = start()
    session.close()
    with pytest.raises(SandboxUnavailable, match="ended"):
        session.run("1")
