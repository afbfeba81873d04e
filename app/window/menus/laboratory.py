"""The search for disagreements and what it found, and verifiers of the user's own, from the Runs menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from spatial_workbench.app.frame.host import Host
    from spatial_workbench.app.runs.findings.dialog import LabDialog
    from spatial_workbench.app.runs.findings.page import FindingsPage
    from spatial_workbench.app.runs.findings.searching import LabSearching
    from spatial_workbench.app.runs.findings.work import LabOrder
    from spatial_workbench.app.runs.own.dialog import OwnVerifiersDialog

BUSY = "A search for disagreements runs already; cancel it on the page of findings first."


class LaboratoryPages(QObject):
    """Looks for disagreements, and shows what was found."""

    def __init__(self, window: Host) -> None:
        super().__init__(window)
        self._window = window
        self._searching: LabSearching | None = None
        self.dialog: LabDialog | None = None
        self.verifiers: OwnVerifiersDialog | None = None
        window.pages.register("findings", self._make_page)
        add = window.actions_registry.add
        add("runs.look", "Runs", "&Look for disagreements…", self.ask, "", "search")
        add("runs.findings", "Runs", "&Findings", self.show_findings, "", "list")
        add("runs.verifiers", "Runs", "&Verifiers of your own…", self.show_verifiers, "", "check")

    @property
    def searching(self) -> LabSearching:
        """The search of this window."""
        if self._searching is None:
            from spatial_workbench.app.runs.findings.searching import LabSearching

            self._searching = LabSearching(self._window.project, self)
        return self._searching

    def ask(self) -> None:
        """Asks how to search, beginning with the task of the workspace in front."""
        from spatial_workbench.app.runs.findings.dialog import LabDialog
        from spatial_workbench.app.runs.own import work

        if self.searching.is_running:
            self._window.show_message(BUSY)
            self.show_findings()
            return
        workspace = self._window.pages.workspace
        chosen = () if workspace is None else (workspace.document.task.id,)
        self.dialog = dialog = LabDialog(chosen, self._window)
        dialog.ordered.connect(self.begin)
        self._window.jobs.live.run(
            "Reading the verifiers",
            work.known,
            done=dialog.offer,
            failed=self._window.show_message,
            quiet=True,
            owner=dialog,
        )
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def show_verifiers(self) -> None:
        """Lists the verifiers of the user's own."""
        from spatial_workbench.app.runs.own.dialog import OwnVerifiersDialog

        workspace = self._window.pages.workspace
        task = "" if workspace is None else workspace.document.task.id
        dialog = OwnVerifiersDialog(self._window.project, self._window.jobs, task, self._window)
        self.verifiers = dialog
        dialog.message.connect(self._window.show_message)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def begin(self, order: LabOrder) -> None:
        """Searches, and shows the page of findings."""
        self.show_findings()
        self.searching.start(order)

    def show_findings(self) -> FindingsPage:
        """Goes to the page of findings."""
        page: FindingsPage = self._window.pages.show("findings")
        return page

    def close(self) -> None:
        """Ends the search, as the window is closed."""
        if self._searching is not None:
            self._searching.close()

    def _make_page(self) -> FindingsPage:
        from spatial_workbench.app.runs.findings.page import FindingsPage

        page = FindingsPage(self._window.project, self._window.jobs, self._window.settings, self.searching)
        page.message.connect(self._window.show_message)
        page.search_wanted.connect(self.ask)
        page.open_wanted.connect(lambda address, text, origin: self._window.open_text(address, text, origin, ""))
        return page
