"""Commands of polyhedra: what each does to vertices and faces, and what it says about wrong arguments."""

import pytest

from spatial_workbench.engine.core import AnswerError, resolve
from spatial_workbench.engine.geometry.polyhedron import signed_volume
from tests.sweeps import some
from tests.tasks.acting import after

TASK, FIRST = resolve("csg_union:0")
TRIANGLE = (("vertices", {"points_cm": [[0, 0, 0], [2, 0, 0], [0, 2, 0]]}), ("faces", {"loops": [[0, 1, 2]]}))


def box(*at, size=(2, 2, 2)):
    return "place", {"kind": "box", "size_cm": list(size), "at_cm": list(at or (0, 0, 0))}


def volume(answer):
    return signed_volume(answer.vertices, answer.faces)


@pytest.mark.parametrize("instance", some(TASK.instances()), ids=str)
def test_the_reference_polyhedron_is_reached_face_by_face(instance):
    reference = TASK.solve(instance)
    calls = [("vertices", {"points_cm": [list(vertex.xyz)]}) for vertex in reference.polyhedron.vertex]
    calls += [("faces", {"loops": [list(face)]}) for face in reference.faces]
    assert after(TASK, instance, *calls) == reference


def test_vertices_and_faces_may_come_at_once():
    reference = TASK.solve(FIRST)
    answer = after(
        TASK,
        FIRST,
        ("vertices", {"points_cm": reference.vertices.tolist()}),
        ("faces", {"loops": [list(face) for face in reference.faces]}),
    )
    assert answer == reference


def test_a_solid_has_its_sizes_and_its_place():
    answer = after(TASK, FIRST, box(1, 0, 0, size=(2, 4, 6)))
    assert (answer.vertices.min(axis=0).tolist(), answer.vertices.max(axis=0).tolist()) == ([0, -2, -3], [2, 2, 3])
    assert volume(answer) == pytest.approx(48)


@pytest.mark.parametrize(
    ("kind", "size", "cm3"),
    [("tetrahedron", [1, 2, 3], 1), ("wedge", [2, 2, 2], 4), ("prism", [4, 1, 3], 6), ("cone", [4, 1, 3], 2)],
)
def test_every_kind_of_solid_has_the_volume_of_its_formula(kind, size, cm3):
    assert volume(after(TASK, FIRST, ("place", {"kind": kind, "size_cm": size}))) == pytest.approx(cm3)


def test_vertices_move_and_turn_and_are_put():
    moved = after(TASK, FIRST, *TRIANGLE, ("move", {"faces": [0], "z_cm": 1.5}))
    assert moved.vertices.tolist() == [[0, 0, 1.5], [2, 0, 1.5], [0, 2, 1.5]]
    turned = after(TASK, FIRST, *TRIANGLE, ("turn", {"vertices": [0, 1, 2], "axis": "z", "turn_deg": 180}))
    assert turned.vertices.tolist() == [[2, 2, 0], [0, 2, 0], [2, 0, 0]]
    put = after(TASK, FIRST, *TRIANGLE, ("put", {"vertex": 1, "point_cm": [5, 5, 5]}))
    assert put.vertices[1].tolist() == [5, 5, 5]


def test_a_vertex_goes_with_its_faces():
    answer = after(TASK, FIRST, *TRIANGLE, ("delete", {"vertices": [1]}))
    assert TASK.state(FIRST, answer) == {"vertices": [], "faces": []}


def test_a_copy_has_vertices_of_its_own():
    answer = after(TASK, FIRST, *TRIANGLE, ("duplicate", {"faces": [0], "x_cm": 3}))
    assert answer.faces == ((0, 1, 2), (3, 4, 5))
    assert answer.vertices[3].tolist() == [3, 0, 0]


def test_a_face_turns_over_is_pulled_cut_and_gets_a_hole():
    assert after(TASK, FIRST, *TRIANGLE, ("flip", {"faces": [0]})).faces == ((2, 1, 0),)
    assert volume(after(TASK, FIRST, *TRIANGLE, ("pull", {"faces": [0], "distance_cm": 3}))) == pytest.approx(6)
    square = (
        ("vertices", {"points_cm": [[0, 0, 0], [9, 0, 0], [9, 9, 0], [0, 9, 0], [3, 3, 0], [3, 6, 0], [6, 6, 0]]}),
        ("faces", {"loops": [[0, 1, 2, 3]]}),
    )
    assert after(TASK, FIRST, *square, ("cut", {"face": 0, "first": 0, "second": 2})).faces == ((0, 1, 2), (2, 3, 0))
    assert len(after(TASK, FIRST, *square, ("hole", {"face": 0, "loop": [4, 5, 6]})).faces) > 1


def test_vertices_merge_into_the_first():
    answer = after(TASK, FIRST, box(), ("merge", {"vertices": [0, 1]}))
    assert len(answer.polyhedron.vertex) == 7


@pytest.mark.parametrize(("operation", "cm3"), [("union", 12), ("difference", 4), ("intersection", 4)])
def test_two_boxes_that_share_a_half_are_combined(operation, cm3):
    answer = after(TASK, FIRST, box(0, 0, 0), box(1, 0, 0), ("combine_solids", {"operation": operation}))
    assert volume(answer) == pytest.approx(cm3)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("vertices", {"points_cm": [[0, 0, 0]]}), "Vertex 0 is already there"),
        (("vertices", {"points_cm": [[0, 0]]}), "points_cm"),
        (("vertices", {"points_cm": [[0, 0, float("nan")]]}), "must be a finite number"),
        (("vertices", {"points_cm": [[0, 0, "1"]]}), "must be a number"),
        (("vertices", {"points_cm": [[0, 0, 0]] * 20_001}), "Too many points"),
        (("faces", {"loops": [[0, 1]]}), "three or more different vertices"),
        (("faces", {"loops": [[0, 1, 9]]}), "There is no vertex 9; ids go from 0 to 2"),
        (("place", {"kind": "box", "size_cm": [1, 1]}), "A box has 3 sizes: x, y, z"),
        (("place", {"kind": "prism", "size_cm": [2.5, 1, 1]}), "whole number from 3 to 96"),
        (("place", {"kind": "torus", "size_cm": [1]}), "kind"),
        (("move", {"x_cm": 1}), "Name vertices or faces"),
        (("delete", {"faces": [1]}), "There is no face 1"),
        (("pull", {"faces": [0], "distance_cm": 0}), "The distance is 0"),
        (("cut", {"face": 0, "first": 0, "second": 1}), "joined by an edge already"),
        (("merge", {"vertices": [0, 0]}), "two or more vertices"),
        (("combine_solids", {"operation": "union"}), "two or more shells"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, FIRST, *TRIANGLE, call)


def test_the_solids_are_seen_beside_the_answer():
    names = {item.name for item in TASK.sight(FIRST, after(TASK, FIRST, *TRIANGLE), ()).items}
    assert {"edges of solid 0", "face 0", "vertices"} <= names
