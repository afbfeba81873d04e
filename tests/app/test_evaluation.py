"""The Evaluate menu: a batch is made, runs in the background, and can be stopped, gone on with and looked at."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QPushButton

from spatial_workbench.app.evaluation.item_dialog import ItemDialog
from spatial_workbench.app.evaluation.items import item_columns
from spatial_workbench.app.evaluation.judge_dialog import JudgeDialog
from spatial_workbench.app.evaluation.models_dialog import ModelsDialog
from spatial_workbench.app.evaluation.new_batch import NewBatchDialog
from spatial_workbench.app.evaluation.page import BatchesPage
from spatial_workbench.app.evaluation.watch import BatchStatus
from spatial_workbench.app.evaluation.words import duration, expectation, money, tokens
from spatial_workbench.app.runs.page import RunsPage
from spatial_workbench.engine.core.agents import AgentPlan
from spatial_workbench.engine.evaluation.planning.estimate import Estimate
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
from spatial_workbench.engine.evaluation.planning.starting import store_batch
from spatial_workbench.engine.models import Feature, ModelLibrary, ModelSettings, Result, find_key
from spatial_workbench.engine.store import BatchState, ItemLine, ItemState, Project
from spatial_workbench.widgets.tables.rows import RowsModel
from tests.evaluation.conftest import oracle
from tests.models.conftest import ScriptedReply, chat, own_keyring, refuse, server

__all__ = ["own_keyring", "server"]


@pytest.fixture(autouse=True)
def own_models(tmp_path, monkeypatch):
    """No test sees a person's models."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def dialog(window, qtbot):
    window.actions_registry["evaluate.new"].trigger()
    new_batch = window.findChild(NewBatchDialog)
    new_batch.tasks.choose({"shikaku:0", "shikaku:1"})
    return new_batch


def tick(dialog, *names):
    for k in range(dialog.models.count()):
        item = dialog.models.item(k)
        item.setCheckState(Qt.CheckState.Checked if item.text() in names else Qt.CheckState.Unchecked)


def start(dialog, qtbot):
    qtbot.waitUntil(dialog.start.isEnabled)
    qtbot.mouseClick(dialog.start, Qt.MouseButton.LeftButton)


def messages_of(window):
    """All that the status bar says from now on."""
    messages = []
    window.statusBar().messageChanged.connect(messages.append)
    return messages


def page_of(window):
    return next(page for page in map(window.tabs.widget, range(window.tabs.count())) if isinstance(page, BatchesPage))


def wait_for(window, qtbot, state):
    page = page_of(window)
    qtbot.waitUntil(lambda: page.chosen() is not None and page.chosen().state is state)
    return page


def set_up_endpoint(server, name="tiny", **settings):
    own = ModelSettings(name=name, model="tiny", base_url=server.url, timeout_s=20, **settings)
    ModelLibrary().store_model(own, probed(own))
    return own


def probed(settings):
    from datetime import UTC, datetime

    from spatial_workbench.engine.models import Capabilities

    return Capabilities(base_url=settings.url, model=settings.model, probed_at=datetime.now(UTC))


def test_the_reference_needs_no_key_and_its_batch_comes_to_its_end(window, qtbot, dialog):
    start(dialog, qtbot)
    page = wait_for(window, qtbot, BatchStatus.FINISHED)
    assert page.chosen().row.ended == 2
    qtbot.mouseClick(page.attempts, Qt.MouseButton.LeftButton)
    runs = window.tabs.currentWidget()
    qtbot.waitUntil(lambda: runs.model.rowCount() == 2)


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


def test_addresses_that_are_typed_are_asked_too_and_nonsense_is_named(qtbot, dialog):
    dialog.tasks.more.setText("two_segments@7, maze_3d:0-1")
    assert {"two_segments@7", "maze_3d:1"} <= set(dialog.tasks.addresses())
    dialog.tasks.more.setText("no_such_task")
    qtbot.waitUntil(lambda: "no_such_task" in dialog.estimate.summary.text())


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


def test_an_endpoint_that_nobody_probed_is_probed_before_anything_begins(qtbot, dialog, server):
    server.answers.append(lambda body: refuse(404, "no such model"))
    ModelLibrary().store_model(ModelSettings(name="new", model="tiny", base_url=server.url))
    dialog.load_models()
    tick(dialog, "new")
    assert dialog.start.text() == "Probe endpoints"
    start(dialog, qtbot)
    qtbot.waitUntil(lambda: ModelLibrary().find("new").capabilities is not None)
    qtbot.waitUntil(lambda: dialog.start.text() == "Start")


