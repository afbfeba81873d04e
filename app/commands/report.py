"""The results of a project: as tables on the command line and in files, and as a report."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.app.commands.plumbing import AddCommand, Refused, opened, output_file, show

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.results.charts import Chart
    from spatial_workbench.engine.evaluation.results.contents import ReportSection, ResultsChoice
    from spatial_workbench.engine.evaluation.results.tables import Table, TableCell, TableLine
    from spatial_workbench.engine.store import Project


_WITH_DETAILS = ("leaderboard", "comparison")
"""Sections whose tables show intervals and notes in a terminal, too."""


def add_commands(add: AddCommand) -> None:
    """Adds the command to the parser that `add` belongs to."""
    results = add("results", _results, "Show the results of a project as tables, or write them as CSV files.")
    results.add_argument("project", metavar="PROJECT")
    results.add_argument("--section", action="append", metavar="NAME", help="only this section, such as machines")
    results.add_argument(
        "--compare",
        nargs=2,
        metavar=("A", "B"),
        help="compare two sets of attempts in pairs: names of runs, or fields such as “batch=3 verifier=default@2”",
    )
    results.add_argument("--leaderboard", action="store_true", help="all runs with ranks, and what their answers took")
    results.add_argument("--sort", metavar="COLUMN", help="sort the leaderboard by a column, such as cost")
    results.add_argument("--ascending", action="store_true", help="the lowest first")
    results.add_argument("--descending", action="store_true", help="the highest first")
    results.add_argument("--csv", metavar="FOLDER", help="write a file for each table and chart into this folder")
    results.add_argument("--parquet", metavar="FOLDER", help="the same as Parquet files, with types")
    for kind, title in (("latex", "LaTeX, for booktabs"), ("markdown", "Markdown"), ("html", "HTML pages")):
        results.add_argument(f"--{kind}", metavar="FOLDER", help=f"write the tables as {title}")
    _add_choice(results)
    metadata = add("metadata", _metadata, "Write metadata for Datasette: the meaning of a project's views and columns.")
    metadata.add_argument("project", metavar="PROJECT")
    metadata.add_argument("-o", "--output", required=True, metavar="FILE.json")
    report = add("report", _report, "Write a report on the results of a project, as one HTML file.")
    report.add_argument("project", metavar="PROJECT")
    report.add_argument("-o", "--output", required=True, metavar="FILE.html")
    _add_choice(report)


def _add_choice(command: argparse.ArgumentParser) -> None:
    command.add_argument("--batch", type=int, action="append", help="only this batch; may be given several times")
    command.add_argument("--with-help", action="store_true", help="also count attempts with solving aids")
    command.add_argument("--without-overrides", action="store_true", help="count only the verifiers' scores")
    command.add_argument("--errors-as-zero", action="store_true", help="count errors as a score of 0")
    command.add_argument(
        "--step-judge",
        default="",
        metavar="NAME",
        help="whose judgements of the steps of puzzles count: those of one that “puzzles judges” lists (name or key)",
    )
    command.add_argument(
        "--verifier",
        default="default",
        metavar="NAME",
        help="whose scores count: default, published, or a verifier of your own, own:NAME or own:NAME@VERSION",
    )
    command.add_argument("--without-published", action="store_true", help="leave the published results out")


def _choice(options: argparse.Namespace, project: Project) -> ResultsChoice:
    from spatial_workbench.engine.evaluation.results.contents import ResultsChoice

    return ResultsChoice(
        batches=tuple(options.batch) if options.batch else None,
        published=not options.without_published,
        helped=options.with_help,
        overrides=not options.without_overrides,
        errors_are_zero=options.errors_as_zero,
        step_judge=_step_judge(options.step_judge, project),
        verifier=_verifier(options.verifier, project),
    )


def _verifier(wanted: str, project: Project) -> str:
    """Whose scores count. Raises Refused if nobody of that name has judged an attempt."""
    from spatial_workbench.engine.store.facts import is_own

    judges = project.runs.verifiers()
    named = {name for name, _, _ in judges} | {f"{name}@{version}" for name, version, _ in judges if is_own(name)}
    if wanted not in named | {"default", "published"}:
        known = ", ".join(sorted({name for name, _, _ in judges})) or "none"
        raise Refused(f"No attempt was judged by “{wanted}”; there are verdicts of {known}.")
    return wanted


def _step_judge(wanted: str, project: Project) -> str:
    """The key of the judge whose judgements count; “people” is the one person who has ticked."""
    from spatial_workbench.engine.store.step_judges import UnknownJudge, judge_named

    if not wanted:
        return ""
    judges = list(project.puzzles.step_judges())
    by_hand = [judge for judge in judges if judge.is_person]
    if wanted == "people" and len(by_hand) == 1:
        return by_hand[0].key
    try:
        return judge_named(judges, wanted).key
    except UnknownJudge as error:
        raise Refused(str(error)) from None


def _results(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.results.contents import read

    if options.sort and not options.leaderboard:
        raise Refused("Only the leaderboard can be sorted; add --leaderboard.")
    if options.compare:
        return _compare(options)
    if options.leaderboard:
        return _leaderboard(options)
    wanted: Sequence[str] = options.section or ()
    with opened(Path(options.project)) as project:
        results = read(project, _choice(options, project), only=wanted[0] if len(wanted) == 1 else None)
    known = [section.id for section in results.sections]
    unknown = [name for name in options.section or () if name not in known]
    if unknown:
        raise Refused(f"There is no section “{unknown[0]}”; there are {', '.join(known)}.")
    sections = [section for section in results.sections if not options.section or section.id in options.section]
    return _shown(options, sections)


def _shown(options: argparse.Namespace, sections: Sequence[ReportSection]) -> int:
    """Prints sections, or writes them as files."""
    folders = {kind: getattr(options, kind) for kind in ("csv", "parquet", "latex", "markdown", "html")}
    paths = [path for kind, folder in folders.items() if folder for path in _write(sections, Path(folder), kind)]
    if any(folders.values()):
        return show(options, {"files": list(map(str, paths))}, "\n".join(map(str, paths)))
    return show(options, {section.id: _plain(section) for section in sections}, "\n".join(map(_text, sections)))


def _leaderboard(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.results.contents import chosen_records, leaderboard_sections

    with opened(Path(options.project)) as project:
        choice = _choice(options, project)
        board, fronts = leaderboard_sections(project, chosen_records(project, choice), choice)
    if options.sort:
        tables = tuple(_sorted(table, options) for table in board.tables)
        board = replace(board, tables=tables)
    return _shown(options, [board, fronts])


def _sorted(table: Table, options: argparse.Namespace) -> Table:
    """A table in the order that was asked for; without one, the better values come first."""
    titles = [table.first, *(heading.title for heading in table.headings)]
    found = [k for k, title in enumerate(titles, start=-1) if title.casefold() == options.sort.casefold()]
    if not found:
        raise Refused(f"There is no column “{options.sort}”; there are {', '.join(titles).lower()}.")
    heading = table.headings[found[0]] if found[0] >= 0 else None
    better_first = heading is not None and not heading.is_text and not heading.low_first
    return table.sorted_by(found[0], options.descending or (better_first and not options.ascending))


def _compare(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.comparing.comparison import NothingToCompare
    from spatial_workbench.engine.evaluation.comparing.sets import UnknownSet, written_set
    from spatial_workbench.engine.evaluation.results.comparisons import comparison_section

    try:
        first, second = map(written_set, options.compare)
        with opened(Path(options.project)) as project:
            section = comparison_section(project, first, second, _choice(options, project))
    except (NothingToCompare, UnknownSet) as error:
        raise Refused(str(error)) from None
    return _shown(options, [section])


def _metadata(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.core.files import write_whole
    from spatial_workbench.engine.store.views import metadata

    project = Path(options.project)
    with opened(project):
        pass
    text = json.dumps(metadata(project.stem), ensure_ascii=False, indent=2)
    with output_file(options) as path:
        write_whole(path, f"{text}\n".encode())
    command = f"datasette {project} --metadata {options.output}"
    return show(options, {"file": options.output, "command": command}, f"To open the project: {command}")


def _plain(section: ReportSection) -> dict[str, Any]:
    tables = [{"title": table.title, "header": table.header, "rows": table.rows} for table in section.tables]
    charts = [{"title": chart.title, "header": chart.header, "rows": chart.rows} for chart in section.charts]
    return {"title": section.title, "tables": tables, "charts": charts}


def _text(section: ReportSection) -> str:
    """The tables of a section for a terminal, each under its title."""
    parts = [section.title.upper(), *([section.lacking] if section.lacking else []), *section.words]
    with_details = section.id in _WITH_DETAILS
    for table in section.tables:
        rows = [(_title(line), *(_cell(cell, with_details) for cell in line.cells)) for line in table.lines]
        head = (table.first, *(heading.label for heading in table.headings))
        words = filter(None, (table.words, table.about))
        notes = [f"{note.mark}  {note.text}" if note.mark else note.text for note in table.notes if with_details]
        parts += ["", table.title, *words, _aligned([head, *rows]), *notes]
    return "\n".join([*parts, ""])


def _title(line: TableLine) -> str:
    return f"{line.title} {line.marks}".rstrip()


def _cell(cell: TableCell, with_details: bool) -> str:
    return f"{cell.text} ({cell.detail})" if with_details and cell.detail else cell.text


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def _write(sections: Sequence[ReportSection], folder: Path, kind: str) -> list[Path]:
    """Writes each table of some sections as a file of a kind, and the figures of charts as CSV and Parquet."""
    from spatial_workbench.engine.evaluation.results.documents import FORMATS, save_document

    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for section in sections:
        for table in section.tables:
            if kind in FORMATS:
                paths.append(_path(folder, section, table.title, FORMATS[kind][0]))
                save_document(table, paths[-1], kind)
        data: Sequence[Table | Chart] = () if kind in FORMATS else (*section.tables, *section.charts)
        for shown in data:
            paths.append(_path(folder, section, shown.title, kind))
            _write_data(shown, paths[-1], kind)
    return paths


def _write_data(shown: Table | Chart, path: Path, kind: str) -> None:
    from spatial_workbench.engine.evaluation.export import write_rows
    from spatial_workbench.engine.evaluation.export.parquet import write_parquet

    write = write_rows if kind == "csv" else write_parquet
    write(path, shown.header, shown.rows)


def _path(folder: Path, section: ReportSection, title: str, suffix: str) -> Path:
    name = re.sub(r"[^a-z0-9]+", "-", f"{section.id} {title}".lower()).strip("-")
    return folder / f"{name}.{suffix}"


def _report(options: argparse.Namespace) -> int:
    from spatial_workbench.app.results.report import save_report

    with opened(Path(options.project)) as project, output_file(options, ".html") as path:
        save_report(project, path, _choice(options, project))
    return show(options, {"report": options.output}, f"The report is in {options.output}.")
