"""The File menu's projects: new, open, copy, the example, and recent ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QStandardPaths
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QFileDialog, QMenu

from spatial_workbench.root import ROOT

if TYPE_CHECKING:
    from spatial_workbench.app.frame.host import Host

FILTER = "Projects (*.workbench)"


class Projects(QObject):
    """The projects of a window."""

    def __init__(self, window: Host) -> None:
        super().__init__(window)
        self._window = window
        self._project = window.project
        self._settings = window.settings
        self.recent = QMenu("Recent projects", window)
        add = window.actions_registry.add
        keys = QKeySequence.StandardKey
        add("project.new", "File", "&New project…", self._choose_new, keys.New)
        add("project.open", "File", "&Open project…", self._choose, keys.Open, "open")
        add("project.copy", "File", "Save a &copy…", self._save_copy, keys.SaveAs, "save")
        add("project.example", "File", "Open the &example project", self.open_example)
        self._project.opened.connect(self._opened)
        self._project.refused.connect(self._refused)
        self._project.abandoned.connect(self._use_any)
        self._project.trouble.connect(lambda text: window.warn("The project file could not be used", text))
        self._fill_recent()

    def open_example(self) -> None:
        """Opens a copy of the example project, so that the original stays unchanged."""
        from platformdirs import user_data_path

        source = ROOT / "projects" / "quickstart.workbench"
        if not source.is_file():
            self._window.show_message("The example project is missing; `spatial-workbench example` creates it.")
            return
        target = user_data_path("spatial-workbench", appauthor=False, ensure_exists=True) / "quickstart.workbench"
        if not target.exists():
            target.write_bytes(source.read_bytes())
        self._project.open(target)

    def _choose_new(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self._window, "New project", self._folder(), FILTER)
        if path:
            self._project.open(_with_suffix(path), create=True)

    def _choose(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self._window, "Open a project", self._folder(), FILTER)
        if path:
            self._project.open(Path(path))

    def _save_copy(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self._window, "Save a copy", self._folder(), FILTER)
        if path:
            target = _with_suffix(path)
            self._project.ask(
                lambda project: project.save_copy(target),
                lambda _: self._window.show_message(f"A copy is in “{target}”."),
            )

    def _opened(self, path: Path) -> None:
        name = "Scratch project" if self._project.is_scratch else path.name
        self._window.setWindowTitle(f"{name} — Spatial Workbench")
        self._settings.last_project = None if self._project.is_scratch else path
        if not self._project.is_scratch:
            self._settings.add_recent(path)
        self._fill_recent()

    def _use_any(self) -> None:
        """Opens the scratch project if none is open."""
        if self._project.path is None:
            self._project.open_scratch()

    def _refused(self, text: str) -> None:
        self._use_any()
        self._window.warn("The project was not opened", text)

    def _folder(self) -> str:
        if self._project.exchange is not None or not self._project.is_scratch:
            return str(self._project.files_folder or "")
        return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)

    def _fill_recent(self) -> None:
        self.recent.clear()
        for path in self._settings.recent:
            action = self.recent.addAction(path.name)
            action.setToolTip(str(path))
            action.triggered.connect(lambda _=False, chosen=path: self._project.open(chosen))
        self.recent.setEnabled(bool(self._settings.recent))


def _with_suffix(path: str) -> Path:
    chosen = Path(path)
    return chosen if chosen.suffix == ".workbench" else chosen.with_name(chosen.name + ".workbench")
