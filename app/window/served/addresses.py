"""Files and addresses that the window wants to open with other programs, of which its screen shows none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication

if TYPE_CHECKING:
    from spatial_workbench.app.frame.host import Host

_SCHEMES = ("file", "http", "https")


class ServedAddresses(QObject):
    """Says where a file is, and copies an address, in place of opening it with another program."""

    def __init__(self, window: Host) -> None:
        super().__init__(window)
        self._window = window
        for scheme in _SCHEMES:
            QDesktopServices.setUrlHandler(scheme, self, "open")  # type: ignore[arg-type]  # It takes no bytes.

    def forget(self) -> None:
        """Leaves files and addresses to other programs again."""
        for scheme in _SCHEMES:
            QDesktopServices.unsetUrlHandler(scheme)

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        """Tells how to get to an address."""
        if url.isLocalFile():
            self._window.show_message(f"It is on the server: {url.toLocalFile()}")
            return
        QGuiApplication.clipboard().setText(url.toString())
        self._window.show_message(f"{url.toString()} was copied, to be opened in your browser.")
