"""Twenty-two laws of physics whose results can be computed by hand, each within its tolerance."""

from dataclasses import replace
from math import cos, pi, radians, sin, sqrt

import numpy as np
import pytest

from spatial_workbench.engine.machines.building.blocks import block_types
from spatial_workbench.engine.machines.building.poses import kind_of
from spatial_workbench.engine.machines.levels.level import Ball, Command, Obstacle, policy_at
from tests.physics.building import FALLING, OPEN, MachineBuilder, column, run

pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")

from spatial_workbench.engine.physics.frames import matrices
from spatial_workbench.engine.physics.machine_world import MachineWorld
from spatial_workbench.engine.physics.parts import inertia_of

G = 9.81
SHORT = replace(OPEN, window_s=1.0)
STILL = (Command(0, "spin", 0), Command(0, "drive", 0), Command(0, "contract", 0))


def ball(height, z=30.0, **more):
    values = {"radius": 0.95, "mass": 5.0, "friction": 0.6, "restitution": 0.15, "rolling_friction": 0.0} | more
    return Ball("ball", (0.0, height, z), **values)


def path_of(level):
    """Where a ball of a level is in each step from t = 0 on, beside a machine of one block."""
    return run(MachineBuilder(), level).paths[:, 0]


def mass(kind):
    return block_types()[kind].mass


def moved(builder, seconds, level=OPEN, rate=240):
    """A machine that has run for so many seconds, the one of rest included; the caller closes it."""
    world = MachineWorld(builder.tree, level, rate)
    for _ in range(round(seconds * rate)):
        world.step(policy_at(level.programme, world.time))
    return world


def load_of(world, block):
    """The force and torque, averaged over 0.05 s, between a block and its parent, N and N m."""
    index = next(k for k, row in enumerate(world._connections) if row.child == block)
    mean = world._loads._measured[:, index].mean(axis=0)
    return np.linalg.norm(mean[:3]), np.linalg.norm(mean[3:])


def moment_about_front(kind):
    """A block's moment of inertia about its Front, which is the engine's y, kg m²."""
    return inertia_of(block_types()[kind])[1]


def rotor(arms=4):
    """A motor that turns a cross of logs, on a cross of logs that is free to turn the other way."""
    builder = MachineBuilder()
    for facing in ("x+", "x-", "y+", "y-"):
        builder.add(63, 0, facing)
    motor = builder.add(22, 0, "z+")
    hub = builder.add(15, motor, "z+")
    for facing in ("x+", "x-", "y+", "y-")[:arms]:
        builder.add(63, hub, facing)
    return builder, motor


# Falling -------------------------------------------------------------------------------------------------------------


def test_1_a_ball_falls_by_half_g_t_squared():
    level = replace(OPEN, balls=(ball(40.0),), window_s=1.0)
    fallen = path_of(level)[:, 1]
    times = 1 + np.arange(len(fallen)) / 240
    assert 40 - fallen == pytest.approx(G * times**2 / 2, rel=5e-3)


def test_2_a_machine_falls_as_a_ball_does_and_its_connections_bear_nothing():
    builder, upright = column()
    world = moved(builder, 1.0, FALLING)
    assert world.state().velocities[upright][2] == pytest.approx(-G, rel=1e-6)
    assert load_of(world, upright)[0] < 1e-6
    world.close()


def test_3_a_ball_rebounds_by_its_restitution_less_what_the_engine_brings_it_to_the_ground_with():
    level = replace(OPEN, balls=(ball(8.0, restitution=0.6),), window_s=1.0)
    heights = path_of(level)[:, 1]
    speeds = np.diff(heights) * 240
    impact = int(np.argmax(np.diff(speeds)))
    gap = heights[impact + 1] - 0.95
    assert speeds[impact + 1] == pytest.approx(-0.6 * speeds[impact] - gap * 240, rel=0.02)


def test_4_wind_accelerates_a_block_by_its_law():
    level = replace(FALLING, wind=(0.0, 0.0, 10.0), window_s=0.1)
    world = moved(MachineBuilder(), 0.25, level)
    speed = world.state().velocities[0][1]
    world.close()
    # dv/dt = c (w - v)^2 / m, of the level speed; falling adds to the area and to the flow.
    time, steps = 0.0, 2000
    level_m_s = fall = 0.0
    for _ in range(steps):
        flow = 0.02 * np.hypot(10 - level_m_s, fall) * ((10 - level_m_s) + fall) / np.hypot(10 - level_m_s, fall)
        level_m_s += flow * (10 - level_m_s) / mass(0) * 0.25 / steps
        fall += (G - flow * fall / mass(0)) * 0.25 / steps
        time += 0.25 / steps
    assert speed == pytest.approx(level_m_s, rel=0.02)


# Turning -------------------------------------------------------------------------------------------------------------


