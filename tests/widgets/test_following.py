"""A camera that goes along with what moves, above the ground."""

import numpy as np
import pytest

from spatial_workbench.engine.core.scene import Ground, Scene
from spatial_workbench.widgets.render3d.camera import Camera
from spatial_workbench.widgets.scene_views.following import CLEARANCE_SHARE, CameraFollower, above_ground

GROUND = Ground(1.0, (-5.0, -5.0, 5.0, 5.0))


class View:
    def __init__(self, camera):
        self.camera = camera
        self.scene = Scene(items=(), ground=GROUND)

    def view_state(self):
        return self.camera

    def set_view_state(self, camera):
        self.camera = camera


def followed(camera, *places):
    view = View(camera)
    follower = CameraFollower(view)
    for place in places:
        follower.follow(None if place is None else np.array(place, float))
    return view.camera


def test_the_camera_moves_by_as_much_as_what_it_follows():
    camera = followed(Camera(target=(1.0, 1.0, 1.0)), (0, 0, 0), (2, 3, 4))
    assert camera.target == (3.0, 4.0, 5.0)


@pytest.mark.parametrize("gap", [None, (np.nan, 0, 0)])
def test_where_there_is_nothing_to_follow_the_camera_stays(gap):
    assert followed(Camera(), (0, 0, 0), gap, (1, 0, 0)).target == (1.0, 0.0, 0.0)


def test_the_camera_never_goes_below_the_ground():
    camera = followed(Camera(target=(0, 0, 5.0), elevation_deg=-10.0, distance=10.0), (0, 0, 5), (0, 0, 0.5))
    assert camera.position[2] == pytest.approx(CLEARANCE_SHARE * 10.0)
    assert camera.target == (0.0, 0.0, 0.5)


def test_above_the_ground_nothing_is_changed():
    camera = Camera(elevation_deg=20.0)
    assert above_ground(camera, 0.0) is camera


def test_a_target_far_below_is_seen_from_above():
    assert above_ground(Camera(target=(0, 0, -50.0), distance=10.0), 0.0).elevation_deg == 90.0


def test_the_camera_comes_back_to_where_it_began():
    view = View(Camera(target=(1.0, 1.0, 1.0)))
    follower = CameraFollower(view)
    for place in ((0.0, 0.0, 0.0), (2.0, 3.0, 4.0)):
        follower.follow(np.array(place))
    follower.come_back()
    assert view.camera.target == (1.0, 1.0, 1.0)
    follower.come_back()
    assert view.camera.target == (1.0, 1.0, 1.0)
