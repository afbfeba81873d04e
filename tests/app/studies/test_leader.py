"""The leader's page: plans with live checks, progress without outcomes, quality, and open outcomes."""

import math
import re
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QCheckBox, QFileDialog, QLineEdit, QPushButton

from spatial_workbench.app.studies.leader.dialogs.collecting import BundleDialog, ConflictsDialog
from spatial_workbench.app.studies.leader.dialogs.deciding import ExcludeDialog, NameDialog, ReasonDialog, UnsealDialog
from spatial_workbench.app.studies.leader.dialogs.deleting import PurgeDialog
from spatial_workbench.app.studies.leader.dialogs.drafts import AmendDialog, DeleteDraftDialog, NewStudyDialog
from spatial_workbench.app.studies.leader.dialogs.freezing import FreezeDialog, RecoveryDialog
from spatial_workbench.app.studies.leader.launching import launch
from spatial_workbench.app.studies.leader.page import CHECKLIST, OUTCOMES, PLAN, PROGRESS, QUALITY
from spatial_workbench.app.studies.leader.plan.block_changes import items_of
from spatial_workbench.app.studies.leader.plan.conditions import preset_of
from spatial_workbench.app.studies.leader.plan.items import ItemsDialog
from spatial_workbench.app.studies.leader.plan.planner import NO_PILOT
from spatial_workbench.app.studies.leader.plan.question_dialog import QuestionDialog
from spatial_workbench.app.studies.leader.progress_view import CELL_WORDS, STATE_WORDS
from spatial_workbench.app.studies.leader.work import drafting, planning, reading
from spatial_workbench.app.studies.leader.work.bundling import BundleOrder
from spatial_workbench.app.studies.leader.work.planning import PlannerInputs
from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.analysis.outcomes import StudyState
from spatial_workbench.engine.studies.files.bundles import read_bundle
from spatial_workbench.engine.studies.planning.drafting import Wish
from spatial_workbench.engine.studies.planning.sample_size import Spread, people_for_difference, slots_for
from spatial_workbench.engine.studies.sessions.schema import SessionState, TrialState
from spatial_workbench.widgets.tables.table_view import TableCard
from tests.store.studying import ITEMS, document, results, session
from tests.studies.sittings import SECRET
from tools.studio.studies import add_example_study, example_study, open_example

STUDY = document(name="Two loops", question="Who closes a loop?", population="Everybody")


@pytest.fixture
def page(window, qtbot):
    """The page with a draft."""
    window.project.tell(lambda project: project.studies.add(STUDY), announce=True)
    opened = shown(window, qtbot)
    opened.plan.form.build()
    return opened


def shown(window, qtbot):
    window.project.flush()
    opened = window.study_pages.show_studies()
    settle(qtbot, opened)
    qtbot.waitUntil(lambda: opened.snapshot is not None)
    return opened


def settle(qtbot, page):
    qtbot.waitUntil(lambda: page.is_idle, timeout=60_000)


def stored(window):
    window.project.flush()
    with Project.open(window.project.path) as project:
        return project.studies.document(STUDY.id)


def typed(qtbot, page, path, text):
    """Types into a field of the form, and waits until that is checked."""
    line = page.plan.form.fields[path].control
    line.selectAll()
    qtbot.keyClick(line, Qt.Key.Key_Backspace)
    qtbot.keyClicks(line, text)
    page.plan.form.flush()
    settle(qtbot, page)


def test_the_page_is_in_the_menu_under_its_key(window):
    action = window.actions_registry["runs.studies"]
    assert (action.text().replace("&", ""), action.shortcut().toString()) == ("Studies", "Ctrl+Shift+H")


def test_without_studies_the_page_says_what_to_do(window, qtbot):
    opened = window.study_pages.show_studies()
    settle(qtbot, opened)
    assert opened.stack.currentIndex() == 1
    button = next(b for b in opened.findChildren(QPushButton) if b.text() == "New study…" and b.isVisible())
    button.click()
    assert isinstance(opened.dialog, NewStudyDialog)


@pytest.mark.slow
def test_a_new_study_is_made_of_a_name_and_items(window, qtbot):
    opened = window.study_pages.show_studies()
    settle(qtbot, opened)
    opened.studies.ask_new()
    dialog = opened.dialog
    assert not dialog.go.isEnabled()
    dialog.name.setText("Ten items")
    dialog.tasks.more.setText("shikaku:0-4, hamiltonian_loop:0-4")
    dialog.go.click()
    settle(qtbot, opened)
    qtbot.waitUntil(lambda: opened.snapshot is not None)
    assert opened.snapshot.row.name == "Ten items"
    assert len(list(opened.snapshot.document.items())) == 10
    assert opened.tabs.currentIndex() == PLAN
    assert opened.plan.verdict.text() == "Nothing is wrong"


@pytest.mark.slow
def test_what_is_typed_is_stored_at_once(window, page, qtbot):
    typed(qtbot, page, "name", "Loops by hand")
    assert stored(window).name == "Loops by hand"
    qtbot.waitUntil(lambda: page.head.heading.text() == "Loops by hand")


