"""Sockets between a browser and the screen of a window: what is passed on, and how they end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable

from starlette.websockets import WebSocket, WebSocketDisconnect

from spatial_workbench.app.serving.picture_line import PictureLine
from spatial_workbench.app.serving.rfb import RfbGatekeeper, RfbRefused

GREETING_S = 10
"""A browser has to have greeted the screen after so long."""
_CHUNK = 65536


async def hang_up(socket: WebSocket) -> None:
    """Closes a socket, which the browser may have closed before."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.close()


async def to_screen(socket: WebSocket, writer: asyncio.StreamWriter, gatekeeper: RfbGatekeeper) -> None:
    """Passes on what a browser may say, until it says something else or goes, or does not greet in time."""

    async def pass_on() -> None:
        writer.write(gatekeeper.feed(await socket.receive_bytes()))
        await writer.drain()

    with contextlib.suppress(WebSocketDisconnect, RfbRefused, KeyError, ConnectionError, TimeoutError):
        async with asyncio.timeout(GREETING_S):
            while not gatekeeper.has_greeted:
                await pass_on()
        while True:
            await pass_on()


async def to_browser(reader: asyncio.StreamReader, socket: WebSocket, line: PictureLine | None = None) -> None:
    """Passes on pictures until the screen ends or the browser goes; a slow browser slows the screen down.

    line: counts what is sent.
    """
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, ConnectionError):
        while data := await reader.read(_CHUNK):
            if line is not None:
                line.send()
            await socket.send_bytes(data)


async def first_of(*parts: Awaitable[object]) -> None:
    """Waits until one of several ends, and cancels the others."""
    tasks = [asyncio.ensure_future(one) for one in parts]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
