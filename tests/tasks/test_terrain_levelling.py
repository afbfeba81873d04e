"""Terrain levelling: the maps, the physics, plans, and what is refused."""

import os
import signal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_workbench.engine.children import ChildProcess, Message
from spatial_workbench.engine.core import BOTH, FIRST_ONLY, SECOND_ONLY, AnswerError
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.scene import Boxes
from spatial_workbench.engine.physics import stored
from spatial_workbench.engine.physics.client import PhysicsProcess, PhysicsUnavailable, physics
from spatial_workbench.engine.physics.rocks import rolled_plans
from spatial_workbench.engine.physics.rocks.rolling import sphere_count
from spatial_workbench.engine.tasks.terrain_levelling import TerrainPlan, heights_of, score_of
from spatial_workbench.engine.tasks.terrain_levelling.flat import labels, largest, largest_by_union
from spatial_workbench.engine.tasks.terrain_levelling.noise import fingerprint
from spatial_workbench.engine.tasks.terrain_levelling.simulation import Charge, carry_out, roll, states
from tests.sweeps import few, some

pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")

TASK = task_of("terrain_levelling")
FIRST = TASK.instances()[0]
MAP = heights_of(FIRST)
FINGERPRINTS = (
    "d586ea2755213beb",
    "2508db041ea5ccb7",
    "b019970eb5f2b32f",
    "30fa66c908ed2481",
    "46e773bb9b65e31d",
    "432d8ec01c1df7b3",
    "f663ad2f26bad553",
    "8f247db98dd65953",
    "7475d383a4e2fda8",
)
FLAT_BEFORE = (5, 6, 5, 8, 8, 7, 10, 8, 6)
LOWEST = (1.4, 1.3, 0.8, 0.6, 0.4, 0.7, 0.3, -0.3, -0.5)
HIGHEST = (9.0, 9.5, 9.6, 10.6, 9.3, 9.6, 10.7, 10.7, 10.7)


def judged(*blasts, verifier="default"):
    return TASK.verify(FIRST, {"blasts": [{"x": x, "y": y, "z": z} for x, y, z in blasts]}, verifier)


def failed(verdict):
    return [check.name for check in verdict.checks if check.state == "failed"]


@pytest.fixture(autouse=True)
def forget_blasts():
    rolled_plans._blasts.clear()


@pytest.mark.parametrize("number", some(range(9)))
def test_the_published_maps_are_reproduced(number):
    heights = heights_of(TASK.instances()[number])
    assert fingerprint(heights) == FINGERPRINTS[number]
    assert (heights.min(), heights.max()) == (LOWEST[number], HIGHEST[number])
    assert heights[0, 0] == 5.0
    assert largest(heights) == largest_by_union(heights) == FLAT_BEFORE[number]


def test_the_second_row_of_the_first_map():
    assert MAP[1, :5].tolist() == [3.1, 3.6, 1.5, 2.9, 4.6]


# Flat regions --------------------------------------------------------------------------------------------------------


def test_a_step_of_exactly_0_2_is_flat():
    assert largest(np.array([[2.2, 2.0, 1.7]])) == 2


def test_a_long_gentle_slope_is_flat_and_diagonals_do_not_connect():
    assert largest(np.arange(10).reshape(1, 10) * 0.2) == 10
    assert largest(np.array([[0.0, 5.0], [5.0, 0.0]])) == 1


def test_regions_are_numbered_by_size():
    assert labels(np.array([[0.0, 5.0, 5.0, 5.0, 0.0, 0.0]])).tolist() == [[2, 0, 0, 0, 1, 1]]


@given(st.integers(0, 10**6))
def test_both_ways_to_measure_regions_agree(seed):
    heights = np.random.default_rng(seed).integers(0, 12, (8, 9)) / 10
    assert largest(heights) == largest_by_union(heights)


# Physics -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("depth", "count"), [(0.1, 3), (0.75, 3), (1, 4), (2.6, 10), (100, 120)])
def test_the_number_of_spheres(depth, count):
    assert sphere_count(depth) == count


def test_the_ground_of_the_physics_is_the_map():
    from spatial_workbench.engine.physics.rocks.rolling import RockWorld

    world = RockWorld()
    world.blast(MAP, 5, 5, 0.5)
    rng = np.random.default_rng(0)
    for row, column in rng.integers(0, 16, (20, 2)):
        assert world.ground_at(column + 0.5, row + 0.5) == pytest.approx(MAP[row, column], abs=1e-3)
    assert world.ground_at(0.1, 0.1) == pytest.approx(MAP[0, 0], abs=1e-3)
    world.close()


def test_the_published_ground_lies_too_low_and_ends_half_a_cell_early():
    from spatial_workbench.engine.physics.rocks.rolling import REFERENCE, RockWorld

    world = RockWorld(REFERENCE)
    world.blast(MAP, 5, 5, 0.5)
    assert world.ground_at(3.5, 4.5) == pytest.approx(MAP[4, 3] - (MAP.min() + MAP.max()) / 2, abs=1e-3)
    assert np.isnan(world.ground_at(0.1, 0.1))
    world.close()


