"""Editing of cage parts: bars under the pointer, places and angles, snapping."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_workbench.engine.tasks.interlocking_parts import Cage, InterlockingParts, Part, assembly
from spatial_workbench.engine.tasks.interlocking_parts.answer import IDENTITY
from spatial_workbench.engine.tasks.interlocking_parts.editing import (
    CageBox,
    CageEditError,
    Hole,
    bar_at,
    changed,
    drawn_bar,
    face_snap,
    grid_panel,
    lines_of,
    mirrored,
    opposite,
    placed,
    pose_of,
    snapped,
    turned,
)
from spatial_workbench.engine.tasks.interlocking_parts.making import make

TASK = InterlockingParts()
CAGE = Cage.of(TASK.instances()[0].parameters)
PARTS = TASK.solve(TASK.instances()[0]).parts
PLATE = PARTS[0]
SOUTH = PARTS[2]

angles = st.floats(-180, 180)


def solid(part):
    return make(part).solid


def after(part, change):
    return part.model_copy(update={"fileContents": changed(CAGE, part, change)})


def test_a_click_on_a_bar_means_the_piece_between_the_bars_that_cross_it():
    assert bar_at(CAGE, solid(PLATE), (5, 36)) == CageBox((-31, 31, 31, 41), False)
    assert bar_at(CAGE, solid(PLATE), (-36, 0)) == CageBox((-41, -31, -31, 31), False)


def test_a_click_in_a_window_means_a_bar_across_it_and_on_a_crossing_nothing():
    assert bar_at(CAGE, solid(PLATE), (0, 0)) == CageBox((-31, -5, 31, 5), True)
    assert bar_at(CAGE, solid(PLATE), (36, 36)) is None
    assert bar_at(CAGE, solid(PLATE), (300, 0)) is None


def test_off_and_on_again_is_the_same_solid():
    off = after(PLATE, bar_at(CAGE, solid(PLATE), (0, 36)))
    on = after(off, bar_at(CAGE, solid(off), (0, 36)))
    assert solid(on).volume == pytest.approx(solid(PLATE).volume)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (CageBox((-300, -300, 300, 300), False), "Nothing would be left"),
        (CageBox((-20, -20, 20, 20), False), "Nothing is there"),
        (CageBox((-20, 31, 20, 41), True), "material already"),
        (CageBox((5, 5, 5, 9), True), "no length"),
        (Hole("round", (0.0, 0.0)), "Nothing is there"),
    ],
)
def test_a_change_that_changes_nothing_or_everything_is_refused(change, words):
    with pytest.raises(CageEditError, match=words):
        changed(CAGE, PLATE, change)


def test_a_part_that_is_no_solid_cannot_be_changed():
    with pytest.raises(CageEditError, match="not a solid"):
        changed(CAGE, PLATE.model_copy(update={"fileContents": "x"}), CageBox((0, 0, 1, 1), True))


def test_a_grid_panel_is_as_large_as_asked_for():
    panel = Part(fileContents=grid_panel(CAGE, 300, 200, 72), fileType="STL", transform=IDENTITY)
    low, high = solid(panel).bounds
    assert (high - low).tolist() == [300, 200, 10]
    with pytest.raises(CageEditError, match="wider than two bars"):
        grid_panel(CAGE, 15, 200, 72)


def test_a_mirror_image_lies_on_the_other_side():
    cut = after(SOUTH, CageBox((100, -200, 200, 0), False))
    image = solid(cut.model_copy(update={"fileContents": mirrored(cut)}))
    assert image.center[0] == pytest.approx(-solid(cut).center[0])
    assert image.volume == pytest.approx(solid(cut).volume)


def test_drawn_bars_follow_the_longer_way():
    assert drawn_bar(CAGE, (0, 0), (50, 9)) == CageBox((0, -5, 50, 5), True)
    assert drawn_bar(CAGE, (0, 0), (9, -50)) == CageBox((-5, -50, 5, 0), True)


def test_coordinates_snap_to_edges_and_middles_of_bars():
    us, _ = lines_of(solid(PLATE), CAGE.bar)
    assert {-185.0, -180.0, -41.0, -36.0, -31.0} <= set(us)
    assert snapped(-34.4, us) == -36
    assert snapped(0.3, us) == 0


@given(st.tuples(angles, st.floats(-89, 89), angles), st.tuples(angles, angles, angles))
def test_position_and_angles_say_the_same_as_the_transform(turns, position):
    matrix = placed(position, turns)
    assert assembly.rigid_problem(matrix, 16) == ""
    assert np.allclose(placed(*pose_of(matrix)), matrix)


@given(st.lists(st.integers(0, 2), min_size=1, max_size=8))
def test_quarter_turns_keep_whole_numbers(axes):
    matrix = SOUTH.matrix
    for axis in axes:
        matrix = turned(matrix, axis, 90.0, np.array([1.0, 2.0, 3.0]))
    assert np.array_equal(matrix, np.round(matrix))
    assert np.allclose(placed(*pose_of(matrix)), matrix)


def test_opposite_of_south_is_north():
    assert np.array_equal(opposite(SOUTH.matrix), PARTS[3].matrix)


def test_faces_meet_with_the_clearance_and_the_floor_without():
    bottom = assembly.posed(solid(PLATE), PLATE.matrix)
    assert face_snap(CAGE, 11.0, 300.0, 2, [bottom], 0.2, 3.0) == (pytest.approx(-0.8), "a face of part 0")
    assert face_snap(CAGE, 0.5, 300.0, 2, [], 0.2, 3.0) == (-0.5, "the floor")
    assert face_snap(CAGE, 50.0, 300.0, 2, [], 0.2, 3.0) == (0.0, "")
