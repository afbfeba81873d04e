"""Another theme reaches every view, at once or when it is seen; parts of a page take their style with the page."""

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QDockWidget, QVBoxLayout, QWidget

from spatial_workbench.app.workspace.docks import PANELS_WIDTH
from tests.app.conftest import trigger


@pytest.mark.slow
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


@pytest.mark.slow
def test_light_and_dark_reach_every_view(window, workspace):
    before = workspace.editor.view.theme.name
    trigger(window, "view.theme")
    assert workspace.editor.view.theme.name != before


class _StyleChanges(QWidget):
    """Counts how often it is told of a new style."""

    def __init__(self):
        super().__init__()
        self.count = 0

    def changeEvent(self, event):
        self.count += event.type() == QEvent.Type.StyleChange
        super().changeEvent(event)


def test_a_part_of_a_page_is_told_of_its_style_only_once_the_page_is_in_the_window(window):
    part = _StyleChanges()
    page = part
    for _ in range(3):
        outer = QWidget()
        QVBoxLayout(outer).addWidget(page)
        page = outer
    assert part.count == 0
    page.setParent(window)
    assert part.count == 1
