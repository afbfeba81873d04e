"""The tabs about the chosen study."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QTabWidget, QWidget

from spatial_workbench.app.studies.leader.chosen_study import ChosenStudy
from spatial_workbench.app.studies.leader.work.reading import StudySnapshot


class StudyTabs(QTabWidget):
    """Views of the chosen study; the one in front is updated, the others follow when they are shown."""

    def __init__(self, chosen: ChosenStudy) -> None:
        super().__init__()
        self._chosen = chosen
        self._updates: dict[int, Callable[[StudySnapshot], object]] = {}
        self._updated: tuple[int, StudySnapshot | None] = (-1, None)
        """The tab that was updated last, and what it shows."""
        self.setDocumentMode(True)
        # Until it is known which study is shown, no tab is in front, and so none is built in vain.
        self.hide()

    def add_view(self, view: QWidget, text: str, update: Callable[[StudySnapshot], object] | None = None) -> None:
        """Adds a tab; `update` shows a study in it, unless somebody else does."""
        tab = self.addTab(view, text)
        if update is not None:
            self._updates[tab] = update

    def update_front(self) -> None:
        """Shows the chosen study in the tab in front, if it does not show it yet."""
        tab = self.currentIndex()
        snapshot = self._chosen.snapshot
        is_shown = self._updated[0] == tab and self._updated[1] is snapshot
        if snapshot is not None and tab in self._updates and not is_shown:
            self._updated = (tab, snapshot)
            self._updates[tab](snapshot)
