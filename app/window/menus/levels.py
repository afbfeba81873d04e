"""The entries of the menus for levels of people's own: to open, make and change them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog
from shiboken6 import isValid

from spatial_workbench.app.background import judging
from spatial_workbench.app.frame.added import added

if TYPE_CHECKING:
    from spatial_workbench.app.frame.host import Host
    from spatial_workbench.app.levels.choosing import LevelsDialog
    from spatial_workbench.app.levels.page import LevelPage
    from spatial_workbench.app.levels.work import KnownLevel, PublishedLevel, ReadLevel

FILTER = "Levels (*.level.json *.json);;All files (*)"
CHANGE_TIP = "Change the level of the machine in front; a published level stays as it is, and a copy is changed"


class OwnLevels(QObject):
    """Opens levels from files, and the pages on which levels are made."""

    def __init__(self, window: Host) -> None:
        super().__init__(window)
        self._window = window
        self.dialog: LevelsDialog | None = None
        add = window.actions_registry.add
        add("level.open", "File", "Open &level…", self._choose, "", "open")
        add("level.new", "File", "New le&vel", self.begin, "", "layers", "Make a level for machines, with a drawing")
        add("level.edit", "File", "Le&vels…", self.ask, "", "layers", "New, open, change: levels for machines")
        add("level.change", "Task", "Change the &level…", self.change_front, "", "layers", CHANGE_TIP)

    def open_file(self, path: str) -> None:
        """Adds the level in a file, and opens it; says what is wrong with the file."""
        name = Path(path).name
        self._window.jobs.run(
            f"Reading {name}",
            judging.add_level,
            path,
            done=self._open,
            failed=lambda text: self._window.warn("The level was not opened", text),
        )

    def follow_front(self) -> None:
        """Offers to change the level in front, or to begin with it if it is published."""
        is_level = bool(self._own_in_front() or self._published_in_front())
        self._window.actions_registry["level.change"].setEnabled(is_level)

    # Making levels ---------------------------------------------------------------------------------------------------

    def ask(self) -> None:
        """Lists the levels, to change one, or to begin a new one."""
        from spatial_workbench.app.levels import work
        from spatial_workbench.app.levels.choosing import LevelsDialog

        self.dialog = dialog = LevelsDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.new_wanted.connect(self.begin)
        dialog.copy_wanted.connect(self.begin_as)
        dialog.file_wanted.connect(self.choose_to_change)
        dialog.change_wanted.connect(self.change)
        dialog.build_wanted.connect(self._window.open_instance)
        dialog.discarding_wanted.connect(self._discard)
        self._window.jobs.run("Listing levels", work.list_known, done=self._list, quiet=True)
        self._window.jobs.run("Listing published levels", work.list_published, done=self._offer, quiet=True)
        dialog.open()

    def _discard(self, level: KnownLevel) -> None:
        """Forgets a level that was not saved."""
        from spatial_workbench.app.levels import work

        self._window.jobs.run("Discarding a level", work.discard, level, done=self._list, quiet=True)

    def begin(self) -> None:
        """Begins a new level."""
        from spatial_workbench.app.levels.work import ReadLevel
        from spatial_workbench.engine.machines.levels.level_drafts import new_draft

        self._show(ReadLevel(new_draft(), None))

    def begin_as(self, level_id: str) -> None:
        """Begins a new level that says what a published one says."""
        from spatial_workbench.app.levels import work

        self._window.jobs.run(
            f"Reading {level_id}", work.read_published, level_id, done=self._show, failed=self._refuse
        )

    def choose_to_change(self) -> None:
        """Asks for a file, to change the level in it."""
        path, _ = QFileDialog.getOpenFileName(self._window, "Change a level", "", FILTER)
        if path:
            self.change_file(Path(path))

    def change_file(self, path: Path) -> None:
        """Shows the level in a file, to be changed; says what is wrong if it cannot be shown."""
        from spatial_workbench.app.levels import work

        open_one = next((page for page in self._pages() if page.edited.path == path), None)
        if open_one is not None:
            self._window.pages.tabs.setCurrentWidget(open_one)
            return
        self._window.jobs.run(f"Reading {path.name}", work.read_draft, path, done=self._show, failed=self._refuse)

    def change(self, level: KnownLevel) -> None:
        """Shows a level that was added, or not saved, to be changed."""
        from spatial_workbench.app.levels import work

        self._window.jobs.run("Reading a level", work.read_known, level, done=self._show, failed=self._refuse)

    def change_front(self) -> None:
        """Shows the level of the workspace in front, to be changed; of a published one a copy."""
        from spatial_workbench.app.levels.work import KnownLevel

        address = self._own_in_front()
        published = self._published_in_front()
        if address:
            self.change(KnownLevel("", "", address))
        elif published:
            self.begin_as(published)

    def _show(self, read: ReadLevel) -> None:
        from spatial_workbench.app.levels.page import LevelPage

        page = LevelPage(read, self._window.jobs)
        page.message.connect(self._window.show_message)
        page.build_wanted.connect(self._open)
        page.retitled.connect(lambda: self._window.pages.retitle(page))
        self._window.pages.add(page)
        if page.edited.examined.faults:
            self._window.show_message(f"The level has faults. {page.edited.examined.faults[0]}.")

    def _refuse(self, text: str) -> None:
        self._window.warn("The level was not opened", text)

    def _list(self, levels: tuple[KnownLevel, ...]) -> None:
        if self.dialog is not None and isValid(self.dialog):
            self.dialog.show_levels(levels)

    def _offer(self, levels: tuple[PublishedLevel, ...]) -> None:
        if self.dialog is not None and isValid(self.dialog):
            self.dialog.offer_published(levels)

    def _pages(self) -> list[LevelPage]:
        from spatial_workbench.app.levels.page import LevelPage

        return [page for page in self._window.pages if isinstance(page, LevelPage)]

    def _own_in_front(self) -> str:
        """The address of the level in front; empty if it is none of people's own."""
        workspace = self._window.pages.workspace
        address = "" if workspace is None else str(workspace.document.instance.address)
        return address if address.startswith("machine_") and ":levels/" in address else ""

    def _published_in_front(self) -> str:
        """The id of the published level in front; empty if there is none."""
        workspace = self._window.pages.workspace
        instance = None if workspace is None else workspace.document.instance
        is_published = instance is not None and instance.task.startswith("machine_") and instance.number is not None
        return str(instance.parameters["level"]) if instance is not None and is_published else ""

    def _open(self, address: str) -> None:
        added().refresh()
        self._window.open_instance(address)

    def _choose(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self._window, "Open a level", "", FILTER)
        if path:
            self.open_file(path)