def test_5_a_pendulum_swings_with_the_period_of_its_amplitude():
    builder, upright = column()
    post = builder.add(1, upright, "y+")
    arm = builder.add(1, builder.add(19, post, "x+", 1), "z+")
    world = MachineWorld(builder.tree, replace(OPEN, programme=STILL))
    heights = []
    for _ in range(480):
        world.step(policy_at(STILL, world.time))
        heights.append(world.state().centers[arm][2])
    world.close()
    half_way = int(np.argmax(heights[120:])) + 120
    far = 0.5 + 1.0
    moment = inertia_of(block_types()[1])[0] + mass(1) * far**2 + moment_about_front(19)
    period = 2 * pi * sqrt(moment / (mass(1) * G * far)) * 1.18034
    # From one end of the swing to the other; friction makes the second one a little smaller.
    assert half_way / 240 == pytest.approx(period / 2, rel=0.03)


def test_6_a_motor_accelerates_by_torque_over_inertia():
    builder, motor = rotor()
    world = moved(builder, 1 + 4 / 240, FALLING)
    logs = 4 * (inertia_of(block_types()[63])[0] + mass(63) * 2**2)
    moving = logs + moment_about_front(22) + moment_about_front(15)
    base = logs + moment_about_front(0)
    relative = np.diff(world.state().spins[[0, motor]], axis=0)
    world.close()
    assert np.linalg.norm(relative) == pytest.approx(500 * (1 / moving + 1 / base) * 4 / 240, rel=0.01)


def test_7_a_motor_turns_at_its_speed_in_the_end():
    builder, motor = rotor()
    world = moved(builder, 2.0, FALLING)
    relative = np.diff(world.state().spins[[0, motor]], axis=0)
    world.close()
    assert np.linalg.norm(relative) == pytest.approx(10.0, rel=1e-3)


def test_8_a_turning_block_pulls_with_mass_times_speed_squared_times_radius():
    builder, _ = rotor()
    end = len(builder.tree) - 1
    world = moved(builder, 2.0, FALLING)
    state = world.state()
    force = mass(63) * (state.spins[end] @ state.spins[end]) * 2.0
    assert load_of(world, end)[0] == pytest.approx(force, rel=0.01)
    world.close()


def test_9_what_a_motor_gives_one_side_it_takes_from_the_other():
    builder, motor = rotor()
    world = moved(builder, 1.1, FALLING)
    state = world.state()
    turned = matrices(state.rotations)
    middle = np.average(state.centers, axis=0, weights=[kind.mass for kind in world.kinds])
    total = np.zeros(3)
    one_side = np.zeros(3)
    for k, kind in enumerate(world.kinds):
        spin = turned[k] @ (np.array(inertia_of(kind)) * (turned[k].T @ state.spins[k]))
        own = spin + kind.mass * np.cross(state.centers[k] - middle, state.velocities[k])
        total += own
        one_side += own * (k >= motor)
    world.close()
    assert np.abs(total).max() < 1e-2 * np.abs(one_side).max()


def test_10_free_rotation_gains_momentum_only_by_the_length_of_the_step():
    gains = []
    for rate in (240, 480):
        builder, _ = rotor(arms=1)
        world = moved(builder, 2.0, FALLING, rate)
        state = world.state()
        weights = np.array([kind.mass for kind in world.kinds])
        momentum = weights @ state.velocities + (0, 0, weights.sum() * G * 2)
        middle = np.average(state.velocities, axis=0, weights=weights)
        gains.append(np.linalg.norm(momentum) / (weights @ np.linalg.norm(state.velocities - middle, axis=1)))
        world.close()
    assert gains[0] < 0.08
    assert gains[1] == pytest.approx(gains[0] / 2, rel=0.3)


# Springs -------------------------------------------------------------------------------------------------------------


def test_11_a_suspension_gives_way_by_weight_over_stiffness():
    builder, upright = column()
    spring = builder.add(16, upright, "y+")
    top = builder.add(35, spring, "y+")
    trace = run(builder)
    heights = trace.positions[-1, [upright, top], 1] - trace.positions[0, [upright, top], 1]
    assert heights[0] - heights[1] == pytest.approx((mass(35) + mass(16)) * G / 600, rel=0.01)


def test_12_a_loaded_suspension_swings_at_the_root_of_stiffness_over_mass():
    builder, upright = column()
    top = builder.add(35, builder.add(35, builder.add(16, upright, "y+"), "y+"), "y+")
    world = MachineWorld(builder.tree, OPEN)
    heights = []
    for _ in range(240):
        world.step(policy_at(STILL, world.time))
        heights.append(world.state().centers[top][2])
    world.close()
    moving = 2 * mass(35) + mass(16)
    damped = sqrt(600 / moving - (25 / 2 / moving) ** 2)
    assert int(np.argmin(heights)) / 240 == pytest.approx(pi / damped, rel=0.05)


@pytest.mark.slow
def test_13_a_spring_pulls_by_its_length():
    builder, upright = column()
    spring = builder.add(16, upright, "y+")
    top = builder.add(35, spring, "y+")
    line = builder.link(9, (upright, "x+", 2), (top, "x+", 0))
    lowered = []
    for pulls in (0, 1):
        trace = run(builder, replace(OPEN, programme=(Command(0, "contract", pulls),)))
        lowered.append(trace.positions[0, top, 1] - trace.positions[-1, top, 1])
    assert lowered[1] - lowered[0] == pytest.approx(100 * trace.lengths[-1, line] / 600, rel=0.01)