def test_what_is_wrong_is_shown_at_its_field_and_the_study_cannot_be_frozen(window, page, qtbot):
    typed(qtbot, page, "limits.min_s", "900")
    problems = page.plan.form.fields["limits.min_s"].problems.problems
    assert [problem.is_error for problem in problems] == [True]
    assert (page.plan.verdict.text(), page.plan.freeze.isEnabled()) == ("1 error", False)
    typed(qtbot, page, "limits.min_s", "0")
    assert (page.plan.verdict.text(), page.plan.freeze.isEnabled()) == ("Nothing is wrong", True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        ("limits.item_s", "soon", "is not a number"),
        ("limits.submissions", "2.5", "is not a whole number"),
        ("limits.submissions", "99", "less than or equal to 20"),
        ("name", "", "at least 1 character"),
        ("retention.withdraw_until", "soon", "date"),
    ],
)
def test_what_cannot_be_read_is_said_at_the_field_and_not_stored(window, page, qtbot, path, text, words):
    typed(qtbot, page, path, text)
    (problem,) = page.plan.form.fields[path].problems.problems
    assert words in problem.message
    assert stored(window) == STUDY


@pytest.mark.slow
def test_the_document_that_another_leader_changed_is_shown(window, page, qtbot):
    with Project.open(window.project.path) as other:
        other.studies.change(STUDY.id, STUDY.model_copy(update={"question": "Who is faster?"}))
    qtbot.waitUntil(lambda: page.plan.form.data["question"] == "Who is faster?", timeout=30_000)


@pytest.mark.slow
def test_what_is_typed_survives_a_page_that_was_read_before_it_was_stored(window, page, qtbot):
    earlier = page.snapshot
    page.reload = lambda: None
    window.project.changed.disconnect()
    typed(qtbot, page, "name", "First")
    typed(qtbot, page, "name", "Second")
    page._show_study(earlier)
    assert page.plan.form.fields["name"].value == "Second"
    assert stored(window).name == "Second"
    window.project.changed.connect(page.reload)


@pytest.mark.parametrize("path", ["limits.item_s", "consent.text"])
def test_focus_and_cursor_stay_while_a_change_is_checked_stored_and_read_again(window, page, qtbot, path):
    control = page.plan.form.fields[path].control
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    control.setFocus()
    qtbot.keyClick(control, Qt.Key.Key_Home)
    qtbot.keyClicks(control, "12")
    page.plan.form.flush()
    settle(qtbot, page)
    window.project.flush()
    settle(qtbot, page)
    assert stored(window) != STUDY
    assert QApplication.focusWidget() is control
    cursor = control.cursorPosition() if isinstance(control, QLineEdit) else control.textCursor().position()
    assert cursor == 2


@pytest.mark.slow
def test_a_change_that_takes_the_one_before_back_is_stored_too(window, page, qtbot):
    page.reload = lambda: None
    window.project.changed.disconnect()
    typed(qtbot, page, "name", "Another name")
    typed(qtbot, page, "name", STUDY.name)
    assert stored(window).name == STUDY.name
    window.project.changed.connect(page.reload)


def test_what_was_typed_last_is_stored_when_the_page_is_closed(window, page, qtbot):
    page.plan.form.fields["name"].control.setFocus()
    qtbot.keyClicks(page.plan.form.fields["name"].control, "!")
    window.pages.close(page)
    assert stored(window).name == STUDY.name + "!"


@pytest.mark.slow
def test_what_was_typed_last_is_stored_when_another_study_is_chosen(window, page, qtbot):
    with Project.open(window.project.path) as project:
        project.studies.add(STUDY.model_copy(update={"id": "0123456789abcdef", "name": "The other one"}))
    qtbot.waitUntil(lambda: len(page.studies.rows) == 2)
    settle(qtbot, page)
    page.choose(STUDY.id)
    settle(qtbot, page)
    qtbot.keyClicks(page.plan.form.fields["name"].control, "!")
    page.choose("0123456789abcdef")
    qtbot.waitUntil(lambda: page.snapshot.row.name == "The other one")
    assert stored(window).name == STUDY.name + "!"
    assert page.plan.form.data["name"] == "The other one"


@pytest.mark.slow
def test_items_are_added_from_the_catalogue_and_removed(window, page, qtbot):
    items = page.plan.form.fields["blocks"]
    items.ask_items()
    dialog = items.findChild(ItemsDialog)
    dialog.tasks.more.setText("shikaku:3")
    dialog.go.click()
    page.plan.form.flush()
    settle(qtbot, page)
    assert [item.address for item in stored(window).items()] == [*ITEMS, "shikaku:3"]
    items.tree.topLevelItem(0).child(2).setSelected(True)
    items.remove()
    page.plan.form.flush()
    settle(qtbot, page)
    assert [item.address for item in stored(window).items()] == list(ITEMS)


