"""Connections to Unix sockets of this machine."""

from __future__ import annotations

import asyncio
from pathlib import Path
from socket import AF_UNIX, socket

CONNECT_S = 10
"""A queue that is full is waited for no longer."""
_AGAIN_S = 0.02


async def connected_to(path: Path) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to who listens at a Unix socket, as soon as there is room in the queue.

    `asyncio.open_unix_connection` returns a connection to nobody where the queue is full.

    Raises:
        OSError: Nobody listens, or the queue stays full.
    """
    async with asyncio.timeout(CONNECT_S):
        while (connection := _connection(path)) is None:
            await asyncio.sleep(_AGAIN_S)
    return await asyncio.open_unix_connection(sock=connection)


def _connection(path: Path) -> socket | None:
    """A connection; None where the queue is full."""
    connection = socket(AF_UNIX)
    connection.setblocking(False)
    try:
        connection.connect(str(path))
    except OSError as error:
        connection.close()
        if isinstance(error, BlockingIOError):
            return None
        raise
    return connection
