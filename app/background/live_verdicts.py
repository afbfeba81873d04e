"""Live verdicts: every change requests one, the newest request wins, and the window never waits."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import QObject, Signal

from spatial_workbench.app.background import judging
from spatial_workbench.app.background.jobs import BackgroundJob, Jobs
from spatial_workbench.engine.core import Verdict
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.widgets.editing.document import AnswerDocument

PATIENCE_S = 0.5
"""A verification that is behind the answer and has taken longer than this is cancelled in favour of the newest one."""


class LiveVerdicts(QObject):
    """Keeps the verdict of one document up to date, as far as the task's rule and the person allow.

    At most one verification runs and one waits. A running one is finished, even if it is behind, unless it takes long,
    so that there are verdicts even while someone drags without a pause.

    Signals:
        waiting_changed(bool): whether a verdict is being computed.
        failed(str): a verifier failed; the sentence says how.
    """

    waiting_changed = Signal(bool)
    failed = Signal(str)

    def __init__(self, document: AnswerDocument[Any], jobs: Jobs) -> None:
        super().__init__()
        self._document = document
        self._jobs = jobs
        self._running: BackgroundJob | None = None
        self._started = 0.0
        self._wants_another = False
        self.verifier = "default"
        """Which verifier judges; where something is withheld, the default one does."""
        document.answer_changed.connect(self.request)
        document.openness_changed.connect(self.request)

    def request(self) -> None:
        """Requests a verdict on the current answer."""
        if self._running is None:
            self._start()
            return
        self._wants_another = True
        if time.monotonic() - self._started > PATIENCE_S:
            self._running.cancel()
            self._start()

    def cancel(self) -> None:
        """Cancels the running verification; the next edit requests a new one."""
        self._wants_another = False
        if self._running is not None:
            self._running.cancel()
            self._running = None
            self.waiting_changed.emit(False)

    def _start(self) -> None:
        document = self._document
        revision = self._document.revision
        verifier = self.verifier if document.tells_all else "default"
        self._wants_another = False
        self._started = time.monotonic()
        self._running = self._jobs.live.run(
            "Verifying",
            judging.verify,
            document.instance,
            packed(document.task, document.answer),
            verifier,
            done=lambda verdict: self._arrived(verdict, revision),
            failed=lambda message: self._broke(message, revision),
            quiet=True,
            owner=self,
        )
        self.waiting_changed.emit(True)

    def _arrived(self, verdict: Verdict, revision: int) -> None:
        self._running = None
        self._document.set_verdict(self._restricted_verdict(verdict), revision)
        self._go_on()

    def _restricted_verdict(self, verdict: Verdict) -> Verdict:
        document = self._document
        is_untouched = not document.tells_faults and document.answer == document.task.empty(document.instance)
        return document.task.live.restricted(verdict, document.openness, is_untouched)

    def _broke(self, message: str, revision: int) -> None:
        """Tells of the failure, and drops an earlier verdict, which would pass for one on this answer."""
        self._running = None
        if revision == self._document.revision:
            self._document.set_verdict(None)
        self.failed.emit(message)
        self._go_on()

    def _go_on(self) -> None:
        if self._wants_another:
            self._start()
        else:
            self.waiting_changed.emit(False)
