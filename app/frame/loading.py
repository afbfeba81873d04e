"""While an editor is loading: the placeholder in its tab, and the thread that loads libraries."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, partial

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QLabel, QProgressBar, QVBoxLayout, QWidget

from spatial_workbench.app.background.delivery import Delivery
from spatial_workbench.engine.core import Instance, task
from spatial_workbench.widgets.qt import call_later
from spatial_workbench.widgets.theme import SPACE

_log = logging.getLogger(__name__)

SHOW_AFTER_MS = 200
"""An editor that opens faster than this needs no message."""

_SOON_NEEDED = (
    "spatial_workbench.widgets.scene_views.canvas2d",
    "spatial_workbench.app.workspace.page",
    "spatial_workbench.app.workspace.session",
    "scipy.spatial",
    "scipy.ndimage",
    "spatial_workbench.app.evaluation.new_batch",
    "spatial_workbench.app.puzzles.annotation.page",
)

_DONE = object()


class OpeningPage(QWidget):
    """Says in a tab that its editor is being built."""

    icon_name = "box"

    def __init__(self, instance: Instance) -> None:
        super().__init__()
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.address = instance.address
        self.title = task(instance.task).title
        self._words = QLabel(f"Opening {self.title}…")
        self._words.setObjectName("secondary")
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setFixedSize(60 * SPACE, 2 * SPACE)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self._words.text())
        column = QVBoxLayout(self)
        column.setSpacing(3 * SPACE)
        column.addStretch(1)
        for widget in (self._words, self._bar):
            widget.hide()
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignCenter)
        column.addStretch(2)
        call_later(self, self._show_words, SHOW_AFTER_MS)

    def close_page(self) -> None:
        """Does nothing: there is no state to save."""

    def _show_words(self) -> None:
        self._words.show()
        self._bar.show()


@cache
def make_qt_classes() -> None:
    """Makes PySide create Qt's classes in this thread; does nothing the second time.

    It makes a class when it is first named, and a library that names all of them in another thread meanwhile, as
    pyqtgraph does, crashes the window.
    """
    for module in (QtCore, QtGui, QtWidgets):
        for name in dir(module):
            getattr(module, name)


class Loader(QObject):
    """Loads what editors need in a separate thread, so that the window stays responsive."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="load")
        self._ahead: dict[Future[None], Callable[[], None]] = {}
        self._delivery = Delivery(self._call)

    def load_ahead(self, work: Iterable[Callable[[], None]]) -> None:
        """Loads ahead of need; an editor that is opened takes precedence."""
        make_qt_classes()
        for step in work:
            future = self._thread.submit(step)
            self._ahead[future] = step
            future.add_done_callback(_log_error)

    def load(self, instance: Instance, done: Callable[[], None]) -> None:
        """Loads what the editor of an instance needs, then calls `done` in the window's thread."""

        def ended(future: Future[None]) -> None:
            _log_error(future)
            self._delivery.send(done)

        make_qt_classes()
        waiting = [step for future, step in self._ahead.items() if future.cancel()]
        self._ahead.clear()
        self._thread.submit(_load_editor, instance).add_done_callback(ended)
        self.load_ahead(waiting)

    def _call(self, sent: tuple[Callable[[], None]]) -> None:
        (done,) = sent
        done()

    def flush(self) -> None:
        """Waits until everything is loaded. Only for tests."""
        self._thread.submit(lambda: None).result()

    def close(self) -> None:
        """Stops loading."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def soon_needed() -> Iterator[Callable[[], None]]:
    """The slowest imports of the first editors and dialogs, as steps."""
    yield _load_viewport
    for name in _SOON_NEEDED:
        yield partial(_import, name)


def in_turns(owner: QObject, steps: Iterator[None]) -> None:
    """Runs a generator step by step, as long as the owner exists; the window handles events between two steps."""
    if next(steps, _DONE) is not _DONE:
        call_later(owner, lambda: in_turns(owner, steps))


def _load_viewport() -> None:
    """The drawing library, with the driver that works."""
    from spatial_workbench.widgets.render3d.probe import NoRenderer, decide

    try:
        decide()
        _import("spatial_workbench.widgets.scene_views.viewport3d")
    except NoRenderer as error:
        _log.warning("There is no 3D view here: %s", error)


def _import(name: str) -> None:
    importlib.import_module(name)


def _load_editor(instance: Instance) -> None:
    """Imports the editor, then draws and describes the instance once, to load and cache what that needs."""
    from spatial_workbench.widgets.editors import editor_for

    opened = task(instance.task)
    editor_for(opened)
    opened.scene(instance, opened.empty(instance), None)
    opened.prompt(instance)


def _log_error(future: Future[None]) -> None:
    """Only logs the error: the editor reports it when it is built."""
    if not future.cancelled() and (error := future.exception()) is not None:
        _log.debug("could not be loaded ahead", exc_info=error)
