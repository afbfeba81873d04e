"""The report: everything that the Results page shows, and a picture of an attempt at each task, as one HTML file.

It needs no window and no display.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.app.results.attempt_pictures import attempt_picture, turner_of
from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.files import replacing
from spatial_workbench.engine.evaluation.results.charts import Chart, Kind
from spatial_workbench.engine.evaluation.results.contents import (
    EVERYTHING,
    ChosenRecords,
    ReportSection,
    Results,
    ResultsChoice,
    choose,
    read,
)
from spatial_workbench.engine.store import Actor, Project, RunFilter
from spatial_workbench.engine.store.sound_files import FileStamp, stamp_of

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.results.html import AttemptPicture, ChartSvg

MOST_PICTURES = 40
CHART_WIDTH = 1100
MANY_ATTEMPTS = 5000
"""From so many on, the sections of the page are read one by one, when they are looked at."""
SETTLED_NS = 100_000_000
"""A file that was changed longer ago has other times after its next change."""
_FAMILY = re.compile(r'font-family="[^"]*"')


def save_report(
    project: Project,
    path: Path,
    choice: ResultsChoice = EVERYTHING,
    progress: Progress = silent,
) -> None:
    """Writes the report on the chosen results.

    Raises:
        OSError: It cannot be written.
        Cancelled: Raised by `progress`; nothing is written.
    """
    from spatial_workbench.engine.evaluation.results.html import report_html

    results = read(project, choice, progress)
    charts = drawn_charts(results.sections)
    drawings = list(_drawings(project, choice, progress))
    turner = turner_of(drawings)
    text = report_html(project.path.stem, datetime.now(UTC), results, charts, drawings, turner)
    with replacing(path) as part:
        part.write_text(text, "utf-8")


def read_results(path: Path, choice: ResultsChoice, shown: str, progress: Progress = silent) -> tuple[Results, float]:
    """The results of a project and the seconds spent on reading them; runs in a background process.

    shown: The id of the section that is looked at. Of a project with many attempts, only this one is read.
    """
    begin = time.perf_counter()
    stamp = stamp_of(path)
    with Project.open(path) as project:
        only = shown if project.runs.count() >= MANY_ATTEMPTS else None
        chosen = _last.of((path, choice, stamp)) or choose(project, choice)
        _last.keep((path, choice, stamp), chosen)
        results = read(project, choice, progress, only, chosen)
    return results, time.perf_counter() - begin


_LastKey = tuple[Path, ResultsChoice, FileStamp]


class _LastRecords:
    """The records that were read last, for the next section, as long as the file stays as it is."""

    def __init__(self) -> None:
        self._kept: tuple[_LastKey, ChosenRecords] | None = None

    def of(self, key: _LastKey) -> ChosenRecords | None:
        """The records that were kept under a key; None: there are none."""
        return self._kept[1] if self._kept is not None and self._kept[0] == key else None

    def keep(self, key: _LastKey, records: ChosenRecords) -> None:
        """Keeps records, unless the file has just been changed: another change might leave its times as they are."""
        newest = max(figures[1] for figures in key[2] if figures)
        self._kept = (key, records) if time.time_ns() - newest > SETTLED_NS else None


_last = _LastRecords()


def write_report(path: Path, target: Path, choice: ResultsChoice, progress: Progress = silent) -> None:
    """Writes the report of a project; runs in a background process, without a screen."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with Project.open(path) as project:
        save_report(project, target, choice, progress)


# Charts ----------------------------------------------------------------------------------------------------------


def drawn_charts(sections: Iterable[ReportSection]) -> dict[str, ChartSvg]:
    """The charts of sections by title; grids of cells become tables in a report."""
    charts = (chart for section in sections for chart in section.charts)
    return {chart.title: drawn(chart) for chart in charts if chart.kind is not Kind.CELLS}


def drawn(chart: Chart) -> ChartSvg:
    """A chart as SVG in both themes."""
    from spatial_workbench.app.studio.pictures import offscreen_application

    application = offscreen_application()
    from PySide6.QtCore import QSize

    from spatial_workbench.engine.evaluation.results.html import ChartSvg
    from spatial_workbench.widgets.charts.drawing import height_of, svg
    from spatial_workbench.widgets.theme import DARK, LIGHT

    size = QSize(CHART_WIDTH, height_of(chart, CHART_WIDTH))
    # The reader may not have the application's fonts.
    light, dark = (
        _FAMILY.sub('font-family="system-ui, sans-serif"', svg(chart, theme, size)) for theme in (LIGHT, DARK)
    )
    del application
    return ChartSvg(light, dark)


# Pictures of attempts --------------------------------------------------------------------------------------------


def _drawings(project: Project, choice: ResultsChoice, progress: Progress) -> Iterator[AttemptPicture]:
    tasks = _tasks(project)[:MOST_PICTURES]
    for i, task in enumerate(tasks):
        progress(i, len(tasks), "Drawing attempts")
        number = _best(project, task, choice)
        drawing = attempt_picture(project, number) if number is not None else None
        if drawing is not None:
            yield drawing


def _tasks(project: Project) -> list[str]:
    """The attempted tasks in the catalogue's order."""
    from spatial_workbench.engine.core import tasks

    tried = set(project.runs.choices()["tasks"])
    return [task.id for task in tasks() if task.id in tried]


def _best(project: Project, task: str, choice: ResultsChoice) -> int | None:
    """The best attempt at a task: a model's first, and the newest of equals."""
    batches = choice.batches if choice.batches is not None else (None,)
    actors = (Actor.MODEL, Actor.PERSON, Actor.REFERENCE) if choice.people else (Actor.MODEL, Actor.REFERENCE)
    for actor in actors:
        for batch in batches:
            helped = None if choice.helped else False
            run_filter = RunFilter(tasks=(task,), actor=actor, batch=batch, is_helped=helped)
            numbers = project.runs.numbers(run_filter, "score")
            if numbers:
                return numbers[0]
    return None
