"""The leader's page of a large study: 200 places and 50 items."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from spatial_workbench.engine.evaluation.planning.plan import select
from tools.studio.screenshots import WindowStage
from tools.studio.studies import add_example_study, example_study

PEOPLE = 200
ITEMS = 50


def dashboard() -> Iterator[float]:
    """Seconds from asking for the page to its matrix, read and painted; five times, in one window."""
    stage = _stage()
    for _ in range(5):
        start = time.perf_counter()
        page = stage.window.study_pages.show_studies()
        page.go_to(1)
        stage.wait(lambda page=page: page.progress.model.rowCount() == PEOPLE)
        page.progress.table.viewport().repaint()
        yield time.perf_counter() - start
        stage.wait(lambda page=page: page.is_idle)
        stage.window.pages.close(page)
    stage.close()


def longest_stall() -> Iterator[float]:
    """The longest gap, in milliseconds, of a 5 ms timer while the page is read again and scrolled through."""
    from itertools import pairwise

    from PySide6.QtCore import QTimer

    stage = _stage()
    page = stage.window.study_pages.show_studies()
    page.go_to(1)
    stage.wait(lambda: page.progress.model.rowCount() == PEOPLE and page.is_idle)
    stage.settle(1.0)
    ticks: list[float] = []
    timer = QTimer(interval=5)
    timer.timeout.connect(lambda: ticks.append(time.perf_counter()))
    timer.start()
    for share in range(20):
        if share % 5 == 0:
            page.reload()
        bar = page.progress.table.verticalScrollBar()
        bar.setValue(bar.maximum() * share // 20)
        stage.settle(0.1)
    stage.wait(lambda: page.is_idle)
    timer.stop()
    yield max((after - before) * 1000 for before, after in pairwise(ticks))
    stage.close()


def _stage() -> WindowStage:
    """A window on a project with the study, at rest."""
    from PySide6.QtCore import QSettings

    from spatial_workbench.app.studio.pictures import offscreen_application

    application = offscreen_application()
    folder = Path(tempfile.mkdtemp())
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(folder))
    stage = WindowStage(application, folder, (1440, 900), "light")
    study = example_study(PEOPLE, 0, select("shikaku,hamiltonian_loop,maze_3d,two_segments,delaunay")[:ITEMS])
    stage.window.project.tell(lambda project: add_example_study(project, study, PEOPLE), announce=True)
    stage.window.project.flush()
    stage.settle(3.0)
    return stage


if __name__ == "__main__":
    for value in {"dashboard": dashboard, "longest_stall": longest_stall}[sys.argv[1]]():
        print(repr(value), flush=True)
