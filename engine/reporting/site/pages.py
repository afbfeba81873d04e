"""The pages of a site as HTML, each with a JSON file of the same name beside it.

The templates are in `resources/site`; whatever they are given is escaped. Scripts and styles are files of the site, and
the policy of each page allows no others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core.instance import address_order
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.core.version import application_version
from spatial_workbench.engine.core.words import counted, score_words
from spatial_workbench.engine.evaluation.datasets.canary import canary
from spatial_workbench.engine.evaluation.results.charts import Chart
from spatial_workbench.engine.evaluation.results.tables import Table, TableCell, TableLine, percent
from spatial_workbench.engine.reporting.site.contents import SiteAttempt, SiteContents, SiteRun
from spatial_workbench.engine.reporting.site.drawings import KeptDrawing
from spatial_workbench.engine.reporting.site.listing import SiteListing
from spatial_workbench.engine.reporting.site.rules import rules_html
from spatial_workbench.engine.reporting.site.run_scores import run_scores
from spatial_workbench.engine.reporting.site.studies import SiteStudy

if TYPE_CHECKING:
    from jinja2 import Environment

STATIC = ("style.css", "theme.js", "site.js", "attempts.js", "compare.js", "search.js", "viewer.js")
_PAGES = (
    ("index", "Leaderboard"),
    ("tasks", "Tasks"),
    ("runs", "Runs"),
    ("attempts", "Attempts"),
    ("compare", "Comparisons"),
)
_SIGNS = {"passed": "✓", "failed": "✗", "not reached": "–"}
_MOST_ELEMENTS = 200
_MOST_OTHERS = 40


@dataclass(frozen=True)
class DrawnChart:
    """A chart on a page: the beginning of its files' names, and what it says."""

    file: str
    title: str
    about: str
    description: str


@dataclass(frozen=True)
class TaskCover:
    """The attempt whose picture stands for a task."""

    number: int
    address: str
    title: str
    said: str
    drawing: KeptDrawing


@dataclass(frozen=True)
class SitePage:
    """A page: its path without the suffix, its HTML, and its JSON; None: it has none."""

    path: str
    html: str
    data: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class SitePageParts:
    """What pages show besides the contents.

    Attributes:
        guid: Of the canary.
        drawings: By the number of the attempt.
        covers: By task.
        charts: The files of charts that were drawn, by the title of the chart.
    """

    guid: str
    listing: SiteListing
    drawings: Mapping[int, KeptDrawing]
    covers: Mapping[str, TaskCover]
    charts: Mapping[str, str]