def test_all_endpoints_are_probed_at_one_go_and_keep_their_order(qtbot, dialog, server):
    server.answers.append(lambda body: refuse(404, "no such model"))
    for name in ("first", "second", "third"):
        ModelLibrary().store_model(ModelSettings(name=name, model=name, base_url=server.url))
    dialog.load_models()
    before = [dialog.models.item(k).text() for k in range(dialog.models.count())]
    tick(dialog, "first", "third")
    start(dialog, qtbot)
    qtbot.waitUntil(lambda: dialog.start.text() == "Start")
    probed = [known.settings.name for known in ModelLibrary().all() if known.capabilities is not None]
    assert probed == ["first", "third"]
    assert [dialog.models.item(k).text() for k in range(dialog.models.count())] == before


def test_hosted_tools_are_probed_where_they_are_wanted_and_were_not_tried(qtbot, dialog, server):
    server.answers.append(lambda body: refuse(404, "no tools here"))
    set_up_endpoint(server)
    dialog.load_models()
    tick(dialog, "tiny")
    assert dialog.start.text() == "Start"
    dialog.form.tools.setChecked(True)
    assert dialog.start.text() == "Probe endpoints"
    start(dialog, qtbot)
    qtbot.waitUntil(lambda: ModelLibrary().find("tiny").capabilities.result(Feature.HOSTED_TOOLS) is Result.REFUSED)
    assert not ModelLibrary().find("tiny").settings.tools
    qtbot.waitUntil(lambda: "Hosted tools" in dialog.estimate.notes.text())
    assert not dialog.start.isEnabled()


def test_an_agent_has_to_be_chosen_for_cubes_that_are_seen_in_part(qtbot, dialog, server):
    set_up_endpoint(server)
    dialog.load_models()
    tick(dialog, "tiny")
    dialog.tasks.choose({"cube_face_view:0"})
    qtbot.waitUntil(lambda: "agent that looks around" in dialog.estimate.notes.text())
    assert not dialog.start.isEnabled()
    dialog.form.agent.setCurrentIndex(1)
    dialog.form.code.setChecked(False)
    qtbot.waitUntil(dialog.start.isEnabled)


@pytest.mark.slow
def test_a_batch_is_paused_goes_on_and_survives_the_window(open_window, qtbot, server):
    answer = oracle()(["shikaku:0", "shikaku:1"])
    server.answers.append(lambda body: ScriptedReply([1.5, *answer(body).parts]))
    set_up_endpoint(server, limits={"parallel": 1})
    window = open_window()
    window.actions_registry["evaluate.new"].trigger()
    dialog = window.findChild(NewBatchDialog)
    dialog.tasks.choose({"shikaku:0", "shikaku:1"})
    tick(dialog, "tiny")
    start(dialog, qtbot)
    page = wait_for(window, qtbot, BatchStatus.RUNNING)
    assert "1 evaluation running" in window.evaluations.status.text()
    qtbot.waitUntil(lambda: bool(server.seen))
    qtbot.mouseClick(page.pause, Qt.MouseButton.LeftButton)
    page = wait_for(window, qtbot, BatchStatus.PAUSED)
    assert page.chosen().row.ended == 1
    qtbot.mouseClick(page.resume, Qt.MouseButton.LeftButton)
    wait_for(window, qtbot, BatchStatus.RUNNING)
    path = window.project.path
    window.close()
    with Project.open(path) as project:
        qtbot.waitUntil(lambda: project.batches.get(1).state is BatchState.FINISHED)
        assert project.batches.get(1).ended == 2


@pytest.mark.slow
def test_what_failed_is_listed_with_its_reason_and_can_be_tried_again(window, qtbot, server):
    server.answers += [refuse(400, "no"), refuse(400, "no"), oracle()(["shikaku:0", "shikaku:1"])]
    set_up_endpoint(server, limits={"parallel": 1})
    window.actions_registry["evaluate.new"].trigger()
    dialog = window.findChild(NewBatchDialog)
    dialog.tasks.choose({"shikaku:0", "shikaku:1"})
    tick(dialog, "tiny")
    start(dialog, qtbot)
    page = wait_for(window, qtbot, BatchStatus.FINISHED)
    page.items.filter_by("Failed")
    qtbot.waitUntil(lambda: cells(page.items, 1)[5] == "Failed")
    assert cells(page.items, 0)[1:4] == ["tiny", "Shikaku rectangles", "0"]
    assert cells(page.items, 0)[8].startswith("bad request: ")
    qtbot.mouseClick(page.retry, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.chosen().state is BatchStatus.FINISHED and page.chosen().failed == 0)


