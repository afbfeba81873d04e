"""Regression cases: run, made, made small, and written as tests."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.app.commands.laboratory.choosing import chosen_tasks
from spatial_workbench.app.commands.plumbing import (
    NOT_PASSED,
    PASSED,
    AddCommand,
    Refused,
    add_action,
    output_file,
    plain,
    printing_progress,
    read,
    resolve,
    show,
)

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.laboratory.cases import RegressionCase
    from spatial_workbench.engine.evaluation.laboratory.sizes import ShrunkenDifference


def add_commands(add: AddCommand) -> None:
    """Adds the commands to the parser that `add` belongs to."""
    actions = add("cases", _help, "Regression cases: answers, and what each verifier is expected to say.")
    sub = actions.add_subparsers(metavar="ACTION", required=True)
    run = add_action(sub, "run", _run, "Run cases; the exit code is 1 if a verifier says something else now.")
    run.add_argument("files", nargs="+", metavar="FILE")
    run.add_argument(
        "--allow-programs", action="store_true", help="run programs in answers, in the sandbox (docs/sandbox.md)"
    )
    new = add_action(sub, "new", _new, "Make a case of an answer, which expects what all verifiers say now.")
    new.add_argument("address", metavar="TASK:N")
    new.add_argument("answer", metavar="ANSWER.json")
    new.add_argument("--reason", default="", help="who is right, by which rule")
    new.add_argument("--who", default="", metavar="NAME", help="who says so")
    small = add_action(sub, "small", _small, "Make the answer of a case small, and keep the difference.")
    small.add_argument("file", metavar="FILE")
    small.add_argument("--seconds", type=_seconds, default=60.0, metavar="S", help="by default 60")
    measure = add_action(sub, "measure", _measure, "Say how small the stored answers to the known differences become.")
    measure.add_argument("tasks", metavar="TASKS", help="ids of tasks with commas between them, or “all”")
    measure.add_argument(
        "--seconds", type=_seconds, default=60.0, metavar="S", help="of the processor, for each answer; by default 60"
    )
    measure.add_argument("-o", "--output", metavar="FILE", help="where the table is written")
    export = add_action(sub, "export", _export, "Write cases as tests for pytest.")
    export.add_argument("files", nargs="+", metavar="FILE")
    for command in (new, small, export):
        command.add_argument("-o", "--output", metavar="FILE", required=command is export)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text[:20]} is no number of seconds")
    return seconds


def _help(options: argparse.Namespace) -> int:
    raise Refused("Name an action: run, new, small, measure or export.")


def _run(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.laboratory.cases import CaseError, changes_in

    lines, data, is_broken = [], {}, False
    for name, case in [(name, _case(name)) for name in options.files]:
        try:
            changes = changes_in(case, programs=options.allow_programs)
        except CaseError as error:
            raise Refused(f"{name}: {error}") from None
        is_broken = is_broken or bool(changes)
        data[name] = [plain(change) for change in changes]
        lines += [f"{name}: {'changed' if changes else 'as expected'}", *(f"  {change.words}" for change in changes)]
    show(options, {"cases": data}, lines)
    return NOT_PASSED if is_broken else PASSED


def _new(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.laboratory.cases import CaseError, case_of

    instance = resolve(options.address)[1]
    answer = read(options.answer).decode("utf-8", "replace")
    try:
        case = case_of(instance.address, answer, options.reason, options.who)
    except CaseError as error:
        raise Refused(str(error)) from None
    return _write(options, case)


def _small(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.laboratory.answer_parts import element_count, most_digits
    from spatial_workbench.engine.evaluation.laboratory.cases import CaseError, case_made_small

    case = _case(options.file)
    try:
        small = case_made_small(case, options.seconds, printing_progress())
    except CaseError as error:
        raise Refused(f"{options.file}: {error}") from None
    options.words = (
        f"{element_count(case.answer)} elements with {most_digits(case.answer)} digits became "
        f"{element_count(small.answer)} with {most_digits(small.answer)}."
    )
    return _write(options, small)


def _measure(options: argparse.Namespace) -> int:
    """Makes stored answers small; after Ctrl-C, what was made small until then is shown."""
    from spatial_workbench.engine.evaluation.laboratory.sizes import shrunken_differences

    rows: list[ShrunkenDifference] = []
    try:
        # What was yielded stays in the list if the rest is interrupted.
        rows.extend(shrunken_differences(chosen_tasks(options.tasks), options.seconds, printing_progress()))
    except KeyboardInterrupt:
        _show_sizes(options, rows)
        raise
    return _show_sizes(options, rows)


def _show_sizes(options: argparse.Namespace, rows: Sequence[ShrunkenDifference]) -> int:
    from spatial_workbench.engine.core.files import write_whole
    from spatial_workbench.engine.evaluation.laboratory.sizes import as_size_table

    table = as_size_table(rows)
    if options.output:
        with output_file(options, ".md") as path:
            write_whole(path, table.encode())
    return show(options, {"differences": [vars(row) for row in rows]}, table)


def _export(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.core.files import write_whole
    from spatial_workbench.engine.core.words import counted
    from spatial_workbench.engine.evaluation.laboratory.cases import as_pytest

    cases = [(Path(name).stem, _case(name)) for name in options.files]
    with output_file(options, ".py") as path:
        write_whole(path, as_pytest(cases).encode())
    return show(options, {"cases": len(cases)}, f"{counted(len(cases), 'case')} written as tests.")


def _write(options: argparse.Namespace, case: RegressionCase) -> int:
    from spatial_workbench.engine.core.files import write_whole

    if options.output:
        with output_file(options, ".json") as path:
            write_whole(path, case.as_text().encode())
    words = getattr(options, "words", "The case was written.")
    return show(options, plain(case), words if options.output else case.as_text())


def _case(name: str) -> RegressionCase:
    from spatial_workbench.engine.evaluation.laboratory.cases import CaseError, read_case

    try:
        return read_case(Path(name))
    except CaseError as error:
        raise Refused(str(error)) from None
