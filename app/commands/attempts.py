"""Commands about stored attempts: list, judge again, export, import."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.app.commands.batches import start_and_watch, start_detached
from spatial_workbench.app.commands.laboratory.trusting import show_version_diff
from spatial_workbench.app.commands.plumbing import (
    NOT_PASSED,
    AddCommand,
    Refused,
    opened,
    output_file,
    output_folder,
    plain,
    print_message,
    printing_progress,
    show,
)

if TYPE_CHECKING:
    from spatial_workbench.engine.store import RunFilter, RunRow


def add_commands(add: AddCommand) -> None:
    """Adds the commands to the parser that `add` belongs to."""
    runs = add("runs", _runs, "List attempts.")
    _add_filters(runs)
    runs.add_argument("--sort", default="attempt")
    runs.add_argument("--ascending", action="store_true")
    runs.add_argument("--limit", type=int, default=50)
    again = add(
        "verify-again", _verify_again, "Check stored attempts with the current verifiers, and list what changed."
    )
    _add_filters(again)
    again.add_argument(
        "--allow-programs", action="store_true", help="run programs in answers, in the sandbox (docs/sandbox.md)"
    )
    again.add_argument("--diff", action="store_true", help="say what would change, and store nothing")
    again.add_argument(
        "--with", dest="with_own", action="append", default=[], metavar="NAME", help="with --diff: also your own"
    )
    again.add_argument("-o", "--output", metavar="FILE", help="with --diff: a report (.html) or a table (.csv)")
    export = add("export", _export, "Write attempts to a file.")
    export.add_argument("project", metavar="PROJECT")
    export.add_argument("--format", choices=("jsonl", "inspect", "csv", "parquet", "html3d"), required=True)
    export.add_argument("-o", "--output", required=True, metavar="FILE")
    export.add_argument("--batch", type=int, action="append", help="only this batch; may be given several times")
    taken = add("import", _import, "Import and verify answers from a file, or restore an export as it was.")
    taken.add_argument("project", metavar="PROJECT")
    taken.add_argument("answers", metavar="FILE")
    taken.add_argument("--format", choices=("jsonl", "inspect"), help="if the file name does not show it")
    taken.add_argument("--workers", type=int, help="processes that verify")
    taken.add_argument("--again", action="store_true", help="also import answers that the project already has")
    taken.add_argument("--wait", action="store_true", help="wait for the verdicts, and print the scores")


def _add_filters(command: argparse.ArgumentParser) -> None:
    command.add_argument("project", metavar="PROJECT")
    for name in ("--task", "--model", "--label"):
        command.add_argument(name, action="append", metavar=name[2:].upper())
    command.add_argument("--address", metavar="TASK:N")
    command.add_argument("--read", action="append", metavar="HOW", help="how the answers were read: mended, …")
    for name, about in (
        ("--failed-check", "the first check of the default verifier that failed"),
        ("--stop-reason", "why the run of an agent ended: step_limit, timeout, …"),
        ("--finish-reason", "how the last reply of the model ended: stop, length, content_filter"),
        ("--own-label", "a label that somebody put on the attempt"),
    ):
        command.add_argument(name, action="append", metavar=name[2:].upper(), help=about)
    command.add_argument("--batch", type=int)
    for name in ("--score-min", "--score-max", "--measured-min", "--measured-max", "--seconds-min", "--seconds-max"):
        command.add_argument(name, type=float)
    for name in ("--tokens-min", "--tokens-max"):
        command.add_argument(name, type=int)
    for name in ("--since", "--until"):
        command.add_argument(name, metavar="2026-01-31", help="UTC")
    for name, meaning in (
        ("--passed", None),
        ("--tools", None),
        ("--disagrees", "default verifier and cross-check disagree"),
        ("--differs", "a verifier with other rules, such as the published one, decides differently"),
    ):
        command.add_argument(name, action=argparse.BooleanOptionalAction, default=None, help=meaning)
    for name, dest, about in (
        ("--helped", "is_helped", "attempts with solving aids, or (--no-helped) without"),
        ("--readable", "is_read", "attempts of which an answer could be read"),
        ("--cut-off", "is_cut_off", "attempts that time, steps, the output limit or a filter cut off"),
        ("--noted", "has_note", "attempts about which somebody wrote a note"),
    ):
        command.add_argument(name, dest=dest, action=argparse.BooleanOptionalAction, default=None, help=about)
    command.add_argument("--text", default="", help="words in prompts, answers, transcripts and notes")


def _filter(options: argparse.Namespace) -> RunFilter:
    from spatial_workbench.engine.store import RunFilter

    same = {name: getattr(options, name) for name in RunFilter.model_fields if hasattr(options, name)}
    if options.until and len(options.until) == len("2026-01-31"):
        same["until"] = f"{options.until}T24"  # The day itself is included.
    if unknown := set(options.read or ()) - set(_how_read()):
        raise Refused(f"Answers were read {', '.join(_how_read())}, not {', '.join(sorted(unknown))}.")
    lists = {"tasks": options.task, "who": options.model, "labels": options.label, "how_read": options.read} | {
        "failed_checks": options.failed_check,
        "run_ends": options.stop_reason,
        "finish_reasons": options.finish_reason,
        "tags": options.own_label,
    }
    return RunFilter(**same, **{name: tuple(values) if values else None for name, values in lists.items()})


def _runs(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.core import measured_text
    from spatial_workbench.engine.core.words import counted, score_words
    from spatial_workbench.engine.store import SORTED_BY

    if options.sort not in SORTED_BY:
        raise Refused(f"Runs can be sorted by {', '.join(SORTED_BY)}, not by “{options.sort}”.")
    with opened(Path(options.project)) as project:
        numbers = project.runs.numbers(_filter(options), options.sort, not options.ascending)
        rows = project.runs.rows(numbers[: max(0, options.limit)])
        differing = project.judgements.differing_verifiers([row.number for row in rows])
    lines = [
        f"{row.number:6}  {'–' if row.score is None else score_words(row.score, 3):>5}  "
        f"{measured_text(row.task, row.measured):>9}  {row.address:24} {row.actor_name:24} "
        f"{row.output_tokens if row.output_tokens is not None else '':>7}  "
        + "; ".join(filter(None, (row.label, _told_of(row), _remarks(row, differing.get(row.number, ())))))
        for row in rows
    ]
    lines.append(
        f"{len(rows)} of {counted(len(numbers), 'attempt')}"
        if len(rows) < len(numbers)
        else counted(len(rows), "attempt")
    )
    return show(options, {"count": len(numbers), "runs": [plain(row) for row in rows]}, lines)


def _how_read() -> list[str]:
    from spatial_workbench.engine.core.reading.how_read import HowRead

    return [how.value for how in HowRead]


def _told_of(row: RunRow) -> str:
    """How the answer was read, unless it was read as it is."""
    if row.how_read is None or row.how_read == "as it is":
        return ""
    return f"{row.how_read.value} ({row.mending})" if row.mending else row.how_read.value


def _remarks(row: RunRow, differing: Sequence[str]) -> str:
    """What else a line says about an attempt: exploring, help, other scores, differing verifiers."""
    from spatial_workbench.engine.core.words import score_words
    from spatial_workbench.engine.store.facts import THEIR_SCORE

    remarks = ["explored"] if row.explored else ["with help"] if row.solving_aids else []
    remarks += ["overridden"] if row.is_overridden else []
    remarks += [f"their score {score_words(row.own[THEIR_SCORE].score, 3)}"] if THEIR_SCORE in row.own else []
    remarks += [f"cut off: {row.cut_off}"] if row.cut_off else []
    remarks += [f"labelled {row.tags}"] if row.tags else []
    for name in (name for name in differing if name != THEIR_SCORE):
        remarks.append("disagrees with the cross-check" if name == "crosscheck" else f"known difference: {name}")
    return ", ".join(remarks)


def _verify_again(options: argparse.Namespace) -> int:
    from dataclasses import asdict

    from spatial_workbench.engine.core.words import counted
    from spatial_workbench.engine.evaluation.reverify import NOT_RUN, VerificationFailure, verify_again

    with opened(Path(options.project)) as project:
        numbers = project.runs.numbers(_filter(options), descending=False)
    if options.diff:
        return show_version_diff(options, numbers)
    if options.with_own or options.output:
        raise Refused("--with and -o belong to --diff; “verifiers run” lets a verifier of your own judge.")
    verdict_changes = verify_again(options.project, numbers, printing_progress(), programs=options.allow_programs)
    lines = []
    for change in verdict_changes:
        if isinstance(change, VerificationFailure):
            advice = "; --allow-programs runs it in the sandbox" if change.reason == NOT_RUN else ""
            lines.append(f"{change.attempt:6}  could not be checked: {change.reason}{advice}")
        else:
            before = "–" if change.before is None else f"{change.before:.3f}"
            checks = f"  ({', '.join(change.checks)})" if change.checks else ""
            same = f"  (the same by version {change.version})" if change.is_of_version_only else checks
            lines.append(f"{change.attempt:6}  {change.verifier:12} {before} → {change.after:.3f}{same}")
    lines.append(f"Checked again: {counted(len(numbers), 'attempt')}. Changed verdicts: {len(verdict_changes)}.")
    return show(options, {"judged": len(numbers), "changed": [asdict(change) for change in verdict_changes]}, lines)


def _export(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.core.words import counted
    from spatial_workbench.engine.evaluation.export import export_runs

    if options.format == "html3d":
        return _export_turning(options)
    suffix = ".eval" if options.format == "inspect" else f".{options.format}"
    with opened(Path(options.project)) as project, output_file(options, suffix) as path:
        written = export_runs(project, path, options.format, options.batch)
        if written.path.is_dir():
            # Several logs of Inspect are a folder.
            output_folder(options)
    summary = f"Written to {written.path}: {counted(written.count, 'attempt')}."
    return show(options, {"file": str(written.path), "attempts": written.count}, summary)


def _export_turning(options: argparse.Namespace) -> int:
    from spatial_workbench.app.results.attempt_pictures import write_turning_page
    from spatial_workbench.engine.store import RunFilter

    with opened(Path(options.project)) as project:
        filters = [RunFilter(batch=batch) for batch in options.batch] if options.batch else [RunFilter()]
        numbers = [number for chosen in filters for number in project.runs.numbers(chosen)]
        with output_file(options, ".html") as path:
            count = write_turning_page(project, path, numbers, printing_progress())
    return show(options, {"file": options.output, "attempts": count}, f"The page is in {options.output}.")


def _is_of_inspect(options: argparse.Namespace) -> bool | None:
    return None if options.format is None else options.format == "inspect"


def _import(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.core.words import counted
    from spatial_workbench.engine.evaluation.importing.json_lines import AlreadyThere
    from spatial_workbench.engine.evaluation.planning.starting import NothingToImport, import_file

    with opened(Path(options.project), create=True) as project:
        try:
            imported = import_file(
                project, Path(options.answers), options.workers, options.again, is_of_inspect=_is_of_inspect(options)
            )
        except NothingToImport as error:
            raise Refused(str(error)) from None
        except AlreadyThere as error:
            raise Refused(f"{error} Nothing was imported; with --again they are stored again.") from None
        for problem in imported.problems[:20]:
            print_message(f"line {problem.line} was skipped: {problem.message}")
        if len(imported.problems) > 20:
            print_message(f"… and {len(imported.problems) - 20} more lines")
        if imported.left_out_words:
            print_message(imported.left_out_words)
        skipped = len(imported.problems)
        left_out = f"; {counted(skipped, 'line')} skipped" if skipped else ""
        if imported.batch is None:
            words = f"Imported: {counted(imported.count, 'attempt')}{left_out}."
            code = show(options, {"attempts": imported.count, "skipped": skipped}, words)
            return NOT_PASSED if skipped else code
        if options.wait:
            code = start_and_watch(project, imported.batch, options)
            return NOT_PASSED if skipped else code
        stored = (
            f"Stored: {counted(imported.count, 'answer')}, as batch {imported.batch}{left_out}. "
            "Verdicts follow in the background; “batches” shows how far they are."
        )
        code = start_detached(project, imported.batch, options, stored)
        return NOT_PASSED if skipped else code
