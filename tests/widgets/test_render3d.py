"""Drawing scenes off screen."""

from dataclasses import replace

import numpy as np
import pytest
from vtkmodules.vtkCommonCore import vtkOutputWindow

from spatial_workbench.engine.core.scene import Boxes, Ground, Polygon, Polyline, Scene, Voxels
from spatial_workbench.widgets.render3d import window
from spatial_workbench.widgets.render3d.camera import Camera
from spatial_workbench.widgets.render3d.compose import merge_ghost, outline, over, sample_places, tinted
from spatial_workbench.widgets.render3d.extent import points_of
from spatial_workbench.widgets.render3d.frames import Frames
from spatial_workbench.widgets.render3d.picture import first_camera, png, render_scene, write_png
from spatial_workbench.widgets.render3d.renderer import Renderer3D
from spatial_workbench.widgets.render3d.section import CuttingPlane
from spatial_workbench.widgets.render3d.sheets import sheets_of
from spatial_workbench.widgets.render3d.style import Style, voxel_rows
from spatial_workbench.widgets.theme import DARK, LIGHT
from tests.widgets.scenes import box, bricks, flat_scene, one_of_each, tetrahedron

SIZE = (160, 120)


@pytest.fixture(scope="module")
def renderer():
    new_renderer = Renderer3D()
    new_renderer.resize(*SIZE)
    yield new_renderer
    new_renderer.close()


def shot(renderer, scene, style=None, view="isometric"):
    renderer.camera = first_camera(scene, SIZE[0] / SIZE[1], view)
    renderer.set_scene(scene, style or Style())
    return renderer.draw().astype(int)


def background(renderer):
    return shot(renderer, Scene(items=()))


def pixel_of(renderer, picture, point):
    (x, y), *_ = renderer.camera.project(np.array([point], float), SIZE)[0]
    return picture[int(y), int(x), :3]


def test_the_window_of_a_closed_view_shows_nothing_of_it_in_the_next(monkeypatch):
    monkeypatch.setattr(window, "_spare", [])
    scene = Scene(items=(bricks(3),))
    new, old = Renderer3D(), Renderer3D()
    new.resize(*SIZE)
    old.resize(90, 200)
    first = shot(new, scene)
    shot(old, Scene(items=tuple(one_of_each())))
    taken = old.window._window
    old.close()
    again = Renderer3D()
    again.resize(*SIZE)
    assert again.window._window is taken
    assert np.array_equal(shot(again, scene), first)
    again.close()
    new.close()


def test_only_a_few_windows_of_closed_views_are_kept(monkeypatch):
    spare = []
    monkeypatch.setattr(window, "_spare", spare)
    renderers = [Renderer3D() for _ in range(window.MOST_SPARE + 1)]
    for renderer in renderers:
        renderer.close()
    assert len(spare) == window.MOST_SPARE


@pytest.mark.parametrize("item", [item for item in one_of_each() if item.name != "word"], ids=lambda item: item.name)
def test_every_kind_of_item_leaves_something_in_the_picture(renderer, item):
    empty = background(renderer)
    assert (np.abs(shot(renderer, Scene(items=(item,))) - empty).max(axis=2) > 20).sum() > 10


def test_a_box_is_drawn_where_the_camera_says(renderer):
    picture = shot(renderer, Scene(items=(box("b", (0, 0, 0), (4, 4, 4), colors="#ff0000"),)))
    red, green, blue = pixel_of(renderer, picture, (0, 0, 2))
    assert red > 150
    assert green < 60
    assert blue < 60


def test_an_unchanged_item_costs_nothing_and_a_changed_one_only_itself(renderer):
    first = bricks(3)
    second = tetrahedron()
    shot(renderer, Scene(items=(first, second)))
    drawers = renderer.drawing.drawers
    builds = [drawer.builds for drawer in drawers]
    assert renderer.set_scene(Scene(items=(first, second)), renderer.style) == 0
    changed = replace(first, centers=first.centers + np.array([0, 0, 1]))
    assert renderer.set_scene(Scene(items=(changed, second)), renderer.style) == 1
    assert renderer.drawing.drawers == drawers
    assert [drawer.builds for drawer in drawers] == [builds[0] + 1, builds[1]]


