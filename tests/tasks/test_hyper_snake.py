"""Hyper-snake: steps, score, bad input, the published faults, three other methods, and the generator."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial_workbench.engine.core import FULL_SCORE, AnswerError, Instance, InstanceError
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.tasks.hyper_snake import answer_of
from spatial_workbench.engine.tasks.hyper_snake.crosscheck import dense, parity, replay
from spatial_workbench.engine.tasks.hyper_snake.drawing import draw_slice
from spatial_workbench.engine.tasks.hyper_snake.field import SnakeField, letters_of, numbers_of
from spatial_workbench.engine.tasks.hyper_snake.layout import Slice, sheet_of
from spatial_workbench.engine.tasks.hyper_snake.rules import CHECKS
from spatial_workbench.engine.tasks.hyper_snake.solver import dead_ends, find_path
from tests.sweeps import some

TASK = task_of("hyper_snake")
INSTANCES = TASK.instances()
TABLE = [
    (64, 64, 64, 64, 64),
    (64, 61, 60, 60, 60),
    (64, 63, 63, 62, 63),
    (64, 63, 62, 62, 62),
    (625, 622, 619, 610, 619),
    (225, 222, 219, 218, 219),
    (1024, 1023, 1022, 1003, 1022),
    (2048, 2047, 2047, 2007, 2047),
    (729, 728, 726, 714, 718),
    (2187, 2185, 2183, 2142, 2171),
    (1944, 1942, 1940, 1904, 1936),
    (2048, 2046, 2045, 2006, 2037),
    (1024, 1022, 1022, 1002, 1022),
]
"""Cells, free cells, bound, length that scores 1, and the length to reach at least."""
STARTED = [[0, 0], [1, 0], [1, 1], [0, 1]]
"""A legal beginning on instance 0."""


def path(*cells):
    return {"path": [{"pos": list(cell)} for cell in cells]}


def judged(cells, number=0, verifier="default"):
    return TASK.verify(INSTANCES[number], path(*cells), verifier)


def failed(verdict):
    return [check.name for check in verdict.checks if check.state == "failed"]


def cells_of(number):
    return [list(cell) for cell in TASK.solve(INSTANCES[number]).cells]


# Published fields ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", some(range(13)))
def test_the_fields_have_the_known_figures(number):
    field = SnakeField.of(INSTANCES[number].parameters)
    assert (field.cell_count, field.free_count, field.bound, field.needed) == TABLE[number][:4]


@pytest.mark.parametrize("number", some(range(13)))
def test_the_reference_solution_scores_1_by_every_method_and_is_as_long_as_can_be(number):
    answer = TASK.solve(INSTANCES[number])
    verdicts = [TASK.verify(INSTANCES[number], answer, name) for name in ("default", "published")]
    verdicts.append(TASK.crosscheck(INSTANCES[number], answer))
    assert [(verdict.score, verdict.passed) for verdict in verdicts] == [(1.0, True)] * 3
    assert TABLE[number][4] <= len(answer.path) == TABLE[number][2]


@pytest.mark.parametrize("number", [4, 5])
def test_food_with_one_free_neighbour_is_the_last_cell(number):
    field = SnakeField.of(INSTANCES[number].parameters)
    assert [field.cell(n) for n in dead_ends(field)] == [(0, 0, 0, 0)]
    assert TASK.solve(INSTANCES[number]).cells[-2:] == ((1, 0, 0, 0), (0, 0, 0, 0))


def test_there_are_thirteen_instances_of_2_to_10_axes():
    assert [len(i.parameters["size"]) for i in INSTANCES] == [2, 2, 3, 3, 4, 4, 5, 6, 6, 7, 8, 9, 10]


# Score ---------------------------------------------------------------------------------------------------------------


def test_200_cells_of_instance_5_without_the_food_score_0_46():
    verdict = judged(cells_of(5)[:200], 5)
    assert verdict.score == pytest.approx(200 / 222 / 0.98 / 2)


def test_without_walls_the_score_is_the_share_of_cells():
    assert judged(STARTED[:3]).score == 3 / 64


def test_missed_food_halves_the_score_and_is_named():
    verdict = judged(STARTED[:2])
    assert verdict.score == 2 / 64 / 2
    assert failed(verdict) == ["all food reached"]
    assert verdict.failed_elements == ("cell 1,1",)


@pytest.mark.parametrize("number", [1, 8, 9])
def test_with_walls_98_percent_of_the_cells_score_1(number):
    field = SnakeField.of(INSTANCES[number].parameters)
    assert field.score(field.needed, 0) == 1
    assert field.score(field.needed - 1, 0) < 1


def test_the_start_alone_is_a_legal_path():
    assert judged([[0, 0]]).score == 1 / 64 / 2


# Steps that break a rule ---------------------------------------------------------------------------------------------

BROKEN = [
    ([], 0, "there is a path", "The path is empty"),
    ([[1, 0], [1, 1]], 0, "begins at the start", "the start itself belongs in the path as its first cell"),
    ([[5, 5]], 0, "begins at the start", "The path begins at (5, 5), not at the start (0, 0)"),
    ([[0, 0, 0]], 0, "begins at the start", "path[0].pos is (0, 0, 0): 3 coordinates, 2 are expected"),
    ([*STARTED, [0]], 0, "as many coordinates as axes", "path[4].pos is (0): 1 coordinate, 2 are expected"),
    ([*STARTED, [1, 2]], 0, "one axis a step", "Step 4, from (0, 1) to (1, 2), changes axes 0, 1 at once"),
    ([*STARTED, [0, 1]], 0, "one axis a step", "does not move"),
    ([*STARTED, [0, 3]], 0, "one cell a step", "goes +2 along axis 1"),
    ([*STARTED, [-1, 1]], 0, "inside the grid", "leaves the grid on axis 0, which runs from 0 to 7"),
    ([*STARTED, [1, 1]], 0, "no cell twice", "comes back to a cell that was visited at step 2"),
    ([[0, 0], [0, 1]], 1, "no wall entered", "Step 1, from (0, 0) to (0, 1), enters a wall"),
    ([[0, 0], [10**9, 0]], 0, "one cell a step", "along axis 0; only +1 or -1"),
]


@pytest.mark.parametrize(("cells", "number", "check", "words"), BROKEN)
def test_a_broken_rule_scores_0_with_the_step_and_the_places(cells, number, check, words):
    verdict = judged(cells, number)
    assert verdict.score == 0
    assert failed(verdict) == [check]
    assert any(words in row.message for row in verdict.checks)


@pytest.mark.parametrize(("cells", "number", "check", "words"), BROKEN)
def test_every_other_method_refuses_a_broken_rule_too(cells, number, check, words):
    assert TASK.crosscheck(INSTANCES[number], path(*cells)).score == 0
    assert judged(cells, number, "published").score == 0


def test_the_checks_stand_in_the_order_of_the_rules():
    assert [check.name for check in judged(STARTED).checks] == [*CHECKS.names, "all food reached", FULL_SCORE]


def test_more_cells_than_there_are_free_ones_are_not_looked_at():
    verdict = judged([[0, i % 2] for i in range(500)])
    assert verdict.warnings == ("Only the first 65 of 500 cells were looked at: no path is longer",)
    assert failed(verdict) == ["no cell twice"]


# Bad input -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("[1, 2]", "path[0] must be an object"),
        ("{}", "path is missing"),
        ('{"path": "abc"}', "path must be a list"),
        ('{"path": [{}]}', "path[0].pos is missing"),
        ('{"path": [[0, 0]]}', "path[0] must be an object"),
        ('{"path": [{"pos": 3}]}', "path[0].pos must be a list, not 3"),
        ('{"path": [{"pos": [0, 0]}, {"pos": [0, 0.5]}]}', "path[1].pos[1] must be a whole number, not 0.5"),
        ('{"path": [{"pos": [0, true]}]}', "path[0].pos[1] must be a whole number, not true"),
        ('{"path": [{"pos": ["0", 0]}]}', 'path[0].pos[0] must be a whole number, not "0"'),
        ('{"path": [{"pos": [NaN, 0]}]}', "path[0].pos[0]"),
        ('{"path": [{"pos": [null, 0]}]}', "path[0].pos[0]"),
        ('{"moves": []}', "path is missing; moves is not known"),
    ],
)
def test_bad_input_is_refused_with_its_place(raw, words):
    with pytest.raises(AnswerError) as error:
        TASK.parse(raw)
    assert words in str(error.value)
    assert TASK.verify(INSTANCES[0], raw).score == 0


def test_lists_that_are_absurdly_long_are_refused_unread():
    with pytest.raises(AnswerError, match="Too many cells"):
        TASK.parse({"path": [None] * 20_001})
    with pytest.raises(AnswerError, match="Too many coordinates"):
        TASK.parse({"path": [{"pos": [None] * 65}]})


def test_3_0_stands_for_3():
    assert TASK.parse('{"path": [{"pos": [3.0, 0]}]}').cells == ((3, 0),)


def test_an_answer_is_read_back_as_it_was_written():
    answer = TASK.solve(INSTANCES[3])
    assert TASK.parse(TASK.format(answer)) == answer


# The published verifier ----------------------------------------------------------------------------------------------


def test_the_published_verifier_goes_through_the_wall_of_instance_2():
    cells = [[1, 0, 1], [1, 1, 1], [1, 2, 1]]
    assert judged(cells, 2, "published").score == pytest.approx(3 / 63 / 0.98)
    assert failed(judged(cells, 2)) == ["no wall entered"]


def test_the_published_verifier_keeps_the_walls_of_other_instances():
    assert judged([[0, 0], [0, 1]], 1, "published").score == 0


def test_food_at_the_start_is_collected_but_not_by_the_published_verifier():
    field = SnakeField((4, 4), (0, 0), (), ((0, 0),))
    instance = Instance.generated("hyper_snake", 0, field.parameters())
    answer = path([0, 0], [0, 1])
    assert TASK.verify(instance, answer).score == 2 / 16
    assert TASK.verify(instance, answer, "published").score == 2 / 16 / 2


# Other methods -------------------------------------------------------------------------------------------------------


@st.composite
def damaged_paths(draw):
    """A solution with a few entries changed, dropped or swapped."""
    number = draw(st.sampled_from([0, 1, 2, 3, 5]))
    cells = cells_of(number)[: draw(st.integers(1, 219))]
    for _ in range(draw(st.integers(0, 2))):
        i = draw(st.integers(0, len(cells) - 1))
        axis = draw(st.integers(0, len(cells[0]) - 1))
        match draw(st.sampled_from(["change", "drop", "repeat"])):
            case "change":
                cells[i] = [c + draw(st.sampled_from([-1, 1, 2])) * (k == axis) for k, c in enumerate(cells[i])]
            case "drop" if len(cells) > 1:
                cells.pop(i)
            case _:
                cells.insert(i, cells[i])
    return number, cells


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(damaged_paths())
def test_the_other_methods_agree_with_the_checks_on_damaged_paths(damaged):
    number, cells = damaged
    verdict = judged(cells, number)
    other = TASK.crosscheck(INSTANCES[number], path(*cells))
    assert other.score == pytest.approx(verdict.score)
    assert other.passed == verdict.passed
    assert next(check for check in other.checks if check.name == "the methods agree").state == "passed"


def test_the_three_methods_name_the_same_first_wrong_step():
    field = SnakeField.of(INSTANCES[0].parameters)
    cells = [(0, 0), (1, 0), (1, 1), (2, 2), (2, 1)]
    assert [method(field, cells) for method in (dense, parity, replay)] == [3, 3, 3]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(2, 4), min_size=2, max_size=5), st.integers(0, 2**32))
def test_the_bound_is_the_number_of_alternating_cells(size, seed):
    rng = np.random.default_rng(seed)
    cells = [tuple(c) for c in np.ndindex(*size)]
    order = rng.permutation(len(cells)).tolist()
    start = cells[order[0]]
    walls = tuple(cells[k] for k in order[1 : 1 + seed % 3])
    field = SnakeField(tuple(size), start, walls, ())
    colors = [sum(c) % 2 for c in cells if c not in walls]
    turns = [sum(start) % 2, 1 - sum(start) % 2]
    length = 0
    while colors.count(turns[length % 2]) > length // 2:
        length += 1
    assert field.bound == length


def test_the_score_is_the_same_in_fractions():
    field = SnakeField.of(INSTANCES[9].parameters)
    exact = [min(Fraction(1), Fraction(n, 2185) / Fraction(49, 50)) / 3 for n in range(1, 2186, 97)]
    assert [field.score(n, 2) for n in range(1, 2186, 97)] == pytest.approx([float(x) for x in exact])


# Search and generator ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", some(range(13)))
def test_the_search_reaches_full_score_on_every_published_field(number):
    field = SnakeField.of(INSTANCES[number].parameters)
    answer = answer_of(field, find_path(field))
    assert TASK.verify(INSTANCES[number], answer).passed


def test_letters_spell_a_path():
    field = SnakeField.of(INSTANCES[0].parameters)
    assert [field.cell(n) for n in numbers_of(field, "abA")] == [(0, 0), (1, 0), (1, 1), (0, 1)]
    assert letters_of(field, numbers_of(field, "abA")) == "abA"


@pytest.mark.parametrize(
    "difficulty",
    [
        {},
        {"size": "6,6", "wall_count": 3},
        {"size": "4,4,4", "wall_count": 4, "food_traps": 1},
        {"size": "2,2,2,2,2,2,2,2,2,2", "wall_count": 2, "food_count": 5},
    ],
)
def test_new_fields_can_be_solved_and_are_the_same_for_the_same_seed(difficulty):
    instance = TASK.generate(7, **difficulty)
    assert instance == TASK.generate(7, **difficulty)
    assert TASK.verify(instance, TASK.solve(instance)).passed
    assert TASK.crosscheck(instance, TASK.solve(instance)).passed


def test_a_trap_has_one_free_neighbour():
    field = SnakeField.of(TASK.generate(3, size="4,4,4", wall_count=4, food_traps=1).parameters)
    assert [n for n in dead_ends(field) if field.is_food[n]] == [field.food_numbers[0]]


@pytest.mark.parametrize(
    ("difficulty", "words"),
    [
        ({"size": "2,2"}, "16 to 4096"),
        ({"size": "1,20"}, "at least 2 cells"),
        ({"size": "20"}, "size"),
        ({"size": "4,4", "wall_count": 9}, "a quarter"),
        ({"size": "4,4,4", "wall_count": 1, "food_traps": 1}, "at least 2 walls"),
        ({"size": "3,3,3,3", "wall_count": 3, "food_traps": 1}, "no path is longer than"),
        ({"food_traps": 2}, "food_traps"),
    ],
)
def test_what_makes_no_field_is_refused_with_the_reason(difficulty, words):
    with pytest.raises(InstanceError, match=words):
        TASK.generate(1, **difficulty)


# Prompt and drawing --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("instance", INSTANCES, ids=str)
def test_the_prompt_names_size_start_walls_food_and_what_voids_the_answer(instance):
    text = TASK.prompt(instance).text
    p = instance.parameters
    assert all(json.dumps(cell) in text for cell in [p["size"], p["start"], *p["walls"], *p["food"]])
    assert "One illegal step anywhere voids the whole answer" in text
    assert text == TASK.prompt(TASK.instances()[instance.number]).text


@pytest.mark.parametrize("number", some(range(13)))
def test_every_cell_of_the_field_is_drawn_once(number):
    field = SnakeField.of(INSTANCES[number].parameters)
    names = [name for name in TASK.scene(INSTANCES[number], TASK.solve(INSTANCES[number])).ids() if "cell" in name]
    assert len(names) == len(set(names)) == field.cell_count
    places = sheet_of(field).places
    assert len(np.unique(places.round(6), axis=0)) == field.cell_count


@pytest.mark.parametrize(("cells", "number", "check", "words"), BROKEN)
def test_broken_paths_can_be_drawn(cells, number, check, words):
    answer = TASK.parse(path(*cells))
    scene = TASK.scene(INSTANCES[number], answer)
    field = SnakeField.of(INSTANCES[number].parameters)
    assert draw_slice(field, answer.cells, Slice.through(range(2), field.start)).items
    named = set(TASK.verify(INSTANCES[number], answer).failed_elements)
    assert check in ("there is a path", "as many coordinates as axes", "begins at the start") or named & set(
        scene.ids()
    )


def test_a_slice_shows_the_cells_along_its_axes():
    field = SnakeField.of(INSTANCES[9].parameters)
    scene = draw_slice(field, TASK.solve(INSTANCES[9]).cells, Slice.through((1, 4, 6), field.start))
    assert len([name for name in scene.ids() if name.startswith("cell")]) == 27
    assert scene.axes == ("axis 1", "axis 4", "axis 6")
