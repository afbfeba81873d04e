"""Every task whose answers move, or can be put together, gives a video with different pictures, in both themes."""

import json

import numpy as np
import pytest

from spatial_workbench.app.video.choices import VideoChoices, VideoError
from spatial_workbench.app.video.films import AnswerFilm
from spatial_workbench.app.video.pictures import FilmDrawer
from spatial_workbench.engine.core import MakesFilm, ShowsMotion, has_film, resolve, silent, tasks
from spatial_workbench.engine.core.scene import Points
from spatial_workbench.widgets.scene_views.timeline import words_of_frame

SMALL = (320, 180)
FILMED = {
    "cube_face_view": "cube_face_view:0",
    "cube_full_symbolic": "cube_full_symbolic:0",
    "cube_full_visual": "cube_full_visual:0",
    "cube_vertex_view": "cube_vertex_view:0",
    "fluid_simulation": "fluid_simulation:5",
    "hyper_snake": "hyper_snake:5",
    "interlocking_parts": "interlocking_parts:0",
    "machine_delivery": "machine_delivery:0",
    "machine_movement": "machine_movement:0",
    "machine_pick": "machine_pick:0",
    "machine_throw": "machine_throw:0",
    "pack_prisms": "pack_prisms:5",
    "terrain_levelling": "terrain_levelling:0",
    "voxel_projection": "voxel_projection:0",
}
"""An instance of each task that can be filmed."""
ANSWERS = {
    "terrain_levelling": {"blasts": [{"x": 3, "y": 4, "z": 0.4}, {"x": 5, "y": 5, "z": 0.3}]},
    "voxel_projection": {"voxels": [[1, 1, 0], [0, 1, 1], [1, 0, 1]]},
}
"""Answers of tasks whose reference does not move, or takes long."""


def film_of(name):
    task, instance = resolve(FILMED[name])
    text = json.dumps(ANSWERS[name]) if name in ANSWERS else task.solve(instance).model_dump_json()
    return AnswerFilm(name, FILMED[name], text).film(silent)


def test_the_list_has_every_task_that_can_be_filmed():
    own = {task.id for task in tasks() if isinstance(task, MakesFilm | ShowsMotion) and has_film(task)}
    assert own == set(FILMED)


@pytest.mark.parametrize("name", FILMED)
def test_what_moves_gives_different_pictures_with_words_in_both_themes(qapp, name):
    if name.startswith(("machine", "terrain")):
        pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")
    film = film_of(name)
    (side,) = film.sides
    assert all(words_of_frame(side.scene, frame) for frame in side.scene.frames)
    seen = {}
    for theme in ("light", "dark"):
        drawer = FilmDrawer(film, VideoChoices(SMALL, rate=10, theme=theme))
        last = len(drawer.moments) - 1
        pictures = [drawer.picture(round(last * share)).copy() for share in (0.0, 0.4, 1.0)]
        drawer.close()
        assert len({picture.tobytes() for picture in pictures}) > 1
        assert all(card_of(picture).std() > 5 for picture in pictures)
        seen[theme] = np.mean([picture.mean() for picture in pictures])
    assert seen["light"] > seen["dark"] + 20


def card_of(picture):
    """The lower left of a picture, where time and figures stand: the ground of the card, and letters on it."""
    height, width, _ = picture.shape
    return picture[-height // 8 :, : width // 3]


def test_an_answer_in_which_nothing_can_be_shown_is_refused(qapp):
    task, instance = resolve("voxel_projection:0")
    with pytest.raises(VideoError, match="Nothing moves"):
        AnswerFilm("x", "voxel_projection:0", task.solve(instance).model_dump_json()).film(silent)


def test_a_long_snake_goes_several_cells_at_a_time():
    task, instance = next((t, i) for t, i in all_snakes() if len(t.solve(i).cells) > 400)
    frames = task.film(instance, task.solve(instance)).frames
    assert len(frames) <= 300
    assert frames[-1].time == len(task.solve(instance).cells)


def all_snakes():
    task, _ = resolve("hyper_snake:0")
    return ((task, instance) for instance in task.instances())


def test_a_plan_of_few_blasts_shows_the_rock_that_rolls():
    pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")
    (side,) = film_of("terrain_levelling").sides
    rolling = [frame for frame in side.scene.frames if any(isinstance(item, Points) for item in frame.items)]
    assert len(rolling) > 10
    assert side.scene.frames[-1].time == 2


def test_parts_come_together_where_they_belong():
    task, instance = resolve("interlocking_parts:0")
    answer = task.solve(instance)
    last = task.film(instance, answer).frames[-1]
    whole = {item.name: item for item in task.scene(instance, answer).items}
    parts = [item for item in last.items if item.name.startswith("part")]
    assert parts
    assert all(np.allclose(item.vertices, whole[item.name].vertices) for item in parts)