@pytest.mark.slow
def test_a_question_is_written_and_changed(window, page, qtbot):
    items = page.plan.form.fields["blocks"]
    items.question.click()
    dialog = items.findChild(QuestionDialog)
    qtbot.keyClicks(dialog.words.text, "Choose rarely.")
    dialog.options.text.setPlainText("often\nrarely")
    dialog.phase.setCurrentText("attention")
    dialog.expected.setCurrentText("rarely")
    dialog.go.click()
    page.plan.form.flush()
    settle(qtbot, page)
    added = list(stored(window).items())[-1]
    assert (added.kind, added.shows, added.options) == ("question", "Choose rarely.", ("often", "rarely"))
    assert (added.phase, added.expects) == ("attention", {"value": "rarely"})
    items.change_question(items.tree.topLevelItem(0).child(2))
    again = items.findChildren(QuestionDialog)[-1]
    again.expected.setCurrentText("often")
    again.go.click()
    page.plan.form.flush()
    settle(qtbot, page)
    changed = list(stored(window).items())[-1]
    assert (changed.id, changed.expects, changed.shows) == (added.id, {"value": "often"}, added.shows)


@pytest.mark.slow
def test_an_instance_that_checks_comprehension_expects_a_score(window, page, qtbot):
    items = page.plan.form.fields["blocks"]
    items.tree.topLevelItem(0).child(0).setSelected(True)
    items.choices.phase.setCurrentText("comprehension")
    items.choices.phase.activated.emit(items.choices.phase.currentIndex())
    items.choices.score.setText("0.5")
    items.choices.score.editingFinished.emit()
    page.plan.form.flush()
    settle(qtbot, page)
    first = next(iter(stored(window).items()))
    assert (first.phase, first.expects) == ("comprehension", {"score": 0.5})


@pytest.mark.slow
def test_an_attention_item_expects_a_full_score(window, page, qtbot):
    page.plan.form.fields["blocks"].attention.click()
    page.plan.form.flush()
    settle(qtbot, page)
    added = list(stored(window).items())[-1]
    assert (added.phase, added.expects) == ("attention", {"score": 1})


@pytest.mark.slow
def test_an_attention_item_is_like_no_other_item_of_the_plan(page, qtbot):
    blocks = page.plan.form.fields["blocks"]
    for _ in range(3):
        blocks.attention.click()
    added = [item for item in items_of(blocks.value) if item["phase"] == "attention"]
    assert len({item["address"] for item in added}) == 3
    for item in added:
        task, instance = resolve(item["address"])
        assert instance.address == item["address"]
        assert task.verify(instance, task.solve(instance)).score == 1


@pytest.mark.slow
def test_an_item_whose_prompt_is_too_wide_for_a_small_screen_is_refused(window, page, qtbot, tmp_path):
    items = page.plan.form.fields["blocks"]
    items.add_items(["terrain_levelling:8"])
    page.plan.form.flush()
    settle(qtbot, page)
    (problem,) = [problem for problem in items.problems.problems if problem.is_error]
    assert problem.place == "items.terrain_levelling_8"
    assert "scrolled sideways in a window of 1280 × 800" in problem.message
    assert not page.plan.freeze.isEnabled()
    page.collecting.write_bundle(BundleOrder(tmp_path / "lab.study"))
    qtbot.waitUntil(lambda: "scrolled sideways" in page.head.note.text())
    assert not (tmp_path / "lab.study").exists()
    page.collecting.write_bundle(BundleOrder(tmp_path / "pilot.study", is_pilot=True))
    qtbot.waitUntil((tmp_path / "pilot.study").exists)


@pytest.mark.slow
def test_chosen_items_get_a_phase_a_limit_and_a_block_of_their_own(window, page, qtbot):
    items = page.plan.form.fields["blocks"]
    items.tree.topLevelItem(0).child(1).setSelected(True)
    items.choices.limit.setText("90")
    items.choices.limit.editingFinished.emit()
    items.choices.phase.setCurrentText("practice")
    items.choices.phase.activated.emit(0)
    items.own_block.click()
    page.plan.form.flush()
    settle(qtbot, page)
    last = stored(window).blocks[-1]
    assert [(item.id, item.phase, item.limit_s) for item in last.items] == [("m1", "practice", 90)]


@pytest.mark.slow
def test_a_condition_is_added_from_a_preset(window, page, qtbot):
    conditions = page.plan.form.fields["conditions"]
    conditions.add()
    conditions._take_preset("condition1", "model")
    page.plan.form.flush()
    settle(qtbot, page)
    made = stored(window).conditions
    assert set(made) == {"only", "condition1"}
    assert preset_of(page.plan.form.data["conditions"]["condition1"]) == "model"
    assert page.plan.form.fields["assignment"].isVisibleTo(page.plan.form)
    boxes = {box.accessibleName(): box for box in conditions.findChildren(QCheckBox) if box.isVisibleTo(conditions)}
    boxes["Format check in condition1"].click()
    page.plan.form.flush()
    settle(qtbot, page)
    assert not stored(window).conditions["condition1"].format_check
    assert "Format check in only" not in boxes


@pytest.mark.slow
def test_questions_of_the_library_and_rules_are_ticked(window, page, qtbot):
    page.plan.form.fields["covariates"].boxes["age"].click()
    box = page.plan.form.fields["rules"].boxes["gap"]
    box.setCurrentText("off")
    box.activated.emit(0)
    page.plan.form.flush()
    settle(qtbot, page)
    study = stored(window)
    assert [covariate.key for covariate in study.covariates] == ["age"]
    assert {rule.rule: rule.response for rule in study.rules}["gap"] == "off"


