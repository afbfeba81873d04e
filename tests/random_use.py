"""Uses the window at random, to see whether its memory grows: `python -m tests.random_use --minutes 60`."""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

MOST_TABS = 7
AVOIDED = ("Open", "Save", "Export", "Import", "Picture", "Play")
"""Actions whose names begin with these ask for a file, or take long."""
WINDOW_ACTIONS = (
    "view.theme",
    "view.next",
    "view.previous",
    "view.catalogue",
    "view.log",
    "task.clear",
    "task.submit",
    "runs.browse",
    "runs.results",
    "runs.disagreements",
    "evaluate.batches",
)


class RandomUser:
    """Does one random thing after another in the window of a stage; equal seeds do the same things."""

    def __init__(self, stage, seed: int) -> None:
        self._stage = stage
        self._window = stage.window
        self._random = random.Random(seed)
        from spatial_workbench.engine.core import tasks as all_tasks

        self._addresses = [instance.address for task in all_tasks() for instance in task.instances()[:3]]
        self._steps: list[tuple[int, Callable[[], None]]] = [
            (3, self.open_subtask),
            (2, self.close_tab),
            (3, self.choose_tab),
            (6, self.use_editor),
            (12, self.use_pointer),
            (1, self.solve),
            (3, self.undo),
            (2, self.use_window),
        ]

    def act(self) -> None:
        """Does one random thing, and lets the window come to rest."""
        weights = [weight for weight, _ in self._steps]
        step = self._random.choices([step for _, step in self._steps], weights)[0]
        step()
        self.rest(0.05)

    def rest(self, seconds: float) -> None:
        """Lets the window work, then closes any menus and dialogs that have opened."""
        from PySide6.QtCore import QEventLoop, QTimer
        from PySide6.QtWidgets import QDialog, QMenu

        # Qt deletes objects that are marked for it only in a running event loop.
        loop = QEventLoop()
        QTimer.singleShot(round(1000 * seconds), loop.quit)
        loop.exec()
        for top in self._stage.application.topLevelWidgets():
            if isinstance(top, QDialog | QMenu) and top.isVisible():
                top.close()

    def open_subtask(self) -> None:
        """Opens a random subtask; closes another tab first if there are many."""
        if self._window.tabs.count() > MOST_TABS:
            self.close_tab()
        self._window.open_instance(self._random.choice(self._addresses))
        self.rest(0.3)

    def close_tab(self) -> None:
        """Closes a random tab, but not the catalogue."""
        if self._window.tabs.count() > 1:
            self._window.pages.close(self._window.tabs.widget(self._random.randrange(1, self._window.tabs.count())))

    def choose_tab(self) -> None:
        """Goes to a random tab."""
        self._window.tabs.setCurrentIndex(self._random.randrange(self._window.tabs.count()))

    def use_editor(self) -> None:
        """Uses a random action of the editor in front."""
        workspace = self._window.workspace
        if workspace is None:
            return
        offered = [*workspace.editor.actions(), *workspace.editor.view.actions()]
        actions = [a for a in offered if a.isEnabled() and not a.text().startswith(AVOIDED)]
        if actions:
            self._random.choice(actions).trigger()

    def use_pointer(self) -> None:
        """Clicks or drags at random places of the view in front."""
        from PySide6.QtCore import QPoint, Qt
        from PySide6.QtTest import QTest

        if self._window.workspace is None:
            return
        view = self._window.workspace.editor.view
        first, second = (
            QPoint(self._random.randrange(max(1, view.width())), self._random.randrange(max(1, view.height())))
            for _ in range(2)
        )
        button = self._random.choice((Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton))
        QTest.mousePress(view, button, Qt.KeyboardModifier.NoModifier, first)
        if self._random.random() < 0.5:
            QTest.mouseMove(view, second)
        QTest.mouseRelease(view, button, Qt.KeyboardModifier.NoModifier, second)

    def solve(self) -> None:
        """Loads the reference solution and waits a while for its verdict."""
        if self._window.workspace is not None:
            self._window.workspace.answers.load_reference()
            self.rest(1.0)

    def undo(self) -> None:
        """Undoes or redoes."""
        self._random.choice((self._window.undo_group.undo, self._window.undo_group.redo))()

    def use_window(self) -> None:
        """Uses a random action of the window."""
        action = self._window.actions_registry[self._random.choice(WINDOW_ACTIONS)]
        if action.isEnabled():
            action.trigger()
            self.rest(0.2)


def resident_mb() -> float:
    """The resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 1e6


def measure(minutes: float, seed: int) -> Iterator[str]:
    """Uses a new window at random; reports its memory every half minute."""
    from tools.bench.window import new_stage

    stage = new_stage()
    user = RandomUser(stage, seed)
    start = reported = time.monotonic()
    steps = 0
    while time.monotonic() - start < 60 * minutes:
        user.act()
        steps += 1
        if time.monotonic() - reported > 30:
            reported = time.monotonic()
            yield f"{(reported - start) / 60:5.1f} min  {steps:6} steps  {resident_mb():6.0f} MB"
    while stage.window.tabs.count() > 1:
        user.close_tab()
    user.rest(3.0)
    yield f"all tabs closed  {resident_mb():6.0f} MB"
    stage.close()


def main() -> None:
    """Runs from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for line in measure(options.minutes, options.seed):
        print(line, flush=True)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        os.environ[name] = tempfile.mkdtemp(prefix="random-use-")
    sys.exit(main())
