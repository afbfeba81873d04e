"""Simulated machines, remembered by their content in this process and on disk."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from hashlib import sha256

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.reuse import notice_reuse
from spatial_workbench.engine.machines.building.blocks import table_hash
from spatial_workbench.engine.machines.building.tree import Tree, write_tree
from spatial_workbench.engine.machines.levels.level import Level, as_simulated, write_level
from spatial_workbench.engine.machines.results.trace import STEPS_PER_S, Trace, read_trace, write_trace
from spatial_workbench.engine.physics.client import SimulationDied, physics
from spatial_workbench.engine.physics.failures import failed_trace, words_of_error
from spatial_workbench.engine.physics.stored import load, store

RECIPE = "3"
"""Increased when the simulation changes, so that older results are not mistaken for new ones."""
REMEMBERED = 8

_traces: OrderedDict[bytes, Trace] = OrderedDict()
_remembering = threading.Lock()


def simulated(tree: Tree, level: Level, rate: int = STEPS_PER_S, progress: Progress = silent) -> Trace:
    """What a machine does in a level; simulated unless that was done before.

    A machine on which the engine dies has a trace that says so; it is not stored, since memory may have been short.

    Raises:
        PhysicsUnavailable: The physics engine cannot be used.
        Cancelled: Raised by `progress`.
    """
    key = _key(tree, level, rate)
    trace = _traces.get(key) or _load(key)
    if trace is not None:
        notice_reuse()
    else:
        trace = _simulate(key, tree, level, rate, progress)
    with _remembering:
        _traces[key] = trace
        _traces.move_to_end(key)
        while len(_traces) > REMEMBERED:
            _traces.popitem(last=False)
    return trace


def _simulate(key: bytes, tree: Tree, level: Level, rate: int, progress: Progress) -> Trace:
    try:
        trace = physics().machine(tree, level, rate, progress)
    except SimulationDied as error:
        return failed_trace(tree, level, rate, words_of_error(error))
    store(key, *write_trace(trace))
    return trace


def trace_name(tree: Tree, level: Level, rate: int = STEPS_PER_S) -> str:
    """The name under which `stored_trace` finds the trace of a machine, as long as it is stored.

    Raises:
        PhysicsUnavailable: The physics engine, whose build is part of the name, cannot be used.
    """
    return _key(tree, level, rate).hex()


def stored_trace(name: str) -> Trace | None:
    """The trace of that name; None if it is not stored. This needs no physics engine."""
    try:
        key = bytes.fromhex(name)
    except ValueError:
        return None
    return _traces.get(key) or _load(key)


def _key(tree: Tree, level: Level, rate: int) -> bytes:
    """The hash of everything that the result depends on."""
    irrelevant = (
        "id",
        "title",
        "about",
        "types",
        "goal",
        "targets",
        "path",
        "size_limits",
        "seed",
        "parameters",
        "par",
    )
    world = {name: value for name, value in write_level(level).items() if name not in irrelevant}
    content = [RECIPE, physics().version(), table_hash(), rate, write_tree(as_simulated(tree, level)), world]
    return sha256(json.dumps(content, sort_keys=True).encode()).digest()


def _load(key: bytes) -> Trace | None:
    stored = load(key)
    try:
        return read_trace(*stored) if stored else None
    except (TypeError, KeyError, ValueError):
        return None
