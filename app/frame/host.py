"""What the window offers to the menus and pages that are added to it."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMainWindow

if TYPE_CHECKING:
    from spatial_workbench.app.attempts.compared import Compared
    from spatial_workbench.app.attempts.replays import MachineRun
    from spatial_workbench.app.background.jobs import Jobs
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.app.frame.actions import Actions
    from spatial_workbench.app.frame.pages import Pages
    from spatial_workbench.app.frame.settings import Settings
    from spatial_workbench.engine.cube.agent.records import RunRecord


class Host(QMainWindow):
    """The window as its menus and pages know it."""

    settings: Settings
    jobs: Jobs
    project: ProjectService
    actions_registry: Actions
    pages: Pages

    @abstractmethod
    def open_instance(self, address: str) -> None:
        """Opens an instance in its own tab, or goes to that tab."""

    @abstractmethod
    def open_attempt(self, address: str, number: int) -> None:
        """Opens an instance and puts an attempt's answer into its editor."""

    @abstractmethod
    def show_message(self, text: str) -> None:
        """Shows a message in the status bar, and logs it."""

    @abstractmethod
    def warn(self, title: str, text: str) -> None:
        """Shows an important message in a message box, one at a time."""

    @abstractmethod
    def show_comparison(self, left: Compared, right: Compared) -> None:
        """Shows two answers beside each other."""

    @abstractmethod
    def open_text(self, address: str, text: str, origin: str, person: str) -> None:
        """Opens an instance and puts an answer into its editor.

        origin: Where it comes from, in words. person: Who built it; empty: no person did.
        """

    @abstractmethod
    def show_replay(self, title: str, record: RunRecord | MachineRun) -> None:
        """Shows an agent's run step by step, or a machine and the run that made it."""
