"""The clock of a session: active and away time of a person at an instance."""

from __future__ import annotations

import time
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from engine.store import ClockReading

STORE_CLOCK_S = 5.0


class ClockState(Enum):
    """What the clock is counting."""

    STOPPED = "stopped"
    """Nothing: the tab is behind another one, or the person paused the clock."""
    ACTIVE = "active"
    AWAY = "away"
    """The tab is in front, but another program has the focus, or there was no input for a minute."""


class Clock(QObject):
    """Counts the time that a person works on an instance.

    Signals:
        ticked(float, float): active and away seconds not stored yet; every five seconds.
        shown(): the displayed time changed; every second, and when the state changes.
        pause_changed(bool): the clock was paused, or goes on; whether it runs.
    """

    ticked = Signal(float, float)
    shown = Signal()
    pause_changed = Signal(bool)

    def __init__(self, reading: ClockReading) -> None:
        super().__init__()
        self.state = ClockState.STOPPED
        self.is_paused = False
        """Whether the person stopped it; it goes on when they say so, or edit."""
        self.is_finished = False
        """Whether it was stopped for good."""
        self._wanted = ClockState.STOPPED
        self._stored = reading
        self._unstored = {ClockState.ACTIVE: 0.0, ClockState.AWAY: 0.0}
        self._since = 0.0
        self._timer = QTimer(self, interval=1000)
        self._timer.timeout.connect(self._tick)

    @property
    def reading(self) -> ClockReading:
        """What the clock shows now."""
        self._collect()
        return self._stored.model_copy(
            update={
                "active_s": self._stored.active_s + self._unstored[ClockState.ACTIVE],
                "away_s": self._stored.away_s + self._unstored[ClockState.AWAY],
            }
        )

    def count(self, state: ClockState) -> None:
        """Changes what is counted; during a pause, this takes effect when it ends."""
        self._collect()
        self._wanted = state
        self.state = ClockState.STOPPED if self.is_paused else state
        if self.state is ClockState.STOPPED:
            self._timer.stop()
        else:
            self._timer.start()
        self.shown.emit()

    def pause(self) -> None:
        """Stops the clock until `resume`, regardless of `count`."""
        self._set_paused(True)

    def resume(self) -> None:
        """Ends a pause, and counts what `count` requested last; a clock that was stopped for good stays so."""
        if not self.is_finished:
            self._set_paused(False)

    def finish(self) -> None:
        """Stops the clock for good."""
        self.is_finished = True
        self._set_paused(True)

    def _set_paused(self, paused: bool) -> None:
        changes, self.is_paused = paused != self.is_paused, paused
        self.count(self._wanted)
        if changes:
            self.pause_changed.emit(not paused)

    def take_unstored(self) -> tuple[float, float]:
        """The active and away seconds since the last call; the caller stores them."""
        self._stored = self.reading
        taken = self._unstored[ClockState.ACTIVE], self._unstored[ClockState.AWAY]
        self._unstored = dict.fromkeys(self._unstored, 0.0)
        return taken

    def credit(self) -> ClockReading:
        """The reading for an attempt submitted now; the next attempt's time starts here."""
        reading = self.reading
        self._stored = self._stored.model_copy(
            update={"credited_active_s": reading.active_s, "credited_away_s": reading.away_s}
        )
        return reading

    def _collect(self) -> None:
        now = time.monotonic()
        if self.state is not ClockState.STOPPED:
            self._unstored[self.state] += now - self._since
        self._since = now

    def _tick(self) -> None:
        self.shown.emit()
        if sum(self._unstored.values()) >= STORE_CLOCK_S:
            self.ticked.emit(*self.take_unstored())
