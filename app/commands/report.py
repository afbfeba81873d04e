"""The report."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.commands.plumbing import Add, opened, show


def add_commands(add: Add) -> None:
    """Adds the command to the parser that `add` belongs to."""
    report = add("report", _report, "Write a report on the results of a project, as one HTML file.")
    report.add_argument("project", metavar="PROJECT")
    report.add_argument("-o", "--output", required=True, metavar="FILE.html")
    report.add_argument("--batch", type=int, action="append", help="only this batch; may be given several times")
    report.add_argument("--with-help", action="store_true", help="count attempts with solving aids too")
    report.add_argument("--without-overrides", action="store_true", help="count only the verifiers' scores")


def _report(options: argparse.Namespace) -> int:
    from app.results.report import save_report
    from engine.evaluation.results.contents import ResultsChoice

    choice = ResultsChoice(
        batches=tuple(options.batch) if options.batch else None,
        helped=options.with_help,
        overrides=not options.without_overrides,
    )
    with opened(Path(options.project)) as project:
        save_report(project, Path(options.output), choice)
    return show(options, {"report": options.output}, f"The report is in {options.output}.")
