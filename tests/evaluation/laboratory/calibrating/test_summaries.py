"""A calibration as a table, a chart, and a list of what was not calibrated."""

import pytest

from spatial_workbench.engine.evaluation.laboratory.calibrating import Calibrated, VerifierSwitch, gauged_tolerances
from spatial_workbench.engine.evaluation.laboratory.calibrating.summaries import calibration_section

LONGEST = next(tolerance for tolerance in gauged_tolerances("pipe_loop") if tolerance.id == "longest")
OUTSIDE = next(tolerance for tolerance in gauged_tolerances("pipe_loop") if tolerance.id == "outside")
FOUND = [
    VerifierSwitch(LONGEST, "default", "3", Calibrated.AS_THE_RULES, 1.05, 1.05, 40),
    VerifierSwitch(LONGEST, "own:theirs", "ab", Calibrated.LAXER, 2.1, 2.1, 41),
    VerifierSwitch(OUTSIDE, "default", "3", Calibrated.AS_THE_RULES, 0.0, 1e-13, 42),
    VerifierSwitch(OUTSIDE, "own:theirs", "ab", Calibrated.TROUBLE, says="It raised"),
]


@pytest.fixture
def section():
    return calibration_section(["pipe_loop", "shikaku"], FOUND)


def test_each_switch_is_a_row_of_the_table(section):
    line = section.tables[0].lines[2]
    assert line.title == "Longest"
    figures = ["Pipe loop", "default", "1.05", "1.0500", "1.0500", "m", "as the rules", "40"]
    assert [cell.text for cell in line.cells] == figures
    assert line.tip == LONGEST.says


def test_what_differs_from_the_rules_comes_first(section):
    assert [line.cells[6].text for line in section.tables[0].lines] == [
        *("laxer", "no verdict"),
        *("as the rules", "as the rules"),
    ]


def test_what_went_wrong_stands_in_the_table(section):
    assert section.tables[0].lines[1].cells[6].detail == "It raised"


def test_the_chart_has_a_row_for_each_tolerance_and_a_mark_for_each_switch(section):
    (chart,) = section.charts
    assert [text for _, text in chart.y.ticks] == ["Pipe loop · Longest", "Pipe loop · Outside"]
    assert [[mark.x for mark in series.marks] for series in chart.series] == [[1.0, 1.0], [2.0]]
    assert "own:theirs accepts pipes up to 2.1000 m" in chart.series[1].marks[0].tip


def test_what_is_not_calibrated_is_listed_with_the_reason(section):
    lines = section.tables[1].lines
    assert {line.title for line in lines} == {"Pipe loop", "Shikaku rectangles"}
    assert lines[-1].cells[0].text == "everything"


def test_the_whole_is_summed_up(section):
    assert section.words == ("2 tolerances, 4 switches looked for: 2 as the rules, 1 laxer, 1 no verdict.",)


def test_without_a_tolerance_that_is_said():
    section = calibration_section(["shikaku"], [])
    assert section.lacking
    assert (section.charts, len(section.tables)) == ((), 1)
