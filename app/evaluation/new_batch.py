"""The dialog for a new batch: tasks, models, repeats and settings, with the expected cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QSplitter, QVBoxLayout, QWidget

from spatial_workbench.app.evaluation.batch_form import BatchForm
from spatial_workbench.app.evaluation.estimate_panel import EstimatePanel
from spatial_workbench.app.evaluation.model_list import ModelList
from spatial_workbench.app.evaluation.probes import EndpointProbes, WantedProbe
from spatial_workbench.app.evaluation.sections import align_labels, scrolled, section_title
from spatial_workbench.app.frame.choosing import TaskTree
from spatial_workbench.app.frame.form_dialog import room_for
from spatial_workbench.engine.core import InstanceError, task
from spatial_workbench.engine.core.instance import task_of_address
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.planning.grid import GridProblem
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, select
from spatial_workbench.engine.models import Feature, KnownModel, missing_probes
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spatial_workbench.app.background.jobs import Jobs
    from spatial_workbench.app.background.project_service import ProjectService

MOST_NAMED = 2
"""How many tasks the usual name of a batch names; of more, it says how many they are."""
_WIDE_PX = 1240
"""Width with the options of an agent."""


class NewBatchDialog(QDialog):
    """Composes a plan, and shows its expected cost and any concerns before it can start.

    It asks about `tasks`, by `models`, with the options of `form`; `estimate` tells what that takes.

    Signals:
        plan_chosen(BatchPlan): start this batch.
        models_wanted(): open the dialog of models.
    """

    plan_chosen = Signal(object)
    models_wanted = Signal()

    def __init__(self, project: ProjectService, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("New batch")
        self.resize(1000, min(760, room_for(self).height()))
        self.tasks = TaskTree()
        self.models = ModelList()
        self.form = BatchForm()
        self.estimate = EstimatePanel(project, jobs)
        self.start = QPushButton("Start")
        self.start.setObjectName("primary")
        self.start.setDefault(True)
        self._probes = EndpointProbes(jobs, self)
        self._lay_out()
        self._connect()
        self.load_models()

    def load_models(self) -> None:
        """Lists the models that are set up; ticked ones stay ticked."""
        self.models.load()
        self._follow()

    def plan(self) -> BatchPlan | None:
        """The plan as chosen; None while something is missing."""
        addresses = self.tasks.addresses()
        contenders = [contender for model in self.models.ticked() for contender in self.form.contenders(model)]
        if not addresses or not contenders:
            return None
        name = self.form.typed_name or usual_name(self.models.ticked_names(), addresses)
        return self.form.plan(name, contenders, addresses)

    def copy_settings(self, plan: BatchPlan) -> None:
        """Shows the settings of another plan: its tasks, those of its models that are set up, and all options."""
        self.tasks.choose(set(plan.addresses))
        self.models.tick({contender.base or contender.settings.name for contender in plan.contenders})
        self.form.show_plan(plan)

    def begin(self) -> None:
        """Probes endpoints that were never probed, then starts the batch or shows why it cannot start."""
        if wanted := self._wanted_probes():
            self._probes.probe(wanted)
            return
        plan = self.plan()
        preview = self.estimate.preview
        if plan is not None and preview is not None and not preview.stops:
            self.plan_chosen.emit(plan)
            self.accept()

    def done(self, result: int) -> None:
        """Cancels the estimate and any probe."""
        self.estimate.cancel()
        self._probes.cancel()
        super().done(result)

    def _connect(self) -> None:
        self.tasks.changed.connect(self._follow)
        self.models.itemChanged.connect(self._follow)
        self.form.changed.connect(self._follow)
        self.form.agent_chosen.connect(self._make_room)
        self.form.sweep_wanted.connect(self._take_published_sweep)
        self.estimate.counted.connect(self._update_start)
        self.start.clicked.connect(self.begin)
        self._probes.moved.connect(self._show_probes)
        self._probes.ended.connect(self.load_models)

    def _follow(self) -> None:
        """Counts what is chosen now, or says what is missing or wrong."""
        fault = self._fault()
        plan = None if fault else self.plan()
        if plan is None:
            self.estimate.show_text(fault)
        else:
            self.estimate.count(plan, [f"{name}: {reason}" for name, reason in self._probes.failures.items()])
        self._update_start()

    def _fault(self) -> str:
        """Why no batch can be planned; empty if one can."""
        try:
            addresses = self.tasks.addresses()
        except InstanceError as error:
            return str(error)
        lacking = [] if addresses else ["tasks"]
        lacking += [] if self.models.ticked() else ["models"]
        missing = f"Choose {' and '.join(lacking)} to see an estimate." if lacking else ""
        return self.models.fault or self.form.budget_fault or self.form.grid.fault or missing or self._excess()

    def _excess(self) -> str:
        """Why the grid makes too many runs; empty if it does not."""
        try:
            for model in self.models.ticked():
                self.form.contenders(model)
        except GridProblem as error:
            return str(error)
        return ""

    def _wanted_probes(self) -> list[WantedProbe]:
        """What has to be found out about the ticked models before they can be asked."""
        if self._fault():
            return []
        probes = [WantedProbe(self.form.settings(model), self._missing(model)) for model in self.models.ticked()]
        return [probe for probe in probes if probe.features]

    def _missing(self, model: KnownModel) -> frozenset[Feature]:
        """What has to be found out before any run of a model can be asked."""
        runs = (run.settings for run in self.form.contenders(model))
        none: frozenset[Feature] = frozenset()
        return none.union(*(missing_probes(settings, model.capabilities) for settings in runs))

    def _update_start(self) -> None:
        unprobed = bool(self._wanted_probes())
        self.start.setText("Probe endpoints" if unprobed else "Start")
        self.start.setToolTip("A few tiny requests find out what the endpoints can do" if unprobed else "")
        preview = self.estimate.preview
        stops = preview is None or (preview.stops and not unprobed)
        self.start.setEnabled(not stops and not self._probes.is_running)

    def _show_probes(self) -> None:
        self._update_start()
        if self._probes.is_running:
            self.estimate.summary.setText(self._probes.words)

    def _take_published_sweep(self) -> None:
        """The published budgets of the ticked model, or of the first that was published, on the axiomatic tasks."""
        self.form.take_published_budgets([model.settings.model for model in self.models.ticked()])
        self.tasks.choose(set(select("axiomatic")))

    def _make_room(self) -> None:
        """Widens the dialog for the options of an agent."""
        if not self.form.agent_options.options.is_empty:
            self.resize(max(self.width(), min(_WIDE_PX, room_for(self).width())), self.height())

    def _lay_out(self) -> None:
        split = QSplitter()
        split.setHandleWidth(1)
        split.addWidget(self._make_tasks())
        split.addWidget(self._make_middle())
        split.addWidget(self.form.agent_options)
        split.setSizes([430, 520, 330])
        cancel = QPushButton("Cancel")
        cancel.clicked.connect(self.reject)
        bottom = QHBoxLayout()
        bottom.setSpacing(2 * SPACE)
        bottom.addWidget(self.estimate, 1)
        bottom.addWidget(cancel, 0, Qt.AlignmentFlag.AlignBottom)
        bottom.addWidget(self.start, 0, Qt.AlignmentFlag.AlignBottom)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        layout.setSpacing(3 * SPACE)
        layout.addWidget(split, 1)
        layout.addLayout(bottom)

    def _make_tasks(self) -> QWidget:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 2 * SPACE, 0)
        column.addWidget(section_title("Tasks"))
        column.addWidget(self.tasks, 1)
        return left

    def _make_middle(self) -> QWidget:
        """The models, and the options below them."""
        manage = QPushButton("Set up models…")
        manage.setObjectName("link")
        manage.clicked.connect(self.models_wanted)
        head = QHBoxLayout()
        head.addWidget(section_title("Models"))
        head.addStretch(1)
        head.addWidget(manage)
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(2 * SPACE, 0, 2 * SPACE, 0)
        column.setSpacing(2 * SPACE)
        column.addLayout(head)
        column.addWidget(self.models, 1)
        column.addWidget(section_title("Options"))
        both = QWidget()
        inner = QVBoxLayout(both)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(2 * SPACE)
        inner.addWidget(self.form)
        inner.addWidget(section_title("Grid"))
        about = QLabel("Every combination of the values below is a run of its own.")
        about.setObjectName("secondary")
        about.setWordWrap(True)
        inner.addWidget(about)
        inner.addWidget(self.form.grid)
        align_labels(self.form, self.form.grid)
        options = scrolled(both)
        options.setMinimumWidth(self.form.minimumSizeHint().width() + 4 * SPACE)
        column.addWidget(options, 2)
        return middle


def usual_name(models: Sequence[str], addresses: Sequence[str]) -> str:
    """What a batch is called if nobody named it, such as “birch: Shikaku rectangles, 6 instances”."""
    titles = [task(name).title for name in dict.fromkeys(map(task_of_address, addresses))]
    what = " and ".join(titles) if len(titles) <= MOST_NAMED else counted(len(titles), "task")
    return f"{', '.join(models)}: {what}, {counted(len(addresses), 'instance')}"