def test_a_highlight_recolours_without_building_geometry(renderer):
    shot(renderer, Scene(items=(bricks(3),)))
    drawer = renderer.drawing.drawers[0]
    builds = drawer.builds
    renderer.set_scene(renderer.scene, Style(roles={"brick 1": "failed"}))
    assert drawer.builds == builds
    assert renderer.draw() is not None


def squares(count, **look):
    corners = np.array([[0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0.0]])
    return tuple(Polygon(id=f"square {i}", points=corners + np.array([5.0 * i, 0, 0]), **look) for i in range(count))


def heap(shares_faces=True):
    """Four tetrahedra in two colours."""
    first = tetrahedron()
    for i, color in enumerate(("accent", "rock", "accent", "rock")):
        faces = first.faces if shares_faces else first.faces.copy()
        moved = np.asarray(first.vertices) + np.array([1.5 * i, 0.4 * i, 0])
        yield replace(first, id=f"piece {i}", vertices=moved, faces=faces, color=color, edges=True)


@pytest.mark.parametrize(
    "style",
    [
        Style(),
        Style(DARK, {"piece 1": "failed"}),
        Style(selected=frozenset({"piece 2"}), hidden=frozenset({"piece 0"})),
    ],
    ids=["plain", "marked", "selected"],
)
def test_meshes_with_the_same_faces_look_as_if_each_were_drawn_alone(renderer, style):
    together = shot(renderer, Scene(items=tuple(heap())), style)
    assert len(renderer.drawing.drawers) == 1
    alone = shot(renderer, Scene(items=tuple(heap(shares_faces=False))), style)
    assert len(renderer.drawing.drawers) == 4
    assert (np.abs(together - alone).max(axis=2) > 1).sum() < 5


def test_see_through_meshes_of_one_shape_are_drawn_together_and_the_ground_shines_through(renderer):
    pieces = tuple(replace(piece, opacity=0.3) for piece in heap())
    corners = np.array([[-1, -1, -0.1], [8, -1, -0.1], [8, 3, -0.1], [-1, 3, -0.1]])
    ground = Polygon(id="ground", points=corners, color="#00ff00")
    picture = shot(renderer, Scene(items=(ground, *pieces)), view="top")
    red, green, _ = pixel_of(renderer, picture, pieces[0].vertices.mean(axis=0))
    assert len(renderer.drawing.drawers) == 2
    assert green > red + 40


def test_polygons_in_space_are_drawn_together(renderer):
    shot(renderer, Scene(items=squares(40)))
    assert len(renderer.drawing.drawers) == 1


def test_selected_polygons_are_coloured_without_being_built_again(renderer):
    shot(renderer, Scene(items=squares(40)))
    builds = [drawer.builds for drawer in renderer.drawing.drawers]
    renderer.set_scene(renderer.scene, Style(selected=frozenset({"square 3", "square 4"})))
    assert [drawer.builds for drawer in renderer.drawing.drawers] == builds


def test_a_polygon_that_did_not_change_is_not_triangulated_again(renderer):
    before = squares(3)
    shot(renderer, Scene(items=before))
    moved = replace(before[2], points=before[2].points + np.array([0, 0, 1.0]))
    drawn = sheets_of(before)
    assert sheets_of((*before[:2], moved))[:2] == drawn[:2]


