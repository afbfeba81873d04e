"""Geometry made in numpy, and which bricks are worth drawing."""

import numpy as np
import pytest

from spatial_workbench.engine.core.scene import Boxes
from spatial_workbench.widgets.render3d.items.boxes import BoxesDrawer
from spatial_workbench.widgets.render3d.shading import Shading
from spatial_workbench.widgets.render3d.shapes import (
    columns,
    dashes,
    exposed_faces,
    plane_normal,
    studs,
    triangles_of,
    turned_frame,
    unit_box,
    unit_cone,
    unit_stud,
)
from spatial_workbench.widgets.render3d.style import Style
from spatial_workbench.widgets.render3d.visibility import seen


def volume(points, faces):
    """The signed volume of a closed surface of triangles or quads."""
    corners = np.asarray(points, float)[faces]
    total = 0.0
    for k in range(1, faces.shape[1] - 1):
        total += np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, k], corners[:, k + 1])).sum() / 6
    return total


def test_the_unit_box_faces_outward_and_has_volume_one():
    points, faces, _ = unit_box()
    assert volume(points, faces) == pytest.approx(1)


@pytest.mark.parametrize("shape", [unit_box, unit_stud, unit_cone])
def test_normals_point_to_the_side_from_which_a_face_is_counter_clockwise(shape):
    points, faces, normals = shape()
    corners = points[faces]
    turn = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (np.einsum("ij,ij->i", turn, normals[faces].mean(axis=1)) > 0).all()


def test_two_cells_side_by_side_show_ten_faces():
    cells = np.array([[0, 0, 0], [1, 0, 0]])
    corners, normals, owner = exposed_faces(cells, np.ones(2, bool))
    assert len(corners) == 10
    assert (np.bincount(owner) == 5).all()
    np.testing.assert_allclose(normals.sum(axis=0), 0)


def test_cells_far_apart_are_found_without_a_dense_grid():
    cells = np.array([[0, 0, 0], [1, 0, 0], [100_000, 5, 100_000]])
    assert len(exposed_faces(cells, np.ones(3, bool))[0]) == 16


def test_a_cell_that_is_not_drawn_opens_its_neighbour():
    cells = np.array([[0, 0, 0], [1, 0, 0]])
    assert len(exposed_faces(cells, np.array([True, False]))[0]) == 6


def test_columns_of_equal_height_share_no_wall():
    corners, _ = columns(np.full((2, 3), 4.0))
    assert len(corners) == 6 + 2 * (2 + 3)


def test_a_2x4_brick_has_eight_studs_on_the_grid():
    places, sizes, owner = studs(np.array([[16.0, 8.0, 4.8]]), np.array([[32.0, 16.0, 9.6]]), np.zeros(1), (4, 2))
    assert sorted(set(places[:, 0])) == [4, 12, 20, 28]
    assert sorted(set(places[:, 1])) == [4, 12]
    np.testing.assert_allclose(sizes[0], [4.8, 4.8, 1.6])
    assert len(owner) == 8


def test_a_brick_turned_by_90_degrees_turns_its_studs():
    places, _, _ = studs(np.zeros((1, 3)), np.array([[32.0, 16.0, 9.6]]), np.array([90.0]), (4, 2))
    assert np.ptp(places[:, 1]) == pytest.approx(24)


def test_dashes_and_gaps_are_equally_long():
    points, pairs = dashes(np.array([[0, 0, 0], [10, 0, 0.0]]), 1.0)
    assert np.abs(points[pairs[:, 1]] - points[pairs[:, 0]]).sum() == pytest.approx(5)


def test_a_turned_frame_is_a_rotation():
    frame = turned_frame(np.array([1.0, 2.0, -3.0]))
    np.testing.assert_allclose(frame @ frame.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(frame) == pytest.approx(1)


def wall(nx, ny, nz, step=(32.0, 16.0, 9.6), **rest):
    """A block of bricks without gaps."""
    index = np.stack(np.meshgrid(np.arange(nx), np.arange(ny), np.arange(nz), indexing="ij"), -1).reshape(-1, 3)
    ids = [f"brick {i}" for i in range(len(index))]
    return Boxes(name="bricks", ids=ids, centers=index * step, sizes=np.array([32.0, 16.0, 9.6]), studs=(4, 2), **rest)


def masks(item, style=None):
    drawer = BoxesDrawer(Shading())
    drawer.set_item(item)
    drawer.paint(style or Style())
    return seen([drawer.bricks()])[0]


def test_the_middle_of_27_bricks_is_not_drawn_nor_are_covered_studs():
    boxes, stud_mask = masks(wall(3, 3, 3))
    assert np.flatnonzero(~boxes).tolist() == [13]
    assert stud_mask.sum() == 9 * 8


def test_bricks_that_are_half_covered_keep_half_of_their_studs():
    item = wall(2, 1, 1)
    upper = Boxes(name="up", ids=["up"], centers=np.array([[16.0, 0, 9.6]]), sizes=item.sizes, studs=(4, 2))
    drawers = [BoxesDrawer(Shading()) for _ in range(2)]
    for drawer, each in zip(drawers, (item, upper), strict=True):
        drawer.set_item(each)
        drawer.paint(Style())
    assert seen([drawer.bricks() for drawer in drawers])[0][1].sum() == 8


def test_a_brick_off_the_lattice_hides_nothing():
    apart = wall(1, 1, 2)
    moved = Boxes(
        name="bricks",
        ids=apart.ids,
        centers=apart.centers + np.array([[0, 0, 0], [3, 0, 0]]),
        sizes=apart.sizes,
        studs=(4, 2),
    )
    assert masks(moved)[1].all()


def test_faded_bricks_hide_no_solid_one():
    style = Style(roles={"brick 13": "failed"}, fade_rest=True)
    boxes, _ = masks(wall(3, 3, 3), style)
    assert boxes[13]


def test_hidden_bricks_open_what_they_enclosed():
    boxes, _ = masks(wall(3, 3, 3), Style(hidden=frozenset({"brick 14"})))
    assert boxes[13]
    assert not boxes[14]


@pytest.mark.parametrize("hair", [0.0, 1e-12, 1e-6])
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("way", [1, -1])
def test_a_polygon_with_slivers_is_filled_whole(hair, axis, way):
    """A square of side 4 with a square hole of side 1 that is a hair away from two of its edges."""
    ring = [(0, 0), (4, 0), (4, 4), (0, 4), (0, hair), (hair, hair), (hair, 1), (1, 1), (1, hair), (0, hair)]
    points = np.insert(np.array(ring[::way], float), axis, 0.0, axis=1)
    corners = points[triangles_of(points, plane_normal(points))]
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) @ plane_normal(points) / 2
    assert areas.sum() == pytest.approx(15, abs=1e-4)
    assert areas.min() >= -1e-9
