"""What connections bear: the balance of forces and torques, and machines that are too large for one link a block."""

import numpy as np
import pytest

from spatial_workbench.engine.machines.building.poses import kind_of
from spatial_workbench.engine.machines.building.tree import MachineBlock
from spatial_workbench.engine.machines.levels.catalogue import level_of
from spatial_workbench.engine.machines.levels.examples import examples
from spatial_workbench.engine.machines.levels.level import policy_at
from spatial_workbench.engine.machines.levels.references import references
from tests.physics.building import FALLING, OPEN, MachineBuilder, column, run

pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")

from spatial_workbench.engine.physics.frames import matrices, swapped
from spatial_workbench.engine.physics.machine_world import MachineWorld
from spatial_workbench.engine.physics.parts import inertia_of


def swinging(kind):
    builder, upright = column()
    builder.add(15, builder.add(1, builder.add(kind, upright, "x+", 2), "x+"), "x+")
    return builder.tree


def tumbling(kind):
    builder = MachineBuilder()
    builder.add(35, 0, "x-")
    builder.add(35, builder.add(1, builder.add(kind, 0, "x+"), "y+"), "y+")
    return builder.tree


def braced_arms():
    builder, upright = column()
    arms = [builder.add(1, builder.add(19, upright, facing, 2), "z+") for facing in ("x+", "x-")]
    builder.link(7, (arms[0], "z+", 0), (arms[1], "z+", 0))
    return builder.tree


MACHINES = {
    "car": (references()["M1"].tree, level_of("M1")),
    "pusher": (references()["D1"].tree, level_of("D1")),
    "braced arms": (braced_arms(), OPEN),
    **{f"swinging {kind}": (swinging(kind), OPEN) for kind in (5, 19, 44, 16, 22)},
    **{f"tumbling {kind}": (tumbling(kind), FALLING) for kind in (5, 44, 16, 22)},
}


@pytest.mark.parametrize("name", MACHINES)
def test_forces_and_torques_of_every_body_are_balanced_but_for_rounding(name):
    """Of mass times acceleration, less gravity, contacts and springs, nothing is left."""
    tree, level = MACHINES[name]
    world = MachineWorld(tree, level)
    rests = []
    while world.time < 1.0:
        world.step(policy_at(level.programme, world.time))
        rests.append(np.abs(world._bearing.rests).reshape(-1, 6).max(axis=0, initial=0))
    world.close()
    force, torque = np.max(rests, axis=0).reshape(2, 3).max(axis=1)
    assert force < 1e-9
    assert torque < 1e-3


def slab(rows, columns, layers=1):
    """Small blocks side by side on the ground, the starting block in a corner."""
    builder = MachineBuilder()
    lines = [0]
    for _ in range(rows - 1):
        lines.append(builder.add(15, lines[-1], "x+"))
    below = list(lines)
    for line in lines:
        block = line
        for _ in range(columns - 1):
            block = builder.add(15, block, "z+")
            below.append(block)
    for _ in range(layers - 1):
        below = [builder.add(15, block, "y+") for block in below]
    return builder


@pytest.mark.slow
def test_a_slab_of_more_than_128_blocks_lies_still():
    trace = run(slab(13, 12), OPEN)
    assert not trace.fault
    assert trace.positions.shape[1] == 156
    assert np.abs(trace.positions[-1] - trace.positions[0]).max() < 1e-2


@pytest.mark.slow
def test_a_machine_of_a_thousand_blocks_is_simulated_and_judged():
    from dataclasses import replace

    from spatial_workbench.engine.physics.machine_judging import simulate_and_score
    from spatial_workbench.engine.physics.machine_run import simulate

    builder = slab(16, 16, 4)
    assert len(builder.tree) == 1024
    trace, score = simulate_and_score(builder.tree, replace(level_of("M1"), window_s=0.2), simulate=simulate)
    assert not trace.fault
    assert score.is_measured


def test_a_body_with_more_moving_parts_than_the_engine_takes_counts_nothing_and_says_why():
    builder = MachineBuilder()
    logs = [0]
    for _ in range(5):
        logs.append(builder.add(63, logs[-1], "z+"))
    faces = [
        (entry.id, face.id)
        for entry in builder.tree
        if isinstance(entry, MachineBlock) and entry.id
        for face in kind_of(entry).faces
    ]
    tree = list(builder.tree)
    while len(tree) < 150:
        parent, face = faces[len(tree) % len(faces)]
        tree.append(MachineBlock(19, len(tree), parent, face))
    from spatial_workbench.engine.physics.machine_run import simulate

    trace = simulate(tuple(tree), OPEN)
    assert "one for each part that moves" in trace.fault


def test_a_container_s_load_counts_where_the_boulder_lies():
    builder, upright = column()
    container = builder.add(30, upright, "y+")
    builder.add(36, container, "y+")
    world = MachineWorld(builder.tree, OPEN)
    while world.time < 0:
        world.step(policy_at((), world.time))
    index = next(k for k, row in enumerate(world._connections) if row.child == container)
    force = world._loads._measured[:, index, :3].mean(axis=0)
    world.close()
    assert np.linalg.norm(force) == pytest.approx((0.5 + 5) * 9.81, rel=0.02)


def momentum_about(state, kinds, blocks, point):
    """Linear and angular momentum (6,) of some blocks, boulders included."""
    total = np.zeros(6)
    for block in blocks:
        turned = matrices(state.rotations[block])
        linear = kinds[block].mass * state.velocities[block]
        spun = turned @ (np.array(inertia_of(kinds[block])) * (turned.T @ state.spins[block]))
        total += [*linear, *np.cross(state.centers[block] - point, linear) + spun]
    return total


def weight_about(state, kinds, blocks, point):
    total = np.zeros(6)
    for block in blocks:
        weight = np.array([0.0, 0.0, -9.81 * kinds[block].mass])
        total += [*weight, *np.cross(state.centers[block] - point, weight)]
    return total


@pytest.mark.slow
def test_a_machine_that_tumbles_bears_what_its_momentum_tells():
    """The published catapult turns over: what its mast holds gains momentum by joint and weight.

    Differences of momentum over a step are exact only for short steps.
    """
    tree = examples()[-1].tree
    joint, beyond = 8, range(8, 14)
    world = MachineWorld(tree, level_of("T2"), rate=960)
    index = next(k for k, row in enumerate(world._connections) if row.child == joint)
    center = np.array(swapped(world.kinds[joint].center))
    gained = []
    before = world.state()
    while world.time < 0.55 - 1e-9:
        world.step(policy_at((), world.time))
        state = world.state()
        turned = matrices(before.rotations[joint])
        point = before.centers[joint] - turned @ center
        change = momentum_about(state, world.kinds, beyond, point) - momentum_about(before, world.kinds, beyond, point)
        needed = change * world.rate - weight_about(before, world.kinds, beyond, point)
        gained.append((needed.reshape(2, 3) @ turned).ravel())
        before = state
    steps = len(world._loads._measured)
    loads = world._loads._measured[:, index].mean(axis=0).reshape(2, 3)
    world.close()
    expected = np.mean(gained[-steps:], axis=0).reshape(2, 3)
    assert np.linalg.norm(loads, axis=1) == pytest.approx(np.linalg.norm(expected, axis=1), rel=0.03)
