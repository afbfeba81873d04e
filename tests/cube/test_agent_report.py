"""The report on runs of agents."""

from engine.cube.agent import AgentKind, EndReason, Setting
from engine.cube.agent.report import report_html
from tests.cube.test_agent_metrics import run


def test_the_report_shows_our_rates_beside_the_published_ones():
    page = report_html({"A <model>": [run()] * 3 + [run(EndReason.TIMEOUT)]})
    assert "A &lt;model&gt;" in page
    assert "0.75 [0.30, 0.95] n=4" in page
    assert "GPT-5 (published)" in page
    assert "GPT-5, ideal-solver (published)" in page


def test_the_gaps_are_told_where_there_are_runs_of_both_sides():
    runs = [run(EndReason.STEP_LIMIT, depth=8)] * 5 + [run(depth=8, agent=AgentKind.STANDARD_SOLVER)] * 5
    assert "tracking the state and planning" in report_html({"A": runs})
    assert "no two groups of runs to compare" in report_html({"A": [run(setting=Setting.FACE_VIEW)]})


def test_what_is_wrong_in_the_paper_is_said():
    assert "repeats the #MM values" in report_html({})
