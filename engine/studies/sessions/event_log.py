"""The log of events: one line of JSON each, numbered, with active time and time since the session began."""

from __future__ import annotations

import json
from typing import Any


class EventLog:
    """Events that are not stored yet.

    Attributes:
        number: The number of the last event.
        began_b: Time since the session began when this process took it up, in milliseconds.
    """

    def __init__(self, number: int = 0) -> None:
        self.number = number
        self.began_b = 0
        self._lines: list[str] = []

    def add(self, kind: str, active_ms: int, since_begin_ms: int, trial: int | None, data: dict[str, Any]) -> None:
        """Adds an event; `trial` is the position of the trial on the screen."""
        self.number += 1
        event = {"n": self.number, "t": active_ms, "b": since_begin_ms, "trial": trial, "kind": kind, **data}
        self._lines.append(json.dumps(event, ensure_ascii=False, separators=(",", ":")))

    def taken(self) -> tuple[str, ...]:
        """The events that are not stored yet; they count as stored from now on."""
        taken = tuple(self._lines)
        self._lines = []
        return taken
