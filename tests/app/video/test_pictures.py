"""The pictures of a video: which moment each shows, and what is seen in it."""

import numpy as np
import pytest

from spatial_workbench.app.video.choices import VideoChoices
from spatial_workbench.app.video.films import Film, FilmSide
from spatial_workbench.app.video.pictures import (
    END_S,
    FilmDrawer,
    ShownMoment,
    figures_in_two_lines,
    length_s,
    schedule,
)
from spatial_workbench.engine.core.scene import Boxes, Frame, Ground, Scene, Track
from spatial_workbench.widgets.render3d.camera import Camera

SMALL = (160, 90)
BOX = np.ones(3)


def box(x):
    return Boxes(name="box", ids=["box"], centers=np.array([[x, 0.0, 0.5]]), sizes=BOX, colors="accent")


def moving(times, unit="s", tracks=(), places=None):
    places = [float(k) for k in range(len(times))] if places is None else places
    frames = [Frame(time, [box(x)], f"{x:.2f} m") for time, x in zip(times, places, strict=True)]
    bounds = ((-2.0, -2.0, 0.0), (8.0, 2.0, 2.0))
    ground = Ground(1.0, (-10.0, -10.0, 20.0, 10.0))
    return Scene(items=(box(0.0),), frames=frames, frame_unit=unit, bounds=bounds, ground=ground, tracks=tracks)


def film(*scenes):
    return Film(tuple(FilmSide(scene, f"Side {k}") for k, scene in enumerate(scenes)))


def shown(scene, **choices):
    moments = schedule(film(scene), VideoChoices(SMALL, **choices))
    return [(moment.index, round(moment.share, 3)) for (moment,) in moments]


def test_at_sixty_pictures_a_second_every_other_one_is_between_two_frames():
    moments = shown(moving([0.0, 1 / 30, 2 / 30]), rate=60)
    assert moments[:5] == [(0, 0.0), (0, 0.5), (1, 0.0), (1, 0.5), (2, 0.0)]


def test_the_end_is_seen_for_a_while():
    moments = shown(moving([0.0, 1.0]), rate=10)
    assert len(moments) == 11 + round(END_S * 10)
    assert set(moments[10:]) == {(1, 0.0)}


def test_in_slow_motion_there_are_more_pictures_and_at_double_speed_half_as_many():
    usual, slow, fast = (len(shown(moving([0.0, 1.0]), rate=20, speed=speed)) for speed in (1.0, 0.5, 2.0))
    assert (usual - 1 - 10, slow - 1 - 10, fast - 1 - 10) == (20, 40, 10)


def test_frames_that_do_not_count_seconds_follow_each_other_evenly():
    moments = shown(moving([0.0, 5.0, 100.0], unit="drops"), rate=50)
    assert moments[:7] == [(0, 0.0), (0, 0.0), (0, 0.0), (1, 0.0), (1, 0.0), (1, 0.0), (2, 0.0)]


def test_of_two_sides_the_one_that_ends_first_stays_at_its_end():
    both = film(moving([0.0, 1.0]), moving([0.0, 1.0, 2.0]))
    assert length_s(both) == 2.0
    assert schedule(both, VideoChoices(SMALL, rate=1))[2] == (ShownMoment(1, 0.0), ShownMoment(2, 0.0))


@pytest.fixture
def drawn(qapp):
    made = []

    def draw(scenes, number, **choices):
        made.append(FilmDrawer(film(*scenes), VideoChoices(SMALL, rate=10, **choices)))
        return made[-1].picture(number)

    yield draw
    for drawer in made:
        drawer.close()


def test_the_same_picture_is_drawn_again_the_same(drawn):
    first = drawn([moving([0.0, 1.0])], 3)
    assert first.shape == (90, 160, 3)
    assert np.array_equal(first, drawn([moving([0.0, 1.0])], 3))


def test_the_themes_look_different_and_words_are_seen_in_both(drawn):
    light, dark = (drawn([moving([0.0, 1.0])], 0, theme=theme) for theme in ("light", "dark"))
    assert light.mean() > 180 > 90 > dark.mean()
    for picture in (light, dark):
        words = picture[70:, :80].astype(int)
        assert np.ptp(words.mean(axis=2)) > 120


def column_of(picture):
    """Where the blue box is, as the column of its middle."""
    red, blue = picture[:60, :, 0].astype(int), picture[:60, :, 2].astype(int)
    return float(np.nonzero(blue - red > 60)[1].mean())


def test_a_camera_that_follows_keeps_what_moves_where_it_was(drawn):
    places = np.array([[0.0, 0.0, 0.5], [4.0, 0.0, 0.5]])
    scene = moving([0.0, 1.0], places=[0.0, 4.0], tracks=(Track("box", places),))
    begin, end = (column_of(drawn([scene], number)) for number in (0, 10))
    still_begin, still_end = (column_of(drawn([scene], number, follows=False)) for number in (0, 10))
    assert abs(end - begin) < 4
    assert still_end - still_begin > 20


def test_a_narrow_picture_of_a_wide_view_shows_all_that_was_in_sight(qapp):
    scene = moving([0.0, 1.0], places=[-5.0, -5.0])
    seen = Camera(target=(0.0, 0.0, 0.0), distance=14.0, azimuth_deg=-90.0, elevation_deg=10.0)
    sides = [FilmSide(scene, view_state=seen, aspect=aspect) for aspect in (None, 2.5)]
    drawers = [FilmDrawer(Film((side,)), VideoChoices((240, 240), rate=2)) for side in sides]
    near, far = (int((np.ptp(drawer.picture(0)[:200, :100].astype(int), axis=2) > 60).sum()) for drawer in drawers)
    for drawer in drawers:
        drawer.close()
    assert near == 0 < far


def test_two_sides_are_beside_each_other(drawn):
    picture = drawn([moving([0.0, 1.0]), moving([0.0, 1.0])], 0)
    left, right = picture[20:60, :80].astype(int), picture[20:60, 80:].astype(int)
    assert np.abs(left[:, 2:-2] - right[:, 2:-2]).mean() < 8


def test_figures_that_are_too_long_for_the_picture_stand_figures_in_two_lines():
    words = "1.40 s · machine 7.86 m forward · 1.00 m high · 10.2 m/s"
    assert figures_in_two_lines(words) == ["1.40 s · machine 7.86 m forward", "1.00 m high · 10.2 m/s"]
    assert figures_in_two_lines("before the first edit") == ["before the first edit"]
