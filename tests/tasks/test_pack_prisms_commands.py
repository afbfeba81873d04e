"""Commands of packings: what each does to the boxes, and what it says about wrong arguments."""

import pytest

from spatial_workbench.engine.core import AnswerError, resolve
from spatial_workbench.engine.tasks.pack_prisms.packing import PackingOrder
from tests.tasks.acting import after

TASK, SEVEN = resolve("pack_prisms:0")
"""Seven boxes of 5 x 3 x 2."""


def boxes(answer):
    return [(box.XyzMin, box.XyzMax) for box in answer.boxes]


def one_box(corner, orientation="xyz"):
    return "place", {"size": 0, "corner": corner, "orientation": orientation}


def calls_to(instance, answer):
    """Calls that place the boxes of an answer one by one."""
    classes = PackingOrder.of(instance.parameters).classes
    for box in answer.boxes:
        sides = [b - a for a, b in zip(box.XyzMin, box.XyzMax, strict=True)]
        size, kind = next((k, kind) for k, kind in enumerate(classes) if sorted(kind.sides) == sorted(sides))
        orientation = next(
            way
            for way in ("xyz", "yxz", "xzy", "zxy", "yzx", "zyx")
            if [kind.sides["xyz".index(axis)] for axis in way] == sides
        )
        yield "place", {"size": size, "corner": list(box.XyzMin), "orientation": orientation}


@pytest.mark.parametrize("instance", TASK.instances(), ids=str)
def test_the_reference_solution_is_reached_box_by_box(instance):
    reference = TASK.solve(instance)
    assert boxes(after(TASK, instance, *calls_to(instance, reference))) == boxes(reference)


def test_an_orientation_names_the_sides_along_x_y_and_z():
    assert boxes(after(TASK, SEVEN, one_box([0, 0, 0], "zxy"))) == [((0, 0, 0), (2, 5, 3))]


def test_a_box_drops_onto_the_next_box_below():
    answer = after(TASK, SEVEN, one_box([0, 0, 0]), one_box([1, 1, 9]), ("drop", {"boxes": [1], "axis": "z"}))
    assert boxes(answer)[1] == ((1, 1, 2), (6, 4, 4))


def test_boxes_turn_by_a_right_angle_with_their_lowest_corner_in_place():
    answer = after(TASK, SEVEN, one_box([1, 1, 0]), ("turn", {"boxes": [0], "axis": "z"}))
    assert boxes(answer) == [((1, 1, 0), (4, 6, 2))]


def test_an_array_holds_columns_times_rows_times_layers():
    answer = after(TASK, SEVEN, ("array", {"size": 0, "corner": [0, 0, 0], "columns": 2, "layers": 3}))
    assert boxes(answer)[-1] == ((5, 0, 4), (10, 3, 6))


def test_boxes_may_overlap_since_nobody_judges():
    assert len(after(TASK, SEVEN, one_box([0, 0, 0]), one_box([0, 0, 0])).boxes) == 2


def test_a_packing_moves_to_the_origin():
    answer = after(TASK, SEVEN, one_box([-4, 2, 1]), ("to_origin", None))
    assert boxes(answer) == [((0, 0, 0), (5, 3, 2))]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("place", {"size": 1, "corner": [0, 0, 0]}), "There is no size 1; there are sizes 0 to 0"),
        (("place", {"size": 0, "corner": [0, 0]}), "corner"),
        (("place", {"size": 0, "corner": [0, 0, 0.5]}), "corner"),
        (("array", {"size": 0, "corner": [0, 0, 0], "columns": 1000, "rows": 1000}), "more than 1000 boxes"),
        (("move", {"boxes": [0], "x": 1}), "there is no box yet"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, SEVEN, call)
