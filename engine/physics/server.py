"""The physics process: answers requests on its standard input until that closes.

Started by `engine.physics.client`. Both ends are this program, so what is sent is pickled.
"""

from __future__ import annotations

import os
import pickle
import struct
from typing import IO, Any

LENGTH = struct.Struct("<Q")


def main() -> None:
    """Serves blasts; a world is kept for each profile and step length."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # The engine prints when it is loaded, and must not do so into the replies or the terminal.
    null, errors = os.open(os.devnull, os.O_RDWR), os.dup(2)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    from engine.physics.rock import RockWorld, load_engine

    load_engine()
    os.dup2(errors, 2)
    worlds: dict[tuple[str, float], RockWorld] = {}
    while (request := receive(requests)) is not None:
        profile, step_s, arguments = request
        try:
            world = worlds.get((profile, step_s)) or worlds.setdefault((profile, step_s), RockWorld(profile, step_s))
            reply: Any = world.blast(*arguments) if arguments else world.version
        except Exception as error:
            reply = RuntimeError(f"{type(error).__name__}: {error}")
        send(replies, reply)


def send(stream: IO[bytes], value: Any) -> None:
    """Writes one message."""
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(LENGTH.pack(len(data)) + data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Reads one message; None at the end."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    return pickle.loads(stream.read(LENGTH.unpack(head)[0]))


if __name__ == "__main__":
    main()
