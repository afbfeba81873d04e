"""Starts the participant's window in a separate process."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.app.studies.participant.window_form import WindowForm

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from spatial_workbench.app.studies.participant.window import ParticipantWindow
    from spatial_workbench.engine.studies.files.bundles import Bundle


def run(
    bundle: Bundle, path: Path, code: str = "", form: WindowForm = WindowForm.KIOSK, leaves_nothing: bool = False
) -> int:
    """Opens the window and returns the exit code once it is closed."""
    application = _application()
    window = build_window(application, bundle, path, code, None, form, leaves_nothing)
    window.open()
    return application.exec()


def run_served(bundle: Bundle, path: Path, code: str, sessions: Path, control: Path) -> int:
    """Opens the window for a browser, and returns the exit code once it is closed.

    sessions: the folder of the sessions. control: the server's Unix socket.
    """
    from spatial_workbench.app.studies.participant.served_window import ServedWindow

    application = _application()
    window = build_window(application, bundle, path, code, sessions, WindowForm.SERVED)
    ServedWindow(application, window, control).open()
    window.begin(code)
    return application.exec()


def _application() -> QApplication:
    from PySide6.QtWidgets import QApplication

    present = QApplication.instance()
    return present if isinstance(present, QApplication) else QApplication(sys.argv[:1])


def build_window(
    application: QApplication,
    bundle: Bundle,
    path: Path,
    code: str = "",
    sessions: Path | None = None,
    form: WindowForm = WindowForm.KIOSK,
    leaves_nothing: bool = False,
) -> ParticipantWindow:
    """Makes the window without showing it. It looks the same on every machine, whatever its settings are."""
    from spatial_workbench.app.frame.memory import Collector, keep_little

    keep_little()
    from spatial_workbench.app.frame.style import apply_theme, dress, prepare
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
    if application.windowIcon().isNull():
        application.setWindowIcon(application_icon())
    window = ParticipantWindow(bundle, path, code, sessions, form, leaves_nothing)
    dress(window)
    Collector(window)
    return window
