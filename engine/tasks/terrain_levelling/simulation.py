"""A plan of blasts carried out on a map, blast by blast."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.reuse import notice_reuse
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.physics.client import physics
from spatial_workbench.engine.physics.rocks.rolled_plans import (
    load_plan,
    next_key,
    remember,
    remembered,
    start_key,
    store_plan,
)
from spatial_workbench.engine.physics.rocks.rolling import DEFAULT, STEP_S, Blast

TIME_LIMIT_S = 30 * 60.0
MAX_ROLLED = 40
"""Of a longer plan, a film shows the map after each blast, and not how the rock rolls."""
ROLLING_FRAMES = 20
"""Frames in which the rock of a blast rolls."""


class Charge(NamedTuple):
    """One blast of a plan: column, row, depth in metres."""

    x: int
    y: int
    z: float


@dataclass(frozen=True, eq=False)
class TerrainRun:
    """The result of a plan.

    Attributes:
        heights: The map after the last blast that was carried out.
        blasts: What each of them did.
        refused: Why the plan ended at blast `len(blasts)`; empty if it was carried out to the end.
        timed_out: Whether the simulation took too long, so that the plan is not evaluated.
    """

    heights: Floats
    blasts: tuple[Blast, ...]
    refused: str = ""
    timed_out: bool = False

    @cached_property
    def lost(self) -> float:
        """Height units of rock that left the map."""
        return sum(blast.lost for blast in self.blasts)


def carry_out(
    heights: Floats,
    charges: Sequence[Charge],
    profile: str = DEFAULT,
    progress: Progress = silent,
    step_s: float = STEP_S,
) -> TerrainRun:
    """Simulates a plan; the beginning that was simulated before is reused.

    Raises:
        PhysicsUnavailable: If the physics engine cannot be used.
        Cancelled: Raised by `progress`.
    """
    if not charges:
        return TerrainRun(heights.copy(), ())
    engine = physics()
    key = start_key(heights, f"{profile} {step_s!r}", engine.version())
    stored = load_plan(_plan_key(key, charges))
    done: list[Blast] = []
    now = heights.copy()
    why = ""
    is_known = True
    start = time.monotonic()
    for i, charge in enumerate(charges):
        why = refusal(now, charge)
        if why:
            break
        now[charge.y, charge.x] -= charge.z
        key = next_key(key, charge.x, charge.y, charge.z)
        blast = stored[i] if stored else remembered(key)
        if blast is None:
            is_known = False
            if time.monotonic() - start > TIME_LIMIT_S:
                return TerrainRun(now, tuple(done), timed_out=True)
            progress(i, len(charges), f"blast {i + 1} of {len(charges)}")
            blast = engine.blast(profile, now, charge.y, charge.x, charge.z, step_s=step_s)
        remember(key, blast)
        settle(now, blast)
        done.append(blast)
    if done and is_known:
        notice_reuse()
    if not stored and not why:
        store_plan(key, done)
    return TerrainRun(now, tuple(done), why)


def is_stored(heights: Floats, charges: Sequence[Charge], profile: str = DEFAULT, step_s: float = STEP_S) -> bool:
    """Whether a whole plan was simulated before, so that carrying it out takes no time."""
    key = start_key(heights, f"{profile} {step_s!r}", physics().version())
    return load_plan(_plan_key(key, charges)) is not None


def refusal(heights: Floats, charge: Charge) -> str:
    """Why a blast cannot be carried out on a map as it is now; empty if it can."""
    rows, columns = heights.shape
    x, y, z = charge
    if not (0 <= x < columns and 0 <= y < rows):
        return f"cell ({x}, {y}) lies outside the {columns} x {rows} map"
    if z <= 0:
        return f"the depth {z:g} is not above 0"
    if z > heights[y, x]:
        return f"the depth {z:g} at ({x}, {y}) is more than the height there, {heights[y, x]:g}"
    return ""


def settle(heights: Floats, blast: Blast) -> None:
    """Adds the rock of a blast to the map where it came to rest."""
    cells = blast.gains[:, 0].astype(int)
    heights.ravel()[cells] += blast.gains[:, 1]


def states(heights: Floats, charges: Sequence[Charge], run: TerrainRun) -> list[Floats]:
    """The map before the first blast and after each one."""
    history = [heights.copy()]
    for charge, blast in zip(charges, run.blasts, strict=False):
        now = history[-1].copy()
        now[charge.y, charge.x] -= charge.z
        settle(now, blast)
        history.append(now)
    return history


def roll(heights: Floats, charge: Charge, profile: str = DEFAULT, progress: Progress = silent) -> Floats:
    """The positions of the spheres of one blast at every sample, (frames, k, 3); `heights` is the map before it."""
    lowered = heights.copy()
    lowered[charge.y, charge.x] -= charge.z
    tracks = physics().blast(profile, lowered, charge.y, charge.x, charge.z, tracks=True).tracks
    return tracks if tracks is not None else np.zeros((0, 0, 3))


def rolled(maps: Sequence[Floats], charges: Sequence[Charge], progress: Progress = silent) -> list[Floats]:
    """The spheres of each blast of a short plan, (ROLLING_FRAMES, k, 3) at most; nothing for a plan of more blasts.

    maps: The map before the first blast and after each one.

    Raises:
        PhysicsUnavailable: If the physics engine cannot be used.
        Cancelled: Raised by `progress`.
    """
    if len(charges) > MAX_ROLLED:
        return []
    found = []
    for number, (heights, charge) in enumerate(zip(maps, charges, strict=False)):
        progress(number, len(charges), f"following the rock of blast {number + 1} of {len(charges)}")
        tracks = roll(heights, charge, progress=progress)
        chosen = np.unique(np.linspace(0, max(0, len(tracks) - 1), ROLLING_FRAMES).astype(int))
        found.append(tracks[chosen] if len(tracks) else tracks)
    return found


def _plan_key(key: bytes, charges: Sequence[Charge]) -> bytes:
    for charge in charges:
        key = next_key(key, charge.x, charge.y, charge.z)
    return key
