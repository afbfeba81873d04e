"""What the menus do with the workspace in front."""

from PySide6.QtWidgets import QDockWidget


def test_a_panel_that_was_closed_comes_back_through_the_view_menu(window, workspace):
    dock = next(dock for dock in workspace.findChildren(QDockWidget) if dock.windowTitle() == "Verdict")
    dock.close()
    window.task_entries.panels.aboutToShow.emit()
    next(action for action in window.task_entries.panels.actions() if action.text() == "Verdict").trigger()
    assert not dock.isHidden()
