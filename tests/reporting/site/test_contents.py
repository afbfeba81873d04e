"""What a site says is what Results says."""

import pytest

from spatial_workbench.engine.evaluation.results.contents import ResultsChoice, read
from spatial_workbench.engine.reporting.site.choice import SiteChoice
from spatial_workbench.engine.reporting.site.contents import hides_figures, site_contents
from spatial_workbench.engine.reporting.site.listing import listing
from spatial_workbench.engine.store import Project
from tools.studio.results import add_example_results

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    with Project.create(tmp_path_factory.mktemp("site") / "runs.workbench") as opened:
        add_example_results(opened)
        yield opened


@pytest.fixture(scope="module")
def contents(project):
    return site_contents(project, SiteChoice())


def test_the_leaderboard_is_that_of_results_without_people(project, contents):
    results = read(project, ResultsChoice(people=False, published=False), only="leaderboard")
    (section,) = [section for section in results.sections if section.id == "leaderboard"]
    assert contents.leaderboard == section.tables


def test_the_scores_are_those_of_results(project):
    results = read(project, ResultsChoice(published=False), only="scores")
    (section,) = [section for section in results.sections if section.id == "scores"]
    shown = site_contents(project, SiteChoice(named=("Ada",))).scores[0]
    assert (shown.header, shown.rows) == (section.tables[0].header, section.tables[0].rows)


def test_every_attempt_of_a_run_is_there(contents):
    listed = [number for run in contents.runs for number in run.attempts]
    assert sorted(listed) == sorted(contents.attempts)
    assert {attempt.run for attempt in contents.attempts.values()} == {run.slug for run in contents.runs}


def test_runs_have_names_that_addresses_can_hold(contents):
    assert {run.slug for run in contents.runs} >= {"aspen-large", "aspen-large-tools", "birch"}


def test_the_best_runs_are_compared_in_pairs(contents):
    assert len(contents.comparisons) == 15
    assert ("aspen-large (tools)", "aspen-large") in {(one.first, one.second) for one in contents.comparisons}


def test_the_list_says_what_goes_in_and_what_stays_out(contents):
    lines = "\n".join(listing(contents).lines)
    assert "birch (model)" in lines
    assert "Addresses of generated instances hold their seeds" in lines
    assert "1 person who are not listed" in lines or "of 1 person" in lines


def test_tasks_that_hide_figures_are_known():
    assert hides_figures("csg_union")
    assert hides_figures("cube_vertex_view")
    assert not hides_figures("shikaku")
    assert not hides_figures("maze_3d")
