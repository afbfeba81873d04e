"""The bonus of each person follows from the plan's rule, and people are told what it is."""

import dataclasses
from decimal import Decimal

import pytest

from spatial_workbench.engine.core.languages.translation import in_language
from spatial_workbench.engine.studies.analysis.bonuses import bonus_of
from spatial_workbench.engine.studies.analysis.rules import Breach
from spatial_workbench.engine.studies.planning.checking import check_study
from spatial_workbench.engine.studies.planning.consenting import consent_words
from spatial_workbench.engine.studies.planning.document import DocumentError, StudyResponse, study_of
from spatial_workbench.engine.studies.planning.paying import bonus_words
from spatial_workbench.engine.studies.planning.slots import slots_of
from tests.studies.analysis.test_statistics import T
from tests.studies.planning.test_document import SMALLEST
from tests.studies.sample import outcomes, study

EACH = {"per_solved": 0.1, "currency": "GBP"}


def bonuses(scores=T, **incentive):
    given = outcomes(scores, study(incentive=incentive))
    return [bonus_of(given, session) for session in given.sessions]


def test_each_solved_item_of_the_main_part_earns_the_amount():
    assert bonuses(**EACH) == [Decimal("0.1") * int((row == 1).sum()) for row in T]
    assert bonuses() == [0] * len(T)


def test_a_bonus_is_no_more_than_the_most_and_exact_to_the_cent():
    solved = max(int((row == 1).sum()) for row in T)
    assert solved >= 2
    assert max(bonuses(**EACH, most=0.15)) == Decimal("0.15")
    assert str(max(bonuses(per_solved=0.07, currency="EUR"))) == str(Decimal("0.07") * solved)


def test_what_solves_an_item_is_the_plans_own_definition():
    scored = outcomes(T, study(incentive=EACH, analysis={"success": "score >= 0.5"}))
    assert [bonus_of(scored, one) for one in scored.sessions] == [Decimal("0.1") * int((row >= 0.5).sum()) for row in T]


def test_an_exclusion_takes_no_bonus_away():
    given = outcomes(T, study(incentive=EACH))
    breach = Breach(given.sessions[0].id, "P", "attention", StudyResponse.EXCLUDE, "", "", None)
    excluded = dataclasses.replace(given, breaches=(breach,))
    assert bonus_of(excluded, excluded.sessions[0]) == bonus_of(given, given.sessions[0])


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ({}, ""),
        ({"incentive": EACH}, "0.10 GBP for each item of the main part that you solve."),
        (
            {"incentive": {**EACH, "per_solved": 0.125, "most": 2}, "analysis": {"success": "score >= 0.8"}},
            "0.125 GBP for each item of the main part with a score of at least 0.8, at most 2.00 GBP.",
        ),
    ],
)
def test_people_are_told_the_rule_that_works_their_bonus_out(plan, words):
    planned = study_of(SMALLEST | plan)
    assert bonus_words(planned) == words
    consent = consent_words(planned, slots_of(planned)[0])
    assert words in consent
    assert ("Bonus by results" in consent) == bool(words)


def test_the_rule_is_told_in_the_language_of_the_person():
    with in_language("de"):
        assert (
            bonus_words(study_of(SMALLEST | {"incentive": EACH}))
            == "0.10 GBP für jede Aufgabe des Hauptteils, die Sie lösen."
        )


@pytest.mark.parametrize(
    ("incentive", "place"),
    [
        ({"per_solved": 1}, "incentive.currency"),
        ({"most": 1}, "incentive.most"),
        ({"per_solved": 1, "most": 0.5, "currency": "EUR"}, "incentive.most"),
    ],
)
def test_a_rule_that_cannot_be_worked_out_keeps_a_study_from_being_frozen(incentive, place):
    problems = [problem for problem in check_study(study_of(SMALLEST | {"incentive": incentive})) if problem.is_error]
    assert place in [problem.place for problem in problems]


@pytest.mark.parametrize("incentive", [{"per_solved": 0}, {"per_solved": "x"}, {"currency": "pounds"}])
def test_a_rule_out_of_range_is_refused_with_its_place(incentive):
    with pytest.raises(DocumentError, match=f"incentive.{next(iter(incentive))}"):
        study_of(SMALLEST | {"incentive": incentive})


def test_studies_without_the_rule_keep_their_hash():
    data = study_of(SMALLEST | {"incentive": {"base": "12 EUR"}}).data["incentive"]
    assert data.keys() == {"base", "bonus", "rule", "training_paid", "same_for_all"}
