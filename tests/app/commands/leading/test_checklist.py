"""The checklist on the command line."""

import pytest

from spatial_workbench.app.commands.plumbing import BAD_INPUT
from tests.app.commands.leading.led_study import STUDY, printed_by
from tests.app.test_cli import run


def test_points_of_the_checklist_are_answered(capsys, project):
    points = printed_by(capsys, "checklist", project, STUDY.id, "1.9", "Partial", "--reason", "Only the protocol")
    assert len(points) == 71
    assert [point["value"] for point in points if point["number"] == "1.9"] == ["Partial"]
    text = run(capsys, "study", "checklist", project, STUDY.id)[1]
    assert text.splitlines()[-1].startswith("1 of 71 points of the checklist are answered; ")


def test_a_point_that_the_software_reports_is_confirmed(capsys, project):
    points = printed_by(capsys, "checklist", project, STUDY.id, "--confirm", "1.2,2.2")
    assert [point["number"] for point in points if point["is_confirmed"]] == ["1.2", "2.2"]
    assert run(capsys, "study", "checklist", project, STUDY.id, "--confirm", "1.9")[0] == BAD_INPUT


@pytest.mark.parametrize(("number", "answer"), [("9.9", "Yes"), ("5.1", "Yes"), ("1.9", "Perhaps")])
def test_a_point_that_does_not_take_an_answer_is_refused(capsys, project, number, answer):
    assert run(capsys, "study", "checklist", project, STUDY.id, number, answer)[0] == BAD_INPUT
