"""Verifies attempts again in the background, in small portions, with progress, cancelling and a list of changes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from spatial_workbench.app.runs.verifying_panel import VerifyingPanel
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.reverify import (
    NOT_RUN,
    VerdictChange,
    VerificationFailure,
    verify_again,
)

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import BackgroundJob, Jobs
    from spatial_workbench.app.background.project_service import ProjectService

PORTION = 10
"""How many attempts are handed over at a time; other long work gets its turn in between."""


class VerifyingAgain(QObject):
    """Judges attempts again after asking where that is needed, and shows in its panel what changed.

    Signals:
        running(bool): verifying began or ended.
    """

    running = Signal(bool)

    def __init__(self, project: ProjectService, jobs: Jobs, parent: QWidget) -> None:
        super().__init__(parent)
        self._project = project
        self._jobs = jobs
        self._parent = parent
        self._verifying: PortionedVerifying | None = None
        self.panel = VerifyingPanel()
        self.panel.cancelled.connect(self._cancel)

    def verify_again(self, numbers: Sequence[int], programs: bool = False) -> None:
        """Judges attempts with the current verifiers, and lists what changed.

        programs: Whether programs in answers run, in the sandbox; where some are left, this asks afterwards.
        """
        if self._verifying is not None or self._project.path is None or not numbers:
            return
        self._verifying = PortionedVerifying(self._jobs, self._project.path, numbers, programs)
        self._verifying.progressed.connect(self.panel.show_progress)
        self._verifying.ended.connect(self._show_end)
        self.panel.show_progress(0, len(numbers))
        self.running.emit(True)
        self._verifying.start()

    def ask_to_verify(self, numbers: Sequence[int]) -> None:
        """Asks whether to judge so many attempts again."""
        numbers = list(numbers)
        box = QMessageBox(
            QMessageBox.Icon.Question,
            "Verify again",
            f"{counted(len(numbers), 'attempt')} will be checked by the current verifiers. "
            "This may take a while; you can cancel it, and older verdicts are kept.",
            QMessageBox.StandardButton.Cancel,
            self._parent,
        )
        go = box.addButton(f"Verify {len(numbers):,} again", QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(go)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        go.clicked.connect(lambda: self.verify_again(numbers))
        box.open()

    def close(self) -> None:
        """Stops without reporting, as the page is gone."""
        if self._verifying is not None:
            self._verifying.drop()

    def _show_end(self, outcomes: list[VerdictChange | VerificationFailure], judged: int, cut_off: bool) -> None:
        self._verifying = None
        self.running.emit(False)
        self.panel.show_end(outcomes, judged, cut_off)
        if outcomes:
            self._project.changed.emit()
        failures = [outcome for outcome in outcomes if isinstance(outcome, VerificationFailure)]
        if not_run := [failure.attempt for failure in failures if failure.reason == NOT_RUN]:
            self._ask_to_run_programs(not_run)

    def _ask_to_run_programs(self, numbers: Sequence[int]) -> None:
        box = QMessageBox(
            QMessageBox.Icon.Question,
            "Programs in answers",
            f"{counted(len(numbers), 'attempt holds a program that was', 'attempts hold programs that were')} not run. "
            "In the sandbox, programs have no access to your files, your keys and the network.",
            QMessageBox.StandardButton.NoButton,
            self._parent,
        )
        run = box.addButton("Run in the sandbox", QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton("Leave as they are", QMessageBox.ButtonRole.RejectRole))
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        run.clicked.connect(lambda: self.verify_again(numbers, programs=True))
        box.open()

    def _cancel(self) -> None:
        if self._verifying is not None:
            self._verifying.cancel()


class PortionedVerifying(QObject):
    """Judges attempts of a project again, portion by portion.

    Signals:
        progressed(int, int): how many attempts are done, and of how many.
        ended(list[VerdictChange | VerificationFailure], int, bool): the changes, how many were judged, and whether it
            was cancelled.
    """

    progressed = Signal(int, int)
    ended = Signal(list, int, bool)

    def __init__(self, jobs: Jobs, path: Path, numbers: Sequence[int], programs: bool) -> None:
        super().__init__()
        self._jobs = jobs
        self._programs = programs
        self._path = path
        self._portions = [list(numbers[i : i + PORTION]) for i in range(0, len(numbers), PORTION)]
        self._total = len(numbers)
        self._done = 0
        self._outcomes: list[VerdictChange | VerificationFailure] = []
        self._job: BackgroundJob | None = None

    def start(self) -> None:
        """Starts, or continues with the next portion."""
        if not self._portions:
            self.ended.emit(self._outcomes, self._done, False)
            return
        portion = self._portions.pop(0)
        self._job = self._jobs.long.run(
            "Verifying again",
            partial(verify_again, programs=self._programs),
            self._path,
            portion,
            done=lambda outcomes: self._take_outcomes(portion, outcomes),
            failed=lambda text: self._broke(portion, text),
            progressed=lambda done, total, text: self.progressed.emit(self._done + int(done), self._total),
            quiet=True,
        )

    def cancel(self) -> None:
        """Stops and reports; verdicts reached so far are stored."""
        self.drop()
        self.ended.emit(self._outcomes, self._done, True)

    def drop(self) -> None:
        """Stops without reporting, as the page is gone."""
        self._portions.clear()
        if self._job is not None and self._job.is_pending:
            self._job.cancel()

    def _take_outcomes(self, portion: list[int], outcomes: list[VerdictChange | VerificationFailure]) -> None:
        self._outcomes += outcomes
        self._done += len(portion)
        self.progressed.emit(self._done, self._total)
        self.start()

    def _broke(self, portion: list[int], text: str) -> None:
        """After the process or the project failed, narrows the failure down to one attempt."""
        if len(portion) > 1:
            self._portions = [[number] for number in portion] + self._portions
            self.start()
        else:
            self._take_outcomes(portion, [VerificationFailure(portion[0], text)])
