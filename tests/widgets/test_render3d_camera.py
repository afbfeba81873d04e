"""The camera: what it shows, where, and how it moves."""

import numpy as np
import pytest

from spatial_workbench.widgets.render3d.camera import STANDARD_VIEWS, Camera, box_corners

SIZE = (400.0, 300.0)
UNIT_BOX = box_corners((np.zeros(3), np.ones(3)))


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("view", STANDARD_VIEWS)
def test_a_framed_box_is_inside_the_picture(view, orthographic):
    camera = Camera(orthographic=orthographic).looking(view).framing(UNIT_BOX, 4 / 3)
    pixels, _ = camera.project(UNIT_BOX, SIZE)
    assert (pixels >= 0).all()
    assert (pixels <= SIZE).all()
    assert (np.ptp(pixels, axis=0) / SIZE).max() > 0.85


@pytest.mark.parametrize("orthographic", [False, True])
def test_a_ray_goes_back_through_the_point_it_was_projected_from(orthographic):
    camera = Camera(orthographic=orthographic).framing(UNIT_BOX, 4 / 3)
    point = np.array([0.2, 0.7, 0.9])
    pixel = camera.project(point[None], SIZE)[0][0]
    origin, direction = camera.ray(*pixel, SIZE)
    assert np.linalg.norm(np.cross(point - origin, direction)) < 1e-9


def test_the_front_view_looks_along_y_with_x_to_the_right():
    right, up, towards = Camera().looking("front").axes
    np.testing.assert_allclose([right, up, towards], [[1, 0, 0], [0, 0, 1], [0, -1, 0]], atol=1e-12)


def test_the_top_view_shows_y_upwards():
    right, up, _ = Camera().looking("top").axes
    np.testing.assert_allclose([right, up], [[1, 0, 0], [0, 1, 0]], atol=1e-12)


def test_the_bottom_view_shows_y_downwards_as_a_flat_scene_with_y_down_wants():
    right, up, _ = Camera().looking("bottom").axes
    np.testing.assert_allclose([right, up], [[1, 0, 0], [0, -1, 0]], atol=1e-12)


def test_zooming_keeps_what_is_under_the_pointer():
    camera = Camera().framing(UNIT_BOX, 4 / 3)
    anchor = np.array([1.0, 0.0, 1.0])
    before = camera.project(anchor[None], SIZE)[0]
    np.testing.assert_allclose(camera.zoomed(0.5, anchor).project(anchor[None], SIZE)[0], before)


def test_panning_moves_the_target_with_the_pointer():
    camera = Camera(target=(1.0, 2.0, 3.0))
    before = camera.project(np.array([camera.target]), SIZE)[0][0]
    after = camera.panned(30, -20, SIZE[1]).project(np.array([camera.target]), SIZE)[0][0]
    np.testing.assert_allclose(after - before, [30, -20])


def test_changing_the_projection_keeps_the_size_at_the_target():
    sides = Camera().axes[0] * 2.0
    flat, deep = (Camera(orthographic=o).project(sides[None], SIZE)[0] for o in (True, False))
    np.testing.assert_allclose(flat, deep)


def test_orbiting_stops_at_the_poles():
    assert Camera().orbited(0, 500).elevation_deg == 90


def test_a_flight_turns_the_short_way_round():
    start, end = Camera(azimuth_deg=170), Camera(azimuth_deg=-170)
    assert start.towards(end, 0.5).azimuth_deg == pytest.approx(180)


def test_what_is_behind_the_viewer_has_no_place_in_the_picture():
    camera = Camera(distance=10)
    assert np.isnan(camera.project((camera.position + camera.axes[2])[None], SIZE)[0]).all()