class SitePages:
    """Makes the pages of a site."""

    def __init__(self, contents: SiteContents, parts: SitePageParts) -> None:
        self._contents = contents
        self._parts = parts
        self._canary = canary(parts.guid)
        self._runs = {run.slug: run for run in contents.runs}
        self._tasks = {task.id: task for task in contents.tasks}
        pages = [*_PAGES, *([("studies", "Studies")] if contents.studies else [])]
        self._site = {"title": contents.choice.title, "canary": self._canary, "pages": pages}

    @property
    def all(self) -> Iterator[SitePage]:
        """All pages."""
        yield self._leaderboard()
        listed = [self._task_data(task.id) for task in self._contents.tasks]
        yield self._page("tasks", "tasks", "Tasks", {"tasks": listed})
        yield from (self._task(task.id) for task in self._contents.tasks)
        yield self._page(
            "runs", "runs", "Runs", {"runs": [self._run_data(run) for run in self._contents.runs]}, passed=self._passed
        )
        yield from map(self._run, self._contents.runs)
        yield self._attempts()
        yield from map(self._attempt, self._contents.attempts.values())
        yield from self._comparisons()
        yield from self._studies()
        yield self._page("search", "search", "Search", None, index_json=_in_script(list(self._index())))
        yield self._page(
            "about",
            "about",
            "About this site",
            self._parts.listing.data,
            version=application_version(),
            left_out=self._parts.listing.left_out,
        )

    # Pages of many things ----------------------------------------------------------------------------------------

    def _leaderboard(self) -> SitePage:
        contents = self._contents
        tables = (*contents.leaderboard, *contents.scores)
        return self._page(
            "index",
            "index",
            contents.choice.title,
            {"tables": [_table_data(table) for table in tables]},
            slugs={run.title: run.slug for run in contents.runs},
            run_links={run.title: f"runs/{run.slug}.html" for run in contents.runs},
            task_links={task.title: f"tasks/{task.id}.html" for task in contents.tasks},
            charts=list(self._drawn(contents.charts)),
        )

    def _attempts(self) -> SitePage:
        contents = self._contents
        tasks = {task.id: place for place, task in enumerate(contents.tasks)}
        runs = {run.slug: place for place, run in enumerate(contents.runs)}
        ordered = sorted(contents.attempts.values(), key=lambda one: (address_order(one.address), one.run, one.repeat))
        rows = [
            [
                *(one.number, tasks[one.task], one.address.removeprefix(one.task), runs[one.run]),
                *(one.score if one.score is None else round(one.score, 4), one.passed and 1, _short(one.seconds)),
                one.output_tokens,
            ]
            for one in ordered
        ]
        known = {
            "tasks": [[task.id, task.title] for task in contents.tasks],
            "runs": [[run.slug, run.title] for run in contents.runs],
        }
        columns = ["number", "task", "address", "run", "score", "passed", "seconds", "output_tokens"]
        data = {"columns": columns, **known, "rows": rows}
        return self._page("attempts", "attempts", "Attempts", data, rows_json=_in_script({**known, "rows": rows}))

    def _comparisons(self) -> Iterator[SitePage]:
        contents = self._contents
        differences = {one.slug: _difference(one.tables) for one in contents.comparisons}
        listed = [{"first": one.first, "second": one.second, "slug": one.slug} for one in contents.comparisons]
        choice = _in_script(run_scores(contents)) if sum(bool(run.attempts) for run in contents.runs) > 1 else ""
        pairs = {"comparisons": listed}
        yield self._page("compare", "compare", "Comparisons", pairs, differences=differences, scores_json=choice)
        for one in contents.comparisons:
            data = {"first": one.first, "second": one.second, "tables": list(map(_table_data, one.tables))}
            title = f"{one.first} and {one.second}"
            yield self._page(f"compare/{one.slug}", "comparison", title, data, "compare", one=one)

    def _studies(self) -> Iterator[SitePage]:
        if not self._contents.studies:
            return
        listed = [{"name": study.name, "slug": study.slug, "people": study.people} for study in self._contents.studies]
        yield self._page("studies", "studies", "Studies", {"studies": listed})
        for study in self._contents.studies:
            charts = {section.id: list(self._drawn(section.charts)) for section in study.sections}
            yield self._page(
                f"studies/{study.slug}",
                "study",
                study.name,
                _study_data(study),
                "studies",
                study=study,
                study_charts=charts,
            )

    def _index(self) -> Iterator[list[str]]:
        """What the search finds: kind, title, address of the page, and further words."""
        contents = self._contents
        for task in contents.tasks:
            yield ["Task", task.title, f"tasks/{task.id}.html", f"{task.id} {task.bucket}"]
        for run in contents.runs:
            yield ["Run", run.title, f"runs/{run.slug}.html", run.kind]
        for one in contents.comparisons:
            yield ["Comparison", f"{one.first} and {one.second}", f"compare/{one.slug}.html", ""]
        for study in contents.studies:
            yield ["Study", study.name, f"studies/{study.slug}.html", ""]
        for attempt in contents.attempts.values():
            yield ["Attempt", attempt.address, f"attempts/{attempt.number}.html", self._titles[attempt.run]]

    # Pages of one thing ------------------------------------------------------------------------------------------

    def _task(self, name: str) -> SitePage:
        task = self._tasks[name]
        rows = [
            {"slug": run.slug, "title": run.title, "attempts": own, "cell": self._cell(task.title, run.title)}
            for run in self._contents.runs
            if (own := [one for one in self._of(task.attempts) if one.run == run.slug])
        ]
        from markupsafe import Markup

        return self._page(
            f"tasks/{name}",
            "task",
            task.title,
            self._task_data(name),
            "tasks",
            task=task,
            rows=rows,
            rules=Markup(rules_html(task.rules)),
            cover=self._parts.covers.get(name),
        )

    def _run(self, run: SiteRun) -> SitePage:
        by_task: dict[str, list[SiteAttempt]] = {}
        for attempt in self._of(run.attempts):
            by_task.setdefault(attempt.task, []).append(attempt)
        rows = [
            {"task": self._tasks[name], "attempts": own, "cell": self._cell(self._tasks[name].title, run.title)}
            for name, own in by_task.items()
        ]
        among = [one for one in self._contents.comparisons if run.title in (one.first, one.second)]
        data = self._run_data(run)
        return self._page(f"runs/{run.slug}", "run", run.title, data, "runs", run=run, rows=rows, comparisons=among)

    def _attempt(self, attempt: SiteAttempt) -> SitePage:
        drawing = self._parts.drawings.get(attempt.number)
        others = [one for one in self._at_address[attempt.address] if one is not attempt][:_MOST_OTHERS]
        return self._page(
            f"attempts/{attempt.number}",
            "attempt",
            f"{attempt.address}, {self._runs[attempt.run].title}",
            self._attempt_data(attempt),
            "attempts",
            one=attempt,
            task=self._tasks[attempt.task],
            run=self._runs[attempt.run],
            drawing=drawing,
            scene=drawing is not None and drawing.scene is not None,
            others=others,
            titles=self._titles,
        )

    @cached_property
    def _at_address(self) -> dict[str, list[SiteAttempt]]:
        found: dict[str, list[SiteAttempt]] = {}
        for attempt in self._contents.attempts.values():
            found.setdefault(attempt.address, []).append(attempt)
        return found

    @cached_property
    def _titles(self) -> dict[str, str]:
        return {slug: run.title for slug, run in self._runs.items()}

    @cached_property
    def _bests(self) -> dict[str, str]:
        """The best mean of a run at each task, in percent."""
        found = {}
        for table in self._contents.scores[:1]:
            for line in table.lines:
                values = [cell.values[0] for cell in line.cells if cell.values and cell.values[0] is not None]
                numbers = [value for value in values if isinstance(value, float)]
                ids = [task.id for task in self._contents.tasks if task.title == line.title]
                if numbers and ids:
                    found[ids[0]] = percent(max(numbers))
        return found

    # Data --------------------------------------------------------------------------------------------------------

    def _page(
        self, path: str, template: str, title: str, data: Mapping[str, Any] | None, section: str = "", **values: Any
    ) -> SitePage:
        depth = path.count("/")
        html = (
            _templates()
            .get_template(f"{template}.html")
            .render(
                site=self._site,
                contents=self._contents,
                title=title,
                page=path,
                section=section or path,
                root="../" * depth,
                json=None if data is None else f"{path.rpartition('/')[2]}.json",
                covers=self._parts.covers,
                bests=self._bests,
                **values,
            )
        )
        return SitePage(path, html, None if data is None else {"canary": self._canary, "title": title, **data})

    def _of(self, numbers: Sequence[int]) -> list[SiteAttempt]:
        return [self._contents.attempts[number] for number in numbers]

    def _passed(self, run: SiteRun) -> int:
        return sum(bool(one.passed) for one in self._of(run.attempts))

    def _cell(self, task: str, run: str) -> TableCell | None:
        """The score of a run at a task, as the table of scores has it."""
        for table in self._contents.scores:
            columns = [place for place, heading in enumerate(table.headings) if heading.title == run]
            lines = [line for line in table.lines if line.title == task]
            if columns and lines and lines[0].cells[columns[0]].values:
                return lines[0].cells[columns[0]]
        return None

    def _drawn(self, charts: Sequence[Chart]) -> Iterator[DrawnChart]:
        for chart in charts:
            if chart.title in self._parts.charts:
                yield DrawnChart(self._parts.charts[chart.title], chart.title, chart.about, chart.description)

    def _task_data(self, name: str) -> dict[str, Any]:
        task = self._tasks[name]
        return {
            "id": task.id,
            "name": task.title,
            "bucket": task.bucket,
            "summary": task.summary,
            "rules": task.rules,
            "attempts": list(task.attempts),
        }

    def _run_data(self, run: SiteRun) -> dict[str, Any]:
        return {
            "name": run.title,
            "slug": run.slug,
            "kind": run.kind,
            "asked": dict(run.asked),
            "attempts": list(run.attempts),
        }

    def _attempt_data(self, one: SiteAttempt) -> dict[str, Any]:
        checks = [
            {"name": check.name, "state": check.state, "message": check.message, "elements": list(check.elements)}
            for check in one.checks
        ]
        return {
            "number": one.number,
            "task": one.task,
            "address": one.address,
            "run": self._runs[one.run].title,
            "repeat": one.repeat,
            "score": one.score,
            "passed": one.passed,
            "is_overridden": one.is_overridden,
            "day": one.day,
            "seconds": one.seconds,
            "output_tokens": one.output_tokens,
            "cost_usd": one.cost_usd,
            "measured": one.measured,
            "how_read": one.how_read,
            "cut_off": one.cut_off,
            "verifier": one.verifier,
            "checks": checks,
            "figures": [{"name": name, "value": value, "unit": unit} for name, value, unit in one.figures],
            "answer": one.answer,
            "withheld": one.withheld,
        }


