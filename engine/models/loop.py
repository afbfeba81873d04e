"""One thread with an event loop for all requests; the threads that ask wait for it and can cancel."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

_POLL_S = 0.05
_LAST_WORDS_S = 1.0
_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def event_loop() -> asyncio.AbstractEventLoop:
    """The loop, started when it is first needed; its thread ends with the process."""
    global _loop
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="models", daemon=True).start()
        return _loop


def run(work: Coroutine[Any, Any, T], watch: Callable[[], None] = lambda: None) -> T:
    """Runs a coroutine on the loop and waits for it.

    `watch` is called twenty times a second. If it raises, the coroutine is cancelled, which closes its connection, and
    the exception is raised once the coroutine has ended, or after a second at the latest.
    """
    ended = threading.Event()

    async def whole() -> T:
        try:
            return await work
        finally:
            ended.set()

    future = asyncio.run_coroutine_threadsafe(whole(), event_loop())
    try:
        while True:
            watch()
            concurrent.futures.wait([future], timeout=_POLL_S)
            if future.done():
                return future.result()
    except BaseException:
        if not future.done():
            future.cancel()
            ended.wait(_LAST_WORDS_S)
        raise
