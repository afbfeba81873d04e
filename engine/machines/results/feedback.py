"""What is reported after a simulation, in words (docs/machines.md).

Positions have two decimals, distances and speeds one, heights two. Samples are 0.2 s apart, from t = 0; the last one of
the window is left out, so that 5 s have 25. Speeds are the differences of samples.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import BOULDER, Facing
from spatial_workbench.engine.machines.building.poses import kind_of
from spatial_workbench.engine.machines.building.tree import Entry, Link
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.machines.levels.scenery import turned
from spatial_workbench.engine.machines.results.flight import Flight, boulder_names, flight_of
from spatial_workbench.engine.machines.results.scoring import Score
from spatial_workbench.engine.machines.results.trace import FRAMES_PER_S, SAMPLE_FRAMES, Break, Trace

SAMPLE_S = SAMPLE_FRAMES / FRAMES_PER_S
_SAMPLES_PER_S = FRAMES_PER_S // SAMPLE_FRAMES
_RUNS_SHARE = 0.25
"""A machine that changes its facing more often than once in four samples has none that lasts."""
_FACINGS: tuple[Facing, ...] = ("x+", "y+", "z+", "x-", "y-", "z-")
_NAMED_FACINGS = 4
_TICK = 1e-6


def feedback_of(level: Level, tree: Sequence[Entry], trace: Trace, score: Score) -> str:
    """What is reported of every machine, a line for each item."""
    lines = [f"Simulated for {level.window_s:g} s."]
    lines += _TOLD[level.task](level, tree, trace, score)
    lines.append(_series("Starting block, position", sampled(trace, trace.positions[:, 0], level), 2))
    lines += _of_breaks(tree, trace)
    lines += score.notes
    return "\n".join(lines)


def sampled(trace: Trace, frames: Floats, level: Level) -> Floats:
    """The samples that are reported of what was recorded for each frame: those of the window but for the last."""
    return np.asarray(frames[trace.samples][: round(level.window_s / SAMPLE_S)])


def break_time(time: float) -> float:
    """When a break is reported: at the next sample; at 0 if it happens while the machine settles."""
    return max(0.0, round(math.ceil(time / SAMPLE_S - _TICK) * SAMPLE_S, 1))


def detached_since(tree: Sequence[Entry], trace: Trace) -> dict[int, float]:
    """When each block lost the starting block for good, at the next sample; boulders and linear blocks never had it."""
    held = trace.attached[trace.samples]
    return {
        entry.id: round(float(np.flatnonzero(held[:, entry.id]).max(initial=-1) + 1) * SAMPLE_S, 1)
        for entry in tree
        if entry.type != BOULDER and not isinstance(entry, Link) and not held[-1, entry.id]
    }


def words_of_orientation(rotations: Floats) -> str:
    """Which way a machine looks, from its starting block's rotations (n, 4), a row for each sample."""
    axes = [_facing(rotation) for rotation in rotations]
    commonest = Counter(axes).most_common(_NAMED_FACINGS)
    runs = sum(1 for _ in groupby(axes))
    if runs > len(axes) * _RUNS_SHARE:
        return f"Orientation: changes often among {', '.join(axis for axis, _ in commonest)}."
    lasting = commonest[0][0]
    return "Orientation: faces z+." if lasting == "z+" else f"Orientation: faces {lasting} for most of the time."


def _facing(rotation: Floats) -> Facing:
    """The axis along which the front looks most."""
    x, y, z, w = rotation.tolist()
    front = turned((x, y, z, w), [(0, 0, 1)])[0]
    return _FACINGS[int(np.argmax([*front, *-front]))]


def _of_movement(level: Level, tree: Sequence[Entry], trace: Trace, score: Score) -> Iterator[str]:
    yield words_of_orientation(sampled(trace, trace.rotations[:, 0], level))
    if score.is_measured:
        what = "along the middle of the corridor" if level.path else "along z"
        yield f"Largest distance {what}: {score.figure('farthest'):.1f} m."
        yield f"Distance at the end: {score.figure('distance'):.1f} m."
    speeds = _speeds(trace.positions[trace.samples, 0])
    seconds = [speeds[k : k + _SAMPLES_PER_S] for k in range(0, len(speeds), _SAMPLES_PER_S)]
    if seconds:
        yield f"Top speed: {speeds.max():.1f} m/s."
        yield f"Mean speed in each second: {', '.join(f'{second.mean():.1f}' for second in seconds)} m/s."


