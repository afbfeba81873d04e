"""Searches over changes of a machine: random search, best-of-N and Monte Carlo tree search (docs/machines.md).

A strategy decides which machine is changed next; what makes the changes is `expand`, be it a model or chance. Equal
seeds and equal expansions give equal searches, so a search that was interrupted is resumed by running it again with an
`expand` that hands out the stored nodes first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from spatial_workbench.engine.machines.building.tree import Tree

ROUNDS = 5
MAX_TRIES = 5
"""How often `expand` tries to make a valid machine of each candidate."""
CANDIDATES = 5
MCTS_CANDIDATES = 4
EXPLORATION = 2.0


class Strategy(StrEnum):
    """How the next machine to change is chosen."""

    RANDOM = "random"
    BEST_OF_N = "best-of-n"
    MCTS = "mcts"


@dataclass(frozen=True)
class Node:
    """A valid machine in a search.

    score: What the search makes as large as it can, such as `Score.rank`.
    lines: The edit commands that made it from its parent.
    """

    id: int
    parent: int | None
    tree: Tree
    score: float
    lines: tuple[str, ...] = ()


Expand = Callable[[Node, int], Sequence[Node]]
"""Makes valid machines from a node, at most as many as asked for, with ids that no other node has."""


@dataclass
class Search:
    """How a search went.

    Attributes:
        nodes: All nodes in the order in which they were made, the root first.
        kept: The node that each round ended with: the one to go on with, or in MCTS the one that was evaluated.
        expanded: How many nodes each round added.
        visits, values: Of each node by id: how often it or a descendant was evaluated, and the sum of those scores.
            Only MCTS counts them.
    """

    nodes: list[Node]
    kept: list[int] = field(default_factory=list)
    expanded: list[int] = field(default_factory=list)
    visits: dict[int, int] = field(default_factory=dict)
    values: dict[int, float] = field(default_factory=dict)

    @property
    def best(self) -> Node:
        """The node of the highest score, visited or not; the earliest of equals."""
        return max(self.nodes, key=lambda node: node.score)

    def path_to(self, node: Node) -> list[Node]:
        """The nodes from the root to a node, both included."""
        by_id = {other.id: other for other in self.nodes}
        path = [node]
        while path[-1].parent is not None:
            path.append(by_id[path[-1].parent])
        return path[::-1]


def search(
    strategy: Strategy,
    root: Node,
    expand: Expand,
    rng: np.random.Generator,
    rounds: int = ROUNDS,
    candidates: int | None = None,
) -> Search:
    """Searches for a number of rounds.

    candidates: How many an expansion asks for; None: as many as is usual for the strategy.
    """
    found = Search([root])
    if strategy is Strategy.MCTS:
        _mcts(found, expand, rounds, candidates or MCTS_CANDIDATES)
    elif strategy is Strategy.BEST_OF_N:
        _best_of_n(found, expand, rounds, candidates or CANDIDATES)
    else:
        _random_walk(found, expand, rng, rounds, candidates or CANDIDATES)
    return found


def _random_walk(found: Search, expand: Expand, rng: np.random.Generator, rounds: int, candidates: int) -> None:
    """Each round goes on with a random one of the new machines; where there is none, with the same again."""
    current = found.nodes[0]
    for _ in range(rounds):
        children = _expanded(found, expand, current, candidates)
        if children:
            current = children[int(rng.integers(len(children)))]
        found.kept.append(current.id)


def _best_of_n(found: Search, expand: Expand, rounds: int, candidates: int) -> None:
    """Each round changes the best machine so far and keeps the best candidate.

    The parent is a candidate where fewer new machines than asked for are valid.
    """
    for _ in range(rounds):
        parent = found.best
        children = _expanded(found, expand, parent, candidates)
        spare = [parent] if len(children) < candidates else []
        found.kept.append(max([*spare, *children], key=lambda node: node.score).id)


def _mcts(found: Search, expand: Expand, rounds: int, candidates: int) -> None:
    """A round is one descent: with new children, or with a new visit of a node that was simulated before."""
    children: dict[int, list[Node]] = {}
    root = found.nodes[0]
    for _ in range(rounds):
        path = _descend(found, root, children)
        leaf = path[-1]
        added: Sequence[Node] = ()
        if leaf is root or found.visits.get(leaf.id):
            added = _expanded(found, expand, leaf, candidates)
        else:
            found.expanded.append(0)
        if added:
            children[leaf.id] = list(added)
            path.append(added[0])
        _visit(found, path)
        found.kept.append(path[-1].id)


def _descend(found: Search, root: Node, children: dict[int, list[Node]]) -> list[Node]:
    """From the root to a leaf: to the first child without a visit, else to the most promising."""
    path = [root]
    while path[-1].id in children:
        below = children[path[-1].id]
        unvisited = next((node for node in below if not found.visits.get(node.id)), None)
        path.append(unvisited or max(below, key=lambda node: _promise(found, root, node)))
    return path


def _promise(found: Search, root: Node, node: Node) -> float:
    visits = found.visits[node.id]
    return found.values[node.id] / visits + EXPLORATION * math.sqrt(math.log(found.visits[root.id]) / visits)


def _visit(found: Search, path: Sequence[Node]) -> None:
    for node in path:
        found.visits[node.id] = found.visits.get(node.id, 0) + 1
        found.values[node.id] = found.values.get(node.id, 0.0) + path[-1].score


def _expanded(found: Search, expand: Expand, node: Node, candidates: int) -> Sequence[Node]:
    children = list(expand(node, candidates))[:candidates]
    found.nodes.extend(children)
    found.expanded.append(len(children))
    return children
