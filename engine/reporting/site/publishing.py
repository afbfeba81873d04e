"""Makes a site: reads, draws, writes pages, and puts the folder in its place."""

from __future__ import annotations

import json
import re
import shutil
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.evaluation.datasets.canary import require_guid
from spatial_workbench.engine.evaluation.results.charts import Chart, Kind
from spatial_workbench.engine.evaluation.results.html import ChartSvg
from spatial_workbench.engine.reporting.site.attempt_drawing import AttemptDrawer
from spatial_workbench.engine.reporting.site.choice import CannotPublish, SiteChoice
from spatial_workbench.engine.reporting.site.contents import SiteAttempt, SiteContents, site_contents
from spatial_workbench.engine.reporting.site.drawings import Drawings, KeptDrawing, usual_folder
from spatial_workbench.engine.reporting.site.folder import MARK, older_canary, refuse_if_foreign, whole_folder
from spatial_workbench.engine.reporting.site.listing import SiteListing, listing
from spatial_workbench.engine.reporting.site.pages import STATIC, SitePageParts, SitePages, TaskCover, said

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

DrawCharts = Callable[[Iterable[Chart]], Mapping[str, ChartSvg]]
"""Draws charts, by their titles."""
_BAD_IN_FILES = re.compile(r"[^a-z0-9]+")
_FOLDERS = ("tasks", "runs", "attempts", "compare", "studies")
_PAGES_AT_ONCE = 100


@dataclass(frozen=True)
class SiteTools:
    """What draws for a site; without them, it has no pictures.

    Attributes:
        drawers: They work side by side.
        kept: The folder in which drawings and comparisons are kept; None: the usual one.
    """

    drawers: Sequence[AttemptDrawer] = ()
    charts: DrawCharts | None = None
    kept: Path | None = None


@dataclass(frozen=True)
class PublishedSite:
    """A site that was written.

    Attributes:
        undrawn: How many attempts are not drawn although their answers are shown, by the reason.
    """

    folder: Path
    files: int
    listing: SiteListing
    undrawn: Mapping[str, int]


def publish(
    project: Project, target: Path, choice: SiteChoice, tools: SiteTools, progress: Progress = silent
) -> PublishedSite:
    """Writes a site into a folder, completely or not at all. An older site of ours there is replaced.

    Raises:
        CannotPublish: Something that was chosen cannot be published, or the folder holds something else.
        OSError: It cannot be written.
        Cancelled: Raised by `progress`; nothing is written.
    """
    refuse_if_foreign(target)
    guid = choice.canary or older_canary(target) or str(uuid.uuid4())
    _refuse_strange_canary(guid)
    contents = site_contents(project, choice, progress, tools.kept or usual_folder())
    drawings, covers = _drawn(contents, tools, progress)
    with whole_folder(target) as folder, ThreadPoolExecutor(1) as beside:
        for name in _FOLDERS:
            (folder / name).mkdir()
        copying = beside.submit(_copy_drawings, drawings, folder)
        charts = _write_charts(contents, tools, folder)
        parts = SitePageParts(guid, listing(contents), drawings, covers, charts)
        _write_pages(SitePages(contents, parts), folder, len(contents.attempts), progress)
        copying.result()
        for name in STATIC:
            (folder / name).write_bytes(resource("site", name).read_bytes())
        (folder / MARK).write_text(json.dumps({"title": choice.title, "canary": guid}), "utf-8")
    files = sum(1 for path in target.rglob("*") if path.is_file())
    return PublishedSite(target, files, parts.listing, _undrawn(contents, drawings))


def preview(project: Project, choice: SiteChoice, progress: Progress = silent) -> SiteListing:
    """What a site would hold; nothing is drawn or written.

    Raises:
        CannotPublish: Something that was chosen cannot be published.
        Cancelled: Raised by `progress`.
    """
    return listing(site_contents(project, choice, progress, usual_folder()))