def cells(items, row):
    return [items.model.index(row, column).data() for column in range(items.model.columnCount())]


def asked(window, qtbot, *names):
    """A batch of two instances of Shikaku has begun; its page."""
    window.actions_registry["evaluate.new"].trigger()
    dialog = window.findChild(NewBatchDialog)
    dialog.tasks.choose({"shikaku:0", "shikaku:1"})
    tick(dialog, *names)
    start(dialog, qtbot)
    return page_of(window)


@pytest.mark.slow
def test_the_items_of_a_batch_tell_what_is_being_asked_and_follow_it(window, qtbot, server):
    answer = oracle()(["shikaku:0", "shikaku:1"])
    server.answers.append(lambda body: ScriptedReply([1.0, *answer(body).parts]))
    set_up_endpoint(server, limits={"parallel": 1})
    page = asked(window, qtbot, "tiny")
    qtbot.waitUntil(lambda: page.items.model.rowCount() == 2 and cells(page.items, 0)[5] == "Asking")
    assert cells(page.items, 1)[5] == "Waiting"
    qtbot.waitUntil(lambda: cells(page.items, 1)[5:7] == ["Done", "1.00"])
    assert page.items.filters.tabText(4) == "Done  2"


def test_an_item_that_is_done_opens_its_attempt(window, qtbot):
    page = asked(window, qtbot, "reference")
    wait_for(window, qtbot, BatchStatus.FINISHED)
    qtbot.waitUntil(lambda: page.items.model.rowCount() == 2 and page.items.model.rows[1].attempt is not None)
    number = page.items.model.rows[1].attempt
    page.items.table.selectRow(1)
    qtbot.mouseClick(page.items.open, Qt.MouseButton.LeftButton)
    runs = window.tabs.currentWidget()
    qtbot.waitUntil(lambda: runs.detail.dossier is not None and runs.detail.dossier.row.number == number)


def test_an_item_that_failed_opens_what_was_asked_for_it_and_why_it_failed(window, qtbot, server):
    server.answers.append(refuse(400, "<b>no such field</b>"))
    set_up_endpoint(server)
    page = asked(window, qtbot, "tiny")
    wait_for(window, qtbot, BatchStatus.FINISHED)
    qtbot.waitUntil(lambda: cells(page.items, 0)[5] == "Failed")
    page.items.table.selectRow(0)
    qtbot.keyClick(page.items.table, Qt.Key.Key_Return)
    dialog = window.findChild(ItemDialog)
    qtbot.waitUntil(lambda: "no such field" in dialog.state.text())
    assert dialog.requests.topLevelItemCount() == 1
    assert not dialog.attempt.isEnabled()


def test_items_are_sorted_by_a_click_on_a_header_and_instances_as_numbers():
    model = RowsModel(item_columns(lambda line: "tiny"))
    model.show_rows([line(1, "shikaku:10"), line(2, "shikaku:2"), line(3, "shikaku@7")])
    model.sort(3, Qt.SortOrder.DescendingOrder)
    assert [row.address for row in model.rows] == ["shikaku@7", "shikaku:10", "shikaku:2"]


def line(number, address):
    return ItemLine(number, 0, address, 0, ItemState.WAITING, None, None, None, None)


def test_answers_out_of_a_file_are_verified(window, qtbot, tmp_path):
    line = {"task": "two_segments", "instance": 0, "model": "mine", "text": '{"segments": []}'}
    (tmp_path / "answers.jsonl").write_text(f"{json.dumps(line)}\nno json\n")
    messages = messages_of(window)
    window.evaluations.import_answers(tmp_path / "answers.jsonl")
    qtbot.waitUntil(lambda: any("Skipped: 1 line" in text for text in messages))
    page = wait_for(window, qtbot, BatchStatus.FINISHED)
    assert page.chosen().row.ended == 1


