"""The dialog for a new batch: what is asked, by whom, and what is told before it starts."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from spatial_workbench.app.evaluation.new_batch import NewBatchDialog, usual_name
from spatial_workbench.engine.core.agents import AgentPlan
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
from spatial_workbench.engine.evaluation.planning.starting import store_batch
from spatial_workbench.engine.models import ModelLibrary, ModelSettings
from tests.app.evaluation.conftest import choose_agent, page_of, set_up_endpoint, tick


def test_the_dialog_tells_what_is_missing_before_anything_can_begin(qtbot, dialog):
    dialog.tasks.choose(set())
    qtbot.waitUntil(lambda: "Choose tasks" in dialog.estimate.summary.text())
    assert not dialog.start.isEnabled()


def test_a_group_is_ticked_with_one_click_and_a_search_hides_the_rest(qtbot, dialog):
    button = next(candidate for candidate in dialog.findChildren(QPushButton) if candidate.text() == "All of SCBench")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert len(dialog.tasks.addresses()) == 285
    qtbot.keyClicks(dialog.tasks.search, "shikaku")
    shown = [branch.text(0) for branch in dialog.tasks._branches() if not branch.isHidden()]
    assert shown == ["Shikaku rectangles"]


def test_a_batch_without_a_name_is_called_by_its_models_and_tasks():
    assert usual_name(["birch"], ["shikaku:0", "shikaku:1"]) == "birch: Shikaku rectangles, 2 instances"
    assert usual_name(["birch", "oak"], ["shikaku:0", "maze_3d@7", "delaunay:1"]) == "birch, oak: 3 tasks, 3 instances"


def test_addresses_that_are_typed_are_asked_too_and_nonsense_is_named(qtbot, dialog):
    dialog.tasks.more.setText("two_segments@7, maze_3d:0-1")
    assert {"two_segments@7", "maze_3d:1"} <= set(dialog.tasks.addresses())
    dialog.tasks.more.setText("no_such_task")
    qtbot.waitUntil(lambda: "no_such_task" in dialog.estimate.summary.text())


def test_models_that_cannot_be_read_are_told_of(dialog, tmp_path):
    path = ModelLibrary().path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("no JSON")
    dialog.load_models()
    assert str(path) in dialog.estimate.summary.text()
    assert not dialog.start.isEnabled()


def test_calls_and_cost_are_told_before_the_start(qtbot, dialog, server):
    set_up_endpoint(server, prices={"input_usd": 1.0, "output_usd": 10.0})
    dialog.load_models()
    tick(dialog, "tiny")
    qtbot.waitUntil(lambda: "2 calls" in dialog.estimate.summary.text())
    assert "$" in dialog.estimate.summary.text()


def test_an_agent_has_to_be_chosen_for_cubes_that_are_seen_in_part(qtbot, dialog, server):
    set_up_endpoint(server)
    dialog.load_models()
    tick(dialog, "tiny")
    dialog.tasks.choose({"cube_face_view:0"})
    qtbot.waitUntil(lambda: "agent that looks around" in dialog.estimate.notes.text())
    assert not dialog.start.isEnabled()
    dialog.form.agent.setCurrentIndex(dialog.form.agent.findData("basic"))
    dialog.form.code.setChecked(False)
    qtbot.waitUntil(dialog.start.isEnabled)


def test_options_survive_another_agent_and_the_next_dialog_begins_without_one(window, dialog):
    choose_agent(dialog, "hierarchical")
    dialog.form.agent_options.options.form.fields["rounds"].control.setValue(7)
    dialog.form.agent.setCurrentIndex(0)
    choose_agent(dialog, "iterative")
    assert dialog.form.agent_options.options.form.fields["rounds"].control.value() == 7
    dialog.reject()
    window.actions_registry["evaluate.new"].trigger()
    again = [shown for shown in window.findChildren(NewBatchDialog) if shown.isVisible()][-1]
    assert again.form.agent_plan() is None


@pytest.mark.slow
def test_the_settings_of_a_batch_can_be_copied_into_a_new_one(window, qtbot):
    agent = AgentPlan(kind="iterative", minutes=12, options={"strategy": "random", "candidates": 3})
    contender = Contender(settings=ModelSettings(name="reference", provider="reference", model="reference"))
    plan = BatchPlan(name="first", contenders=(contender,), addresses=("machine_throw:1",), repeats=8, agent=agent)
    window.project.tell(lambda project: store_batch(project, plan), announce=True)
    window.actions_registry["evaluate.batches"].trigger()
    page = page_of(window)
    qtbot.waitUntil(lambda: page.copy.isEnabled())
    qtbot.mouseClick(page.copy, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.findChild(NewBatchDialog) is not None)
    copied = window.findChild(NewBatchDialog).plan()
    assert (copied.agent, copied.repeats, copied.addresses) == (agent, 8, ("machine_throw:1",))