def test_a_shallow_blast_on_the_highest_cell_falls_back_completely():
    run = carry_out(MAP, [Charge(12, 12, 1.0)])
    assert MAP[12, 12] == MAP.max()
    assert np.array_equal(run.heights, MAP)


def test_rock_is_conserved_but_for_what_is_lost():
    charges = [Charge(0, 4, 2.0), Charge(7, 7, 1.5), Charge(15, 9, 3.0)]
    run = carry_out(MAP, charges)
    assert MAP.sum() - run.heights.sum() == pytest.approx(run.lost, abs=1e-9)


@pytest.mark.slow
def test_two_runs_are_the_same_to_the_last_bit_in_two_processes():
    charges = [Charge(8, 8, 1.0), Charge(3, 4, 2.5), Charge(4, 4, 2.0)][: few(1, 3)]
    first = carry_out(MAP, charges)
    rolled_plans._blasts.clear()
    physics().close()
    again = carry_out(MAP, charges)
    assert np.array_equal(first.heights, again.heights)


def test_the_reply_to_a_request_that_was_broken_off_is_not_taken_for_the_next_one(monkeypatch):
    version = physics().version()
    with monkeypatch.context() as broken:
        broken.setattr(ChildProcess, "send", send_and_interrupt)
        with pytest.raises(KeyboardInterrupt):
            physics().blast("default", MAP, 1, 1, 0.5)
    assert physics().version() == version


_SEND = ChildProcess.send


def send_and_interrupt(child, message):
    _SEND(child, message)
    raise KeyboardInterrupt


def test_what_was_simulated_is_remembered_by_content_and_order():
    a, b = Charge(3, 4, 2.5), Charge(4, 4, 2.0)
    carry_out(MAP, [a, b])
    count = len(rolled_plans._blasts)
    carry_out(MAP, [a, b, Charge(9, 9, 1.0)])
    assert len(rolled_plans._blasts) == count + 1
    carry_out(MAP, [b, a])
    assert len(rolled_plans._blasts) == count + 3


