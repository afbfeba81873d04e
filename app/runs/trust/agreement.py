"""The page of agreement: how far the verifiers of a project agree, by task, author and batch, or over a selection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from spatial_workbench.app.attempts.columns import task_title
from spatial_workbench.app.attempts.latest import LatestReply
from spatial_workbench.app.frame.controls import ChoiceButton
from spatial_workbench.app.runs.trust import work
from spatial_workbench.app.runs.trust.area import SectionArea
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.laboratory.agreement import AgreementChoice
from spatial_workbench.widgets.icons import icon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.engine.store import BatchRow

NOTHING = (
    "Nothing is compared yet",
    "Attempts that two verifiers have judged are compared: ours, the cross-check, and verifiers of your own.",
)


class VerifierAgreementPage(QWidget):
    """Chooses attempts by task, author and batch, and shows how far their verifiers agree.

    The runs browser may hand over a selection, which is then chosen from until it is given up.

    Signals:
        message(str): a note for the status bar.
        attempt_requested(int): show an attempt on which verifiers differ.
    """

    title = "Agreement"
    icon_name = "agreement"
    message = Signal(str)
    attempt_requested = Signal(int)

    def __init__(self, project: ProjectService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._project = project
        self._reading = LatestReply(project)
        self.area = SectionArea(*work.AGREEMENT, "agreement")
        self.area.message.connect(self.message)
        self.area.attempts_chosen.connect(lambda numbers: self.attempt_requested.emit(numbers[0]))
        self.area.show_empty(*NOTHING)
        self.tasks = ChoiceButton("Tasks")
        self.tasks.setToolTip("Only attempts at these tasks")
        self.who = ChoiceButton("Who")
        self.who.setToolTip("Only attempts of these models and people")
        self.batches = ChoiceButton("Batch")
        self.batches.setToolTip("Only attempts of these batches")
        self.selection = QPushButton(icon("close"), "")
        self.selection.setToolTip("Choose from all attempts again")
        self.selection.clicked.connect(lambda: self.choose_attempts(()))
        self.selection.hide()
        self._attempts: tuple[int, ...] = ()
        self.again = QPushButton(icon("rotate"), "Read again")
        self.again.setToolTip("Compare again, as attempts have been judged since")
        self.again.clicked.connect(self.compare)
        for button in (self.tasks, self.who, self.batches):
            button.changed.connect(lambda _: self.compare())
        for widget in (self.selection, self.tasks, self.who, self.batches, self.again):
            self.area.controls.addWidget(widget)
        self.area.controls.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area)
        project.changed.connect(self._read_choices)
        self._read_choices()
        self.compare()

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is shown."""
        return self.area.is_idle and self._reading.is_idle

    def choose_attempts(self, numbers: Sequence[int]) -> None:
        """Compares these attempts alone; of none, all of the project. Other choices are given up."""
        self._attempts = tuple(numbers)
        self.selection.setVisible(bool(numbers))
        self.selection.setText(counted(len(self._attempts), "selected attempt"))
        for button in (self.tasks, self.who, self.batches):
            button.set_chosen(())
        self.compare()

    def compare(self) -> None:
        """Compares the chosen attempts in the background; what runs is given up."""
        path = self._project.path
        if path is None:
            return
        batches = tuple(int(number) for number in self.batches.chosen)
        chosen = AgreementChoice(self.tasks.chosen, self.who.chosen, batches, self._attempts)
        self.area.give_up()
        self.area.work_out("Comparing", work.agreement, path, chosen)

    def close_page(self) -> None:
        """Ends what runs, and releases the page."""
        self._project.changed.disconnect(self._read_choices)
        self._reading.close()
        self.area.close_area()

    def _read_choices(self) -> None:
        self._reading.ask(lambda project: (project.runs.choices(), project.batches.all()), self._offer)

    def _offer(self, found: tuple[dict[str, Any], list[BatchRow]]) -> None:
        choices, batches = found
        self.batches.set_options([(str(row.number), row.name) for row in batches])
        self.tasks.set_options([(name, task_title(name)) for name in choices["tasks"]])
        self.who.set_options([(name, name) for name in choices["who"]])
