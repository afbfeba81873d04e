"""What the server says of its own faults: their kind and their place, never an address or what somebody sent."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from pathlib import Path

_LOGGERS = ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi", "asyncio", "websockets")


def tell_faults(tell: Callable[[str], object]) -> None:
    """From now on, the logs of the libraries say nothing but faults, in words of ours.

    uvicorn would write addresses, and those of sockets with their queries.
    """
    handler = _Faults(tell)
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(logging.ERROR)
        logger.propagate = False


class _Faults(logging.Handler):
    """Tells each fault once."""

    def __init__(self, tell: Callable[[str], object]) -> None:
        super().__init__(logging.ERROR)
        self._tell = tell
        self._told: set[tuple[str, str]] = set()

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            return
        frames = traceback.extract_tb(error.__traceback__)
        place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "an unknown place"
        fault = (type(error).__name__, place)
        if fault not in self._told:
            self._told.add(fault)
            self._tell("A request could not be answered: {} in {}.".format(*fault))