def test_each_polygon_keeps_its_colour_and_a_hidden_one_is_not_drawn(renderer):
    red, blue = squares(2, color="#ff0000")[0], squares(2, color="#0000ff")[1]
    picture = shot(renderer, Scene(items=(red, blue)), Style(hidden=frozenset({"square 1"})), view="top")
    assert pixel_of(renderer, picture, (2, 2, 0))[0] > 150
    np.testing.assert_array_equal(
        pixel_of(renderer, picture, (7, 2, 0)),
        pixel_of(renderer, shot(renderer, Scene(items=(red,), bounds=((0, 0, 0), (9, 4, 0))), view="top"), (7, 2, 0)),
    )


def test_a_highlighted_element_takes_the_role_and_no_other_does(renderer):
    scene = Scene(items=(box("a", (0, 0, 0), (4, 4, 4)), box("b", (8, 0, 0), (4, 4, 4))))
    before = shot(renderer, scene)
    after = shot(renderer, scene, Style(roles={"b": "#ff0000"}))
    assert pixel_of(renderer, after, (8, 0, 2))[1] < 60
    np.testing.assert_array_equal(pixel_of(renderer, after, (0, 0, 2)), pixel_of(renderer, before, (0, 0, 2)))


def test_voxels_are_found_by_their_names_and_names_of_others_are_passed_over():
    cells = np.argwhere(np.ones((20, 20, 1), bool))
    item = Voxels(name="cell", cells=cells)
    names = frozenset(item.id_of(cell) for cell in cells[100:300])
    strange = {"cell 99,0,0", "other 1,1,0", "cell x", "cell 1,2", "cell 99999999999999999999,0,0"}
    assert voxel_rows(item, names).tolist() == voxel_rows(item, names | strange).tolist() == list(range(100, 300))


def test_the_name_of_each_voxel_is_read_without_going_through_all_cells():
    class Watched(np.ndarray):
        passes = 0

        def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
            Watched.passes += 1
            plain = [np.asarray(value) if isinstance(value, Watched) else value for value in inputs]
            return getattr(ufunc, method)(*plain, **kwargs)

    item = Voxels(name="cell", cells=np.argwhere(np.ones((20, 20, 1), bool)).view(Watched))
    voxel_rows(item, frozenset(f"cell {x},3,0" for x in range(20)))
    assert Watched.passes < 10


def test_an_outline_is_drawn_once_while_nothing_moves(renderer, monkeypatch):
    shot(renderer, Scene(items=squares(4)))
    frames = Frames(renderer)
    drawn = []
    monkeypatch.setattr(renderer, "outline_of", lambda names, width: drawn.append(names))
    for _ in range(2):
        frames.take(renderer.colors, ["square 1"])
    renderer.camera = renderer.camera.looking("top")
    frames.take(renderer.colors, ["square 1"])
    assert drawn == [("square 1",), ("square 1",)]


def test_the_rest_fades_and_what_was_behind_shines_through(renderer):
    scene = Scene(items=(box("front", (0, 0, 10), (10, 10, 2)), box("back", (0, 0, 0), (4, 4, 4), colors="#ff0000")))
    hidden = pixel_of(renderer, shot(renderer, scene, view="top"), (0, 0, 2))
    faded = shot(renderer, scene, Style(roles={"back": "#ff0000"}, fade_rest=True), view="top")
    shown = pixel_of(renderer, faded, (0, 0, 2))
    assert abs(hidden[0] - hidden[1]) < 40
    assert shown[0] - shown[1] > 90


def test_a_see_through_shell_shows_the_brick_inside(renderer):
    inside = box("inside", (0, 0, 0), (4, 4, 4), colors="#ff0000")
    shell = box("shell", (0, 0, 0), (10, 10, 10), opacity=0.3, colors="target")
    for items in ((inside, shell), (shell, inside)):
        red, green, _ = pixel_of(renderer, shot(renderer, Scene(items=items), view="top"), (0, 0, 2))
        assert red - green > 60


