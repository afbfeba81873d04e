"""The clock of a session: active, idle and away time of a person at an instance."""

from __future__ import annotations

import time
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from spatial_workbench.engine.store import ClockReading

STORE_CLOCK_S = 5.0


class ClockState(Enum):
    """What the clock is counting."""

    STOPPED = "stopped"
    """Nothing: the tab is behind another one, or the person paused the clock."""
    ACTIVE = "active"
    IDLE = "idle"
    """The window has the focus, but there was no input for a minute."""
    AWAY = "away"
    """The tab is in front, but another program has the focus."""


_COUNTED = (ClockState.ACTIVE, ClockState.IDLE, ClockState.AWAY)


class Clock(QObject):
    """Counts the time that a person works on an instance.

    Signals:
        ticked(float, float, float): active, idle and away seconds not stored yet; every five seconds.
        shown(): the displayed time changed; every second, and when the state changes.
        pause_changed(bool): the clock was paused, or goes on; whether it runs.
    """

    ticked = Signal(float, float, float)
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
        self._unstored = dict.fromkeys(_COUNTED, 0.0)
        self._since = 0.0
        self._active_run_s = 0.0
        """For how long active time has been counted without a break."""
        self._timer = QTimer(self, interval=1000)
        self._timer.timeout.connect(self._tick)

    @property
    def reading(self) -> ClockReading:
        """What the clock shows now."""
        self._collect()
        return self._stored.model_copy(
            update={
                "active_s": self._stored.active_s + self._unstored[ClockState.ACTIVE],
                "idle_s": self._stored.idle_s + self._unstored[ClockState.IDLE],
                "away_s": self._stored.away_s + self._unstored[ClockState.AWAY],
            }
        )

    def count(self, state: ClockState, quiet_s: float = 0.0) -> None:
        """Changes what is counted; during a pause, this takes effect when it ends.

        quiet_s: For how long there has been no input when idle time begins. It is idle time as a whole.
        """
        self._collect()
        if state is ClockState.IDLE:
            self._move_to_idle(min(quiet_s, self._active_run_s))
        self._wanted = state
        before, self.state = self.state, ClockState.STOPPED if self.is_paused else state
        if self.state is not before:
            self._active_run_s = 0.0
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

    def take_unstored(self) -> tuple[float, float, float]:
        """The active, idle and away seconds since the last call; the caller stores them."""
        self._stored = self.reading
        active, idle, away = (self._unstored[state] for state in _COUNTED)
        self._unstored = dict.fromkeys(_COUNTED, 0.0)
        return active, idle, away

    def credit(self) -> ClockReading:
        """The reading for an attempt submitted now; the next attempt's time starts here."""
        reading = self.reading
        self._stored = self._stored.model_copy(
            update={
                "credited_active_s": reading.active_s,
                "credited_idle_s": reading.idle_s,
                "credited_away_s": reading.away_s,
            }
        )
        self._active_run_s = 0.0
        return reading

    def _collect(self) -> None:
        now = time.monotonic()
        if self.state is not ClockState.STOPPED:
            self._unstored[self.state] += now - self._since
        if self.state is ClockState.ACTIVE:
            self._active_run_s += now - self._since
        self._since = now

    def _move_to_idle(self, seconds: float) -> None:
        self._unstored[ClockState.ACTIVE] -= seconds
        self._unstored[ClockState.IDLE] += seconds
        self._active_run_s -= seconds

    def _tick(self) -> None:
        self.shown.emit()
        if sum(self._unstored.values()) >= STORE_CLOCK_S:
            self.ticked.emit(*self.take_unstored())
