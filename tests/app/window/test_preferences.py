"""Another theme reaches every view, at once or when it is seen."""

from PySide6.QtWidgets import QDockWidget

from spatial_workbench.app.workspace.docks import PANELS_WIDTH
from tests.app.conftest import trigger


def test_a_tab_out_of_sight_takes_the_theme_when_it_is_seen(window, workspace, qtbot):
    def look():
        window.tabs.setCurrentWidget(workspace)
        workspace.editor.view.flush()
        return workspace.grab().toImage()

    qtbot.waitUntil(lambda: workspace.findChild(QDockWidget, "verdict").width() == PANELS_WIDTH)
    light = look()
    trigger(window, "view.theme")
    seen = look()
    trigger(window, "view.theme")
    window.tabs.setCurrentWidget(window.catalogue)
    trigger(window, "view.theme")
    assert look() == seen
    window.tabs.setCurrentWidget(window.catalogue)
    trigger(window, "view.theme")
    assert look() == light


def test_light_and_dark_reach_every_view(window, workspace):
    before = workspace.editor.view.theme.name
    trigger(window, "view.theme")
    assert workspace.editor.view.theme.name != before
