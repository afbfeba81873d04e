"""What a line of sight meets."""

import numpy as np
import pytest

from spatial_workbench.engine.core.scene import HeightField, Points, Polygon, Polyline, Voxels
from spatial_workbench.widgets.render3d.camera import Camera
from spatial_workbench.widgets.render3d.extent import centers_of
from spatial_workbench.widgets.render3d.picking import Sight, inside_polygon, pick
from spatial_workbench.widgets.render3d.section import CuttingPlane
from tests.widgets.scenes import box, bricks, one_of_each, tetrahedron

SIZE = (400.0, 300.0)


def look_down(x, y, width=40.0):
    """A line of sight from above through (x, y), with 400 pixels over the width."""
    camera = Camera((x, y, 0.0), orthographic=True).looking("top")
    camera = camera.framing(np.array([[x - width / 2, y - 1, -200.0], [x + width / 2, y + 1, 200.0]]), 4 / 3)
    return Sight.through(camera, SIZE, (200.0, 150.0))


def test_the_nearest_of_two_boxes_is_met_with_its_upper_face():
    stack = [box("low", (0, 0, 5), (10, 10, 10)), box("high", (0, 0, 25), (10, 10, 10))]
    hit = pick(stack, look_down(1, 2))
    assert (hit.id, hit.normal) == ("high", (0, 0, 1))
    np.testing.assert_allclose(hit.position, (1, 2, 30))


def test_a_turned_box_is_met_at_its_turned_corner_only():
    turned = [box("turned", (0, 0, 0), (10, 10, 10), angle_deg=45)]
    assert pick(turned, look_down(6.5, 0)).id == "turned"
    assert pick(turned, look_down(4.5, 4.5)) is None


def test_the_side_of_a_turned_box_has_a_turned_normal():
    camera = Camera((0.0, 0.0, 0.0), distance=100, orthographic=True).looking("front")
    hit = pick([box("turned", (0, 0, 0), (10, 10, 10), angle_deg=30)], Sight.through(camera, SIZE, (200, 150)))
    np.testing.assert_allclose(hit.normal, [np.sin(np.radians(30)), -np.cos(np.radians(30)), 0], atol=1e-12)


def test_hidden_and_unpickable_elements_are_looked_through():
    items = [bricks(1), box("cover", (0, 0, 50), (90, 90, 1), pickable=False)]
    assert pick(items, look_down(0, 0)).id == "brick 0"
    assert pick(items, look_down(0, 0), hidden={"brick 0"}) is None
    assert pick(items, look_down(0, 0), hidden={"bricks"}) is None


def test_a_voxel_is_named_by_its_cell():
    cells = np.array([[3, 4, 0], [3, 4, 1], [0, 0, 0]])
    item = Voxels(name="rock", cells=cells, pitch=2.0, origin=(10.0, 0.0, 0.0))
    hit = pick([item], look_down(17, 9))
    assert (hit.id, hit.normal) == ("rock 3,4,1", (0, 0, 1))
    assert hit.position[2] == pytest.approx(4)
    assert pick([item], look_down(17, 9), hidden={"rock 3,4,1"}).id == "rock 3,4,0"
    assert pick([item], look_down(13, 3)) is None


@pytest.mark.parametrize("seed", range(5))
def test_the_grid_walk_finds_the_same_voxel_as_boxes_do(seed):
    rng = np.random.default_rng(seed)
    cells = np.unique(rng.integers(0, 6, (60, 3)), axis=0)
    voxels = Voxels(name="v", cells=cells)
    camera = Camera((3.0, 3.0, 3.0), distance=20, azimuth_deg=rng.uniform(0, 360), elevation_deg=rng.uniform(-80, 80))
    for place in rng.uniform((50, 50), (350, 250), (20, 2)):
        sight = Sight.through(camera, SIZE, tuple(place))
        boxes = [box(voxels.id_of(cell), cell + 0.5, (1, 1, 1)) for cell in cells]
        expected = pick(boxes, sight)
        hit = pick([voxels], sight)
        assert (hit and hit.id) == (expected and expected.id)
        if hit:
            np.testing.assert_allclose(hit.normal, expected.normal, atol=1e-9)


def test_a_mesh_is_met_where_its_triangle_is():
    hit = pick([tetrahedron()], look_down(2, 2))
    np.testing.assert_allclose(hit.position, (2, 2, 6), atol=1e-9)
    np.testing.assert_allclose(hit.normal, np.full(3, 3**-0.5), atol=1e-9)


@pytest.mark.parametrize("steps", [False, True])
def test_a_height_field_is_met_at_its_height(steps):
    field = HeightField(id="hills", heights=np.full((3, 4), 7.0), origin=(0.0, 0.0, 1.0), pitch=2.0, steps=steps)
    np.testing.assert_allclose(pick([field], look_down(3, 3)).position, (3, 3, 8), atol=1e-9)


def test_a_cell_without_a_height_is_a_hole():
    field = HeightField(id="water", heights=np.array([[1.0, np.nan]]), steps=True)
    assert pick([field], look_down(0.5, 0.5)).id == "water"
    assert pick([field], look_down(1.5, 0.5)) is None


def test_the_notch_of_a_polygon_is_not_part_of_it():
    notched = np.array([[0, 0], [4, 0], [4, 4], [2, 1], [0, 4.0]])
    assert inside_polygon(np.array([2, 0.5]), notched)
    assert not inside_polygon(np.array([2, 3.0]), notched)
    assert pick([Polygon(id="p", points=notched)], look_down(2, 3)) is None


def test_a_line_is_met_within_a_few_pixels_and_before_the_face_it_lies_in():
    face = Polygon(id="face", points=np.array([[-20, -20], [20, -20], [20, 20], [-20, 20.0]]))
    line = Polyline(id="line", points=np.array([[0, -10], [0, 10.0]]))
    assert pick([line, face], look_down(0.4, 0)).id == "line"
    assert pick([line, face], look_down(2, 0)).id == "face"


def test_a_point_is_met_within_its_size():
    points = Points(name="points", ids=["a", "b"], positions=np.array([[0, 0], [10, 0.0]]), size_px=10)
    assert pick([points], look_down(9.7, 0)).id == "b"
    assert pick([points], look_down(5, 0)) is None


def test_of_two_faces_in_one_plane_the_later_one_is_on_top():
    square = np.array([[-5, -5], [5, -5], [5, 5], [-5, 5.0]])
    assert pick([Polygon(id="under", points=square), Polygon(id="over", points=square)], look_down(0, 0)).id == "over"


def test_every_kind_but_labels_can_be_picked_at_its_centre():
    for item in one_of_each()[:3]:
        names, centers = centers_of(item)
        assert pick([item], look_down(*centers[0][:2])).id.split()[0] == names[0].split()[0]


@pytest.mark.parametrize(("section", "hit_id"), [(CuttingPlane(2, 20.0), "low"), (CuttingPlane(2, 27.0), "high")])
def test_what_a_section_cuts_away_is_not_met(section, hit_id):
    stack = [box("low", (0, 0, 5), (10, 10, 10)), box("high", (0, 0, 25), (10, 10, 10))]
    hit = pick(stack, look_down(1, 2).cut(section))
    assert hit.id == hit_id
    assert hit.position[2] == pytest.approx(min(10 if hit_id == "low" else 30, section.offset))


def test_a_section_that_keeps_what_is_above_hides_the_rest():
    stack = [box("low", (0, 0, 5), (10, 10, 10)), box("high", (30, 0, 25), (10, 10, 10))]
    assert pick(stack, look_down(1, 2).cut(CuttingPlane(2, 20.0, keep_above=True))) is None
