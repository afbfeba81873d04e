"""A verdict says that it is cached if the simulation that it follows from was there already."""

import pytest

import spatial_workbench as sw
from spatial_workbench.engine.core.reuse import notice_reuse, noticing_reuse
from spatial_workbench.engine.core.verdict import OF_ONE_JUDGING
from spatial_workbench.engine.physics import stored
from spatial_workbench.engine.physics.rocks import rolled_plans
from spatial_workbench.engine.tasks.terrain_levelling import TerrainPlan

PLACE = "terrain_levelling:0"


@pytest.fixture
def empty_caches(tmp_path, monkeypatch):
    monkeypatch.setattr(stored, "_folder", lambda: tmp_path)
    monkeypatch.setattr(rolled_plans, "_blasts", type(rolled_plans._blasts)())


def beginning(count):
    return TerrainPlan(blasts=sw.solve(PLACE).blasts[:count])


def test_reuse_is_noticed_within_the_innermost_block_only():
    with noticing_reuse() as outer:
        with noticing_reuse() as inner:
            notice_reuse()
        assert (outer.is_noticed, inner.is_noticed) == (False, True)


def test_reuse_that_nobody_asks_about_is_no_error():
    notice_reuse()


def test_a_plan_of_blasts_is_cached_when_it_is_judged_again_and_the_verdict_is_otherwise_the_same(empty_caches):
    first, second = (sw.verify(PLACE, beginning(2)).verdict for _ in range(2))
    assert (first.is_cached, second.is_cached) == (False, True)
    assert first.model_dump(exclude=set(OF_ONE_JUDGING)) == second.model_dump(exclude=set(OF_ONE_JUDGING))


def test_a_plan_that_goes_on_where_a_known_one_ends_is_not_cached(empty_caches):
    sw.verify(PLACE, beginning(1))
    assert not sw.verify(PLACE, beginning(2)).verdict.is_cached


def test_an_answer_that_needs_no_simulation_is_never_cached(empty_caches):
    for answer in ('{"blasts": []}', "no answer"):
        sw.verify(PLACE, answer)
        assert not sw.verify(PLACE, answer).verdict.is_cached


def test_a_cached_verdict_says_so_wherever_it_is_shown(empty_caches):
    for _ in range(2):
        judged = sw.verify(PLACE, beginning(1))
    assert "(cached)" in repr(judged)
    assert "(cached)" in judged._repr_html_()
