"""The clock of somebody who works on an item, as a pure function from readings of the machine's clocks to times.

*Active* is all time in which the item is shown and not covered. *Idle* and *away* are parts of it, and may overlap:
idle is a minute or more without input, as a whole; away is time in which the window is not the active one.

Two clocks are read: one that never goes back (m), and one that also runs while the computer sleeps (b). The wall clock
is only recorded; no time is computed from it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

TICK_MS = 250
GAP_MS = 2_000
"""A time between two readings that is longer than this is a gap, which is neither active nor covered."""
SUSPEND_MS = 1_000
"""If the two clocks differ by more than this, the computer slept."""
COVER_MS = 10_000
"""After a gap longer than this, the content is covered until the person goes on."""
IDLE_MS = 60_000
WALL_JUMP_MS = 2_000


class ClockGap(StrEnum):
    """Why nothing was read for a while."""

    SUSPEND = "suspend"
    STALL = "stall"


class Phase(StrEnum):
    """What the time that passes counts as."""

    ACTIVE = "active"
    COVERED = "covered"
    VERIFYING = "verifying"
    UNSEEN = "unseen"
    """The connection to the person's screen is lost: what passes is a gap."""


@dataclass(frozen=True)
class Instant:
    """A reading of the clocks in milliseconds: `m` never goes back, `b` also runs in suspend, `wall` is wall time."""

    m: int
    b: int
    wall: int = 0


@dataclass(frozen=True)
class Happening:
    """What a reading showed: a gap of a kind, or a change of the wall clock, with its length."""

    kind: str
    length_ms: int


@dataclass(frozen=True)
class WorkTimes:
    """The times of work on an item, in whole milliseconds.

    `idle` and `away` are parts of `active`, and `connection` is the part of `gap` in which the connection to the
    person's screen was lost. `idle_run` is how long nothing was done, which becomes idle time as a whole
    once it reaches a minute.
    """

    active: int = 0
    idle: int = 0
    away: int = 0
    covered: int = 0
    verifying: int = 0
    gap: int = 0
    connection: int = 0
    idle_run: int = 0

    @property
    def elapsed(self) -> int:
        """The sum of active, covered, verifying and gap."""
        return self.active + self.covered + self.verifying + self.gap


@dataclass(frozen=True)
class WorkClock:
    """The clock at its last reading.

    Attributes:
        is_away: Whether the window is not the active one.
        must_go_on: Whether the content is covered until the person says that they go on.
    """

    last: Instant
    times: WorkTimes = WorkTimes()
    phase: Phase = Phase.ACTIVE
    is_away: bool = False
    must_go_on: bool = False

    def read(self, reading: Instant, acted: bool = False) -> tuple[WorkClock, tuple[Happening, ...]]:
        """The clock after a reading; `acted` says that the person pressed, turned or moved something."""
        passed = max(reading.m - self.last.m, reading.b - self.last.b, 0)
        happenings = list(_wall_change(self.last, reading))
        if passed > GAP_MS:
            slept = abs((reading.b - self.last.b) - (reading.m - self.last.m)) > SUSPEND_MS
            kind = ClockGap.SUSPEND if slept else ClockGap.STALL
            happenings.append(Happening(kind.value, passed))
            times = replace(self.times, gap=self.times.gap + passed)
            covers = slept or passed >= COVER_MS
            after = replace(self, last=reading, times=times, must_go_on=self.must_go_on or covers)
        else:
            after = replace(self, last=reading, times=self._times_after(passed))
        return (replace(after, times=_ended_run(after.times)) if acted else after), tuple(happenings)

    def unseen(self, silent_ms: int) -> WorkClock:
        """The clock once it is known that the person has seen nothing for so long: this was no time of work.

        What counted as active becomes a gap, and the content is covered until the person goes on.
        """
        times = self.times
        lost = 0 if self.must_go_on or self.phase is not Phase.ACTIVE else min(silent_ms, times.active)
        active = times.active - lost
        shortened = replace(
            times,
            active=active,
            idle=min(times.idle, active),
            away=min(times.away, active),
            gap=times.gap + lost,
            connection=times.connection + lost,
            idle_run=0,
        )
        return replace(self, times=shortened, phase=Phase.UNSEEN, must_go_on=True)

    def _times_after(self, passed: int) -> WorkTimes:
        times = self.times
        if self.phase is Phase.UNSEEN:
            return replace(times, gap=times.gap + passed, connection=times.connection + passed)
        if self.must_go_on or self.phase is Phase.COVERED:
            return replace(times, covered=times.covered + passed)
        if self.phase is Phase.VERIFYING:
            return replace(times, verifying=times.verifying + passed)
        run = times.idle_run + passed
        idle = times.idle + (run if times.idle_run < IDLE_MS <= run else passed if run >= IDLE_MS else 0)
        away = times.away + (passed if self.is_away else 0)
        return replace(times, active=times.active + passed, idle=idle, away=away, idle_run=run)

    def remaining(self, limit_ms: int) -> int:
        """How much of a limit is left."""
        return max(0, limit_ms - self.times.active)


def _ended_run(times: WorkTimes) -> WorkTimes:
    return replace(times, idle_run=0)


def _wall_change(last: Instant, reading: Instant) -> tuple[Happening, ...]:
    jump = (reading.wall - last.wall) - (reading.b - last.b)
    return (Happening("clock_change", jump),) if abs(jump) > WALL_JUMP_MS else ()


def resumed(times: WorkTimes, reading: Instant) -> WorkClock:
    """The clock of a trial that was cut off, from the last times that were stored."""
    return WorkClock(reading, replace(times, idle_run=0), must_go_on=True)
