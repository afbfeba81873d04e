"""Studies in the Runs menu: the leader's page, with the report and the exports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

if TYPE_CHECKING:
    from spatial_workbench.app.frame.host import Host
    from spatial_workbench.app.studies.leader.page import StudiesPage

_SUFFIXES = {"jsonl": "JSON lines (*.jsonl)"}


class StudyPages(QObject):
    """Opens the page about studies."""

    def __init__(self, window: Host) -> None:
        super().__init__(window)
        self._window = window
        window.pages.register("studies", self._make_page)
        window.actions_registry.add("runs.studies", "Runs", "&Studies", self.show_studies, "Ctrl+Shift+H", "person")

    def show_studies(self) -> StudiesPage:
        """Goes to the studies."""
        page: StudiesPage = self._window.pages.show("studies")
        return page

    def _make_page(self) -> StudiesPage:
        from spatial_workbench.app.studies.leader.page import StudiesPage

        page = StudiesPage(self._window.jobs, self._window.project, self._window.pages.holder)
        page.message.connect(self._window.show_message)
        page.results_asked.connect(lambda: self._window.pages.show("results"))
        page.report_asked.connect(self.write_report)
        page.short_report_asked.connect(lambda study: self.write_report(study, opens=False, is_short=True))
        page.export_asked.connect(self.ask_export)
        return page

    def write_report(self, study: str, opens: bool, target: Path | None = None, is_short: bool = False) -> None:
        """Writes the report on a study, or its short form, and opens it in the browser if asked."""
        from spatial_workbench.app.results.study_report import write_study_report

        project = self._window.project.path
        folder = self._window.project.files_folder
        if project is None or folder is None:
            return
        if target is None:
            name = f"study-{study}{'-short' if is_short else ''}.html"
            target = folder / name if opens else self._asked_file(folder / name)
        if target is None:
            return
        self._window.jobs.run(
            "Writing the report",
            write_study_report,
            project,
            study,
            target,
            is_short,
            done=lambda _: self._written(target, opens),
            failed=self._window.show_message,
        )

    def ask_export(self, study: str, kind: str) -> None:
        """Asks where the data go, and writes them."""
        folder = self._window.project.files_folder
        if folder is None:
            return
        start = str(folder / (f"study-{study}.jsonl" if kind == "jsonl" else f"study-{study}-{kind}"))
        if kind == "jsonl":
            path, _ = QFileDialog.getSaveFileName(self._window, "Export", start, _SUFFIXES[kind])
        else:
            path = QFileDialog.getExistingDirectory(self._window, "A folder for the export", str(folder))
        if path:
            self.export(study, kind, Path(path))

    def export(self, study: str, kind: str, target: Path) -> None:
        """Writes the data of a study."""
        from spatial_workbench.app.results.study_report import write_study_export

        self._window.jobs.run(
            "Exporting a study",
            write_study_export,
            self._window.project.path,
            study,
            target,
            kind,
            done=self._window.show_message,
            failed=self._window.show_message,
        )

    def _asked_file(self, start: Path) -> Path | None:
        path, _ = QFileDialog.getSaveFileName(self._window, "Save report", str(start), "Web pages (*.html)")
        return Path(path) if path else None

    def _written(self, target: Path, opens: bool) -> None:
        self._window.show_message(f"The report is in {target}.")
        if opens:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(target)))
