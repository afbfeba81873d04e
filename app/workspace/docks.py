"""The docks of a workspace: their places and widths, and which of these are remembered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget, QWidget

if TYPE_CHECKING:
    from spatial_workbench.app.frame.settings import Settings

LAYOUT_VERSION = 2
"""Must be raised when docks are added or renamed, so that layouts stored before are ignored."""
TOOLS_WIDTH = 308
"""Wide enough for the tools of every editor, so that all have the same width."""
PANELS_WIDTH = 420
"""Wide enough to read the task without effort, and narrow enough for every view beside it at 1280 pixels."""
VERDICT_SHARE = 0.46
"""Of the height of the panels at the right."""


class Docks:
    """The tools at the left; at the right the verdict, and below it the other panels as tabs.

    tabs: the panels below the verdict by title, the task first. The last of them is hidden at first.
    name: what the layout is stored under.
    """

    def __init__(
        self,
        window: QMainWindow,
        tools: QWidget,
        verdict: QWidget,
        tabs: Mapping[str, QWidget],
        settings: Settings,
        name: str,
    ) -> None:
        self._window = window
        self._settings = settings
        self._name = name
        self._is_shared_out = False
        window.setDockNestingEnabled(True)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self._add("Tools", tools, Qt.DockWidgetArea.LeftDockWidgetArea)
        self._add("Verdict", verdict, Qt.DockWidgetArea.RightDockWidgetArea)
        in_tabs = [self._add(title, panel, Qt.DockWidgetArea.RightDockWidgetArea) for title, panel in tabs.items()]
        self._stack(in_tabs)
        self._size()
        self._first_layout = window.saveState(LAYOUT_VERSION)
        stored = settings.layout(name)
        self._is_laid_out = stored is not None and window.restoreState(stored, LAYOUT_VERSION)
        # What a solver is told comes first, whatever was in front when another subtask was left.
        in_tabs[0].raise_()

    def actions(self) -> list[QAction]:
        """Actions that show or hide each panel."""
        return [dock.toggleViewAction() for dock in self.all()]

    def all(self) -> list[QDockWidget]:
        """All docks."""
        return self._window.findChildren(QDockWidget)

    def bring_to_front(self, title: str) -> None:
        """Shows the panel of that title before those beside it."""
        dock = self._by_name()[title.lower()]
        dock.show()
        dock.raise_()

    def toggle(self, title: str) -> None:
        """Brings the panel of that title to the front; hides it if it is there."""
        dock = self._by_name()[title.lower()]
        panel = dock.widget()
        if panel is not None and panel.isVisible():
            dock.hide()
        else:
            self.bring_to_front(title)

    def reset(self) -> None:
        """Restores the arrangement of a new workspace."""
        self._window.restoreState(self._first_layout, LAYOUT_VERSION)

    def store(self) -> None:
        """Stores the arrangement for the next workspace of that name."""
        self._settings.set_layout(self._name, self._window.saveState(LAYOUT_VERSION))

    def share_room(self) -> None:
        """Gives the docks the widths that they have in every tab; call it when the window has its size."""
        if not self._is_laid_out:
            self._is_laid_out = True
            self._size()
        docks = self._by_name()
        widths = {"tools": TOOLS_WIDTH, "verdict": PANELS_WIDTH} | self._settings.dock_widths
        self._is_shared_out = True
        at_the_side = [docks[name] for name in widths if name in docks and not docks[name].isFloating()]
        shared = [widths[dock.objectName()] for dock in at_the_side]
        self._window.resizeDocks(at_the_side, shared, Qt.Orientation.Horizontal)

    def remember_widths(self) -> None:
        """Stores the widths for every tab."""
        if not self._is_shared_out:
            return
        docks = self._by_name()
        seen = {name: docks[name].width() for name in ("tools", "verdict") if docks[name].isVisibleTo(self._window)}
        self._settings.dock_widths = self._settings.dock_widths | seen

    def _add(self, title: str, content: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(title.lower())
        dock.setWidget(content)
        self._window.addDockWidget(area, dock)
        return dock

    def _stack(self, docks: Sequence[QDockWidget]) -> None:
        """Makes tabs of docks, with the first in front and the last hidden."""
        for before, after in pairwise(docks):
            self._window.tabifyDockWidget(before, after)
        for dock in docks:
            dock.setTitleBarWidget(QWidget())  # The tab has the title.
        docks[-1].hide()
        docks[0].raise_()

    def _size(self) -> None:
        docks = self._by_name()
        height = self._window.height()
        pairs = [docks["tools"], docks["verdict"]]
        self._window.resizeDocks(pairs, [TOOLS_WIDTH, PANELS_WIDTH], Qt.Orientation.Horizontal)
        self._window.resizeDocks(
            [docks["verdict"], docks["task"]],
            [round(VERDICT_SHARE * height), round((1 - VERDICT_SHARE) * height)],
            Qt.Orientation.Vertical,
        )

    def _by_name(self) -> dict[str, QDockWidget]:
        return {dock.objectName(): dock for dock in self.all()}
