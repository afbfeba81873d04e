"""Lego hemispherical shell: placing, snapping, filling, mirroring and repeating bricks."""

import numpy as np
import pytest

from spatial_workbench.engine.core import FULL_SCORE
from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.geometry import rectangles
from spatial_workbench.engine.tasks.lego_hemisphere import Brick, BrickShell, Structure, cells, solver, transforms
from spatial_workbench.engine.tasks.lego_hemisphere.answer import poses_of
from spatial_workbench.engine.tasks.lego_hemisphere.assembly import BrickAssembly
from spatial_workbench.engine.tasks.lego_hemisphere.brick import Poses
from spatial_workbench.engine.tasks.lego_hemisphere.editing import (
    along_studs,
    copied_beside,
    joinable,
    propose,
    stepped,
    turned,
)
from spatial_workbench.engine.tasks.lego_hemisphere.placement import Placement

TASK = task("lego_hemisphere")
SHELL = BrickShell(40, 70)
LOW = Brick.at(55, 0, 4.8)
FRONT = Brick.at(0, -56, 4.8)
ON_FRONT = Brick.at(8, -56, 14.4)
RIGHT = Brick.at(56, 0, 4.8, 90)
BACK = Brick.at(0, 56, 4.8)


def placement(*bricks):
    return Placement(SHELL, bricks)


# Placing -------------------------------------------------------------------------------------------------------------


def test_a_brick_on_another_clicks():
    fit = placement(LOW).fit((63, 8, 14.4, 90))

    assert (fit.allowed, fit.clicks) == (True, (0,))
    assert fit.problems == []


def test_a_brick_in_another_overlaps():
    assert [p.message for p in placement(LOW).problems_of((60, 3, 4.8, 10))] == ["Overlaps brick 0"]


def test_a_brick_off_the_studs_is_not_allowed():
    fit = placement(LOW).fit((60, 0, 14.4, 0))

    assert (fit.allowed, fit.misses) == (False, (0,))


def test_a_brick_in_the_air_floats_but_may_be_placed():
    fit = placement(LOW).fit((-55, 0, 24, 0))

    assert fit.allowed
    assert [p.message for p in fit.problems] == ["Floats: there is no brick to click with"]


def test_a_brick_on_the_ground_needs_nobody():
    assert placement().problems_of((55, 0, 4.8, 33)) == []


def test_a_dragged_brick_does_not_meet_itself():
    assert placement(LOW).fit((56, 0, 4.8, 0), ignore=[0]).overlaps == ()


def test_the_ghost_tells_its_share_inside_the_shell():
    assert placement().fit((55, 0, 4.8, 90)).share == pytest.approx(1.0, abs=0.01)
    assert placement().fit((300, 0, 4.8, 90)).share == 0


@pytest.mark.parametrize("seed", range(20))
def test_placing_finds_the_overlaps_that_the_verifier_finds(seed):
    rng = np.random.Generator(np.random.PCG64(seed))
    bricks = TASK.solve(TASK.instances()[0]).bricks
    x, y, z = bricks[rng.integers(len(bricks))].Centroid
    pose = x + rng.integers(-20, 20), y + rng.integers(-20, 20), z + 9.6 * rng.integers(0, 2), rng.integers(0, 90)

    overlaps = BrickAssembly(Poses(np.vstack([poses_of(bricks), pose]))).overlaps

    assert list(placement(*bricks).fit(pose).overlaps) == [overlap.first for overlap in overlaps]


# Snapping ------------------------------------------------------------------------------------------------------------


def test_on_empty_ground_a_brick_snaps_to_8_mm_and_15_degrees():
    assert placement().snap((51, -3), 0, 37) == (48, 0, 4.8, 30)


def test_on_empty_ground_a_brick_may_be_placed_freely():
    assert placement().snap((51.3, -3.2), 0, 37.5, free=True) == (51.3, -3.2, 4.8, 37.5)


def test_on_a_brick_it_snaps_to_its_studs():
    assert placement(Brick.at(55, 3, 4.8)).snap((61, 9), 1, 80) == (63, 11, 14.4, 90)


def test_on_a_turned_brick_it_takes_the_angle():
    ready = placement(Brick.at(50, 0, 4.8, 30))

    pose = ready.snap((53, 4), 1, 100)

    assert pose[3] == 120
    assert ready.fit(pose).clicks == (0,)


def test_under_a_brick_it_snaps_to_that_one():
    assert placement(Brick.at(55, 3, 14.4)).snap((57, 2), 0, 0) == (55, 3, 4.8, 0)


# Filling a layer -----------------------------------------------------------------------------------------------------


def test_filling_every_layer_gives_the_reference():
    reference = TASK.solve(TASK.instances()[0]).bricks

    first = solver.fill_layer(SHELL, 0, ())
    second = solver.fill_layer(SHELL, 1, first)

    assert first + second == tuple(b for b in reference if b.Centroid[2] < 15)


def test_filling_a_full_layer_adds_nothing():
    first = solver.fill_layer(SHELL, 0, ())

    assert solver.fill_layer(SHELL, 0, first) == ()


def test_filling_takes_the_lattice_of_the_layer_below():
    below = transforms.arrayed([Brick.at(50, 3, 4.8, 30)], (1, 1, 1), (32, 16, 9.6))

    new = solver.fill_layer(SHELL, 1, below)

    assert new
    assert TASK.verify(TASK.instances()[0], Structure(bricks=below + new)).checks[7].state == "passed"


def test_filling_goes_around_what_is_there():
    placed = (Brick.at(55, 0, 4.8, 20),)

    new = solver.fill_layer(SHELL, 0, placed)
    verdict = TASK.verify(TASK.instances()[0], Structure(bricks=placed + new))

    assert len(new) > 5
    assert [check.name for check in verdict.checks if check.state != "passed"] == [FULL_SCORE]


