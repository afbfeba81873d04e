"""How far verifiers can be trusted, from the *Runs* menu, and the pages that say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from collections.abc import Callable

    from spatial_workbench.app.frame.host import Host
    from spatial_workbench.app.runs.trust.agreement import VerifierAgreementPage
    from spatial_workbench.app.runs.trust.calibration import CalibrationPage
    from spatial_workbench.app.runs.trust.changes import ChangesPage


class VerifierPages(QObject):
    """Opens the pages of calibrations, of agreement, and of what another version changes.

    show_run: Goes to an attempt in the runs browser.
    """

    def __init__(self, window: Host, show_run: Callable[[int], None]) -> None:
        super().__init__(window)
        self._window = window
        self._show_run = show_run
        window.pages.register("calibration", self._make_calibration)
        window.pages.register("agreement", self._make_agreement)
        window.pages.register("changes", self._make_changes)
        add = window.actions_registry.add
        add("runs.agreement", "Runs", "A&greement of verifiers", self.show_agreement, "", "agreement")
        add("runs.calibration", "Runs", "&Calibration of verifiers", self.show_calibration, "", "ruler")
        add("runs.changes", "Runs", "Another &version of verifiers", self.show_changes, "", "version")

    def show_calibration(self) -> CalibrationPage:
        """Goes to the page of calibrations; a new one begins with the task of the workspace in front."""
        page: CalibrationPage = self._window.pages.show("calibration")
        return page

    def show_changes(self) -> ChangesPage:
        """Goes to the page of what another version changes."""
        page: ChangesPage = self._window.pages.show("changes")
        return page

    def _make_changes(self) -> ChangesPage:
        from spatial_workbench.app.runs.trust.changes import ChangesPage

        page = ChangesPage(self._window.project, self._window.jobs)
        page.message.connect(self._window.show_message)
        page.attempt_requested.connect(self._show_run)
        return page

    def show_agreement(self) -> VerifierAgreementPage:
        """Goes to the page of agreement."""
        page: VerifierAgreementPage = self._window.pages.show("agreement")
        return page

    def _make_agreement(self) -> VerifierAgreementPage:
        from spatial_workbench.app.runs.trust.agreement import VerifierAgreementPage

        page = VerifierAgreementPage(self._window.project)
        page.message.connect(self._window.show_message)
        page.attempt_requested.connect(self._show_run)
        return page

    def _make_calibration(self) -> CalibrationPage:
        from spatial_workbench.app.runs.trust.calibration import CalibrationPage

        workspace = self._window.pages.workspace
        task = "" if workspace is None else workspace.document.task.id
        page = CalibrationPage(self._window.jobs, task)
        page.message.connect(self._window.show_message)
        return page
