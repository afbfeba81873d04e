"""How far verifiers can be trusted: where they switch at the tolerances of the rules, and how far they agree."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.app.commands.laboratory.choosing import chosen_tasks, own_verifier
from spatial_workbench.app.commands.plumbing import (
    NOT_PASSED,
    PASSED,
    Refused,
    add_action,
    opened,
    output_file,
    printing_progress,
    show,
)

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.laboratory.agreement import VerifierAgreement
    from spatial_workbench.engine.evaluation.laboratory.calibrating import VerifierSwitch
    from spatial_workbench.engine.evaluation.results.contents import ReportSection
    from spatial_workbench.engine.evaluation.results.tables import Table


def add_trust_actions(actions: Any) -> None:
    """Adds the actions to `verifiers`; `actions` is what its parser's add_subparsers returned."""
    calibrating = add_action(
        actions, "calibrate", _calibrate, "Say where verifiers really switch, for each tolerance of the rules."
    )
    calibrating.add_argument("tasks", metavar="TASKS", help="ids of tasks with commas between them, or “all”")
    calibrating.add_argument(
        "--with", dest="with_own", action="append", default=[], metavar="NAME", help="also ask a verifier of your own"
    )
    calibrating.add_argument("-o", "--output", metavar="FILE", help="a report with a chart (.html), or a table (.csv)")
    agreeing = add_action(actions, "agreement", _agreement, "Say how far the verifiers of a project agree.")
    agreeing.add_argument("project", metavar="PROJECT")
    agreeing.add_argument("--tasks", metavar="A,B", help="only attempts at these tasks")
    agreeing.add_argument("--who", action="append", metavar="NAME", help="only attempts of this model or person")
    agreeing.add_argument(
        "--batch", type=int, action="append", metavar="N", help="only this batch; may be given several times"
    )
    agreeing.add_argument(
        "--attempt", type=int, action="append", metavar="N", help="only this attempt; may be given several times"
    )
    agreeing.add_argument("-o", "--output", metavar="FILE", help="a report (.html), or the matrix as a table (.csv)")


def show_version_diff(options: argparse.Namespace, numbers: Sequence[int]) -> int:
    """Shows what today's verifiers would change in the verdicts of attempts, and stores nothing.

    Its exit code is that of answers that do not pass if a verdict would change.
    """
    from dataclasses import asdict

    from spatial_workbench.app.runs.trust.work import CHANGES
    from spatial_workbench.engine.evaluation.laboratory.own import OwnVerifierError
    from spatial_workbench.engine.evaluation.laboratory.versions import changes_section, summary_words, version_diff

    own = [own_verifier(name) for name in options.with_own]
    try:
        diff = version_diff(options.project, numbers, own, options.allow_programs, printing_progress())
    except OwnVerifierError as error:
        raise Refused(str(error)) from None
    section = changes_section(diff)
    if options.output:
        _write(options, CHANGES, section)
    lines = [line for table in section.tables for line in (table.title, *_rows(table), "")]
    data = {"judged": diff.judged, "changed": [asdict(each) for each in diff.changes]}
    data |= {"without a verdict": [asdict(each) for each in diff.failures]}
    show(options, data, [*lines, summary_words(diff)])
    return NOT_PASSED if diff.decided else PASSED


def _rows(table: Table) -> Iterator[str]:
    for line in table.lines:
        yield "  " + "  ".join(filter(None, (line.title, *(cell.text for cell in line.cells))))


