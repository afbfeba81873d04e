"""The report on agents' runs on the cube as a page of the window; it follows the project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QPushButton, QTextBrowser, QVBoxLayout, QWidget

from app.project_service import ProjectService
from app.reports import cube_runs, save_cube_report
from engine.cube.agent.report import report_body
from widgets.appearance import appearance
from widgets.theme import SPACE, Theme

if TYPE_CHECKING:
    from engine.store import Project

NOTHING = (
    "<p>No agent's run on the cube is stored in this project yet.</p>"
    "<p>File › Open the example project has one to look at and to replay.</p>"
)


class CubeReportPage(QWidget):
    """Rates, moves and what differences between settings tell, beside the published results."""

    title = "Cube results"

    def __init__(self, project: ProjectService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._project = project
        self._body = ""
        title = QLabel("Cube: results of agents")
        title.setObjectName("pageTitle")
        self.text = QTextBrowser()
        self.text.setAccessibleName("Results of agents on the cube")
        self.save = QPushButton("Save as HTML…")
        self.save.setToolTip("Save this report as one file that any browser opens")
        self.save.clicked.connect(self._choose_file)
        self.note = QLabel()
        self.note.setObjectName("secondary")
        head = QHBoxLayout()
        head.addWidget(title)
        head.addStretch(1)
        head.addWidget(self.note)
        head.addWidget(self.save)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6 * SPACE, 6 * SPACE, 6 * SPACE, 6 * SPACE)
        layout.setSpacing(4 * SPACE)
        layout.addLayout(head)
        layout.addWidget(self.text)
        appearance().changed.connect(self._show_body)
        for signal in (project.changed, project.opened):
            signal.connect(self.load)

    def load(self) -> None:
        """Reads the runs anew, if anybody sees them."""
        if self.isVisible():
            self._project.ask(_body_of, self._show)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.load()

    def save_to(self, path: Path) -> None:
        """Writes the report to a file."""
        self._project.ask(
            lambda project: save_cube_report(project, path),
            lambda _: self.note.setText(f"The report is in “{path.name}”."),
        )

    def close_page(self) -> None:
        """Stops following."""
        appearance().changed.disconnect(self._show_body)
        for signal in (self._project.changed, self._project.opened):
            signal.disconnect(self.load)

    def _choose_file(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self, "Save the report", "cube-report.html", "HTML (*.html)")
        if path:
            self.save_to(Path(path))

    def _show(self, body: str) -> None:
        self._body = body
        self.save.setEnabled(bool(body))
        self._show_body()

    def _show_body(self) -> None:
        place = self.text.verticalScrollBar().value()
        self.text.document().setDefaultStyleSheet(_style(appearance().theme))
        self.text.setHtml(self._body or NOTHING)
        self.text.verticalScrollBar().setValue(place)


def _body_of(project: Project) -> str:
    runs = cube_runs(project)
    return report_body(runs) if runs else ""


def _style(theme: Theme) -> str:
    return (
        "table { border-collapse: collapse; margin-bottom: 18px; }"
        f"td, th {{ padding: 4px 8px; border-bottom: 1px solid {theme.line}; text-align: right; }}"
        "td { white-space: nowrap; } td.name, th.name { text-align: left; }"
        f".published td, small {{ color: {theme.secondary}; }}"
    )
