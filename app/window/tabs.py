"""The tabs of the window, with a list of them and the button of the command palette in their corner."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QMenu, QTabWidget, QToolButton, QWidget

from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.theme import SPACE

BELOW_PX = 6
"""Qt puts the corner at the bottom of the bar; so far above it, its words stand in line with those of the tabs."""


def make_tabs(show_palette: Callable[[], None]) -> QTabWidget:
    """Tabs without any page yet."""
    tabs = QTabWidget()
    tabs.tabBar().setObjectName("openTabs")
    tabs.setDocumentMode(True)
    tabs.setMovable(True)
    tabs.setUsesScrollButtons(True)
    tabs.setElideMode(Qt.TextElideMode.ElideRight)
    tabs.setCornerWidget(TabCorner(tabs, show_palette))
    return tabs


class TabCorner(QWidget):
    """Two buttons: the tabs, however many there are, and the palette."""

    def __init__(self, tabs: QTabWidget, show_palette: Callable[[], None]) -> None:
        super().__init__()
        self._tabs = tabs
        self.tab_list = QMenu(self)
        self.tab_list.aboutToShow.connect(self._fill_tab_list)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, BELOW_PX)
        row.setSpacing(SPACE)
        row.addWidget(self._make_list_button())
        row.addWidget(_make_palette_button(show_palette))

    def _make_list_button(self) -> QToolButton:
        button = QToolButton()
        button.setText("Tabs")
        button.setToolTip("All open tabs")
        button.setAccessibleName("All open tabs")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setMenu(self.tab_list)
        return button

    def _fill_tab_list(self) -> None:
        self.tab_list.clear()
        for index in range(self._tabs.count()):
            text = self._tabs.tabText(index).replace("&", "&&")
            action = self.tab_list.addAction(self._tabs.tabIcon(index), text)
            action.setCheckable(True)
            action.setChecked(index == self._tabs.currentIndex())
            action.triggered.connect(partial(self._tabs.setCurrentIndex, index))


def _make_palette_button(show_palette: Callable[[], None]) -> QToolButton:
    button = QToolButton()
    button.setIcon(icon("search", "secondary"))
    button.setText("Ctrl+K")
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setToolTip("Find a command or a subtask")
    button.setAccessibleName("Command palette")
    button.clicked.connect(show_palette)
    return button