@pytest.mark.slow
def test_the_document_can_be_edited_as_json(window, page, qtbot):
    page.plan.as_json.setChecked(True)
    page.plan.form.json.text.setPlainText(page.plan.form.json.text.toPlainText().replace("Two loops", "Two more loops"))
    page.plan.form.flush()
    settle(qtbot, page)
    assert stored(window).name == "Two more loops"
    page.plan.form.json.text.setPlainText("{")
    assert "not JSON yet" in page.plan.form.json.words.text()


@pytest.mark.slow
def test_a_passphrase_is_stored_as_its_hash_only(window, page, qtbot):
    page.plan.form.passphrase.line.setText("open sesame 7")
    page.plan.form.passphrase.button.click()
    settle(qtbot, page)
    page.plan.form.flush()
    settle(qtbot, page)
    assert stored(window).leave != STUDY.leave
    assert b"sesame" not in window.project.path.read_bytes()


@pytest.mark.slow
def test_the_planner_sets_the_slots_and_keeps_its_inputs(window, page, qtbot):
    qtbot.waitUntil(lambda: "people" in page.plan.form.planner.words.text())
    page.plan.form.planner.use.click()
    page.plan.form.flush()
    settle(qtbot, page)
    assert "trials are worth" in page.plan.form.planner.worth.text()
    assert f": {stored(window).plan.slots} places" in page.plan.form.planner.words.text()
    plan = stored(window).plan
    assert plan.planner["aim"] == "half_width"
    assert plan.slots == planning.people_needed(PlannerInputs(**plan.planner)).slots


def test_the_planner_assumes_the_deviation_of_items_that_are_passed_or_failed(page, qtbot):
    planner = page.plan.form.planner
    assert math.hypot(planner.people.value(), planner.rest.value()) == pytest.approx(0.45, abs=0.005)
    planner.kind.setCurrentText("graded")
    assert (planner.people.value(), planner.rest.value()) == (0.18, 0.20)
    assert planner.source.text() == "The deviations are assumed, for items that are graded."


@pytest.mark.slow
def test_conditions_between_people_are_planned_for_one_by_one(page, qtbot):
    planner = page.plan.form.planner
    planner.show_study(8, 4, 2)
    planner.people.setValue(0.18)
    planner.rest.setValue(0.20)
    planner.aim.setCurrentIndex(2)
    planner.target.setValue(0.15)
    qtbot.waitUntil(lambda: "places" in planner.words.text())
    one = planning.people_needed(planner.inputs)
    # As many as the noncentral t distribution says for each of two groups.
    assert one.people == people_for_difference(Spread(0.18, 0.20, 8), 0.15, groups=2)
    assert one.slots == slots_for(2 * one.people, 0.1, 8)
    qtbot.waitUntil(lambda: f": {one.slots} places" in planner.words.text())
    assert f"{one.people} people in each of 2 conditions, with 10 % dropout" in planner.words.text()


@pytest.mark.slow
def test_a_plan_without_a_pilot_says_what_it_takes(window, page, qtbot):
    page.plan.form.planner.pilot.click()
    settle(qtbot, page)
    assert page.plan.form.planner.source.text() == NO_PILOT


@pytest.mark.slow
def test_a_change_of_the_plan_is_undone_by_the_windows_undo(window, page, qtbot):
    typed(qtbot, page, "name", "Loops by hand")
    window.undo_group.undo_action.trigger()
    page.plan.form.flush()
    settle(qtbot, page)
    assert stored(window) == STUDY
    assert page.plan.form.fields["name"].value == STUDY.name


@pytest.mark.slow
def test_a_draft_is_deleted_and_brought_back(window, page, qtbot):
    page.studies.delete.click()
    assert isinstance(page.dialog, DeleteDraftDialog)
    page.dialog.go.click()
    settle(qtbot, page)
    qtbot.waitUntil(lambda: page.studies.rows == () and page.stack.currentIndex() == 1)
    page.studies.restore()
    settle(qtbot, page)
    qtbot.waitUntil(lambda: [row.id for row in page.studies.rows] == [STUDY.id])
    assert stored(window) == STUDY
    assert not page.studies.bring_back.isVisibleTo(page)


def freeze(page, qtbot):
    """Freezes the study, whose outcomes `SECRET` will open."""
    page.plan.freeze.click()
    qtbot.waitUntil(lambda: isinstance(page.dialog, FreezeDialog))
    page.dialog.passphrase.setText(SECRET)
    page.dialog.is_kept.setChecked(True)
    page.dialog.go.click()
    qtbot.waitUntil(lambda: isinstance(page.dialog, RecoveryDialog))
    page.dialog.reject()
    settle(qtbot, page)
    assert page.snapshot.row.state is StudyState.FROZEN


@pytest.mark.slow
def test_freezing_asks_says_what_is_empty_and_wants_the_passphrase_kept(window, page, qtbot):
    typed(qtbot, page, "population", "")
    page.plan.freeze.click()
    qtbot.waitUntil(lambda: isinstance(page.dialog, FreezeDialog))
    dialog = page.dialog
    assert "the population, who approved the study" in dialog.note.text()
    assert not dialog.go.isEnabled()
    dialog.is_kept.setChecked(True)
    assert dialog.go.isEnabled()
    dialog.passphrase.setText("short")
    assert (dialog.go.isEnabled(), "at least 8" in dialog.trouble.text()) == (False, True)
    dialog.reject()
    assert page.snapshot.row.state is StudyState.DRAFT


