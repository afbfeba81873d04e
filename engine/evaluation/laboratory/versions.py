"""Another version: what today's verifiers say of stored attempts, beside what is stored, before anything is stored.

Ours and the cross-check are asked, and those of the user's own that have judged an attempt before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from spatial_workbench.engine.core import Cancelled, InstanceError, Progress, Verdict, resolve, silent
from spatial_workbench.engine.core.errors import sentence_of
from spatial_workbench.engine.core.instance import task_of_address
from spatial_workbench.engine.core.registry import task as task_of
from spatial_workbench.engine.core.words import counted, score_words
from spatial_workbench.engine.evaluation.laboratory.own import AskedOwn, OwnVerifier, asked, judge_attempts
from spatial_workbench.engine.evaluation.laboratory.verifiers import Trouble
from spatial_workbench.engine.evaluation.results.contents import ReportSection
from spatial_workbench.engine.evaluation.results.tables import Heading, Table, TableCell, TableLine, TableNote
from spatial_workbench.engine.evaluation.reverify import (
    VerdictChange,
    VerificationFailure,
    judge,
    news,
    verify_again,
)
from spatial_workbench.engine.store import Attempt, Project

MOST_LISTED = 1000
"""So many changes are listed; beyond that, they are counted."""


@dataclass(frozen=True)
class VersionDiff:
    """What another version changes.

    Attributes:
        judged: How many attempts were judged.
        changes: What would change, attempt by attempt.
        failures: The attempts, or verifiers of somebody else's, without a verdict.
        addresses: What each of these attempts answers, by its number.
    """

    judged: int
    changes: tuple[VerdictChange, ...]
    failures: tuple[VerificationFailure, ...]
    addresses: Mapping[int, str]

    @property
    def decided(self) -> tuple[VerdictChange, ...]:
        """The changes of scores, of passing, or of checks, without those of a version alone."""
        return tuple(change for change in self.changes if not change.is_of_version_only)


def version_diff(
    path: Path | str,
    numbers: Sequence[int],
    own: Sequence[OwnVerifier] = (),
    programs: bool = False,
    progress: Progress = silent,
) -> VersionDiff:
    """Judges attempts of a project by today's verifiers, and stores nothing.

    own: Verifiers of the user's own; each is asked about the attempts that it has judged before.
    programs: Whether programs in answers run, in the sandbox; where they may not, such an attempt is a failure.

    Raises:
        ProjectError: The project cannot be opened.
        OwnVerifierError: The file of one of the user's own cannot be read.
        Cancelled: Raised by `progress`.
    """
    found: list[VerdictChange | VerificationFailure] = []
    addresses: dict[int, str] = {}
    with Project.open(path) as project, ExitStack() as stack:
        others = {each.name: stack.enter_context(asked(each)) for each in own}
        by_name = {one.name: one for one in others.values()}
        for done, number in enumerate(numbers):
            watch = _watch(progress, done, len(numbers), number)
            watch(0, 1)
            attempt = project.attempts.get(number)
            addresses[number] = attempt.address
            found += _changes_of(number, attempt, programs, watch)
            found += _changes_of_own(number, attempt, by_name)
    changes = tuple(each for each in found if isinstance(each, VerdictChange))
    failures = tuple(each for each in found if isinstance(each, VerificationFailure))
    return VersionDiff(len(numbers), changes, failures, addresses)


def store_version(
    path: Path | str,
    numbers: Sequence[int],
    own: Sequence[OwnVerifier] = (),
    programs: bool = False,
    progress: Progress = silent,
) -> int:
    """Judges attempts by today's verifiers and stores what changed, beside what was there; returns how many verdicts.

    Raises as `version_diff` does; what was judged until then is stored.
    """
    changes = verify_again(path, numbers, progress, programs=programs)
    judged = sum(judge_attempts(path, each, progress).judged for each in own)
    return judged + sum(isinstance(change, VerdictChange) for change in changes)


def _watch(progress: Progress, done: int, total: int, number: int) -> Callable[..., None]:
    return lambda _done, _total, _text="": progress(done, total, f"Attempt {number}")


def _changes_of(
    number: int, attempt: Attempt, programs: bool, progress: Progress
) -> Sequence[VerdictChange | VerificationFailure]:
    try:
        verdicts = judge(attempt.address, attempt.answer, programs, progress)
    except Cancelled:
        raise
    except Exception as error:
        # A broken verifier, or an instance that is gone, must not keep the others from being judged.
        return [VerificationFailure(number, sentence_of(error))]
    return [change for change, _ in news(number, attempt.verdicts, verdicts)]


def _changes_of_own(
    number: int, attempt: Attempt, by_name: Mapping[str, AskedOwn]
) -> list[VerdictChange | VerificationFailure]:
    found: list[VerdictChange | VerificationFailure] = []
    for stored in attempt.verdicts:
        verifier = by_name.get(stored.verifier)
        if verifier is None or verifier.version == stored.version:
            continue
        try:
            instance = resolve(attempt.address)[1]
        except InstanceError:
            # That is told already, as ours could not judge it either.
            break
        ruled = verifier.verifier.ask(instance, attempt.answer)
        if isinstance(ruled, Trouble):
            found.append(VerificationFailure(number, f"{stored.verifier}: {ruled.message}"))
        else:
            found += [change for change, _ in news(number, _only(attempt.verdicts, stored.verifier), [ruled])]
    return found


def _only(verdicts: Sequence[Verdict], verifier: str) -> list[Verdict]:
    return [verdict for verdict in verdicts if verdict.verifier == verifier]


# What is shown -------------------------------------------------------------------------------------------------------


def changes_section(diff: VersionDiff) -> ReportSection:
    """What another version changes, as a section: by task and verifier, then change by change, then what failed."""
    tables = (_by_task(diff), _changes(diff), _failures(diff))
    shown = tuple(table for table in tables if table.lines)
    return ReportSection("changes", "Changes", tables=shown, words=(summary_words(diff),))


def summary_words(diff: VersionDiff) -> str:
    """How many attempts were judged, and what would change."""
    passing = sum(_now_passes(change) for change in diff.changes)
    failing = sum(_ceases_to_pass(change) for change in diff.changes)
    failed = f" {counted(len(diff.failures), 'attempt')} could not be judged." if diff.failures else ""
    if not diff.changes:
        return f"{counted(diff.judged, 'attempt')} judged; today's verifiers say what is stored.{failed}"
    return (
        f"{counted(diff.judged, 'attempt')} judged: {counted(len(diff.decided), 'verdict')} would change, of which "
        f"{passing:,} would pass and {failing:,} would pass no more; {len(diff.changes) - len(diff.decided):,} are the "
        f"same by another version. Nothing is stored yet.{failed}"
    )


def _by_task(diff: VersionDiff) -> Table:
    keys = sorted({(task_of_address(diff.addresses[each.attempt]), each.verifier) for each in diff.changes})
    lines = []
    for name, verifier in keys:
        changes = [
            each
            for each in diff.changes
            if (task_of_address(diff.addresses[each.attempt]), each.verifier) == (name, verifier)
        ]
        versions = sorted({f"{each.old_version or '–'} → {each.version}" for each in changes})
        decided = [each for each in changes if not each.is_of_version_only]
        counts = (
            len(changes),
            len(decided),
            sum(map(_now_passes, changes)),
            sum(map(_ceases_to_pass, changes)),
        )
        cells = (
            TableCell(verifier, values=(verifier,)),
            TableCell(", ".join(versions), values=(", ".join(versions),)),
            *(TableCell(f"{count:,}", values=(count,)) for count in counts),
        )
        numbers = tuple(each.attempt for each in [*decided, *changes])
        lines.append(TableLine(_title(name), cells, attempts=tuple(dict.fromkeys(numbers))))
    return Table(
        title="What changes, by task and verifier",
        first="Task",
        headings=(
            Heading("Verifier", is_text=True),
            Heading("Versions", is_text=True),
            Heading("New verdicts", tip="Whose version, score, passing or checks are not those that are stored"),
            Heading("Changed", tip="Of these, how many change the score, the passing or a check"),
            Heading("Now pass"),
            Heading("Pass no more"),
        ),
        lines=tuple(lines),
    )


def _changes(diff: VersionDiff) -> Table:
    decided = sorted(diff.decided, key=lambda each: (not (_now_passes(each) or _ceases_to_pass(each)), each.attempt))
    more = len(decided) - MOST_LISTED
    return Table(
        title="Verdicts that change",
        first="Attempt",
        headings=(
            Heading("Instance", is_text=True),
            Heading("Verifier", is_text=True),
            Heading("Before"),
            Heading("Now"),
            Heading("Passing", is_text=True),
            Heading("Checks that end otherwise", is_text=True),
        ),
        lines=tuple(_change_line(each, diff.addresses[each.attempt]) for each in decided[:MOST_LISTED]),
        notes=(TableNote(f"{more:,} more are not listed."),) if more > 0 else (),
        about="Those that change the passing come first.",
    )


def _change_line(change: VerdictChange, address: str) -> TableLine:
    before = "–" if change.before is None else score_words(change.before)
    checks = ", ".join(change.checks)
    passing = _passing_words(change)
    cells = (
        TableCell(address, values=(address,)),
        TableCell(change.verifier, tip=f"{change.old_version or '–'} → {change.version}", values=(change.verifier,)),
        TableCell(before, values=(change.before,)),
        TableCell(score_words(change.after), values=(change.after,)),
        TableCell(passing, values=(passing,)),
        TableCell(checks, tip=checks, values=(checks,)),
    )
    return TableLine(str(change.attempt), cells, attempts=(change.attempt,))


def _passing_words(change: VerdictChange) -> str:
    if _now_passes(change):
        return "now passes"
    if _ceases_to_pass(change):
        return "passes no more"
    return "passes" if change.is_passed else "does not pass"


def _failures(diff: VersionDiff) -> Table:
    lines = tuple(
        TableLine(
            str(each.attempt),
            (TableCell(diff.addresses[each.attempt]), TableCell(each.reason, tip=each.reason, values=(each.reason,))),
            attempts=(each.attempt,),
        )
        for each in diff.failures[:MOST_LISTED]
    )
    headings = (Heading("Instance", is_text=True), Heading("Why", is_text=True))
    return Table("Attempts without a verdict", "Attempt", headings, lines)


def _now_passes(change: VerdictChange) -> bool:
    return change.was_passed is False and change.is_passed


def _ceases_to_pass(change: VerdictChange) -> bool:
    return change.was_passed is True and not change.is_passed


def _title(task_id: str) -> str:
    try:
        return task_of(task_id).title
    except KeyError:
        return task_id
