"""Starts the window."""

from __future__ import annotations

import logging
import os
import sys
import weakref
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType

    from PySide6.QtWidgets import QApplication

    from spatial_workbench.app.frame.settings import Settings
    from spatial_workbench.app.window.main_window import MainWindow


def run(
    project: Path | None, settings: Settings | None = None, exchange: Path | None = None, served: str | None = None
) -> int:
    """Opens the window and returns the exit code once it is closed.

    settings: by default those of the person's account. exchange: the folder in which dialogs for files start; by
    default that of the project. served: "light" or "dark", as the browser likes it that shows the window; None: no
    browser does.
    """
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from spatial_workbench.app.frame.style import SCHEME

    present = QApplication.instance()
    application = present if isinstance(present, QApplication) else QApplication(sys.argv[:1])
    application.setProperty(SCHEME, served)
    window = build_window(application, settings)
    window.project.exchange = exchange
    if served:
        from spatial_workbench.app.window.served.screen import ServedScreen

        ServedScreen(application, window).open()
    else:
        window.show()
    QTimer.singleShot(0, lambda: window.start(project))
    return application.exec()


def build_window(application: QApplication, settings: Settings | None = None) -> MainWindow:
    """Makes the main window in the chosen theme, without showing it."""
    from spatial_workbench.app.frame.memory import Collector, keep_little

    keep_little()
    from spatial_workbench.app.frame.settings import Settings
    from spatial_workbench.app.frame.style import apply_theme, dress, prepare, wanted_theme
    from spatial_workbench.app.window.log_view import LogBuffer
    from spatial_workbench.app.window.main_window import MainWindow
    from spatial_workbench.widgets.icons import application_icon

    application.setApplicationName("spatial-workbench")
    application.setApplicationDisplayName("Spatial Workbench")
    application.setDesktopFileName("spatial-workbench")
    prepare(application)
    settings = settings or Settings()
    apply_theme(application, wanted_theme(settings.theme, application), settings.reduce_motion)
    if application.windowIcon().isNull():
        application.setWindowIcon(application_icon())
    log = LogBuffer()
    root = logging.getLogger()
    root.addHandler(log)
    logging.getLogger("spatial_workbench.app").setLevel(logging.INFO)
    window = MainWindow(settings, log)
    window.destroyed.connect(partial(root.removeHandler, log))
    dress(window)
    Collector(window)
    # Threads keep the hook that was set when they started; it must not keep the window.
    sys.excepthook = partial(_report, weakref.ref(window))
    return window


def _report(
    window: weakref.ref[MainWindow], kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Shows an error that nobody caught, such as one in a slot, and prints its traceback to standard error too."""
    sys.__excepthook__(kind, error, trace)
    if (open_window := window()) is not None:
        open_window.messages.tell_of_error(error)


def refuse_bad_platform() -> str | None:
    """The reason why this Python and this Qt do not work together, or None."""
    from PySide6 import __version__

    if sys.version_info < (3, 12) and __version__.startswith("6.12"):
        return (
            f"PySide6 {__version__} aborts on Python {sys.version_info.major}.{sys.version_info.minor}. "
            "Install PySide6-Essentials 6.11.3, or use Python 3.12."
        )
    return None


def refuse_missing_screen() -> str | None:
    """The reason why no window can open here, or None."""
    if (reason := refuse_bad_platform()) is not None:
        return reason
    if has_display():
        return None
    return (
        "No display was found, so no window can open.\n"
        "On a virtual screen:  xvfb-run -s '-screen 0 1600x1000x24' spatial-workbench\n"
        "In a browser:         spatial-workbench serve PROJECT --person NAME\n"
        "Without any screen:   spatial-workbench --help"
    )


def has_display() -> bool:
    """Whether a window can be opened here."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("QT_QPA_PLATFORM"))
