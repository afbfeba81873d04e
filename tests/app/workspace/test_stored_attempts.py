"""Stored attempts are opened and compared."""

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.comparison.page import ComparePage
from tests.app.conftest import solve, submit, trigger


@pytest.mark.slow
def test_an_attempt_can_be_put_back_into_the_editor(window, workspace, qtbot):
    solve(window, qtbot)
    solved = workspace.document.answer
    submit(window, qtbot)
    trigger(window, "task.clear")
    workspace.attempts.panel.opened.emit(1)
    qtbot.waitUntil(lambda: workspace.document.answer == solved)


def test_an_attempt_that_is_gone_is_named_when_it_is_opened(window, workspace, qtbot):
    with qtbot.waitSignal(window.project.trouble) as blocker:
        workspace.attempts.open(77)
    assert blocker.args[0].startswith("Attempt 77 is not in this project.")


@pytest.mark.slow
def test_two_answers_are_compared_side_by_side_and_one_over_the_other(window, workspace, qtbot):
    solve(window, qtbot)
    submit(window, qtbot)
    workspace.attempts.panel.select([1])
    workspace.attempts.panel._ask_comparison()
    qtbot.waitUntil(lambda: isinstance(window.tabs.currentWidget(), ComparePage))
    page = window.tabs.currentWidget()
    page.show_over(True)
    qtbot.keyClick(page._over, Qt.Key.Key_Right)
    assert page._over._share == pytest.approx(0.55)


@pytest.mark.slow
def test_what_is_selected_stays_so_when_attempts_are_added_even_with_a_key_held(window, workspace, qtbot):
    panel = workspace.attempts.panel
    for _ in range(3):
        submit(window, qtbot)
    panel.select([1, 2])
    qtbot.keyPress(panel.table, Qt.Key.Key_Shift, Qt.KeyboardModifier.ShiftModifier)
    submit(window, qtbot)
    assert sorted(panel.selected()) == [1, 2]
    qtbot.keyRelease(panel.table, Qt.Key.Key_Shift)
