"""The figures of a simulated machine at each moment, in words."""

from __future__ import annotations

import numpy as np

from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.machines.results.trace import FRAMES_PER_S, Trace


class Moments:
    """What the level is about, the machine or the boulder or ball, frame by frame."""

    def __init__(self, level: Level, trace: Trace) -> None:
        self._trace = trace
        self._start = int(np.argmin(np.abs(trace.times)))
        has_ball = level.task != "movement" and bool(trace.balls.shape[1])
        self._path = trace.balls[:, 0, :3] if has_ball else trace.positions[:, 0]
        self._has_ball = has_ball

    def words(self, index: int) -> str:
        """Distance, height, speed, and how much is broken in a frame."""
        path = self._path
        # Adding 0 turns −0.00 into 0.00.
        forward = round(float(path[index, 2] - path[self._start, 2]), 2) + 0.0
        up = round(float(path[index, 1]), 2) + 0.0
        speed = float(np.linalg.norm(path[index] - path[max(0, index - 1)])) * FRAMES_PER_S
        broken = sum(row.time <= self._trace.times[index] for row in self._trace.breaks)
        way = f"boulder or ball {forward:.2f} m forward" if self._has_ball else f"machine {forward:.2f} m forward"
        figures = [way, f"{up:.2f} m high", f"{speed:.1f} m/s"]
        return " · ".join([*figures, f"{broken} broken"] if broken else figures)
