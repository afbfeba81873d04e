"""The measurements of the runs browser, on a project of 100,000 attempts that was made up."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.engine.core import Check, Instance, Problem, Verdict, tasks

if TYPE_CHECKING:
    from spatial_workbench.app.runs.page import RunsPage
    from spatial_workbench.engine.store import Project
    from tools.studio.screenshots import WindowStage

MANY = 100_000
_MODELS = ("aspen-large", "aspen-small", "birch", "cedar-2", "cedar-2-mini", "elm-reasoner", "fir", "oak-preview")
_PEOPLE = ("Ada", "Blaise", "Emmy")
_LABELS = ("wrong rule", "arithmetic slip", "lost track", "gave up", None)
_WORDS = ("brick", "stud", "overlap", "face", "corner", "edge", "turn", "above", "below", "mirror", "plane", "ridge")


def fill(project: Project, count: int, seed: int = 0) -> None:
    """Adds made-up attempts of models and people at all published instances; equal seeds give equal projects."""
    rng = random.Random(seed)
    instances = [instance for task in tasks() for instance in task.instances()]
    with project.database.write_transaction():
        for _ in range(count):
            _add(project, rng, rng.choice(instances))


def _add(project: Project, rng: random.Random, instance: Instance) -> None:
    from spatial_workbench.engine.store import Actor, Asked

    by_person = rng.random() < 0.1
    score = rng.choice((0.0, 0.0, 1.0, 1.0, round(rng.random(), 2)))
    words = " ".join(rng.choices(_WORDS, k=25))
    asked = Asked(
        repeat=rng.randrange(4),
        tools=rng.random() < 0.5,
        input_tokens=rng.randrange(400, 4000),
        output_tokens=rng.randrange(50, 60_000),
        cost_usd=round(rng.random() / 3, 4),
        finish_reason="stop",
        reasoning=words,
    )
    number = project.attempts.add(
        instance,
        f'{{"note": "{words}"}}',
        Actor.PERSON if by_person else Actor.MODEL,
        rng.choice(_PEOPLE if by_person else _MODELS),
        seconds=rng.random() * 900,
        verdicts=_verdicts(rng, instance, score),
        asked=None if by_person else asked,
    )
    label = rng.choice(_LABELS)
    if score < 1 and label and not by_person:
        project.judgements.add_label(number, "labelled", label, "{}")


def _verdicts(rng: random.Random, instance: Instance, score: float) -> tuple[Verdict, ...]:
    problems = [] if score == 1 else [Problem("A piece is missing")]
    default = Verdict(
        instance=instance.address,
        verifier="default",
        version="1",
        score=score,
        passed=score == 1,
        checks=(Check.of("inside the grid", []), Check.of("complete", problems)),
    )
    other = default if rng.random() > 0.01 else default.model_copy(update={"score": 1 - score, "passed": score == 0})
    return default, other.model_copy(update={"verifier": "crosscheck"})


def opening() -> Iterator[float]:
    """Seconds from asking for the page to its first rows, read and painted; five times, in one window."""
    stage = _stage_of_many()
    for _ in range(5):
        start = time.perf_counter()
        page = _open_page(stage)
        yield time.perf_counter() - start
        stage.window.pages.close(page)
    stage.close()


def filtering() -> Iterator[float]:
    """Milliseconds from a filter, or another order, to its first rows, read and painted."""
    from spatial_workbench.engine.store import RunFilter

    stage = _stage_of_many()
    page = _open_page(stage)
    for run_filter in (
        RunFilter(passed=True),
        RunFilter(tasks=("shikaku", "delaunay")),
        RunFilter(who=("birch", "Ada")),
        RunFilter(score_min=0.3, score_max=0.7),
        RunFilter(labels=("lost track",)),
        RunFilter(disagrees=True),
        RunFilter(text="brick stud"),
        RunFilter(text="nowhere"),
        RunFilter(),
    ):
        start = time.perf_counter()
        page.filters.set_filter(run_filter)
        _until_shown(stage, page)
        yield (time.perf_counter() - start) * 1000
    stage.close()


def longest_stall() -> Iterator[float]:
    """The longest gap, in milliseconds, of a 5 ms timer while the list is filtered, sorted and scrolled through."""
    from PySide6.QtCore import QTimer

    from spatial_workbench.engine.store import RunFilter

    stage = _stage_of_many()
    page = _open_page(stage)
    ticks: list[float] = []
    timer = QTimer(interval=5)
    timer.timeout.connect(lambda: ticks.append(time.perf_counter()))
    timer.start()
    for run_filter in (RunFilter(passed=True), RunFilter(text="brick"), RunFilter()):
        page.filters.set_filter(run_filter)
        _until_shown(stage, page)
        for share in range(1, 20):
            bar = page.table.verticalScrollBar()
            bar.setValue(bar.maximum() * share // 20)
            stage.settle(0.02)
    for column in (5, 9, 0):
        page.table.horizontalHeader().setSortIndicator(column, page.table.horizontalHeader().sortIndicatorOrder())
        _until_shown(stage, page)
    timer.stop()
    yield max((after - before) * 1000 for before, after in pairwise(ticks))
    stage.close()


def _stage_of_many() -> WindowStage:
    """A window on the made-up project, at rest."""
    from PySide6.QtCore import QSettings

    from spatial_workbench.app.studio.pictures import offscreen_application
    from tools.studio.screenshots import WindowStage

    application = offscreen_application()
    folder = Path(tempfile.mkdtemp())
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(folder))
    stage = WindowStage(application, folder, (1440, 900), "light")
    stage.window.project.tell(lambda project: fill(project, MANY), announce=True)
    stage.window.project.flush()
    stage.settle(3.0)
    return stage


def _open_page(stage: WindowStage) -> RunsPage:
    stage.window.actions_registry["runs.browse"].trigger()
    page = stage.window.tabs.currentWidget()
    _until_shown(stage, page)
    return page


def _until_shown(stage: WindowStage, page: RunsPage) -> None:
    """Until the first rows that fit are in the table, and painted."""
    stage.wait(lambda: page.is_listed and (not page.model.numbers or page.model.row(0) is not None))
    page.table.viewport().repaint()


if __name__ == "__main__":
    measurements = {"opening": opening, "filtering": filtering, "longest_stall": longest_stall}
    for value in measurements[sys.argv[1]]():
        print(repr(value), flush=True)
