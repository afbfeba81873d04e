"""The connection to a person's screen, where the window runs on a server and a browser shows it."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from math import ceil

from spatial_workbench.engine.studies.sessions.recording import Recording
from spatial_workbench.engine.studies.sessions.schema import RoundTrips
from spatial_workbench.engine.studies.sessions.sitting_state import SittingState

SILENCE_MS = 3_000
"""After so long without an answer of the page that shows a picture, the person is taken to see nothing."""
_HIGH = 0.95


class BrowserConnection:
    """Knows whether the person's browser answers, and what the answers take.

    Attributes:
        is_lost: Whether the browser has not answered for so long that the person sees nothing.
    """

    def __init__(self, state: SittingState, recording: Recording) -> None:
        self._state = state
        self._recording = recording
        self._round_trips: dict[int, list[int]] = {}
        """The round trips in milliseconds of each trial, by its position."""

    @property
    def is_lost(self) -> bool:
        return self._state.is_disconnected

    def answer(self, round_trip_ms: int, behind_ms: int = 0) -> None:
        """The page has answered, after so long, and shows the window as it was so long ago.

        What it does not show yet, the person has not seen: a picture that is too old counts as silence.
        """
        if behind_ms > SILENCE_MS:
            return
        with self._recording.acting(acted=False):
            now = self._state.clock.last.b
            if self.is_lost:
                self._state.is_disconnected = False
                silent_ms = now - (self._state.answered_b or now)
                self._state.cut_off_ms = silent_ms
                self._recording.event("connection", ms=silent_ms)
            self._state.answered_b = max(now - behind_ms, self._state.answered_b or 0)
            run = self._state.run
            if run is not None and run.clock is not None:
                measured = self._round_trips.setdefault(self._state.position, [])
                measured.append(round_trip_ms)
                run.update(round_trips=_summary(measured))

    def check(self) -> None:
        """Covers the item if the page has been silent for too long; called with every tick."""
        if self._state.answered_b is None or self.is_lost:
            return
        silent_ms = self._state.clock.last.b - self._state.answered_b
        if silent_ms <= SILENCE_MS:
            return
        self._state.is_disconnected = True
        self._state.was_disconnected = True
        if self._state.run is not None:
            self._state.run.unseen(silent_ms)
            self._recording.event("cover", reason="connection")


def _summary(measured: Sequence[int]) -> RoundTrips:
    ordered = sorted(measured)
    return RoundTrips(
        count=len(ordered),
        median_ms=round(statistics.median(ordered)),
        p95_ms=ordered[ceil(_HIGH * len(ordered)) - 1],
        worst_ms=ordered[-1],
    )
