"""The clock of a workspace: active, idle and away time of a person at an instance."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from spatial_workbench.engine.core.clocks.system_clocks import ReadClocks, read_clocks
from spatial_workbench.engine.core.clocks.work_clock import IDLE_MS, TICK_MS, Phase, WorkClock, WorkTimes

if TYPE_CHECKING:
    from spatial_workbench.engine.store import ClockReading

STORE_CLOCK_S = 5.0


class ClockState(Enum):
    """The state of the clock."""

    STOPPED = "stopped"
    """Nothing: the tab is behind another one, or the person paused the clock."""
    ACTIVE = "active"
    IDLE = "idle"
    """Active time without input for a minute."""
    AWAY = "away"
    """Active time while another program has the focus."""


class Clock(QObject):
    """Counts the time that a person works on an instance, by the rules of `engine.core.clocks.work_clock`.

    Signals:
        ticked(float, float, float): active, idle and away seconds not stored yet; every five seconds.
        shown(): the displayed time changed; every second, and when the state changes.
        pause_changed(bool): the clock was paused, or goes on; whether it runs.
    """

    ticked = Signal(float, float, float)
    shown = Signal()
    pause_changed = Signal(bool)

    def __init__(self, reading: ClockReading, clocks: ReadClocks = read_clocks) -> None:
        super().__init__()
        self.is_paused = False
        """Whether the person stopped it; it continues when they resume it, or edit."""
        self.is_finished = False
        """Whether it was stopped for good."""
        self.is_whole = False
        """Whether it shows all time at the instance, rather than that since the last attempt."""
        self._wanted = ClockState.STOPPED
        self._stored = reading
        self._clocks = clocks
        self._work = WorkClock(clocks(), phase=Phase.COVERED)
        self._taken = WorkTimes()
        """The times that the caller was given to store."""
        self._shown: tuple[ClockState, int] = (ClockState.STOPPED, 0)
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self._tick)

    @property
    def state(self) -> ClockState:
        """The kind of time that is counted now."""
        if self._work.phase is Phase.COVERED:
            return ClockState.STOPPED
        if self._work.is_away:
            return ClockState.AWAY
        return ClockState.IDLE if self._work.times.idle_run >= IDLE_MS else ClockState.ACTIVE

    @property
    def reading(self) -> ClockReading:
        """The times that the clock shows now."""
        self._read()
        active, idle, away = self._unstored()
        return self._stored.model_copy(
            update={
                "active_s": self._stored.active_s + active,
                "idle_s": self._stored.idle_s + idle,
                "away_s": self._stored.away_s + away,
            }
        )

    def count(self, state: ClockState) -> None:
        """Sets where the person is: here, away or elsewhere (stopped). During a pause, this takes effect at its end."""
        was_stopped = self.state is ClockState.STOPPED
        self._read()
        self._wanted = state
        stops = self.is_paused or state is ClockState.STOPPED
        phase = Phase.COVERED if stops else Phase.ACTIVE
        self._work = replace(self._work, phase=phase, is_away=state is ClockState.AWAY)
        if stops:
            self._timer.stop()
        else:
            if was_stopped:
                self._read(acted=True)
            self._timer.start()
        self._show_time()

    def note_input(self) -> None:
        """The person pressed, turned or moved something."""
        if self.state is ClockState.STOPPED:
            return
        was_idle = self.state is ClockState.IDLE
        self._read(acted=True)
        if was_idle:
            self._show_time()

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

    def take_unstored(self) -> tuple[float, float, float]:
        """The active, idle and away seconds since the last call; the caller stores them."""
        self._stored = self.reading
        seconds = self._unstored()
        self._taken = self._work.times
        return seconds

    def credit(self) -> ClockReading:
        """The reading for an attempt submitted now; the next attempt's time starts here."""
        self._read(acted=True)
        reading = self.reading
        self._stored = self._stored.model_copy(
            update={
                "credited_active_s": reading.active_s,
                "credited_idle_s": reading.idle_s,
                "credited_away_s": reading.away_s,
            }
        )
        return reading

    def _set_paused(self, paused: bool) -> None:
        changes = paused != self.is_paused
        self.is_paused = paused
        self.count(self._wanted)
        if changes:
            self.pause_changed.emit(not paused)

    def _read(self, acted: bool = False) -> None:
        """Reads the clocks. After a gap, the work continues at once: nothing is covered in a workspace."""
        work, _ = self._work.read(self._clocks(), acted)
        self._work = replace(work, must_go_on=False)

    def _unstored(self) -> tuple[float, float, float]:
        times = self._work.times
        taken = self._taken
        return (
            (times.active - taken.active) / 1000,
            (times.idle - taken.idle) / 1000,
            (times.away - taken.away) / 1000,
        )

    def _tick(self) -> None:
        self._read()
        if self._shown != (self.state, self._work.times.active // 1000):
            self._show_time()
        if self._unstored()[0] >= STORE_CLOCK_S:
            self.ticked.emit(*self.take_unstored())

    def _show_time(self) -> None:
        self._shown = (self.state, self._work.times.active // 1000)
        self.shown.emit()
