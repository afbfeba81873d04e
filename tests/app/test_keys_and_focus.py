"""Keys and clicks go where a person looks, in the window as it is."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QDockWidget, QPlainTextEdit

from spatial_workbench.engine.core import tasks
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editors import editor_for
from tests.app.conftest import open_instance
from tests.editors.driving import SynchronousRunner
from tests.sweeps import some

LEFT = Qt.MouseButton.LeftButton
ADDRESSES = ("two_segments:0", "pipe_loop:0", "delaunay:0", "topology_enumeration:0", "lego_hemisphere:0")


@pytest.fixture(params=some(ADDRESSES, 2))
def workspace(request, window, qtbot):
    opened = open_instance(window, qtbot, request.param)
    window.activateWindow()
    opened.editor.view.setFocus()
    qtbot.waitUntil(opened.editor.view.hasFocus)
    return opened


def field_of(workspace):
    """The first number field of the editor's panel that can be typed in."""
    boxes = workspace.editor.tools.findChildren(QAbstractSpinBox)
    return next((box for box in boxes if box.isVisible() and box.isEnabled()), None)


def test_tab_leaves_the_view_and_reaches_the_panels(workspace, qtbot):
    for _ in range(8):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        if not workspace.editor.isAncestorOf(QApplication.focusWidget()):
            return
    pytest.fail("Tab never leaves the editor")


def test_shift_tab_goes_the_other_way(workspace, qtbot):
    for _ in range(8):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
        if not workspace.editor.isAncestorOf(QApplication.focusWidget()):
            return
    pytest.fail("Shift+Tab never leaves the editor")


def test_return_in_a_number_field_gives_the_focus_back_to_the_view(workspace, qtbot):
    field = field_of(workspace)
    if field is not None:
        field.setFocus()
        qtbot.keyClick(field, Qt.Key.Key_Return)
        qtbot.waitUntil(workspace.editor.view.hasFocus)


def test_a_click_that_only_ends_typing_edits_nothing(workspace, qtbot):
    field = field_of(workspace)
    if field is not None:
        before = workspace.document.answer
        field.setFocus()
        qtbot.mouseClick(workspace.editor.view, LEFT, pos=workspace.editor.view.rect().center())
        assert workspace.document.answer == before
        assert workspace.editor.view.hasFocus()


@pytest.mark.slow
def test_undo_is_the_documents_also_while_a_number_field_has_the_focus(workspace, qtbot, window):
    field = field_of(workspace)
    if field is not None:
        empty = workspace.document.answer
        workspace.document.edit("Draw", workspace.document.task.solve(workspace.document.instance))
        field.setFocus()
        qtbot.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda: workspace.document.answer == empty)


@pytest.mark.slow
def test_a_click_on_a_check_leaves_the_focus_with_the_view(workspace, qtbot):
    tree = workspace.judgement.panel._tree
    row = tree.visualItemRect(tree.topLevelItem(0)).center()
    qtbot.mouseClick(tree.viewport(), LEFT, pos=row)
    assert workspace.editor.view.hasFocus()


@pytest.mark.slow
def test_the_reference_is_in_view_when_it_is_loaded(workspace, qtbot):
    workspace.answers.load_reference()
    qtbot.waitUntil(lambda: workspace.document.undo_stack.count() > 0)
    qtbot.waitUntil(workspace.editor.view.shows_everything)


def keys_of(actions):
    return {key.toString() for action in actions for key in action.shortcuts()}


@pytest.mark.slow
def test_no_key_of_an_editor_is_one_of_the_windows(window):
    taken = keys_of(entry.action for entry in window.actions_registry.entries.values())
    clashes = {}
    for task in {type(task).__module__.split(".")[3]: task for task in tasks()}.values():
        editor = editor_for(task)(AnswerDocument(task, task.instances()[0]), SynchronousRunner())
        clashes[task.id] = keys_of((*editor.actions(), *editor.view.actions())) & taken
        editor.close_editor()
    assert {task: keys for task, keys in clashes.items() if keys} == {}


@pytest.mark.slow
def test_after_a_click_in_any_panel_the_view_has_the_keyboard(workspace, qtbot):
    for panel in (workspace.prompt_panel, workspace.judgement.panel, workspace.editor.tools):
        panel.setFocus()
        qtbot.mouseClick(panel, LEFT)
        qtbot.waitUntil(workspace.editor.view.hasFocus)


@pytest.mark.slow
def test_a_click_into_a_text_that_is_typed_leaves_the_keyboard_there(workspace, qtbot):
    answer = workspace.answer_panel.findChild(QPlainTextEdit)
    next(dock for dock in workspace.findChildren(QDockWidget) if dock.objectName() == "answer").raise_()
    qtbot.waitUntil(answer.isVisible)
    qtbot.mouseClick(answer.viewport(), LEFT)
    qtbot.wait(20)
    assert answer.hasFocus()


@pytest.mark.slow
def test_after_skipping_the_tour_the_view_has_the_keyboard(workspace, window, qtbot):
    window.tabs.tabBar().setFocus()
    workspace.begin_tour()
    qtbot.mouseClick(workspace.tour.skip, LEFT)
    qtbot.waitUntil(workspace.editor.view.hasFocus)


def test_escape_ends_the_tour_while_the_view_has_the_keyboard(workspace, qtbot):
    workspace.begin_tour()
    workspace.editor.view.setFocus()
    qtbot.keyClick(workspace.editor.view, Qt.Key.Key_Escape)
    assert workspace.tour is None


@pytest.mark.slow
def test_view_keys_work_from_a_list_that_has_the_keyboard(workspace, qtbot):
    tree = workspace.judgement.panel._tree
    action = workspace.editor.view.view_actions["frame"]
    key = QKeySequence("F")
    if key not in action.shortcuts() or key.toString() in keys_of(workspace.editor.actions()):
        return
    tree.setFocus()
    with qtbot.waitSignal(action.triggered, timeout=1000):
        qtbot.keyClick(tree, Qt.Key.Key_F)
