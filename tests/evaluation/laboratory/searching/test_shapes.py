"""Changes of what the elements of answers form together."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.evaluation.laboratory.searching import shapes

LOOP = {"points": [{"x": 0, "y": 0}, {"x": 1, "y": 0}, {"x": 2, "y": 0}, {"x": 2, "y": 1}, {"x": 1, "y": 1}]}
DIG = {"earthworks": [{"xyzMin": [2, 2, 1], "xyzMax": [4, 4, 2], "material": "Air"}] * 2}
TETRAHEDRON = {
    "vertex": [{"xyz": [0.0, 0.0, 0.0]}, {"xyz": [1.0, 0.0, 0.0]}, {"xyz": [0.0, 1.0, 0.0]}, {"xyz": [0.0, 0.0, 1.0]}],
    "faces": [{"vertex": [0, 2, 1]}, {"vertex": [0, 1, 3]}, {"vertex": [1, 2, 3]}, {"vertex": [0, 3, 2]}],
}


def many(change: Callable[..., Any], data: Any, *more: Any, count: int = 200) -> list[Any]:
    made = (change(data, np.random.default_rng((1, number)), *more) for number in range(count))
    return [each for each in made if each is not None]


def lengths(loop: Any) -> list[float]:
    points = np.array([[point["x"], point["y"]] for point in loop["points"]], float)
    return sorted(np.linalg.norm(np.diff(points, axis=0), axis=1).tolist())


def test_a_level_moves_as_a_whole() -> None:
    moved = many(shapes.level_moved, LOOP)
    assert any([point["y"] for point in each["points"]] == [1, 1, 1, 1, 1] for each in moved)
    assert all(each["points"][2]["x"] == each["points"][3]["x"] for each in moved)


def test_what_reaches_across_a_level_grows() -> None:
    boxes = {"boxes": [[[0, 0], [9, 9]], [[3, 3], [5, 5]]]}
    stretched = many(shapes.stretched, boxes)
    assert {"boxes": [[[0, 0], [10, 9]], [[3, 3], [6, 5]]]} in stretched
    assert {"boxes": [[[0, 0], [10, 10]], [[3, 3], [6, 6]]]} in stretched


@pytest.mark.slow
def test_a_pulled_element_comes_to_another_and_the_lengths_stay() -> None:
    points = [[0, 0], [1, 0], [2, 0], [3, 0], [3, 1], [2, 1], [2, 2], [1, 2], [1, 1], [0, 1]]
    pulled = [np.array(each) for each in many(shapes.pulled, points)]
    kept = [each for each in pulled if np.abs(lengths_round(each) - 1).max() < 0.05 and each.tolist() != points]
    assert kept
    assert any(len(np.unique(each.round(6), axis=0)) < len(points) for each in kept)


def lengths_round(points: Any) -> Any:
    return np.linalg.norm(np.roll(points, -1, axis=0) - points, axis=1)


def test_steps_in_another_order_keep_their_lengths_and_the_end() -> None:
    for each in many(shapes.steps_exchanged, LOOP):
        assert lengths(each) == pytest.approx(lengths(LOOP))
        assert each["points"][-1] == LOOP["points"][-1]


def test_a_reflected_element_keeps_its_distances() -> None:
    changed = [each for each in many(shapes.reflected, LOOP) if each != LOOP]
    assert any({"x": 1, "y": 1} in each["points"][2:4] for each in changed)
    assert all(lengths(each)[:2] == pytest.approx([1, 1]) for each in changed if each["points"][0] == {"x": 0, "y": 0})


def test_a_path_goes_on_with_steps_along_one_axis() -> None:
    for each in many(shapes.continued, {"path": [[1, 0, 1], [0, 0, 1]]}):
        last, before = np.array(each["path"][-1]), np.array(each["path"][-2])
        assert np.abs(last - before).sum() == 1


def test_boxes_grow_on_both_sides() -> None:
    assert any(
        row["xyzMin"] == [1, 1, 0] and row["xyzMax"] == [5, 5, 3]
        for each in many(shapes.grown, DIG)
        for row in each["earthworks"]
    )


def test_smaller_boxes_lie_in_or_under_a_box() -> None:
    added = [each["earthworks"][-1] for each in many(shapes.nested, DIG, count=1000) if len(each["earthworks"]) == 3]
    assert any(row["xyzMin"] == [3, 3, 0] and row["xyzMax"] == [3, 3, 1] for row in added)


def test_boxes_get_a_volume_that_the_instance_names() -> None:
    def volume(box: Any) -> float:
        return float(np.prod(np.array(box["xyzMax"]) - box["xyzMin"] + 1))

    volumes = {volume(row) for each in many(shapes.sized, DIG, [200]) for row in each["earthworks"]}
    assert {199.0, 200.0, 201.0} <= volumes


def test_groups_are_copied_beside_themselves() -> None:
    counts = {len(each["points"]) for each in many(shapes.group_copied, LOOP)}
    assert 10 in counts
    assert min(counts) == 6


def test_copies_of_a_mesh_name_their_own_points_or_share_one() -> None:
    for each in many(shapes.body_copied, TETRAHEDRON):
        named = {corner for face in each["faces"] for corner in face["vertex"]}
        assert named == set(range(len(each["vertex"])))
    assert {len(each["vertex"]) for each in many(shapes.body_copied, TETRAHEDRON)} == {7, 8}


def test_an_edge_is_divided_in_both_its_faces() -> None:
    for each in many(shapes.edge_divided, TETRAHEDRON):
        assert len(each["vertex"]) == 5
        assert sum(4 in face["vertex"] for face in each["faces"]) == 2


def test_a_mesh_is_known_by_its_faces() -> None:
    assert shapes.is_mesh(TETRAHEDRON)
    assert not shapes.is_mesh(LOOP)


def test_changed_meshes_are_still_closed() -> None:
    task, instance = resolve("csg_union:3")
    solved = json.loads(task.format(task.solve(instance)))
    fails = set()
    for each in many(shapes.body_copied, solved, count=40):
        verdict = task.verify(instance, each)
        fails |= {check.name for check in verdict.checks if check.state.value == "failed"}
    assert {"no faces cross", "shells wound right"} <= fails