@pytest.mark.slow
def test_freezing_asks_about_the_study_as_it_is_stored_even_if_the_page_was_not_read_again(window, page, qtbot):
    changed = page.snapshot.document.model_copy(update={"population": ""})
    window.project.tell(lambda project: project.studies.change(STUDY.id, changed))
    page.plan.freezing.ask(page.plan.freezing.freeze)
    qtbot.waitUntil(lambda: isinstance(page.dialog, FreezeDialog))
    assert "the population" in page.dialog.note.text()


@pytest.mark.slow
def test_the_recovery_sheet_holds_the_key_that_opens_the_outcomes(window, page, qtbot, tmp_path):
    page.plan.freezing.freeze(SECRET)
    qtbot.waitUntil(lambda: isinstance(page.dialog, RecoveryDialog))
    page.dialog.copy.click()
    copied = QGuiApplication.clipboard().text()
    page.dialog.ordered.emit(tmp_path / "sheet.txt")
    qtbot.waitUntil((tmp_path / "sheet.txt").exists)
    settle(qtbot, page)
    lines = [line.strip() for line in (tmp_path / "sheet.txt").read_text().splitlines()]
    with Project.open(window.project.path) as project:
        first, second = (line for line in lines if line.count("-") >= 6)
        assert f"{first}-{second}" == copied == project.study_keys.recovery(STUDY.id, SECRET)


@pytest.mark.slow
def test_only_a_draft_can_be_deleted(window, page, qtbot):
    freeze(page, qtbot)
    assert not page.studies.delete.isEnabled()


@pytest.mark.slow
def test_freezing_fixes_the_form(window, page, qtbot):
    freeze(page, qtbot)
    assert not page.plan.freeze.isVisible()
    assert page.plan.form.fields["name"].line.isReadOnly()
    assert not page.plan.form.fields["blocks"].add.isEnabled()


@pytest.mark.slow
def test_what_was_typed_last_is_frozen(window, page, qtbot):
    page.plan.form.fields["name"].line.selectAll()
    qtbot.keyClicks(page.plan.form.fields["name"].line, "Typed last")
    freeze(page, qtbot)
    assert stored(window).name == "Typed last"


@pytest.mark.slow
def test_an_amendment_asks_for_a_reason_and_says_what_cannot_be_pooled(window, page, qtbot):
    freeze(page, qtbot)
    qtbot.waitUntil(page.plan.amend.isVisible)
    page.plan.amend.click()
    typed(qtbot, page, "limits.item_s", "900")
    assert stored(window) == STUDY
    page.plan.amend.click()
    settle(qtbot, page)
    dialog = page.dialog
    assert isinstance(dialog, AmendDialog)
    assert "limits" in dialog.note.text()
    assert not dialog.comparable.isEnabled()
    dialog.reason.setText("Ten minutes were too short")
    dialog.go.click()
    settle(qtbot, page)
    qtbot.waitUntil(lambda: page.snapshot.row.version == 2)
    assert stored(window).limits.item_s == 900


@pytest.mark.slow
def test_a_bundle_is_written_and_the_page_says_that_it_freezes(window, page, qtbot, tmp_path):
    page.go_to(PROGRESS)
    page.progress.bundle.click()
    dialog = page.dialog
    assert isinstance(dialog, BundleDialog)
    assert "freezes" in dialog.note.text()
    dialog.codes.setText("P001-P002")
    dialog.order_to(tmp_path / "lab.study")
    qtbot.waitUntil(lambda: isinstance(page.dialog, FreezeDialog))
    page.dialog.is_kept.setChecked(True)
    page.dialog.go.click()
    qtbot.waitUntil(lambda: page.progress.model.rowCount() == 6, timeout=30_000)
    assert [slot.code for slot in read_bundle(tmp_path / "lab.study").slots] == ["P001H", "P002Q"]
    assert page.snapshot.row.state is StudyState.FROZEN
    qtbot.waitUntil(lambda: isinstance(page.dialog, RecoveryDialog))


@pytest.mark.slow
def test_a_bundle_that_cannot_be_written_is_told(window, page, qtbot, tmp_path):
    page.collecting.write_bundle(BundleOrder(tmp_path / "lab.study", "P900", passphrase=SECRET))
    qtbot.waitUntil(lambda: "no place P900" in page.head.note.text(), timeout=30_000)


@pytest.fixture
def collected_page(window, qtbot, tmp_path):
    """The page of a study with three sessions."""
    with Project.open(window.project.path) as project:
        project.studies.add(STUDY)
        bundle, _ = project.places.add_bundle(STUDY.id, passphrase=SECRET)
        (tmp_path / "results").mkdir()
        files = [results(tmp_path / "results", bundle, session(bundle, code)) for code in ("P001H", "P002Q", "P003X")]
    opened = shown(window, qtbot)
    opened.bundle_of_test = bundle
    opened.collecting.merge(files)
    settle(qtbot, opened)
    qtbot.waitUntil(lambda: opened.snapshot.row.sessions == 3)
    opened.dialog.close()
    return opened


