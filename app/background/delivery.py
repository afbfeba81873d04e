"""Passes values from other threads to the window's thread, where the receiver may be deleted at any moment."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from threading import Thread
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal


class _Relay(QObject):
    sent = Signal(tuple)


class Delivery:
    """Calls a method of an object in the window's thread, from any thread, as long as the object exists.

    A thread must not emit a signal of an object that Qt may delete meanwhile, which crashes. This has an object of its
    own, which lives as long as a thread holds it; Qt itself sees to it that nothing reaches a receiver that is gone.
    """

    def __init__(self, receive: Callable[[tuple[Any, ...]], None]) -> None:
        # Without a parent, it would be deleted by whoever holds it last: by a thread, while the window's thread may be
        # deleting the receiver, which crashes.
        self._relay = _Relay(QCoreApplication.instance())
        self._relay.sent.connect(receive, Qt.ConnectionType.QueuedConnection)

    def __del__(self) -> None:
        with contextlib.suppress(RuntimeError):
            self._relay.deleteLater()

    def send(self, *arguments: Any) -> None:
        """Passes a value on."""
        # When the program ends, Qt deletes its objects before the threads are gone.
        with contextlib.suppress(RuntimeError):
            self._relay.sent.emit(arguments)


def in_thread(function: Callable[[], tuple[Any, ...]], receive: Callable[[tuple[Any, ...]], None]) -> None:
    """Calls `function` in a thread, and with what it returns a method of an object in the window's thread.

    For reading folders, which may hang on a network, and for Qt's codecs, which let other threads run meanwhile. The
    function catches its own exceptions. The program does not wait for it when it ends.
    """
    delivery = Delivery(receive)
    Thread(target=lambda: delivery.send(*function()), name="short-work", daemon=True).start()
