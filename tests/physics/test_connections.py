"""Which bodies connections make, and how strong each is; without the physics engine."""

from spatial_workbench.engine.machines.building.poses import poses_of
from spatial_workbench.engine.machines.building.tree import Link
from spatial_workbench.engine.physics.connections import (
    MOST_REDUNDANCY,
    body_plans,
    closing,
    connections_of,
    only_strengthens,
    redundancy,
    rigid_clusters,
)
from tests.physics.building import MachineBuilder, column


def solid(builder):
    return [k for k, entry in enumerate(builder.tree) if not isinstance(entry, Link) and entry.type != 36]


def plans_of(builder, broken=()):
    connections = connections_of(builder.tree, poses_of(builder.tree))
    live = set(range(len(connections))) - set(broken)
    return connections, live, body_plans(solid(builder), connections, live)


def braced(count):
    """Two upright blocks on a beam, with braces between them."""
    builder = MachineBuilder()
    beam = builder.add(63, 0, "z+")
    first, second = builder.add(1, beam, "y+", 0), builder.add(1, beam, "y+", 2)
    for _ in range(count):
        builder.link(7, (first, "z+", 1), (second, "z-", 1))
    return builder


def test_a_whole_machine_is_one_body_whose_links_come_in_depth_first_order():
    builder, upright = column()
    builder.add(1, builder.add(19, upright, "x+", 2), "x+")
    _, _, plans = plans_of(builder)
    assert [plan.base for plan in plans] == [0]
    assert [link.block for link in plans[0].links] == [1, 2, 3, 4, 5, 6, 7]
    assert [link.above for link in plans[0].links] == [0, 0, 0, 0, 0, 5, 6]


def test_a_broken_connection_makes_two_bodies_by_their_lowest_blocks():
    builder, upright = column()
    builder.add(1, builder.add(19, upright, "x+", 2), "x+")
    connections, _, _ = plans_of(builder)
    broken = [k for k, row in enumerate(connections) if row.child == 6]
    assert [plan.blocks for plan in plans_of(builder, broken)[2]] == [(0, 1, 2, 3, 4, 5), (6, 7)]


def test_a_boulder_belongs_to_no_body():
    builder, upright = column()
    builder.add(36, builder.add(30, upright, "y+"), "y+")
    assert plans_of(builder)[2][0].blocks[-1] == 6


def test_a_joint_ends_a_rigid_part():
    builder, upright = column()
    builder.add(1, builder.add(19, upright, "x+", 2), "x+")
    connections, _, plans = plans_of(builder)
    assert rigid_clusters(plans[0], connections) == {0: 0, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 6: 6, 7: 6}


def test_every_brace_within_a_rigid_part_adds_the_strength_of_one_connection_up_to_six():
    for count in (0, 1, 3, 9):
        builder = braced(count)
        connections, live, plans = plans_of(builder)
        links = [entry for entry in builder.tree if isinstance(entry, Link)]
        around = redundancy(plans[0], connections, live, links)
        upright = next(k for k, row in enumerate(connections) if row.child == 2)
        assert around[upright] == min(MOST_REDUNDANCY, 1 + count)
        assert around[next(k for k, row in enumerate(connections) if row.child == 1)] == 1


def test_a_brace_between_parts_that_move_adds_no_strength():
    builder, upright = column()
    joints = [builder.add(19, upright, facing, 2) for facing in ("x+", "x-")]
    arms = [builder.add(1, joint, "z+") for joint in joints]
    brace = builder.link(7, (arms[0], "z+", 0), (arms[1], "z+", 0))
    connections, live, plans = plans_of(builder)
    assert set(redundancy(plans[0], connections, live, [builder.tree[brace]]).values()) == {1}


def test_what_hangs_on_a_join_alone_hangs_there_the_other_way_round():
    builder = MachineBuilder()
    low = builder.add(1, 0, "x+")
    post = builder.add(1, low, "y+", 1)
    high = builder.add(15, post, "x-", 0)
    tower = builder.add(1, 0, "y+")
    connections, live, plans = plans_of(builder)
    (join,) = closing(plans[0], connections, live)
    assert (connections[join].child, connections[join].parent) == (high, tower)
    broken = next(k for k, row in enumerate(connections) if row.child == post)
    ((*_, last),) = (plan.links for plan in plans_of(builder, [broken])[2])
    assert (last.block, last.above, last.is_reversed) == (post, high, True)


def test_a_brace_within_a_rigid_part_only_strengthens():
    assert only_strengthens(tuple(braced(1).tree), braced(1).tree[-1])


def test_a_spring_there_pulls():
    builder = braced(0)
    builder.link(9, (2, "z+", 1), (3, "z-", 1))
    assert not only_strengthens(tuple(builder.tree), builder.tree[-1])


def test_a_brace_between_parts_that_a_joint_separates_is_a_rod():
    builder, upright = column()
    arm = builder.add(1, builder.add(19, upright, "x+", 2), "z+")
    builder.link(7, (arm, "z+", 0), (upright, "z+", 1))
    assert not only_strengthens(tuple(builder.tree), builder.tree[-1])