@pytest.mark.slow
def test_a_file_that_was_imported_is_taken_again_only_after_a_question(window, qtbot, tmp_path):
    line = {"task": "two_segments", "instance": 0, "model": "mine", "text": '{"segments": []}'}
    (tmp_path / "answers.jsonl").write_text(json.dumps(line))
    messages = messages_of(window)
    window.evaluations.import_answers(tmp_path / "answers.jsonl")
    qtbot.waitUntil(lambda: any("To be verified: 1 answer" in text for text in messages))
    wait_for(window, qtbot, BatchStatus.FINISHED)
    window.evaluations.import_answers(tmp_path / "answers.jsonl")
    qtbot.waitUntil(lambda: window.findChild(QMessageBox) is not None)
    again = next(button for button in window.findChild(QMessageBox).buttons() if button.text() == "Import again")
    qtbot.mouseClick(again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(window.evaluations.watch.batches) == 2)


def test_a_file_without_answers_is_refused_with_the_reason(window, qtbot, tmp_path):
    (tmp_path / "empty.jsonl").write_text("")
    messages = messages_of(window)
    window.evaluations.import_answers(tmp_path / "empty.jsonl")
    qtbot.waitUntil(lambda: any("no answer that can be used" in text for text in messages))


def test_a_judge_labels_the_failed_attempts_of_a_batch_and_says_before_and_after_what_it_takes(window, qtbot, server):
    decision = {
        "subpass": 0,
        "failure_mode": "Near-Miss Edge Case",
        "confidence": 0.8,
        "justification": "One is missing.",
        "evidence_tags": [],
    }
    server.answers.append(lambda body: chat(json.dumps({"decisions": [decision]})))
    set_up_endpoint(server, prices={"input_usd": 1.0, "output_usd": 10.0})
    window.actions_registry["evaluate.new"].trigger()
    dialog = window.findChild(NewBatchDialog)
    dialog.tasks.choose({"shikaku:0"})
    tick(dialog, "random")
    start(dialog, qtbot)
    page = wait_for(window, qtbot, BatchStatus.FINISHED)
    qtbot.mouseClick(page.judge, Qt.MouseButton.LeftButton)
    judging = window.findChild(JudgeDialog)
    judging.judge.setCurrentText("tiny")
    qtbot.waitUntil(judging.go.isEnabled)
    assert judging.note.text().startswith("1 attempt, 1 request: about ")
    assert "about $" in judging.note.text()
    qtbot.mouseClick(judging.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.findChild(QMessageBox) is not None)
    box = window.findChild(QMessageBox)
    assert box.text() == "Labelled: 1 attempt."
    assert box.informativeText().startswith("1 × Near-Miss Edge Case\n1 request, ")
    attempts = next(button for button in box.buttons() if button.text() == "Show attempts")
    qtbot.mouseClick(attempts, Qt.MouseButton.LeftButton)
    assert isinstance(window.tabs.currentWidget(), RunsPage)


def control(models, path):
    return models.fields.fields[path].control


def faults(models, path):
    return " ".join(problem.message for problem in models.fields.fields[path].told)


def test_a_model_is_set_up_with_its_key_in_the_keyring_and_not_in_the_file(window, qtbot, own_keyring):
    window.actions_registry["evaluate.models"].trigger()
    dialog = window.findChild(ModelsDialog)
    dialog.add()
    for field, text in (
        (control(dialog, "name"), "mine"),
        (control(dialog, "base_url"), "https://models.example.org/v1"),
        (dialog.key, "sk-secret"),
    ):
        field.setText(text)
    assert dialog.save()
    assert ModelLibrary().find("mine").settings.url == "https://models.example.org/v1"
    assert "sk-secret" not in ModelLibrary().path.read_text()
    assert list(own_keyring.entries.values()) == ["sk-secret"]
    assert find_key(ModelLibrary().find("mine").settings).get_secret_value() == "sk-secret"


def test_a_model_with_a_wrong_address_is_refused_with_the_reason(window, qtbot):
    window.actions_registry["evaluate.models"].trigger()
    dialog = window.findChild(ModelsDialog)
    dialog.add()
    control(dialog, "base_url").setText("models.example.org")
    assert not dialog.save()
    assert "http" in faults(dialog, "base_url")


@pytest.fixture
def models(window, server):
    """The dialog of models with one endpoint, which was probed without hosted tools."""
    set_up_endpoint(server)
    window.actions_registry["evaluate.models"].trigger()
    dialog = window.findChild(ModelsDialog)
    dialog.choose("tiny")
    return dialog


