"""What a simulation recorded (docs/machines.md). All in the machine's frame; metres, seconds, newtons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.scene import Floats

FRAMES_PER_S = 30
SAMPLE_FRAMES = 6
"""Frames from one sample to the next: 0.2 s."""
SETTLE_S = 1.0
STEPS_PER_S = 240


@dataclass(frozen=True)
class Break:
    """A connection that gave way.

    `block` is the connection's child, `other` what it was held by; `time` in seconds since the power went on, negative
    while the machine settles; force in N and torque in N m as they were averaged; `load` as a multiple of the limit.
    """

    block: int
    other: int
    time: float
    force: float
    torque: float
    load: float


@dataclass(frozen=True)
class Bond:
    """Two blocks that hold each other: a block on its parent, an automatic join, or a linear block's ends.

    `peak` is the largest load that it bore, as a share of what breaks it.
    """

    block: int
    other: int
    kind: str
    peak: float


@dataclass(frozen=True, eq=False)
class Trace:
    """A simulated machine.

    Frames are 30 a second, from one second before the power goes on; steps are those of the simulation from t = 0.

    Attributes:
        positions: (frames, blocks, 3) building points, of a boulder its centre; NaN for linear blocks.
        rotations: (frames, blocks, 4) quaternions x, y, z, w; NaN for linear blocks.
        velocities: (frames, blocks, 3) of the blocks' centres, m/s; NaN for linear blocks.
        attached: (frames, blocks) whether unbroken connections lead to the starting block; for linear blocks: unbroken.
        lengths: (frames, blocks) of linear blocks, else NaN.
        torques: (frames, blocks) what motors exert, N m; NaN for blocks without one.
        ball_names: Names of the balls: "block 11" for a boulder of the machine, else the level's own.
        balls: (frames, balls, 7) centre and rotation.
        paths: (steps + 1, balls, 3) centres.
        touches: (steps + 1, balls) whether a ball touches the ground.
        breaks: In the order of time.
        bonds: Every connection, with the largest load it bore.
        rate: Steps a second.
        fault: Why the simulation ended early: the engine lost control of the bodies; empty: it ran to its end.
        engine: The physics engine's build.
        landings: (balls, 4) of each ball's first touch of the ground after t = 0, between two steps: seconds, and its
            centre; NaN for one that never lands. Without rows in traces of earlier versions.
        work_j: What motors and springs did from t = 0 on, J; None in traces of earlier versions.
    """

    positions: Floats
    rotations: Floats
    velocities: Floats
    attached: NDArray[np.bool_]
    lengths: Floats
    torques: Floats
    ball_names: tuple[str, ...]
    balls: Floats
    paths: Floats
    touches: NDArray[np.bool_]
    breaks: tuple[Break, ...]
    bonds: tuple[Bond, ...]
    rate: int
    fault: str
    engine: str
    landings: Floats = field(default_factory=lambda: np.zeros((0, 4)))
    work_j: float | None = None

    @property
    def times(self) -> Floats:
        """When each frame was taken, in seconds; the power goes on at 0."""
        return np.arange(len(self.positions)) / FRAMES_PER_S - SETTLE_S

    @property
    def step_times(self) -> Floats:
        """When each step of `paths` ended."""
        return np.arange(len(self.paths)) / self.rate

    @property
    def samples(self) -> slice:
        """The frames at t = 0, 0.2, 0.4 ... seconds."""
        return slice(round(FRAMES_PER_S * SETTLE_S), None, SAMPLE_FRAMES)


def write_trace(trace: Trace) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """A trace as plain data and arrays, for messages and files."""
    values = {part.name: getattr(trace, part.name) for part in fields(trace)}
    arrays = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
    data = {name: value for name, value in values.items() if name not in arrays}
    rows = {"breaks": [asdict(item) for item in trace.breaks], "bonds": [asdict(item) for item in trace.bonds]}
    return data | rows | {"ball_names": list(trace.ball_names)}, arrays


def read_trace(data: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Trace:
    """The trace that `write_trace` wrote."""
    rows = {
        "breaks": tuple(Break(**row) for row in data["breaks"]),
        "bonds": tuple(Bond(**row) for row in data["bonds"]),
        "ball_names": tuple(data["ball_names"]),
    }
    # Messages carry all arrays as numbers.
    flags = {name: arrays[name].astype(bool) for name in ("attached", "touches")}
    return Trace(**{**data, **arrays, **rows, **flags})
