"""Passes values from other threads to the window's thread, where the receiver may be deleted at any moment."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal


class Delivery(QObject):
    """Calls a method of an object in the window's thread, from any thread, as long as the object exists.

    A thread must not emit a signal of an object that Qt may delete meanwhile, which crashes. This is an object of its
    own, which lives as long as a thread holds it; Qt itself sees to it that nothing reaches a receiver that is gone.
    """

    _sent = Signal(tuple)

    def __init__(self, receive: Callable[[tuple[Any, ...]], None]) -> None:
        super().__init__()
        self._sent.connect(receive, Qt.ConnectionType.QueuedConnection)

    def send(self, *arguments: Any) -> None:
        """Passes a value on."""
        # When the program ends, Qt deletes its objects before the threads are gone.
        with contextlib.suppress(RuntimeError):
            self._sent.emit(arguments)
