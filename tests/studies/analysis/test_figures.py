"""The figures of a study: which trials count, and what is computed of them."""

import dataclasses

import numpy as np
import pytest
from scipy import stats

from spatial_workbench.engine.studies.analysis.counting import ANSWERED, NOBODY, PLANNED, POST_HOC, UNAIDED, Time
from spatial_workbench.engine.studies.analysis.differences import contrast
from spatial_workbench.engine.studies.analysis.figures import (
    best_at_k,
    cells_of,
    figures,
    pass_at_k,
    scopes,
    score_by_minute,
    times_to_solve,
)
from spatial_workbench.engine.studies.analysis.outcomes import PostHoc, StudyJudged
from spatial_workbench.engine.studies.analysis.rules import Breach
from spatial_workbench.engine.studies.analysis.statistics import practice_effect, survival
from spatial_workbench.engine.studies.planning.document import StudyResponse
from spatial_workbench.engine.studies.sessions.schema import Accommodations, Submission, TrialState
from tests.studies.analysis.test_statistics import SEED, T, incomplete
from tests.studies.sample import model_run, outcomes, study


def changed(given, person, position=None, **changes):
    """Outcomes in which a session, or a trial of it, is different."""
    sessions = list(given.sessions)
    if position is None:
        sessions[person] = sessions[person].model_copy(update=changes)
    else:
        trials = list(sessions[person].trials)
        trials[position] = trials[position].model_copy(update=changes)
        sessions[person] = sessions[person].model_copy(update={"trials": tuple(trials)})
    return dataclasses.replace(given, sessions=tuple(sessions))


def excluded(given, person, position=None):
    breach = Breach(f"session-{person}", "P", "attention", StudyResponse.EXCLUDE, "", "", position)
    return dataclasses.replace(given, breaches=(*given.breaches, breach))


def test_the_cells_are_the_scores_of_people_and_items():
    cells = cells_of(outcomes())
    assert cells.scores == pytest.approx(T)
    assert [item.id for item in cells.items] == ["ia", "ib", "ic", "id"]
    assert np.isnan(cells_of(outcomes(incomplete())).scores).sum() == 3


def test_score_and_pass_rate_of_the_example_with_their_intervals():
    found = figures(cells_of(outcomes()))
    assert (found.score.value, found.score.people) == (pytest.approx(0.628125), 8)
    assert (found.score.low, found.score.high) == pytest.approx((0.484, 0.778), abs=0.02)
    assert found.passed.value == pytest.approx(0.3125)


def test_the_pass_rate_of_a_single_item_has_the_interval_of_wilson():
    cells = cells_of(outcomes())
    rates = [figures(cells.of_items([item])).passed for item in cells.items]
    ends = [(rate.low, rate.high) for rate in rates]
    expected = [(0.306, 0.863), (0.137, 0.694), (0.072, 0.591), (0, 0.324)]
    assert np.array(ends) == pytest.approx(np.array(expected), abs=1e-3)


def test_who_is_excluded_counts_only_where_nobody_is():
    given = excluded(excluded(outcomes(), 0), 1, position=2)
    assert (cells_of(given).people, cells_of(given, selection=NOBODY).people) == (7, 8)
    assert np.isnan(cells_of(given).scores).sum() == 1
    assert cells_of(given, selection=dataclasses.replace(PLANNED, without_rule="attention")).people == 8


def test_later_exclusions_make_a_selection_of_their_own():
    given = dataclasses.replace(outcomes(), post_hoc=(PostHoc("session-3", "was asleep", "2026"),))
    assert (cells_of(given).people, cells_of(given, selection=POST_HOC).people) == (8, 7)


def test_people_with_accommodations_can_be_left_out():
    given = changed(outcomes(), 2, accommodations=Accommodations(time_factor=1.5))
    assert (cells_of(given).people, cells_of(given, selection=UNAIDED).people) == (8, 7)


def test_what_the_time_did_not_reach_counts_0_or_is_missing():
    given = changed(outcomes(), 0, 3, state=TrialState.SKIPPED, submissions=())
    assert (cells_of(given).scores[0] == 0).sum() == 1
    assert np.isnan(cells_of(given, selection=ANSWERED).scores[0]).sum() == 1


@pytest.mark.parametrize("state", [TrialState.WAITING, TrialState.BROKEN])
def test_what_was_not_reached_or_broke_is_missing(state):
    assert np.isnan(cells_of(changed(outcomes(), 0, 3, state=state)).scores[0]).sum() == 1


