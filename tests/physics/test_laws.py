"""Laws of physics that need no reference."""

import numpy as np
import pytest

from spatial_workbench.engine.machines.building.blocks import block_types
from spatial_workbench.engine.machines.building.poses import kind_of
from spatial_workbench.engine.machines.levels.level import Ball, Command, Level, policy_at
from tests.physics.building import FALLING, OPEN, MachineBuilder, column, run

pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")

from spatial_workbench.engine.physics.frames import matrices
from spatial_workbench.engine.physics.machine_world import MachineWorld
from spatial_workbench.engine.physics.parts import inertia_of

JOINTS = {5: "hinge", 19: "universal joint", 44: "ball joint", 76: "axle connector", 28: "steering hinge"}
JOINTS |= {13: "steering block", 22: "rotating block", 16: "suspension"}
STILL = Level("still", "movement", "", "", frozenset(), programme=(Command(0, "spin", 0),))


def car():
    """Four driven wheels; block 1 is the front beam."""
    builder = MachineBuilder()
    for beam in [builder.add(1, 0, facing) for facing in ("z+", "z-")]:
        for side in ("x+", "x-"):
            builder.add(2, beam, side, 1)
    return builder


def masses(builder):
    return np.array([kind_of(entry).mass for entry in builder.tree])


def energy(world):
    """The energy of all blocks, J."""
    state = world.state()
    total = 0.0
    turned = matrices(state.rotations)
    for k, kind in enumerate(world.kinds):
        spin = turned[k].T @ state.spins[k]
        moving = kind.mass * state.velocities[k] @ state.velocities[k] + np.array(inertia_of(kind)) * spin @ spin
        total += moving / 2 + kind.mass * 9.81 * state.centers[k][2]
    return total


@pytest.mark.parametrize("kind", JOINTS, ids=JOINTS.values())
def test_an_arm_on_any_joint_comes_to_rest_and_its_base_stays_in_place(kind):
    builder, upright = column()
    joint = builder.add(kind, upright, "x+", 2)
    builder.add(15, joint, "x+")
    trace = run(builder, STILL)
    roots = trace.positions[30:, 0]
    arms = trace.positions[-30:, -1]
    assert np.abs(roots - roots[0]).max() < 1e-3
    assert np.ptp(arms, axis=0).max() < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("kind", [5, 19, 44], ids=["hinge", "universal joint", "ball joint"])
def test_energy_does_not_grow_by_itself(kind):
    builder, upright = column()
    builder.add(15, builder.add(1, builder.add(kind, upright, "x+", 2), "x+"), "x+")
    world = MachineWorld(builder.tree, OPEN)
    energies = []
    for _ in range(1200):
        world.step(policy_at((), world.time))
        energies.append(energy(world))
    world.close()
    assert (energies - np.minimum.accumulate(energies)).max() < 1e-3 * energies[0]


def torn_rotor():
    """A motor on a heavy cross, and the id of the rod on it that tears off with a ballast at its end."""
    builder = MachineBuilder()
    for facing in ("y+", "y-", "z+", "z-"):
        builder.add(35, builder.add(1, 0, facing), facing)
    rotor = builder.add(22, 0, "x+")
    rod = builder.add(41, rotor, "y+")
    builder.add(35, rod, "y+")
    return builder, rod


def test_momentum_is_kept_when_a_connection_breaks():
    builder, rod = torn_rotor()
    trace = run(builder, FALLING)
    broken = trace.breaks[0]
    assert broken.block == rod
    frame = 30 + int(np.floor(broken.time * 30))
    moving = masses(builder)[:, None] * trace.velocities[frame : frame + 2]
    across = moving.sum(axis=1)[:, [0, 2]]
    assert np.abs(across[1] - across[0]).max() < 1e-3 * np.abs(moving[0]).sum()


def test_a_break_leaves_positions_and_velocities_as_they_were():
    builder, rod = torn_rotor()
    world = MachineWorld(builder.tree, FALLING)
    while not world.breaks:
        world.step(policy_at((), world.time))
    before = world.state()
    world.step(policy_at((), world.time))
    after = world.state()
    world.close()
    moved = before.centers + before.velocities / world.rate
    assert np.abs(after.centers - moved).max() < 5e-3
    # The blocks go on turning about their common centre of mass, which only gravity moves.
    torn = [rod, rod + 1]
    weights = masses(builder)[[rod, rod + 1]]
    speeds = [np.average(state.velocities[torn], axis=0, weights=weights) for state in (before, after)]
    assert np.abs(speeds[1] + (0, 0, 9.81 / world.rate) - speeds[0]).max() < 0.05


