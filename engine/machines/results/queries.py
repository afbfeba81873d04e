"""Questions about single blocks after a simulation, and their answers in words (docs/machines.md)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from spatial_workbench.engine.core.errors import AnswerError
from spatial_workbench.engine.core.reading.pipeline import read_data
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.tree import Entry, Link, ends_of
from spatial_workbench.engine.machines.results.feedback import SAMPLE_S, break_time, named, rows_of
from spatial_workbench.engine.machines.results.trace import Trace

Property = Literal["position", "rotation", "velocity", "length"]
MAX_QUERIES = 200
_OF_BLOCKS: tuple[Property, ...] = ("position", "rotation", "velocity")
_OF_LINKS: tuple[Property, ...] = ("length",)
_TAGGED = re.compile(r"<Required Feedback>(.*?)(?:</Required Feedback>|\Z)", re.DOTALL | re.IGNORECASE)
_UNITS = {
    "position": "[x, y, z] in metres",
    "rotation": "about [x, y, z] in degrees",
    "velocity": "[x, y, z] in m/s",
    "length": "in metres",
}
_DECIMALS = {"position": 2, "rotation": 0, "velocity": 2}
_TICK = 1e-6
_POLE = 1 - 1e-6


@dataclass(frozen=True)
class Query:
    """What is asked about a block, from `start` to `end` in seconds, both included."""

    block: int
    start: float
    end: float
    properties: tuple[Property, ...]


def read_queries(text: str, tree: Sequence[Entry], window_s: float) -> tuple[Query, ...]:
    """The queries inside <Required Feedback>, a JSON list; what cannot be read is skipped.

    An item has `id` (or `order_id`), `duration` as [start, end], and `properties`; without any of these, all that the
    block has are meant. Ids that the machine does not have are ignored, durations cut to the window.
    """
    tagged = _TAGGED.search(text)
    if tagged is None:
        return ()
    try:
        data = read_data(tagged.group(1), _is_asked)
    except AnswerError:
        return ()
    items = data if isinstance(data, list) else [data]
    queries = (_read_query(item, tree, window_s) for item in items[:MAX_QUERIES])
    return tuple(query for query in queries if query is not None)


def _is_asked(data: Any) -> bool:
    return isinstance(data, dict | list)


def answer_of(queries: Sequence[Query], tree: Sequence[Entry], trace: Trace) -> str:
    """The samples that were asked for, up to the moment when the block breaks."""
    return "\n".join(line for query in queries for line in _answer(query, tree, trace))


def euler_degrees(rotations: Floats) -> Floats:
    """Turns (n, 3) about the fixed axes x, then y, then z that make up quaternions (n, 4), in degrees."""
    x, y, z, w = np.asarray(rotations).T
    sine = np.clip(2 * (w * y - x * z), -1, 1)
    at_pole = np.abs(sine) > _POLE
    about_x = np.where(
        at_pole,
        np.arctan2(2 * (w * x - y * z), 1 - 2 * (x * x + z * z)),
        np.arctan2(2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    about_z = np.where(at_pole, 0, np.arctan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z)))
    angles = np.degrees(np.stack([about_x, np.arcsin(sine), about_z], axis=1))
    return _with_small_turns(angles)


def _with_small_turns(angles: Floats) -> Floats:
    """The other triple for the same rotation where two angles exceed 90°, so that a half turn about y reads as one."""
    others = np.stack([angles[:, 0] + 180, 180 - angles[:, 1], angles[:, 2] + 180], axis=1)
    wrapped = (others + 180) % 360 - 180
    wrapped = np.where(np.isclose(wrapped, -180), 180, wrapped)
    flipped = (np.abs(angles[:, [0, 2]]) > 90).all(axis=1, keepdims=True)
    return np.where(flipped, wrapped, angles)


def _read_query(item: Any, tree: Sequence[Entry], window_s: float) -> Query | None:
    if not isinstance(item, Mapping):
        return None
    block = _number(item.get("id", item.get("order_id")))
    duration = item.get("duration")
    if block is None or not 0 <= block < len(tree) or block != int(block):
        return None
    if not isinstance(duration, list | tuple) or len(duration) != 2:
        return None
    start, end = (_number(value) for value in duration)
    if start is None or end is None:
        return None
    start = max(0.0, start)
    end = min(window_s, end)
    if start > end:
        return None
    return Query(int(block), start, end, _properties(item.get("properties"), tree[int(block)]))


def _properties(asked: Any, entry: Entry) -> tuple[Property, ...]:
    """Those that a block has, in the order of the documentation."""
    known = _OF_LINKS if isinstance(entry, Link) else _OF_BLOCKS
    if asked is None:
        return known
    words = [asked] if isinstance(asked, str) else asked if isinstance(asked, list | tuple) else []
    return tuple(name for name in known if name in words)


def _number(value: Any) -> float | None:
    """A number, or text that is one."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _answer(query: Query, tree: Sequence[Entry], trace: Trace) -> list[str]:
    entry = tree[query.block]
    title = f"{named(tree, query.block)}, type {entry.type}, {query.start:g} s to {query.end:g} s"
    broken = _broken_at(entry, trace)
    if broken is None or broken > query.end + _TICK:
        return [f"{title}.", *_series(query, trace, query.end + _TICK)]
    words = f"breaks at {broken:.1f} s" if broken >= query.start - _TICK else f"broken since {broken:.1f} s"
    return [f"{title}: {words}.", *_series(query, trace, broken - _TICK, ", incomplete")]


def _broken_at(entry: Entry, trace: Trace) -> float | None:
    """When a block breaks; a linear one also ends with a block that it hangs on."""
    blocks = {entry.id}
    if isinstance(entry, Link):
        blocks |= {parent for parent, _ in ends_of(entry)}
    times = [break_time(part.time) for part in trace.breaks if part.block in blocks]
    return min(times, default=None)


def _series(query: Query, trace: Trace, until: float, note: str = "") -> list[str]:
    """A line for each property, with the samples from the start of the period up to a time."""
    times = trace.times[trace.samples]
    asked = (times >= query.start - _TICK) & (times <= until)
    lines = []
    for name in query.properties:
        words = _words(name, _samples(name, query.block, trace)[asked]) if asked.any() else "no samples"
        first = f" from {times[asked][0]:.1f} s" if asked.any() else ""
        lines.append(f"  {name} {_UNITS[name]}, every {SAMPLE_S:.1f} s{first}{note}: {words}")
    return lines


def _samples(name: Property, block: int, trace: Trace) -> Floats:
    recorded = {"position": trace.positions, "rotation": trace.rotations, "velocity": trace.velocities}
    frames = trace.lengths if name == "length" else recorded[name]
    return np.asarray(frames[trace.samples, block])


def _words(name: Property, samples: Floats) -> str:
    if name == "length":
        return ", ".join(f"{length:.1f}" for length in samples)
    return rows_of(euler_degrees(samples) if name == "rotation" else samples, _DECIMALS[name])
