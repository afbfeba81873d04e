"""Scenes as data for the viewer."""

import json

import numpy as np
import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.scene import Boxes, Frame, Picture, RigidBodies, Scene, Track, Voxels
from spatial_workbench.engine.reporting.site import scene_data
from spatial_workbench.engine.reporting.site.scene_data import (
    MOST_BYTES,
    MOST_FRAMES,
    CannotShow,
    scene_json,
    scene_script,
)
from tests.reporting.site.hostile import unpacked

CUBE = (np.zeros((3, 3)), np.array([[0, 1, 2]]))


def colour(role):
    return f"light {role}", f"dark {role}"


def data_of(scene, elements=()):
    return json.loads(scene_json(scene, colour, elements))


def boxes(centers, **more):
    centers = np.array(centers, float)
    return Boxes(name="b", ids=[f"box {k}" for k in range(len(centers))], centers=centers, sizes=np.ones(3), **more)


def test_boxes_have_places_sizes_and_colours_of_both_themes():
    data = data_of(Scene(items=[boxes([[0, 0, 0], [2, 0, 0]], colors=["accent", "failed"])]))
    (item,) = data["items"]
    assert item == {"k": "boxes", "p": [0, 0, 0, 2, 0, 0], "s": [1, 1, 1], "c": [0, 1]}
    assert data["colors"] == [["light accent", "dark accent"], ["light failed", "dark failed"]]
    assert (data["low"], data["high"]) == ([-0.5, -0.5, -0.5], [2.5, 0.5, 0.5])


def test_only_elements_that_are_asked_for_are_marked():
    data = data_of(Scene(items=[boxes([[0, 0, 0], [2, 0, 0]])]), ["box 1", "nothing"])
    assert data["marks"] == {"box 1": [[0, 1]]}


def test_cells_are_boxes_at_their_centres():
    (item,) = data_of(Scene(items=[Voxels(name="v", cells=np.array([[0, 0, 1]]), pitch=2.0)]))["items"]
    assert (item["p"], item["s"]) == ([1, 1, 3], [2, 2, 2])


def test_meshes_of_bodies_are_written_once():
    meshes = [CUBE]

    def bodies(x):
        place = np.array([[x, 0.0, 0.0]])
        return RigidBodies(name="m", ids=["m 0"], meshes=meshes, positions=place, rotations=np.array([[0, 0, 0, 1.0]]))

    scene = Scene(items=[bodies(0.0)], frames=[Frame(0.0, [bodies(0.0)]), Frame(1.0, [bodies(1.0)])])
    data = data_of(scene)
    assert "meshes" in data["items"][0]
    assert all("meshes" not in item for frame in data["frames"] for _, item in frame["items"])
    assert data["frames"][1]["items"][0][1]["p"] == [1, 0, 0]


def test_many_frames_are_thinned_out_and_the_last_one_stays():
    frames = [Frame(float(k), [boxes([[k, 0, 0]])]) for k in range(1000)]
    data = data_of(Scene(items=[boxes([[0, 0, 0]])], frames=frames))
    assert len(data["frames"]) == MOST_FRAMES
    assert (data["frames"][0]["time"], data["frames"][-1]["time"]) == (0, 999)


def test_what_is_followed_begins_at_its_start_and_has_a_place_in_each_frame():
    frames = [Frame(float(k), [boxes([[k, 0, 0]])]) for k in range(3)]
    track = Track("The box", np.array([[0, 0, 0], [np.nan] * 3, [2, 0, 0]], float))
    data = data_of(Scene(items=[boxes([[0, 0, 0]])], frames=frames, tracks=[track]))
    assert (data["begin"], data["track"]) == (0, [0, 0, 0, 0, 0, 0, 2, 0, 0])
    data = data_of(Scene(items=[boxes([[0, 0, 0]])], frames=frames))
    assert (data["begin"], data["track"]) == (2, [])


def test_a_script_holds_the_packed_scene():
    scene = Scene(items=[boxes([[k % 7, k % 5, 0] for k in range(5000)])])
    script = scene_script(scene, colour).decode()
    assert unpacked(script) == scene_json(scene, colour)
    assert len(script) < len(scene_json(scene, colour)) / 3


def test_a_large_scene_has_fewer_frames_and_a_larger_one_no_script(monkeypatch):
    monkeypatch.setattr(scene_data, "MOST_PACKED", 20_000)
    points = np.random.default_rng(0).random((6000, 3))
    frames = [Frame(float(k), [boxes(points[50 * k : 50 * (k + 1)])]) for k in range(100)]
    script = scene_script(Scene(items=[boxes(points[:50])], frames=frames), colour)
    assert len(json.loads(unpacked(script.decode()))["frames"]) == 40
    assert scene_script(Scene(items=[boxes(points)]), colour) == b""


def test_pages_of_puzzles_are_refused():
    page = Picture(id="page", png=b"", corner=(0, 0), size=(1, 1))
    with pytest.raises(CannotShow, match="Pages"):
        scene_json(Scene(items=[page], flat=True), colour)


@pytest.mark.parametrize(
    "address", ["shikaku:0", "lego_hemisphere:0", "maze_3d:0", "csg_union:0", "delaunay:0", "cube_full_symbolic:3"]
)
def test_answers_become_small_scenes(address):
    task, instance = resolve(address)
    text = scene_json(task.scene(instance, task.solve(instance)), colour)
    assert len(text) < MOST_BYTES / 4
    assert json.loads(text)["items"]
