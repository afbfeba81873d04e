"""What holds for the editor of every task."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QCheckBox, QComboBox, QLineEdit, QSlider, QTreeWidget

import engine
from engine.core import Aid
from widgets.appearance import appearance
from widgets.editors.plain import PlainEditor
from widgets.theme import DARK, LIGHT

TASKS = engine.all_tasks()
LEFT = Qt.MouseButton.LeftButton
CONTROLS = (QAbstractButton, QComboBox, QLineEdit, QAbstractSpinBox, QSlider, QTreeWidget)


@pytest.fixture(params=TASKS, ids=lambda task: task.id)
def editor(request, show_editor):
    return show_editor(request.param, request.param.instances()[0], size=(700, 500))


def test_every_task_has_an_editor_of_its_own(editor):
    assert not isinstance(editor, PlainEditor)


def test_every_control_has_a_name_for_those_who_cannot_see_it(editor):
    nameless = [
        control
        for root in (editor, editor.tools)
        for kind in CONTROLS
        for control in root.findChildren(kind)
        if not control.objectName().startswith("qt_")
        and not isinstance(control.parent(), QAbstractSpinBox | QComboBox)
        and not QAccessible.queryAccessibleInterface(control).text(QAccessible.Text.Name)
    ]
    assert nameless == []
    assert editor.view.accessibleName()


def test_no_solving_aid_is_on_before_somebody_asks_for_it(editor):
    boxes = editor.tools.findChildren(QCheckBox)
    assert [box.text() for box in boxes if box.property("aid") == Aid.SOLVING and box.isChecked()] == []


def test_the_reference_solution_and_its_verdict_are_shown_in_both_themes(editor):
    document = editor.document
    document.edit("Load reference solution", document.task.solve(document.instance))
    document.set_verdict(document.task.verify(document.instance, document.answer), document.revision)
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
    document, middle = editor.document, editor.view.rect().center()
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