def test_hosted_tools_can_be_probed_and_what_was_known_stays(models, qtbot, server):
    own = ModelLibrary().find("tiny")
    ModelLibrary().learn("tiny", own.capabilities.corrected(Feature.PICTURES, Result.WORKS))
    server.answers.append(lambda body: refuse(404, "no <b>tools</b>"))
    assert "not tried" in models.findings.text()
    qtbot.mouseClick(models.tools_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "was probed" in models.note.text())
    capabilities = ModelLibrary().find("tiny").capabilities
    assert (capabilities.result(Feature.HOSTED_TOOLS), capabilities.result(Feature.PICTURES)) == (
        Result.REFUSED,
        Result.WORKS,
    )
    assert "&lt;b&gt;tools" in models.findings.text()


def test_how_an_endpoint_is_asked_can_be_set(models):
    control(models, "temperature").setText("0,2")
    control(models, "top_p").setText("0.9")
    control(models, "extra_json").setPlainText('{"top_k": 20}')
    control(models, "timeout_s").setValue(60)
    control(models, "silence_s").setValue(30)
    assert models.save()
    settings = ModelLibrary().find("tiny").settings
    assert (settings.temperature, settings.top_p, settings.extra) == (0.2, 0.9, {"top_k": 20})
    assert (settings.timeout_s, settings.silence_s) == (60, 30)


@pytest.mark.parametrize(
    ("field", "text", "reason"),
    [("temperature", "3", "less than or equal to 2"), ("top_p", "0", "greater than 0"), ("top_p", "x", "valid number")],
)
def test_a_setting_that_is_out_of_range_is_refused_at_its_field(models, field, text, reason):
    control(models, field).setText(text)
    assert not models.save()
    assert reason in faults(models, field)


def test_extra_fields_that_are_no_json_are_refused(models):
    control(models, "extra_json").setPlainText("top_k: 20")
    assert not models.save()
    assert "JSON object" in faults(models, "extra_json")


def test_a_model_is_duplicated_with_all_its_settings_under_a_name_of_its_own(models, qtbot):
    control(models, "temperature").setText("0.5")
    assert models.save()
    qtbot.mouseClick(models.duplicate_button, Qt.MouseButton.LeftButton)
    assert models.save()
    known = ModelLibrary().find("tiny 2").settings
    assert known == ModelLibrary().find("tiny").settings.changed(name="tiny 2")


def test_a_model_is_renamed_and_cannot_take_the_name_of_another(models, server):
    set_up_endpoint(server, "other")
    models.load()
    models.choose("tiny")
    control(models, "name").setText("other")
    assert not models.save()
    assert "There already is a model “other”." in models.note.text()
    control(models, "name").setText("small")
    assert models.save()
    assert [known.settings.name for known in ModelLibrary().all() if known.is_own] == ["small", "other"]


def test_figures_are_short():
    assert (tokens(950), tokens(12_345), tokens(3_400_000)) == ("950", "12k", "3.4M")
    assert (money(0.0021), money(12.3)) == ("$0.0021", "$12.30")
    assert (duration(40), duration(700), duration(9_000)) == ("40 s", "12 min", "2.5 h")


def test_unknown_prices_are_said_to_be_unknown():
    estimate = Estimate(items=3, calls=3, input_tokens=1000, output_tokens=2000, cost_usd=None, assumed=3)
    assert "cost unknown" in expectation([estimate])
    assert "assumed" in expectation([estimate])


def choose_agent(dialog, kind):
    dialog.form.agent.setCurrentIndex(dialog.form.agent.findData(kind))


def test_an_agent_has_a_field_for_each_of_its_options(dialog):
    choose_agent(dialog, "hierarchical")
    fields = {path: field.control for path, field in dialog.form.agent_options.options.form.fields.items()}
    kinds = [type(fields[name]).__name__ for name in ("strategy", "rounds", "querier")]
    assert kinds == ["QComboBox", "QSpinBox", "QCheckBox"]
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


def test_options_survive_another_agent_and_the_next_dialog(window, dialog):
    choose_agent(dialog, "hierarchical")
    dialog.form.agent_options.options.form.fields["rounds"].control.setValue(7)
    dialog.form.agent.setCurrentIndex(0)
    choose_agent(dialog, "iterative")
    assert dialog.form.agent_options.options.form.fields["rounds"].control.value() == 7
    dialog.reject()
    window.actions_registry["evaluate.new"].trigger()
    again = [shown for shown in window.findChildren(NewBatchDialog) if shown.isVisible()][-1]
    rounds = again.form.agent_options.options.form.fields["rounds"]
    assert (again.form.agent.currentData(), rounds.control.value()) == ("iterative", 7)


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
