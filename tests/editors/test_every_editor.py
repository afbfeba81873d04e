"""What holds for the editor of every task."""

import re

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QSlider,
    QTreeWidget,
)

from spatial_workbench.app.frame.style import apply_theme, dress
from spatial_workbench.engine.core import Aid, AnswerError, Family
from spatial_workbench.engine.core import tasks as all_tasks
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editors import editor_for
from spatial_workbench.widgets.editors.plain import PlainEditor
from spatial_workbench.widgets.panels.verdict_panel import VerdictPanel
from spatial_workbench.widgets.theme import DARK, LIGHT
from tests.editors.driving import SynchronousRunner
from tests.mouse_wheel import turn_wheel
from tests.sweeps import some_tasks
from tests.texts import texts_cut_for_good

TASKS = all_tasks()
LEFT = Qt.MouseButton.LeftButton
KEPT_BY_BROWSERS = {
    *("Ctrl+W", "Ctrl+T", "Ctrl+N", "Ctrl+Shift+W", "Ctrl+Shift+T", "Ctrl+Shift+N", "Alt+F4"),
    *("Ctrl+Tab", "Ctrl+Shift+Tab", "Ctrl+PgUp", "Ctrl+PgDown"),
}
"""Keys that never reach a page."""
RELOADING = {"F5", "Ctrl+R", "Ctrl+Shift+R", "Ctrl+F5"}
"""Keys that load a page again where it does not take them."""
CONTROLS = (QAbstractButton, QComboBox, QLineEdit, QAbstractSpinBox, QSlider, QTreeWidget)


@pytest.fixture(params=some_tasks(TASKS, 10), ids=lambda task: task.id)
def editor(request, show_editor):
    return show_editor(request.param, request.param.instances()[0], size=(700, 500))


@pytest.fixture(params=TASKS, ids=lambda task: task.id, scope="module")
def untouched(request, qapp):
    """An editor as it opens, built once for all tests that only look at it."""
    task = request.param
    editor = editor_for(task)(AnswerDocument(task, task.instances()[0]), SynchronousRunner())
    editor.resize(700, 500)
    editor.tools.show()
    editor.show()
    editor.view.flush()
    yield editor
    editor.close_editor()
    editor.tools.deleteLater()
    editor.deleteLater()


def test_every_task_of_ours_has_an_editor_of_its_own(untouched):
    assert untouched.task.family not in Family.PUBLISHED or not isinstance(untouched, PlainEditor)


def test_every_control_has_a_name_for_those_who_cannot_see_it(untouched):
    nameless = [
        control
        for root in (untouched, untouched.tools)
        for kind in CONTROLS
        for control in root.findChildren(kind)
        if not control.objectName().startswith("qt_")
        and not isinstance(control.parent(), QAbstractSpinBox | QComboBox)
        and not QAccessible.queryAccessibleInterface(control).text(QAccessible.Text.Name)
    ]
    assert nameless == []
    assert untouched.view.accessibleName()


def test_no_solving_aid_is_on_before_somebody_asks_for_it(untouched):
    boxes = untouched.tools.findChildren(QCheckBox)
    assert [box.text() for box in boxes if box.property("aid") == Aid.SOLVING and box.isChecked()] == []


def test_the_reference_solution_and_its_verdict_are_shown_in_both_themes(editor):
    document = editor.document
    reference = document.task.solve(document.instance)
    verdict = document.task.verify(
        document.instance, reference
    )  # First, so that the editor need not simulate it again.
    document.edit("Load reference solution", reference)
    document.set_verdict(verdict, document.revision)
    appearance().set(DARK)
    editor.view.flush()
    appearance().set(LIGHT)
    editor.view.flush()
    assert document.verdict.passed
    assert editor.status()


def test_a_failing_verdict_is_marked_and_its_elements_can_be_flown_to(editor):
    document = editor.document
    verdict = document.task.verify(document.instance, document.answer)
    document.set_verdict(verdict, document.revision)
    editor.show_elements(verdict.failed_elements)
    editor.view.flush()
    assert not verdict.passed


def test_a_press_with_a_trembling_hand_does_what_a_click_does(qtbot, editor):
    document = editor.document
    middle = editor.view.rect().center()
    document.edit("Load reference solution", document.task.solve(document.instance))
    solved = document.undo_stack.index()
    qtbot.mouseClick(editor.view, LEFT, pos=middle)
    clicked = document.answer
    editor.view.tool.stop()
    document.undo_stack.setIndex(solved)
    qtbot.mousePress(editor.view, LEFT, pos=middle)
    qtbot.mouseMove(editor.view, middle + QPoint(1, 0))
    qtbot.mouseRelease(editor.view, LEFT, pos=middle + QPoint(1, 1))
    assert document.answer == clicked


def test_undo_goes_back_to_the_start(editor):
    document = editor.document
    start = document.answer
    document.edit("Load reference solution", document.task.solve(document.instance))
    document.undo_stack.undo()
    assert document.answer == start
    assert editor.status()


