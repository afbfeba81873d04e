"""The physics process: simulates what is sent to it. Started by `spatial_workbench.engine.physics.client`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from spatial_workbench.engine.children import Line, Message

if TYPE_CHECKING:
    from spatial_workbench.engine.physics.rocks.rolling import RockWorld

_REPORT_S = 0.1

Report = Callable[[float], None]


def serve(line: Line) -> None:
    """Serves simulations of rock and of machines."""
    load_quietly()
    while True:
        request = line.receive()
        try:
            line.send(_SERVICES[request.data["service"]](request, _reporter(line)))
        except Exception as error:
            line.send(Message({"error": f"{type(error).__name__}: {error}"}))


def load_quietly() -> None:
    """Loads the engine, and discards what it prints to standard error meanwhile."""
    from spatial_workbench.engine.physics.engine import load_engine

    errors = os.dup(2)
    os.dup2(os.open(os.devnull, os.O_RDWR), 2)
    load_engine()
    os.dup2(errors, 2)


def _reporter(line: Line) -> Report:
    """A function that reports to the parent which share of a simulation is done, at most ten times a second."""
    last = time.monotonic()

    def report(share: float) -> None:
        nonlocal last
        if time.monotonic() - last >= _REPORT_S:
            last = time.monotonic()
            line.send(Message({"share": share}))

    return report


def _version(request: Message, report: Report) -> Message:
    from spatial_workbench.engine.physics.engine import Engine

    engine = Engine()
    try:
        return Message({"version": engine.version})
    finally:
        engine.close()


def _blast(request: Message, report: Report) -> Message:
    data = request.data
    place = data["row"], data["column"], data["depth"], data["tracks"]
    blast = _rock_world(data["profile"], data["step_s"]).blast(request.arrays["heights"], *place)
    result = {"lost": float(blast.lost), "steps": int(blast.steps), "is_still": bool(blast.is_still)}
    return Message(result, {"gains": blast.gains} | ({} if blast.tracks is None else {"tracks": blast.tracks}))


@cache
def _rock_world(profile: str, step_s: float) -> RockWorld:
    """A world is kept for each profile and length of a step; every blast starts afresh in it."""
    from spatial_workbench.engine.physics.rocks.rolling import RockWorld

    return RockWorld(profile, step_s)


def _machine(request: Message, report: Report) -> Message:
    from spatial_workbench.engine.machines.building.tree import read_tree
    from spatial_workbench.engine.machines.levels.level import read_level
    from spatial_workbench.engine.machines.results.trace import write_trace
    from spatial_workbench.engine.physics.machine_run import simulate

    data = request.data
    tree = read_tree(data["tree"]).tree
    if tree is None:
        raise ValueError("the machine is not a construction tree")
    return Message(*write_trace(simulate(tree, read_level(data["level"]), data["rate"], report)))


_SERVICES: dict[str, Callable[[Message, Report], Message]] = {
    "version": _version,
    "blast": _blast,
    "machine": _machine,
}