@pytest.mark.slow
def test_merging_shows_what_became_of_each_file(collected_page, qtbot, tmp_path):
    (tmp_path / "x.studyresult").write_bytes(b"")
    collected_page.take_dropped([tmp_path / "results", tmp_path / "x.studyresult"])
    settle(qtbot, collected_page)
    text = collected_page.dialog.lines.toPlainText()
    assert (text.count("already there"), text.count("refused")) == (3, 1)


@pytest.mark.slow
def test_the_matrix_shows_places_items_and_times(collected_page, qtbot):
    model = collected_page.progress.model
    assert (model.rowCount(), model.columnCount()) == (6, 6)
    row = [model.data(model.index(0, column)) for column in range(6)]
    assert row == ["finished", "–", "2:00", row[3], "handed in", "handed in"]
    assert model.headerData(0, Qt.Orientation.Vertical) == "P001H"
    assert "3 finished · 1 not started · 2 in reserve" in collected_page.progress.facts.text()
    assert "no results yet: P004F" in collected_page.progress.more.text()


def test_every_state_has_a_word_and_none_of_them_speaks_of_success():
    assert set(CELL_WORDS) == {state.value for state in TrialState}
    known = {state.value for state in SessionState} - {SessionState.INELIGIBLE, SessionState.WITHDRAWN}
    assert known < set(STATE_WORDS)
    words = " ".join(word for word, _ in (*CELL_WORDS.values(), *STATE_WORDS.values()))
    assert not {"solved", "passed", "right", "wrong", "score"} & set(words.split())


def test_while_sealed_no_answer_and_no_score_reaches_the_page(collected_page):
    held = repr(collected_page.snapshot)
    assert "score=" not in held.replace("score_of=", "").replace("told_score", "")
    assert "cells" in held
    assert session(collected_page.bundle_of_test, "P001H").trials[0].submissions[0].answer[:40] not in held


def test_another_leaders_window_is_followed(window, collected_page, qtbot, tmp_path):
    file = results(tmp_path / "results", collected_page.bundle_of_test, session(collected_page.bundle_of_test, "P004F"))
    with Project.open(window.project.path) as other:
        other.merging.merge([file])
    qtbot.waitUntil(lambda: collected_page.snapshot.row.sessions == 4, timeout=30_000)


def test_a_session_of_this_machine_is_followed(window, collected_page, qtbot):
    from spatial_workbench.engine.studies.sessions.session_file import Changes, SessionFile, folder_of

    bundle = collected_page.bundle_of_test
    record = session(bundle, "P004F", state=SessionState.RUNNING)
    file = SessionFile.create(folder_of(bundle.hash) / "P004F.session", record.model_copy(update={"trials": ()}))
    file.commit(Changes(trials={trial.position: trial for trial in record.trials}))
    collected_page.go_to(PROGRESS)
    model = collected_page.progress.model
    qtbot.waitUntil(lambda: model.data(model.index(3, 0)) == "working", timeout=30_000)
    file.erase("now", leaves_tombstone=False)


@pytest.mark.slow
def test_a_place_is_replaced_noted_and_withdrawn(collected_page, qtbot):
    table = collected_page.progress.table
    collected_page.go_to(PROGRESS)
    table.selectRow(0)
    collected_page.progress.replace.click()
    fill(collected_page.dialog, "Dropped out")
    settle(qtbot, collected_page)
    qtbot.waitUntil(lambda: "P005N" in collected_page.progress.model.data(collected_page.progress.model.index(0, 0)))
    collected_page.progress.note.click()
    fill(collected_page.dialog, "The lamp was broken")
    settle(qtbot, collected_page)
    assert "The lamp was broken" in [note.text for note in collected_page.snapshot.log]
    collected_page.progress.withdraw.click()
    fill(collected_page.dialog, "P002Q")
    assert collected_page.snapshot.row.sessions == 3
    collected_page.progress.withdraw.click()
    fill(collected_page.dialog, "P001H")
    settle(qtbot, collected_page)
    qtbot.waitUntil(lambda: collected_page.snapshot.row.sessions == 2)
    assert "Still holds the data" in collected_page.dialog.lines.toPlainText()
    assert "journal" not in collected_page.dialog.lines.toPlainText()


@pytest.mark.slow
def test_a_place_that_is_lost_asks_for_a_reserve(window, collected_page, qtbot):
    view = collected_page.progress
    collected_page.go_to(PROGRESS)
    assert (view.replace.text(), view.replace.isEnabled(), view.lost) == ("Replace…", False, [])
    with Project.open(window.project.path) as other:
        other.exclusions.exclude(STUDY.id, "p001h-1", "Left in the middle of it")
    qtbot.waitUntil(lambda: view.lost == ["P001H"])
    assert (view.replace.text(), view.replace.isEnabled()) == ("Replace P001H…", True)
    assert "to be replaced: P001H" in view.more.text()
    view.replace.click()
    fill(collected_page.dialog, "Left half way")
    qtbot.waitUntil(lambda: view.lost == [])
    assert view.replace.text() == "Replace…"


