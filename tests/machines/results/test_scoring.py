"""Scores of motions that can be computed by hand."""

import dataclasses

import numpy as np
import pytest

from spatial_workbench.engine.machines.building.tree import MachineBlock
from spatial_workbench.engine.machines.levels.catalogue import level_of
from spatial_workbench.engine.machines.levels.level import Target
from spatial_workbench.engine.machines.results.progress import progress_along
from spatial_workbench.engine.machines.results.scoring import RULES, score_of
from spatial_workbench.engine.machines.results.trace import Break
from tests.machines.building.test_tree import EXAMPLES
from tests.machines.traces import at_rest, moving, through, thrown, trace_of

CAR = (MachineBlock(0, 0, -1, -1),)
CATAPULT = (*CAR, MachineBlock(36, 1, 0, 4))
TWO = (*CATAPULT, MachineBlock(36, 2, 0, 0))
# Leaves 5 m above the ground with 10 m/s up and forward, is 10.1 m high after 1.02 s, and lands after 2.38 s.
THROW = thrown((0, 5, 0), (0, 10, 10), roll=5)


def throw_of(motion=THROW, *, level="T2", rule="default", root=None, **more):
    return score_of(level_of(level), CATAPULT, trace_of(root, balls={"block 1": motion}, **more), rule=rule)


def car_of(root, *, level="M1", **more):
    return score_of(level_of(level), CAR, trace_of(root, window=level_of(level).window_s), **more)


def ball_of(level, end):
    ball = level_of(level).balls[0]
    window = level_of(level).window_s
    motion = moving(ball.center, (np.array(end) - ball.center) / window)
    return score_of(level_of(level), CAR, trace_of(balls={ball.name: motion}, window=window))


def test_a_car_scores_its_displacement_along_z():
    score = car_of(moving((0, 1, -1), (0.5, 0, 8)))
    assert (score.reward, score.shown) == (pytest.approx(40), ("distance", pytest.approx(40), "m"))
    assert score.figure("straight distance") == pytest.approx(np.hypot(2.5, 40))
    assert score.figure("top speed") == pytest.approx(np.hypot(0.5, 8))
    assert score.success is None


def test_a_car_that_turns_round_scores_where_it_ends_and_tells_how_far_it_came():
    score = car_of(through([(0, 1, 0)] * 1 + [(0, 1, 30)] * 12 + [(0, 1, 12)] * 13))
    assert score.reward == pytest.approx(12)
    assert score.figure("farthest") == pytest.approx(30)


def test_a_car_that_goes_backwards_scores_nothing():
    assert car_of(moving((0, 1, 0), (0, 0, -3))).reward == 0


def test_what_happens_while_the_machine_settles_does_not_count():
    assert car_of(moving((0, 1, 0), (0, 0, 5), since=-1)).reward == pytest.approx(25)


def test_the_reference_s_rule_for_cars_is_the_straight_distance_to_one_decimal():
    score = car_of(moving((0, 1, 0), (-3, 0, -4)), rule="reference_reward")
    assert (score.reward, score.shown.name) == (25, "straight distance")
    assert car_of(moving((0, 1, 0), (0, 0, 1.01)), rule="reference_reward").reward == 5.0


def test_in_curves_the_way_along_the_middle_counts():
    path = level_of("M7").path
    score = car_of(through([(x, 1, z) for x, z in path] + [(60, 1, 70)] * 80), level="M7")
    assert score.reward == pytest.approx(70 + np.pi * 15, abs=0.1)
    assert score.figure("straight distance") == pytest.approx(np.hypot(60, 70))


def test_progress_goes_on_before_the_first_corner_and_behind_the_last():
    path = [(0, 0), (0, 10), (10, 10)]
    places = np.array([(3, -5), (-2, 4), (9, 8), (25, 12)])
    assert progress_along(path, places) == pytest.approx([-5, 4, 19, 35])


def test_a_landing_between_two_steps_counts_where_it_was():
    score = throw_of(rule="landing", landings=np.array([[2.4, 0.0, 0.95, 23.277]]))
    assert (score.shown.value, score.figure("landing time")) == pytest.approx((23.277, 2.4))


@pytest.mark.parametrize("rule", RULES)
def test_a_boulder_that_lies_on_a_tower_was_not_thrown(rule):
    score = throw_of(moving((0, 8, 0), (0, 0, 0.00004)), rule=rule)
    assert (score.reward, score.shown.value) == (0, 0)
    assert "less than 1 cm" in score.notes[0]


BROKEN = (Break(1, 0, -0.5, 4000.0, 0.0, 1.1),)


def fallen(**more):
    return score_of(level_of("M1"), CAR, trace_of(moving((0, 1, 0), (0, 0, 1)), **more))


def test_a_machine_that_only_falls_apart_counts_nothing():
    score = fallen(breaks=BROKEN, work_j=0.2)
    assert score.reward == score.rank == 0
    assert "fell apart" in score.notes[0]


