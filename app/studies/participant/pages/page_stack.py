"""One page at a time, and what covers it."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from spatial_workbench.app.studies.participant.covers import Covering
from spatial_workbench.app.studies.participant.pages.column import ColumnPage
from spatial_workbench.app.studies.participant.pages.item_page import ItemPage

CoverT = TypeVar("CoverT", bound=Covering)


class PageStack(QStackedWidget):
    """The current page, with a cover over it or without.

    Attributes:
        page: The current page.

    Signals:
        covered(bool): something covers the page now, or nothing does.
    """

    covered = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.page: QWidget = QWidget()
        self.addWidget(self.page)

    def put(self, page: QWidget, is_covered: bool) -> None:
        """Replaces the previous page, which is deleted; shows the new one unless it is covered."""
        self.leave_page()
        old = self.page
        self.page = page
        self.addWidget(page)
        self.removeWidget(old)
        old.deleteLater()
        if not is_covered:
            self.setCurrentWidget(page)
            _focus(page)

    def leave_page(self) -> None:
        """Releases what the page of an item holds."""
        if isinstance(self.page, ItemPage):
            self.page.close_page()

    def cover(self, cover: CoverT) -> CoverT:
        """Covers the page."""
        self._drop_covers()
        self.addWidget(cover)
        self.setCurrentWidget(cover)
        _focus(cover)
        self.covered.emit(True)
        return cover

    def uncover_to(self, widget: QWidget) -> None:
        """Shows the page, or a cover that stays."""
        if self.currentWidget() is not widget:
            self.setCurrentWidget(widget)
            _focus(widget)
        self.covered.emit(isinstance(widget, Covering))
        self._drop_covers(but=widget)

    def _drop_covers(self, but: QObject | None = None) -> None:
        for place in reversed(range(self.count())):
            widget = self.widget(place)
            if isinstance(widget, Covering) and widget is not but:
                self.removeWidget(widget)
                widget.deleteLater()


def _focus(widget: QWidget) -> None:
    if isinstance(widget, ColumnPage | Covering | ItemPage):
        widget.first_field().setFocus()
