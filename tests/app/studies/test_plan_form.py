"""The plan as a form: lists of the document are edited record by record, and each problem stands at its place."""

import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, QObject, Qt
from PySide6.QtGui import QUndoCommand
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QPushButton, QWidget

from spatial_workbench.app.studies.leader.plan.form import PlanForm
from spatial_workbench.app.studies.leader.plan.languages import without_languages
from spatial_workbench.app.studies.leader.plan.sections import SECTIONS
from spatial_workbench.app.studies.leader.work.planning import KnownRun, check
from spatial_workbench.engine.studies.analysis.rules import rules_of
from spatial_workbench.engine.studies.planning.document import study_of, texts_by_value
from spatial_workbench.widgets.qt import child_items
from tests.store.studying import document

STUDY = document(name="Two loops", question="Who closes a loop?", population="Everybody")
KEY = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def form(qtbot):
    """The form with a draft, checked whenever it changes."""
    shown = PlanForm()
    qtbot.addWidget(shown)
    shown.resize(1000, 800)
    shown.changed.connect(lambda data: shown.show_problems(check(data)))
    shown.build()
    shown.show_plan(STUDY.data, is_fixed=False)
    shown.show()
    return shown


def study(form):
    form.flush()
    return study_of(form.data)


def messages(field):
    return [problem.message for problem in field.problems.problems]


def write(qtbot, text_field, words):
    """Types words, line by line, in place of those that are there."""
    retype(qtbot, text_field.control, *words.splitlines())


def retype(qtbot, control, first, *rest):
    qtbot.keyClick(control, KEY.Key_A, CONTROL)
    qtbot.keyClicks(control, first)
    for line in rest:
        qtbot.keyClick(control, KEY.Key_Return)
        qtbot.keyClicks(control, line)


def choose(field, value):
    """Chooses a value of a list."""
    field.box.setCurrentIndex(field.box.findData(value))
    field.box.activated.emit(field.box.currentIndex())


def test_a_question_of_ones_own_is_asked(form, qtbot):
    field = form.fields["covariates"]
    field.entries.add_button.click()
    write(qtbot, field.parts["ask"], "Do you wear glasses?")
    write(qtbot, field.parts["key"], "glasses")
    write(qtbot, field.parts["options"], "never\nsometimes\nalways")
    choose(field.parts["when"], "after")
    field.parts["identifying"].box.click()
    (asked,) = study(form).covariates
    assert (asked.key, asked.ask, asked.options) == (
        "glasses",
        "Do you wear glasses?",
        ("never", "sometimes", "always"),
    )
    assert (asked.type, asked.when, asked.required, asked.identifying) == ("choice", "after", True, True)
    assert field.entries.list.item(0).text() == "glasses"


def test_only_numbers_have_a_range_and_only_choices_have_options(form, qtbot):
    field = form.fields["covariates"]
    field.entries.add_button.click()
    assert (field.parts["options"].isVisibleTo(form), field.parts["range"].isVisibleTo(form)) == (True, False)
    choose(field.parts["type"], "integer")
    assert (field.parts["options"].isVisibleTo(form), field.parts["range"].isVisibleTo(form)) == (False, True)
    qtbot.keyClicks(field.parts["range"].low, "18")
    form.flush()
    assert "two whole numbers" in messages(field.parts["range"])[0]
    qtbot.keyClicks(field.parts["range"].high, "99")
    write(qtbot, field.parts["ask"], "How old are you?")
    assert study(form).covariates[0].range == (18, 99)


def test_a_key_that_cannot_be_is_told_at_its_field_and_not_stored(form, qtbot):
    field = form.fields["covariates"]
    field.boxes["age"].click()
    write(qtbot, field.parts["key"], "my age")
    assert "begins with a letter" in messages(field.parts["key"])[0]
    assert study(form).covariates[0].key == "age"
    assert not field.entries.list.item(0).icon().isNull()


def test_questions_are_asked_in_the_order_of_the_list(form):
    field = form.fields["covariates"]
    for key in ("age", "team", "puzzles"):
        field.boxes[key].click()
    field.entries.up.click()
    assert [question.key for question in study(form).covariates] == ["age", "puzzles", "team"]
    field.entries.remove_button.click()
    assert [question.key for question in study(form).covariates] == ["age", "team"]
    assert not field.boxes["puzzles"].isChecked()