def test_a_machine_that_works_may_break_and_one_that_does_not_break_may_fall():
    assert fallen(breaks=BROKEN, work_j=50.0).reward == pytest.approx(5)
    assert fallen(work_j=0.0).reward == pytest.approx(5)


def test_traces_of_earlier_versions_count_as_they_did():
    assert fallen(breaks=BROKEN).reward == pytest.approx(5)


def test_a_throw_scores_height_times_the_largest_distance_and_tells_the_landing():
    score = throw_of()
    landing = (10 + np.sqrt(100 + 2 * 9.81 * 4.05)) / 9.81
    height = 5 + 100 / 2 / 9.81
    distance = 10 * landing + 5 * (5 - landing)
    assert score.figure("landing time") == pytest.approx(landing, abs=1 / 240)
    assert score.figure("landing distance") == pytest.approx(10 * landing, abs=0.05)
    assert score.figure("height") == pytest.approx(height, abs=1e-3)
    assert score.shown == ("distance", pytest.approx(distance), "m")
    assert score.reward == pytest.approx(height * distance, rel=1e-3)


def test_the_landing_rule_does_not_count_rolling():
    score = throw_of(rule="landing")
    assert score.shown == ("landing distance", score.figure("landing distance"), "m")
    assert score.reward == pytest.approx(score.figure("height") * score.figure("landing distance"))


def test_the_reference_s_rule_counts_any_direction_and_the_rise():
    score = throw_of(thrown((0, 5, 0), (6, 10, -8)), rule="reference_reward")
    landing = score.figure("landing time")
    assert score.shown == ("straight distance", pytest.approx(10 * landing, abs=0.05), "m")
    assert score.reward == pytest.approx(score.shown.value * (1 + 100 / 2 / 9.81), rel=1e-3)


@pytest.mark.parametrize("rule", RULES)
def test_a_throw_that_stays_low_counts_nothing(rule):
    score = throw_of(thrown((0, 2.5, 0), (0, 3, 10)), rule=rule)
    assert (score.reward, score.shown.value) == (0, 0)
    assert score.notes == ("The boulder does not rise above 3 m, so the throw counts nothing.",)
    assert score.figure("landing distance") > 9


@pytest.mark.parametrize("rule", RULES)
def test_a_boulder_that_is_carried_counts_nothing(rule):
    score = throw_of(moving((0, 4, 0), (0, 0, 8)), rule=rule, root=moving((0, 1, 0), (0, 0, 8)))
    assert score.reward == 0
    assert "carried, not thrown" in score.notes[0]


def test_a_boulder_that_never_lands_is_judged_where_it_is_at_the_end():
    score = throw_of(moving((0, 4, 0), (0, 0, 8)), rule="landing")
    assert (score.figure("landing time"), score.reward) == (5, pytest.approx(160))


def test_a_throw_backwards_has_a_negative_landing_and_no_worth():
    score = throw_of(thrown((0, 5, 0), (0, 10, -10)))
    assert score.figure("landing distance") < -20
    assert (score.reward, score.shown.value) == (0, 0)


def test_of_several_boulders_the_best_counts():
    balls = {"block 1": thrown((0, 5, 0), (0, 10, 4)), "block 2": THROW}
    score = score_of(level_of("T2"), TWO, trace_of(balls=balls))
    assert score.reward == pytest.approx(throw_of().reward)
    assert score.notes == ("Of 2 boulders the best counts: block 2.",)


def test_a_catapult_without_a_boulder_scores_nothing():
    score = score_of(level_of("T2"), CAR, trace_of())
    assert (score.reward, score.notes) == (0, ("The machine has no boulder.",))


@pytest.mark.parametrize("name", ["rotating_block_catapult", "spring_catapult"])
def test_the_examples_recorded_throws_land_where_the_data_says(name):
    machine = EXAMPLES[name]
    tree = tuple(MachineBlock(row["type"], row["id"], 0, 0) for row in machine["tree"])
    boulder = next(f"block {entry.id}" for entry in tree if entry.type == 36)
    root = through(machine["root_position_every_0.2s"])
    path = through(machine["boulder_centre_every_0.2s"])
    score = score_of(level_of("T2"), tree, trace_of(root, balls={boulder: path}), rule="landing")
    assert score.figure("height") == pytest.approx(machine["result"]["throw_height"], abs=0.02)
    assert score.figure("landing distance") == pytest.approx(machine["result"]["throw_distance"], abs=0.2)
    assert score.figure("distance") == pytest.approx(machine["result"]["throw_distance_whole_run"], abs=0.02)


# 1 s up to the top of the parabola, where it is 8 m high and 12 m ahead: the middle of T9n's ring.
def into_the_ring(aside=0.0, lift=0.0):
    return thrown((aside, 8 + lift - 9.81 / 2, 0), (0, 9.81, 12))


def test_a_parabola_through_the_ring_is_a_success():
    score = throw_of(into_the_ring(), level="T9n")
    assert (score.reward, score.success, score.shown) == (1, True, ("targets hit", 1, ""))
    assert score.figure("closest distance") == 0


