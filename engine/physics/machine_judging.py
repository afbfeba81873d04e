"""The judge of machines: simulates and scores machines for everything that needs to know what they do.

Verifiers, workflows of models, searches and the makers of reference machines differ only in how a machine is simulated:
remembered (`machine_results.simulated`), or in this process (`machine_run.simulate`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from spatial_workbench.engine.machines.building.spatial import spatial_faults
from spatial_workbench.engine.machines.building.tree import Fault, MachineReading, Tree
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.machines.results.scoring import Rule, Score, score_of
from spatial_workbench.engine.machines.results.trace import Trace
from spatial_workbench.engine.physics.machine_results import simulated

Simulation = Callable[[Tree, Level], Trace]


@dataclass(frozen=True)
class MachineJudged:
    """A machine with what was found out about it; a machine that is not valid is not simulated."""

    reading: MachineReading
    spatial: tuple[Fault, ...]
    trace: Trace | None
    score: Score

    @property
    def is_valid(self) -> bool:
        """Whether the machine keeps the rules of files and of space."""
        return self.reading.tree is not None and not self.spatial


def judge_machine(
    reading: MachineReading, level: Level, rule: Rule = "default", simulate: Simulation = simulated
) -> MachineJudged:
    """Checks a machine by the rules of files and of space, and simulates and scores one that keeps them.

    Raises:
        PhysicsUnavailable: The physics engine cannot be used.
        Cancelled: Raised by the simulation's progress.
    """
    tree = reading.tree
    if tree is None:
        return MachineJudged(reading, (), None, score_of(level, (), None, is_valid=False, rule=rule))
    spatial = tuple(spatial_faults(tree, level.size_limits))
    if spatial:
        return MachineJudged(reading, spatial, None, score_of(level, tree, None, is_valid=False, rule=rule))
    trace, score = simulate_and_score(tree, level, rule, simulate)
    return MachineJudged(reading, (), trace, score)


def simulate_and_score(
    tree: Tree, level: Level, rule: Rule = "default", simulate: Simulation = simulated
) -> tuple[Trace, Score]:
    """What a machine that keeps all rules does in a level, and what that is worth. Raises as `judge_machine`."""
    trace = simulate(tree, level)
    return trace, score_of(level, tree, trace, rule=rule)
