"""A video has more pictures a second than a simulation has frames."""

import numpy as np
import pytest

from spatial_workbench.app.video.between import scene_between
from spatial_workbench.engine.core.scene import Frame, Label, Points, Polyline, RigidBodies, Scene

MESH = (np.zeros((3, 3)), np.array([[0, 1, 2]]))


def moving(*moments):
    return Scene(items=(), frames=tuple(Frame(float(k), items) for k, items in enumerate(moments)))


def body(x, quaternion):
    return RigidBodies(
        name="body", ids=["a"], meshes=(MESH,), positions=np.array([[x, 0.0, 0.0]]), rotations=np.array([quaternion])
    )


def test_halfway_a_body_is_halfway_and_has_turned_by_half():
    quarter = [0.0, 0.0, np.sin(np.pi / 4), np.cos(np.pi / 4)]
    scene = moving([body(0.0, [0.0, 0.0, 0.0, 1.0])], [body(2.0, quarter)])
    item = scene_between(scene, 0, 0.5).item("body")
    assert item.positions[0, 0] == 1.0
    assert item.rotations[0] == pytest.approx([0.0, 0.0, np.sin(np.pi / 8), np.cos(np.pi / 8)])


def test_a_rotation_goes_the_shorter_way():
    scene = moving([body(0.0, [0.0, 0.0, 0.0, 1.0])], [body(0.0, [0.0, 0.0, 0.0, -1.0])])
    assert np.abs(scene_between(scene, 0, 0.5).item("body").rotations[0]) == pytest.approx([0.0, 0.0, 0.0, 1.0])


def test_points_and_lines_move_and_words_wait_for_the_next_frame():
    def items(x, text):
        places = np.array([[x, 0.0, 0.0], [x, 1.0, 0.0]])
        yield Points(name="dots", ids=["a", "b"], positions=places)
        yield Polyline(id="line", points=places)
        yield Label(id="words", position=(x, 0.0, 0.0), text=text)

    between = scene_between(moving(list(items(0.0, "one")), list(items(4.0, "two"))), 0, 0.25)
    assert between.item("dots").positions[0, 0] == between.item("line").points[1, 0] == 1.0
    assert between.item("words").text == "one"


def test_at_the_last_frame_nothing_moves_on():
    scene = moving([body(0.0, [0.0, 0.0, 0.0, 1.0])], [body(2.0, [0.0, 0.0, 0.0, 1.0])])
    assert scene_between(scene, 1, 0.5).item("body").positions[0, 0] == 2.0