@pytest.mark.parametrize("heights", [(0, -20), (-20, 0)])
def test_of_see_through_boxes_in_a_row_the_nearest_alone_shows(renderer, heights):
    colors = ["#ff0000" if z == 0 else "#0000ff" for z in heights]
    boxes = Boxes(
        name="b",
        ids=["a", "b"],
        centers=np.array([[0.0, 0, z] for z in heights]),
        sizes=np.array([10, 10, 2.0]),
        colors=colors,
        opacity=0.4,
    )
    alone = replace(boxes, ids=["a"], centers=np.zeros((1, 3)), colors="#ff0000")
    camera = first_camera(Scene(items=(boxes,)), SIZE[0] / SIZE[1], "top")
    pictures = []
    for item in (boxes, alone):
        renderer.camera = camera
        renderer.set_scene(Scene(items=(item,)), Style())
        pictures.append(renderer.draw()[60, 80])
    np.testing.assert_array_equal(*pictures)


def test_hidden_elements_are_not_drawn(renderer):
    scene = Scene(items=(bricks(1),), ground=Ground(8, (-20, -20, 20, 20)))
    plain = shot(renderer, replace(scene, items=(), bounds=((-16, -8, 0), (16, 8, 9.6))))
    shown = shot(renderer, replace(scene, bounds=((-16, -8, 0), (16, 8, 9.6))), Style(hidden=frozenset({"brick 0"})))
    assert np.abs(plain - shown).max() <= 1


def test_themes_change_the_background_and_the_roles(renderer):
    scene = Scene(items=(bricks(1, "neutral"),))
    light, dark = (shot(renderer, scene, Style(theme)) for theme in (LIGHT, DARK))
    assert light[2, 2, :3].mean() > 200
    assert dark[2, 2, :3].mean() < 80
    assert np.abs(pixel_of(renderer, light, (0, 0, 9)) - pixel_of(renderer, dark, (0, 0, 9))).max() > 20


def test_bricks_of_one_colour_read_apart_by_their_edges(renderer):
    pair = Scene(items=(box("a", (-2, 0, 0), (4, 4, 4)), box("b", (2, 0, 0), (4, 4, 4))))
    picture = shot(renderer, pair, view="top")
    assert picture[60, 80, :3].mean() < pixel_of(renderer, picture, (-2, 0, 2)).mean() - 15


def test_a_ghost_is_hidden_behind_a_brick_and_seen_in_front_of_it(renderer):
    shot(renderer, Scene(items=(bricks(1, "#808080"),)), view="top")
    ghost = Style(roles={"ghost": "accent"})
    under = renderer.with_ghost(renderer.colors, [box("ghost", (0, 0, -9), (8, 8, 4))], ghost, 0.7)
    above = renderer.with_ghost(renderer.colors, [box("ghost", (0, 0, 19), (8, 8, 4))], ghost, 0.7)
    np.testing.assert_array_equal(under, renderer.colors)
    assert int(above[60, 80, 2]) - int(above[60, 80, 0]) > 40


def test_a_merged_brick_looks_as_in_a_full_frame(renderer):
    three = bricks(3)
    scene = Scene(items=(three,), bounds=((-16, -8, 0), (16, 56, 20)))
    full = shot(renderer, scene)
    shot(renderer, replace(scene, items=(bricks(2),)))
    added = replace(three, ids=three.ids[2:], centers=three.centers[2:])
    merged = renderer.with_ghost(renderer.colors, [added], Style(), 1.0)
    assert (np.abs(merged.astype(int) - full).max(axis=2) > 8).mean() < 0.002


def test_an_outline_surrounds_its_element(renderer):
    shot(renderer, Scene(items=(bricks(2),)))
    (x, y, width, height), opacity = renderer.outline_of(["brick 1"], 2.0)
    assert opacity.shape == (height, width)
    assert opacity.max() == 255
    center = renderer.camera.project(np.array([[0, 24, 4.8]]), SIZE)[0][0]
    assert opacity[int(center[1]) - y, int(center[0]) - x] == 0