# Rolling and sliding -------------------------------------------------------------------------------------------------


def slope(angle_deg, **more):
    """A level whose ground falls towards z+, with a ball that lies on it at z = 40."""
    angle = radians(angle_deg)
    across = np.array([0.0, cos(angle), sin(angle)])
    middle = np.array([0.0, 0.0, 80.0])
    half = -radians(-angle_deg) / 2
    box = Obstacle(
        "slope", "box", tuple(middle - across), (sin(half), 0.0, 0.0, cos(half)), (20.0, 2.0, 200.0), friction=1.0
    )
    place = middle + 0.95 * across - 40 * np.array([0.0, -sin(angle), cos(angle)])
    rolling = ball(float(place[1]), float(place[2]), **more)
    return replace(OPEN, obstacles=(box,), balls=(rolling,), window_s=2.0)


def acceleration(path, start=0):
    times = np.arange(len(path)) / 240
    along = np.linalg.norm(path - path[0], axis=1)
    speeds = np.diff(along) * 240
    return np.polyfit(times[start + 1 :], speeds[start:], 1)[0]


def test_14_a_ball_rolls_down_a_slope_with_five_sevenths_of_what_it_would_slide_with():
    path = path_of(slope(10))
    assert acceleration(path) == pytest.approx(5 / 7 * G * sin(radians(10)), rel=0.02)


def test_15_rolling_friction_slows_a_ball_by_its_share_of_the_pressing_force():
    path = path_of(slope(10, rolling_friction=0.05))
    angle = radians(10)
    expected = 5 / 7 * G * (sin(angle) - 0.05 / 0.95 * cos(angle))
    assert acceleration(path) == pytest.approx(expected, rel=0.03)


def test_16_a_ball_slides_down_a_steep_slope_by_weight_less_friction():
    path = path_of(slope(45, friction=0.1))
    angle = radians(45)
    assert acceleration(path) == pytest.approx(G * (sin(angle) - 0.1 * cos(angle)), rel=0.02)


def car():
    builder = MachineBuilder()
    for log in [builder.add(63, 0, facing) for facing in ("z+", "z-")]:
        for side in ("x+", "x-"):
            builder.add(2, log, side, 1)
    return builder


def test_17_a_car_accelerates_by_the_torque_of_its_wheels():
    builder = car()
    for facing in ("y+", "x+", "x-"):
        builder.add(35, 0, facing)
    trace = run(builder, SHORT)
    weight = sum(kind_of(entry).mass for entry in builder.tree)
    wheels = 4 * moment_about_front(2)
    speeds = trace.velocities[33:48, 0, 2]
    gained = np.polyfit(trace.times[33:48], speeds, 1)[0]
    assert gained == pytest.approx(4 * 20 / (weight + wheels), rel=0.02)


def test_18_a_car_rolls_as_fast_as_its_wheels_turn():
    trace = run(car())
    assert trace.velocities[-1, 0, 2] == pytest.approx(10 * 1.0, rel=5e-3)


# Statics -------------------------------------------------------------------------------------------------------------


def test_19_a_tower_bears_the_weight_above():
    builder, upright = column()
    tower = [upright]
    for _ in range(4):
        tower.append(builder.add(35, tower[-1], "y+"))
    world = moved(builder, 1.0)
    for row, block in enumerate(tower[1:]):
        assert load_of(world, block)[0] == pytest.approx((4 - row) * mass(35) * G, rel=1e-3)
    world.close()


def test_20_a_beam_bears_its_weight_times_its_arm():
    builder, upright = column()
    beam = [builder.add(1, upright, "x+", 2)]
    for _ in range(2):
        beam.append(builder.add(1, beam[-1], "x+"))
    world = moved(builder, 1.0)
    for row, block in enumerate(beam):
        beyond = 3 - row
        assert load_of(world, block)[1] == pytest.approx(beyond * mass(1) * G * beyond * 1.0, rel=1e-3)
    world.close()


def test_21_a_beam_bears_the_same_where_it_is_joined_to_a_motor():
    loads = []
    for kind in (15, 13, 22):
        builder, upright = column()
        holder = builder.add(kind, upright, "y+")
        beam = builder.add(1, holder, "x+")
        builder.add(35, beam, "x+")
        world = moved(builder, 1.0)
        loads.append(load_of(world, beam))
        world.close()
    assert loads[1] == pytest.approx(loads[0], rel=2e-3)
    assert loads[2] == pytest.approx(loads[0], rel=2e-3)


def test_22_a_lever_with_equal_moments_stays_level():
    builder, upright = column()
    joint = builder.add(19, upright, "x+", 2)
    near = builder.add(15, joint, "z+")
    builder.add(15, near, "z+")
    far = builder.add(15, joint, "z-")
    builder.add(15, far, "z-")
    trace = run(builder, replace(OPEN, programme=STILL))
    assert np.abs(trace.positions[-1, [near, far], 1] - trace.positions[0, [near, far], 1]).max() < 1e-3