def test_a_long_plan_is_stored_on_disk_and_a_damaged_file_is_passed_over():
    charges = [Charge(x % 16, x // 16, 0.3) for x in range(25)]
    first = carry_out(MAP, charges)
    rolled_plans._blasts.clear()
    key = rolled_plans.start_key(MAP, f"default {1 / 240!r}", physics().version())
    for charge in charges:
        key = rolled_plans.next_key(key, *charge)
    assert len(rolled_plans.load_plan(key)) == 25
    assert np.array_equal(carry_out(MAP, charges).heights, first.heights)
    (stored._folder() / f"{key.hex()}.npz").write_bytes(b"junk")
    assert rolled_plans.load_plan(key) is None


def test_the_states_of_a_plan_end_at_its_result():
    charges = [Charge(3, 4, 2.5), Charge(8, 8, 1.0)]
    run = carry_out(MAP, charges)
    assert np.array_equal(states(MAP, charges, run)[-1], run.heights)


def test_the_rock_of_a_blast_can_be_followed():
    tracks = roll(MAP, Charge(3, 4, 2.5))
    assert tracks.shape[1:] == (10, 3)
    assert len(tracks) > 5


def test_a_physics_process_that_dies_is_started_again():
    process = PhysicsProcess()
    process.version()
    os.kill(process._child.pid, signal.SIGKILL)
    assert "bullet" in process.version()
    process.close()


def test_a_physics_engine_that_fails_is_told(monkeypatch):
    process = PhysicsProcess()
    monkeypatch.setattr(process, "_ask_once", lambda request, progress: Message({"error": "no such thing"}))
    with pytest.raises(PhysicsUnavailable, match="no such thing"):
        process.version()


def test_half_the_step_is_another_result_of_the_same_kind():
    halved = carry_out(MAP, [Charge(3, 4, 2.5)], step_s=1 / 480)
    assert MAP.sum() - halved.heights.sum() == pytest.approx(halved.lost)


# Verdicts ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_stored_plan_of_the_first_map_levels_it():
    verdict = TASK.verify(FIRST, TASK.solve(FIRST))
    assert verdict.score > 0.1
    assert TASK.crosscheck(FIRST, TASK.solve(FIRST)).score == pytest.approx(verdict.score)


@pytest.mark.parametrize("number", some(range(9)))
def test_every_map_has_a_stored_plan(number):
    plan = TASK.solve(TASK.instances()[number])
    assert len(plan.blasts) > 300


def test_an_empty_plan_is_valid_and_scores_0():
    assert judged().score == 0
    assert failed(judged()) == ["a larger flat region"]


def test_the_score_is_the_growth_as_a_share_of_half_the_map():
    assert score_of(MAP, 5, 69) == 0.5
    assert score_of(MAP, 5, 3) == 0
    assert score_of(MAP, 5, 256) == 1


@pytest.mark.parametrize(
    ("blast", "reason"),
    [
        ((16, 0, 1), "outside the 16 x 16 map"),
        ((0, -1, 1), "outside"),
        ((0, 0, 5.1), "more than the height there, 5"),
        ((0, 0, 0), "not above 0"),
        ((0, 0, -2), "not above 0"),
    ],
)
def test_a_blast_that_cannot_be_carried_out_ends_the_plan_with_score_0(blast, reason):
    verdict = judged((3, 3, 0.5), blast, (4, 4, 0.5))
    assert verdict.score == 0
    assert failed(verdict) == ["every blast can be carried out"]
    assert reason in verdict.checks[0].message
    assert "Blast 1" in verdict.checks[0].message


def test_no_depth_is_valid_in_a_cell_below_0():
    last = TASK.instances()[8]
    y, x = (int(v) for v in np.argwhere(heights_of(last) < 0)[0])
    verdict = TASK.verify(last, {"blasts": [{"x": x, "y": y, "z": 0.1}]})
    assert failed(verdict) == ["every blast can be carried out"]


@pytest.mark.parametrize(
    "blast",
    [
        {"x": 1.0, "y": 1, "z": 1},
        {"x": True, "y": 1, "z": 1},
        {"x": 1, "y": "1", "z": 1},
        {"x": 1, "y": 1, "z": "1"},
        {"x": 1, "y": 1, "z": float("nan")},
        {"x": 1, "y": 1, "z": float("inf")},
        {"x": 1, "y": 1, "z": None},
        {"x": 1, "y": 1},
    ],
)
def test_bad_blasts_are_named(blast):
    with pytest.raises(AnswerError) as caught:
        TASK.parse({"blasts": [{"x": 1, "y": 1, "z": 1}, blast]})
    assert "blasts[1]" in str(caught.value) + caught.value.place


@pytest.mark.parametrize("data", [{}, {"blasts": 3}, {"blasts": None}, 7, "boom"])
def test_an_answer_without_blasts_is_refused(data):
    with pytest.raises(AnswerError):
        TASK.parse(data)


def test_too_many_blasts_are_not_evaluated_rather_than_wrong():
    verdict = TASK.verify(FIRST, TerrainPlan.of([Charge(0, 0, 0.1)] * 20_001))
    assert verdict.checks[0].state == "not reached"
    assert "Not evaluated" in verdict.warnings[0]


def test_a_simulation_that_takes_too_long_is_not_evaluated(monkeypatch):
    monkeypatch.setattr("spatial_workbench.engine.tasks.terrain_levelling.simulation.TIME_LIMIT_S", -1.0)
    verdict = judged((3, 3, 0.5))
    assert "Not evaluated" in verdict.warnings[0]


def test_the_published_profile_gives_another_result():
    mine = judged((3, 4, 2.5))
    published = judged((3, 4, 2.5), verifier="published")
    assert mine.details["heights"] != published.details["heights"]


@pytest.mark.slow
def test_a_new_map_is_shaved_pass_by_pass(monkeypatch):
    monkeypatch.setattr("spatial_workbench.engine.tasks.terrain_levelling.solver.MOST_PASSES", 2)
    instance = TASK.generate(5, n=12, scale=3.0, octaves=1)
    assert TASK.verify(instance, TASK.solve(instance)).score > 0


def test_generated_maps_are_the_same_for_the_same_seed():
    assert TASK.generate(5, n=20) == TASK.generate(5, n=20)
    assert len(heights_of(TASK.generate(5, n=20))) == 20


def test_the_prompt_holds_the_map_and_the_rules():
    text = TASK.prompt(FIRST).text.replace("\n", " ")
    for words in ("3.1 3.6 1.5 2.9 4.6", "at most 0.2 m", "radius 0.2 m", "most 20000 blasts", "column x = 0"):
        assert words in text


def test_the_largest_flat_regions_of_two_simulations_are_drawn_on_one_map():
    mine, published = (judged((3, 4, 2.5), verifier=name) for name in ("default", "published"))
    answer = TerrainPlan.of([Charge(3, 4, 2.5)])
    contrast = TASK.contrast(FIRST, answer, mine, published)
    (terrain,) = (item for item in contrast.scene.items if isinstance(item, Boxes))
    counted = {color: list(terrain.colors).count(color) for color in (FIRST_ONLY, SECOND_ONLY, BOTH)}
    assert counted[FIRST_ONLY] + counted[BOTH] == mine.figure("largest flat region after")
    assert counted[SECOND_ONLY] + counted[BOTH] == published.figure("largest flat region after")
    assert f"{counted[BOTH]:,} are in both" in contrast.says


def test_a_plan_that_is_not_evaluated_has_no_contrast():
    refused = judged((3, 4, 2.5)).model_copy(update={"details": {}})
    assert TASK.contrast(FIRST, TerrainPlan.of([]), refused, refused) is None
