"""Judgings that a project keeps until they have ended."""

import pytest

from spatial_workbench.engine.core import silent
from spatial_workbench.engine.evaluation.lock import judging_lock
from spatial_workbench.engine.evaluation.planning.plan import Contender
from spatial_workbench.engine.evaluation.puzzles.candidates import StepJudging
from spatial_workbench.engine.evaluation.puzzles.kept_judgings import (
    ELSEWHERE,
    KeptJudging,
    judge_kept,
    keep_judging,
    kept_judgings,
)
from spatial_workbench.engine.models import ModelSettings
from spatial_workbench.engine.store import Project, ProjectError


def judging(name="a"):
    settings = ModelSettings(name="oak", base_url="http://x.example", model="m", temperature=0.5)
    what = StepJudging(batch=3, attempts=(1, 2), together=True)
    return KeptJudging(id=name, judge=Contender(settings=settings), what=what, scope="Batch 3")


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "a.workbench") as opened:
        yield opened


def test_what_is_kept_is_read_back_in_the_order_in_which_it_began_until_it_is_dropped(project):
    for name in ("b", "a"):
        keep_judging(project, judging(name))
    assert kept_judgings(project) == [judging("b"), judging("a")]
    project.puzzles.drop_judging("b")
    assert kept_judgings(project) == [judging("a")]


def test_what_another_version_wrote_is_left_out(project):
    keep_judging(project, judging())
    project.puzzles.keep_judging("b", '{"judge": 7}')
    assert kept_judgings(project) == [judging()]


def test_a_judging_that_runs_elsewhere_is_not_run_twice(project):
    with judging_lock(project.path, "a").acquire(), pytest.raises(ProjectError, match=ELSEWHERE):
        judge_kept(project.path, judging(), silent, 0.0)
