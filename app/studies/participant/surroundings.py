"""What happens around a session: input, the pointer, other windows and screens, the clipboard. It is logged."""

from __future__ import annotations

import platform
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QScreen
from PySide6.QtWidgets import QApplication, QWidget

from spatial_workbench.app.studies.participant.clipboard_guard import ClipboardGuard
from spatial_workbench.app.studies.participant.kiosk import KioskWatch
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from spatial_workbench.engine.studies.sessions.sitting import Sitting
from spatial_workbench.widgets.appearance import appearance


class SessionSurroundings(QObject):
    """Tells the session that is under way what happens around it.

    sitting: gives the session; None while nobody takes part.
    logs_pointer: whether the study wants to know where the pointer is during items.

    Attributes:
        clipboard: What may be copied and pasted.
    """

    def __init__(
        self, window: QWidget, application: QApplication, sitting: Callable[[], Sitting | None], logs_pointer: bool
    ) -> None:
        super().__init__(window)
        self._window = window
        self._sitting = sitting
        self._logs_pointer = logs_pointer
        self._watch = KioskWatch(application, self._report_input, self._log_pointer)
        self.clipboard = ClipboardGuard(application, self.log)
        application.applicationStateChanged.connect(self.set_state)

    @property
    def _under_way(self) -> Sitting | None:
        sitting = self._sitting()
        return None if sitting is None or sitting.state.page.is_last else sitting

    def log(self, kind: str, **data: Any) -> None:
        """Logs an event, if a session is under way."""
        if (sitting := self._under_way) is not None:
            sitting.log(kind, **data)

    def facts(self) -> dict[str, Any]:
        """The logged facts about the machine: system, screen, pointers; never its name, its user or its address."""
        screen = self._window.screen().size()
        return {
            "os": platform.system(),
            "screen": [screen.width(), screen.height()],
            "scale": self._window.screen().devicePixelRatio(),
            "type_scale": appearance().type_scale,
        }

    def follow_screen(self) -> None:
        """Logs from now on when the window, which is shown, comes to another screen."""
        self._window.windowHandle().screenChanged.connect(self._log_screen)

    def log_full_screen(self) -> None:
        """Logs that the window entered full screen, or left it."""
        self.log("fullscreenenter" if self._window.isFullScreen() else "fullscreenexit")

    def set_state(self, state: Qt.ApplicationState) -> None:
        """Tells the session whether the person is in another window."""
        if (sitting := self._under_way) is not None:
            sitting.set_away(state != Qt.ApplicationState.ApplicationActive)

    def apply_rules(self, sitting: Sitting) -> None:
        """Applies the rules of the present page to the clipboard."""
        is_item = sitting.state.page is StudyPage.ITEM
        self.clipboard.mode = sitting.state.condition.clipboard if is_item else "inside"

    def stop(self) -> None:
        """Watches no longer."""
        self._watch.stop()
        self.clipboard.stop()

    def _report_input(self) -> None:
        if (sitting := self._under_way) is not None:
            sitting.acted()

    def _log_pointer(self, x: int, y: int) -> None:
        sitting = self._under_way
        if self._logs_pointer and sitting is not None and sitting.state.page is StudyPage.ITEM:
            self.log("pointer", x=x, y=y)

    def _log_screen(self, screen: QScreen) -> None:
        size = screen.size()
        self.log("screen_change", screen=[size.width(), size.height()], scale=screen.devicePixelRatio())
