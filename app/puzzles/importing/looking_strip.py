"""What an import dialog looks into in the background, with its progress."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from spatial_workbench.app.background.jobs import BackgroundJob
from spatial_workbench.app.puzzles.page_lane import PageLane
from spatial_workbench.widgets.theme import SPACE


class LookingStrip(QWidget):
    """Runs the newest piece of work and forgets older ones; hidden while nothing runs.

    Signals:
        changed(): something began or ended.
        failed(str): why it failed.
        stopped(): the person stopped it.
    """

    changed = Signal()
    failed = Signal(str)
    stopped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._lane = PageLane("import", self.failed.emit, self)
        self._job: BackgroundJob | None = None
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedSize(60 * SPACE, 2 * SPACE)
        self.words = QLabel()
        self.words.setObjectName("secondary")
        self.stop_button = QPushButton("Stop")
        self.stop_button.setToolTip("Stop looking into what was added last")
        self.stop_button.clicked.connect(self.stop)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(3 * SPACE)
        row.addWidget(self.bar)
        row.addWidget(self.words, 1)
        row.addWidget(self.stop_button)
        self.hide()

    @property
    def is_running(self) -> bool:
        """Whether something runs."""
        return self._job is not None

    def run(
        self, label: str, function: Callable[..., Any], arguments: tuple[Any, ...], done: Callable[[Any], None]
    ) -> None:
        """Runs a function in place of what runs."""
        self._drop()
        self.words.setText(f"{label}…")
        self.bar.setRange(0, 0)

        def end(value: Any) -> None:
            self._job = None
            self.hide()
            done(value)
            self.changed.emit()

        self._job = self._lane.run(
            label, function, *arguments, done=end, failed=self._fail, progressed=self._show_progress
        )
        self.show()
        self.changed.emit()

    def stop(self) -> None:
        """Stops what runs."""
        self._drop()
        self.hide()
        self.stopped.emit()
        self.changed.emit()

    def close_work(self) -> None:
        """Ends the process."""
        self._lane.close()

    def _drop(self) -> None:
        if self._job is not None:
            self._lane.drop(self._job)
            self._job = None

    def _fail(self, text: str) -> None:
        self._job = None
        self.hide()
        self.failed.emit(text)
        self.changed.emit()

    def _show_progress(self, done: float, total: float, text: str) -> None:
        self.bar.setRange(0, int(total))
        self.bar.setValue(int(done))
        self.words.setText(text.replace("_", " "))
