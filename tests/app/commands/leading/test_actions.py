"""Commands about a study name it and a code."""

import pytest

from spatial_workbench.app.commands.plumbing import BAD_INPUT
from tests.app.commands.leading.led_study import STUDY
from tests.app.test_cli import run


def test_an_unknown_study_is_refused(capsys, project):
    code, _, err = run(capsys, "study", "status", project, "Nine mazes")
    assert (code, "Study “Nine mazes”" in err) == (BAD_INPUT, True)


@pytest.mark.parametrize("code", ["P001A", "P900X"])
def test_a_code_that_the_study_lacks_is_refused(capsys, project, code):
    run(capsys, "study", "freeze", project, STUDY.id)
    assert run(capsys, "study", "withdraw", project, STUDY.id, code, "--yes")[0] == BAD_INPUT