FIELDS = (QAbstractSpinBox, QComboBox, QSlider)


def fields_of(editor):
    return [field for root in (editor, editor.tools) for kind in FIELDS for field in root.findChildren(kind)]


def value_of(field):
    return field.currentIndex() if isinstance(field, QComboBox) else field.value()


def test_the_wheel_over_a_field_changes_nothing_before_a_click(untouched):
    untouched.view.setFocus()
    for field in fields_of(untouched):
        before = value_of(field)
        turn_wheel(field, 1)
        assert value_of(field) == before, field.accessibleName()


def test_what_was_pointed_out_is_let_go_with_the_next_verdict(editor):
    document = editor.document
    document.set_verdict(document.task.verify(document.instance, document.answer), document.revision)
    editor.show_elements(document.verdict.failed_elements)
    document.edit("Load reference solution", document.task.solve(document.instance))
    document.set_verdict(document.task.verify(document.instance, document.answer), document.revision)
    assert not any(pane.style_.fade_rest for pane in editor.panes)
    assert "failed" not in editor.view.style_.roles.values()


def test_keys_are_not_given_twice_in_an_editor(untouched):
    keys = [
        key.toString() for action in (*untouched.actions(), *untouched.view.actions()) for key in action.shortcuts()
    ]
    assert sorted(keys) == sorted(set(keys))


def test_no_editor_uses_keys_that_browsers_keep_and_what_reloads_a_page_has_a_button(untouched):
    actions = (*untouched.actions(), *untouched.view.actions())
    keys = {key.toString(): action for action in actions for key in action.shortcuts()}
    assert keys.keys() & KEPT_BY_BROWSERS == set()
    buttons = {button.text() for button in untouched.tools.findChildren(QAbstractButton)}
    assert {keys[key].text() for key in RELOADING if key in keys} <= buttons


def test_select_has_one_key_everywhere(untouched):
    assert {a.shortcut().toString() for a in untouched.actions() if a.text() == "Select"} <= {"V"}


def shortened(data, length):
    """An answer whose longest list keeps this many elements."""
    lists = [data]
    for part in lists:
        lists += [
            value for value in (part.values() if isinstance(part, dict) else part) if isinstance(value, dict | list)
        ]
    longest = max((part for part in lists if isinstance(part, list)), key=len, default=[])
    del longest[length:]
    return data


def texts_of(verdict):
    """Everything that a verdict says."""
    yield from verdict.warnings
    for check in verdict.checks:
        yield from (check.name, check.message, *(problem.message for problem in check.problems))


ONE_OF_MANY = re.compile(
    r"(?<![\d.,/-])1 (?!times|class)(?:\w+ )?(cells|boxes|bricks|voxels|rectangles|faces|vertices|corners|parts|"
    r"pieces|pipes|points|triangles|squares|blasts|regions|steps|moves|operations|crossings|digits|people|tetrahedra|leaves|labels|ends)\b"
)


@pytest.mark.parametrize("length", [0, 1])
def test_numbers_go_with_their_nouns(editor, length):
    document = editor.document
    try:
        answer = document.task.parse(shortened(document.task.solve(document.instance).model_dump(mode="json"), length))
    except AnswerError:
        return
    document.edit("Shorten", answer)
    document.set_verdict(document.task.verify(document.instance, answer), document.revision)
    texts = [
        editor.status(),
        *(label.text() for label in editor.tools.findChildren(QLabel)),
        *texts_of(document.verdict),
    ]
    assert [text for text in texts if ONE_OF_MANY.search(text)] == []


PANELS_PX = 440
"""The width of the panels on the right of a window; the smallest window is 1280 x 720."""


def test_no_text_is_cut_in_the_smallest_window(qapp, qtbot, editor):
    apply_theme(qapp, LIGHT)
    document = editor.document
    verdicts = VerdictPanel()
    for part in (editor, editor.tools, verdicts):
        dress(part)  # with the sizes and margins of texts in the window
    qtbot.addWidget(verdicts)
    tools_px = max(200, editor.tools.minimumSizeHint().width())
    editor.tools.resize(tools_px, 580)
    editor.resize(1280 - PANELS_PX - tools_px, 610)
    verdicts.resize(PANELS_PX, 280)
    verdicts.show()
    cut = []
    for answer in (document.answer, document.task.solve(document.instance)):
        document.edit("Put", answer)
        document.set_verdict(document.task.verify(document.instance, answer), document.revision)
        verdicts.show_verdict(document.verdict)
        cut += texts_cut_for_good(qtbot, editor, editor.tools, verdicts)
    assert cut == []


def test_actions_for_the_arrows_are_named_in_words(untouched):
    names = [action.text() for action in (*untouched.actions(), *untouched.view.actions())]
    assert [name for name in names if re.search(r"to the (up|down)|[a-z]\+[a-z]", name, re.IGNORECASE)] == []
