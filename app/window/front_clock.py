"""The clock of the workspace in front: it runs while the window is used, and the status bar shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from spatial_workbench.app.workspace.clock import ClockState
from spatial_workbench.widgets.qt import the_application

if TYPE_CHECKING:
    from spatial_workbench.app.frame.pages import Pages
    from spatial_workbench.app.frame.settings import Settings
    from spatial_workbench.app.window.status_bar import StatusBar
    from spatial_workbench.app.workspace.page import Workspace


class FrontClock(QObject):
    """Runs the clock of the workspace in front and stops all others."""

    def __init__(self, bar: StatusBar, pages: Pages, settings: Settings, owner: QObject) -> None:
        super().__init__(owner)
        self._bar = bar
        self._pages = pages
        self._settings = settings
        bar.clock_clicked.connect(self._pause_or_resume)
        the_application().focusWindowChanged.connect(self._follow_focus)

    def listen_to(self, workspace: Workspace) -> None:
        """Shows the clock of a workspace while it is in front."""
        workspace.clock_shown.connect(lambda: self._show_clock_of(workspace))

    def follow_front(self) -> None:
        """Runs and shows the clock of the page that came to the front; no other clock runs."""
        front = self._pages.workspace
        for workspace in self._pages.workspaces:
            workspace.time.set_state(_state_in_front() if workspace is front else ClockState.STOPPED)
        self._bar.set_clock_visible(front is not None and self._settings.show_clock)
        if front is not None:
            self._show_clock_of(front)

    def _follow_focus(self) -> None:
        if (front := self._pages.workspace) is not None:
            front.time.set_state(_state_in_front())

    def _show_clock_of(self, workspace: Workspace) -> None:
        if workspace is self._pages.workspace:
            self._bar.show_clock(workspace.session.clock)

    def _pause_or_resume(self) -> None:
        if (front := self._pages.workspace) is not None:
            clock = front.session.clock
            clock.resume() if clock.is_paused else clock.pause()


def _state_in_front() -> ClockState:
    """The state of the clock in front. A dialog or an undocked panel of ours is no other program."""
    return ClockState.ACTIVE if the_application().focusWindow() is not None else ClockState.AWAY
