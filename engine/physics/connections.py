"""The connections that hold a machine together, and the bodies that they make (docs/machines.md).

Pure data: nothing here needs the physics engine.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from spatial_workbench.engine.machines.building.blocks import BOULDER, BRACE, Joint, Vector
from spatial_workbench.engine.machines.building.joining import joins_of
from spatial_workbench.engine.machines.building.poses import Pose, kind_of, poses_of
from spatial_workbench.engine.machines.building.tree import Link, MachineBlock, Tree

MOST_REDUNDANCY = 6
_RIGID = Joint("fixed")


@dataclass(frozen=True)
class Connection:
    """Two blocks that hold each other: a block on its parent, or an automatic join.

    `point` is where they meet, in the child's frame (the machine's axes); limits in N and N m, without redundancy.
    """

    parent: int
    child: int
    is_join: bool
    joint: Joint
    point: Vector
    force_limit: float
    torque_limit: float

    @property
    def is_rigid(self) -> bool:
        """Whether the two cannot move relative to each other."""
        return self.joint.kind == "fixed"


@dataclass(frozen=True)
class LinkPlan:
    """A block as a link of a body.

    Attributes:
        above: The block that it is attached to in the body.
        connection: The connection between the two.
        is_reversed: Whether, in the body, the connection's parent is attached to its child.
    """

    block: int
    above: int
    connection: int
    is_reversed: bool


@dataclass(frozen=True)
class BodyPlan:
    """Blocks that connections hold together: a base, and links in depth-first order.

    The engine renumbers links that come in another order.
    """

    base: int
    links: tuple[LinkPlan, ...]

    @property
    def blocks(self) -> tuple[int, ...]:
        """All its blocks, the base first."""
        return self.base, *(link.block for link in self.links)


def connections_of(tree: Tree, poses: Sequence[Pose | None]) -> list[Connection]:
    """All connections of a machine: those of its tree by block, then the automatic joins."""
    solid = [entry for entry in tree if isinstance(entry, MachineBlock) and entry.parent >= 0 and entry.type != BOULDER]
    joints = [(entry.parent, entry.id, False, kind_of(entry).joint, (0.0, 0.0, 0.0)) for entry in solid]
    joins = [
        (join.other, join.block, True, _RIGID, kind_of(tree[join.block]).faces[0].position)
        for join in joins_of(tree, poses)
    ]
    return [Connection(*row, *_limits(tree, row[0], row[1])) for row in [*joints, *joins]]


def body_plans(blocks: Iterable[int], connections: Sequence[Connection], live: Collection[int]) -> list[BodyPlan]:
    """The bodies that some blocks form by those connections that are live (not broken), by their lowest block."""
    neighbours: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for index in sorted(live):
        connection = connections[index]
        neighbours[connection.parent].append((index, connection.child))
        neighbours[connection.child].append((index, connection.parent))
    plans: list[BodyPlan] = []
    placed: set[int] = set()
    for block in sorted(blocks):
        if block not in placed:
            plans.append(_body_plan(block, connections, neighbours))
            placed.update(plans[-1].blocks)
    return plans


def rigid_clusters(plan: BodyPlan, connections: Sequence[Connection]) -> dict[int, int]:
    """For each block of a body the lowest block, in the body's order, of the rigid part that it belongs to."""
    cluster = {plan.base: plan.base}
    for link in plan.links:
        is_rigid = connections[link.connection].is_rigid
        cluster[link.block] = cluster[link.above] if is_rigid else link.block
    return cluster


def closing(plan: BodyPlan, connections: Sequence[Connection], live: Collection[int]) -> list[int]:
    """The live connections within a body that its tree of links does not use."""
    used = {link.connection for link in plan.links}
    inside = set(plan.blocks)
    return [index for index in sorted(live) if index not in used and connections[index].child in inside]


def redundancy(
    plan: BodyPlan, connections: Sequence[Connection], live: Collection[int], links: Iterable[Link]
) -> dict[int, int]:
    """How many times stronger each connection in a body's tree of links is than by itself: at most MOST_REDUNDANCY.

    Every brace within a rigid part, and every other connection, that bypasses it adds one.
    """
    cluster = rigid_clusters(plan, connections)
    ways = {plan.base: frozenset[int]()}
    for link in plan.links:
        ways[link.block] = ways[link.above] | {link.connection}
    pairs = [(connections[index].parent, connections[index].child) for index in closing(plan, connections, live)]
    for brace in links:
        ends = brace.parent_a, brace.parent_b
        if brace.type == BRACE and all(end in cluster for end in ends) and cluster[ends[0]] == cluster[ends[1]]:
            pairs.append(ends)
    around = dict.fromkeys((link.connection for link in plan.links), 1)
    for first, second in pairs:
        for index in ways[first] ^ ways[second]:
            around[index] = min(MOST_REDUNDANCY, around[index] + 1)
    return around


def only_strengthens(tree: Tree, brace: Link) -> bool:
    """Whether a brace of a machine joins blocks of one rigid part.

    Until something breaks, the machine moves as it does without the brace, to the last bit.
    """
    connections = connections_of(tree, poses_of(tree))
    blocks = [entry.id for entry in tree if isinstance(entry, MachineBlock) and entry.type != BOULDER]
    ends = brace.parent_a, brace.parent_b
    for plan in body_plans(blocks, connections, range(len(connections))):
        cluster = rigid_clusters(plan, connections)
        if all(end in cluster for end in ends):
            return brace.type == BRACE and cluster[ends[0]] == cluster[ends[1]]
    return False


def _limits(tree: Tree, parent: int, child: int) -> tuple[float, float]:
    kinds = kind_of(tree[parent]), kind_of(tree[child])
    forces = [kind.break_force for kind in kinds if kind.break_force is not None]
    torques = [kind.break_torque for kind in kinds if kind.break_torque is not None]
    return min(forces), min(torques)


def _body_plan(base: int, connections: Sequence[Connection], neighbours: dict[int, list[tuple[int, int]]]) -> BodyPlan:
    """Breadth first over the connections of the construction tree; joins only lead to what these do not reach."""
    below: defaultdict[int, list[LinkPlan]] = defaultdict(list)
    reached = {base}
    queue = deque([base])
    while queue:
        while queue:
            above = queue.popleft()
            for index, block in neighbours[above]:
                if block not in reached and not connections[index].is_join:
                    _add_link(below, reached, queue, LinkPlan(block, above, index, connections[index].parent == block))
        joins = [
            LinkPlan(block, above, index, connections[index].parent == block)
            for above in sorted(reached)
            for index, block in neighbours[above]
            if block not in reached
        ]
        if joins:
            _add_link(below, reached, queue, joins[0])
    return BodyPlan(base, tuple(_depth_first(base, below)))


def _add_link(below: dict[int, list[LinkPlan]], reached: set[int], queue: deque[int], link: LinkPlan) -> None:
    below[link.above].append(link)
    reached.add(link.block)
    queue.append(link.block)


def _depth_first(base: int, below: dict[int, list[LinkPlan]]) -> list[LinkPlan]:
    order: list[LinkPlan] = []
    stack = list(reversed(below[base]))
    while stack:
        link = stack.pop()
        order.append(link)
        stack.extend(reversed(below[link.block]))
    return order