@pytest.mark.slow
def test_data_are_deleted_once_the_name_was_typed(window, collected_page, qtbot):
    collected_page.go_to(OUTCOMES)
    collected_page.outcomes.purge.click()
    dialog = collected_page.dialog
    assert isinstance(dialog, PurgeDialog)
    assert dialog.go.isEnabled()
    dialog.data.click()
    assert ("may be kept until" in dialog.trouble.text(), dialog.go.isEnabled()) == (True, False)
    qtbot.keyClicks(dialog.name, STUDY.name)
    dialog.go.click()
    qtbot.waitUntil(lambda: collected_page.snapshot.row.sessions == 0)


def fill(dialog, text):
    assert isinstance(dialog, ReasonDialog)
    dialog.text.setPlainText(text)
    dialog.go.click()


@pytest.mark.slow
def test_a_conflict_is_settled(collected_page, qtbot, tmp_path):
    bundle = collected_page.bundle_of_test
    other = results(tmp_path / "results", bundle, session(bundle, "P001H"), 3, mark="other")
    collected_page.collecting.merge([other])
    settle(qtbot, collected_page)
    qtbot.waitUntil(lambda: collected_page.progress.settle.text() == "1 conflict…")
    collected_page.progress.settle.click()
    dialog = collected_page.dialog
    assert isinstance(dialog, ConflictsDialog)
    conflict = collected_page.snapshot.conflicts[0]
    dialog.choose(conflict.session, 2)
    dialog.reason.setText("The other machine had another clock")
    dialog.go.click()
    settle(qtbot, collected_page)
    qtbot.waitUntil(lambda: collected_page.progress.settle.text() == "Conflicts…")


@pytest.mark.slow
def test_exclusions_are_fixed_and_outcomes_opened(window, collected_page, qtbot):
    collected_page.go_to(QUALITY)
    collected_page.quality.exclude.click()
    dialog = collected_page.dialog
    assert isinstance(dialog, ExcludeDialog)
    dialog.reason.setText("Was interrupted by a fire alarm")
    dialog.go.click()
    settle(qtbot, collected_page)
    qtbot.waitUntil(lambda: "by hand" in rules(collected_page))
    collected_page.quality.close_button.click()
    closing = collected_page.dialog
    assert isinstance(closing, NameDialog)
    assert not closing.go.isEnabled()
    qtbot.keyClicks(closing.name, STUDY.name)
    closing.go.click()
    settle(qtbot, collected_page)
    qtbot.waitUntil(lambda: collected_page.snapshot.row.state is StudyState.CLOSED)
    assert "The list is fixed" in collected_page.quality.words.text()
    collected_page.go_to(OUTCOMES)
    assert collected_page.outcomes.unseal.isEnabled()
    collected_page.outcomes.unseal.click()
    assert isinstance(collected_page.dialog, UnsealDialog)
    assert "P004F" in collected_page.dialog.trouble.text()
    assert not collected_page.dialog.go.isEnabled()
    qtbot.keyClicks(collected_page.dialog.secret, SECRET)
    collected_page.dialog.go.click()
    qtbot.waitUntil(lambda: collected_page.snapshot.is_open and collected_page.is_idle, timeout=60_000)
    qtbot.waitUntil(lambda: "6 submissions judged" in collected_page.outcomes.words.text(), timeout=30_000)
    collected_page.go_to(QUALITY)
    assert collected_page.quality.exclude.text() == "Post-hoc entry…"


def rules(page):
    model = page.quality.model
    return [model.data(model.index(row, 2)) for row in range(model.rowCount())]


def test_looking_early_says_what_the_report_will_say(collected_page):
    collected_page.go_to(OUTCOMES)
    assert not collected_page.outcomes.unseal.isEnabled()
    collected_page.outcomes.early.click()
    assert "first paragraph" in collected_page.dialog.trouble.text()


def test_the_report_is_read_in_the_window_and_holds_no_figures_of_sealed_outcomes(collected_page, qtbot):
    report = collected_page.outcomes.sections
    collected_page.go_to(OUTCOMES)
    qtbot.waitUntil(lambda: bool(report.sections))
    assert {"summary", "method", "checklist"} <= {section.id for section in report.sections}
    assert not {"scores", "times", "comparison"} & {section.id for section in report.sections}


@pytest.mark.slow
def test_open_outcomes_are_read_section_by_section_in_the_window(window, qtbot):
    study = example_study(slots=4, reserve=0, addresses=ITEMS)
    with Project.open(window.project.path) as project:
        add_example_study(project, study, people=3)
        open_example(project, study.id)
    report = shown(window, qtbot).outcomes.sections
    qtbot.waitUntil(lambda: bool(report.sections))
    report.show_section("scores")
    assert report.chosen_section == "scores"
    assert len(report.findChildren(TableCard)) == 1


@pytest.mark.slow
def test_the_report_and_the_data_are_written(window, qtbot, tmp_path, monkeypatch):
    study = example_study(slots=4, reserve=0, addresses=ITEMS)
    with Project.open(window.project.path) as project:
        add_example_study(project, study, people=3)
        open_example(project, study.id)
    opened = shown(window, qtbot)
    assert opened.tabs.currentIndex() == OUTCOMES
    window.study_pages.write_report(study.id, False, tmp_path / "report.html")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "short.html"), ""))
    opened.outcomes.short.click()
    window.study_pages.export(study.id, "csv", tmp_path / "csv")
    written = ("report.html", "short.html", "csv")
    qtbot.waitUntil(lambda: all((tmp_path / name).exists() for name in written), timeout=60_000)
    assert "This is the short form" in (tmp_path / "short.html").read_text("utf-8")