@pytest.mark.parametrize("kind", [5, 19, 44, 16], ids=["hinge", "universal joint", "ball joint", "suspension"])
def test_where_a_body_parts_every_block_goes_on_as_it_moved(kind):
    builder, rod = torn_rotor()
    joint = builder.add(kind, rod + 1, "y+")
    builder.add(35, builder.add(1, joint, "y+"), "x+")
    world = MachineWorld(builder.tree, FALLING)
    while not world.breaks:
        world.step(policy_at((), world.time))
    before = world.state()
    after = world.motion.state({}, len(builder.tree))
    world.close()
    assert after.centers == pytest.approx(before.centers, abs=1e-9)
    assert after.velocities == pytest.approx(before.velocities, abs=1e-6)
    assert after.spins == pytest.approx(before.spins, abs=1e-6)


def test_a_mirrored_machine_runs_the_mirrored_path():
    ends = []
    for near, far in (("x+", "x-"), ("x-", "x+")):
        builder = MachineBuilder()
        front = builder.add(1, 0, "z+")
        back = builder.add(1, 0, "z-")
        builder.add(2, front, near, 1)
        builder.add(2, back, near, 1)
        builder.add(2, back, far, 1)
        ends.append(run(builder).positions[-1, 0])
    assert ends[0] * (-1, 1, 1) == pytest.approx(ends[1], rel=0.03)
    assert abs(ends[0][0]) > 0.1


@pytest.mark.slow
def test_a_join_across_a_free_swivel_holds_the_arm():
    moved = []
    for has_stop in (True, False):
        builder, upright = column()
        arm = builder.add(1, builder.add(19, upright, "x+", 2), "z+")
        post = builder.add(15, builder.add(1, 1, "y+", 2), "y+")
        if has_stop:
            builder.add(15, post, "x+")
        trace = run(builder)
        moved.append(np.abs(trace.positions[30:, arm] - trace.positions[0, arm]).max())
        assert ("join" in {bond.kind for bond in trace.bonds}) == has_stop
    assert moved[0] < 0.03 < 0.3 < moved[1]


def test_suspension_gives_way_by_load_over_stiffness():
    builder, upright = column()
    spring = builder.add(16, upright, "y+")
    top = builder.add(35, builder.add(35, spring, "y+"), "y+")
    trace = run(builder)
    heights = trace.positions[-1, [upright, top], 1] - trace.positions[0, [upright, top], 1]
    carried = 2 * block_types()[35].mass + block_types()[16].mass
    assert heights[0] - heights[1] == pytest.approx(carried * 9.81 / 600, rel=0.02)


def test_a_machine_rests_where_it_stands():
    builder, upright = column()
    trace = run(builder)
    assert np.abs(trace.positions - trace.positions[0])[:, : upright + 1].max() < 1e-3


@pytest.mark.parametrize("wheel", [None, 40, 60], ids=["on blocks", "on wheels", "on large wheels"])
def test_a_beam_at_rest_bears_what_statics_say(wheel):
    builder = MachineBuilder()
    logs = [builder.add(63, 0, facing) for facing in ("z+", "z-", "x+", "x-")[: 4 if wheel is None else 2]]
    if wheel is not None:
        for log in logs:
            for side in ("x+", "x-"):
                builder.add(wheel, log, side, 1)
    mast = builder.add(63, 0, "y+")
    beam = [builder.add(1, mast, "z+", 2)]
    beam.append(builder.add(1, beam[0], "z+"))
    peaks = {bond.block: bond.peak for bond in run(builder).bonds}
    for row, block in enumerate(beam):
        blocks = len(beam) - row
        torque = blocks * block_types()[1].mass * 9.81 * blocks * block_types()[1].size[2] / 2
        assert peaks[block] == pytest.approx(torque / block_types()[1].break_torque, rel=0.02)


