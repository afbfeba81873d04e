"""The cube's four tasks: the rules of docs/tasks/cube.md."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial_workbench.engine.core import Bucket, Family, InstanceError, State
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.registry import resolve
from spatial_workbench.engine.cube import layers
from spatial_workbench.engine.cube.facelets import SOLVED, apply_moves
from spatial_workbench.engine.cube.notation import QUARTER_TURNS, inverse, parse_moves, quarter_turns
from spatial_workbench.engine.cube.pictures import as_png, face_picture, net_picture, vertex_picture
from spatial_workbench.engine.cube.states import DEPTHS
from spatial_workbench.engine.cube.strings import colours_of_faces
from spatial_workbench.engine.cube.views import INITIAL_FACE_VIEW, INITIAL_VERTEX_VIEW
from spatial_workbench.engine.tasks.cube import start_of
from spatial_workbench.engine.tasks.cube.drawing import (
    CUBELET_SIZE,
    MAX_FRAMES,
    at_rest,
    draw_cube,
    hex_colour,
    while_turning,
)

IDS = ("cube_full_symbolic", "cube_full_visual", "cube_face_view", "cube_vertex_view")
TASKS = [task_of(name) for name in IDS]
TASK = TASKS[0]
INSTANCES = TASK.instances()
each_task = pytest.mark.parametrize("task", TASKS, ids=IDS)
turns = st.lists(st.sampled_from(QUARTER_TURNS), max_size=25)


def judged(moves, number=0, method="verify"):
    return getattr(TASK, method)(INSTANCES[number], {"moves": moves})


def both(moves, number=0):
    return judged(moves, number), judged(moves, number, "crosscheck")


# Instances -----------------------------------------------------------------------------------------------------------


@each_task
def test_each_setting_has_the_same_40_states_by_depth(task):
    assert [i.parameters["depth"] for i in task.instances()] == [depth for depth in DEPTHS for _ in range(5)]
    assert [start_of(i) for i in task.instances()] == [start_of(i) for i in INSTANCES]
    assert (task.family, task.bucket) == (Family.CUBE, Bucket.PLANNING)


def test_the_four_settings_make_160_configurations():
    assert len({instance.address for task in TASKS for instance in task.instances()}) == 160


@each_task
def test_the_reference_solves_every_instance_by_both_methods(task):
    for instance in task.instances():
        answer = task.solve(instance)
        verdict = task.verify(instance, answer)
        assert verdict.passed
        assert task.crosscheck(instance, answer).passed
        assert set(answer.moves) <= set(QUARTER_TURNS)


def test_the_reference_expands_the_shortest_known_solution():
    for instance in INSTANCES:
        solution = parse_moves(instance.parameters["solution"])
        assert len(solution) == instance.parameters["depth"]
        assert TASK.solve(instance).moves == quarter_turns(solution)


@each_task
def test_an_address_finds_its_task(task):
    assert resolve(f"{task.id}:3") == (task, task.instances()[3])


def test_a_caption_names_depth_and_state():
    assert TASK.caption(INSTANCES[17]) == "depth 4 · d04-s3"


# Generator -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [1, 4, pytest.param(8, marks=pytest.mark.slow), 16, 20])
def test_a_generated_instance_has_its_depth_and_is_solved_by_its_certificate(depth):
    instance = TASK.generate(3, depth=depth)
    answer = TASK.solve(instance)
    assert instance.parameters["depth"] == depth
    assert TASK.verify(instance, answer).passed
    assert instance.parameters["certificate"]
    assert TASK.generate(3, depth=depth) == instance


@pytest.mark.parametrize(("depth", "message"), [(14, "cannot be certified here"), (0, "depth: "), (21, "depth: ")])
def test_a_depth_that_cannot_be_certified_is_refused(depth, message):
    with pytest.raises(InstanceError, match=message):
        TASK.generate(1, depth=depth)


def test_a_cube_of_ones_own_becomes_an_instance_with_its_depth():
    state = start_of(INSTANCES[17])
    instance = TASK.generate(0, state=state)
    assert start_of(instance) == state
    assert instance.parameters["depth"] == 4
    assert TASK.verify(instance, TASK.solve(instance)).passed
    assert resolve(instance.address)[1] == instance


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (colours_of_faces(SOLVED), "state: The cube is solved already"),
        ("W" * 54, "state: E_"),
        ("W", "state: E_"),
        ("W" * 55, "state: "),
    ],
)
def test_a_cube_of_ones_own_that_is_no_scrambled_cube_is_refused(state, message):
    with pytest.raises(InstanceError, match=message):
        TASK.generate(0, state=state)


@pytest.mark.slow
def test_a_generated_instance_of_depth_12_is_certified():
    instance = TASK.generate(5, depth=12)
    assert TASK.verify(instance, TASK.solve(instance)).passed
    layers._remembered.cache_clear()  # half a gigabyte, which no later test needs


# Prompts -------------------------------------------------------------------------------------------------------------


def test_the_symbolic_prompt_holds_the_string_and_no_picture():
    prompt = TASK.prompt(INSTANCES[30])
    assert start_of(INSTANCES[30]) in prompt.text
    assert prompt.pictures == ()


@each_task
def test_no_prompt_tells_the_depth_or_the_solution(task):
    text = task.prompt(task.instances()[39]).text
    assert "depth" not in text
    assert task.instances()[39].parameters["solution"] not in text
    assert all(move in text for move in QUARTER_TURNS)


def test_the_other_prompts_hold_the_first_picture_and_not_the_string():
    state = start_of(INSTANCES[12])
    pictures = [
        net_picture(state),
        face_picture(state, INITIAL_FACE_VIEW),
        vertex_picture(state, INITIAL_VERTEX_VIEW),
    ]
    for task, picture in zip(TASKS[1:], pictures, strict=True):
        prompt = task.prompt(task.instances()[12])
        assert prompt.pictures == (as_png(picture),)
        assert state not in prompt.text


@each_task
def test_equal_parameters_give_equal_prompts(task):
    assert task.prompt(task.instances()[8]) == task.prompt(task.instances()[8])


def test_partial_views_are_asked_by_an_agent():
    assert [task.needs_agent for task in TASKS] == [False, False, True, True]


# Verdicts ------------------------------------------------------------------------------------------------------------


def test_no_moves_leave_the_cube_scrambled_and_name_the_wrong_stickers():
    verdict, other = both([])
    state = start_of(INSTANCES[0])
    assert (verdict.score, other.score) == (0.0, 0.0)
    assert verdict.checks[1].message == "after 0 moves 12 stickers are not on the right face"
    assert "sticker L7" in verdict.failed_elements
    assert verdict.details["state"] == state


@pytest.mark.parametrize("task", [task for task in TASKS if task.needs_agent])
def test_under_partial_observation_a_verdict_tells_nothing_about_stickers(task):
    verdict = task.verify(task.instances()[0], {"moves": ["R"]})
    assert verdict.checks[1].message == "after 1 move the cube is not solved"
    assert verdict.failed_elements == ()
    assert [figure.name for figure in verdict.figures] == ["moves made (#MM)", "moves per depth (#MR)"]


@pytest.mark.parametrize("entry", ["U2", "u", "", "M", "R U", "X", "R''"])
def test_the_first_entry_that_is_no_quarter_turn_ends_the_moves_and_is_named(entry):
    for verdict in both(["R", "U", entry, "D"], number=7):
        assert [check.state for check in verdict.checks] == [State.FAILED, State.NOT_REACHED]
        assert verdict.checks[0].message.startswith("move 3")
        assert verdict.figure("moves made (#MM)") == 2


def test_a_half_turn_is_refused_with_the_hint():
    assert "a half turn is two quarter turns" in judged(["D2"]).checks[0].message


def test_every_spelling_of_a_prime_is_accepted():
    moves = TASK.solve(INSTANCES[6]).moves
    for prime in "'’′`3i":
        spelled = [move.replace("'", prime) for move in moves]
        assert all(verdict.passed for verdict in both(spelled, number=6))


def test_moves_end_when_the_cube_is_solved_and_the_rest_is_not_looked_at():
    moves = [*TASK.solve(INSTANCES[9]).moves, "R", "nonsense"]
    for verdict in both(moves, number=9):
        assert verdict.passed
        assert verdict.figure("moves made (#MM)") == len(moves) - 2
        assert verdict.warnings == ("The cube is solved before the end; the last 2 entries were not looked at",)


def test_the_move_ratio_is_moves_by_depth():
    instance = INSTANCES[0]
    detour = ["R", "R'", *TASK.solve(instance).moves]
    verdict = TASK.verify(instance, {"moves": detour})
    assert verdict.figure("moves per depth (#MR)") == len(detour) / 1


@given(turns, st.integers(0, 39))
@settings(max_examples=60)
def test_both_methods_agree_on_any_moves(moves, number):
    verdict, other = both(moves, number)
    assert not verdict.disagrees_with(other)
    assert verdict.figures[:2] == other.figures


@given(turns)
def test_going_there_and_back_solves_nothing_but_a_solved_cube(moves):
    assert not judged([*moves, *inverse(moves)], number=20).passed or judged(moves, number=20).passed


def test_a_random_walk_ends_where_the_facelets_say():
    rng = random.Random(3)
    moves = rng.choices(QUARTER_TURNS, k=50)
    verdict = judged(moves, number=35)
    assert verdict.details["state"] == apply_moves(start_of(INSTANCES[35]), moves)


# Bad input -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("", "The answer is empty"),
        ("I turn R and then U and then R.", "No JSON object"),
        ("{}", "moves is missing"),
        ('{"moves": "R U"}', 'moves must be a list, not "R U"'),
        ('{"moves": ["R", 2]}', "moves[1] must be text, not 2"),
        ('{"moves": [null]}', "moves[0] must be text"),
        ('{"turns": [], "depth": 3}', "moves is missing; turns and depth are not known"),
        (json.dumps({"moves": ["R"] * 100_001}), "Too many moves (limit 100000)"),
    ],
)
def test_an_answer_that_cannot_be_read_is_refused_with_its_place(raw, message):
    for verdict in (TASK.verify(INSTANCES[0], raw), TASK.crosscheck(INSTANCES[0], raw)):
        assert verdict.score == 0
        assert message in verdict.checks[0].message


def test_reasoning_is_allowed_and_asked_for():
    assert TASK.parse({"reasoning": "seen", "moves": ["R"]}).moves == ("R",)
    assert TASK.schema()["required"] == ["reasoning", "moves"]


# Scene ---------------------------------------------------------------------------------------------------------------


def colours_shown(items, name="stickers"):
    boxes = next(item for item in items if item.name == name)
    return dict(zip(boxes.ids, boxes.colors, strict=True))


def test_the_scene_shows_the_cube_after_the_moves_with_every_sticker_by_its_name():
    scene = TASK.scene(INSTANCES[10], TASK.parse({"moves": ["R", "U'"]}))
    state = apply_moves(start_of(INSTANCES[10]), ["R", "U'"])
    shown = colours_shown(scene.items)
    assert len(shown) == 54
    assert shown["sticker F5"] == hex_colour(state[22])
    assert len(scene.item("cubelets").ids) == 26


def test_the_ids_that_checks_name_are_in_the_scene():
    verdict = judged(["R"], number=15)
    assert set(verdict.failed_elements) <= set(TASK.scene(INSTANCES[15]).ids())


def test_frames_go_from_the_start_to_the_end_a_whole_move_at_a_time_and_in_between():
    moves = TASK.solve(INSTANCES[12]).moves
    frames = TASK.scene(INSTANCES[12], TASK.solve(INSTANCES[12])).frames
    whole = [frame for frame in frames if float(frame.time).is_integer()]
    assert [frame.time for frame in whole] == list(range(len(moves) + 1))
    assert [frame.caption for frame in whole] == ["start", *moves]
    assert colours_shown(whole[0].items)["sticker U1"] == hex_colour(start_of(INSTANCES[12])[0])
    assert set(colours_shown(whole[-1].items).values()) == {hex_colour(c) for c in "OBRYWG"}


def placed(centers, colors):
    return {(*center.round(6).tolist(), color) for center, color in zip(centers + 0.0, colors, strict=True)}


@pytest.mark.parametrize("move", QUARTER_TURNS)
def test_a_layer_that_has_turned_all_the_way_shows_what_the_move_makes(move):
    state = start_of(INSTANCES[30])
    _, still, _, *meshes = while_turning(state, move, 1.0)
    rest = at_rest(apply_moves(state, [move]))[1]
    turned = placed(still.centers, still.colors)
    for mesh in meshes:
        centers = mesh.vertices.reshape(-1, 8, 3).mean(axis=1)
        turned |= placed(centers, [mesh.color] * len(centers))
    assert turned == placed(rest.centers, rest.colors)


def test_a_very_long_answer_has_a_bounded_number_of_frames():
    scene = draw_cube(colours_of_faces(SOLVED), ["R"] * 5001)
    assert len(scene.frames) <= MAX_FRAMES + 2
    assert scene.frames[-1].time == 5001


def test_cubelets_do_not_touch():
    assert CUBELET_SIZE < 1