def _refuse_strange_canary(guid: str) -> None:
    try:
        require_guid(guid)
    except ValueError as error:
        raise CannotPublish(str(error)) from None


# Drawings --------------------------------------------------------------------------------------------------------


def _drawn(
    contents: SiteContents, tools: SiteTools, progress: Progress
) -> tuple[dict[int, KeptDrawing], dict[str, TaskCover]]:
    if not tools.drawers or not contents.choice.pictures:
        return {}, {}
    drawings = Drawings(tools.drawers, tools.kept or usual_folder(), contents.choice.motion)
    shown = [attempt for attempt in contents.attempts.values() if not attempt.withheld]
    found = drawings.of_all(shown, progress)
    titles = {run.slug: run.title for run in contents.runs}
    of_tasks = {
        task.id: _best((contents.attempts[number] for number in task.attempts), found) for task in contents.tasks
    }
    bests = {task: best for task, best in of_tasks.items() if best is not None}
    found |= drawings.in_dark(list(bests.values()), progress)
    covers = {
        task: TaskCover(best.number, best.address, titles[best.run], said(best), found[best.number])
        for task, best in bests.items()
    }
    return found, covers


def _best(attempts: Iterable[SiteAttempt], drawings: Mapping[int, KeptDrawing]) -> SiteAttempt | None:
    """The attempt that stands for its task: the best one that is drawn, and the first of equals."""
    drawn = [one for one in attempts if one.number in drawings and drawings[one.number].pictures]
    return max(drawn, key=lambda one: -1.0 if one.score is None else one.score, default=None)


def _undrawn(contents: SiteContents, drawings: Mapping[int, KeptDrawing]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for drawing in drawings.values():
        if drawing.trouble:
            counts[drawing.trouble] = counts.get(drawing.trouble, 0) + 1
    return counts


def _copy_drawings(drawings: Mapping[int, KeptDrawing], folder: Path) -> None:
    """Copies the files of drawings; a file in the site that somebody changes must not change the one that is kept."""
    for number, drawing in drawings.items():
        for theme, path in drawing.pictures.items():
            if theme == "light" or theme == "dark":
                shutil.copyfile(path, folder / "attempts" / f"{number}{'' if theme == 'light' else '-dark'}.webp")
        if drawing.scene is not None:
            shutil.copyfile(drawing.scene, folder / "attempts" / f"{number}.js")


def _write_charts(contents: SiteContents, tools: SiteTools, folder: Path) -> dict[str, str]:
    """Writes the charts that can be drawn; gives the beginning of their files' names by title."""
    of_studies = (chart for study in contents.studies for part in study.sections for chart in part.charts)
    # A single point is compared with nothing.
    fronts = (chart for chart in contents.charts if sum(len(series.marks) for series in chart.series) > 1)
    charts = [chart for chart in (*fronts, *of_studies) if chart.kind is not Kind.CELLS]
    if tools.charts is None or not charts:
        return {}
    names = {}
    (folder / "charts").mkdir()
    for place, (title, drawn) in enumerate(tools.charts(charts).items(), 1):
        names[title] = f"{place}-{_BAD_IN_FILES.sub('-', title.casefold())[:40].strip('-')}"
        (folder / "charts" / f"{names[title]}-light.svg").write_text(drawn.light, "utf-8")
        (folder / "charts" / f"{names[title]}-dark.svg").write_text(drawn.dark, "utf-8")
    return names


# Pages -----------------------------------------------------------------------------------------------------------


def _write_pages(pages: SitePages, folder: Path, attempts: int, progress: Progress) -> None:
    for place, page in enumerate(pages.all):
        if place % _PAGES_AT_ONCE == 0:
            progress(min(place, attempts), attempts, "Writing pages")
        (folder / f"{page.path}.html").write_text(page.html, "utf-8")
        if page.data is not None:
            text = json.dumps(page.data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
            (folder / f"{page.path}.json").write_text(text, "utf-8")
    for name in ("compare", "studies"):
        if not any((folder / name).iterdir()):
            (folder / name).rmdir()
