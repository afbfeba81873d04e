"""Measures how long a person's actions in an editor block the window, for `spatial-workbench bench --holds`.

For the largest instance of each task, this loads the reference solution, uses every action of the editor and the view
and every control of the tool panel, with nothing and with everything selected, and clicks every check. The time that
the graphics driver takes is left out: it depends on the computer, and frames become coarser if it is slow.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core import Task, tasks

if TYPE_CHECKING:
    from spatial_workbench.app.workspace.page import Workspace
    from tools.studio.screenshots import WindowStage

LIMIT_MS = 50.0
AFTER_S = 0.6
"""How long to watch what follows an action: timers, paints, the verdict."""

AT_REST_S = 0.25
PATIENCE_S = 15.0


@dataclass(frozen=True)
class Hold:
    """An action that blocked the window: times in milliseconds, without those of the graphics driver."""

    address: str
    what: str
    slot_ms: float
    """The call itself."""

    after_ms: float
    """The longest of the event loop's turns that followed."""

    busy_ms: float
    """The longest processor time of this thread in one of them; on an idle computer, it equals the wall time."""

    @property
    def longest_ms(self) -> float:
        """The longest time for which the window did not respond."""
        return max(self.slot_ms, self.after_ms)


def measure_tasks(names: Sequence[str], report: Callable[[str], None]) -> Iterator[Hold]:
    """Measures these tasks (all, if none is named), each in a window of its own."""
    from tools.bench.window import new_stage

    with _timed_driver() as driver:
        for task in tasks():
            if names and task.id not in names:
                continue
            address = largest_instance(task)
            report(f"measuring {address} …")
            stage = new_stage()
            sys.excepthook = sys.__excepthook__
            try:
                yield from _Visit(stage, driver, address).measure()
            finally:
                stage.close()


def largest_instance(task: Task[Any]) -> str:
    """The address of the instance with the longest reference solution; of equals, the last one."""
    return max(task.instances(), key=lambda instance: (len(task.format(task.solve(instance))), instance.number)).address


def format_holds(holds: Sequence[Hold]) -> str:
    """The list as text, the longest first."""
    lines = [f"{'slot ms':>8} {'after ms':>8} {'busy ms':>8}  where"]
    lines += [
        f"{hold.slot_ms:8.0f} {hold.after_ms:8.0f} {hold.busy_ms:8.0f}  {hold.address}  {hold.what}"
        for hold in sorted(holds, key=lambda hold: -hold.longest_ms)
    ]
    return "\n".join(lines)


@dataclass
class _Clock:
    """Wall and processor time of this thread so far, in seconds."""

    wall: float = 0.0
    busy: float = 0.0

    @classmethod
    def now(cls) -> _Clock:
        return cls(time.perf_counter(), time.thread_time())

    def minus(self, other: _Clock) -> _Clock:
        return _Clock(self.wall - other.wall, self.busy - other.busy)


