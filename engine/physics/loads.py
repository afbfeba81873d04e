"""What connections bear, averaged over a moment, and which of them breaks next (docs/machines.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.core.scene import Floats


@dataclass(frozen=True)
class Overload:
    """A connection that bears too much: its row, force in N, torque in N m, and the load as a multiple of its limit."""

    row: int
    force: float
    torque: float
    load: float


class Loads:
    """The forces and torques of some connections.

    Args:
        arms: (n, 3) from each connection's point to where the engine measures, in the frame of the measured block.
        force_limits, torque_limits: (n,) what they bear, redundancy included.
        steps: Over how many steps loads are averaged.
    """

    def __init__(self, arms: Floats, force_limits: Sequence[float], torque_limits: Sequence[float], steps: int) -> None:
        self._steps = steps
        self._measured = np.zeros((self._steps, len(arms), 6))
        self._count = 0
        self._shift = _cross_matrices(arms)
        self._limits = np.array([force_limits, torque_limits], float).reshape(2, -1)
        self.peaks = np.zeros(len(arms))
        """The largest load of each so far, as a multiple of its limit."""

    def add(self, reactions: Sequence[Sequence[float]]) -> Overload | None:
        """Adds the forces and torques that the engine measured in a step; returns the worst overload, if there is
        one.
        """
        self._measured[self._count % self._steps] = reactions
        self._count += 1
        if self._count < self._steps:
            return None
        force, torque = self._averages()
        loads = np.maximum(force / self._limits[0], torque / self._limits[1])
        np.maximum(self.peaks, loads, out=self.peaks)
        worst = int(loads.argmax())
        if loads[worst] <= 1:
            return None
        return Overload(worst, float(force[worst]), float(torque[worst]), float(loads[worst]))

    def _averages(self) -> tuple[Floats, Floats]:
        mean = self._measured.sum(axis=0) / self._steps
        forces = mean[:, :3]
        torques = mean[:, 3:] + (self._shift @ forces[:, :, None])[:, :, 0]
        return np.sqrt((forces * forces).sum(axis=1)), np.sqrt((torques * torques).sum(axis=1))


def _cross_matrices(vectors: Floats) -> Floats:
    """The matrices (n, 3, 3) that multiply from the left as the cross product with vectors (n, 3) does."""
    x, y, z = np.asarray(vectors, float).reshape(-1, 3).T
    zero = np.zeros_like(x)
    return np.moveaxis(np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]), -1, 0)
