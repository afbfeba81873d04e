"""The dialog for a new batch: tasks, models, repeats and settings, with the expected cost."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from html import escape
from typing import TYPE_CHECKING

from pydantic import ValidationError
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.background import evaluations as background
from spatial_workbench.app.evaluation.agent_options import AgentOptionsForm
from spatial_workbench.app.evaluation.words import expectation
from spatial_workbench.app.frame.choosing import TaskTree
from spatial_workbench.app.frame.form_dialog import room_for
from spatial_workbench.engine.core import InstanceError, PlayedByAgents, tasks
from spatial_workbench.engine.core.agents import AgentPlan, Reward
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.planning.agent_options import declared_options, words_of_options
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender, EarlyFail, agents_offered, select
from spatial_workbench.engine.models import (
    BUDGETS,
    KnownModel,
    LibraryProblem,
    ModelLibrary,
    missing_probes,
    with_budget,
)
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.number_box import inset
from spatial_workbench.widgets.rich_text import make_rich
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.evaluations import BatchPreview
    from spatial_workbench.app.background.jobs import BackgroundJob, Jobs
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.engine.models import Capabilities, Feature, ModelSettings

_SETTLED_MS = 300
_NOTES_PX = 76
_WIDE_PX = 1240
"""Width with the options of an agent."""


class NewBatchDialog(QDialog):
    """Composes a plan, and shows its expected cost and any concerns before it can start.

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
        self._jobs = jobs
        self._means: dict[tuple[str, str], float] = {}
        self._job: BackgroundJob | None = None
        self._probing: dict[str, BackgroundJob] = {}
        self._not_probed: list[str] = []
        self._preview: BatchPreview | None = None
        self._known: dict[str, KnownModel] = {}
        self._settling = QTimer(self, singleShot=True, interval=_SETTLED_MS)
        self._settling.timeout.connect(self._ask)
        self._make_fields()
        self._lay_out()
        self.load_models()
        self._connect()
        self._agent_changed()
        project.ask(lambda opened: opened.batches.mean_output_tokens(), self._take_means)
        self._changed()

    def load_models(self) -> None:
        """Lists the models that are set up; ticked ones stay ticked."""
        ticked = set(self._ticked()) or {"reference"}
        try:
            known = ModelLibrary().all()
        except LibraryProblem as error:
            known = []
            self.summary.setText(str(error))
        self._known = {model.settings.name: model for model in known}
        self.models.blockSignals(True)
        self.models.clear()
        for model in known:
            item = QListWidgetItem(icon("model"), model.settings.name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if model.settings.name in ticked else Qt.CheckState.Unchecked)
            item.setToolTip(model.note or model.settings.url)
            if not model.is_reachable:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.models.addItem(item)
        self.models.blockSignals(False)
        self._changed()

    def plan(self) -> BatchPlan | None:
        """The plan as chosen; None while something is missing."""
        addresses = self.tasks.addresses()
        contenders = self._contenders()
        if not addresses or not contenders:
            return None
        return BatchPlan(
            name=self.name.text().strip() or self._usual_name(len(addresses)),
            contenders=tuple(contenders),
            addresses=tuple(addresses),
            repeats=self.repeats.value(),
            agent=self._agent_plan(),
            early_fail=EarlyFail() if self.early_fail.isChecked() else None,
            workers=self.workers.value() or None,
            cluster=self.cluster.text().strip() or None,
        )

    def copy_settings(self, plan: BatchPlan) -> None:
        """Shows the settings of another plan: its tasks, those of its models that are set up, and all options."""
        self.tasks.choose(set(plan.addresses))
        names = {contender.settings.name for contender in plan.contenders}
        for k in range(self.models.count()):
            item = self.models.item(k)
            if item.flags() & Qt.ItemFlag.ItemIsUserCheckable:
                item.setCheckState(Qt.CheckState.Checked if item.text() in names else Qt.CheckState.Unchecked)
        self.repeats.setValue(plan.repeats)
        self.tools.setChecked(any(contender.settings.tools for contender in plan.contenders))
        self.early_fail.setChecked(plan.early_fail is not None)
        self.workers.setValue(plan.workers or 0)
        self.cluster.setText(plan.cluster or "")
        self._show_agent(plan.agent)

    @property
    def agent_text(self) -> str:
        """The agent with its options, for `restore_agent`; empty if a single question is chosen."""
        agent = self._agent_plan()
        return agent.model_dump_json() if agent is not None else ""

    def restore_agent(self, text: str) -> None:
        """Shows an agent with its options as it was left; text that cannot be read changes nothing."""
        try:
            agent = AgentPlan.model_validate_json(text)
        except ValidationError:
            return
        self._show_agent(agent)

    def _show_agent(self, agent: AgentPlan | None) -> None:
        self.agent.setCurrentIndex(max(0, self.agent.findData(agent.kind if agent else None)))
        if agent is not None:
            self.code.setChecked(agent.uses_code)
            self.reward.setCurrentIndex(max(0, self.reward.findData(agent.reward)))
            self.steps.setValue(agent.max_steps)
            self.minutes.setValue(round(agent.minutes))
            self.options.set_values(agent.options)
        self._changed()

    def _agent_plan(self) -> AgentPlan | None:
        kind = self.agent.currentData()
        if kind is None:
            return None
        return AgentPlan(
            kind=kind,
            uses_code=self.code.isChecked(),
            reward=self.reward.currentData(),
            max_steps=self.steps.value(),
            minutes=self.minutes.value(),
            options=self.options.values(),
        )

    def begin(self) -> None:
        """Probes endpoints that were never probed, then starts the batch or shows why it cannot start."""
        unprobed = [name for name in self._ticked() if self._missing_probes(name)]
        if unprobed:
            self._probe(unprobed)
            return
        plan = self.plan()
        if plan is not None and self._preview is not None and not self._preview.stops:
            self.plan_chosen.emit(plan)
            self.accept()

    # Fields ------------------------------------------------------------------------------------------------------

    def _make_fields(self) -> None:
        self.tasks = TaskTree()
        self.models = QListWidget()
        self.models.setAccessibleName("Models")
        self.models.setMinimumHeight(96)
        self.name = QLineEdit()
        self.name.setPlaceholderText("named by its models and tasks")
        self.repeats = _spin(1, 1, 1000, "How often each instance is asked")
        self.budget = QLineEdit()
        self.budget.setPlaceholderText("none, or such as 1024, 4096, 8192")
        self.budget.setToolTip("Cap on output tokens, stated in the prompt; several make a sweep")
        self.sweep = QPushButton("Published sweep")
        self.sweep.setObjectName("link")
        self.sweep.setToolTip("The budgets that were published with SCBench, on its axiomatic tasks")
        self.sweep.clicked.connect(self._take_published_sweep)
        self.agent = QComboBox()
        self.agent.addItem("A single question for every task", None)
        for kind, text in agents_offered().items():
            self.agent.addItem(text, kind)
        self.agent.setToolTip("How to ask tasks that have agents; others always get a single question")
        self.code = QCheckBox("Steps are Python programs, run in the sandbox")
        self.code.setChecked(True)
        self.reward = QComboBox()
        for reward in Reward:
            self.reward.addItem(reward.value.capitalize(), reward)
        self.reward.setToolTip("What an agent learns after each move")
        self.steps = _spin(20, 1, 1000, "Steps after which an agent's run ends")
        self.minutes = _spin(30, 1, 24 * 60, "Minutes after which an agent's run ends")
        self.minutes.setSuffix(" min")
        self.options = AgentOptionsForm()
        self.calls = QLabel()
        self.calls.setObjectName("secondary")
        self.calls.setWordWrap(True)
        self.tools = QCheckBox("With the provider's code interpreter and web search")
        self.early_fail = QCheckBox("Skip the rest of a task if its first subtask fails")
        self.early_fail.setToolTip("The rest is stored as “not asked” and counts 0, as in the published runs")
        self.workers = _spin(0, 0, 512, "Processes that verify")
        self.workers.setSpecialValueText("cores minus one")
        self.cluster = QLineEdit()
        self.cluster.setPlaceholderText("verify here, or such as tls://scheduler:8786")
        self.cluster.setToolTip(
            "Address of a Dask scheduler that verifies instead; docs/cluster.md explains how to start one"
        )
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self.notes = make_rich(QLabel())
        self.notes.setWordWrap(True)
        self.notes.setObjectName("secondary")
        self.start = QPushButton("Start")
        self.start.setObjectName("primary")
        self.start.setDefault(True)

    def _lay_out(self) -> None:
        left, right = QWidget(), QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 2 * SPACE, 0)
        column.addWidget(_title("Tasks"))
        column.addWidget(self.tasks, 1)
        column = QVBoxLayout(right)
        column.setContentsMargins(2 * SPACE, 0, 2 * SPACE, 0)
        column.setSpacing(2 * SPACE)
        head = QHBoxLayout()
        head.addWidget(_title("Models"))
        head.addStretch(1)
        manage = QPushButton("Set up models…")
        manage.setObjectName("link")
        manage.clicked.connect(self.models_wanted)
        head.addWidget(manage)
        column.addLayout(head)
        column.addWidget(self.models, 1)
        column.addWidget(_title("Options"))
        column.addWidget(self._scrolled_form(), 2)
        split = QSplitter()
        split.setHandleWidth(1)
        split.addWidget(left)
        split.addWidget(right)
        split.addWidget(self._make_options_panel())
        split.setSizes([430, 520, 330])
        cancel = QPushButton("Cancel")
        cancel.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * SPACE)
        scrolled = QScrollArea()
        scrolled.setWidget(self.notes)
        scrolled.setWidgetResizable(True)
        scrolled.setMaximumHeight(_NOTES_PX)
        scrolled.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scrolled = scrolled
        notes = QVBoxLayout()
        notes.addWidget(self.summary)
        notes.addWidget(scrolled)
        buttons.addLayout(notes, 1)
        buttons.addWidget(cancel, 0, Qt.AlignmentFlag.AlignBottom)
        buttons.addWidget(self.start, 0, Qt.AlignmentFlag.AlignBottom)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        layout.setSpacing(3 * SPACE)
        layout.addWidget(split, 1)
        layout.addLayout(buttons)

    def _scrolled_form(self) -> QScrollArea:
        """The form, which is scrolled where the screen is low."""
        holder = QWidget()
        holder.setLayout(self._form())
        scrolled = QScrollArea()
        scrolled.setWidget(holder)
        scrolled.setWidgetResizable(True)
        scrolled.setFrameShape(QScrollArea.Shape.NoFrame)
        scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scrolled.viewport().setAutoFillBackground(False)
        holder.setAutoFillBackground(False)
        scrolled.setMinimumWidth(holder.minimumSizeHint().width() + 4 * SPACE)
        return scrolled

    def _make_options_panel(self) -> QWidget:
        """The options of the chosen agent, in a column of their own."""
        self._options_panel = QWidget()
        column = QVBoxLayout(self._options_panel)
        column.setContentsMargins(4 * SPACE, 0, 0, 0)
        column.setSpacing(2 * SPACE)
        column.addWidget(_title("Options of the agent"))
        scrolled = QScrollArea()
        scrolled.setWidget(self.options)
        scrolled.setWidgetResizable(True)
        scrolled.setFrameShape(QScrollArea.Shape.NoFrame)
        scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scrolled.viewport().setAutoFillBackground(False)
        self.options.setAutoFillBackground(False)
        column.addWidget(scrolled, 1)
        column.addWidget(self.calls)
        return self._options_panel

    def _form(self) -> QFormLayout:
        form = QFormLayout()
        form.setVerticalSpacing(2 * SPACE)
        form.setHorizontalSpacing(4 * SPACE)
        for label, field in (
            ("Name", self.name),
            ("Repeats", self.repeats),
            ("Token budget", _beside(self.budget, self.sweep)),
            ("", self.tools),
            ("", self.early_fail),
            ("Agent", self.agent),
            ("", self.code),
            ("Reward", self.reward),
            ("Steps", self.steps),
            ("Time limit", self.minutes),
            ("Workers", self.workers),
            ("Cluster", self.cluster),
        ):
            form.addRow(label, field)
            if label:
                field.setAccessibleName(label)
        self.budget.setAccessibleName("Token budget")
        return form

    def _connect(self) -> None:
        self.tasks.changed.connect(self._changed)
        self.models.itemChanged.connect(self._changed)
        for box in (self.tools, self.early_fail, self.code):
            box.toggled.connect(self._changed)
        for spin in (self.repeats, self.steps, self.minutes, self.workers):
            spin.valueChanged.connect(self._changed)
        self.options.changed.connect(self._changed)
        self.agent.currentIndexChanged.connect(self._agent_changed)
        self.reward.currentIndexChanged.connect(self._changed)
        for line in (self.budget, self.cluster):
            line.textChanged.connect(self._changed)
        self.start.clicked.connect(self.begin)

    # What is chosen ----------------------------------------------------------------------------------------------

    def _ticked(self) -> list[str]:
        items = [self.models.item(k) for k in range(self.models.count())]
        return [item.text() for item in items if item.checkState() == Qt.CheckState.Checked]

    def _contenders(self) -> list[Contender]:
        """Each ticked model, once for each budget."""
        contenders = []
        for name in self._ticked():
            known = self._known[name]
            settings = self._wanted_settings(known)
            budgets: Sequence[int | None] = self._budgets() or [None]
            for budget in budgets:
                capped = settings if budget is None else with_budget(settings, budget)
                contenders.append(Contender(settings=capped, capabilities=known.capabilities))
        return contenders

    def _wanted_settings(self, known: KnownModel) -> ModelSettings:
        """A model's settings, with hosted tools where they are ticked."""
        if self.tools.isChecked() and known.settings.provider.is_endpoint:
            return known.settings.changed(tools=True, api="responses")
        return known.settings

    def _budgets(self) -> list[int]:
        words = self.budget.text().replace(",", " ").split()
        return [int(word) for word in words if word.isdigit() and int(word) > 0]

    def _take_published_sweep(self) -> None:
        """The published budgets of the ticked model, or of the first that was published, on the axiomatic tasks."""
        models = [self._known[name].settings.model for name in self._ticked()]
        budgets = next((BUDGETS[model] for model in models if model in BUDGETS), next(iter(BUDGETS.values())))
        self.budget.setText(", ".join(map(str, budgets)))
        self.tasks.choose(set(select("axiomatic")))

    def _fault(self) -> str:
        """Why the typed values are invalid; empty if they are valid."""
        try:
            self.tasks.addresses()
        except InstanceError as error:
            return str(error)
        words = self.budget.text().replace(",", " ").split()
        wrong = [word for word in words if not word.isdigit() or int(word) == 0]
        return f"“{wrong[0]}” is not a number of tokens." if wrong else ""

    def _usual_name(self, count: int) -> str:
        models = ", ".join(self._ticked())
        return f"{models}: {count} instance{'' if count == 1 else 's'}"

    # What it is expected to take ---------------------------------------------------------------------------------

    def _agent_changed(self) -> None:
        """Shows the options of the agent, and widens the dialog for them."""
        kind = self.agent.currentData()
        self.options.show_agent(kind, declared_options(kind) if kind is not None else None)
        self._options_panel.setVisible(not self.options.is_empty)
        if not self.options.is_empty:
            self._options_panel.setMinimumWidth(self.options.sizeHint().width() + 8 * SPACE)
            self.resize(max(self.width(), min(_WIDE_PX, room_for(self).width())), self.height())
        self._changed()

    def _tell_calls(self) -> None:
        agent = self._agent_plan()
        playing = _playing(agent.kind) if agent is not None else []
        calls = playing[0].expected_calls(agent) if agent is not None and playing else 0
        self.calls.setText(f"A run asks the model about {counted(calls, 'time')}." if calls else "")

    def _changed(self) -> None:
        kind = self.agent.currentData()
        writes_code = any(task.agents_write_code for task in _playing(kind))
        for field in (self.code, self.reward, self.steps):
            field.setEnabled(writes_code)
        self.minutes.setEnabled(kind is not None)
        self._tell_calls()
        self._preview = None
        self.notes.clear()
        self._scrolled.setVisible(False)
        fault = self._fault()
        missing = not fault and not self.tasks.addresses(), not self._ticked()
        if fault or any(missing):
            self._settling.stop()
            what = " and ".join(word for word, lacks in zip(("tasks", "models"), missing, strict=True) if lacks)
            self.summary.setText(fault or f"Choose {what} to see an estimate.")
        else:
            self.summary.setText("Counting…")
            self._settling.start()
        self._tell_start()

    def _take_means(self, means: dict[tuple[str, str], float]) -> None:
        self._means = means
        self._changed()

    def _ask(self) -> None:
        plan = self.plan()
        if plan is None:
            return
        if self._job is not None and self._job.is_pending:
            self._job.cancel()
        self._job = self._jobs.run(
            "Counting",
            background.preview,
            plan.model_dump_json(),
            self._means,
            done=self._show_preview,
            failed=self.summary.setText,
            quiet=True,
        )

    def _show_preview(self, preview: BatchPreview) -> None:
        self._preview = preview
        self.summary.setText(" ".join(filter(None, (expectation(preview.estimates), self._words_of_agent()))))
        lines = [f"✗ {escape(text)}" for text in self._not_probed]
        for concern in preview.concerns:
            sign = "✗" if concern.stops else "•"
            who = f"<b>{escape(concern.contender)}</b>: " if concern.contender else ""
            lines.append(f"{sign} {who}{escape(concern.sentence)}")
        self.notes.setText("<br>".join(lines))
        self._scrolled.setVisible(bool(lines))
        self._tell_start()

    def _words_of_agent(self) -> str:
        """The agent with the options that were set, as a sentence."""
        agent = self._agent_plan()
        if agent is None or self.options.is_empty:
            return ""
        words = words_of_options(declared_options(agent.kind), agent.kind, agent.options)
        return f"{self.agent.currentText()} with {words or 'the usual options'}."

    def _tell_start(self) -> None:
        unprobed = any(self._missing_probes(name) for name in self._ticked())
        self.start.setText("Probe endpoints" if unprobed else "Start")
        self.start.setToolTip("A few tiny requests find out what the endpoints can do" if unprobed else "")
        stops = self._preview is None or (self._preview.stops and not unprobed)
        self.start.setEnabled(not stops and not self._probing)

    def _missing_probes(self, name: str) -> frozenset[Feature]:
        known = self._known.get(name)
        return missing_probes(self._wanted_settings(known), known.capabilities) if known is not None else frozenset()

    def _probe(self, names: Sequence[str]) -> None:
        """Probes one endpoint after the other; each result is stored at once."""
        self._not_probed.clear()
        for name in names:
            self._probing[name] = self._jobs.run(
                f"Probing {name}",
                background.probe_model,
                self._wanted_settings(self._known[name]).model_dump_json(),
                sorted(self._missing_probes(name)),
                done=partial(self._was_probed, name),
                failed=partial(self._was_not_probed, name),
            )
        self._tell_probing()

    def _was_probed(self, name: str, capabilities: Capabilities) -> None:
        try:
            ModelLibrary().learn(name, capabilities)
        except LibraryProblem as error:
            self._not_probed.append(f"{name}: {error}")
        self._end_probe(name)

    def _was_not_probed(self, name: str, reason: str) -> None:
        self._not_probed.append(f"{name}: {reason}")
        self._end_probe(name)

    def _end_probe(self, name: str) -> None:
        self._probing.pop(name)
        self._tell_probing()
        if not self._probing:
            self.load_models()

    def _tell_probing(self) -> None:
        self._tell_start()
        if self._probing:
            name = next(iter(self._probing))
            more = len(self._probing) - 1
            rest = f" {counted(more, 'endpoint')} to follow." if more else ""
            self.summary.setText(f"Finding out what the endpoint of {name} can do…{rest}")

    def done(self, result: int) -> None:
        """Cancels the estimate and any probe."""
        for job in (self._job, *self._probing.values()):
            if job is not None and job.is_pending:
                job.cancel()
        super().done(result)


def _title(text: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName("panelTitle")
    return label


def _beside(*widgets: QWidget) -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        row.addWidget(widget)
    return holder


def _spin(value: int, low: int, high: int, tip: str) -> QSpinBox:
    box = inset(QSpinBox())
    box.setRange(low, high)
    box.setValue(value)
    box.setToolTip(tip)
    return box


def _playing(kind: str) -> list[PlayedByAgents]:
    """The tasks that agents of a kind play."""
    return [task for task in tasks() if isinstance(task, PlayedByAgents) and kind in task.agents]