@pytest.mark.slow
def test_a_brace_between_swinging_arms_keeps_its_length():
    builder, upright = column()
    arms = []
    for facing in ("x+", "x-"):
        joint = builder.add(19, upright, facing, 2)
        arms.append(builder.add(1, joint, "z+"))
    brace = builder.link(7, (arms[0], "z+", 0), (arms[1], "z+", 0))
    trace = run(builder)
    assert trace.lengths[:, brace] == pytest.approx(trace.lengths[0, brace], abs=0.02)


def test_a_rebuilt_joint_keeps_its_limits_and_its_target():
    builder, upright = column()
    hinge = builder.add(28, upright, "x+", 2)
    builder.add(15, hinge, "x+")
    rotor = builder.add(22, upright, "y+")
    rod = builder.add(41, rotor, "z+")
    builder.add(35, rod, "z+")
    programme = (
        Command(0, "spin", 0),
        Command(0, "steer_hinge", 60),
        Command(1, "spin", 1),
        Command(4, "steer_hinge", 90),
    )
    trace = run(builder, Level("steer", "movement", "", "", frozenset(), programme=programme))
    assert [row.block for row in trace.breaks][:1] == [rod]
    assert angle_deg(trace, -61, upright, hinge) == pytest.approx(60, abs=3)
    assert angle_deg(trace, -1, upright, hinge) == pytest.approx(90, abs=3)


def angle_deg(trace, frame, first, second):
    """By how much a block has turned against another since the beginning."""
    relative = [
        matrices(trace.rotations[k, [first]])[0].T @ matrices(trace.rotations[k, [second]])[0] for k in (0, frame)
    ]
    return np.degrees(np.arccos(np.clip((np.trace(relative[0].T @ relative[1]) - 1) / 2, -1, 1)))


@pytest.mark.slow
def test_wind_pushes_a_hanging_arm_with_the_wind():
    ends = []
    for speed in (0.0, 8.0, -8.0):
        builder, upright = column()
        joint = builder.add(44, builder.add(1, upright, "x+", 2), "x+")
        builder.add(49, joint, "x+")
        level = Level("wind", "movement", "", "", frozenset(), wind=(0, 0, speed))
        ends.append(run(builder, level).positions[-1, -1, 2])
    assert ends[0] == pytest.approx(0, abs=0.01)
    assert ends[1] == pytest.approx(-ends[2], abs=0.02)
    assert ends[1] > 0.02


def test_steering_turns_by_at_most_ninety_degrees_a_second():
    builder, upright = column()
    hinge = builder.add(28, upright, "x+", 2)
    builder.add(15, hinge, "x+")
    level = Level("steer", "movement", "", "", frozenset(), programme=(Command(0, "steer_hinge", 90),))
    trace = run(builder, level)
    assert angle_deg(trace, 45, upright, hinge) == pytest.approx(45, abs=5)
    assert angle_deg(trace, -1, upright, hinge) == pytest.approx(90, abs=2)


def test_a_programme_stops_and_reverses_the_drive():
    programme = (Command(1, "drive", 0), Command(2, "drive", -1))
    level = Level("programme", "movement", "", "", frozenset(), programme=programme)
    speeds = run(car(), level).velocities[:, 0, 2]
    assert speeds[30 + 29] > 3
    assert abs(speeds[30 + 59]) < 1
    assert speeds[-1] < -3


@pytest.mark.slow
def test_a_grabber_holds_a_ball_until_it_is_switched_off():
    ball = Ball("ball", (0.0, 1.0, 4.22), 1.0, 0.5, 0.6, 0.15, 0.05)
    gaps = []
    for grab in (1, 0):
        builder = car()
        builder.add(27, 1, "z+")
        programme = (Command(0, "drive", -1), Command(0, "grab", grab), Command(2, "grab", 0))
        level = Level("grab", "pick", "", "", frozenset(), balls=(ball,), programme=programme)
        trace = run(builder, level)
        gaps.append(trace.balls[:, 0, 2] - trace.positions[:, 0, 2])
    assert gaps[0][30 + 58] == pytest.approx(gaps[0][30], abs=0.05)
    assert gaps[0][-1] > gaps[0][30] + 1
    assert gaps[1][30 + 58] > gaps[1][30] + 1