def said(attempt: SiteAttempt) -> str:
    """How an attempt ended, in words."""
    if attempt.score is None:
        return "not judged"
    return f"{'passed' if attempt.passed else 'failed'}, score {score_words(attempt.score)}"


@cache
def _templates() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    templates = Environment(
        loader=FunctionLoader(lambda name: resource("site", name).read_text("utf-8")),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    templates.globals |= {
        "cell": _cell_of,
        "column": _column_of,
        "counted": counted,
        "elements": lambda check: json.dumps(list(check.elements)[:_MOST_ELEMENTS]),
        "figure": _figure,
        "instance_of": lambda attempt: attempt.address.removeprefix(attempt.task)[1:].partition("?")[0][:12],
        "said": said,
        "score": score_words,
        "signs": _SIGNS,
    }
    return templates


def _column_of(table: Table, title: str) -> tuple[Any, int]:
    place = [heading.title for heading in table.headings].index(title)
    return table.headings[place], place


def _cell_of(table: Table, line: TableLine, title: str) -> TableCell:
    return line.cells[_column_of(table, title)[1]]


def _figure(value: str | float) -> str:
    return f"{value:,.4g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else value


def _difference(tables: Sequence[Table]) -> str:
    """What a comparison says, in a sentence."""
    return tables[0].words or tables[0].about


def _table_data(table: Table) -> dict[str, Any]:
    notes = [f"{note.mark} {note.text}".strip() for note in table.notes]
    return {"title": table.title, "header": table.header, "rows": table.rows, "notes": notes}


def _study_data(study: SiteStudy) -> dict[str, Any]:
    report = [
        {"title": part.title, "words": list(part.words), "tables": list(map(_table_data, part.tables))}
        for part in study.sections
    ]
    data = {table.name: {"header": table.header, "rows": [list(row) for row in table.rows]} for table in study.tables}
    return {
        "name": study.name,
        "people": study.people,
        "left_out": list(study.left_out),
        "report": report,
        "data": data,
    }


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, 1)


def _in_script(data: object) -> Any:
    """Data as JSON that can be put into a script element."""
    from markupsafe import Markup

    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))
