"""The checklist of human baselines: every point once, and answers that say no more than is known."""

import dataclasses

import pytest

from spatial_workbench.engine.studies.analysis.checklist import (
    NOT_REPORTED,
    FilledBy,
    answered,
    answers,
    count_words,
    points,
    to_confirm,
)
from spatial_workbench.engine.studies.analysis.outcomes import ChecklistAnswer, Outcomes, Registration, StudyState
from spatial_workbench.engine.studies.planning.document import StudySetting, study_of
from tests.studies.planning.test_document import SMALLEST
from tests.studies.sample import model_run, outcomes, session, study


def by_number(given, runs=()):
    return {answer.point.number: answer for answer in answers(given, runs)}


def test_there_are_71_points_under_72_numbers_each_once():
    numbers = [point.number for point in points()]
    assert (len(numbers), len(set(numbers))) == (72, 72)
    assert len(answers(outcomes())) == 71


def test_a_minimal_study_leaves_exactly_the_leader_s_points_unreported():
    given = answers(Outcomes(study_of(SMALLEST), StudyState.DRAFT))
    lacking = {answer.point.number for answer in given if answer.shown == NOT_REPORTED}
    assert lacking == {point.number for point in points() if point.filled_by is FilledBy.LEADER}
    assert to_confirm(given) == 71 - len(lacking)


def test_a_point_is_answered_once_a_person_has_confirmed_it():
    assert answered(answers(outcomes())) == 0
    confirmed = dataclasses.replace(outcomes(), checklist={"1.1": ChecklistAnswer("8")})
    given = answers(confirmed)
    assert (answered(given), by_number(confirmed)["1.1"].software) == (1, "")
    assert count_words(given) == (
        "1 of 71 points of the checklist are answered; "
        f"{to_confirm(given)} more are reported by the software, to be confirmed."
    )


def test_the_plan_reports_the_population_and_how_people_were_recruited():
    criteria = {"population": "Students", "population_criteria": ["18 or older"], "sampling": "crowd"}
    given = by_number(Outcomes(study_of(SMALLEST | criteria), StudyState.DRAFT))
    shown = [given[number].value for number in ("2.1", "2.1.1", "2.2")]
    assert shown == ["Yes", "Students; 18 or older", "crowd"]


@pytest.mark.parametrize(
    ("number", "value"),
    [
        ("0.9", "4"),
        ("0.10", "3"),
        ("1.1", "8"),
        ("1.2", "4"),
        ("1.3", "8.0 (8)"),
        ("1.4", "4"),
        ("1.8", "No"),
        ("3.1.1", "williams"),
        ("3.2.2", "0 sessions, 0 trials"),
        ("3.3", "No"),
        ("3.3.1", "ticked"),
        ("3.4", "Yes"),
        ("3.5", "Yes"),
        ("4.1.1", "sign-flip test over items, two-sided"),
        ("4.2", "Yes"),
    ],
)
def test_the_software_answers_what_it_knows(number, value):
    assert by_number(outcomes(), [model_run()])[number].value == value


def test_different_words_for_some_items_make_the_instructions_partly_equal():
    run = dataclasses.replace(model_run(), same_prompt={"maze_3d:0": True, "maze_3d:1": False})
    assert by_number(outcomes(), [run])["3.4"].value == "Partial: 50% of the items"


def test_text_answers_without_aids_make_the_interface_equal():
    of = study(conditions={"only": {"aids": [], "answer": "text"}})
    assert [by_number(outcomes(of=of))[number].value for number in ("3.3", "3.3.1")] == ["Yes", "not ticked"]


def test_what_people_say_of_themselves_keeps_contamination_partial():
    question = {"key": "met_items", "ask": "Have you met these items before?", "type": "choice", "options": ["a", "b"]}
    assert by_number(outcomes())["2.5"].value == "No"
    assert by_number(outcomes(of=study(covariates=[question])))["2.5"].value == "Partial"


@pytest.mark.parametrize(("at", "value"), [("", "No"), ("2026-01-01", "Yes"), ("2026-03-01", "Partial")])
def test_a_registration_counts_wholly_only_before_the_first_session(at, value):
    of = study()
    given = outcomes(of=of, sessions=(session(of, 0, began_at="2026-02-01T10:00:00+00:00"),))
    given = dataclasses.replace(given, registration=Registration("https://example.org", at))
    assert by_number(given)["1.10"].value == value


def test_the_leader_overrules_with_a_reason_and_both_are_kept():
    given = dataclasses.replace(outcomes(), checklist={"3.3": ChecklistAnswer("Yes", "The model saw a picture of it.")})
    answer = by_number(given)["3.3"]
    assert (answer.value, answer.software, answer.reason) == ("Yes", "No", "The model saw a picture of it.")


def test_how_people_were_recruited_says_where_they_took_part_unless_all_sat_at_a_desk():
    given = outcomes()
    assert by_number(given)["2.2"].value == "convenience"
    first, *others = given.sessions
    moved = first.model_copy(update={"setting": StudySetting.BROWSER})
    given = dataclasses.replace(given, sessions=(moved, *others))
    assert by_number(given)["2.2"].value == f"convenience, {len(others)} people at a desk, 1 person in a browser"
