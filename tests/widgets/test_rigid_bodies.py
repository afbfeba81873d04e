"""Rigid bodies in the 3D view."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from spatial_workbench.engine.core.scene import Frame, Ground, Scene
from spatial_workbench.widgets.render3d.extent import bounds_of, centers_of, named_parts
from spatial_workbench.widgets.render3d.picking import pick
from spatial_workbench.widgets.render3d.renderer import Renderer3D
from spatial_workbench.widgets.render3d.section import CuttingPlane
from spatial_workbench.widgets.render3d.style import Style
from spatial_workbench.widgets.theme import DARK
from tests.widgets.scenes import CUBE, cubes
from tests.widgets.test_render3d import pixel_of, shot
from tests.widgets.test_render3d_picking import look_down
from tests.widgets.test_viewport3d import show

EIGHTH = (0.0, 0.0, np.sin(np.pi / 8), np.cos(np.pi / 8))
"""45 degrees about z."""
NOWHERE = (np.nan, np.nan, np.nan)
TWO = cubes((0, 0, 0), (6, 0, 0), colors=["#ff0000", "#00ff00"])
SHOWN = ((-4, -4, -2), (10, 4, 2))


@pytest.fixture(scope="module")
def renderer():
    new_renderer = Renderer3D()
    new_renderer.resize(160, 120)
    yield new_renderer
    new_renderer.close()


def drawn(renderer, item, style=None, view="top"):
    return shot(renderer, Scene(items=(item,), bounds=SHOWN), style, view)


def is_red(picture, renderer, point):
    red, green, _ = pixel_of(renderer, picture, point)
    return red > green + 60


def turned(**rest):
    """The two cubes elsewhere, drawn by the same meshes."""
    return replace(TWO, positions=np.array([[3, 1, 0.5], [-2, -1, 0]]), rotations=np.array([EIGHTH, EIGHTH]), **rest)


def test_bodies_are_drawn_where_they_are_and_in_their_colours(renderer):
    picture = drawn(renderer, TWO)
    assert is_red(picture, renderer, (0, 0, 1))
    assert not is_red(picture, renderer, (6, 0, 1))


def test_a_body_is_turned_by_its_quaternion_of_any_length(renderer):
    item = replace(TWO, rotations=np.array([3 * np.array(EIGHTH), (0, 0, 0, 1)]))
    assert is_red(drawn(renderer, item), renderer, (1.3, 0, 1))
    assert not is_red(drawn(renderer, TWO), renderer, (1.3, 0, 1))


@pytest.mark.parametrize("style", [Style(), Style(DARK, {"cube 1": "failed"}, fade_rest=True)], ids=["plain", "faded"])
def test_moved_bodies_look_as_if_they_were_drawn_anew(renderer, style):
    drawn(renderer, TWO, style)
    moved = drawn(renderer, turned(), style, "isometric")
    fresh = drawn(renderer, turned(meshes=[(CUBE[0].copy(), CUBE[1]) for _ in TWO.ids]), style, "isometric")
    assert (moved == fresh).all()


def test_moving_bodies_builds_nothing(renderer):
    drawn(renderer, TWO)
    builds = renderer.drawing.drawers[0].builds
    drawn(renderer, turned())
    assert renderer.drawing.drawers[0].builds == builds


def test_new_colours_are_painted_without_building_anything(renderer):
    drawn(renderer, TWO)
    builds = renderer.drawing.drawers[0].builds
    picture = drawn(renderer, replace(TWO, colors=["#00ff00", "#ff0000"]))
    assert is_red(picture, renderer, (6, 0, 1))
    assert renderer.drawing.drawers[0].builds == builds


def test_a_marked_body_takes_its_role_and_the_others_fade(renderer):
    plain = drawn(renderer, TWO)
    marked = drawn(renderer, TWO, Style(roles={"cube 1": "#ff0000"}, fade_rest=True))
    assert is_red(marked, renderer, (6, 0, 1))
    assert pixel_of(renderer, marked, (0, 0, 1))[2] > pixel_of(renderer, plain, (0, 0, 1))[2] + 50


def test_a_see_through_body_does_not_flicker_over_the_one_that_it_touches(renderer):
    touching = cubes((0.1, 0, 0), (0.1, -2, 0))
    picture = drawn(renderer, touching, Style(roles={"cube 0": "#ff0000"}, fade_rest=True), view="isometric")
    face = [pixel_of(renderer, picture, (0.1 + x, -1, z)) for x in np.linspace(-0.9, -0.3, 9) for z in (0.1, 0.2)]
    assert np.ptp(face, axis=0).max() <= 2


def test_a_body_without_a_place_is_not_drawn_met_or_framed(renderer):
    item = replace(TWO, positions=np.array([NOWHERE, (6, 0, 0)]))
    assert not is_red(drawn(renderer, item), renderer, (0, 0, 1))
    assert pick([item], look_down(0, 0)) is None
    np.testing.assert_array_equal(bounds_of([item]), [(5, -1, -1), (7, 1, 1)])


def test_a_body_may_vanish_and_come_back(renderer):
    whole = drawn(renderer, TWO)
    drawn(renderer, replace(TWO, positions=np.array([NOWHERE, NOWHERE])))
    assert (drawn(renderer, TWO) == whole).all()


def test_a_hidden_body_is_neither_drawn_nor_met(renderer):
    picture = drawn(renderer, TWO, Style(hidden=frozenset({"cube 0"})))
    assert not is_red(picture, renderer, (0, 0, 1))
    assert pick([TWO], look_down(0, 0), hidden={"cube 0"}) is None


def test_without_edges_only_faces_are_drawn(renderer):
    plain, edged = (drawn(renderer, replace(TWO, edges=edges), view="isometric") for edges in (False, True))
    assert len(np.unique(plain.reshape(-1, 4), axis=0)) < len(np.unique(edged.reshape(-1, 4), axis=0))


def test_round_bodies_are_shaded_smoothly_but_keep_their_rims(renderer):
    angle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    vertices = np.concatenate([np.column_stack([ring, np.full(24, z)]) for z in (-1.0, 1.0)])
    i = np.arange(24)
    j = (np.arange(24) + 1) % 24
    o = np.zeros(24, int)
    corners = [(i, j, j + 24), (i, j + 24, i + 24), (o + 24, i + 24, j + 24), (o, j, i)]
    drawn(renderer, cubes((0, 0, 0), meshes=[(vertices, np.concatenate([np.stack(c, axis=1) for c in corners]))]))
    edges = renderer.drawing.drawers[0].parts[2].data
    assert edges.GetNumberOfLines() == 48


def test_the_nearest_body_on_the_line_of_sight_is_met_with_its_face():
    hit = pick([cubes((0, 0, 0), (0, 0, 9), (0, 0, 4))], look_down(0.5, 0.5))
    assert (hit.id, hit.position[2]) == ("cube 1", pytest.approx(10))
    np.testing.assert_allclose(hit.normal, (0, 0, 1), atol=1e-12)


def test_a_turned_body_is_met_at_its_turned_corner_only():
    item = cubes((2, 1, 0), rotations=[EIGHTH])
    assert pick([item], look_down(3.3, 1)).id == "cube 0"
    assert pick([item], look_down(2.9, 1.9)) is None


def test_a_body_that_a_section_cuts_away_is_not_met():
    stack = cubes((0, 0, 0), (0, 0, 9))
    assert pick([stack], look_down(0.5, 0.5).cut(CuttingPlane(2, 5.0))).id == "cube 0"
    assert pick([stack], look_down(0.5, 0.5).cut(CuttingPlane(2, 9.0))).id == "cube 1"


def test_a_section_cuts_bodies(renderer):
    whole = drawn(renderer, TWO)
    renderer.set_section(CuttingPlane(0, 3.0))
    cut = drawn(renderer, TWO)
    renderer.set_section(None)
    assert is_red(cut, renderer, (0, 0, 1))
    assert not np.array_equal(pixel_of(renderer, cut, (6, 0, 1)), pixel_of(renderer, whole, (6, 0, 1)))


def test_no_edges_remain_of_bodies_that_a_section_cuts_away(renderer):
    deep = Scene(items=(TWO,), bounds=SHOWN, ground=Ground(1, (-20, -20, 20, 20), z=-9))
    empty = shot(renderer, replace(deep, items=()))
    renderer.set_section(CuttingPlane(1, -1.1))
    cut = shot(renderer, deep)
    renderer.set_section(None)
    assert (cut == empty).all()


def test_the_centre_of_a_body_is_that_of_its_mesh():
    item = cubes((5, 0, 0), rotations=[(0, 0, 1, 0)], meshes=[(CUBE[0] + [3, 0, 0], CUBE[1])])
    names, centers = centers_of(item)
    assert names == ["cube 0"]
    np.testing.assert_allclose(centers, [(2, 0, 0)], atol=1e-12)


def test_one_body_can_be_framed_and_named():
    (part,) = named_parts([TWO], ["cube 1"])
    assert list(part.ids) == ["cube 1"]
    np.testing.assert_array_equal(bounds_of([part]), [(5, -1, -1), (7, 1, 1)])


@pytest.fixture
def view(qtbot):
    return show(qtbot, Scene(items=(TWO,)))


def test_a_body_is_picked_and_box_selected_in_the_view(view):
    x, y = view.project(np.array([[6, 0, 0.0]]))[0]
    assert view.pick(QPointF(x, y)).id == "cube 1"
    assert view.pick_box(QPointF(x - 5, y - 5), QPointF(x + 5, y + 5)) == ("cube 1",)


def test_framing_a_body_that_is_not_placed_shows_everything(view):
    view.set_scene(Scene(items=(replace(TWO, positions=np.array([NOWHERE, (6, 0, 0)])),)))
    view.frame(["cube 0"], animate=False)
    assert np.isfinite(view.camera.distance)


def test_a_box_over_the_view_does_not_take_bodies_that_are_not_placed(view):
    view.set_scene(Scene(items=(replace(TWO, positions=np.array([NOWHERE, (6, 0, 0)])),)))
    assert view.pick_box(QPointF(0, 0), QPointF(view.width(), view.height())) == ("cube 1",)


def test_selected_and_failed_bodies_are_outlined(view):
    view.flush()
    plain = view.picture.drawing._marked.astype(int)
    view.set_selection(["cube 1"])
    view.flush()
    accent = 255 * np.array(view.theme.rgb("accent"))
    changed = np.abs(view.picture.drawing._marked.astype(int) - plain).max(axis=2) > 20
    assert (np.abs(view.picture.drawing._marked[changed][:, :3] - accent).max(axis=1) < 40).sum() > 20


def test_bodies_can_be_ghosts(view):
    view.flush()
    plain = view.grab().toImage()
    view.set_ghost([cubes((3, 0, 0))])
    assert view.grab().toImage() != plain


def test_a_frame_moves_the_bodies_of_a_scene():
    scene = Scene(items=(TWO,), frames=[Frame(0.5, (turned(),))])
    assert scene.at(0).item("cubes").positions[0, 2] == 0.5
    assert list(scene.ids()) == ["cube 0", "cube 1"]
