"""Opening an item: its editor's libraries are loaded in the background, then its page takes the place of a notice."""

from __future__ import annotations

import traceback

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from spatial_workbench.app.background.jobs import Jobs
from spatial_workbench.app.frame.loading import Loader
from spatial_workbench.app.studies.participant.pages.entry_pages import TextPage
from spatial_workbench.app.studies.participant.pages.item_page import ItemPage, page_of
from spatial_workbench.app.studies.participant.pages.page_stack import PageStack
from spatial_workbench.app.studies.participant.texts import words
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.studies.planning.document import ItemKind
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from spatial_workbench.engine.studies.sessions.sitting import Sitting
from spatial_workbench.widgets.qt import call_later


class ItemOpening(QObject):
    """Makes the pages of items.

    Signals:
        made(ItemPage): the page of the present item is ready to be shown.
    """

    made = Signal(object)

    def __init__(self, stack: PageStack, jobs: Jobs) -> None:
        super().__init__(stack)
        self._stack = stack
        self._jobs = jobs
        self._loader = Loader(self)
        self._sitting: Sitting | None = None

    def begin(self, sitting: Sitting) -> QWidget:
        """Begins to open the present item; returns a page that says so."""
        self._sitting = sitting
        position = sitting.state.position
        if sitting.state.item.kind is not ItemKind.INSTANCE:
            call_later(self, lambda: self.open_item(position))
            return QWidget()
        task, instance = sitting.state.subject()
        self._loader.load(instance, lambda: self.open_item(position))
        page = TextPage("", "", "")
        page.title.hide()
        page.add(words(tr("Opening {title}…", title=task.title), "secondary"))
        return page

    def open_item(self, position: int) -> None:
        """Makes the page of an item, if it is still the present one and has none yet."""
        sitting = self._sitting
        if sitting is None or sitting.state.page is not StudyPage.ITEM or sitting.state.position != position:
            return
        if isinstance(self._stack.page, ItemPage):
            return
        try:
            page = page_of(sitting, self._jobs)
        except Exception as error:
            # Whatever failed, the person goes on with the next item; the leader can have it shown anew.
            traceback.print_exc()
            sitting.work.break_item(f"{type(error).__name__}: {error}")
            return
        self.made.emit(page)

    def forget(self) -> None:
        """Opens nothing more of the session that ended."""
        self._sitting = None

    def close(self) -> None:
        """Stops loading."""
        self.forget()
        self._loader.close()
