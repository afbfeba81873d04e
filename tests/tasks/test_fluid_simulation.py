"""Fluid simulation: the rules of docs/tasks/fluid_simulation.md."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial_workbench.engine.core import InstanceError, State, Verdict
from spatial_workbench.engine.core.progress import Cancelled
from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.core.scene import Voxels
from spatial_workbench.engine.tasks.fluid_simulation import Earthworks, Operation, earthworks_of
from spatial_workbench.engine.tasks.fluid_simulation import crosscheck as plain
from spatial_workbench.engine.tasks.fluid_simulation.bodies import Aftermath, overflow_path
from spatial_workbench.engine.tasks.fluid_simulation.capacity import capacity_set
from spatial_workbench.engine.tasks.fluid_simulation.drawing import RAIN_FRAMES
from spatial_workbench.engine.tasks.fluid_simulation.editing import FluidRectangle, clamped, feedback, mirrored, preset
from spatial_workbench.engine.tasks.fluid_simulation.generator import RECIPES
from spatial_workbench.engine.tasks.fluid_simulation.goals import first_met_level, read_goals, score_of
from spatial_workbench.engine.tasks.fluid_simulation.judging import FluidQuestion
from spatial_workbench.engine.tasks.fluid_simulation.rain import let_it_rain
from spatial_workbench.engine.tasks.fluid_simulation.stability import let_fall, replay
from spatial_workbench.engine.tasks.fluid_simulation.world import FluidBox, Terrain, from_flat, to_flat

TASK = task("fluid_simulation")
NUMBERS = range(11)
SIZES = [16, 24, 32, 40, 48, 56, 64, 48, 56, 48, 64]
BODIES = [[64], [9] * 3, [36], [72], [9] * 3, [343], [768] * 2, [72], [25, 9], [100], [18] * 4]
A, R = "Air", "Rock"


def judged(number, *rows, verifier="default"):
    """The verdict on rows [x0, y0, z0, x1, y1, z1, material] in published instance `number`."""
    return TASK.verify(TASK.instances()[number], earthworks_of(rows), verifier)


def reference(number):
    return TASK.solve(TASK.instances()[number])


def rows_of(number):
    return [[*o.xyzMin, *o.xyzMax, o.material] for o in reference(number).earthworks]


def sizes(verdict):
    return [body["size"] for body in verdict.details["bodies"]]


# Published instances -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", NUMBERS)
def test_the_worked_list_scores_1_and_leaves_the_documented_water(number):
    verdict = TASK.verify(TASK.instances()[number], reference(number))
    assert verdict.passed
    assert sizes(verdict) == BODIES[number]
    assert verdict.details["fallen"] == []
    assert verdict.details["dry"] == []


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("verifier", ["published", "nearest"])
def test_the_worked_list_scores_1_under_the_other_verifiers_too(number, verifier):
    assert TASK.verify(TASK.instances()[number], reference(number), verifier).passed


@pytest.mark.parametrize("number", NUMBERS)
def test_the_plain_simulation_agrees_on_the_worked_list(number):
    other = TASK.crosscheck(TASK.instances()[number], reference(number))
    assert other.passed
    assert sizes(other) == BODIES[number]


@pytest.mark.parametrize("number", NUMBERS)
def test_no_earthworks_score_0(number):
    assert judged(number).score == 0
    assert TASK.crosscheck(TASK.instances()[number], Earthworks(earthworks=())).score == 0


@pytest.mark.parametrize("number", NUMBERS)
def test_the_stages_have_their_number_of_drops(number):
    first, second, third = judged(number).details["stages"]
    assert first["drops"] == SIZES[number] ** 2
    assert second["drops"] == 2000
    assert third["drops"] >= 2000
    assert third["lost"] >= 2000


# Goals, near misses and partial credit -------------------------------------------------------------------------------


def test_a_pit_of_10_x_11_misses_exactly_100_by_a_tenth():
    assert judged(9, [19, 19, 2, 28, 29, 2, A]).score == pytest.approx(0.9)


def test_a_lake_without_its_roof_is_visible_and_scores_0():
    verdict = judged(3, [17, 17, 1, 22, 22, 2, A])
    assert verdict.score == 0
    assert verdict.figure("visible") == "72/0"


def test_two_of_three_bodies_score_two_thirds():
    assert judged(1, *rows_of(1)[:2]).score == pytest.approx(2 / 3)


def test_a_gutter_of_one_column_is_no_body_of_2_x_2():
    assert judged(1, *rows_of(1)[:2], [16, 10, 2, 16, 14, 2, A]).score == pytest.approx(2 / 3)


def test_a_floating_slab_falls_and_is_reported():
    verdict = judged(0, [4, 4, 6, 6, 6, 6, R])
    assert [(len(fall["cells"]), fall["distance"]) for fall in verdict.details["fallen"]] == [(9, 3)]
    assert "by up to 3 levels" in verdict.warnings[0]


def test_a_roof_without_its_pillar_falls_on_the_rim_and_nothing_is_caught():
    verdict = judged(3, *rows_of(3)[:2])
    assert verdict.score == 0
    assert [(len(fall["cells"]), fall["distance"]) for fall in verdict.details["fallen"]] == [(64, 2)]
    assert verdict.figure("total water") == 0


def test_a_smaller_lake_gets_its_share():
    assert judged(0, [4, 4, 2, 8, 8, 2, A]).score == pytest.approx(25 / 36)


def test_a_ring_around_5_x_5_passes_but_not_the_published_test():
    ring = [[18, 18, 2, 30, 30, 2, A], [22, 22, 2, 26, 26, 2, R]]
    assert judged(7, *ring).passed
    assert judged(7, *ring, verifier="published").score == 0


def test_water_inside_the_ring_leaves_no_dry_centre():
    wet = [[20, 20, 2, 28, 28, 2, A], [22, 22, 2, 26, 26, 2, R], [24, 24, 2, 24, 24, 2, A]]
    assert judged(7, *wet).score == 0


def test_200_voxels_are_over_200_only_in_the_published_test():
    pits = [[10, 20, 2, 19, 39, 2, A], [38, 20, 2, 47, 39, 2, A]]
    assert judged(6, *pits).score == 0
    assert judged(6, *pits, verifier="published").score == 1


def test_hidden_lakes_are_added_up_only_in_the_published_test():
    roof = rows_of(3)[1:]
    pits = [[17, 17, 2, 18, 19, 2, A], [21, 17, 2, 22, 19, 2, A]]
    assert judged(3, *pits, *roof).score == pytest.approx(0.6)
    assert judged(3, *pits, *roof, verifier="published").score == 1


def test_water_at_a_forbidden_level_scores_0_and_is_named():
    verdict = judged(8, *rows_of(8), [10, 40, 3, 14, 44, 4, R], [11, 41, 4, 13, 43, 4, A])
    assert verdict.score == 0
    assert "water 11,41,4" in verdict.failed_elements


def test_one_of_two_wet_levels_scores_a_half():
    assert judged(8, *rows_of(8)[:2]).score == 0.5


def test_high_water_in_pieces_counts_but_is_warned_of():
    towers = [box for x in (10, 20) for box in ([x, 10, 3, x + 2, 12, 6, R], [x + 1, 11, 6, x + 1, 11, 6, A])]
    verdict = judged(2, *towers)
    assert verdict.passed
    assert "no 2 of them are in one body" in verdict.warnings[0]


def test_lakes_on_equal_levels_count_as_one_level():
    pits = [[20 + 5 * i, 20, 2, 22 + 5 * i, 22, 2, A] for i in range(3)]
    assert judged(4, *pits).score == pytest.approx(1 / 3)
    assert judged(4, *pits[:2]).score == pytest.approx(2 / 3)


def test_a_tie_of_levels_goes_to_the_lowest_but_in_the_published_test_to_the_first_met():
    water = np.zeros((8, 8, 8), dtype=bool)
    water[2:4, 2, 3] = water[3:5, 2, 2] = True
    after = Aftermath(np.zeros_like(water), water)
    (goal,) = read_goals([{"type": "levels", "n": 1}])
    assert after.bodies[0].main_level == 2
    assert first_met_level(after.bodies[0]) == 3
    assert goal.judge(after).score == goal.published(after).score == 1


def test_two_goals_give_the_mean_of_their_scores():
    water = np.zeros((8, 8, 8), dtype=bool)
    water[1:7, 1:7, 3] = True
    after = Aftermath(np.zeros_like(water), water)
    goals = read_goals([{"type": "surface", "k": 36}, {"type": "depth", "d": 2}])
    assert score_of([goal.judge(after) for goal in goals]) == 0.75


# Rock ----------------------------------------------------------------------------------------------------------------


def test_overhangs_and_bridges_hold():
    rock = Terrain(16).after([FluidBox((2, 2, 3), (2, 2, 6), True), FluidBox((2, 2, 6), (13, 2, 6), True)])
    assert let_fall(rock)[1] == []


def test_a_landed_piece_carries_what_rests_on_it():
    rock = np.zeros((6, 6, 8), dtype=bool)
    rock[:, :, 0] = rock[2, 2, 3] = rock[2, 2, 6] = True
    fallen, falls = let_fall(rock)
    assert fallen[2, 2].tolist() == [True, True, True] + [False] * 5
    assert [fall.distance for fall in falls] == [2, 4]


def test_without_ground_everything_falls_to_the_bottom_and_water_is_lost():
    verdict = judged(0, [0, 0, 0, 15, 15, 1, A])
    assert verdict.details["fallen"][0]["distance"] == 2
    assert verdict.figure("total water") == 0


def test_a_hole_to_the_bottom_loses_the_water():
    assert judged(0, [4, 4, 2, 11, 11, 2, A], [6, 6, 0, 6, 6, 1, A]).score == 0


def test_known_falls_give_the_same_rock_again():
    rock = Terrain(16).after([FluidBox((4, 4, 6), (6, 6, 6), True), FluidBox((5, 5, 4), (5, 5, 4), True)])
    fallen, falls = let_fall(rock)
    assert (replay(rock, falls) == fallen).all()


# Rain ----------------------------------------------------------------------------------------------------------------


def test_a_cave_under_a_shaft_fills_only_if_drops_settle_at_the_far_end():
    cave = [[1, 1, 1, 38, 38, 1, A], [20, 20, 2, 20, 20, 2, A]]
    assert judged(3, *cave).figure("total water") == 38 * 38 + 1
    assert judged(3, *cave, verifier="nearest").figure("total water") == 2


def test_an_open_basin_fills_its_corners_only_if_drops_settle_at_the_far_end():
    basin = [[2, 2, 3, 30, 30, 6, R], [3, 3, 3, 29, 29, 6, A]]
    assert judged(2, *basin).figure("total water") == 2916
    assert judged(2, *basin, verifier="nearest").figure("total water") < 2916


def test_a_plugged_shaft_is_reported_as_room_that_stays_dry():
    verdict = judged(3, [1, 1, 1, 38, 38, 1, A], [20, 20, 2, 20, 20, 2, A], verifier="nearest")
    assert verdict.figure("could hold water but stays dry") == 38 * 38 - 1


def test_a_drop_that_starts_inside_rock_leaves_sideways_only():
    sealed = [[4, 4, 3, 11, 11, 7, R], [5, 5, 3, 10, 10, 6, A]]
    assert judged(0, *sealed).figure("total water") == 0


def test_the_stepwise_log_fills_the_final_water_in_order():
    rainfall = let_it_rain(Terrain(16).after([FluidBox((4, 4, 2), (11, 11, 2), False)]))
    steps = list(rainfall.steps())
    assert len(steps) == 64
    assert [drop for drop, _ in steps] == sorted(drop for drop, _ in steps)
    assert rainfall.water(steps[9][0]).sum() == 10
    assert (rainfall.water(10**9) == rainfall.water()).all()


def test_the_last_drop_of_the_second_stage_may_still_settle():
    rainfall = let_it_rain(Terrain(64).after([FluidBox((1, 1, 1), (62, 62, 2), False)]))
    assert rainfall.water().sum() == 2 * 62 * 62
    assert [stage.drops for stage in rainfall.stages][:2] == [4096, 2000]
    assert rainfall.stages[2].lost >= 2000


def test_further_water_leaves_by_the_level_above():
    rock = Terrain(16).after([FluidBox((7, 7, 2), (8, 8, 2), False)])
    after = Aftermath(rock, let_it_rain(rock).water())
    path = overflow_path(rock, after.bodies[0])
    assert path[0][2] == path[-1][2] == 3
    assert path[-1][0] in (0, 15) or path[-1][1] in (0, 15)


boxes = st.builds(
    lambda low, size, rock: clamped(FluidBox(low, tuple(a + b for a, b in zip(low, size, strict=True)), rock), 10),
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 7)),
    st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 5)),
    st.booleans(),
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.lists(boxes, max_size=12), st.sampled_from([8, 10]))
def test_the_fast_form_gives_the_rock_and_water_of_the_plain_form(operations, n):
    raw = Terrain(n).after([clamped(box, n) for box in operations])
    rock, _ = let_fall(raw)
    water = let_it_rain(rock).water()
    plain_rock, plain_water = plain.simulate(raw)
    assert (rock == plain_rock).all()
    assert (water == plain_water).all()
    assert not (water & ~capacity_set(rock)).any()
    assert plain.floating(rock) == 0
    assert plain.settles_more(rock, water) == 0


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.floats(0.1, 0.9))
def test_the_fast_form_equals_the_plain_form_in_random_rock(seed, share):
    raw = np.random.default_rng(seed).random((8, 8, 8)) < share
    rock, _ = let_fall(raw)
    plain_rock, plain_water = plain.simulate(raw)
    assert (rock == plain_rock).all()
    assert (let_it_rain(rock).water() == plain_water).all()


def test_kernels_compile_where_no_cache_can_be_written(monkeypatch):
    import numba

    from spatial_workbench.engine.geometry.compiled import compiled

    real = numba.njit

    def without_cache(*arguments, cache=False, **options):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return real(*arguments, **options)

    monkeypatch.setattr(numba, "njit", without_cache)
    assert compiled(lambda x: x + 1)(2) == 3


# Bad input -----------------------------------------------------------------------------------------------------------

PIT = {"xyzMin": [4, 4, 2], "xyzMax": [11, 11, 2], "material": "Air"}


@pytest.mark.parametrize("raw", ["[]", '"dig"', "{}", '{"earthworks": {}}', '{"earthworks": null}', "dig a hole", ""])
def test_an_answer_without_a_list_of_earthworks_scores_0_with_a_message(raw):
    verdict = TASK.verify(TASK.instances()[0], raw)
    assert verdict.score == 0
    assert verdict.checks[0].message


@pytest.mark.parametrize("corner", ["4,4,2", [4, "4", 2], ["4", "4", "2"]])
def test_numbers_that_are_written_as_text_are_refused_as_in_every_task(corner):
    verdict = TASK.verify(TASK.instances()[0], {"earthworks": [PIT, {**PIT, "xyzMin": corner}]})
    assert verdict.checks[0].message == "earthworks[1].xyzMin must be numbers, not text"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"xyzMin": [4, 4]}, "operation 1 is skipped: xyzMin has to be three coordinates"),
        ({"xyzMax": [4, 4, 2, 9]}, "operation 1 is skipped: xyzMax has to be three coordinates"),
        ({"xyzMin": [4, 4.5, 2]}, "operation 1 is skipped: xyzMin has to be whole numbers"),
        ({"xyzMin": [4, True, 2]}, "operation 1 is skipped: xyzMin has to be whole numbers"),
        ({"xyzMin": [4, float("nan"), 2]}, "operation 1 is skipped: xyzMin has to be whole numbers"),
        ({"xyzMax": [4, 16, 2]}, "operation 1 is skipped: y runs from 4 to 16, outside 0..15"),
        ({"xyzMax": [11, 11, 8]}, "operation 1 is skipped: z runs from 2 to 8, outside 0..7"),
        ({"xyzMin": [-1, 4, 2]}, "operation 1 is skipped: x runs from -1 to 11, outside 0..15"),
        ({"xyzMin": [12, 4, 2]}, "operation 1 is skipped: x runs from 12 to 11: the minimum is above the maximum"),
        ({"material": "Water"}, 'operation 1 is skipped: material has to be "Rock" or "Air"'),
        ({"material": None}, 'operation 1 is skipped: material has to be "Rock" or "Air"'),
    ],
)
def test_a_bad_operation_is_skipped_and_named_and_the_rest_counts(change, reason):
    verdict = TASK.verify(TASK.instances()[0], {"earthworks": [PIT, {**PIT, **change}]})
    assert verdict.passed
    assert verdict.warnings == (reason,)


def test_a_later_bad_operation_keeps_its_index_behind_an_unreadable_one():
    earthworks = [7, PIT, {**PIT, "xyzMax": [99, 11, 2]}]
    verdict = TASK.verify(TASK.instances()[0], {"earthworks": earthworks})
    assert verdict.warnings[0] == "operation 0 is skipped: it is not an object"
    assert verdict.warnings[1].startswith("operation 2 is skipped")
    assert verdict.details["skipped"] == [2]


def test_3_point_0_stands_for_3():
    assert TASK.verify(TASK.instances()[0], {"earthworks": [{**PIT, "xyzMin": [4.0, 4, 2]}]}).passed


def test_more_than_10000_operations_are_refused():
    verdict = TASK.verify(TASK.instances()[0], json.dumps({"earthworks": [PIT] * 10001}))
    assert "Too many operations (limit 10000)" in verdict.checks[0].message


def test_later_operations_override_earlier_ones():
    assert judged(0, [4, 4, 2, 11, 11, 2, A], [4, 4, 2, 11, 11, 2, R]).figure("total water") == 0


def test_rock_up_to_the_top_over_the_centre_sends_the_rain_aside():
    verdict = judged(0, [7, 7, 3, 8, 8, 7, R], [2, 2, 2, 4, 4, 2, A])
    assert verdict.figure("total water") == 9


# Generator -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("goal", RECIPES)
def test_each_kind_of_goal_is_drawn_with_a_proof_that_all_verifiers_accept(goal):
    instance = TASK.generate(100, goal=goal, size=24)
    proof = TASK.solve(instance)
    assert [goal_data["type"] for goal_data in instance.parameters["goals"]] == [goal]
    assert all(TASK.verify(instance, proof, name).passed for name in ("default", "published"))
    assert TASK.crosscheck(instance, proof).passed
    assert not TASK.verify(instance, TASK.empty(instance)).passed


@pytest.mark.parametrize("seed", range(11, 19))
@pytest.mark.parametrize("arguments", [{"goals": 2}, {"terrain": "boulders"}, {"limit": "tight", "hardness": 0.9}])
def test_harder_draws_are_proven_too(seed, arguments):
    instance = TASK.generate(seed, **arguments)
    assert TASK.verify(instance, TASK.solve(instance)).passed
    assert TASK.generate(seed, **arguments) == instance


def test_a_world_that_is_too_small_for_a_goal_is_refused():
    with pytest.raises(InstanceError, match="8 x 8"):
        TASK.generate(30, goal="volumes", size=8, hardness=1.0, limit="tight", goals=2)


@pytest.mark.parametrize("goal", ["surface", "high", "depth", "exact"])
def test_the_smallest_world_has_room_for_a_simple_goal(goal):
    instance = TASK.generate(30, goal=goal, size=8, hardness=0.0)
    assert TASK.verify(instance, TASK.solve(instance)).passed


def test_seeds_0_to_10_are_the_published_worlds():
    assert TASK.generate(7).parameters["goals"] == [{"type": "ring", "m": 3}]
    assert TASK.verify(TASK.generate(7), TASK.solve(TASK.generate(7))).passed


def test_more_operations_than_allowed_score_0():
    instance = TASK.generate(40, goal="surface", limit="tight")
    earthworks = TASK.solve(instance).earthworks
    limit = instance.parameters["limit"]
    too_many = Earthworks(earthworks=(*earthworks, *[earthworks[0]] * limit))
    verdict = TASK.verify(instance, too_many)
    assert verdict.score == 0
    assert verdict.checks[0].state is State.FAILED


@pytest.mark.parametrize("arguments", [{"size": 9}, {"size": 66}, {"goals": 2, "goal": "exact"}, {"goal": "sea"}])
def test_the_generator_refuses_with_the_reason(arguments):
    with pytest.raises(InstanceError):
        TASK.generate(20, **arguments)


def test_equal_instances_give_equal_prompts():
    first, second = TASK.generate(50, terrain="boulders"), TASK.generate(50, terrain="boulders")
    assert TASK.prompt(first).text == TASK.prompt(second).text
    assert "boulders of rock" in TASK.prompt(first).text


def test_the_prompt_tells_world_rules_goal_and_form():
    text = TASK.prompt(TASK.instances()[8]).text
    for part in ["56 x 56 x 8", "lost", "z = 3 and z = 6", "no water at z = 4 or z = 5", "[2, 2, 3]", '"material"']:
        assert part in text


# Contracts -----------------------------------------------------------------------------------------------------------


def test_answers_and_verdicts_read_back():
    verdict = TASK.verify(TASK.instances()[4], reference(4))
    assert TASK.parse(TASK.format(reference(4))) == reference(4)
    assert Verdict.model_validate_json(verdict.model_dump_json()) == verdict


def test_the_schema_asks_for_reasoning_first():
    assert TASK.schema()["required"] == ["reasoning", "earthworks"]


def test_equal_answers_give_equal_verdicts_and_stay_as_they_are():
    answer = reference(8)
    before = answer.model_dump_json()
    first, second = (TASK.verify(TASK.instances()[8], answer) for _ in range(2))
    assert first.model_copy(update={"elapsed_s": 0}) == second.model_copy(update={"elapsed_s": 0})
    assert answer.model_dump_json() == before


@pytest.mark.parametrize("judge", [TASK.verify, TASK.crosscheck])
def test_a_verdict_that_nobody_waits_for_is_cancelled(judge):
    def cancel(done, total, text=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        judge(TASK.instances()[0], reference(0), progress=cancel)


def test_both_goal_results_stand_on_the_verdict():
    cave = [[1, 1, 1, 38, 38, 1, A], [20, 20, 2, 20, 20, 2, A], *rows_of(3)[1:]]
    verdict = judged(3, *cave, verifier="nearest")
    assert verdict.figure("goal score of the rain") < 1
    assert verdict.figure("goal score if all that could hold water were wet") == 1


def test_flat_indices_name_cells():
    cells = np.array([[0, 0, 0], [3, 5, 7], [15, 15, 2]])
    assert (from_flat(to_flat(cells, 16), 16) == cells).all()


# Editor and scene ----------------------------------------------------------------------------------------------------


def test_presets_build_what_their_names_say():
    question = FluidQuestion.of(TASK.instances()[0].parameters)
    area = FluidRectangle(5, 5, 10, 10)
    pool = [*preset("pit", area, 1), *preset("island", FluidRectangle(7, 7, 8, 8), 1)]
    assert feedback(question, pool).capacity.sum() == 2 * (36 - 4)
    covered = [*preset("pit", area, 1), *preset("roof on a pillar", area, 5)]
    assert feedback(question, covered).falls == []
    assert feedback(question, preset("walled pool", area, 5)).capacity.sum() == 16


@pytest.mark.parametrize(
    ("name", "area", "level"), [("walled pool", (1, 1, 2, 5), 4), ("roof on a pillar", (4, 4, 5, 5), 3)]
)
def test_a_preset_without_room_says_so(name, area, level):
    with pytest.raises(ValueError):
        preset(name, FluidRectangle(*area), level)


def test_meters_show_the_numbers_of_the_test():
    question = FluidQuestion.of(TASK.instances()[0].parameters)
    (meter,) = feedback(question, [FluidBox((4, 4, 2), (8, 8, 2), False)]).meters
    assert str(meter) == "surface 25/36"


def test_a_mirrored_box_lies_on_the_other_side():
    box = FluidBox((1, 2, 3), (4, 5, 6), True)
    assert mirrored(box, 16, in_x=True) == FluidBox((11, 2, 3), (14, 5, 6), True)
    assert mirrored(mirrored(box, 16, in_y=True), 16, in_y=True) == box


def test_clamping_puts_a_dragged_box_into_the_world():
    assert clamped(FluidBox((20, 3, 9), (-2, 1, 0), True), 16) == FluidBox((0, 1, 0), (15, 3, 7), True)


def cells_of(scene, name):
    item = scene.item(name)
    assert isinstance(item, Voxels)
    return item.cells


def test_the_scene_shows_what_the_verdict_found():
    instance = TASK.instances()[3]
    verdict = TASK.verify(instance, reference(3))
    scene = TASK.scene(instance, reference(3), verdict)
    assert len(cells_of(scene, "water")) == 72
    assert set(scene.item("water").colors) == {"series 0"}
    assert {"body 0", "leak 0", "rain", "border south"} <= set(scene.ids())


def test_without_a_verdict_the_scene_shows_what_could_hold_water():
    assert len(cells_of(TASK.scene(TASK.instances()[0], reference(0)), "capacity")) == 64


def test_fallen_rock_is_shown_where_it_lies_and_how_far_it_fell():
    answer = earthworks_of([[4, 4, 6, 6, 6, 6, R]])
    scene = TASK.scene(TASK.instances()[0], answer, TASK.verify(TASK.instances()[0], answer))
    assert set(cells_of(scene, "fallen")[:, 2].tolist()) == {3}
    assert scene.item("fall 0 distance").text == "falls 3"


def test_levels_that_have_to_stay_dry_are_marked():
    names = {item.name for item in TASK.scene(TASK.instances()[8]).items}
    assert {"forbidden level 4", "forbidden level 5"} <= names


def test_frames_fill_the_water_drop_by_drop():
    scene = TASK.motion(TASK.instances()[5], reference(5))
    assert len(scene.frames) == RAIN_FRAMES
    assert scene.frame_unit == "drops"
    assert len(cells_of(scene.at(0), "water")) == 0
    assert len(cells_of(scene.at(-1), "water")) == 343
    assert [frame.time for frame in scene.frames] == sorted(frame.time for frame in scene.frames)


def test_a_dry_world_has_no_frames():
    assert TASK.motion(TASK.instances()[0], Earthworks(earthworks=())).frames == ()


def test_an_operation_and_its_box_are_the_same():
    box = FluidBox((1, 2, 3), (4, 5, 6), False)
    assert Operation.of(box).box == box


def test_the_waters_of_two_rains_are_drawn_in_one_world():
    cave = [[1, 1, 1, 38, 38, 1, A], [20, 20, 2, 20, 20, 2, A]]
    far, near = (judged(3, *cave, verifier=name) for name in ("default", "nearest"))
    contrast = TASK.contrast(TASK.instances()[3], earthworks_of(cave), far, near)
    drawn = {item.name: len(item.cells) for item in contrast.scene.items if isinstance(item, Voxels)}
    assert drawn["water of the first"] == 38 * 38 - 1
    assert drawn["water of both"] == 2
    assert "1,443 voxels of water only by default, 0 only by nearest, 2 by both" in contrast.says


def test_verdicts_on_the_same_water_have_no_contrast():
    far = judged(3, [1, 1, 1, 8, 8, 1, A])
    assert TASK.contrast(TASK.instances()[3], reference(3), far, far) is None