def test_a_problem_of_a_question_stands_at_its_field_and_marks_the_list(form, qtbot):
    field = form.fields["covariates"]
    field.boxes["age"].click()
    field.entries.add_button.click()
    form.flush()
    assert messages(field.parts["ask"]) == ["There is no question"]
    assert [field.entries.list.item(row).icon().isNull() for row in range(2)] == [True, False]
    field.entries.list.setCurrentRow(0)
    assert messages(field.parts["ask"]) == []
    people = [section.title for section in SECTIONS].index("People")
    assert not form.pages.list.item(people).icon().isNull()


def test_who_may_take_part_is_chosen_among_the_answers(form, qtbot):
    form.fields["covariates"].boxes["team"].click()
    form.fields["covariates"].boxes["age"].click()
    rules = form.fields["eligibility"]
    rules.entries.add_button.click()
    rules.answer.box.setCurrentText("no")
    rules.answer.box.activated.emit(0)
    write(qtbot, rules.parts["reason"], "Members of the team cannot take part.")
    rules.entries.add_button.click()
    choose(rules.parts["covariate"], "age")
    choose(rules.parts["op"], "in")
    rules.answer.boxes[1].click()
    first, second = study(form).eligibility
    assert (first.covariate, first.op, first.value) == ("team", "=", "no")
    assert first.reason == "Members of the team cannot take part."
    assert (second.covariate, second.op, second.value) == ("age", "in", ["18-24", "25-34"])


def test_who_may_take_part_is_a_part_of_the_plan_of_its_own():
    (section,) = [section for section in SECTIONS if section.title == "Eligibility"]
    assert [field.path for field in section.make()] == ["eligibility"]


def test_a_bound_is_a_number(form, qtbot):
    form.fields["covariates"].boxes["language"].click()
    rules = form.fields["eligibility"]
    rules.entries.add_button.click()
    choose(rules.parts["op"], ">=")
    retype(qtbot, rules.answer.line, "much")
    assert "not a whole number" in messages(rules.answer)[0]
    retype(qtbot, rules.answer.line, "3")
    assert study(form).eligibility[0].value == 3


def test_a_box_under_the_consent_is_added(form, qtbot):
    field = form.fields["consent.boxes"]
    field.entries.add_button.click()
    write(qtbot, field.parts["text"], "I am of age.")
    write(qtbot, field.parts["key"], "adult")
    field.parts["required"].box.click()
    assert [(box.key, box.text, box.required) for box in study(form).consent.boxes][-1] == (
        "adult",
        "I am of age.",
        True,
    )


def test_the_analysis_is_written_without_json(form, qtbot):
    typed = {"primary": "share passed", "success": "score >= 0.8", "level": "0,9", "draws": "2000", "seed": "7"}
    for name, words in typed.items():
        retype(qtbot, form.fields[f"analysis.{name}"].control, words)
    analysis = study(form).analysis
    assert (analysis.primary, analysis.success) == ("share passed", "score >= 0.8")
    assert (analysis.level, analysis.draws, analysis.seed) == (0.9, 2000, 7)


def test_a_level_that_cannot_be_is_told_at_its_field(form, qtbot):
    retype(qtbot, form.fields["analysis.level"].control, "95")
    form.flush()
    assert "less than 1" in messages(form.fields["analysis.level"])[0]


def test_models_to_compare_with_are_chosen_from_the_runs_of_the_project(form, qtbot):
    form.offer_runs((KnownRun("oak", False, ((1, "first"),)), KnownRun("oak", True, ((2, "second"), (3, "third")))))
    field = form.fields["analysis.contrasts"]
    field.entries.add_button.click()
    field.entries.add_button.click()
    choose(field.parts["batch"], 3)
    assert [(c.run, c.tools, c.batch) for c in study(form).analysis.contrasts] == [
        ("oak", False, None),
        ("oak", True, 3),
    ]
    field.entries.add_button.click()
    form.flush()
    assert messages(field.parts["run"]) == ["It names no run"]
    write(qtbot, field.parts["run"], "birch")
    assert study(form).analysis.contrasts[-1].run == "birch"


