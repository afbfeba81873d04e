"""The main window on a screen that a browser shows."""

from __future__ import annotations

import os
import signal
import socket
import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSocketNotifier, Qt, QTimer
from PySide6.QtWidgets import QApplication

from spatial_workbench.app.serving.workbench.ready import READY
from spatial_workbench.app.window.served.addresses import ServedAddresses
from spatial_workbench.app.window.served.frames import WindowKeeper

if TYPE_CHECKING:
    from spatial_workbench.app.frame.host import Host


class ServedScreen(QObject):
    """Fits a window to its screen, whose size follows the browser's, and closes it when the server wants that.

    window: the main window, which is not shown yet.
    """

    def __init__(self, application: QApplication, window: Host) -> None:
        super().__init__(window)
        self._application = application
        self._window = window
        self._keeper = WindowKeeper(application, window)
        self._addresses = ServedAddresses(window)
        self._wakes, self._woken = socket.socketpair()
        self._wakes.setblocking(False)
        self._notifier = QSocketNotifier(self._woken.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._leave)

    def open(self) -> None:
        """Shows the window on the whole screen; from now on, SIGTERM closes it as its menu does."""
        # Python's handlers run between two of its instructions, and Qt waits in none of them; so a socket tells.
        signal.set_wakeup_fd(self._wakes.fileno())
        signal.signal(signal.SIGTERM, lambda number, frame: None)
        self._window.setWindowFlag(Qt.WindowType.FramelessWindowHint)
        screen = self._window.screen()
        screen.geometryChanged.connect(self._window.setGeometry)
        self._window.show()
        self._window.setGeometry(screen.geometry())
        self._window.activateWindow()
        QTimer.singleShot(0, self, _tell_ready)

    def _leave(self) -> None:
        self._notifier.setEnabled(False)
        self._window.close()
        self._application.quit()


def _tell_ready() -> None:
    """Tells the server that the window is there, and nothing after that: nobody reads what follows."""
    print(READY, flush=True)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
