"""HTML for notebooks: whatever is given is text in it."""

from spatial_workbench.engine.core import Verdict
from spatial_workbench.engine.core.checks import Check, Problem, State
from spatial_workbench.engine.core.formats.notebook import MOST_PROBLEMS, figure, score_or_dash, table
from spatial_workbench.engine.core.verdict import Figure

EVIL = '<script>alert("x")</script>'


def verdict(**changes):
    problems = tuple(Problem(EVIL) for _ in range(MOST_PROBLEMS + 2))
    check = Check(name=EVIL, state=State.FAILED, message=EVIL, problems=problems, problem_count=len(problems))
    data = {"instance": "a:0", "verifier": "default", "version": "1", "score": 0.5, "passed": False} | changes
    return Verdict(checks=(check,), figures=(Figure(EVIL, 0.25, EVIL),), warnings=(EVIL,), **data)


def test_texts_of_figures_and_tables_are_escaped():
    for html in (figure(EVIL, png=b"\x89PNG", why_no_picture=EVIL), table([EVIL], [[EVIL, EVIL]])):
        assert "<script" not in html
        assert '"x"' not in html


def test_a_verdict_shows_its_checks_figures_and_warnings_escaped():
    html = verdict()._repr_html_()
    assert "<script" not in html
    assert html.count("&lt;script&gt;") == 1 + MOST_PROBLEMS + 2 + 1
    assert "and 2 more problems" in html
    assert "a:0: not passed, score 0.5<" in html


def test_a_figure_without_a_picture_says_why():
    assert "Not installed." in figure("a", why_no_picture="Not installed.")
    assert "<img" not in figure("a", why_no_picture="Not installed.")


def test_a_missing_score_is_a_dash():
    assert (score_or_dash(None), score_or_dash(0.5)) == ("–", "0.50")