def test_trying_a_plan_leaves_nothing_in_the_project(window, page, qtbot, monkeypatch):
    launched = []
    monkeypatch.setattr(
        "spatial_workbench.app.studies.leader.launching.launch", lambda *words: launched.append(words) or ""
    )
    page.plan.try_button.click()
    qtbot.waitUntil(lambda: bool(launched), timeout=60_000)
    assert launched[0][:2] == ("study", "run")
    assert "--try" in launched[0]
    assert read_bundle(Path(launched[0][2])).phase == "pilot"
    with Project.open(window.project.path) as project:
        assert (project.places.bundles(STUDY.id), project.studies.state(STUDY.id)) == ([], StudyState.DRAFT)


def test_the_participants_window_is_a_process_of_its_own(qtbot, monkeypatch, tmp_path):
    script = f"import sys; open({str(tmp_path / 'started')!r}, 'w').write(' '.join(sys.argv[1:]))"
    monkeypatch.setattr(
        "spatial_workbench.app.studies.leader.launching.python_command",
        lambda *words: [sys.executable, "-c", script, *words],
    )
    assert launch("study", "run", "a.study") == "The participant's window opens."
    qtbot.waitUntil((tmp_path / "started").exists)
    qtbot.waitUntil(lambda: (tmp_path / "started").read_text().endswith("study run a.study"))


def test_a_double_click_on_a_flag_goes_to_its_place(collected_page):
    collected_page.go_to(QUALITY)
    collected_page.quality.row_chosen.emit("P002Q")
    assert (collected_page.tabs.currentIndex(), collected_page.progress.code) == (PROGRESS, "P002Q")


@pytest.mark.slow
def test_a_document_that_is_dropped_becomes_a_draft(window, page, qtbot, tmp_path):
    other = example_study(addresses=ITEMS)
    from spatial_workbench.engine.studies.planning.document import write_study

    (tmp_path / "plan.json").write_bytes(write_study(other))
    page.take_dropped([tmp_path / "plan.json"])
    settle(qtbot, page)
    qtbot.waitUntil(lambda: page.study == other.id and page.snapshot.row.id == other.id)


@pytest.mark.slow
def test_the_other_study_is_chosen_by_a_click(window, page, qtbot):
    other = example_study(addresses=ITEMS)
    window.project.tell(lambda project: project.studies.add(other), announce=True)
    qtbot.waitUntil(lambda: page.studies.list.count() == 2)
    row = next(row for row in range(2) if page.studies.list.item(row).data(Qt.ItemDataRole.UserRole) == other.id)
    page.studies.list.setCurrentRow(row)
    qtbot.waitUntil(lambda: page.snapshot.row.id == other.id)
    assert page.plan.form.data["name"] == other.name


def test_a_wish_becomes_a_draft_with_nothing_wrong(tmp_path):
    with Project.create(tmp_path / "p.workbench"):
        pass
    study = drafting.new_study(tmp_path / "p.workbench", Wish("Loops", ITEMS, "open sesame 7"))
    checked = planning.check(reading.snapshot(tmp_path / "p.workbench", study).document.data)
    assert checked.errors == 0


@pytest.mark.slow
def test_a_point_of_the_checklist_is_answered_and_taken_back(window, page, qtbot):
    page.go_to(CHECKLIST)
    view = page.checklist
    qtbot.waitUntil(lambda: view.model.rowCount() == 71)
    row = [answer.point.number for answer in view.model.rows].index("1.9")
    assert view.model.data(view.model.index(row, 2)) == "not reported"
    view.table.selectRow(row)
    view.answer.setCurrentText("Yes")
    view.set_button.click()
    settle(qtbot, page)
    assert view.model.data(view.model.index(row, 2)) == "Yes"
    view.take_back.click()
    settle(qtbot, page)
    assert view.model.data(view.model.index(row, 2)) == "not reported"


@pytest.mark.slow
def test_points_that_the_software_reports_are_confirmed_together(window, page, qtbot):
    page.go_to(CHECKLIST)
    view = page.checklist
    qtbot.waitUntil(lambda: view.model.rowCount() == 71)
    assert view.words.text().startswith("0 of 71 answered · ")
    view.table.selectAll()
    assert re.fullmatch(r"Confirm \d+ points", view.confirm.text())
    view.confirm.click()
    qtbot.waitUntil(lambda: "to be confirmed" not in view.words.text())
    assert not view.confirm.isEnabled()


@pytest.mark.slow
def test_the_registration_is_remembered_and_changes_no_hash(window, page, qtbot):
    page.plan.register.click()
    page.dialog.link.setText("https://osf.example/x")
    page.dialog.day.setText("soon")
    assert not page.dialog.go.isEnabled()
    page.dialog.day.setText("2026-11-20")
    page.dialog.go.click()
    settle(qtbot, page)
    with Project.open(window.project.path) as project:
        assert (project.studies.registration(STUDY.id).at, project.studies.row(STUDY.id).hash) == (
            "2026-11-20",
            STUDY.hash,
        )
