"""Obstacles: shapes that can be checked by hand."""

import math

import numpy as np
import pytest

from spatial_workbench.engine.machines.levels import scenery
from spatial_workbench.engine.machines.levels.scenery import bounds_of


def bounds(*obstacles):
    """The lowest and the highest corner of all."""
    low, high = zip(*(bounds_of(obstacle) for obstacle in obstacles), strict=True)
    return np.min(low, axis=0), np.max(high, axis=0)


def corners(obstacle):
    return np.array(obstacle.center) + scenery.turned(obstacle.rotation, obstacle.vertices)


def test_a_heading_of_90_degrees_turns_forward_to_the_right():
    assert scenery.turned(scenery.about_y(90), [(0, 0, 1)])[0] == pytest.approx((1, 0, 0))
    assert scenery.turned(scenery.about_z(90), [(1, 0, 0)])[0] == pytest.approx((0, 1, 0))


def test_a_wall_runs_from_one_point_to_another_and_stands_on_the_ground():
    low, high = bounds(scenery.wall("wall", (-2, 5), (6, 5), 3, thickness=0.8))
    assert low == pytest.approx((-2, 0, 4.6))
    assert high == pytest.approx((6, 3, 5.4))


def test_a_beam_hangs_with_its_underside_at_the_height():
    low, high = bounds_of(scenery.beam("beam", (0, 10), (20, 2, 1), 4))
    assert low == pytest.approx((-10, 4, 9.5))
    assert high == pytest.approx((10, 6, 10.5))


@pytest.mark.parametrize(
    ("heading", "outside"), [(0, (0, 0, 1)), (90, (1, 0, 0)), (180, (0, 0, -1)), (270, (-1, 0, 0))]
)
def test_a_quarter_pipe_rises_along_its_heading_by_the_formula(heading, outside):
    slabs = scenery.quarter_pipe("pipe", (0, 0), (4, 10, 6), heading=heading)
    assert len(slabs) == 8
    for slab in slabs:
        along = corners(slab) @ outside + 3
        height = corners(slab)[:, 1]
        top = height > 1e-6
        assert height[top] == pytest.approx(10 * (1 - np.sqrt(np.maximum(0, 1 - (along[top] / 6) ** 2))), abs=1e-3)


def test_a_quarter_pipe_on_its_side_bends_to_the_right():
    slabs = scenery.quarter_pipe("pipe", (-4, 24), (4, 3, 2), on_side=True)
    low, high = bounds(*slabs)
    assert (low, high) == (pytest.approx((-5.5, 0, 23)), pytest.approx((-2.5, 4, 25)))
    assert bounds_of(slabs[0])[1][0] < bounds_of(slabs[-1])[1][0] == pytest.approx(-2.5)


def test_a_quarter_cylinder_is_half_as_high_as_it_gets_long_before_it_is_half_as_long():
    points = corners(scenery.quarter_cylinder("step", (0, 0), (10, 2, 8)))
    half = points[np.isclose(points[:, 1], 1)]
    assert half[:, 2] == pytest.approx(-4 + 8 * (1 - math.cos(math.pi / 6)), abs=1e-5)
    assert points[np.isclose(points[:, 2], 4)][:, 1].max() == pytest.approx(2)


def test_a_ridge_has_its_crest_in_the_middle_and_a_ramp_at_its_end():
    ridge = scenery.ridge("ridge", (0, 10), (4, 2, 6))
    ramp = scenery.ramp("ramp", (0, 10), (4, 2, 6))
    assert corners(ridge)[corners(ridge)[:, 1] > 1][:, 2] == pytest.approx(10)
    assert corners(ramp)[corners(ramp)[:, 1] > 1][:, 2] == pytest.approx(13)


@pytest.mark.parametrize("upright", [True, False])
def test_a_ring_leaves_its_radius_open(upright):
    boxes = scenery.ring("ring", (1, 9, 20), 6, upright=upright)
    normal = (0, 0, 1) if upright else (0, 1, 0)
    assert len(boxes) == 16
    for part in boxes:
        size = np.array(part.size)
        inner = np.array([(x, y, z) for x in (-0.5,) for y in (-0.5, 0, 0.5) for z in (-0.5, 0, 0.5)]) * size
        offsets = np.array(part.center) - (1, 9, 20) + scenery.turned(part.rotation, inner)
        assert np.abs(offsets @ normal).max() <= 0.2 + 1e-6
        assert np.linalg.norm(offsets - np.outer(offsets @ normal, normal), axis=1).min() == pytest.approx(6, abs=1e-5)


def test_a_rock_is_sunk_to_a_fifth_of_its_radius_and_comes_from_the_generator():
    stone = scenery.rock("rock", (3, 4), 0.5, np.random.default_rng(1))
    assert stone.center == pytest.approx((3, 0.1, 4))
    assert np.linalg.norm(stone.vertices, axis=1) == pytest.approx(0.5, abs=1e-5)
    assert stone == scenery.rock("rock", (3, 4), 0.5, np.random.default_rng(1))


def test_a_rod_lies_across_half_buried():
    low, high = bounds_of(scenery.rod("rod", (0, 8), 0.3, 20))
    assert (low, high) == (pytest.approx((-10, -0.3, 7.7)), pytest.approx((10, 0.3, 8.3)))


def test_a_cone_stands_on_the_ground():
    low, high = bounds_of(scenery.cone("cone", (2, 3), 0.5, 1))
    assert (low, high) == (pytest.approx((1.5, 0, 2.5)), pytest.approx((2.5, 1, 3.5)))


def test_a_line_turns_to_the_right_first_towards_x():
    path = scenery.path_of((0, 0), (20, (15, 90), 30, (15, -90), 20))
    assert path[:2] == ((0, 0), (0, 20))
    assert path[13] == pytest.approx((15, 35), abs=1e-5)
    assert path[-1] == pytest.approx((60, 70), abs=1e-5)


def test_the_walls_of_a_corridor_keep_their_distance_from_its_line():
    path = scenery.path_of((0, 0), (20, (15, 90), 20))
    walls = scenery.corridor(path, 10, 4, friction=0)
    segments = np.array(path)
    for part in walls[:-1]:
        faces = np.array([(x, 0, z) for x in (-0.5, 0.5) for z in (-0.5, 0, 0.5)]) * part.size
        places = (np.array(part.center) + scenery.turned(part.rotation, faces))[:, [0, 2]]
        assert min(_distance(place, segments) for place in places) == pytest.approx(10, abs=0.1)
    assert bounds_of(walls[-1])[1][2] == pytest.approx(0)


def _distance(place, corners):
    start = corners[:-1]
    step = np.diff(corners, axis=0)
    share = np.clip(np.sum((place - start) * step, axis=1) / np.sum(step**2, axis=1), 0, 1)
    return np.linalg.norm(place - start - share[:, None] * step, axis=1).min()


def test_the_ground_around_a_well_leaves_the_opening_and_nothing_else():
    parts = scenery.well((0, 10), 6, 3, 50)
    inside = [(0, 10), (2.9, 12.9), (-2.9, 7.1)]
    outside = [(3.1, 10), (-3.1, 10), (0, 13.1), (0, 6.9), (49, 49), (-49, -49), (10, 10)]
    assert [_top(parts, place) for place in inside] == [-3] * 3
    assert [_top(parts, place) for place in outside] == [0] * 7


def _top(parts, place):
    """The height of the ground at a place."""
    tops = []
    for part in parts:
        low, high = bounds_of(part)
        if low[0] < place[0] < high[0] and low[2] < place[1] < high[2]:
            tops.append(high[1])
    return max(tops)
