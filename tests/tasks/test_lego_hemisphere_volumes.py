"""Lego hemispherical shell: volumes, the reference solutions, and the agreement of both methods."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from spatial_workbench.engine.core import FULL_SCORE, Cancelled, State
from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.geometry import rectangles
from spatial_workbench.engine.tasks.lego_hemisphere import BrickShell, Structure, crosscheck, shell_of, volume
from spatial_workbench.engine.tasks.lego_hemisphere.answer import bricks_at, poses_of
from spatial_workbench.engine.tasks.lego_hemisphere.assembly import BrickAssembly
from spatial_workbench.engine.tasks.lego_hemisphere.brick import Poses
from tests.sweeps import some

TASK = task("lego_hemisphere")
REFERENCE = [  # bricks, raw without the 0.05 mm tolerance
    *[(137, 0.816), (184, 0.823), (238, 0.829), (301, 0.823)],
    *[(690, 0.855), (953, 0.851), (881, 0.819), (1146, 0.819)],
]


def forget():
    """Empties the memory of volumes, as in a new process."""
    for remembered in (volume._volume_within, volume._missing_in, volume._piece):
        remembered.cache_clear()


def by_solids(shell, poses):
    """I and D by operations on whole solids."""
    from manifold3d import Manifold, OpType

    keys = volume._keys(poses)
    bricks, grown = (
        Manifold.batch_boolean([make(key) for key in keys], OpType.Add) for make in (volume._box, volume._grown_box)
    )
    difference = (bricks + shell.solid) - (grown ^ shell.grown)
    return (bricks ^ shell.solid).volume(), difference.volume()


def scattered(shell, count=60, seed=3):
    """Bricks in many places, turned by any angle, that do not overlap."""
    rng = np.random.Generator(np.random.PCG64(seed))
    reach = int(shell.outer_mm // 40)
    spots = [(40.0 * i, 40.0 * j) for i in range(-reach, reach + 1) for j in range(-reach, reach + 1)]
    flat = np.array(spots)[rng.permutation(len(spots))]
    layers = np.arange(count) // len(flat) * 2
    xy = np.resize(flat, (count, 2)) + rng.uniform(-2, 2, (count, 2))
    return Poses(np.column_stack([xy, 4.8 + 9.6 * layers, rng.uniform(0, 360, count)]))


def test_the_least_raw_score_is_a_bound_that_is_close_for_references():
    shell = shell_of(TASK.instances()[0])
    bricks = Poses(poses_of(TASK.solve(TASK.instances()[0]).bricks))

    for poses in (bricks, scattered(shell)):
        exact = volume.measure(shell, poses).raw
        assert exact - 0.02 < volume.least_raw(shell, poses) <= exact


def test_the_reference_of_the_smallest_shell_reaches_its_published_figures():
    verdict = TASK.verify(TASK.instances()[0], TASK.solve(TASK.instances()[0]))

    figures = [round(verdict.figure(name), 4) for name in ("raw", "I/R", "S/R", "D/R")]
    assert figures == [0.8190, 0.9654, 1.2291, 0.2929]
    assert verdict.passed


@pytest.mark.slow
@pytest.mark.parametrize("number", some(range(8)))
def test_the_reference_solutions_pass_with_the_published_brick_counts(number):
    instance = TASK.instances()[number]
    count, plain_raw = REFERENCE[number]
    answer = TASK.solve(instance)

    verdict = TASK.verify(instance, answer)

    bricks, target, common = (verdict.figure(name) for name in ("S", "R", "I"))
    assert verdict.passed
    assert len(answer.bricks) == count
    assert common / target - 0.5 * (bricks + target - 2 * common) / target == pytest.approx(plain_raw, abs=0.001)
    assert TASK.crosscheck(instance, answer).score == 1


@pytest.mark.parametrize("shift", [(0, 0, 0, 0), (0.35, 0.5, 0, 0)])
def test_volumes_equal_those_of_whole_solids(shift):
    shell = BrickShell(40, 70)
    poses = Poses(poses_of(TASK.solve(TASK.instances()[0]).bricks) + shift)

    common, difference = by_solids(shell, poses)

    measured = volume.measure(shell, poses)
    assert measured.common == pytest.approx(common, rel=1e-6)
    assert measured.difference == pytest.approx(difference, rel=1e-6)


@pytest.mark.parametrize("shell", [BrickShell(40, 70), BrickShell(62.5, 95), BrickShell(40, 70, "smooth")])
def test_volumes_of_turned_bricks_equal_those_of_whole_solids(shell):
    poses = scattered(shell)

    common, difference = by_solids(shell, poses)

    measured = volume.measure(shell, poses)
    assert measured.common == pytest.approx(common, rel=1e-6)
    assert measured.difference == pytest.approx(difference, rel=1e-6)


def test_a_brick_wholly_inside_the_shell_counts_in_full():
    assert volume.measure(BrickShell(40, 80), Poses(np.array([[60.0, 0, 4.8, 90]]))).shares == [1.0]


def test_without_bricks_everything_is_missing():
    measured = volume.measure(BrickShell(40, 70), Poses(np.zeros((0, 4))))

    assert measured.missing == pytest.approx(measured.target, rel=1e-9)
    assert measured.raw == pytest.approx(-0.5)


def test_slivers_thinner_than_the_tolerance_are_forgiven():
    shell = BrickShell(40, 70)
    tight, loose = (Poses(np.array([[55.0, -8 - gap, 4.8, 0], [55, 8 + gap, 4.8, 0]])) for gap in (0.04, 0.06))
    plain = 16 * 9.6

    forgiven = volume.measure(shell, loose).missing - volume.measure(shell, tight).missing

    assert forgiven < 0.1 * plain


def test_what_is_remembered_changes_no_result():
    instance = TASK.instances()[0]
    bricks = list(TASK.solve(instance).bricks)
    TASK.verify(instance, Structure(bricks=tuple(bricks)))
    del bricks[40]
    bricks.append(bricks_at(np.array([[0.0, 104.0, 4.8, 30.0]]))[0])

    updated = TASK.verify(instance, Structure(bricks=tuple(bricks)))
    forget()
    cold = TASK.verify(instance, Structure(bricks=tuple(bricks)))

    assert updated.model_copy(update={"elapsed_s": 0}) == cold.model_copy(update={"elapsed_s": 0})


def test_the_order_of_the_bricks_changes_no_figure():
    instance = TASK.instances()[0]
    bricks = TASK.solve(instance).bricks

    forward, backward = (TASK.verify(instance, Structure(bricks=order)) for order in (bricks, bricks[::-1]))

    assert forward.figures == backward.figures


def test_a_verdict_can_be_cancelled():
    def stop(done, total, text=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        TASK.verify(TASK.instances()[0], TASK.solve(TASK.instances()[0]), progress=stop)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["faceted16", "smooth"])
def test_sampling_agrees_on_the_volumes_of_turned_bricks(target):
    shell = BrickShell(40, 70, target)
    instance = TASK.generate(0, inner_mm=40, outer_mm=70, target=target)
    ring = [[55 * np.cos(a), 55 * np.sin(a), 4.8, np.degrees(a) + 90] for a in np.arange(8) * np.pi / 4]
    answer = Structure(bricks=bricks_at(np.array(ring)))

    verdict = TASK.verify(instance, answer)
    other = TASK.crosscheck(instance, answer)

    checks = [check for check in (*verdict.checks, *other.checks) if check.name != FULL_SCORE]
    assert all(check.state is State.PASSED for check in checks)
    for name in ("raw", "I/R", "S/R", "D/R"):
        assert other.figure(name) == pytest.approx(verdict.figure(name), abs=0.003)
    assert shell == shell_of(instance)


@pytest.mark.parametrize("seed", range(4))
def test_both_methods_agree_on_jumbled_structures(seed):
    rng = np.random.Generator(np.random.PCG64(seed))
    instance = TASK.instances()[0]
    bricks = poses_of(TASK.solve(instance).bricks)
    sample = bricks[rng.random(len(bricks)) > 0.02]
    sample[rng.integers(len(sample)), :2] += rng.choice([0.0, 0.3, 2.0], 2)

    answer = Structure(bricks=bricks_at(sample))

    verdict = TASK.verify(instance, answer)
    other = TASK.crosscheck(instance, answer)
    assert [check.state for check in verdict.checks] == [check.state for check in other.checks]
    assert not verdict.disagrees_with(other, TASK.score_tolerance)


@given(
    offset=st.tuples(*2 * [st.integers(-155, 155).map(lambda tenths: tenths / 10)]),
    turn=st.sampled_from([0, 90, 180, 270, 0.7, 89.2, 1.4, 30]),
    base=st.integers(0, 359),
)
def test_matching_studs_one_by_one_agrees_with_comparing_lattices(offset, turn, base):
    sides = rectangles.axes(np.array([float(base)]))[0]
    lower = (0.0, 0.0, 4.8, base)
    upper = (*(np.array(offset) @ sides), 14.4, base + turn)
    lattices = BrickAssembly(Poses(np.array([lower, upper])))
    assume(len(lattices.contacts) and np.abs(np.abs(np.array(offset) % 8 - 4) - 3.5).min() > 0.01)

    assert crosscheck._click(lower, upper) == (not lattices.misfits)


@pytest.mark.parametrize("target", ["faceted16", "smooth"])
def test_the_inside_test_agrees_with_the_solid(target):
    shell = BrickShell(43, 71, target)
    points = np.random.Generator(np.random.PCG64(1)).uniform([-75, -75, -5], [75, 75, 75], (400_000, 3))

    share = shell.contains(points).mean()

    assert share * 150 * 150 * 80 == pytest.approx(shell.volume_mm3, rel=0.01)


def test_outlines_are_the_polygons_of_the_shell_at_a_height():
    outer, inner = BrickShell(40, 70).outlines(0.0)

    assert np.hypot(*outer[0]) == pytest.approx(70 * np.cos(np.radians(11.25)))
    assert np.hypot(*inner[0]) == pytest.approx(40 * np.cos(np.radians(11.25)))
    assert len(BrickShell(40, 70).outlines(50.0)) == 1
    assert BrickShell(40, 70).outlines(69.0) == ()
    assert [len(rings) for rings in BrickShell(40, 70).layer_outlines(4).values()] == [2, 1, 1]
