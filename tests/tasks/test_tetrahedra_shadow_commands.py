"""Commands of tetrahedra: what each does to the pieces, and what it says about wrong arguments."""

import numpy as np
import pytest

from spatial_workbench.engine.core import Aid, AnswerError, resolve
from spatial_workbench.engine.tasks.tetrahedra_shadow.answer import poses_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.editing import centers_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.solid import vertices_of
from tests.sweeps import some
from tests.tasks.acting import after

TASK, FIRST = resolve("tetrahedra_shadow:0")
HIGH = (2 / 3) ** 0.5
"""The height of a tetrahedron that lies on a face."""


def lay(x, y, orientation="triangle", **more):
    return "lay", {"orientation": orientation, "x": x, "y": y, **more}


def corners(answer):
    return vertices_of(poses_of(answer.tetrahedrons))


def middles(answer):
    return centers_of(poses_of(answer.tetrahedrons)).round(6).tolist()


@pytest.mark.parametrize("instance", some(TASK.instances()), ids=str)
def test_the_reference_cover_is_reached_piece_by_piece(instance):
    reference = TASK.solve(instance)
    calls = [("place", piece.model_dump()) for piece in reference.tetrahedrons]
    assert after(TASK, instance, *calls).tetrahedrons == reference.tetrahedrons


def test_a_piece_that_is_laid_has_its_middle_where_it_was_asked_for():
    ((x, y, z),) = middles(after(TASK, FIRST, lay(0.25, -1.5)))
    assert (x, y, z) == (0.25, -1.5, pytest.approx(HIGH / 4, abs=1e-6))


def test_the_shadow_of_a_square_is_a_square_of_half_the_area():
    xy = corners(after(TASK, FIRST, lay(0, 0, "square")))[0, :, :2]
    assert np.ptp(xy, axis=0) == pytest.approx([0.5**0.5] * 2)


def test_pieces_stack_where_they_meet_unless_told_not_to():
    lows = corners(after(TASK, FIRST, lay(0, 0), lay(0.1, 0), lay(0.1, 0, stacks=False)))[..., 2].min(axis=1)
    assert lows == pytest.approx([0, 1.01, 0])


def test_pieces_move_and_turn_together_about_their_middle():
    answer = after(TASK, FIRST, lay(0, 0), lay(2, 0), ("move", {"tetrahedrons": [0, 1], "y": 1, "z": 0.5}))
    assert [y for _, y, _ in middles(answer)] == [1, 1]
    turned = after(TASK, FIRST, ("turn", {"tetrahedrons": [0, 1], "axis": "z", "turn_deg": 90}), answer=answer)
    assert [place[:2] for place in middles(turned)] == [[1, 0], [1, 2]]


def test_ids_of_later_pieces_become_smaller_when_one_is_deleted():
    answer = after(TASK, FIRST, lay(0, 0), lay(2, 0), ("delete", {"tetrahedrons": [0]}))
    assert [row["id"] for row in TASK.state(FIRST, answer)["tetrahedrons"]] == [0]
    assert middles(answer)[0][0] == 2


def test_copies_lie_a_step_away_in_rows_rings_and_mirrors():
    one = after(TASK, FIRST, lay(1, 0.5))
    copied = after(TASK, FIRST, ("duplicate", {"tetrahedrons": [0], "x": 2}), answer=one)
    assert [x for x, _, _ in middles(copied)] == [1, 3]
    row = after(TASK, FIRST, ("row", {"tetrahedrons": [0], "count": 3, "y": 2}), answer=one)
    assert [y for _, y, _ in middles(row)] == [0.5, 2.5, 4.5]
    ring = after(TASK, FIRST, ("ring", {"tetrahedrons": [0], "count": 4}), answer=one)
    assert [place[:2] for place in middles(ring)] == [[1, 0.5], [-0.5, 1], [-1, -0.5], [0.5, -1]]
    mirror = after(TASK, FIRST, ("mirror", {"tetrahedrons": [0], "across": "x"}), answer=one)
    assert middles(mirror)[1][:2] == [-1, 0.5]


def test_pieces_are_stacked_anew():
    low = after(TASK, FIRST, lay(0, 0, stacks=False), lay(0, 0, stacks=False), ("restack", {}))
    assert corners(low)[..., 2].min(axis=1) == pytest.approx([0, 1.01])


def test_quaternions_get_the_length_1():
    answer = after(TASK, FIRST, ("place", {"x": 0, "y": 0, "q0": 2}), ("normalise", {}))
    assert answer.tetrahedrons[0].q0 == 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("place", {"x": 0, "y": 0, "q0": 0}), "zero quaternion"),
        (("place", {"x": 0, "y": float("nan")}), "y must be a finite number"),
        (("place", {"x": "0", "y": 0}), "x must be a number"),
        (("lay", {"orientation": "upside down", "x": 0, "y": 0}), "orientation"),
        (("move", {"tetrahedrons": [3], "x": 1}), "There is no tetrahedron 3; ids go from 0 to 0"),
        (("delete", {"tetrahedrons": list(range(10_001))}), "Too many numbers"),
        (("ring", {"tetrahedrons": [0], "count": 1}), "count"),
        (("row", {"tetrahedrons": [0], "count": 2001}), "count"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, FIRST, lay(0, 0), call)


def test_what_is_covered_is_shown_only_to_who_may_have_judgements():
    seen = [{item.name.split()[0] for item in TASK.sight(FIRST, TASK.solve(FIRST), aids).items} for aids in ((), Aid)]
    assert ["covered" in names for names in seen] == [False, True]
    assert all("tetrahedron" in names for names in seen)