def _calibrate(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.laboratory.calibrating import Calibrated, calibrate
    from spatial_workbench.engine.evaluation.laboratory.calibrating.summaries import calibration_section
    from spatial_workbench.engine.evaluation.laboratory.own import OwnVerifierError

    chosen = chosen_tasks(options.tasks)
    own = [own_verifier(name) for name in options.with_own]
    if strange := [each for each in own if each.task not in chosen]:
        raise Refused(f"“{strange[0].name}” judges answers to {strange[0].task}, which is not calibrated.")
    try:
        found = calibrate(chosen, own, printing_progress())
    except OwnVerifierError as error:
        raise Refused(str(error)) from None
    if options.output:
        from spatial_workbench.app.runs.trust.work import CALIBRATION

        _write(options, CALIBRATION, calibration_section(chosen, found))
    data = {"calibrations": [_data(each) for each in found], "not calibrated": _left_out(chosen)}
    show(options, data, list(_lines(chosen, found)))
    return PASSED if all(each.outcome is Calibrated.AS_THE_RULES for each in found) else NOT_PASSED


def _data(found: VerifierSwitch) -> dict[str, Any]:
    tolerance = found.tolerance
    return {
        "task": found.task,
        "tolerance": tolerance.id,
        "check": tolerance.check,
        "rule": tolerance.rule,
        "unit": tolerance.unit,
        "verifier": found.verifier,
        "version": found.version,
        "outcome": found.outcome.value,
        "accepted": found.accepted,
        "refused": found.refused,
        "asked": found.asked,
        "says": found.says,
    }


def _left_out(tasks: Sequence[str]) -> dict[str, list[dict[str, str]]]:
    from spatial_workbench.engine.evaluation.laboratory.calibrating import not_gauged

    return {task: [each.model_dump() for each in not_gauged(task)] for task in tasks if not_gauged(task)}


def _lines(tasks: Sequence[str], found: Sequence[VerifierSwitch]) -> Iterator[str]:
    from spatial_workbench.engine.evaluation.laboratory.calibrating import not_gauged
    from spatial_workbench.engine.evaluation.laboratory.calibrating.summaries import summary

    for each in found:
        yield f"{each.task} {each.tolerance.id}: {each.verifier} {each.words} · {each.outcome.value}"
    if found:
        yield summary(found)
    for task in tasks:
        for left in not_gauged(task):
            yield f"{task}: not calibrated: {left.says}: {left.why}"


def _write(options: argparse.Namespace, words: tuple[str, str], section: ReportSection) -> None:
    """Writes a section as a report, or its first table as CSV, whichever the ending of the file says."""
    from spatial_workbench.app.runs.trust.work import write_section

    with output_file(options, ".html") as path:
        write_section(path, *words, section)


def _agreement(options: argparse.Namespace) -> int:
    from dataclasses import asdict

    from spatial_workbench.app.runs.trust.work import AGREEMENT
    from spatial_workbench.engine.evaluation.laboratory.agreement import (
        AgreementChoice,
        agreements,
        judged_attempts,
    )
    from spatial_workbench.engine.evaluation.laboratory.agreement_tables import agreement_section

    tasks = tuple(options.tasks.split(",")) if options.tasks else ()
    chosen = AgreementChoice(tasks, tuple(options.who or ()), tuple(options.batch or ()), tuple(options.attempt or ()))
    with opened(Path(options.project)) as project:
        judged = judged_attempts(project, chosen, printing_progress())
    pairs = agreements(judged)
    if options.output:
        _write(options, AGREEMENT, agreement_section(judged))
    lines = ["verifiers                      attempts   same  kappa                only 1st  only 2nd"]
    lines += [_agreement_line(pair) for pair in pairs]
    return show(
        options, [asdict(pair) for pair in pairs], lines if pairs else ["No attempt was judged by two verifiers."]
    )


def _agreement_line(pair: VerifierAgreement) -> str:
    kappa = "–" if pair.kappa is None else f"{pair.kappa:.3f}"
    interval = "" if pair.low is None else f" [{pair.low:.3f}, {pair.high:.3f}]"
    alone = f"{pair.only_first:8,}  {pair.only_second:8,}"
    return f"{pair.first + ' / ' + pair.second:30} {pair.count:8,} {pair.rate:6.1%}  {kappa + interval:20} {alone}"