def test_the_outline_of_a_whole_item_is_drawn_again_without_building_geometry(renderer):
    rock = Voxels(name="rock", cells=np.argwhere(np.ones((3, 3, 3))), colors="rock")
    shot(renderer, Scene(items=(rock,)))
    first = renderer.outline_of(["rock"], 2.0)
    (drawer,) = renderer._marked.drawers
    renderer.camera = renderer.camera.looking("front")
    renderer.draw()
    again = renderer.outline_of(["rock"], 2.0)
    assert drawer.builds == 1
    assert first[1].max() == again[1].max() == 255
    assert first[0] != again[0]


def test_a_coarse_smaller_frame_shows_the_same_scene(renderer):
    scene = Scene(items=(bricks(3),))
    full = shot(renderer, scene)
    small = renderer.draw(resolution=0.5, coarse=True).astype(int)
    assert small.shape == (60, 80, 4)
    assert abs(small.mean() - full.mean()) < 4
    np.testing.assert_array_equal(renderer.draw(), full)


def test_a_voxel_highlight_marks_its_cell(renderer):
    cells = np.array([[0, 0, 0], [1, 0, 0]])
    scene = Scene(items=(Voxels(name="rock", cells=cells),))
    picture = shot(renderer, scene, Style(roles={"rock 1,0,0": "#ff0000"}), view="top")
    assert pixel_of(renderer, picture, (1.5, 0.5, 1))[1] < 60
    assert pixel_of(renderer, picture, (0.5, 0.5, 1))[1] > 100


def test_orthographic_and_perspective_frames_differ(renderer):
    scene = Scene(items=(bricks(3),))
    deep = shot(renderer, scene)
    renderer.camera = replace(renderer.camera, orthographic=True)
    assert (np.abs(renderer.draw().astype(int) - deep).max(axis=2) > 20).any()


def test_a_flat_scene_is_seen_with_its_y_axis_up_or_down():
    up, down = (first_camera(flat_scene(y_up), 1.0) for y_up in (True, False))
    assert up.axes[1][1] == pytest.approx(1)
    assert down.axes[1][1] == pytest.approx(-1)


def test_render_scene_gives_a_picture_of_the_size_asked_for():
    picture = render_scene(Scene(items=(bricks(2),)), (90, 70), DARK, samples=2)
    assert picture.shape == (70, 90, 4)
    assert (picture[..., 3] == 255).all()
    assert picture[..., :3].std() > 5


