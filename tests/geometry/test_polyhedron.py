"""Polyhedra with polygonal faces: triangles to faces and back, edges, crossings, modelling."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spatial_workbench.engine.geometry.polyhedron import (
    WELD,
    EdgeTable,
    area,
    crossings,
    cut_open,
    deviation,
    modelling,
    planar_faces,
    planar_regions,
    shells_of,
    signed_volume,
    triangles_of,
    winding_numbers,
)
from spatial_workbench.engine.geometry.polyhedron.faces import convex_quads, normals_of
from spatial_workbench.engine.geometry.polyhedron.modelling import (
    NOTHING,
    ModelledBody,
    ModellingError,
    beside,
    extruded,
    flipped,
    joined,
    merged,
    moved,
    part,
    split,
    with_face,
    with_hole,
    with_vertex,
    without,
)
from spatial_workbench.engine.geometry.welding import weld

CUBE = ModelledBody.of(
    [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2)],
    [(3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)],
)
SQUARE = ModelledBody.of([(0, 0, 0), (4, 0, 0), (4, 4, 0), (0, 4, 0)], [(0, 1, 2, 3)])


def union(boxes):
    """Vertices and triangles of the union of boxes (low, size)."""
    from manifold3d import Manifold, OpType

    solids = [Manifold.cube(size).translate(low) for low, size in boxes]
    result = Manifold.batch_boolean(solids, OpType.Add)
    mesh = result.to_mesh64()
    return result, np.asarray(mesh.vert_properties), np.asarray(mesh.tri_verts)


# Triangles and faces -------------------------------------------------------------------------------------------------


def test_convex_quads_are_halved_together_and_others_are_left_to_the_triangulation():
    dart = [(0, 0, 0), (4, 0, 0), (1, 1, 0), (0, 4, 0)]
    bow = [(0, 0, 0), (4, 4, 0), (4, 0, 0), (0, 4, 0)]
    vertices = np.array([*CUBE.vertices, *dart, *bow], float)
    faces = [*CUBE.faces, (8, 9, 10, 11), (12, 13, 14, 15)]
    halved = convex_quads(vertices, faces, normals_of(vertices, faces))
    assert sorted(halved) == list(range(6))
    assert halved[1].tolist() == [[4, 5, 6], [4, 6, 7]]
    assert area(vertices[8:12], [(0, 1, 2, 3)]) == pytest.approx(4)
    assert len(triangles_of(vertices, faces)[0]) == 16


def test_a_cube_of_12_triangles_becomes_6_squares():
    triangles, owners = triangles_of(*CUBE)
    assert len(triangles) == 12
    assert np.bincount(owners).tolist() == [2] * 6
    vertices, faces = planar_faces(CUBE.vertices, triangles)
    assert (len(vertices), sorted(map(len, faces))) == (8, [4] * 6)
    assert signed_volume(vertices, faces) == pytest.approx(8)


def test_a_face_that_is_not_convex_is_triangulated_inside_itself():
    ell = np.array([(0, 0, 1), (3, 0, 1), (3, 1, 1), (1, 1, 1), (1, 3, 1), (0, 3, 1)], float)
    triangles, _ = triangles_of(ell, [tuple(range(6))])
    assert area(ell, [tuple(t) for t in triangles.tolist()]) == pytest.approx(5)
    assert area(ell, [tuple(range(6))]) == pytest.approx(5)


def test_a_face_with_one_hole_is_cut_open_by_two_cuts():
    _, vertices, triangles = union([((0, 0, 0), (6, 6, 2)), ((2, 2, 1), (2, 2, 3))])
    regions = planar_regions(*weld(vertices, triangles, WELD))
    _, faces = planar_faces(vertices, triangles)
    assert sorted(len(loops) for loops, _ in regions)[-1] == 2
    assert len(faces) == len(regions) + 1


def test_a_face_with_three_holes_is_cut_into_simple_loops():
    towers = [((x, 2, 1), (1, 1, 3)) for x in (1, 4, 7)]
    solid, vertices, triangles = union([((0, 0, 0), (9, 5, 2)), *towers])
    corners, faces = planar_faces(vertices, triangles)
    assert EdgeTable(faces).is_closed
    assert all(len(set(face)) == len(face) for face in faces)
    assert signed_volume(corners, faces) == pytest.approx(solid.volume())
    assert list(crossings(corners, faces)) == []


def test_a_vertex_on_a_straight_edge_is_left_out_unless_a_face_turns_there():
    _, vertices, triangles = union([((0, 0, 0), (2, 2, 2)), ((2, 0, 0), (2, 2, 2)), ((0, 2, 0), (2, 2, 2))])
    corners, faces = planar_faces(vertices, triangles)
    assert (len(corners), len(faces)) == (12, 8)


corner = st.tuples(*[st.integers(-4, 4)] * 3)
size = st.tuples(*[st.integers(1, 5)] * 3)


def touches_itself(boxes):
    """Whether the union of boxes on the unit grid meets itself along an edge, or in a point, of the grid."""
    solid = np.zeros((16, 16, 16), bool)
    for low, extent in boxes:
        solid[tuple(slice(5 + at, 5 + at + by) for at, by in zip(low, extent, strict=True))] = True
    around = np.lib.stride_tricks.sliding_window_view(solid, (2, 2, 2)).reshape(-1, 2, 2, 2)
    along_an_edge = any(
        np.any((w[:, 0, 0] == w[:, 1, 1]) & (w[:, 0, 1] == w[:, 1, 0]) & (w[:, 0, 0] != w[:, 0, 1]))
        for axis in (1, 2, 3)
        for w in [np.take(around, 0, axis)]
    )
    flat = around.reshape(-1, 8)
    count = flat.sum(1)
    alone = [flat[:, k] & flat[:, 7 - k] & (count == 2) for k in range(4)]
    holes = [~flat[:, k] & ~flat[:, 7 - k] & (count == 6) for k in range(4)]
    return bool(along_an_edge or np.any([*alone, *holes]))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(corner, size), min_size=1, max_size=4))
@example([((0, 0, 0), (1, 1, 1))] * 3 + [((0, -2, 0), (1, 3, 1))])
def test_the_planar_faces_of_a_union_of_boxes_are_flat_closed_and_of_the_same_volume(boxes):
    solid, vertices, triangles = union(boxes)
    corners, faces = planar_faces(vertices, triangles)
    table = EdgeTable(tuple(map(tuple, weld(vertices, triangles, WELD)[1].tolist())))
    assert signed_volume(corners, faces) == pytest.approx(solid.volume())
    assert max(deviation(corners[list(face)]) for face in faces) < 1e-9
    if table.is_closed and not table.torn_vertices:
        assert EdgeTable(faces).is_closed
        assert area(corners, faces) == pytest.approx(solid.surface_area())
        assert any(crossings(corners, faces)) is touches_itself(boxes)


def test_cut_open_leaves_a_face_without_holes_as_it_is():
    assert cut_open(SQUARE.vertices, SQUARE.faces) == [(0, 1, 2, 3)]


# Edges, shells, crossings --------------------------------------------------------------------------------------------


def test_a_cube_without_its_lid_has_four_open_edges():
    table = EdgeTable(CUBE.faces[1:])
    assert sorted(table.open) == [(0, 1), (0, 3), (1, 2), (2, 3)]
    assert not table.is_closed


def test_a_flipped_face_goes_along_four_edges_the_wrong_way():
    assert len(EdgeTable(flipped(CUBE, [0]).faces).twice_one_way) == 4


def test_two_cubes_are_two_shells_and_a_cube_in_a_cube_is_a_cavity():
    inner = ModelledBody(CUBE.vertices * 0.5 + 0.5, CUBE.faces)
    apart = shells_of(*beside(CUBE, moved(CUBE, range(8), (5, 0, 0))))
    assert [(shell.depth, shell.is_turned_right) for shell in apart] == [(0, True), (0, True)]
    nested = shells_of(*beside(CUBE, flipped(inner, range(6))))
    assert [(shell.is_cavity, shell.is_turned_right) for shell in nested] == [(False, True), (True, True)]


def test_the_winding_number_is_1_inside_and_0_outside():
    corners = CUBE.vertices[triangles_of(*CUBE)[0]]
    assert winding_numbers(corners, np.array([(1, 1, 1), (3, 1, 1)])) == pytest.approx([1, 0], abs=1e-12)


def crossing_pairs(body):
    return {(c.first, c.second) for c in crossings(*body)}


def test_faces_that_share_edges_do_not_cross():
    assert crossing_pairs(CUBE) == set()


def test_cubes_that_overlap_cross_and_cubes_that_touch_in_a_face_cover_each_other():
    assert crossing_pairs(beside(CUBE, moved(CUBE, range(8), (1, 0.5, 0.5))))
    touching = list(crossings(*beside(CUBE, moved(CUBE, range(8), (2, 0.5, 0.5)))))
    assert any(crossing.is_overlap for crossing in touching)


def test_a_corner_that_touches_a_face_is_a_crossing():
    tip = ModelledBody.of(
        [(1, 1, 2), (0.5, 1, 4), (1.5, 0.5, 4), (1, 2, 4)], [(0, 2, 1), (0, 3, 2), (0, 1, 3), (1, 2, 3)]
    )
    assert {first for first, _ in crossing_pairs(beside(CUBE, tip))} == {1}
    assert crossing_pairs(beside(CUBE, moved(tip, range(4), (0, 0, 0.01)))) == set()


def test_a_face_folded_back_on_its_neighbour_covers_it():
    folded = ModelledBody.of([(0, 0, 0), (4, 0, 0), (2, 3, 0), (2, 1, 0)], [(0, 1, 2), (1, 0, 3)])
    assert [crossing.is_overlap for crossing in crossings(*folded)] == [True]


def test_faces_that_meet_in_part_of_a_long_edge_do_not_cross():
    vertices = [(0, 0, 0), (4, 0, 0), (2, 0, 0), (2, 3, 0), (0, 0, 3), (2, 0, 3), (4, 0, 3)]
    body = ModelledBody.of(vertices, [(0, 2, 1, 3), (2, 0, 4, 5), (1, 2, 5, 6)])
    assert crossing_pairs(body) == set()


# Modelling -----------------------------------------------------------------------------------------------------------


def test_a_square_pulled_up_is_a_closed_box_looking_outwards():
    assert signed_volume(*extruded(SQUARE, [0], 3)) == pytest.approx(48)
    assert signed_volume(*extruded(SQUARE, [0], -3)) == pytest.approx(48)
    assert EdgeTable(extruded(SQUARE, [0], -3).faces).is_closed


def test_faces_are_pulled_out_together_as_they_are_one_after_the_other():
    together = extruded(CUBE, [1, 4, 0], 1)
    one_by_one = CUBE
    for face in (1, 4, 0):
        one_by_one = extruded(one_by_one, [face], 1)
    assert together.faces == one_by_one.faces
    np.testing.assert_allclose(together.vertices, one_by_one.vertices)


def test_who_uses_the_edges_is_found_out_once_for_all_faces_that_are_pulled(monkeypatch):
    tables = []
    plain = EdgeTable
    monkeypatch.setattr(modelling, "EdgeTable", lambda faces: tables.append(faces) or plain(faces))
    extruded(CUBE, range(6), 1)
    assert len(tables) == 1


@pytest.mark.parametrize(("distance", "volume"), [(1, 12), (-1, 4)])
def test_a_face_of_a_cube_pulled_out_or_pushed_in_stays_closed(distance, volume):
    body = extruded(CUBE, [1], distance)
    assert EdgeTable(body.faces).is_closed
    assert signed_volume(*body) == pytest.approx(volume)


def test_a_face_is_split_by_two_of_its_vertices():
    body = split(CUBE, 1, 4, 6)
    assert (len(body.faces), EdgeTable(body.faces).is_closed) == (7, True)
    with pytest.raises(ModellingError, match="joined by an edge"):
        split(CUBE, 1, 4, 5)


def test_a_hole_is_cut_out_of_a_face_by_two_cuts():
    hole = ModelledBody.of([(1, 1, 0), (2, 1, 0), (2, 2, 0), (1, 2, 0)], [])
    body = with_hole(beside(SQUARE, hole), 0, (4, 5, 6, 7))
    assert len(body.faces) == 2
    assert area(*body) == pytest.approx(15)
    assert len(EdgeTable(body.faces).open) == 8


def test_a_hole_outside_its_face_or_off_its_plane_is_refused():
    outside = beside(SQUARE, ModelledBody.of([(3, 3, 0), (5, 3, 0), (5, 5, 0)], []))
    above = beside(SQUARE, ModelledBody.of([(1, 1, 1), (2, 1, 1), (2, 2, 1)], []))
    with pytest.raises(ModellingError, match="not inside"):
        with_hole(outside, 0, (4, 5, 6))
    with pytest.raises(ModellingError, match="not in the plane"):
        with_hole(above, 0, (4, 5, 6))


def test_merging_two_corners_takes_the_faces_with_it_that_lose_their_area():
    body = merged(CUBE, (4, 5, 6, 7))
    assert (len(body.vertices), len(body.faces)) == (5, 5)
    assert EdgeTable(body.faces).is_closed


def test_deleting_a_vertex_takes_its_faces_and_keeps_loose_vertices():
    loose, index = with_vertex(CUBE, (9, 9, 9))
    body = without(loose, (), (0,))
    assert len(body.faces) == 3
    assert body.vertices[-1].tolist() == [9, 9, 9]
    assert index == 8


def test_a_vertex_at_a_place_is_found_again_and_joined_bodies_share_it():
    assert with_vertex(CUBE, (2, 2, 2))[1] == 6
    both = joined(CUBE, moved(CUBE, range(8), (2, 0, 0)))
    assert len(both.vertices) == 12


def test_a_face_on_one_line_or_twice_is_refused():
    with pytest.raises(ModellingError, match="already"):
        with_face(CUBE, (0, 1, 2, 3))
    line = ModelledBody.of([(0, 0, 0), (1, 0, 0), (2, 0, 0)], [])
    with pytest.raises(ModellingError, match="one line"):
        with_face(line, (0, 1, 2))


def test_part_of_a_body_keeps_only_its_own_vertices():
    assert len(part(CUBE, [1]).vertices) == 4
    assert len(NOTHING.vertices) == 0
