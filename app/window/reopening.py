"""Reopens tabs: the tabs of a project are remembered, and built when they are first shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from pydantic import BaseModel, Field, ValidationError
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from spatial_workbench.app.frame.pages import is_workspace
from spatial_workbench.engine.core import InstanceError, resolve

if TYPE_CHECKING:
    from spatial_workbench.app.frame.host import Host
    from spatial_workbench.app.frame.pages import Page
    from spatial_workbench.app.workspace.page import Workspace

REMEMBERED = "open_tabs"
MOST_TABS = 60
KEPT_MS = 1_000
"""How long tabs stay as they are before they are remembered, for a window that ends without being closed."""
_PAGE = "page:"
_KIND = "kind:"


class OpenTabs(BaseModel):
    """The tabs that were open in a project."""

    project: str = ""
    tabs: tuple[tuple[str, str], ...] = Field(
        default=(),
        description="in order: address of a subtask, “page:” and the name of a page, or “kind:”, a kind of pages "
        "and which of them; and title",
    )
    icons: dict[str, str] = Field(default={}, description="names of the tabs' icons, by what is remembered of them")
    front: str | None = Field(default=None, description="address of the one that was in front; None: another page was")


class RestingPage(QWidget):
    """The tab of a subtask or a page that was open before, not built yet."""

    def __init__(self, address: str, title: str, icon_name: str = "box") -> None:
        super().__init__()
        self.setObjectName("page")
        self.address = address
        self.title = title
        self.icon_name = icon_name

    def close_page(self) -> None:
        """Does nothing: there is no state to save."""


class Reopening(QObject):
    """Remembers the tabs that are open in a project, and opens them again with it."""

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self._host = host
        self._project: Path | None = None
        host.project.opened.connect(self._reopen)
        # Tabs change while one of them opens or closes; what follows from it waits until that is done.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._settle)
        host.pages.changed.connect(self._soon.start)
        self._keeping = QTimer(self, singleShot=True, interval=KEPT_MS)
        self._keeping.timeout.connect(self._remember)
        host.pages.changed.connect(self._keeping.start)

    def leave(self) -> None:
        """Stores the tabs of the project, which are closed now."""
        self._remember()
        self._project = None

    def _remember(self) -> None:
        if self._project is None:
            return
        pages = self._host.pages
        entries = [(entry, cast("Page", page).icon_name) for page in pages if (entry := self._entry(page)) is not None][
            :MOST_TABS
        ]
        last = self._entry(pages.front)
        kept = OpenTabs(
            project=str(self._project),
            tabs=tuple(entry for entry, _ in entries),
            icons={address: icon for (address, _), icon in entries},
            front=last[0] if last else None,
        )
        self._host.settings.remember(REMEMBERED, kept.model_dump_json())

    def _reopen(self, project: Path) -> None:
        self._project = project
        stored = _read(self._host.settings.remembered(REMEMBERED))
        if stored.project != str(project):
            return
        pages = self._host.pages
        front = pages.front
        for address, title in stored.tabs:
            if self._is_known(address):
                page = pages.add(RestingPage(address, title, stored.icons.get(address, "box")))
                front = page if address == stored.front else front
        if front is not None:
            pages.tabs.setCurrentWidget(front)

    def _settle(self) -> None:
        """Puts an opened page in the place of its resting tab, and opens the page of the resting tab in front."""
        self._replace_resting()
        page = self._host.pages.front
        if not isinstance(page, RestingPage):
            return
        pages = self._host.pages
        if page.address.startswith(_PAGE):
            pages.show(page.address.removeprefix(_PAGE))
        elif page.address.startswith(_KIND):
            kind, _, which = page.address.removeprefix(_KIND).partition(":")
            if pages.open_kind(kind, which) is None:
                pages.close(page)
        else:
            self._host.open_instance(page.address)

    def _entry(self, page: QWidget | None) -> tuple[str, str] | None:
        """How a tab is remembered; None: it is not."""
        if isinstance(page, RestingPage):
            return page.address, page.title
        if is_workspace(page):
            workspace = cast("Workspace", page)
            return workspace.document.instance.address, workspace.title
        if (kind := _kind_of(page)) is not None:
            return kind, cast("Page", page).title
        name = self._host.pages.name_of(page)
        return None if page is None or name is None else (_PAGE + name, cast("Page", page).title)

    def _is_known(self, address: str) -> bool:
        if address.startswith(_PAGE):
            return self._host.pages.is_registered(address.removeprefix(_PAGE))
        if address.startswith(_KIND):
            return self._host.pages.is_kind(address.removeprefix(_KIND).partition(":")[0])
        return _can_be_opened(address)

    def _replace_resting(self) -> None:
        pages = self._host.pages
        resting = {page.address: page for page in pages if isinstance(page, RestingPage)}
        for opened in [page for page in pages if not isinstance(page, RestingPage)]:
            name = pages.name_of(opened)
            address = _kind_of(opened) or getattr(opened, "address", None) if name is None else _PAGE + name
            place = resting.pop(address or "", None)
            if place is not None:
                pages.tabs.tabBar().moveTab(pages.tabs.indexOf(opened), pages.tabs.indexOf(place))
                pages.close(place)


def _kind_of(page: QWidget | None) -> str | None:
    """How a page of which there may be several is remembered; None for others."""
    kind, which = getattr(page, "reopened_by", ("", ""))
    return f"{_KIND}{kind}:{which}" if kind else None


def _read(text: str) -> OpenTabs:
    """The remembered tabs; none if they cannot be read."""
    try:
        return OpenTabs.model_validate_json(text)
    except ValidationError:
        return OpenTabs()


def _can_be_opened(address: str) -> bool:
    """Whether an instance can be opened; generated ones are made again when they are shown."""
    if "@" in address:
        return True
    try:
        resolve(address)
    except (InstanceError, KeyError):
        return False
    return True
