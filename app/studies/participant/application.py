"""Starts the participant's window in a separate process."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from spatial_workbench.app.studies.participant.window import ParticipantWindow
    from spatial_workbench.engine.studies.files.bundles import Bundle


def run(bundle: Bundle, path: Path, code: str = "", is_kiosk: bool = True, leaves_nothing: bool = False) -> int:
    """Opens the window and returns the exit code once it is closed."""
    from PySide6.QtWidgets import QApplication

    present = QApplication.instance()
    application = present if isinstance(present, QApplication) else QApplication(sys.argv[:1])
    window = build_window(application, bundle, path, code, None, is_kiosk, leaves_nothing)
    window.open()
    return application.exec()


def build_window(
    application: QApplication,
    bundle: Bundle,
    path: Path,
    code: str = "",
    sessions: Path | None = None,
    is_kiosk: bool = True,
    leaves_nothing: bool = False,
) -> ParticipantWindow:
    """Makes the window without showing it. It looks the same on every machine, whatever its settings are."""
    from spatial_workbench.app.frame.memory import Collector, keep_little

    keep_little()
    from spatial_workbench.app.frame.style import apply_theme, prepare
    from spatial_workbench.app.studies.participant.window import ParticipantWindow
    from spatial_workbench.widgets.appearance import appearance
    from spatial_workbench.widgets.icons import application_icon
    from spatial_workbench.widgets.theme import LIGHT

    application.setApplicationName("spatial-workbench")
    application.setApplicationDisplayName("Spatial Workbench")
    application.setDesktopFileName("spatial-workbench")
    prepare(application)
    appearance().remembers = False
    apply_theme(application, LIGHT)
    application.setWindowIcon(application_icon())
    window = ParticipantWindow(bundle, path, code, sessions, is_kiosk, leaves_nothing)
    Collector(window)
    return window
