"""An import or an export that runs in the background, with its progress."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import BackgroundJob, Jobs


class LongWork(QWidget):
    """Runs one thing at a time, and shows how far it is; hidden while nothing runs.

    Signals:
        ended(str): what came of it, in a sentence.
        interrupted(): it failed, or was cancelled; some of it may be done.
        refused(str): something runs already.
    """

    ended = Signal(str)
    interrupted = Signal()
    refused = Signal(str)

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self._jobs = jobs
        self._job: BackgroundJob | None = None
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedSize(60 * SPACE, 2 * SPACE)
        self.words = QLabel()
        self.words.setObjectName("secondary")
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.clicked.connect(self.cancel)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 2 * SPACE)
        row.setSpacing(3 * SPACE)
        row.addWidget(self.bar)
        row.addWidget(self.words, 1)
        row.addWidget(self.cancel_button)
        self.hide()

    @property
    def is_running(self) -> bool:
        """Whether something runs."""
        return self._job is not None

    def run(self, label: str, function: Callable[..., Any], order: Any, done: Callable[[Any], None]) -> None:
        """Runs a function on an order, unless something runs already."""
        if self._job is not None:
            self.refused.emit("Wait until the running import or export has ended, or cancel it.")
            return
        self.words.setText(f"{label}…")
        self.show()
        self._job = self._jobs.run(label, function, order, done=done, failed=self._fail, progressed=self._show_progress)

    def end(self, text: str) -> None:
        """Says what came of it."""
        self._job = None
        self.hide()
        self.ended.emit(text)

    def cancel(self) -> None:
        """Cancels it; what is done stays."""
        if self._job is not None:
            self._job.cancel()
            self.end("Cancelled. Everything done so far stays.")
            self.interrupted.emit()

    def close_work(self) -> None:
        """Cancels it without a word, as its page is closed."""
        if self._job is not None:
            self._job.cancel()

    def _show_progress(self, done: float, total: float, text: str) -> None:
        self.bar.setRange(0, max(1, int(total)))
        self.bar.setValue(int(done))
        self.words.setText(text.replace("_", " "))

    def _fail(self, text: str) -> None:
        self.end(text)
        self.interrupted.emit()
