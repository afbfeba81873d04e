"""The short form of the report: the figures of the full one, without what a reader of an appendix can do without."""

import dataclasses
from datetime import UTC, datetime

import pytest

from spatial_workbench.engine.reporting.short_report import short_sections
from spatial_workbench.engine.reporting.study_report import report_sections, study_html
from spatial_workbench.engine.studies.analysis.outcomes import ChecklistAnswer, StudyState
from spatial_workbench.engine.studies.analysis.rules import Breach
from spatial_workbench.engine.studies.planning.document import StudyResponse
from tests.reporting.test_study_report import sharing, two_conditions
from tests.studies.sample import ADDRESSES, model_run, outcomes


def sections(given, runs=()):
    return {section.id: section for section in short_sections(given, runs)}


def words(given, section, runs=()):
    return " ".join(sections(given, runs)[section].words)


def full_table(given, section, title):
    (found,) = [t for s in report_sections(given) if s.id == section for t in s.tables if t.title == title]
    return {line.title: line.cells for line in found.lines}


@pytest.mark.slow
def test_outcomes_are_those_of_the_full_report_without_single_items():
    given = outcomes()
    (table,) = sections(given)["outcomes"].tables
    lines = {line.title: line.cells for line in table.lines}
    scores = full_table(given, "scores", "Scores")
    times = full_table(given, "times", "Time to a solution")
    assert set(lines) == {title for title in scores if title not in ADDRESSES}
    (score, _, passed, _), (median, _, solved, *_) = scores["All items"], times["All items"]
    assert lines["All items"] == (score, passed, median, solved)


def test_conditions_stand_below_each_other_with_their_differences_and_those_from_models():
    tables = {table.title: table for table in sections(two_conditions(), [model_run()])["outcomes"].tables}
    assert list(tables) == ["Outcomes by condition", "People minus models, on common items", "Between conditions"]
    titles = [line.title for line in tables["Outcomes by condition"].lines]
    assert ("only: All items" in titles, "also: All items" in titles) == (True, True)
    assert "also: Over all items, the mean score is" in tables["Outcomes by condition"].words


@pytest.mark.slow
def test_paragraphs_stand_for_the_tables_that_are_left_out():
    full = {table.title: table.words for section in report_sections(outcomes()) for table in section.tables}
    assert f"Best of k. {full['Best of k']}" in sections(outcomes())["figures"].words
    assert f"How much depends on the rules. {full['How much depends on the rules']}" in words(outcomes(), "figures")
    assert "5 of 8 people agreed" in words(sharing(outcomes(), range(5)), "figures")
    assert "are withheld" in words(sharing(outcomes(), range(7)), "figures")


@pytest.mark.parametrize("state", [StudyState.FROZEN, StudyState.CLOSED])
def test_before_outcomes_are_open_there_are_none(state):
    assert {"outcomes", "figures"}.isdisjoint(sections(dataclasses.replace(outcomes(), state=state)))


def test_a_rule_counts_each_session_once_and_trials_apart():
    given = outcomes()
    first, second = given.sessions[:2]
    broken = (
        Breach(first.id, first.code, "attention", StudyResponse.EXCLUDE, "0 of 2", "2"),
        Breach(second.id, second.code, "identical", StudyResponse.FLAG, "with one", "2"),
        Breach(second.id, second.code, "identical", StudyResponse.FLAG, "with another", "2"),
        Breach(second.id, second.code, "too_fast", StudyResponse.FLAG, "1", "5", position=2),
    )
    given = dataclasses.replace(given, breaches=broken)
    (table,) = sections(given)["exclusions"].tables
    counts = {line.title: [cell.values[0] for cell in line.cells] for line in table.lines}
    assert counts["attention"] == ["exclude", 1, 0]
    assert (counts["identical"], counts["too fast"]) == (["flag", 1, 0], ["flag", 0, 1])
    assert counts["file"] == ["exclude", 0, 0]
    assert "no edits" not in counts
    assert table.words == "Broken rules that exclude: attention. Noted without a consequence: too fast, identical."
    assert "The analysis has 7 people." in words(given, "exclusions")


def test_points_of_the_checklist_are_told_by_number():
    given = outcomes(checklist={"0.1": ChecklistAnswer("by interviews")})
    before = sections(outcomes())["checklist"].words
    after = sections(given)["checklist"].words
    assert before[2].startswith("Not reported: 0.1, ")
    assert not after[2].startswith("Not reported: 0.1, ")
    assert after[0].startswith("1 of 71 points")


def test_the_page_says_that_it_is_the_short_form():
    page = study_html(outcomes(), short_sections(outcomes()), {}, datetime(2026, 11, 24, tzinfo=UTC))
    assert "This is the short form of the report." in page
    assert page.count("<table") <= 3
