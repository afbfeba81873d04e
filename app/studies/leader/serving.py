"""Collecting in browsers: starts the study's server as a process of its own, and watches it."""

from __future__ import annotations

from pathlib import Path
from subprocess import Popen

from PySide6.QtCore import QObject, QTimer

from spatial_workbench.app.studies.leader import launching
from spatial_workbench.app.studies.leader.chosen_study import ChosenStudy
from spatial_workbench.app.studies.leader.dialogs.serving import ServingDialog
from spatial_workbench.app.studies.leader.progress_view import ProgressView
from spatial_workbench.app.studies.leader.work import serving
from spatial_workbench.app.studies.leader.work.serving import ServerWish, ServingOrder
from spatial_workbench.engine.studies.files.serving_state import ServingState

LOOK_MS = 1000


class BrowserCollecting(QObject):
    """Opens the dialog about the server of the chosen study, and does what it asks.

    Attributes:
        dialog: The dialog, while it is open.
    """

    def __init__(self, chosen: ChosenStudy, view: ProgressView) -> None:
        super().__init__(view)
        self.dialog: ServingDialog | None = None
        self._chosen = chosen
        self._view = view
        self._process: Popen[bytes] | None = None
        self._log: Path | None = None
        self._study = ""
        self._looks = QTimer(self, interval=LOOK_MS)
        self._looks.timeout.connect(self._look)
        view.serve_asked.connect(self.open)

    def open(self) -> None:
        """Opens the dialog."""
        snapshot = self._chosen.snapshot
        if snapshot is None or self._chosen.path is None:
            return
        self._study = self._chosen.id
        dialog = ServingDialog(snapshot.row.name, self._view)
        dialog.start_asked.connect(self.start)
        dialog.wished.connect(self._wish)
        dialog.links_asked.connect(self._write_links)
        dialog.finished.connect(self._closed)
        self.dialog = dialog
        self._chosen.ask(dialog)
        self._looks.start()
        self._look()

    def start(self, order: ServingOrder) -> None:
        """Starts a server; it outlives the application."""
        assert self._chosen.path is not None
        try:
            self._log = serving.server_log(self._chosen.path, self._study)
            with open(self._log, "wb") as log:
                self._process = launching.start(order.arguments(self._chosen.path, self._study), log)
        except OSError as error:
            self._tell_trouble(f"The server could not be started: {error.strerror}.")

    def _look(self) -> None:
        if self._chosen.path is not None:
            self._chosen.soon(
                "Looking at the server", serving.present_server, self._chosen.path, self._study, done=self._show
            )

    def _show(self, state: ServingState | None) -> None:
        if self.dialog is None:
            return
        self.dialog.show_state(state)
        if state is None and self._process is not None and self._process.poll() is not None:
            failed = self._process.returncode != 0
            self._process = None
            if failed and self._log is not None:
                self._chosen.soon("Reading why", serving.last_words, self._log, done=self._tell_trouble)

    def _tell_trouble(self, words: str) -> None:
        if self.dialog is not None:
            self.dialog.show_trouble(words or "The server ended without saying why.")

    def _wish(self, wish: ServerWish) -> None:
        self._chosen.soon(
            "Telling the server",
            serving.ask_server,
            self._chosen.path,
            self._study,
            wish,
            done=lambda _: self._look(),
        )

    def _write_links(self, path: str) -> None:
        if self.dialog is not None and self.dialog.state is not None:
            self._chosen.soon(
                "Writing links",
                serving.write_links,
                Path(path),
                self.dialog.state,
                done=self._chosen.message.emit,
            )

    def _closed(self) -> None:
        self._looks.stop()
        self.dialog = None
