"""Pages about answers: two beside each other, and what was recorded while one was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from spatial_workbench.app.attempts.compared import Compared
    from spatial_workbench.app.attempts.replays import MachineRun
    from spatial_workbench.app.frame.host import Host
    from spatial_workbench.app.machine_runs.page import MachineRunPage
    from spatial_workbench.engine.cube.agent.records import RunRecord
    from spatial_workbench.engine.evaluation.edit_histories import EditHistory


class AnswerPages(QObject):
    """Opens the pages about answers."""

    def __init__(self, window: Host) -> None:
        super().__init__(window)
        self._window = window

    def show_comparison(self, left: Compared, right: Compared) -> None:
        """Shows two answers beside each other."""
        from spatial_workbench.app.comparison.page import ComparePage

        self._window.pages.add(ComparePage(left, right, self._window.jobs))

    def show_replay(self, title: str, record: RunRecord | MachineRun | EditHistory) -> None:
        """Shows an agent's run, a person's edits, or a machine and the run that made it."""
        from spatial_workbench.app.attempts.replays import MachineRun
        from spatial_workbench.engine.evaluation.edit_histories import EditHistory

        if isinstance(record, EditHistory):
            from spatial_workbench.app.workspace.history import HistoryPage

            self._window.pages.add(HistoryPage(record, title, self._window.jobs))
        elif isinstance(record, MachineRun):
            from spatial_workbench.app.machine_runs.page import MachineRunPage

            self.show_machines(MachineRunPage(record, self._window.jobs))
        else:
            from spatial_workbench.app.workspace.replay import ReplayPage

            self._window.pages.add(ReplayPage(record, title))

    def show_machines(self, page: MachineRunPage) -> None:
        """Opens a page that browses machines."""
        page.message.connect(self._window.show_message)
        page.open_requested.connect(self._window.open_text)
        page.compare_requested.connect(self.show_comparison)
        self._window.pages.add(page)
