"""Access to the current project from a thread of its own, so that the window never waits for it."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from spatial_workbench.app.background.delivery import Delivery
from spatial_workbench.engine.core import Cancelled
from spatial_workbench.engine.core.languages.translation import tr

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project
    from spatial_workbench.engine.store.holding import FileHold, JournalState

_log = logging.getLogger(__name__)

WATCH_MS = 1500
"""How often to check for changes by other programs."""


class ProjectService(QObject):
    """Runs everything that touches the project file in one thread, in order.

    Signals:
        opening(Path, float, float): a project is being opened, of whose checks so many of so many have ended.
        opening_ended(): it was opened, refused or abandoned.
        leaving(): another project is about to replace this one; changes passed to `tell` now are stored in this one.
        opened(Path): another project is in use now; `changed` follows.
        refused(str): a project could not be opened; the sentence says why. The one in use stays.
        abandoned(): a project was not opened because `cancel_opening` was called. The one in use stays.
        changed(): attempts or drafts changed, here or through another program.
        trouble(str): something could not be stored.
    """

    opening = Signal(object, float, float)
    opening_ended = Signal()
    leaving = Signal()
    opened = Signal(object)
    refused = Signal(str)
    abandoned = Signal()
    changed = Signal()
    trouble = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path: Path | None = None
        self.is_scratch = True
        self.exchange: Path | None = None
        """The folder for files that come from elsewhere or go there; None: there is none."""
        self._project: Project | None = None
        self._hold: FileHold | None = None
        self._is_warned = False
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="project")
        self._seen_change = -1
        self._is_closed = False
        self._is_unwanted = False
        self._delivery = Delivery(self._hand_over)
        self._watch = QTimer(self, interval=WATCH_MS)
        self._watch.timeout.connect(self._look_for_changes)

    @property
    def files_folder(self) -> Path | None:
        """Where dialogs for files start that concern the project; None: no project is open."""
        return self.exchange or (None if self.path is None else self.path.parent)

    def open(self, path: Path, create: bool = False, is_scratch: bool = False) -> None:
        """Opens or creates a project and replaces the current one.

        Emits `opening`, at last `opening_ended`, and then `leaving` and `opened`, or `refused`, or `abandoned`.
        """
        self._is_unwanted = False

        def told(done: float, total: float, text: str = "") -> None:
            if self._is_unwanted:
                raise Cancelled
            self._delivery.send(lambda counts: self.opening.emit(path, *counts), (done, total))

        def load() -> Project | None:
            from spatial_workbench.engine.store import Project

            try:
                return Project.create(path) if create else Project.open(path, told)
            except Cancelled:
                return None

        def change(project: Project | None) -> None:
            self.opening_ended.emit()
            if project is None:
                self.abandoned.emit()
                return
            if self.path is not None:
                self.leaving.emit()
            self._submit(lambda: self._exchange(project), lambda _: self._is_open(path, is_scratch), self.refused.emit)

        def refuse(text: str) -> None:
            self.opening_ended.emit()
            self.refused.emit(text)

        self.opening.emit(path, 0, 0)
        self._submit(load, change, refuse)

    def cancel_opening(self) -> None:
        """Gives up the project that is being opened, if its checks have not ended; emits `abandoned`."""
        self._is_unwanted = True

    def open_scratch(self) -> None:
        """Opens the scratch project, which is used when no other is open."""
        from platformdirs import user_data_path

        path = user_data_path("spatial-workbench", appauthor=False, ensure_exists=True) / "scratch.workbench"
        self.open(path, create=not path.exists(), is_scratch=True)

    def ask(
        self,
        question: Callable[[Project], Any],
        done: Callable[[Any], None],
        failed: Callable[[str], None] | None = None,
    ) -> None:
        """Calls `question(project)` in the project's thread, then `done(answer)` in the caller's.

        Without `failed`, an error is emitted as `trouble`.
        """
        self._submit(lambda: question(self._in_use()), done, failed or self.trouble.emit)

    def tell(self, change: Callable[[Project], Any], announce: bool = False, path: Path | None = None) -> None:
        """Calls `change(project)` in the project's thread, then emits `changed` if `announce` is set.

        path: The project that the change belongs to, in case another one has been opened in the meantime.
        """

        def failed(text: str) -> None:
            self.trouble.emit(
                tr(
                    "A change could not be stored ({error}). It is still in the window: save the answer to a file "
                    "(Ctrl+S), then check whether the disk is full or the project was moved.",
                    error=text,
                )
            )

        self._submit(lambda: self._change(change, path), lambda _: self.changed.emit() if announce else None, failed)

    def flush(self) -> None:
        """Waits until every change is stored. Only for closing and for tests."""
        self._thread.submit(lambda: None).result()

    def close(self) -> None:
        """Stores pending changes and closes the file. Later requests are ignored."""
        if self._is_closed:
            return
        self._is_closed = True
        self._watch.stop()
        self._thread.submit(self._close_project).result()
        self._thread.shutdown()

    def _change(self, change: Callable[[Project], Any], path: Path | None) -> None:
        from spatial_workbench.engine.store import Project

        project = self._in_use()
        if path in (None, project.path):
            change(project)
        else:
            with Project.open(path) as earlier:
                change(earlier)

    def _in_use(self) -> Project:
        if self._project is None:
            raise RuntimeError("No project is open")
        return self._project

    def _exchange(self, project: Project) -> None:
        from spatial_workbench.engine.store.holding import FileHold

        self._close_project()
        self._project = project
        self._seen_change = project.change_count
        self._hold = FileHold(project.path)
        self._is_warned = False

    def _close_project(self) -> None:
        if self._project is not None:
            self._project.close()
            self._project = None
        if self._hold is not None:
            self._hold.close()
            self._hold = None

    def _is_open(self, path: Path, is_scratch: bool) -> None:
        self.path = path
        self.is_scratch = is_scratch
        self._watch.start()
        self.opened.emit(path)
        self.changed.emit()

    def _look_for_changes(self) -> None:
        self.ask(self._look, lambda seen: self._compare_changes(*seen))

    def _look(self, project: Project) -> tuple[int, JournalState]:
        """A number that changes with the file, and how its journal is; a project without its journal is opened anew."""
        from spatial_workbench.engine.store import Project
        from spatial_workbench.engine.store.holding import JournalState

        held = self._hold.renew() if self._hold is not None else JournalState.HELD
        if held is not JournalState.GONE:
            return project.change_count, held
        # Closing it writes all that is in the removed journal into the file.
        self._close_project()
        self._exchange(Project.open(project.path))
        return -1, held

    def _compare_changes(self, count: int, held: JournalState) -> None:
        from spatial_workbench.engine.store.holding import JournalState

        if held is JournalState.REPLACED and not self._is_warned:
            self._is_warned = True
            self.trouble.emit(
                tr(
                    "Another program has taken this project's journal away, and what you do now is not stored in the "
                    "project. File › Save a copy… stores all of it; go on with the copy."
                )
            )
        if count != self._seen_change:
            self._seen_change = count
            self.changed.emit()

    def _submit(self, work: Callable[[], Any], done: Callable[[Any], None], failed: Callable[[str], Any]) -> None:
        if self._is_closed:
            return

        def ended(future: Future[Any]) -> None:
            error = future.exception()
            if isinstance(error, sqlite3.DatabaseError) and self._project is not None:
                self._project.doubt()
            self._delivery.send(done if error is None else failed, future.result() if error is None else error)

        self._thread.submit(work).add_done_callback(ended)

    def _hand_over(self, sent: tuple[Callable[[Any], None], Any]) -> None:
        callback, value = sent
        if isinstance(value, BaseException):
            from spatial_workbench.engine.store import MissingRecord, ProjectError

            if not isinstance(value, ProjectError | MissingRecord):
                _log.error("The project file could not be used", exc_info=value)
            callback(str(value))
        else:
            callback(value)
