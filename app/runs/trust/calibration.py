"""The page of calibrations: where verifiers switch at the tolerances of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QVBoxLayout, QWidget

from spatial_workbench.app.frame.controls import ChoiceButton
from spatial_workbench.app.runs.own import work as own_work
from spatial_workbench.app.runs.trust import work
from spatial_workbench.app.runs.trust.area import SectionArea
from spatial_workbench.engine.core.registry import tasks
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.laboratory.calibrating import gauged_tolerances

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import BackgroundJob, Jobs
    from spatial_workbench.engine.evaluation.laboratory.own import OwnVerifier

NOTHING = (
    "Nothing is calibrated yet",
    "Choose tasks. For each tolerance of their rules, verifiers are asked about answers between one that passes and "
    "one that fails, until the place is found where each switches.",
)


class CalibrationPage(QWidget):
    """Chooses tasks and verifiers of one's own, and shows where all verifiers of these tasks switch.

    Signals:
        message(str): a note for the status bar.
    """

    title = "Calibration"
    icon_name = "ruler"
    message = Signal(str)

    def __init__(self, jobs: Jobs, task: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._own: tuple[OwnVerifier, ...] = ()
        self.area = SectionArea(*work.CALIBRATION, "calibration")
        self.area.message.connect(self.message)
        self.area.started.connect(self._show_possible)
        self.area.ended.connect(self._show_possible)
        self.area.show_empty(*NOTHING)
        self.tasks = ChoiceButton("Tasks")
        self.tasks.setToolTip(
            "The tasks whose tolerances are looked at, with the number of those that can be calibrated"
        )
        gauged = [(known.id, known.title, len(gauged_tolerances(known.id))) for known in tasks()]
        gauged.sort(key=lambda row: (row[2] == 0, row[1]))
        self.tasks.set_options([(name, f"{title} · {count or 'none'}") for name, title, count in gauged])
        self.tasks.changed.connect(lambda _: self._show_possible())
        self.own = QCheckBox("Also ask verifiers of your own")
        self.own.setToolTip("Those of these tasks are asked beside ours; a command runs as you do")
        self.own.toggled.connect(lambda _: self._show_possible())
        self.go = QPushButton("Calibrate")
        self.go.setObjectName("primary")
        self.go.setToolTip("Find where the verifiers of these tasks switch; this may take minutes")
        self.go.clicked.connect(self.calibrate)
        self.expected = QLabel()
        self.expected.setObjectName("secondary")
        for widget in (self.tasks, self.own, self.go, self.expected):
            self.area.controls.addWidget(widget)
        self.area.controls.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area)
        if task:
            self.tasks.set_chosen([task])
        self._listing: BackgroundJob = jobs.live.run(
            "Reading the verifiers", own_work.known, done=self._offer, failed=self.message.emit, quiet=True, owner=self
        )
        self._show_possible()

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is shown."""
        return self.area.is_idle and not self._listing.is_pending

    def calibrate(self) -> None:
        """Calibrates the chosen tasks in the background."""
        self.area.work_out("Calibrating", work.calibration, self._chosen, self._asked_too)

    def close_page(self) -> None:
        """Ends what runs, and releases the page."""
        if self._listing.is_pending:
            self._listing.cancel()
        self.area.close_area()

    def _offer(self, verifiers: Sequence[OwnVerifier]) -> None:
        self._own = tuple(verifiers)
        self._show_possible()

    @property
    def _chosen(self) -> tuple[str, ...]:
        """The chosen tasks; all if none is chosen."""
        return self.tasks.chosen or tuple(known.id for known in tasks())

    @property
    def _asked_too(self) -> tuple[OwnVerifier, ...]:
        """The verifiers of the user's own that are asked, too."""
        if not self.own.isChecked():
            return ()
        return tuple(each for each in self._own if each.task in self._chosen)

    def _show_possible(self) -> None:
        count = sum(len(gauged_tolerances(name)) for name in self._chosen)
        asked_too = self._asked_too
        more = f", {counted(len(asked_too), 'verifier')} of your own" if asked_too else ""
        self.own.setVisible(bool(self._own))
        self.go.setEnabled(self.area.is_idle)
        self.expected.setText(f"{counted(count, 'tolerance')} can be calibrated{more}")
