"""Trees that halve a square or a cube again and again along a cycle of axes.

A cell has a label of bits: bit d says which half of the axis cycle[d mod length] it lies in, 0 the lower. Boxes are
kept in whole numbers, in units of 1 / 2^depth of the deepest leaf, so that comparing them is exact.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

AXES = "xyz"
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Tree:
    """A subdivision: `preorder` is the tree depth first, child 0 first, 1 for a split node and 0 for a leaf."""

    dimension: int
    cycle: str
    preorder: str
    target: str

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> "Tree":
        """The tree in an instance's parameters."""
        return cls(parameters["dimension"], parameters["cycle"], parameters["preorder"], parameters["target"])

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """The labels of the leaves, in visiting order."""
        leaves = []
        waiting = [""]
        for mark in self.preorder:
            label = waiting.pop()
            if mark == "1":
                waiting += [label + "1", label + "0"]
            else:
                leaves.append(label)
        return tuple(leaves)

    @cached_property
    def index(self) -> dict[str, int]:
        """Where each leaf stands in `leaves`."""
        return {label: i for i, label in enumerate(self.leaves)}

    @cached_property
    def depth(self) -> int:
        """The depth of the deepest leaf."""
        return max(map(len, self.leaves))

    def box(self, label: str) -> Ints:
        """Lower and upper end on each axis: (dimension, 2), in units of 1 / 2^depth."""
        ends = np.tile(np.array([0, 1 << self.depth]), (self.dimension, 1))
        for d, bit in enumerate(label):
            axis = AXES.index(self.cycle[d % len(self.cycle)])
            ends[axis, 1 - int(bit)] = ends[axis].sum() // 2
        return ends

    @cached_property
    def boxes(self) -> Ints:
        """The boxes of all leaves: (n, dimension, 2)."""
        return np.array([self.box(label) for label in self.leaves])

    @cached_property
    def neighbours(self) -> tuple[str, ...]:
        """The leaves that share a face (2D: a piece of an edge) with the target, sorted."""
        low, high = self.boxes[..., 0], self.boxes[..., 1]
        t_low, t_high = self.box(self.target).T
        touches = (low == t_high) | (high == t_low)
        overlaps = (low < t_high) & (high > t_low)
        touching = (touches.sum(axis=1) == 1) & ((touches | overlaps).all(axis=1))
        return tuple(sorted(self.leaves[i] for i in np.flatnonzero(touching)))

    @cached_property
    def around(self) -> tuple[str, ...]:
        """The leaves that touch the target anywhere, also at an edge or a corner; without the target."""
        low, high = self.boxes[..., 0], self.boxes[..., 1]
        t_low, t_high = self.box(self.target).T
        near = ((low <= t_high) & (high >= t_low)).all(axis=1)
        return tuple(self.leaves[i] for i in np.flatnonzero(near) if self.leaves[i] != self.target)

    @cached_property
    def inner(self) -> frozenset[str]:
        """The labels of the split nodes."""
        return frozenset(label[:d] for label in self.leaves for d in range(len(label)))

    def covered(self, labels: tuple[str, ...]) -> dict[str, float]:
        """The share (0 to 1) of each inner face of the target (such as "x+") that these leaves cover."""
        target = self.box(self.target)
        size = 1 << self.depth
        shares = {}
        for axis in range(self.dimension):
            for side, sign in ((0, "-"), (1, "+")):
                if target[axis, side] in (0, size):
                    continue
                covered = sum(self._shared(label, axis, side) for label in labels if label in self.index)
                whole = np.prod([target[a, 1] - target[a, 0] for a in range(self.dimension) if a != axis])
                shares[f"{AXES[axis]}{sign}"] = float(covered / whole)
        return shares

    def _shared(self, label: str, axis: int, side: int) -> int:
        box = self.boxes[self.index[label]]
        target = self.box(self.target)
        if box[axis, 1 - side] != target[axis, side]:
            return 0
        shared = 1
        for other in range(self.dimension):
            if other != axis:
                shared *= max(0, min(box[other, 1], target[other, 1]) - max(box[other, 0], target[other, 0]))
        return int(shared)


def probed_neighbours(tree: Tree) -> tuple[str, ...]:
    """The neighbours by another method: the leaves that contain points just outside the target's faces.

    There is one point in front of every piece that the finest possible cells of the tree would cut a face into, so no
    leaf can slip between two of them.
    """
    boxes = 2 * tree.boxes
    target = 2 * tree.box(tree.target)
    neighbours: set[int] = set()
    for axis in range(tree.dimension):
        for place in (target[axis, 0] - 1, target[axis, 1] + 1):
            spans = [_probes(tree, target, a) if a != axis else np.array([place]) for a in range(tree.dimension)]
            points = np.stack(np.meshgrid(*spans, indexing="ij"), axis=-1).reshape(-1, tree.dimension)
            near = np.flatnonzero((boxes[:, axis, 0] < place) & (boxes[:, axis, 1] > place))
            inside = (points[:, None] > boxes[near, :, 0]) & (points[:, None] < boxes[near, :, 1])
            neighbours |= set(near[inside.all(axis=2).any(axis=0)].tolist())
    return tuple(sorted(tree.leaves[i] for i in neighbours))


def _probes(tree: Tree, target: Ints, axis: int) -> Ints:
    """The centres of the finest cells along one axis of the target, in half units."""
    halvings = sum(tree.cycle[d % len(tree.cycle)] == AXES[axis] for d in range(tree.depth))
    step = 2 << (tree.depth - halvings)
    return np.arange(target[axis, 0] + step // 2, target[axis, 1], step)
