"""How a batch asks: budgets, and the options of agents."""

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.evaluation.batch_form import BatchForm
from spatial_workbench.engine.evaluation.planning.plan import Contender, SpendingLimits
from spatial_workbench.engine.models import ModelSettings
from tests.app.evaluation.conftest import choose_agent, set_up_endpoint, tick


@pytest.mark.slow
def test_several_budgets_make_a_sweep(qtbot, dialog, server):
    set_up_endpoint(server)
    dialog.load_models()
    tick(dialog, "tiny")
    dialog.form.budget.setText("1024, 4096")
    assert [contender.settings.name for contender in dialog.plan().contenders] == ["tiny-1024", "tiny-4096"]
    dialog.form.budget.setText("many")
    assert "many" in dialog.estimate.summary.text()


def test_the_published_sweep_is_one_click(qtbot, dialog):
    qtbot.mouseClick(dialog.form.sweep, Qt.MouseButton.LeftButton)
    assert dialog.form.budget.text() == "1024, 4096, 8192, 32768, 65536"
    assert len(dialog.tasks.addresses()) == 75


def test_an_agent_has_a_field_for_each_of_its_options(dialog):
    choose_agent(dialog, "hierarchical")
    fields = {path: field.control for path, field in dialog.form.agent_options.options.form.fields.items()}
    kinds = [type(fields[name]).__name__ for name in ("strategy", "rounds", "querier")]
    assert kinds == ["ChoiceBox", "CountBox", "QCheckBox"]
    assert fields["rounds"].suffix() == " rounds"
    assert fields["rounds"].toolTip() == "Rounds of changes with feedback"


def test_options_are_in_the_plan_the_summary_and_the_number_of_calls(qtbot, dialog, server):
    set_up_endpoint(server)
    dialog.load_models()
    tick(dialog, "tiny")
    dialog.tasks.choose({"machine_throw:1"})
    choose_agent(dialog, "hierarchical")
    before = dialog.form.agent_options.calls.text()
    dialog.form.agent_options.options.form.fields["rounds"].control.setValue(20)
    dialog.form.agent_options.options.form.fields["querier"].control.click()
    assert dialog.plan().agent.options == {"rounds": 20, "querier": False}
    assert dialog.form.agent_options.calls.text() != before
    qtbot.waitUntil(lambda: "rounds 20, querier off" in dialog.estimate.summary.text())


def test_limits_of_spending_are_part_of_the_plan_and_come_back(qtbot):
    form = BatchForm()
    qtbot.addWidget(form)
    assert not form.spending_limits().is_set
    form.most_cost.setValue(2.5)
    form.most_tokens.setValue(3)
    form.most_hours.setValue(1.5)
    plan = form.plan("b", [Contender(settings=ModelSettings(name="r", provider="random"))], ["shikaku:0"])
    assert plan.spending == SpendingLimits(cost_usd=2.5, output_tokens=3_000_000, hours=1.5)
    other = BatchForm()
    qtbot.addWidget(other)
    other.show_plan(plan)
    assert other.spending_limits() == plan.spending