def test_equal_scenes_give_equal_pictures():
    first, second = (render_scene(Scene(items=(bricks(2),)), (90, 70), samples=3) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_more_samples_make_softer_edges():
    scene = Scene(items=(box("b", (0, 0, 0), (4, 4, 4), colors="#000000"),))
    rough, soft = (len(np.unique(render_scene(scene, (90, 70), samples=n)[..., 0])) for n in (1, 8))
    assert soft > rough


def test_a_png_file_holds_the_picture(tmp_path, qapp):
    from PySide6.QtGui import QImage

    picture = render_scene(Scene(items=(bricks(1),)), (40, 30), samples=1)
    write_png(picture, tmp_path / "p.png")
    image = QImage(str(tmp_path / "p.png"))
    assert (image.width(), image.height()) == (40, 30)
    assert image.pixelColor(20, 15).getRgb()[:3] == tuple(picture[15, 20, :3].tolist())
    assert png(picture).startswith(b"\x89PNG")


def test_a_frame_of_a_moving_scene_holds_what_did_not_move():
    scene = Scene(items=one_of_each())
    assert all(len(points_of(item)) for item in scene.items)


def test_a_nearer_ghost_wins_by_depth():
    under = np.zeros((1, 3, 4), np.uint8)
    ghost = np.full((1, 3, 4), 200, np.uint8)
    solid = np.array([[0.5, 0.5, 1.0]], np.float32)
    depth = np.array([[0.4, 0.6, 1.0]], np.float32)
    merged = merge_ghost(under, solid, solid, ghost, depth, 1.0)
    assert merged[0, :, 0].tolist() == [200, 0, 0]


def test_an_outline_lies_outside_its_mask():
    mask = np.zeros((20, 20), bool)
    mask[8:12, 8:12] = True
    line = outline(mask, 2)
    assert not line[mask].any()
    assert line[7, 10] > 100
    assert line[2, 2] == 0


def test_pixels_without_opacity_change_nothing():
    under = np.random.default_rng(0).integers(0, 255, (4, 4, 4)).astype(np.uint8)
    under[..., 3] = 255
    np.testing.assert_array_equal(over(tinted(np.zeros((4, 4), np.uint8), (1, 0, 0)), under), under)


def test_samples_are_spread_about_the_middle_of_the_pixel():
    places = sample_places(16)
    assert np.ptp(places, axis=0).min() > 0.8
    assert np.abs(places).max() < 0.6


def test_the_camera_keeps_everything_between_near_and_far(renderer):
    scene = Scene(items=(bricks(3),), ground=Ground(8, (-200, -200, 200, 200)))
    renderer.set_scene(scene, Style())
    for camera in (Camera(distance=5), first_camera(scene, 1.3), Camera(distance=9000)):
        near, far = camera.clipping_range(renderer.bounds)
        assert 0 < near < far


def test_a_section_shows_what_is_inside(renderer):
    inside = box("inside", (0, 0, 0), (6, 6, 6), colors="#ff0000")
    scene = Scene(items=(box("shell", (0, 0, 0), (10, 10, 10), colors="#ffffff"), inside))
    whole = shot(renderer, scene, view="top")
    renderer.set_section(CuttingPlane(axis=2, offset=4.0))
    opened = renderer.draw()[60, 80].astype(int)
    renderer.set_section(None)
    assert opened[0] - opened[1] > 90
    np.testing.assert_array_equal(renderer.draw(), whole)


def test_a_section_leaves_no_brick_out(renderer):
    block = bricks(1, "#ff0000")
    centers = np.array([[32.0 * x, 16.0 * y, 9.6 * z] for x in range(3) for y in range(3) for z in range(3)])
    colors = ["#00ff00"] * 13 + ["#ff0000"] + ["#00ff00"] * 13
    scene = Scene(items=(replace(block, ids=[f"brick {i}" for i in range(27)], centers=centers, colors=colors),))
    shot(renderer, scene, view="top")
    renderer.set_section(CuttingPlane(axis=2, offset=12.0))
    opened = renderer.draw()[60, 80].astype(int)
    renderer.set_section(None)
    assert opened[0] > opened[1] + 40


@pytest.mark.parametrize("orthographic", [False, True])
def test_a_section_cuts_lines_and_wireframes_where_it_cuts_solids(renderer, orthographic):
    frame = box("frame", (0, 0, 0), (10, 10, 10))
    wires = replace(tetrahedron(wireframe=True, color="#ff0000"), vertices=tetrahedron().vertices + np.array([0, 0, 2]))
    line = Polyline(id="line", points=np.array([[0, 0, 6], [8, 0, 6.0]]), color="#00ff00", width_px=6)
    scene = Scene(items=(frame, wires, line))
    renderer.set_section(CuttingPlane(axis=2, offset=1.0))
    renderer.camera = replace(first_camera(scene, SIZE[0] / SIZE[1]), orthographic=orthographic)
    renderer.set_scene(scene, Style())
    opened = renderer.draw().copy()
    renderer.set_scene(Scene(items=(frame,)), Style())
    alone = renderer.draw().copy()
    renderer.set_section(None)
    np.testing.assert_array_equal(opened, alone)


def test_an_error_that_vtk_reports_is_kept_for_the_test(vtk_reports):
    vtkOutputWindow.GetInstance().DisplayErrorText("a shader does not compile")
    assert vtk_reports.pop() == "a shader does not compile"
