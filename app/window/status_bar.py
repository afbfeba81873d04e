"""The status bar: the status of the page, the project that is being opened or the running long job, and the clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QProgressBar, QStatusBar, QToolButton, QWidget

from spatial_workbench.app.attempts.words import kinds_of_time
from spatial_workbench.app.background.jobs import Jobs
from spatial_workbench.app.frame.people import ExploreButton, PersonButton
from spatial_workbench.app.workspace.clock import Clock, ClockState
from spatial_workbench.widgets.icons import icon

SHOW_AFTER_MS = 400
"""Jobs that end sooner are not shown."""


_WHAT_IT_COUNTS = {
    ClockState.ACTIVE: "Time on this subtask since your last attempt.",
    ClockState.IDLE: "Idle: no key, click or movement for a minute.",
    ClockState.AWAY: "You are away: another program is in front.",
    ClockState.STOPPED: "The clock is stopped.",
}


@dataclass(frozen=True)
class ShownWork:
    """What the status bar shows of something that takes long.

    Attributes:
        label: What it is.
        text: What is being done at the moment; may be empty.
        done, total: How far it is; 0 of 0: nobody knows.
        cancel: Ends it.
    """

    label: str
    text: str
    done: float
    total: float
    cancel: Callable[[], None]


class StatusBar(QStatusBar):
    """Shows the project that is being opened, or else the first long job that is not quiet, and a way to cancel it.

    Signals:
        opening_cancelled(): the project is not to be opened.
        clock_clicked(): pause or resume the clock.
        cancelled(str): the job with this label was cancelled.
    """

    opening_cancelled = Signal()
    clock_clicked = Signal()
    cancelled = Signal(str)

    def __init__(self, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._opening: ShownWork | None = None
        self._text = QLabel()
        self._text.setContentsMargins(8, 0, 0, 0)
        self._job_text = QLabel()
        self._progress = QProgressBar()
        self._progress.setFixedSize(120, 8)
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName("Progress")
        self._cancel = QToolButton()
        self._cancel.setText("Cancel")
        self._cancel.clicked.connect(self._cancel_work)
        self._clock = QToolButton()
        self._clock.setIcon(icon("clock", "secondary"))
        self._clock.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._clock.setAccessibleName("Clock")
        self._clock.clicked.connect(self.clock_clicked)
        self.explore = ExploreButton()
        self.person = PersonButton()
        self._wait = QTimer(self, singleShot=True, interval=SHOW_AFTER_MS)
        self._wait.timeout.connect(self._show_work)
        jobs.changed.connect(self._work_changed)
        self.addWidget(self._text)
        for widget in (self._job_text, self._progress, self._cancel, self._clock, self.explore, self.person):
            self.addPermanentWidget(widget)
        self._show_work()

    def show_text(self, text: str) -> None:
        """Shows the current page's status."""
        self._text.setText(text)

    def show_opening(self, path: Path, done: float, total: float) -> None:
        """Shows that a project is being opened, of whose checks so many have ended."""
        self._opening = ShownWork(f"Opening “{path.name}”", "", done, total, self.opening_cancelled.emit)
        self._work_changed()

    def end_opening(self) -> None:
        """Shows no longer that a project is being opened."""
        self._opening = None
        self._work_changed()

    def show_clock(self, clock: Clock) -> None:
        """Shows the time since the last attempt, or the whole time of solving, and what the clock counts now."""
        effort = clock.reading.effort
        total = kinds_of_time(effort.total_s or 0.0, effort.total_idle_s, effort.total_away_s)
        since = kinds_of_time(effort.seconds or 0.0, effort.idle_s, effort.away_s)
        words = [total if clock.is_whole else since]
        if clock.is_paused:
            words.append("stopped" if clock.is_finished else "paused")
        self._clock.setText(" · ".join(words))
        # The bar would make room for a growing button only later, and clip its text until then.
        self._clock.setMinimumWidth(self._clock.sizeHint().width())
        self._clock.setToolTip(
            f"{_WHAT_IT_COUNTS[clock.state]} {_click_words(clock)}\n"
            f"In total: {total}.\n"
            "Time while another program is in front is away time, a minute or more without input is idle time; both "
            "are parts of the time that counts. Editing ends a pause."
        )

    def set_clock_visible(self, visible: bool) -> None:
        """Shows or hides the clock."""
        self._clock.setVisible(visible)

    def _work_changed(self) -> None:
        if self._progress.isVisible() or self._work() is None:
            self._show_work()
        elif not self._wait.isActive():
            self._wait.start()

    def _show_work(self) -> None:
        work = self._work()
        for widget in (self._job_text, self._progress, self._cancel):
            widget.setVisible(work is not None)
        if work is None:
            return
        self._job_text.setText(f"{work.label}{f' · {work.text}' if work.text else ''}")
        self._progress.setRange(0, 1000 if work.total else 0)
        self._progress.setValue(round(1000 * work.done / work.total) if work.total else 0)

    def _work(self) -> ShownWork | None:
        lane = self._jobs.shown
        if self._opening is not None or lane is None or lane.current is None:
            return self._opening
        done, total, text = lane.progress
        return ShownWork(lane.current.label, text, done, total, lane.current.cancel)

    def _cancel_work(self) -> None:
        work = self._work()
        if work is not None:
            work.cancel()
            self.cancelled.emit(work.label)


def _click_words(clock: Clock) -> str:
    if clock.is_finished:
        return "The puzzle is solved or given up."
    return f"Click to {'go on' if clock.is_paused else 'pause'}."