def test_thresholds_of_rules_are_numbers(form, qtbot):
    rules = form.fields["rules"]
    line = rules.lines["gap", "seconds"]
    retype(qtbot, line, "900")
    qtbot.keyClicks(rules.lines["left_window", "times"], "4")
    retype(qtbot, rules.declared, "used_ai: yes, a little")
    own = rules_of(study(form))
    assert (own["gap"].value["seconds"], own["left_window"].value["times"]) == (900, 4)
    assert own["declared"].value == {"used_ai": ["yes", "a little"]}
    qtbot.keyClicks(line, "x")
    assert "gap, gaps of more than: “900x” is not a number" in messages(rules)[0]


def test_rules_that_nobody_touched_stay_as_they_were(form, qtbot):
    usual = rules_of(study(form))
    retype(qtbot, form.fields["rules"].lines["gap", "resumes"], "5")
    changed = rules_of(study(form))
    assert {name for name in usual if usual[name] != changed[name]} == {"gap"}


def in_german(form):
    form.fields["languages"].box.setCurrentIndex(form.fields["languages"].box.findData("de"))
    form.fields["languages"].box.activated.emit(0)
    form.language.box.setCurrentIndex(1)
    form.language.box.activated.emit(1)


def test_texts_are_written_in_several_languages(form, qtbot):
    assert not form.language.box.isVisibleTo(form)
    in_german(form)
    assert form.language.box.isVisibleTo(form)
    text = form.fields["instructions"]
    assert text.text.toPlainText() == ""
    write(qtbot, text, "Los.")
    assert study(form).instructions == {"en": STUDY.instructions, "de": "Los."}
    form.language.box.setCurrentIndex(0)
    form.language.box.activated.emit(0)
    assert text.text.toPlainText() == STUDY.instructions
    assert study(form).consent.text == STUDY.consent.text


def test_default_texts_come_in_a_language_that_is_added(form, qtbot):
    form.fields["covariates"].boxes["used_ai"].click()
    in_german(form)
    form.fields["covariates"].boxes["team"].click()
    asked = study(form).covariates
    assert [question.ask["de"] for question in asked] == [
        "Haben Sie beim Lösen der Aufgaben KI verwendet?",
        "Gehören Sie zum Forschungsteam?",
    ]
    assert [list(texts_by_value(question.options)) for question in asked] == [["no", "yes"], ["no", "yes"]]


def test_a_language_in_which_a_text_is_missing_is_told_at_the_text(form, qtbot):
    in_german(form)
    write(qtbot, form.fields["consent.text"], "Ich nehme teil.")
    form.fields["languages"].box.setCurrentIndex(form.fields["languages"].box.findData("fr"))
    form.fields["languages"].box.activated.emit(0)
    form.flush()
    assert messages(form.fields["consent.text"]) == ["The text is missing in fr"]


def test_a_language_that_is_removed_takes_its_texts_along(form, qtbot):
    in_german(form)
    write(qtbot, form.fields["consent.text"], "Ich nehme teil.")
    form.flush()
    form.fields["languages"].remove("de")
    assert study(form) == STUDY
    assert without_languages({"a": [{"en": "x", "de": "y", "fr": "z"}]}, ["fr"], ["en", "de"]) == {
        "a": [{"en": "x", "de": "y"}]
    }


def test_every_change_of_the_plan_can_be_undone_and_made_again(form, qtbot):
    write(qtbot, form.fields["name"], "Loops")
    form.fields["covariates"].boxes["age"].click()
    form.fields["covariates"].entries.add_button.click()
    form.flush()
    changed = form.data
    assert form.undo_stack.count() == 3
    for _ in range(3):
        form.undo_stack.undo()
    assert study(form) == STUDY
    assert form.fields["name"].line.text() == STUDY.name
    assert not form.fields["covariates"].boxes["age"].isChecked()
    for _ in range(3):
        form.undo_stack.redo()
    assert form.data == changed


def choose_items(form, *ids):
    """Chooses items in the tree, and puts the cursor on the last of them."""
    tree = form.fields["blocks"].tree
    tree.clearSelection()
    for entry in child_items(tree.topLevelItem(0)):
        if entry.text(0) in ids:
            tree.setCurrentItem(entry, 0, QItemSelectionModel.SelectionFlag.Select)
    tree.setFocus()
    return tree


def item_ids(form):
    return [item["id"] for block in form.data["blocks"] for item in block["items"]]


