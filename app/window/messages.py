"""What the window says: in the status bar, in message boxes, and for tabs that are not in front."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMainWindow, QMessageBox, QWidget

from spatial_workbench.engine.core.plug_ins.foreign import TaskFault
from spatial_workbench.widgets.plain_text import with_marks

if TYPE_CHECKING:
    from spatial_workbench.app.frame.pages import Pages
    from spatial_workbench.app.window.status_bar import StatusBar
    from spatial_workbench.app.workspace.page import Workspace

_log = logging.getLogger(__name__)

MESSAGE_MS = 8000


class Messages(QObject):
    """Shows messages and the status of the page in front. The log has every message."""

    def __init__(self, window: QMainWindow, bar: StatusBar, pages: Pages) -> None:
        super().__init__(window)
        self._window = window
        self._bar = bar
        self._pages = pages
        self._unread: dict[QWidget, str] = {}
        """The last message of each tab that was not in front when it came."""

    def show_message(self, text: str) -> None:
        """Shows a message in the status bar for a while."""
        _log.info(text)
        self._bar.showMessage(with_marks(text), MESSAGE_MS)

    def warn(self, title: str, text: str) -> None:
        """Shows an important message in a message box, one at a time."""
        _log.warning("%s: %s", title, text)
        if self._window.findChild(QMessageBox) is not None:
            return
        box = QMessageBox(QMessageBox.Icon.Warning, title, text, parent=self._window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    def tell_of_error(self, error: BaseException) -> None:
        """Reports an unexpected error; the log has the details."""
        if isinstance(error, TaskFault):
            self.show_message(str(error))
            return
        _log.error("unforeseen", exc_info=error)
        self._bar.showMessage(
            "Something went wrong here. Your work is stored; the details are in the log (Ctrl+Shift+G).", MESSAGE_MS
        )

    def listen_to(self, workspace: Workspace) -> None:
        """Shows what a workspace says: its status while it is in front, its messages once it is."""
        workspace.status_changed.connect(lambda text: self._show_status_of(workspace, text))
        workspace.message.connect(lambda text: self._show_message_of(workspace, text))
        # The last message is about the answer as it was.
        workspace.document.answer_changed.connect(self._bar.clearMessage)

    def forget(self, page: QWidget) -> None:
        """Drops the message of a page that is closed."""
        self._unread.pop(page, None)

    def follow_front(self) -> None:
        """Shows the message and the status of the page that came to the front."""
        self._bar.clearMessage()
        workspace = self._pages.workspace
        if workspace is None:
            self._bar.show_text("")
            return
        if workspace in self._unread:
            self.show_message(self._unread.pop(workspace))
        workspace.editor.update_status()

    def _show_message_of(self, workspace: Workspace, text: str) -> None:
        if workspace is self._pages.workspace:
            self.show_message(text)
        else:
            self._unread[workspace] = text

    def _show_status_of(self, workspace: Workspace, text: str) -> None:
        if workspace is self._pages.workspace:
            self._bar.show_text(text)