def _of_throw(level: Level, tree: Sequence[Entry], trace: Trace, score: Score) -> Iterator[str]:
    if level.targets and score.is_measured:
        yield f"Target: {_words_of_success(score)}."
        yield f"Closest distance to the target: {score.figure('closest distance'):.1f} m."
        yield f"Final distance to the target: {score.figure('final distance'):.1f} m."
    for name in boulder_names(tree):
        if name in trace.ball_names:
            title = f"Boulder (id {name.removeprefix('block ')})"
            if score.is_measured:
                yield from _of_flight(flight_of(trace, name), title)
            yield from _of_ball(level, trace, name, title)


def _of_flight(flight: Flight, title: str) -> Iterator[str]:
    yield f"{title}, distance: {flight.distance:.1f} m."
    yield f"{title}, height: {flight.height:.2f} m."
    if flight.has_landed:
        where = f"{flight.landing_distance + 0.0:.1f} m along z from its start"
        yield f"{title}, landing: at {flight.landing_time:.1f} s, {where}."
    else:
        yield f"{title}, landing: none."


def _of_object(level: Level, tree: Sequence[Entry], trace: Trace, score: Score) -> Iterator[str]:
    name = level.balls[0].name
    if score.is_measured:
        shown = score.shown
        yield f"{name.capitalize()}, {shown.name}: {shown.value:.1f} m."
        yield f"Goal: {_words_of_success(score)}."
    yield from _of_ball(level, trace, name, name.capitalize())


def _of_ball(level: Level, trace: Trace, name: str, title: str) -> Iterator[str]:
    centers = trace.balls[:, trace.ball_names.index(name), :3]
    yield _series(f"{title}, position", sampled(trace, centers, level), 2)
    speeds = ", ".join(f"{speed:.1f}" for speed in _speeds(centers[trace.samples]))
    yield f"{title}, speed from each position to the next: {speeds} m/s."


_TOLD = {"movement": _of_movement, "throw": _of_throw, "delivery": _of_object, "pick": _of_object}


def _of_breaks(tree: Sequence[Entry], trace: Trace) -> Iterator[str]:
    broken = [f"{named(tree, part.block)} at {break_time(part.time):.1f} s" for part in _first_breaks(trace.breaks)]
    yield f"Broken parts: {', '.join(broken) or 'none'}."
    lost = [f"{named(tree, block)} since {time:.1f} s" for block, time in detached_since(tree, trace).items()]
    if lost:
        yield f"Detached from the starting block: {', '.join(lost)}."


def _first_breaks(breaks: Sequence[Break]) -> list[Break]:
    """The first break of each block, in the order of time."""
    first: dict[int, Break] = {}
    for part in breaks:
        first.setdefault(part.block, part)
    return list(first.values())


def named(tree: Sequence[Entry], block: int) -> str:
    """A block by its name and id."""
    return f"{kind_of(tree[block]).name} (id {block})"


def _words_of_success(score: Score) -> str:
    return "reached" if score.success else "not reached"


def _speeds(samples: Floats) -> Floats:
    return np.asarray(np.linalg.norm(np.diff(samples, axis=0), axis=1) / SAMPLE_S)


def _series(title: str, samples: Floats, decimals: int) -> str:
    return f"{title} [x, y, z] every {SAMPLE_S:.1f} s from 0.0 s: {rows_of(samples, decimals)}."


def rows_of(samples: Floats, decimals: int) -> str:
    """Vectors (n, 3) as [x, y, z], with no minus before a zero."""
    rounded = np.round(samples, decimals) + 0.0
    return ", ".join(f"[{', '.join(f'{value:.{decimals}f}' for value in row)}]" for row in rounded)