def test_delete_removes_the_chosen_items_and_undo_brings_them_back(form, qtbot):
    first, second, *_ = item_ids(form)
    tree = choose_items(form, first)
    qtbot.keyClick(tree, KEY.Key_Delete)
    assert first not in item_ids(form)
    assert tree.currentItem().text(0) == second
    form.undo_stack.undo()
    assert study(form) == STUDY


def test_delete_removes_nothing_of_a_frozen_plan(form, qtbot):
    form.show_plan(STUDY.data, is_fixed=True)
    qtbot.keyClick(choose_items(form, *item_ids(form)[:1]), KEY.Key_Delete)
    assert form.data == STUDY.data


def test_a_block_has_the_name_that_one_gives_it_and_keeps_its_id(form, qtbot):
    tree = form.fields["blocks"].tree
    name = form.fields["blocks"].choices.name
    block = form.data["blocks"][0]["id"]
    assert tree.topLevelItem(0).text(0) == f"Block {block}"
    qtbot.keyClicks(name, "Loops")
    qtbot.keyClick(name, KEY.Key_Return)
    assert (form.data["blocks"][0]["id"], form.data["blocks"][0]["title"]) == (block, "Loops")
    assert tree.topLevelItem(0).text(0) == "Loops"
    form.undo_stack.undo()
    assert study(form) == STUDY


def test_the_focus_stays_where_it_is_after_a_change(form, qtbot):
    choose_items(form, *item_ids(form)[:1])
    phase = form.fields["blocks"].choices.phase
    phase.setFocus()
    qtbot.keyClick(phase, KEY.Key_Down)
    phase.activated.emit(phase.currentIndex())
    assert QApplication.focusWidget() is phase


def test_the_focus_stays_in_its_cell_of_the_conditions_after_a_change(form, qtbot):
    conditions = form.fields["conditions"]
    conditions.add()
    QApplication.processEvents()
    (name,) = [line for line in conditions.findChildren(QLineEdit) if line.text() == "condition1"]
    name.setFocus()
    assert QApplication.focusWidget() is name
    conditions.add()
    QApplication.processEvents()
    focused = QApplication.focusWidget()
    assert isinstance(focused, QLineEdit)
    assert focused.text() == "condition1"


class ShownWindows(QObject):
    """Notes every widget that is shown as a window of its own."""

    def __init__(self):
        super().__init__()
        self.names = []

    def eventFilter(self, watched, event):
        if event.type() is QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.names.append(watched.accessibleName() or type(watched).__name__)
        return False


def test_no_other_window_flashes_while_the_form_is_built(qapp, qtbot):
    shown = ShownWindows()
    qapp.installEventFilter(shown)
    form = PlanForm()
    qtbot.addWidget(form)
    form.show_plan(STUDY.data, is_fixed=False)
    form.build()
    form.show_plan(STUDY.data, is_fixed=False)
    qapp.removeEventFilter(shown)
    assert shown.names == []


def test_the_number_of_people_is_planned_until_the_plan_is_frozen(form):
    assert form.planner.use.isVisibleTo(form)
    form.show_plan(STUDY.data, is_fixed=True)
    assert not form.planner.use.isVisibleTo(form)


@pytest.mark.parametrize("path", ["question", "consent.text", "limits.item_s"])
def test_undo_leaves_the_cursor_of_a_text_at_the_change(form, qtbot, path):
    control = form.fields[path].control
    retype(qtbot, control, "1234")
    form.flush()
    form.undo_stack.push(QUndoCommand("Another step, so that the next one is of its own"))
    qtbot.keyClick(control, KEY.Key_Home)
    qtbot.keyClick(control, KEY.Key_Right)
    qtbot.keyClicks(control, "5")
    form.undo_stack.undo()
    text, place = typed_text(control)
    assert (text, place) == ("1234", 1)
    form.undo_stack.redo()
    assert typed_text(control) == ("15234", 2)


def typed_text(control):
    if isinstance(control, QLineEdit):
        return control.text(), control.cursorPosition()
    return control.toPlainText(), control.textCursor().position()


def pick_next(qtbot, box):
    """Chooses the value after the present one, by keys."""
    box.setFocus()
    qtbot.keyClick(box, KEY.Key_Down)


