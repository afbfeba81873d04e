"""The physics process: simulates what is sent to it. Started by `engine.physics.client`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from engine.children import Line, Message

if TYPE_CHECKING:
    from engine.physics.rock import Blast, RockWorld


def serve(line: Line) -> None:
    """Serves blasts; a world is kept for each profile and step length."""
    _load_quietly()
    worlds: dict[tuple[str, float], RockWorld] = {}
    while True:
        request = line.receive()
        try:
            line.send(_reply(worlds, request))
        except Exception as error:
            line.send(Message({"error": f"{type(error).__name__}: {error}"}))


def _load_quietly() -> None:
    """Loads the engine, which prints when it is loaded."""
    from engine.physics.rock import load_engine

    errors = os.dup(2)
    os.dup2(os.open(os.devnull, os.O_RDWR), 2)
    load_engine()
    os.dup2(errors, 2)


def _reply(worlds: dict[tuple[str, float], RockWorld], request: Message) -> Message:
    from engine.physics.rock import RockWorld

    data: dict[str, Any] = dict(request.data)
    key = data["profile"], data["step_s"]
    world = worlds.get(key) or worlds.setdefault(key, RockWorld(*key))
    if "heights" not in request.arrays:
        return Message({"version": world.version})
    place = data["row"], data["column"], data["depth"], data["tracks"]
    blast: Blast = world.blast(request.arrays["heights"], *place)
    told = {"lost": float(blast.lost), "steps": int(blast.steps), "is_still": bool(blast.is_still)}
    return Message(told, {"gains": blast.gains} | ({} if blast.tracks is None else {"tracks": blast.tracks}))
