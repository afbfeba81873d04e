"""Commands about the results of a study: its report, and its data as files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.app.commands.plumbing import (
    NOT_PASSED,
    PASSED,
    Actions,
    Refused,
    add_action,
    opened,
    output_file,
    output_folder,
    printing_progress,
    show,
)

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project


def add_actions(actions: Actions) -> None:
    """Adds the actions to the command `study`."""
    report = add_action(actions, "report", _report, "Write the report on a study, as one HTML file.")
    _add_study(report)
    report.add_argument("-o", "--output", required=True, metavar="FILE.html")
    report.add_argument("--short", action="store_true", help="the short form, for an appendix")
    export = add_action(actions, "export", _export, "Write the data of a study.")
    _add_study(export)
    export.add_argument("-o", "--output", required=True, metavar="PATH", help="a folder; for jsonl a file")
    export.add_argument("--format", choices=("csv", "parquet", "psychds", "jsonl"), default="csv")
    export.add_argument("--public", action="store_true", help="only what may be published, under new codes")
    export.add_argument("--raw", nargs="*", default=[], metavar="FILE", help="results files to put into data/raw")


def _add_study(command: argparse.ArgumentParser) -> None:
    command.add_argument("project", metavar="PROJECT")
    command.add_argument("study", metavar="STUDY", help="its id, its name, or the beginning of its hash")


def _study(project: Project, options: argparse.Namespace) -> str:
    from spatial_workbench.engine.store.studies.records import StudyError

    try:
        return project.studies.find(options.study)
    except StudyError as error:
        raise Refused(str(error)) from None


def _report(options: argparse.Namespace) -> int:
    from spatial_workbench.app.results.study_report import save_study_report

    with opened(Path(options.project)) as project, output_file(options, ".html") as path:
        save_study_report(project, _study(project, options), path, printing_progress(), options.short)
    return show(options, {"file": options.output}, f"The report is in {options.output}.")


def _export(options: argparse.Namespace) -> int:
    from spatial_workbench.app.results.study_report import export_study

    raw = [Path(file) for file in options.raw]
    if raw and options.format != "psychds":
        raise Refused("--raw works only with --format psychds.")
    if options.format != "jsonl":
        output_folder(options)
    with opened(Path(options.project)) as project, output_file(options, ".jsonl") as path:
        exported = export_study(project, _study(project, options), path, options.format, options.public, raw)
    lines = [str(path) for path in exported.files]
    lines += [f"Left out: {sentence}" for sentence in exported.left_out]
    data = {"files": [str(path) for path in exported.files], "left_out": list(exported.left_out)}
    return show(options, data, lines)


def check_folder(options: argparse.Namespace, folder: Path) -> int:
    """Lists what keeps a folder from being a Psych-DS dataset."""
    from spatial_workbench.engine.reporting.psych_ds import check_psychds

    problems = check_psychds(folder)
    show(options, problems, problems or f"{folder} is a Psych-DS dataset.")
    return NOT_PASSED if problems else PASSED
