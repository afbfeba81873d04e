"""The documentation, and what the application is."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices

from spatial_workbench.app.frame.host import Host
from spatial_workbench.root import ROOT


def show_docs(window: Host) -> None:
    """Opens the folder of the documentation; where that cannot be done, says where it is."""
    docs = ROOT / "spatial_workbench" / "docs"
    if not (docs.is_dir() and QDesktopServices.openUrl(QUrl.fromLocalFile(str(docs)))):
        window.show_message("The documentation is in the folder docs of the project.")


def show_about(window: Host) -> None:
    """Opens the dialog with the version and the licence."""
    from spatial_workbench.app.window.dialogs import AboutDialog

    dialog = AboutDialog(window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
