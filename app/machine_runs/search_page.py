"""A search for better machines: its machines come in while it runs, and it can be cancelled and resumed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton

from spatial_workbench.app.attempts.replays import MachineRun
from spatial_workbench.app.background.jobs import Lane
from spatial_workbench.app.machine_runs import work
from spatial_workbench.app.machine_runs.page import MachineRunPage
from spatial_workbench.app.machine_runs.work import SearchOrder
from spatial_workbench.engine.search.run_tree import RunTree
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import BackgroundJob, Jobs

LOOK_MS = 500
"""How often the file is looked at for new machines."""
WAITING = ("Simulating the first machine", "Machines are listed here as soon as they are simulated.")
STOPPED = ("No machine was simulated", "The search was stopped before its first machine. Resume it to continue.")


class SearchPage(MachineRunPage):
    """Browses a search that is stored in a file, and follows it where it is still being written.

    With an order, it also runs the search, in separate processes.
    """

    icon_name = "search"

    def __init__(self, tree: RunTree, path: Path, jobs: Jobs, order: SearchOrder | None = None) -> None:
        address = order.address if order is not None else work.address_of(tree.level)
        super().__init__(MachineRun(address, f"Search in {tree.level}", tree), jobs, is_live=True)
        self.path = path
        self._order = order
        self._lane = Lane("search", self)
        self._job: BackgroundJob | None = None
        self._looking: BackgroundJob | None = None
        self._size = -1
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._add_progress()
        self.start()
        self._timer.start()

    @property
    def is_running(self) -> bool:
        """Whether the search runs."""
        return self._job is not None

    def start(self) -> None:
        """Runs the search, or continues it."""
        if self._order is None or self._job is not None:
            return
        self._job = self._lane.run(
            "Searching machines",
            work.run_search,
            self._order,
            done=self._finished,
            failed=self._failed,
            progressed=self._progressed,
        )
        self.empty.say(*WAITING)
        self._show_state("Starting…")

    def cancel(self) -> None:
        """Stops the search; what was simulated stays."""
        if self._job is not None:
            self._job.cancel()
            self._end("Cancelled. Resume it to continue where it stopped.")
            self.empty.say(*STOPPED)

    def look(self) -> None:
        """Reads the machines that have come since."""
        size = self.path.stat().st_size if self.path.exists() else 0
        if self._looking is None and size not in (0, self._size):
            self._size = size
            self._looking = self._jobs.live.run(
                "Reading a search", work.read_search, self.path, done=self._arrived, failed=self._unread, quiet=True
            )

    def close_page(self) -> None:
        """Ends the search; it can be resumed from its file."""
        self._timer.stop()
        if self._looking is not None:
            self._looking.cancel()
        self._lane.close()
        super().close_page()

    def _arrived(self, tree: RunTree) -> None:
        self._looking = None
        self.show_tree(tree)

    def _unread(self, text: str) -> None:
        self._looking = None
        self.message.emit(text)

    def _finished(self, best: dict[str, Any] | None) -> None:
        name, value, unit = best["shown"] if best is not None else ("", 0.0, "")
        words = f"Finished. Best {name}: {value:.2f} {unit}".strip() + "."
        self._end(words)
        self._bar.setValue(self._bar.maximum())
        self.resume.hide()
        self.message.emit(f"{self.title}: {words}")

    def _failed(self, why: str) -> None:
        self._end(f"Stopped. {why}")
        self.empty.say("The search stopped", why)

    def _progressed(self, done: float, total: float, text: str) -> None:
        self._bar.setRange(0, max(1, int(total)))
        self._bar.setValue(int(done))
        self._show_state(f"Round {min(int(done) + 1, int(total))} of {int(total)} · {text}" if text else "Starting…")

    def _end(self, words: str) -> None:
        self._job = None
        self._show_state(words)
        self.look()

    def _show_state(self, words: str) -> None:
        self.state.setText(words)
        self.stop.setVisible(self.is_running)
        self.resume.setVisible(not self.is_running)

    def _add_progress(self) -> None:
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedSize(60 * SPACE, 2 * SPACE)
        self._bar.setAccessibleName("Rounds of the search")
        self.state = QLabel(f"Stored in {self.path}")
        self.state.setObjectName("secondary")
        self.state.setWordWrap(True)
        self.state.setToolTip(str(self.path))
        self.stop = QPushButton("Cancel search")
        self.stop.clicked.connect(self.cancel)
        self.resume = QPushButton("Resume search")
        self.resume.clicked.connect(self.start)
        row = QHBoxLayout()
        row.setSpacing(3 * SPACE)
        row.addWidget(self._bar)
        row.addWidget(self.state, 1)
        row.addWidget(self.stop)
        row.addWidget(self.resume)
        self.top.addLayout(row)
        for widget in (self._bar, self.stop, self.resume):
            widget.setVisible(self._order is not None)