@pytest.mark.parametrize(("rule", "score"), [("last", 0.2), ("best", 0.9), ("first", 0.5)])
def test_of_several_submissions_the_study_says_which_counts(rule, score):
    of = study(limits={"item_s": 600, "submissions": 3, "score_of": rule})
    given = outcomes(of=of)
    handed_in = tuple(Submission(number=n, active_ms=1000 * n, answer="") for n in (1, 2, 3))
    given = changed(given, 0, 0, submissions=handed_in)
    judged = {("session-0", 0, n): StudyJudged(value, False) for n, value in ((1, 0.5), (2, 0.9), (3, 0.2))}
    given = dataclasses.replace(given, judged={**given.judged, **judged})
    assert cells_of(given).scores[0, 0] == score


def test_best_of_k_of_the_example():
    cells = cells_of(outcomes())
    assert [pass_at_k(cells, k) for k in (1, 2, 3, 5)] == pytest.approx([0.3125, 0.5, 0.6116, 0.7188], abs=1e-4)
    assert best_at_k(cells, 2) == pytest.approx(0.7616, abs=1e-4)
    assert pass_at_k(cells, 9) is None


def test_the_positions_of_the_example_show_its_practice_effect():
    slope = practice_effect(cells_of(outcomes()).scores, cells_of(outcomes()).positions)
    assert (slope.value, slope.low, slope.high) == pytest.approx((0.0188, -0.061, 0.098), abs=2e-3)


def test_a_model_is_compared_on_the_items_it_had():
    run = model_run()
    cells = cells_of(outcomes())
    found = contrast(run.common(cells).scores, run.samples(run.common(cells)), SEED)
    assert (found.difference, found.p) == (pytest.approx(0.295, abs=1e-3), pytest.approx(0.125))
    fewer = dataclasses.replace(run, scores={"maze_3d:0": (1.0,)})
    assert [item.address for item in fewer.common(cells).items] == ["maze_3d:0"]


def test_scopes_go_from_all_items_to_single_ones():
    assert [(scope.kind, len(scope.items)) for scope in scopes(study())] == [
        ("all", 4),
        ("bucket", 2),
        ("bucket", 2),
        *[("item", 1)] * 4,
    ]


def test_who_gave_up_is_censored_at_the_limit_and_who_solved_it_at_that_time():
    given = changed(outcomes(), 0, 0, state=TrialState.GIVEN_UP, submissions=())
    times = cells_of(given).times
    assert (times[0, 0].seconds, times[0, 0].is_solved) == (600, False)
    assert (times[0, 1].seconds, times[0, 1].is_solved) == (120, True)
    assert times_to_solve(cells_of(given)).of == 32


def test_trials_of_one_person_are_not_people_of_their_own():
    cells = cells_of(outcomes())
    slow = {(row, column): Time(500.0 if row < 4 else 100.0 + row, row >= 4) for row, column in cells.times}
    times = times_to_solve(dataclasses.replace(cells, times=slow))
    assert (times.people, times.median, times.low, times.high) == (8, 107, 104, None)
    pooled = survival([time.seconds for time in slow.values()], [time.is_solved for time in slow.values()])
    assert pooled.low > times.low


def test_on_a_single_item_the_interval_of_the_curve_holds():
    cells = cells_of(outcomes())
    one = cells.of_items(cells.items[:1])
    times = times_to_solve(one)
    curve = survival([time.seconds for time in one.pooled_times()], [time.is_solved for time in one.pooled_times()])
    assert (times.low, times.high) == (curve.low, curve.high)


def test_giving_up_without_a_limit_is_censored_at_its_own_time():
    given = changed(outcomes(), 0, 0, state=TrialState.GIVEN_UP, submissions=(), limit_ms=None)
    assert cells_of(given).times[0, 0].seconds == 60


def test_the_score_rises_minute_by_minute_to_the_final_one():
    curve = score_by_minute(outcomes(), cells_of(outcomes()))
    assert curve[0] == (0, 0.0)
    assert curve[-1] == (4, pytest.approx(0.628125))


def test_the_order_of_people_changes_nothing():
    given = outcomes()
    backwards = dataclasses.replace(given, sessions=given.sessions[::-1])
    assert figures(cells_of(given)).score.value == figures(cells_of(backwards)).score.value


def test_without_people_there_are_no_figures():
    assert figures(cells_of(outcomes(sessions=()))) is None
    assert times_to_solve(cells_of(outcomes(sessions=()))) is None


def test_the_pass_rate_of_an_item_has_an_interval_of_the_level_of_the_study():
    given = outcomes(of=study(analysis={"level": 0.8}))
    cells = cells_of(given)
    rate = figures(cells.of_items(cells.items[:1])).passed
    expected = stats.binomtest(5, 8).proportion_ci(0.8, method="wilson")
    assert (rate.low, rate.high) == pytest.approx(tuple(expected))
