"""The physics process: answers requests on its standard input until that closes. Started by `engine.physics.client`.

Its first word on standard output is the token that it was started with; what others print before that is passed over.
"""

from __future__ import annotations

import os
import sys
from typing import IO, TYPE_CHECKING, Any

from engine.physics.messages import receive, send

if TYPE_CHECKING:
    from engine.core.scene import Floats
    from engine.physics.rock import Blast, RockWorld


def main() -> None:
    """Serves blasts; a world is kept for each profile and step length."""
    requests, replies = _take_pipes()
    from engine.physics.rock import load_engine

    errors = os.dup(2)
    os.dup2(os.open(os.devnull, os.O_RDWR), 2)
    load_engine()
    os.dup2(errors, 2)
    replies.write(f"{sys.argv[1]}\n".encode())
    replies.flush()
    worlds: dict[tuple[str, float], RockWorld] = {}
    while (request := receive(requests)) is not None:
        try:
            send(replies, *_reply(worlds, *request))
        except Exception as error:
            send(replies, {"error": f"{type(error).__name__}: {error}"})


def _take_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """The pipes, which nothing that prints or is started can reach: the engine prints when it is loaded."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(nothing, descriptor)
    return requests, replies


def _reply(
    worlds: dict[tuple[str, float], RockWorld], data: dict[str, Any], arrays: dict[str, Floats]
) -> tuple[dict[str, Any], dict[str, Floats]]:
    from engine.physics.rock import RockWorld

    key = data["profile"], data["step_s"]
    world = worlds.get(key) or worlds.setdefault(key, RockWorld(*key))
    if "heights" not in arrays:
        return {"version": world.version}, {}
    blast: Blast = world.blast(arrays["heights"], data["row"], data["column"], data["depth"], data["tracks"])
    told = {"lost": float(blast.lost), "steps": int(blast.steps), "is_still": bool(blast.is_still)}
    return told, {"gains": blast.gains} | ({} if blast.tracks is None else {"tracks": blast.tracks})


if __name__ == "__main__":
    main()
