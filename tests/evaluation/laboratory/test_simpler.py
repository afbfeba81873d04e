"""Simpler answers: each has fewer entries, and is reached where removing neighbours is not enough."""

import json

import pytest

from spatial_workbench.engine.evaluation.laboratory.shrinking import made_small
from spatial_workbench.engine.evaluation.laboratory.simpler import (
    moved_to_zero,
    with_entries_of,
    with_fewer_entries,
    with_simpler_entries,
)

PYRAMID = {
    "corners": [{"xyz": [0, 0, 0]}, {"xyz": [1, 0, 0]}, {"xyz": [1, 1, 0]}, {"xyz": [0, 1, 0]}, {"xyz": [0, 0, 1]}],
    "faces": [[0, 3, 2, 1], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]],
}


def test_two_entries_stay_that_are_far_apart() -> None:
    assert {"x": [1, 9]} in list(with_fewer_entries({"x": [1, 2, 3, 9]}))


def test_two_entries_go_that_are_far_apart() -> None:
    assert {"x": [2, 3, 4]} in list(with_fewer_entries({"x": [1, 2, 3, 4, 5]}))


def test_a_level_goes_as_a_whole() -> None:
    bricks = [{"z": z, "x": x} for x in range(3) for z in range(2)]
    assert {"bricks": [{"z": 0, "x": x} for x in range(3)]} in list(with_fewer_entries({"bricks": bricks}))


def test_a_column_of_a_grid_goes_as_a_whole() -> None:
    assert {"rows": ["ac", "df"]} in list(with_fewer_entries({"rows": ["abc", "def"]}))
    assert {"rows": [[1, 3], [4, 6]]} in list(with_fewer_entries({"rows": [[1, 2, 3], [4, 5, 6]]}))


def test_a_corner_of_a_mesh_goes_with_its_faces_or_joins_another() -> None:
    smaller = list(with_fewer_entries(PYRAMID))
    tetrahedron = {
        "corners": PYRAMID["corners"][:3] + PYRAMID["corners"][4:],
        "faces": [[0, 2, 1], [0, 1, 3], [1, 2, 3]],
    }
    assert tetrahedron in smaller
    closed = {**tetrahedron, "faces": [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]}
    assert closed in smaller


def test_two_boxes_become_the_box_around_both() -> None:
    assert {"boxes": [[0, 0, 4, 2]]} in list(with_fewer_entries({"boxes": [[0, 0, 2, 2], [2, 0, 4, 2]]}))


def test_an_axis_moves_to_zero() -> None:
    assert list(moved_to_zero({"points": [[7, 0], [9, 0]]})) == [{"points": [[0, 0], [2, 0]]}]


def test_an_entry_becomes_a_copy_of_a_shorter_one() -> None:
    assert {"points": [[1, 1], [1, 1]]} in list(with_simpler_entries({"points": [[1.25, 3], [1, 1]]}))


def test_no_simpler_answer_has_more_entries() -> None:
    for data in with_fewer_entries(PYRAMID):
        assert len(json.dumps(data)) < len(json.dumps(PYRAMID))


def test_texts_have_no_simpler_entries() -> None:
    assert list(with_fewer_entries("A1")) == list(with_simpler_entries("A1")) == []


@pytest.mark.slow
def test_a_closed_mesh_becomes_a_tetrahedron() -> None:
    def keeps(address: str, answer: str) -> bool:
        data = json.loads(answer)
        if set(data) != {"corners", "faces"} or not data["faces"] or min(map(len, data["faces"])) < 3:
            return False
        if max(place for face in data["faces"] for place in face) >= len(data["corners"]):
            return False
        edges = [tuple(pair) for face in data["faces"] for pair in zip(face, [*face[1:], face[0]], strict=True)]
        return sorted(edges) == sorted((b, a) for a, b in edges) and len(set(edges)) == len(edges)

    small = json.loads(made_small("shikaku:0", json.dumps(PYRAMID), keeps).answer)
    assert len(small["faces"]) <= 4


def test_entries_of_another_answer_are_added_each_alone_if_they_are_new() -> None:
    other = {"boxes": [{"size": 1}, {"size": 0}], "note": "x"}
    assert list(with_entries_of(other, {"boxes": [{"size": 1}]})) == [{"boxes": [{"size": 1}, {"size": 0}]}]
    assert list(with_entries_of({"cubes": []}, {"boxes": [1]})) == []
