"""Opens subtasks: finds or generates them, loads them in the background, and builds them step by step in a tab."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from spatial_workbench.app.background import judging
from spatial_workbench.app.frame.loading import Loader, OpeningPage, in_turns
from spatial_workbench.engine.core import Instance, InstanceError, resolve, task
from spatial_workbench.engine.core.errors import sentence_of
from spatial_workbench.engine.core.plug_ins.foreign import TaskFault

if TYPE_CHECKING:
    from spatial_workbench.app.frame.host import Host
    from spatial_workbench.app.workspace.page import Workspace
    from spatial_workbench.app.workspace.session import Session

_log = logging.getLogger(__name__)


class Openings(QObject):
    """Opens subtasks for the person who is solving.

    Signals:
        beginning(): a workspace is about to be built.
        opened(Workspace): a workspace is built, and about to be shown.
    """

    beginning = Signal()
    opened = Signal(object)

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self._host = host
        self.loader = Loader(self)
        self._opening: set[str] = set()
        """Addresses of the instances that are being opened."""
        self._puts: dict[str, Callable[[Workspace], None]] = {}
        """What to put into editors once their instance is open, by its address."""
        host.pages.closed.connect(self._forget_page)

    def open_instance(self, address: str) -> None:
        """Opens an instance in its own tab, or goes to that tab."""
        workspace = self._workspace_of(address)
        if workspace is not None:
            self._host.pages.tabs.setCurrentWidget(workspace)
        elif address in self._opening:
            self._show_opening(address)
        elif "@" in address:
            self._make(address)
        else:
            try:
                self.begin(resolve(address)[1])
            except (InstanceError, TaskFault) as error:
                self._host.show_message(str(error))

    def open_attempt(self, address: str, number: int) -> None:
        """Opens an instance and puts an attempt's answer into its editor."""
        self._put_once_open(address, lambda workspace: workspace.attempts.open(number))

    def open_text(self, address: str, text: str, origin: str, person: str) -> None:
        """Opens an instance and puts an answer from elsewhere into its editor."""
        self._put_once_open(address, lambda workspace: workspace.answers.put_from_elsewhere(text, origin, person))

    def _put_once_open(self, address: str, put: Callable[[Workspace], None]) -> None:
        workspace = self._workspace_of(address)
        if workspace is None:
            self._puts[address] = put
            self.open_instance(address)
        else:
            self._host.pages.tabs.setCurrentWidget(workspace)
            put(workspace)

    def begin(self, instance: Instance) -> None:
        """Opens a placeholder tab, and loads what the editor needs."""
        self._opening.add(instance.address)
        self._host.pages.add(OpeningPage(instance))
        self.loader.load(instance, partial(self.begin_session, instance))

    def begin_session(self, instance: Instance) -> None:
        """Reads the person's draft and times from the project, unless the opening was cancelled."""
        from spatial_workbench.app.workspace.session import Session

        if instance.address not in self._opening:
            return
        host = self._host
        opened = task(instance.task)
        try:
            opened.empty(instance)
        except TaskFault as fault:
            self._give_up(instance, fault)
        else:
            Session.open(opened, instance, host.settings.person, host.project, host.jobs, self._show_session)

    def forget(self) -> None:
        """Cancels everything being opened."""
        self._opening.clear()
        self._puts.clear()

    def close(self) -> None:
        """Stops loading."""
        self.loader.close()

    def _make(self, address: str) -> None:
        self._opening.add(address)
        self._host.jobs.run(
            "Making a new instance",
            judging.find,
            address,
            done=lambda instance: self._made(address, instance),
            failed=lambda text: self._could_not_open(address, text),
        )

    def _made(self, address: str, instance: Instance) -> None:
        """Opens a generated instance; its canonical address may differ from the requested one."""
        self._opening.discard(address)
        self.begin(instance)

    def _workspace_of(self, address: str) -> Workspace | None:
        workspaces = self._host.pages.workspaces
        return next((page for page in workspaces if page.document.instance.address == address), None)

    def _page_of(self, address: str) -> OpeningPage | None:
        pages = (page for page in self._host.pages if isinstance(page, OpeningPage))
        return next((page for page in pages if page.address == address), None)

    def _show_opening(self, address: str) -> None:
        page = self._page_of(address)
        if page is not None:
            self._host.pages.tabs.setCurrentWidget(page)

    def _could_not_open(self, address: str, text: str) -> None:
        self._opening.discard(address)
        self._puts.pop(address, None)
        self._host.show_message(text)

    def _forget_page(self, page: object) -> None:
        if isinstance(page, OpeningPage):
            self._opening.discard(page.address)
            self._puts.pop(page.address, None)

    def _show_session(self, session: Session, note: str) -> None:
        instance = session.document.instance
        if instance.address not in self._opening:
            session.close()
        elif session.person != self._host.settings.person:
            session.close()
            self.begin_session(instance)
        else:
            self.beginning.emit()
            in_turns(self, self._try_to_build(session, note, self._page_of(instance.address)))

    def _try_to_build(self, session: Session, note: str, page: OpeningPage | None) -> Iterator[None]:
        """Builds a workspace; if that fails, closes its tab and says why."""
        try:
            yield from self._build(session, note, page)
        except Exception as error:
            if not isinstance(error, TaskFault):
                _log.exception("%s cannot be opened", session.document.instance.address)
            session.close()
            self._give_up(session.document.instance, error)

    def _give_up(self, instance: Instance, error: Exception) -> None:
        page = self._page_of(instance.address)
        if page is not None:
            self._host.pages.close(page)
        self._could_not_open(instance.address, f"{instance.address} cannot be opened. {sentence_of(error)}")

    def _build(self, session: Session, note: str, page: OpeningPage | None) -> Iterator[None]:
        """Builds a workspace step by step; the window handles events between two steps."""
        from spatial_workbench.app.workspace.page import Workspace

        yield
        workspace = None
        if self._is_wanted(session, page):
            workspace = Workspace(session, self._host.project, self._host.jobs, self._host.settings)
            yield
        if workspace is not None and self._is_wanted(session, page):
            workspace.add_panels()
            yield
        if workspace is not None and self._is_wanted(session, page):
            self._show_workspace(workspace, note)
            return
        workspace.discard() if workspace is not None else session.close()
        if self._is_open_still(session, page):
            self.begin_session(session.document.instance)

    def _is_open_still(self, session: Session, page: OpeningPage | None) -> bool:
        """Whether the placeholder page is still open."""
        address = session.document.instance.address
        return address in self._opening and self._page_of(address) is page

    def _is_wanted(self, session: Session, page: OpeningPage | None) -> bool:
        """Whether the page is still open, and the same person is solving."""
        return self._is_open_still(session, page) and session.person == self._host.settings.person

    def _show_workspace(self, workspace: Workspace, note: str) -> None:
        address = workspace.document.instance.address
        self._opening.discard(address)
        put = self._puts.pop(address, None)
        workspace.session.explore(self._host.settings.explores)
        self.opened.emit(workspace)
        self._put_in_place(workspace, self._page_of(address))
        if put is not None:
            put(workspace)
        if note:
            self._host.show_message(note)

    def _put_in_place(self, workspace: Workspace, waiting: OpeningPage | None) -> None:
        """Replaces the placeholder page with its workspace, which becomes current if the placeholder was."""
        pages = self._host.pages
        front = pages.front
        pages.add(workspace, -1 if waiting is None else pages.tabs.indexOf(waiting))
        if waiting is not None:
            pages.close(waiting)
        if front is None or waiting in (None, front):
            workspace.editor.view.setFocus()
        else:
            pages.tabs.setCurrentWidget(front)
