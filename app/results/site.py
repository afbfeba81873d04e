"""What draws for a site that is published, and a site written in the background. They need no display."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.extras import require
from spatial_workbench.engine.evaluation.collect import scored_outside_studies
from spatial_workbench.engine.reporting.site.attempt_drawing import ChildAttemptDrawer, OwnAttemptDrawer, serve
from spatial_workbench.engine.reporting.site.audience import people_of
from spatial_workbench.engine.reporting.site.choice import SiteChoice
from spatial_workbench.engine.reporting.site.listing import SiteListing
from spatial_workbench.engine.reporting.site.publishing import PublishedSite, SiteTools, preview, publish
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.analysis.outcomes import StudyState

if TYPE_CHECKING:
    from spatial_workbench.engine.children import Line
    from spatial_workbench.engine.evaluation.results.charts import Chart
    from spatial_workbench.engine.evaluation.results.html import ChartSvg

_DRAWERS = 4
"""At most so many processes draw; each needs some 300 MB."""


def write_site(path: Path, target: Path, choice: SiteChoice, progress: Progress = silent) -> PublishedSite:
    """Writes the site of a project; can run in a background process, without a screen.

    Raises:
        CannotPublish: Something that was chosen cannot be published, or the folder holds something else.
        MissingExtra: Pictures are wanted, and what draws them is not installed.
        OSError: It cannot be written.
        Cancelled: Raised by `progress`; nothing is written.
    """
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with Project.open(path) as project, site_tools(choice) as tools:
        return publish(project, target, choice, tools, progress)


@dataclass(frozen=True)
class OfferedStudy:
    """A study that may be published once its outcomes are unsealed."""

    id: str
    name: str
    is_open: bool


@dataclass(frozen=True)
class SiteOffer:
    """What an author can choose: the names of people, and the studies."""

    people: tuple[str, ...]
    studies: tuple[OfferedStudy, ...]


def offer_of(path: Path, progress: Progress = silent) -> SiteOffer:
    """What can be chosen of a project, for a background process."""
    with Project.open(path) as project:
        studies = (OfferedStudy(row.id, row.name, row.state is StudyState.UNSEALED) for row in project.studies.all())
        return SiteOffer(tuple(sorted(people_of(scored_outside_studies(project)))), tuple(studies))


def list_site(path: Path, choice: SiteChoice, progress: Progress = silent) -> SiteListing:
    """What the site of a project would hold, for a background process."""
    with Project.open(path) as project:
        return preview(project, choice, progress)


@contextmanager
def site_tools(choice: SiteChoice) -> Iterator[SiteTools]:
    """What draws for a site; ends its processes afterwards.

    Raises:
        MissingExtra: Pictures are wanted, and what draws them is not installed.
    """
    if not choice.pictures:
        yield SiteTools()
        return
    require("window")
    drawers = [ChildAttemptDrawer(f"{__name__}:serve_drawings") for _ in range(min(_DRAWERS, os.cpu_count() or 1))]
    try:
        yield SiteTools(drawers, _charts)
    finally:
        for drawer in drawers:
            drawer.close()


def serve_drawings(line: Line) -> None:
    """What each process that draws runs."""
    from spatial_workbench.app.studio.drawing import OwnDrawer
    from spatial_workbench.widgets.theme import DARK, LIGHT

    def colour(role: str) -> tuple[str, str]:
        return LIGHT.color(role).name(), DARK.color(role).name()

    serve(line, OwnAttemptDrawer(OwnDrawer(), colour))


def _charts(charts: Iterable[Chart]) -> Mapping[str, ChartSvg]:
    from spatial_workbench.app.results.report import drawn

    return {chart.title: drawn(chart) for chart in charts}
