"""Viewpoints and pictures."""

import io

import numpy as np
import pytest

from spatial_workbench.engine.core.formats.png import png
from spatial_workbench.engine.cube.facelets import SOLVED, apply_moves
from spatial_workbench.engine.cube.geometry import FACE_OF
from spatial_workbench.engine.cube.letters import RGB, ColourLetter
from spatial_workbench.engine.cube.notation import parse_moves
from spatial_workbench.engine.cube.pictures import (
    BODY,
    VERTEX_BACKGROUND,
    as_png,
    face_picture,
    net_centre,
    net_picture,
    vertex_picture,
)
from spatial_workbench.engine.cube.strings import colours_of_faces
from spatial_workbench.engine.cube.views import (
    DIRECTIONS,
    FACE_VIEWS,
    INITIAL_FACE_VIEW,
    INITIAL_VERTEX_VIEW,
    VERTEX_VIEWS,
    DirectionError,
    VertexView,
    transform,
)
from tests.cube.tables import GEOMETRY, VECTORS

STATE = colours_of_faces(apply_moves(SOLVED, parse_moves("R U F' L2 D B' R2 U'")))


def rgb(letter):
    return RGB[ColourLetter(letter)]


def walk(view, *directions):
    for direction in directions:
        view, _ = transform(view, direction)
    return view


# Face views ----------------------------------------------------------------------------------------------------------


def test_there_are_the_24_known_face_views_with_their_stickers_and_transitions():
    known = {row["id"]: row for row in GEOMETRY["face_views"]}
    assert {view.id for view in FACE_VIEWS} == set(known)
    for view in FACE_VIEWS:
        assert list(view.stickers) == known[view.id]["stickers"]
        assert {d: view.moved(d).id for d in DIRECTIONS} == known[view.id]["transitions"]


@pytest.mark.parametrize("view", FACE_VIEWS, ids=lambda view: view.id)
def test_the_camera_comes_back_by_the_opposite_way_and_all_the_way_round(view):
    assert walk(view, "up", "down") == walk(view, "left", "right") == view
    assert walk(view, *["left"] * 4) == walk(view, *["up"] * 4) == view


def test_up_left_down_turns_the_front_face_by_90_degrees():
    assert INITIAL_FACE_VIEW.id == "F/U"
    assert walk(INITIAL_FACE_VIEW, "up", "left", "down").id == "F/L"


def test_all_24_face_views_are_reached_from_the_first():
    reached = {INITIAL_FACE_VIEW}
    while (more := reached | {view.moved(d) for view in reached for d in DIRECTIONS}) != reached:
        reached = more
    assert len(reached) == 24


# Vertex views --------------------------------------------------------------------------------------------------------


def test_the_eight_vertex_views_have_their_known_faces_transitions_and_polygons():
    for row in GEOMETRY["vertex_views"]:
        view = VertexView(row["id"])
        assert view.faces == tuple(row["visible"][place] for place in ("cap", "left", "right"))
        assert {d: view.moved(d).id for d in DIRECTIONS} == row["transitions"]
        assert set(view.polygons) == {entry["sticker"] for entry in row["polygons"]}
        for entry in row["polygons"]:
            gaps = np.linalg.norm(np.array(entry["polygon"])[:, None] - view.polygons[entry["sticker"]], axis=2)
            assert gaps.min(axis=1).max() < 2e-5
            assert sorted(gaps.argmin(axis=1)) == [0, 1, 2, 3]


@pytest.mark.parametrize("view", VERTEX_VIEWS, ids=lambda view: view.id)
def test_left_four_times_walks_round_the_ring(view):
    assert walk(view, *["left"] * 4) == walk(view, "left", "right") == view
    assert len({walk(view, *["right"] * i) for i in range(4)}) == 4


def test_up_in_the_upper_ring_and_down_in_the_lower_change_nothing_and_say_so():
    assert transform(INITIAL_VERTEX_VIEW, "up") == (INITIAL_VERTEX_VIEW, "view unchanged: already at the top")
    low = VertexView("DRF")
    assert transform(low, "down") == (low, "view unchanged: already at the bottom")
    assert transform(low, "up") == (INITIAL_VERTEX_VIEW, "ok")


def test_two_opposite_corners_show_all_54_stickers():
    assert set(VertexView("URF").polygons) | set(VertexView("DLB").polygons) == set(range(54))


