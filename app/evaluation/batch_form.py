"""How a batch asks: repeats, budgets, the agent, and where answers are verified."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from spatial_workbench.app.evaluation.agent_options import AgentOptionsPanel
from spatial_workbench.app.evaluation.grid_form import GridForm
from spatial_workbench.engine.core.agents import HANDS, AgentPlan, Reward
from spatial_workbench.engine.evaluation.planning.agent_options import tasks_played_by, writes_code
from spatial_workbench.engine.evaluation.planning.expanding import expanded
from spatial_workbench.engine.evaluation.planning.plan import (
    BatchPlan,
    Contender,
    EarlyFail,
    SpendingLimits,
    agents_offered,
)
from spatial_workbench.engine.models import BUDGETS, KnownModel
from spatial_workbench.widgets.number_box import inset
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import AmountBox, ChoiceBox, CountBox

if TYPE_CHECKING:
    from spatial_workbench.engine.models import ModelSettings


_AT_A_LIMIT = "At the limit the batch pauses; resuming it allows as much again"
_AT_ITEM_LIMIT = "At the limit nothing more is asked, and the item ends with an error; retrying it allows as much again"


class BatchForm(QWidget):
    """The options of a batch. Those that only some agents have are in `agent_options`, and the axes of a grid are in
    `grid`, to be shown beside it.

    Signals:
        changed(): an option has another value.
        agent_chosen(): another kind of agent was chosen, with other options.
        sweep_wanted(): use the published budgets.
    """

    changed = Signal()
    agent_chosen = Signal()
    sweep_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.agent_options = AgentOptionsPanel()
        self.grid = GridForm()
        self._make_general_fields()
        self._make_limits()
        self._make_agent_fields()
        self._make_verifying_fields()
        self._lay_out()
        self._connect()
        self._show_kind()

    @property
    def typed_name(self) -> str:
        """The name of the batch; empty if none was typed."""
        return self.name.text().strip()

    @property
    def budget_fault(self) -> str:
        """Why the budgets are invalid; empty if they are valid."""
        wrong = [word for word in self._budget_words() if not word.isdigit() or int(word) == 0]
        return f"“{wrong[0]}” is not a number of tokens." if wrong else ""

    def plan(self, name: str, contenders: Sequence[Contender], addresses: Sequence[str]) -> BatchPlan:
        """The plan that asks these contenders about these instances."""
        return BatchPlan(
            name=name,
            contenders=tuple(contenders),
            addresses=tuple(addresses),
            repeats=self.repeats.value(),
            agent=self.agent_plan(),
            grid=None if (grid := self.grid.grid()).is_empty else grid,
            early_fail=EarlyFail() if self.early_fail.isChecked() else None,
            spending=self.spending_limits(),
            workers=self.workers.value() or None,
            cluster=self.cluster.text().strip() or None,
        )

    def spending_limits(self) -> SpendingLimits:
        """What the batch may spend."""
        return SpendingLimits(
            cost_usd=self.most_cost.value() or None,
            output_tokens=1_000_000 * self.most_tokens.value() or None,
            hours=self.most_hours.value() or None,
            item_cost_usd=self.item_cost.value() or None,
            item_output_tokens=self.item_tokens.value() or None,
        )

    def agent_plan(self) -> AgentPlan | None:
        """The agent with its options; None for single questions."""
        kind = self.agent.currentData()
        if kind is None:
            return None
        return AgentPlan(
            kind=kind,
            uses_code=self.code.isChecked(),
            reward=self.reward.currentData(),
            max_steps=self.steps.value(),
            minutes=self.minutes.value(),
            step_seconds=self.step_seconds.value(),
            options=self.agent_options.options.values(),
        )

    def contenders(self, model: KnownModel) -> list[Contender]:
        """A model, once for each combination of the grid and each budget.

        Raises:
            GridProblem: The grid has a wrong value, or makes too many runs.
        """
        contender = Contender(settings=self.settings(model), capabilities=model.capabilities)
        budgets = [int(word) for word in self._budget_words() if word.isdigit() and int(word) > 0]
        return expanded(contender, self.grid.grid(), budgets)

    def settings(self, model: KnownModel) -> ModelSettings:
        """A model's settings, with hosted tools where they are ticked."""
        if self.tools.isChecked() and model.settings.provider.is_endpoint:
            return model.settings.changed(tools=True, api="responses")
        return model.settings

    def show_plan(self, plan: BatchPlan) -> None:
        """Shows the options of a plan."""
        self.repeats.setValue(plan.repeats)
        by_grid = plan.grid is not None and bool(plan.grid.tools)
        self.tools.setChecked(not by_grid and any(contender.settings.tools for contender in plan.contenders))
        self.budget.setText(", ".join(map(str, sorted(_budgets(plan)))))
        self.grid.show_grid(plan.grid)
        self.early_fail.setChecked(plan.early_fail is not None)
        self.most_cost.setValue(plan.spending.cost_usd or 0)
        self.most_tokens.setValue(-(-(plan.spending.output_tokens or 0) // 1_000_000))
        self.most_hours.setValue(plan.spending.hours or 0)
        self.item_cost.setValue(plan.spending.item_cost_usd or 0)
        self.item_tokens.setValue(plan.spending.item_output_tokens or 0)
        self.workers.setValue(plan.workers or 0)
        self.cluster.setText(plan.cluster or "")
        self.show_agent(plan.agent)

    def show_agent(self, agent: AgentPlan | None) -> None:
        """Shows an agent with its options; None for single questions."""
        self.agent.setCurrentIndex(max(0, self.agent.findData(agent.kind if agent else None)))
        if agent is not None:
            self.code.setChecked(agent.uses_code)
            self.reward.setCurrentIndex(max(0, self.reward.findData(agent.reward)))
            self.steps.setValue(agent.max_steps)
            self.minutes.setValue(round(agent.minutes))
            self.step_seconds.setValue(round(agent.step_seconds))
            self.agent_options.options.set_values(agent.options)
        self._announce()

    def take_published_budgets(self, models: Sequence[str]) -> None:
        """Fills in the published budgets of the first of these models that has any, or else of any model."""
        published = (BUDGETS[model] for model in models if model in BUDGETS)
        budgets = next(published, next(iter(BUDGETS.values())))
        self.budget.setText(", ".join(map(str, budgets)))

    def _make_general_fields(self) -> None:
        self.name = QLineEdit()
        self.name.setPlaceholderText("named by its models and tasks")
        self.repeats = _spin(1, 1, 1000, "How often each instance is asked")
        self.budget = QLineEdit()
        self.budget.setPlaceholderText("none, or such as 1024, 4096, 8192")
        self.budget.setToolTip("Output limit of each reply, in tokens, stated in the prompt; several make a sweep")
        self.sweep = QPushButton("Published sweep")
        self.sweep.setObjectName("link")
        self.sweep.setToolTip("The output limits that were published with SCBench, on its axiomatic tasks")
        self.tools = QCheckBox("With the provider's code interpreter and web search")
        self.early_fail = QCheckBox("Skip the rest of a task if its first subtask fails")
        self.early_fail.setToolTip("The rest is stored as “not asked” and counts 0, as in the published runs")

    def _make_limits(self) -> None:
        self.most_cost = _limit("$", "", "What the batch may cost, by the models' prices", decimals=2)
        self.most_tokens = _spin(0, 0, 100_000, f"Millions of output tokens. {_AT_A_LIMIT}")
        self.most_tokens.setSuffix(" million")
        self.most_tokens.setSpecialValueText("no limit")
        self.most_hours = _limit("", " h", "How long the batch may take", decimals=1)
        self.item_cost = _limit("$", "", "What one item, or run of an agent, may cost", 2, _AT_ITEM_LIMIT)
        self.item_tokens = _spin(0, 0, 100_000_000, f"Output tokens of one item, or run of an agent. {_AT_ITEM_LIMIT}")
        self.item_tokens.setSpecialValueText("no limit")
        self.item_tokens.setGroupSeparatorShown(True)

    def _make_agent_fields(self) -> None:
        self.agent = ChoiceBox()
        self.agent.addItem("A single question for every task", None)
        for kind, text in agents_offered().items():
            self.agent.addItem(text, kind)
        self.agent.setToolTip("How to ask tasks that have agents; others always get a single question")
        self.code = QCheckBox("Steps are Python programs, run in the sandbox")
        self.code.setChecked(True)
        self.reward = ChoiceBox()
        for reward in Reward:
            self.reward.addItem(reward.value.capitalize(), reward)
        self.reward.setToolTip("What an agent learns after each move")
        self.steps = _spin(20, 1, 1000, "Steps after which an agent's run ends")
        self.minutes = _spin(30, 1, 24 * 60, "Minutes after which an agent's run ends")
        self.minutes.setSuffix(" min")
        self.step_seconds = _spin(60, 1, 24 * 3600, "Seconds that the program of one step may take; then the run ends")
        self.step_seconds.setSuffix(" s")

    def _make_verifying_fields(self) -> None:
        self.workers = _spin(0, 0, 512, "Processes that verify")
        self.workers.setSpecialValueText("cores minus one")
        self.cluster = QLineEdit()
        self.cluster.setPlaceholderText("verify here, or such as tls://scheduler:8786")
        self.cluster.setToolTip(
            "Address of a Dask scheduler that verifies instead; docs/cluster.md explains how to start one"
        )

    def _lay_out(self) -> None:
        form = QFormLayout(self)
        form.setVerticalSpacing(2 * SPACE)
        form.setHorizontalSpacing(4 * SPACE)
        for label, field in (
            ("Name", self.name),
            ("Repeats", self.repeats),
            ("Output limit", _beside(self.budget, self.sweep)),
            ("", self.tools),
            ("", self.early_fail),
            ("Money at most", self.most_cost),
            ("Output tokens at most", self.most_tokens),
            ("Time at most", self.most_hours),
            ("Money per item", self.item_cost),
            ("Output tokens per item", self.item_tokens),
            ("Agent", self.agent),
            ("", self.code),
            ("Reward", self.reward),
            ("Steps", self.steps),
            ("Time limit", self.minutes),
            ("Limit of a step", self.step_seconds),
            ("Workers", self.workers),
            ("Cluster", self.cluster),
        ):
            form.addRow(label, field)
            if label:
                field.setAccessibleName(label)
        self.budget.setAccessibleName("Output limit")

    def _connect(self) -> None:
        for box in (self.tools, self.early_fail, self.code):
            box.toggled.connect(self._announce)
        for spin in (self.repeats, self.steps, self.minutes, self.step_seconds, self.workers):
            spin.valueChanged.connect(self._announce)
        limits = (self.most_cost, self.most_tokens, self.most_hours, self.item_cost, self.item_tokens)
        for limit in limits:
            limit.valueChanged.connect(self._announce)
        for line in (self.budget, self.cluster):
            line.textChanged.connect(self._announce)
        self.reward.currentIndexChanged.connect(self._announce)
        self.agent_options.options.changed.connect(self._announce)
        self.agent.currentIndexChanged.connect(self._show_kind)
        self.sweep.clicked.connect(self.sweep_wanted)
        self.grid.changed.connect(self._announce)

    def _announce(self) -> None:
        self.agent_options.show_calls(self.agent_plan())
        self.changed.emit()

    def _show_kind(self) -> None:
        """Offers what the chosen kind of agent can be told."""
        kind = self.agent.currentData()
        uses_steps = any(writes_code(task, kind) for task in tasks_played_by(kind))
        for field in (self.code, self.reward, self.steps):
            field.setEnabled(uses_steps)
        self.step_seconds.setEnabled(uses_steps or kind == HANDS)
        self.minutes.setEnabled(kind is not None)
        self.agent_options.show_agent(kind)
        self.agent_chosen.emit()
        self._announce()

    def _budget_words(self) -> list[str]:
        return self.budget.text().replace(",", " ").split()


def _budgets(plan: BatchPlan) -> set[int]:
    """The budgets that a plan was made with: those that the names of its runs end with."""
    runs = [contender.settings for contender in plan.contenders if contender.base]
    return {
        run.max_output_tokens
        for run in runs
        if run.max_output_tokens and run.name.endswith(f"-{run.max_output_tokens}")
    }


def _beside(*widgets: QWidget) -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        row.addWidget(widget)
    return holder


def _limit(prefix: str, suffix: str, tip: str, decimals: int, then: str = _AT_A_LIMIT) -> QDoubleSpinBox:
    """A field for a limit; 0 is none."""
    box = inset(AmountBox())
    box.setRange(0, 1_000_000)
    box.setDecimals(decimals)
    box.setPrefix(prefix)
    box.setSuffix(suffix)
    box.setSpecialValueText("no limit")
    box.setToolTip(f"{tip}. {then}")
    return box


def _spin(value: int, low: int, high: int, tip: str) -> QSpinBox:
    box = inset(CountBox())
    box.setRange(low, high)
    box.setValue(value)
    box.setToolTip(tip)
    return box
