"""The command about the checklist: list its points, answer or confirm some."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from spatial_workbench.app.commands.leading.actions import add_study_action, chosen_study
from spatial_workbench.app.commands.plumbing import Actions, Refused, show

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project
    from spatial_workbench.engine.studies.analysis.checklist import StudyAnswer


def add_actions(actions: Actions) -> None:
    """Adds the actions to the command `study`."""
    points = add_study_action(actions, "checklist", _checklist, "List the points of the checklist, or answer one.")
    points.add_argument("number", metavar="NUMBER", nargs="?", help="of a point, such as 1.9")
    points.add_argument("answer", metavar="ANSWER", nargs="?", help="your answer; an empty one withdraws it")
    points.add_argument("--reason", default="", help="why the software's answer does not hold")
    points.add_argument("--confirm", default="", metavar="A,B", help="points of which the software's answers hold")


def _checklist(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.studies.analysis.checklist import count_words

    with chosen_study(options) as (project, study):
        if options.number is not None:
            _answer_point(options, project, study)
        if options.confirm:
            _confirm_points(options.confirm.split(","), project, study)
        answers = _all_answers(project, study)
    lines = [_line_of(answer) for answer in answers]
    return show(options, [_data_of(answer) for answer in answers], [*lines, count_words(answers)])


def _all_answers(project: Project, study: str) -> list[StudyAnswer]:
    from spatial_workbench.engine.reporting.contrasts import model_runs
    from spatial_workbench.engine.studies.analysis.checklist import answers

    outcomes = project.outcomes.of(study)
    return answers(outcomes, model_runs(project, outcomes))


def _answer_point(options: argparse.Namespace, project: Project, study: str) -> None:
    if options.answer is None:
        raise Refused("Give an answer after the number; an empty one withdraws it.")
    project.study_log.answer_checklist(study, options.number, options.answer, options.reason)


def _confirm_points(numbers: list[str], project: Project, study: str) -> None:
    """Gives what the software reports as the leader's answer."""
    reported = {answer.point.number: answer.value for answer in _all_answers(project, study)}
    for number in numbers:
        if not reported.get(number):
            raise Refused(f"The software reports nothing to confirm at {number}.")
        project.study_log.answer_checklist(study, number, reported[number])


def _line_of(answer: StudyAnswer) -> str:
    point = answer.point
    line = f"{point.number:8} {point.filled_by:9} {point.title}: {answer.shown}"
    if answer.software:
        line += f" (software: {answer.software}; {answer.reason})"
    return line + ("" if answer.is_confirmed or not answer.value else " (to be confirmed)")


def _data_of(answer: StudyAnswer) -> dict[str, Any]:
    return {
        "number": answer.point.number,
        "title": answer.point.title,
        "filled_by": answer.point.filled_by.value,
        "value": answer.value,
        "software": answer.software,
        "reason": answer.reason,
        "is_confirmed": answer.is_confirmed,
    }