@pytest.mark.parametrize("view", [INITIAL_FACE_VIEW, INITIAL_VERTEX_VIEW])
def test_another_direction_is_refused(view):
    with pytest.raises(DirectionError, match="E_DIRECTION: 'north' is not one of up, down, left, right"):
        transform(view, "north")


# Pictures ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", VECTORS[:7])
def test_the_middle_of_every_sticker_of_the_net_has_its_colour(vector):
    picture = net_picture(vector["env_colours"])
    assert picture.shape == (624, 480, 3)
    for number, letter in enumerate(vector["env_colours"]):
        x, y = net_centre(number)
        assert tuple(picture[y, x]) == rgb(letter)


def test_the_net_has_its_background_its_black_borders_and_no_other_colours():
    picture = net_picture(STATE)
    assert tuple(picture[0, 0]) == (50, 50, 50)
    assert tuple(picture[24, 24 + 3 * 48]) == tuple(picture[25, 25 + 3 * 48]) == (0, 0, 0)
    assert tuple(picture[26, 26 + 3 * 48]) == rgb(STATE[0])
    colours = {tuple(c) for c in np.unique(picture.reshape(-1, 3), axis=0).tolist()}
    assert colours == {(50, 50, 50), (0, 0, 0), *map(rgb, "WRBOGY")}


@pytest.mark.parametrize("view", FACE_VIEWS, ids=lambda view: view.id)
def test_the_middle_of_every_sticker_of_a_face_has_its_colour(view):
    picture = face_picture(STATE, view)
    assert picture.shape == (252, 252, 3)
    for place, number in enumerate(view.stickers):
        assert tuple(picture[42 + 84 * (place // 3), 42 + 84 * (place % 3)]) == rgb(STATE[number])


@pytest.mark.parametrize(("size", "line", "frame"), [(252, 4, 4), (84, 1, 2), (60, 1, 2)])
def test_a_face_has_black_lines_of_the_known_width(size, line, frame):
    row = face_picture("W" * 54, INITIAL_FACE_VIEW, size)[size // 6]
    black = [x for x in range(size) if tuple(row[x]) == (0, 0, 0)]
    cell = size // 3
    around = [range(p - line // 2, p + line // 2 + 1) for p in (cell, 2 * cell)]
    assert black == [*range(frame), *around[0], *around[1], *range(size - frame, size)]


@pytest.mark.parametrize("size", [0, -3, 100])
def test_the_size_of_a_face_s_picture_is_a_multiple_of_three(size):
    with pytest.raises(ValueError, match="multiple of 3"):
        face_picture(STATE, INITIAL_FACE_VIEW, size)


@pytest.mark.parametrize("view", VERTEX_VIEWS, ids=lambda view: view.id)
def test_the_middle_of_every_sticker_seen_from_a_corner_has_its_colour(view):
    picture = vertex_picture(STATE, view)
    for number, polygon in view.polygons.items():
        x, y = (252 * polygon.mean(axis=0)).astype(int)
        assert tuple(picture[y, x]) == rgb(STATE[number])


def test_a_picture_from_a_corner_has_no_colours_but_its_own():
    picture = vertex_picture(STATE, INITIAL_VERTEX_VIEW)
    shown = {rgb(STATE[i]) for i, face in enumerate(FACE_OF) if face in INITIAL_VERTEX_VIEW.faces}
    colours = {tuple(c) for c in np.unique(picture.reshape(-1, 3), axis=0).tolist()}
    assert colours == {VERTEX_BACKGROUND, BODY, (0, 0, 0)} | shown


def test_the_labelled_net_differs_and_keeps_the_colours_around_the_labels():
    plain = net_picture(STATE)
    labelled = net_picture(STATE, labelled=True)
    assert (plain != labelled).any()
    x, y = net_centre(0)
    assert tuple(labelled[y - 20, x - 20]) == rgb(STATE[0])


def test_the_file_is_an_8_bit_rgb_png():
    data = as_png(net_picture(STATE))
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert (data[24], data[25]) == (8, 2)
    assert data == png(net_picture(STATE))
    image = pytest.importorskip("PIL.Image").open(io.BytesIO(data))
    assert (np.asarray(image) == net_picture(STATE)).all()
