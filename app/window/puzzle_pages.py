"""The Puzzles menu: sets of puzzles, and the annotation of one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.frame.host import Host
    from app.puzzles.page import PuzzlesPage


class PuzzlePages(QObject):
    """Opens the pages about sets of puzzles."""

    def __init__(self, window: Host) -> None:
        super().__init__(window)
        self._window = window
        window.pages.register("puzzles", self._make_page)
        add = window.actions_registry.add
        add("puzzles.sets", "Puzzles", "&Sets of puzzles", self.show_sets, "Ctrl+Shift+U", "list")
        add("puzzles.add", "Puzzles", "&Add folder…", self._on_page(lambda page: page.ask_folder()), "", "open")
        add("puzzles.import", "Puzzles", "&Import zip or PDF…", self._on_page(lambda page: page.ask_import()))
        add("puzzles.new_set", "Puzzles", "New &set…", self._on_page(lambda page: page.ask_new_set()), "", "place")

    def show_sets(self) -> PuzzlesPage:
        """Goes to the sets of puzzles."""
        page: PuzzlesPage = self._window.pages.show("puzzles")
        return page

    def _on_page(self, do: Callable[[PuzzlesPage], object]) -> Callable[[], None]:
        def act() -> None:
            do(self.show_sets())

        return act

    def _make_page(self) -> PuzzlesPage:
        from app.puzzles.page import PuzzlesPage

        page = PuzzlesPage(self._window.jobs, self._window.project)
        page.message.connect(self._window.show_message)
        return page
