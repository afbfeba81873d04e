"""Time that a test sets."""

from spatial_workbench.engine.core.clocks.work_clock import Instant


class SetTime:
    """A clock of the machine, which stands still but for `pass_s`."""

    def __init__(self):
        self.ms = 100_000
        self.clock = None

    def read(self):
        return Instant(self.ms, self.ms, self.ms)

    def pass_s(self, seconds, acts=False):
        """Lets time pass as the timer would see it; with `acts` the person does something all along."""
        for _ in range(4 * seconds):
            self.ms += 250
            self.clock.note_input() if acts else self.clock.reading


def let_time_pass(monkeypatch, clock):
    """Makes the clock of a workspace read time that a test sets."""
    now = SetTime()
    now.clock = clock
    now.ms = clock._work.last.m
    monkeypatch.setattr(clock, "_clocks", now.read)
    return now