@pytest.fixture
def active_form(form, qtbot):
    """The form in front, so that it can have the focus."""
    form.activateWindow()
    qtbot.waitUntil(form.isActiveWindow)
    return form


def test_the_focus_stays_at_what_is_chosen_for_an_item(active_form, qtbot):
    choose_items(active_form, *item_ids(active_form)[:1])
    choices = active_form.fields["blocks"].choices
    pick_next(qtbot, choices.phase)
    assert QApplication.focusWidget() is choices.phase
    choices.limit.setFocus()
    qtbot.keyClicks(choices.limit, "90")
    qtbot.keyClick(choices.limit, KEY.Key_Return)
    assert (QApplication.focusWidget(), choices.limit.cursorPosition()) == (choices.limit, 2)
    assert next(study(active_form).items()).limit_s == 90


def test_an_item_that_gets_a_block_of_its_own_stays_chosen(active_form):
    chosen = item_ids(active_form)[:1]
    tree = choose_items(active_form, *chosen)
    active_form.fields["blocks"].own_block.click()
    assert tree.chosen_ids == set(chosen)


def test_the_focus_stays_at_the_choice_that_was_made_for_a_condition(active_form, qtbot):
    (box,) = [box for box in active_form.findChildren(QComboBox) if box.accessibleName() == "Feedback of only"]
    pick_next(qtbot, box)
    qtbot.wait(1)
    assert QApplication.focusWidget().accessibleName() == "Feedback of only"


def test_the_focus_stays_where_a_language_was_added(active_form, qtbot):
    box = active_form.fields["languages"].box
    pick_next(qtbot, box)
    assert len(study(active_form).languages) == 2
    assert QApplication.focusWidget() is box


def test_the_focus_goes_to_the_list_of_languages_when_one_is_removed(active_form, qtbot):
    field = active_form.fields["languages"]
    pick_next(qtbot, field.box)
    QApplication.processEvents()
    button = next(button for button in field.findChildren(QPushButton) if button.isEnabled() and button.isVisible())
    button.setFocus()
    qtbot.keyClick(button, KEY.Key_Space)
    assert len(study(active_form).languages) == 1
    assert QApplication.focusWidget() is field.box


def test_a_frozen_plan_is_shown_and_cannot_be_changed(form):
    form.show_plan(STUDY.model_copy(update={"languages": ("en", "de")}).data, is_fixed=True)
    boxes = form.fields["consent.boxes"]
    assert not boxes.entries.add_button.isEnabled()
    assert boxes.parts["text"].text.isReadOnly()
    assert not form.fields["languages"].box.isEnabled()
    assert form.language.box.isEnabled()


def test_every_control_of_the_form_has_a_name(form):
    from tests.app.studies.test_keyboard import unnamed

    for field in form.fields.values():
        if hasattr(field, "entries"):
            field.entries.add_button.click()
    QApplication.processEvents()
    assert [widget for widget in unnamed(form) if widget.objectName() != "qt_spinbox_lineedit"] == []


def test_the_list_of_sections_follows_the_scrolling(form):
    titles = [section.title for section in SECTIONS]
    bar = form.pages.area.verticalScrollBar()
    assert bar.maximum() > 0
    seen = []
    for top in range(0, bar.maximum() + 1, 40):
        bar.setValue(top)
        seen.append(form.pages.list.currentRow())
    bar.setValue(bar.maximum())
    assert seen == sorted(seen)
    assert set(titles[:3]) <= {titles[row] for row in seen}
    assert form.pages.list.currentRow() == len(titles) - 1


def test_a_section_that_was_asked_for_stays_chosen_where_it_cannot_come_to_the_top(form):
    for section in SECTIONS:
        form.go_to(section.title)
        assert form.pages.list.currentItem().text() == section.title


def test_a_click_on_the_section_in_sight_goes_to_its_top(form, qtbot):
    pages = form.pages
    bar = pages.area.verticalScrollBar()
    form.go_to("Limits")
    top = bar.value()
    bar.setValue(top + 60)
    assert pages.list.currentItem().text() == "Limits"
    place = pages.list.visualItemRect(pages.list.currentItem()).center()
    qtbot.mouseClick(pages.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert bar.value() == top


def test_a_choice_that_the_document_leaves_out_shows_its_default(form):
    assert "setting" not in form.data
    assert form.fields["setting"].box.currentText() == "at a desk"
