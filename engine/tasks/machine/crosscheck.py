"""The cross-check: validity in whole millimetres by integer matrices, and the simulation with half the step."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core import Check, Figure, Outcome, Problem, Progress
from spatial_workbench.engine.machines.building.blocks import CONTAINER, block_types, constants
from spatial_workbench.engine.machines.building.tree import MachineBlock, Tree
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.machines.results.scoring import Score, score_of
from spatial_workbench.engine.machines.results.trace import STEPS_PER_S
from spatial_workbench.engine.physics.machine_judging import simulate_and_score
from spatial_workbench.engine.physics.machine_results import simulated
from spatial_workbench.engine.tasks.machine.answer import MachineAnswer

Matrix = NDArray[np.int64]

_WORDS = {"Front": (0, 0, 1), "Back": (0, 0, -1), "Left": (-1, 0, 0), "Right": (1, 0, 0), "Up": (0, 1, 0)}
_WORDS |= {"Down": (0, -1, 0)}
SPACE = "faces, overlap and size, in whole millimetres"
SAME_BREAKS = "the same connections break with half the step"

ALIKE = 0.05
"""Throws land alike if their landing distances differ by a smaller share."""
MOST_FAULTS = 1000
"""The most faults that are listed."""


def judge_again(
    answer: MachineAnswer, level: Level, goal: float, score_tolerance: float, progress: Progress
) -> Outcome:
    """Judges as the default verifier does; `goal` is R of the reference machine."""
    tree = answer.reading.tree
    if tree is None:
        return Outcome.failed([], passed=False)
    space = Check.of(SPACE, map(Problem, islice(_faults(tree, level), MOST_FAULTS)))
    if space.problems:
        return Outcome.failed([space], passed=False)
    halved, score = simulate_and_score(
        tree, level, simulate=partial(simulated, rate=2 * STEPS_PER_S, progress=progress)
    )
    share = _share(score, goal)
    usual = simulated(tree, level, progress=progress)
    usual_score = score_of(level, tree, usual)
    breaks = [sorted({row.block for row in trace.breaks}) for trace in (usual, halved)]
    warnings = list(score.notes)
    if breaks[0] != breaks[1]:
        warnings.append(_words(*breaks))
    passed = _passes(score, level)
    if abs(share - _share(usual_score, goal)) > score_tolerance or passed is not _passes(usual_score, level):
        warnings.append(_words_of_way(usual_score, score))
    figures = [Figure(figure.name, round(figure.value, 4), figure.unit) for figure in score.figures]
    return Outcome(share, [space], figures, warnings, passed=passed)


def _passes(score: Score, level: Level) -> bool:
    return score.success is True if level.targets else score.reward > 0


def _share(score: Score, goal: float) -> float:
    """A score as a share of the reference machine's, at most 1."""
    return min(1.0, score.reward / goal if goal > 0 else float(score.reward > 0))


def _words_of_way(usual: Score, halved: Score) -> str:
    """How a machine comes to another score with half the step."""
    first, second = ({figure.name: figure.value for figure in score.figures} for score in (usual, halved))
    landings = first.get("landing distance", 0.0), second.get("landing distance", 0.0)
    if abs(landings[0] - landings[1]) >= ALIKE * max(landings):
        rewards = f"R is {usual.reward:.4g} with the usual step, {halved.reward:.4g} with half of it"
        return f"The result depends on the time step: {rewards}"
    return (
        "The result depends on how the boulder bounces and rolls: "
        f"it lands after {landings[0]:.1f} m with the usual step, after {landings[1]:.1f} m with half of it, and gets "
        f"as far as {first['distance']:.1f} m and {second['distance']:.1f} m"
    )


def _words(usual: list[int], halved: list[int]) -> str:
    listed = [", ".join(map(str, blocks)) or "none" for blocks in (usual, halved)]
    return f"The result depends on what breaks: blocks {listed[0]} with the usual step, {listed[1]} with half of it"


def _faults(tree: Tree, level: Level) -> Iterator[str]:
    used: set[tuple[int, int]] = set()
    for entry in tree:
        if isinstance(entry, MachineBlock) and entry.parent >= 0:
            if (entry.parent, entry.face) in used:
                yield f"face {entry.face} of block {entry.parent} is used twice"
            used.add((entry.parent, entry.face))
    boxes = _boxes_mm(tree)
    low, high = (np.array(corners) for corners in zip(*boxes.values(), strict=True))
    for a, b in _overlaps(list(boxes), low, high):
        if not _sits_in(tree, a, b):
            yield f"blocks {a} and {b} overlap"
    for axis, length, limit in zip("xyz", high.max(axis=0) - low.min(axis=0), level.size_limits, strict=True):
        if length > round(1000 * limit):
            yield f"the machine is {length} mm long along {axis}"


def _overlaps(blocks: list[int], low: Matrix, high: Matrix) -> Iterator[tuple[int, int]]:
    """The pairs of blocks that share too much: block by block, against those that begin before it ends along x."""
    tolerance = round(1000 * constants()["limits"]["overlap_tolerance"])
    order = np.argsort(low[:, 0], kind="stable")
    for rank, row in enumerate(order):
        last = np.searchsorted(low[order, 0], high[row, 0])
        others = order[rank + 1 : last]
        shared = np.minimum(high[others], high[row]) - np.maximum(low[others], low[row])
        for other in others[(shared > tolerance).all(axis=1)]:
            first, second = sorted((blocks[row], blocks[other]))
            yield first, second


def _sits_in(tree: Tree, first: int, second: int) -> bool:
    entry = tree[second]
    return isinstance(entry, MachineBlock) and entry.parent == first and tree[first].type == CONTAINER


def _boxes_mm(tree: Tree) -> dict[int, tuple[Matrix, Matrix]]:
    """Lowest and highest corner of every block but the linear ones."""
    places: dict[int, tuple[Matrix, Matrix]] = {}
    boxes: dict[int, tuple[Matrix, Matrix]] = {}
    for entry in tree:
        if not isinstance(entry, MachineBlock):
            continue
        if entry.parent < 0:
            origin = np.zeros(3, np.int64)
            turn = np.eye(3, dtype=np.int64)
        else:
            at, above = places[entry.parent]
            face = block_types()[tree[entry.parent].type].faces[entry.face]
            origin = at + above @ _mm(face.position)
            turn = _turn_to(above @ _WORDS[face.direction])
        places[entry.id] = origin, turn
        kind = block_types()[entry.type]
        # Corners in half millimetres stay whole.
        center = 2 * (origin + turn @ _mm(kind.center))
        half = np.abs(turn @ _mm(kind.size))
        boxes[entry.id] = (center - half) // 2, -((-center - half) // 2)
    return boxes


def _mm(vector: tuple[float, float, float]) -> Matrix:
    whole: Matrix = np.rint(1000 * np.array(vector)).astype(np.int64)
    return whole


def _turn_to(front: Matrix) -> Matrix:
    """The shortest rotation that takes z+ to a direction along an axis; half a turn about y for z-."""
    z = np.array([0, 0, 1])
    if (front == z).all():
        return np.eye(3, dtype=np.int64)
    if (front == -z).all():
        return np.diag([-1, 1, -1])
    axis = np.cross(z, front)
    across = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    turn: Matrix = np.eye(3, dtype=np.int64) + across + across @ across
    return turn