# Cells ---------------------------------------------------------------------------------------------------------------


def test_the_cells_of_a_layer_hold_the_volume_of_the_target_there():
    cubic_mm = sum(cells.coverage(SHELL, layer).values.sum() for layer in range(8)) * 8 * 8 * 9.6

    assert cubic_mm == pytest.approx(SHELL.volume_mm3, rel=0.01)


def test_bricks_take_from_what_is_missing():
    empty, covered = (cells.missing(SHELL, 0, bricks).values.sum() for bricks in ((), (Brick.at(56, 0, 4.8, 90),)))

    assert empty - covered == pytest.approx(8)


def test_a_cell_knows_its_corners():
    cell_map = cells.coverage(SHELL, 0)
    middle = len(cell_map.values) // 2

    assert cell_map.corners_mm(middle, middle).tolist() == [[0, 0], [8, 0], [8, 8], [0, 8]]


def test_a_lattice_follows_the_bricks_below():
    lattice = cells.lattice_for(Poses(np.array([[50.0, 3, 4.8, 120]])), 1)
    along, across = rectangles.axes(np.array([30.0]))[0]

    steps = (np.array([50, 3]) - lattice.origin_mm) @ np.array([along, across]).T / 8

    assert lattice.angle_deg == 30
    assert steps == pytest.approx(np.round(steps), abs=0.001)


# Copies --------------------------------------------------------------------------------------------------------------


def test_mirrors_turn_bricks_the_other_way():
    brick = Brick.at(55, 8, 4.8, 30)

    assert transforms.mirrored([brick], "x") == (Brick.at(-55, 8, 4.8, 330),)
    assert transforms.mirrored([brick], "y") == (Brick.at(55, -8, 4.8, 330),)


def test_four_fold_turns_by_quarters_and_gives_each_brick_once():
    assert transforms.four_fold([Brick.at(55, 8, 4.8, 30)]) == (
        Brick.at(55, 8, 4.8, 30),
        Brick.at(-8, 55, 4.8, 120),
        Brick.at(-55, -8, 4.8, 210),
        Brick.at(8, -55, 4.8, 300),
    )
    assert len(transforms.four_fold([Brick.at(0, 0, 4.8)])) == 2


def test_an_array_repeats_bricks_at_a_pitch():
    copies = transforms.arrayed([LOW], (2, 1, 3), (32, 16, 9.6))

    assert [brick.Centroid for brick in copies][:4] == [(55, 0, 4.8), (55, 0, 14.4), (55, 0, 24), (87, 0, 4.8)]
    assert len(copies) == 6


def test_bricks_that_hardly_count_are_left_out():
    worthy = transforms.worth_keeping(SHELL, [LOW, Brick.at(0, 80, 4.8), Brick.at(-70, 0, 4.8, 90)])

    assert worthy == (LOW, Brick.at(-70, 0, 4.8, 90))


def test_a_repeated_brick_is_kept_once():
    assert transforms.without_duplicates([LOW, Brick.at(55, 0, 4.8, 180), LOW]) == (LOW,)


# Many at once --------------------------------------------------------------------------------------------------------


def proposal(placed, *new, **options):
    return propose(Placement(SHELL, placed), poses_of(new), **options)


def test_one_brick_is_judged_as_by_its_fit():
    placement = Placement(SHELL, [FRONT, RIGHT])
    for pose in ((8, -56, 14.4, 0), (3, -56, 14.4, 0), (8, -56, 4.8, 0), (8, -56, 24, 0), (50, 0, 14.4, 30)):
        fit = placement.fit(pose)
        many = propose(placement, [pose])
        assert bool(fit.problems) == bool(many.problems)
        assert fit.clicks == many.clicks


def test_bricks_may_hold_each_other():
    assert proposal([], FRONT, ON_FRONT).problems == []
    assert (
        proposal([], Brick.at(0, -56, 14.4), Brick.at(0, -56, 24)).problems[0].message.startswith("Floats on layer 1")
    )


def test_what_moves_does_not_stand_in_its_own_way():
    assert proposal([FRONT, RIGHT], Brick.at(8, -56, 4.8), ignore=[0], rigid=True).problems == []


def test_of_bricks_that_overlap_the_first_can_join():
    twice = (BACK, Brick.at(8, 56, 4.8), Brick.at(0, 40, 4.8))
    assert joinable(Placement(SHELL, [FRONT]), twice) == (BACK, Brick.at(0, 40, 4.8))


def test_four_quarter_turns_lead_back():
    poses = poses_of([FRONT, ON_FRONT, RIGHT])
    result = poses
    for _ in range(4):
        result = turned(result, 90.0)
    assert result.tolist() == poses.tolist()


def test_a_step_without_a_free_place_near_is_not_taken():
    placement = Placement(SHELL, [ON_FRONT])
    assert stepped(placement, poses_of([ON_FRONT]), (8, 0, 0), [0]) is None


def test_steps_go_along_the_studs_of_a_turned_brick():
    assert along_studs((0, 0, 0, 30), (1, 0)).tolist() == pytest.approx([np.cos(np.pi / 6), 0.5])
    assert along_studs((0, 0, 0, 90), (1, 0)).tolist() == [1, 0]


def test_copies_go_on_top_where_there_is_no_room_beside():
    walls = [FRONT, *(Brick.at(x, y, 4.8) for x, y in ((32, -56), (-32, -56), (0, -40), (0, -72)))]
    beside = copied_beside(Placement(SHELL, walls), poses_of([FRONT]))
    assert beside.tolist() == [[0, -56, 14.4, 0]]
