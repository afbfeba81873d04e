"""Programs of agents: the first block of a reply runs, names stay, and the end of the run stops it."""

import pytest

from spatial_workbench.engine.core import silent
from spatial_workbench.engine.sandbox import ProgramSteps, availability

pytestmark = pytest.mark.skipif(not availability().available, reason=availability().reason)


@pytest.fixture
def steps():
    ended = []
    program = ProgramSteps({"stop": lambda: ended.append(True)}, lambda: bool(ended), prelude="known = 20")
    yield lambda text: program.run(text, 20, silent)
    program.close()


def block(code):
    return f"I think.\n```python\n{code}\n```"


def test_names_are_kept_from_block_to_block(steps):
    steps(block("known += 1"))
    assert steps(block("print(known)")).text == "21\n"


def test_a_reply_without_a_block_runs_nothing(steps):
    assert steps("print(1)") is None


def test_an_exception_is_told_and_ends_nothing(steps):
    assert "ZeroDivisionError" in steps(block("1 / 0")).text
    assert steps(block("print(2)")).text == "2\n"


def test_a_program_is_cut_off_when_the_run_ends(steps):
    assert steps(block("stop()\nwhile True: pass")).is_cut_off


def test_a_program_that_ends_itself_says_so(steps):
    assert steps(block("import os\nos._exit(0)")).stopped