@pytest.mark.parametrize(
    ("aside", "lift", "success"), [(2.9, 0, True), (3.1, 0, False), (0, 2.9, True), (0, 3.1, False)]
)
def test_only_the_disc_of_the_ring_counts(aside, lift, success):
    score = throw_of(into_the_ring(aside, lift), level="T9n")
    assert (score.success, score.reward, score.figure("targets hit")) == (success, float(success), float(success))
    if not success:
        assert score.figure("closest distance") == pytest.approx(0.1, abs=0.01)


def test_a_fast_boulder_passes_the_ring_between_two_steps():
    assert throw_of(moving((0, 8, 0), (0, 0, 333)), level="T9n").success


def test_a_ring_is_passed_towards_z_only():
    assert not throw_of(moving((0, 8, 30), (0, 0, -20)), level="T9n").success


def test_two_rings_are_passed_in_order():
    assert throw_of(moving((0, 8, 0), (0, 0, 10)), level="T11n").shown.value == 2
    swapped = dataclasses.replace(level_of("T11n"), targets=level_of("T11n").targets[::-1])
    score = score_of(swapped, CATAPULT, trace_of(balls={"block 1": moving((0, 8, 0), (0, 0, 10))}))
    assert (score.shown.value, score.reward, score.success) == (1, 0, False)


def test_coming_nearer_to_the_next_ring_ranks_higher_and_hitting_it_higher_still():
    motions = [moving((0, y, 0), (0, 0, speed)) for y, speed in ((14, 10), (12, 10), (8, 1.7), (8, 10))]
    ranks = [throw_of(motion, level="T11n").rank for motion in motions]
    assert ranks == sorted(set(ranks))


def test_a_zone_is_hit_by_landing_in_it_and_not_by_rolling_into_it():
    level = dataclasses.replace(level_of("T1"), targets=(Target("zone", (0, 0, 24), 2),))
    rolling = dataclasses.replace(level, targets=(Target("zone", (0, 0, 30), 2),))
    trace = trace_of(balls={"block 1": THROW})
    assert score_of(level, CATAPULT, trace).success
    score = score_of(rolling, CATAPULT, trace)
    assert not score.success
    assert score.figure("closest distance") == pytest.approx(28 - 23.8, abs=0.1)
    assert score.figure("final distance") == pytest.approx(36.9 - 32, abs=0.1)


@pytest.mark.parametrize(("end", "success"), [((0, 1.5, 66), True), ((0, 1.5, 62.9), False), ((0, 5.1, 66), False)])
def test_a_ball_is_delivered_when_it_ends_in_the_goal(end, success):
    score = ball_of("D1", end)
    assert (score.success, score.reward) == (success, pytest.approx(end[2] - 15))


def test_a_ball_that_rolls_back_scores_where_it_ends():
    path = through([(0, 1.5, 15)] + [(0, 1.5, 40)] * 10 + [(0, 1.5, 30)] * 15)
    score = score_of(level_of("D1"), CAR, trace_of(balls={"ball": path}))
    assert (score.reward, score.figure("farthest")) == (pytest.approx(15), pytest.approx(25))


def test_in_the_bend_a_ball_scores_the_way_along_the_middle():
    score = ball_of("D9", (28, 1.5, 10))
    assert score.success
    assert score.reward == pytest.approx(10 + np.pi * 14 + 15, abs=0.1)


@pytest.mark.parametrize(
    ("height", "gained", "success"), [(-2.05, 0, False), (-1, 1.05, False), (0.5, 2.55, True), (9, 5, True)]
)
def test_a_stone_scores_the_height_it_gains_up_to_2_m_beyond_the_depth(height, gained, success):
    score = ball_of("P1", (0, height, 10))
    assert (score.reward, score.success) == (pytest.approx(gained), success)


def test_a_machine_that_is_not_valid_counts_nothing_but_keeps_its_figures():
    score = car_of(moving((0, 1, 0), (0, 0, 8)), is_valid=False)
    assert (score.reward, score.rank, score.shown.value) == (0, 0, 0)
    assert (score.figure("R"), score.figure("distance")) == (0, pytest.approx(40))
    assert score.notes == ("The machine is not valid, so it counts nothing.",)


def test_a_simulation_that_failed_counts_nothing_and_says_why():
    trace = trace_of(balls={"block 1": at_rest(0, np.nan, 0)}, fault="block 1 is faster than 1,000 m/s")
    score = score_of(level_of("T9n"), CATAPULT, trace)
    assert (score.reward, score.success) == (0, False)
    assert score.notes == ("The simulation failed, so the machine counts nothing: block 1 is faster than 1,000 m/s",)


def test_places_that_are_no_numbers_count_nothing():
    assert throw_of(at_rest(0, np.nan, 0)).notes == (
        "The simulation failed, so the machine counts nothing: places are not numbers.",
    )


def test_without_a_simulation_there_is_no_score():
    assert score_of(level_of("M1"), CAR, None).notes == ("The machine was not simulated.",)