@contextmanager
def _timed_driver() -> Iterator[_Clock]:
    """Measures the time spent on drawing and reading pictures back."""
    from spatial_workbench.widgets.render3d.window import OffscreenWindow

    spent = _Clock()

    def timed(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            begun = _Clock.now()
            try:
                return method(*arguments)
            finally:
                took = _Clock.now().minus(begun)
                spent.wall += took.wall
                spent.busy += took.busy

        return call

    methods = {name: getattr(OffscreenWindow, name) for name in ("draw", "colors", "depths")}
    for name, method in methods.items():
        setattr(OffscreenWindow, name, timed(method))
    try:
        yield spent
    finally:
        for name, method in methods.items():
            setattr(OffscreenWindow, name, method)


class _Visit:
    """One instance, and everything that can be done with it."""

    def __init__(self, stage: WindowStage, driver: _Clock, address: str) -> None:
        self._stage = stage
        self._driver = driver
        self._address = address

    @property
    def _workspace(self) -> Workspace:
        return self._stage.window.workspace

    def measure(self) -> Iterator[Hold]:
        """Opens the instance, solves it and then does everything else."""
        self._rest(2.0)
        yield self._hold("open", lambda: self._stage.window.open_instance(self._address), 4.0)
        self._wait_for_verdict()
        yield from self._checks("untouched")
        yield self._hold("load the reference", self._workspace.answers.load_reference, 2.0)
        stack = self._workspace.document.undo_stack
        self._stage.wait(lambda: stack.count() > 0)
        self._wait_for_verdict()
        self._solved = stack.index()
        for name, step in (("undo", stack.undo), ("redo", stack.redo), ("clear", self._workspace.answers.clear)):
            self._rest(AT_REST_S)
            yield self._hold(name, step, 1.5)
        yield from self._checks("cleared")
        yield from self._panels()
        for selected in (False, True):
            yield from self._actions(selected)
        yield from self._controls()

    def _actions(self, selected: bool) -> Iterator[Hold]:
        count = len(self._all_actions())
        for index in range(count):
            self._restore(selected)
            offered = self._all_actions()
            action = offered[index] if index < len(offered) else None
            if action is not None and action.isEnabled() and action.text():
                words = f"{action.text().replace('&', '')}{' (all selected)' if selected else ''}"
                yield self._hold(words, action.trigger)

    def _all_actions(self) -> list[Any]:
        editor = self._workspace.editor
        return [*editor.actions(), *(action for pane in editor.panes for action in pane.actions())]

    def _controls(self) -> Iterator[Hold]:
        """Uses the check boxes, lists, number fields and buttons of the tool panel and around the view."""
        from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QSlider
        from shiboken6 import isValid

        kinds = (QAbstractButton, QComboBox, QAbstractSpinBox, QSlider)
        for root in (self._workspace.editor.tools, self._workspace.editor):
            for control in [child for kind in kinds for child in root.findChildren(kind)]:
                if not isValid(control) or _has_action(control):
                    continue
                self._restore(False)
                if isValid(control) and control.isEnabled() and control.isVisible():
                    yield self._hold(f"{type(control).__name__} {_name_of(control)}", partial(_use, control))

    def _checks(self, state: str) -> Iterator[Hold]:
        verdict = self._workspace.document.verdict
        for check in verdict.checks if verdict is not None else ():
            if check.elements:
                self._rest(AT_REST_S)
                show = partial(self._workspace.editor.show_elements, check.elements)
                yield self._hold(f"show check “{check.name}” ({state})", show)

    def _panels(self) -> Iterator[Hold]:
        """Brings every panel of the workspace to the front."""
        from PySide6.QtWidgets import QDockWidget

        self._restore(False)
        for dock in self._workspace.findChildren(QDockWidget):
            yield self._hold(f"panel {dock.windowTitle()}", dock.raise_)
        self._workspace.findChild(QDockWidget, "task").raise_()

    def _restore(self, selected: bool) -> None:
        """Restores the reference solution as it was loaded, and waits until the window is at rest."""
        editor = self._workspace.editor
        document = self._workspace.document
        self._dismiss()
        editor.animation.stop()
        if document.undo_stack.index() != self._solved:
            document.undo_stack.setIndex(self._solved)
            self._wait_for_verdict()
        editor.view.set_selection(_elements(editor.view) if selected else ())
        self._rest(AT_REST_S)

    def _hold(self, what: str, work: Callable[[], Any], seconds: float = AFTER_S) -> Hold:
        """Does something and watches the event loop for a while."""
        slot = self._timed(work)
        after = _Clock()
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            turn = self._timed(self._stage.application.processEvents)
            after = _Clock(max(after.wall, turn.wall), max(after.busy, turn.busy))
            time.sleep(0.002)
        return Hold(self._address, what, 1000 * slot.wall, 1000 * after.wall, 1000 * max(slot.busy, after.busy))

    def _timed(self, work: Callable[[], Any]) -> _Clock:
        begun = _Clock.now()
        drawn = _Clock(self._driver.wall, self._driver.busy)
        work()
        took = _Clock.now().minus(begun)
        drawing = self._driver.minus(drawn)
        return took.minus(drawing)

    def _rest(self, seconds: float) -> None:
        end = time.perf_counter() + seconds
        self._stage.wait(lambda: time.perf_counter() > end)

    def _wait_for_verdict(self) -> None:
        """Waits for the verdict, but not for long: with physics it may take minutes, and actions go on meanwhile."""
        end = time.perf_counter() + PATIENCE_S

        def arrived() -> bool:
            workspace = self._workspace
            return workspace is not None and workspace.document.is_verdict_current

        self._stage.wait(lambda: arrived() or time.perf_counter() > end)

    def _dismiss(self) -> None:
        from PySide6.QtWidgets import QDialog, QMenu

        for top in self._stage.application.topLevelWidgets():
            if isinstance(top, QDialog | QMenu) and top.isVisible():
                top.close()


def _elements(view: Any) -> tuple[str, ...]:
    from spatial_workbench.widgets.render3d.extent import centers_of

    return tuple(name for item in view.scene.items if item.pickable for name in centers_of(item)[0])


def _has_action(control: Any) -> bool:
    """Whether the control is a button for an action; actions are measured separately."""
    return bool(getattr(control, "defaultAction", lambda: None)())


def _name_of(control: Any) -> str:
    words = [control.accessibleName(), getattr(control, "text", lambda: "")(), control.objectName(), control.toolTip()]
    return next((word for word in words if word), "")


def _use(control: Any) -> None:
    """Does what a person would do with a control: click it, or go one step."""
    from PySide6.QtWidgets import QAbstractButton, QComboBox, QSlider

    if isinstance(control, QAbstractButton):
        control.click()
    elif isinstance(control, QComboBox):
        control.setCurrentIndex((control.currentIndex() + 1) % max(1, control.count()))
    elif isinstance(control, QSlider):
        control.setValue((control.value() + control.maximum()) // 2)
    else:
        control.stepUp()


def _ask_for_no_file() -> None:
    """Makes every file dialog answer as if it had been cancelled."""
    from PySide6.QtWidgets import QFileDialog

    for name in ("getOpenFileName", "getSaveFileName"):
        setattr(QFileDialog, name, staticmethod(lambda *_arguments, **_options: ("", "")))


def measure_holds(names: Sequence[str]) -> tuple[list[dict[str, Any]], str]:
    """Everything that blocks the window longer than the limit, as data and as text; takes about a minute per task."""
    _ask_for_no_file()
    holds = list(measure_tasks(names, lambda text: print(text, file=sys.stderr, flush=True)))
    long = [hold for hold in holds if hold.longest_ms > LIMIT_MS]
    count = f"{len(long)} of {len(holds)} held the window for more than {LIMIT_MS:g} ms"
    return [asdict(hold) for hold in long], f"{format_holds(long)}\n{count}"
