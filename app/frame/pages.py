"""The tabs of the window: pages are added, found by name, brought to the front and closed here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol, cast

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QTabBar, QTabWidget, QToolButton, QWidget

from spatial_workbench.app.frame.style import take_theme
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.plain_text import with_marks

if TYPE_CHECKING:
    from spatial_workbench.app.workspace.page import Workspace


class Page(Protocol):
    """The widget of a tab: it has a title and an icon, and releases its resources when closed."""

    @property
    def title(self) -> str:
        """The text on the tab."""

    @property
    def icon_name(self) -> str:
        """The icon on the tab."""

    def close_page(self) -> None:
        """Releases resources and saves the page's state."""


class Pages(QObject):
    """The pages of a window. The first one stays; every other has a button that closes it.

    Signals:
        changed(): another page is current.
        closed(QWidget): a page was closed; it is deleted soon.
    """

    changed = Signal()
    closed = Signal(object)

    def __init__(self, tabs: QTabWidget) -> None:
        super().__init__(tabs)
        self.tabs = tabs
        self._makers: dict[str, Callable[[], Page]] = {}
        self._openers: dict[str, Callable[[str], QWidget | None]] = {}
        """What opens a page of which there may be several, by kind."""
        self._single: dict[str, QWidget] = {}
        """Pages of which there is one, by name."""
        self._unthemed: set[QWidget] = set()
        """Hidden pages that take on the theme when they are shown."""
        tabs.currentChanged.connect(self._front_changed)

    def __iter__(self) -> Iterator[QWidget]:
        for index in range(self.tabs.count()):
            page = self.tabs.widget(index)
            assert page is not None
            yield page

    @property
    def holder(self) -> QWidget:
        """What holds the pages: one that is made as its child has its style at once, and not again when it is added."""
        held = self.tabs.findChild(QStackedWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        assert held is not None
        return held

    @property
    def front(self) -> QWidget | None:
        """The current page."""
        return self.tabs.currentWidget()

    @property
    def workspaces(self) -> list[Workspace]:
        """The open workspaces, in the order of the tabs."""
        return [cast("Workspace", page) for page in self if is_workspace(page)]

    @property
    def workspace(self) -> Workspace | None:
        """The workspace in front, or None."""
        return cast("Workspace", self.front) if is_workspace(self.front) else None

    def register(self, name: str, make: Callable[[], Page]) -> None:
        """Registers how to make a page of which at most one is open."""
        self._makers[name] = make

    def register_kind(self, kind: str, open_: Callable[[str], QWidget | None]) -> None:
        """Registers how to open pages of which there may be several; each says in `reopened_by` what it is.

        open_: Opens the page that a text tells apart from others of its kind; None if it cannot be opened any more.
        """
        self._openers[kind] = open_

    def open_kind(self, kind: str, which: str) -> QWidget | None:
        """Opens a page again; None if it cannot be opened any more."""
        opener = self._openers.get(kind)
        return None if opener is None else opener(which)

    def is_kind(self, kind: str) -> bool:
        """Whether pages of a kind can be opened."""
        return kind in self._openers

    def show(self, name: str) -> Any:
        """Goes to the page of that name, making it if it is not open."""
        if name not in self._single:
            page = self._makers[name]()
            self._single[name] = self.add(page)
        self.tabs.setCurrentWidget(self._single[name])
        return self._single[name]

    def opened(self, name: str) -> QWidget | None:
        """The open page of that name."""
        return self._single.get(name)

    def name_of(self, page: QWidget | None) -> str | None:
        """The name of a page of which at most one is open; None for others."""
        return next((name for name, single in self._single.items() if single is page), None)

    def is_registered(self, name: str) -> bool:
        """Whether `show` knows how to make a page."""
        return name in self._makers

    def add(self, page: Page, place: int = -1) -> QWidget:
        """Opens a tab at a place (-1: the last) and goes there."""
        assert isinstance(page, QWidget)
        index = self.tabs.insertTab(place, page, icon(page.icon_name), with_marks(page.title))
        self.tabs.setTabToolTip(index, page.title)
        if self.tabs.count() > 1:
            self.tabs.tabBar().setTabButton(
                index, QTabBar.ButtonPosition.RightSide, self._close_button(page, page.title)
            )
        self.tabs.setCurrentIndex(index)
        return page

    def retitle(self, page: Page) -> None:
        """Shows the present title of a page on its tab."""
        assert isinstance(page, QWidget)
        index = self.tabs.indexOf(page)
        if index >= 0:
            self.tabs.setTabText(index, with_marks(page.title))
            self.tabs.setTabToolTip(index, page.title)

    def close(self, page: QWidget) -> None:
        """Closes a tab; the page saves its state."""
        cast(Page, page).close_page()
        self._single = {name: other for name, other in self._single.items() if other is not page}
        self._unthemed.discard(page)
        self.tabs.removeTab(self.tabs.indexOf(page))
        self.closed.emit(page)
        page.deleteLater()

    def close_front(self) -> None:
        """Closes the current page, unless it is the first one."""
        if self.front is not None and self.tabs.currentIndex() > 0:
            self.close(self.front)

    def close_all(self) -> None:
        """Closes every page but the first one, which comes to the front: no other is drawn on the way."""
        self.tabs.setCurrentIndex(0)
        for page in list(self)[1:]:
            self.close(page)

    def step(self, by: int) -> None:
        """Goes to the next or the previous page, cyclically."""
        self.tabs.setCurrentIndex((self.tabs.currentIndex() + by) % self.tabs.count())

    def theme_later(self) -> set[QWidget]:
        """The hidden pages; they take on a new theme when they are shown."""
        self._unthemed = {page for page in self if page is not self.front}
        return self._unthemed

    def _close_button(self, page: QWidget, title: str) -> QToolButton:
        button = QToolButton()
        button.setIcon(icon("close", "secondary"))
        button.setObjectName("closeTab")
        button.setFixedSize(22, 22)
        button.setToolTip("Close this tab")
        button.setAccessibleName(f"Close {title}")
        button.clicked.connect(lambda: self.close(page))
        return button

    def _front_changed(self) -> None:
        front = self.front
        if front is not None and front in self._unthemed:
            self._unthemed.discard(front)
            take_theme(front)
        self.changed.emit()


def is_workspace(page: QWidget | None) -> bool:
    """Whether a page is a workspace, found out without importing workspaces."""
    return page is not None and page.objectName() == "workspace"
