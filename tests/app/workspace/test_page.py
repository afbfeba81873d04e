"""A workspace: its title, its hint, its panels."""

import pytest
from PySide6.QtWidgets import QWidget

from tests.app.conftest import open_instance


@pytest.mark.slow
def test_a_hint_is_shown_the_first_time_only(open_window, qtbot):
    window = open_window()
    assert open_instance(window, qtbot, "two_segments:0").editor.view.texts.hint
    assert not open_instance(window, qtbot, "two_segments:4").editor.view.texts.hint


@pytest.mark.slow
def test_docks_are_where_they_were_left(open_window, qtbot):
    window = open_window()
    workspace = open_instance(window, qtbot, "two_segments:0")
    tools = next(dock for dock in workspace.findChildren(QWidget) if dock.objectName() == "tools")
    tools.close()
    window.close()
    again = open_instance(open_window(), qtbot, "two_segments:0")
    assert next(dock for dock in again.findChildren(QWidget) if dock.objectName() == "tools").isHidden()


def test_a_tab_carries_the_number_of_the_subtask(window, workspace):
    assert window.tabs.tabText(window.tabs.currentIndex()).startswith("Two segments 0 ·")
