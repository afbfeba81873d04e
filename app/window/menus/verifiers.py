"""How far verifiers can be trusted, from the *Runs* menu, and the pages that say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from spatial_workbench.app.frame.host import Host
    from spatial_workbench.app.runs.trust.calibration import CalibrationPage


class VerifierPages(QObject):
    """Opens the page of calibrations."""

    def __init__(self, window: Host) -> None:
        super().__init__(window)
        self._window = window
        window.pages.register("calibration", self._make_calibration)
        add = window.actions_registry.add
        add("runs.calibration", "Runs", "&Calibration of verifiers", self.show_calibration, "", "ruler")

    def show_calibration(self) -> CalibrationPage:
        """Goes to the page of calibrations; a new one begins with the task of the workspace in front."""
        page: CalibrationPage = self._window.pages.show("calibration")
        return page

    def _make_calibration(self) -> CalibrationPage:
        from spatial_workbench.app.runs.trust.calibration import CalibrationPage

        workspace = self._window.pages.workspace
        task = "" if workspace is None else workspace.document.task.id
        page = CalibrationPage(self._window.jobs, task)
        page.message.connect(self._window.show_message)
        return page
