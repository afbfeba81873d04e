"""Commands of the polynomial fit: what each does to the formula, and what it says about wrong arguments."""

import pytest

from spatial_workbench.engine.core import Aid, AnswerError, resolve
from spatial_workbench.engine.core.scene import Voxels
from tests.tasks.acting import after

TASK, GRID = resolve("polynomial_fit:0")


@pytest.mark.parametrize("instance", TASK.instances()[:3], ids=str)
def test_the_reference_solution_is_reached(instance):
    reference = TASK.solve(instance)
    assert after(TASK, instance, ("set", {"text": reference.function})).function == reference.function


def test_an_expression_alone_becomes_a_function():
    assert after(TASK, GRID, ("set", {"text": "x - 3"})).function == "def f(x,y): return x - 3"


def test_an_ellipse_is_positive_inside_its_box():
    answer = after(TASK, GRID, ("ellipse", {"x0": 2, "y0": 3, "x1": 6, "y1": 5}))
    f = value_of(answer)
    assert f(4, 4) == 1
    assert [f(2, 4), f(4, 3)] == [0, 0]


def test_a_half_plane_is_multiplied_with_what_is_there():
    answer = after(
        TASK,
        GRID,
        ("set", {"text": "-1"}),
        ("half_plane", {"x0": 3, "y0": 0, "x1": 3, "y1": 5, "combine": "multiply"}),
    )
    assert value_of(answer)(5, 2) > 0 > value_of(answer)(1, 2)


def value_of(answer):
    expression = answer.function.removeprefix("def f(x,y): return ")
    return lambda x, y: eval(expression, {}, {"x": x, "y": y})


def test_least_squares_score_more_with_a_higher_degree():
    scores = [TASK.verify(GRID, after(TASK, GRID, ("least_squares", {"degree": degree}))).score for degree in (1, 8)]
    assert scores[1] > scores[0]


def test_a_separation_is_right_everywhere_or_refused():
    lowest = next(degree for degree in range(1, 11) if is_separated(degree))
    answer = after(TASK, GRID, ("separate", {"degree": lowest}))
    assert TASK.verify(GRID, answer).passed


def is_separated(degree):
    try:
        after(TASK, GRID, ("separate", {"degree": degree}))
    except AnswerError:
        return False
    return True


def test_missed_cells_are_seen_only_by_who_may_have_judgements():
    formula = after(TASK, GRID, ("set", {"text": "x - y"}))
    colors = {
        aid: {
            color
            for item in TASK.sight(GRID, formula, {aid}).items
            if isinstance(item, Voxels)
            for color in item.colors
        }
        for aid in Aid
    }
    assert colors[Aid.EDITING] == {color_of_the_target()}
    assert colors[Aid.JUDGING] != colors[Aid.EDITING]


def color_of_the_target():
    return next(item for item in TASK.scene(GRID).items if isinstance(item, Voxels)).colors[0]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("set", {"text": 3}), "text"),
        (("set", {"text": "x" * 200_000}), "text"),
        (("ellipse", {"x0": 1, "y0": 1, "x1": 1, "y1": 5}), "there is no room"),
        (("half_plane", {"x0": 1, "y0": 1, "x1": 1, "y1": 1}), "there is no room"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, GRID, call)
