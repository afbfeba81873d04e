"""Judges stored attempts again with today's verifiers, and stores and reports what changed.

A verdict has changed if the verifier's version, the score, `passed` or the state of a check differs from the newest
stored verdict of that verifier. Only changed verdicts are stored; older ones are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.engine.core import Cancelled, Progress, Verdict, resolve, silent
from spatial_workbench.engine.core.consent import allow_programs

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

NOT_RUN = "Its answer holds a program, and programs may not be run"


@dataclass(frozen=True)
class VerdictChange:
    """How one verdict has changed.

    Attributes:
        attempt: Number of the attempt.
        verifier: Name of the verifier.
        before, after: The old and the new score; `before` is None if this verifier had not judged the attempt.
        was_passed, is_passed: The same for `passed`.
        old_version, version: Versions of the verifier; `old_version` is "" if it had not judged the attempt.
        checks: Names of the checks whose state has changed.
    """

    attempt: int
    verifier: str
    before: float | None
    after: float
    was_passed: bool | None
    is_passed: bool
    old_version: str
    version: str
    checks: tuple[str, ...] = ()

    @property
    def is_of_version_only(self) -> bool:
        """Whether only the verifier's version has changed."""
        return not self.checks and (self.before, self.was_passed) == (self.after, self.is_passed)


@dataclass(frozen=True)
class VerificationFailure:
    """An attempt that could not be judged again, and why."""

    attempt: int
    reason: str


def news(attempt: int, stored: Iterable[Verdict], today: Iterable[Verdict]) -> list[tuple[VerdictChange, Verdict]]:
    """Today's verdicts that differ from the newest stored verdict of the same verifier, each with its change."""
    newest = {verdict.verifier: verdict for verdict in stored}
    compared = ((_change(attempt, newest.get(verdict.verifier), verdict), verdict) for verdict in today)
    return [(change, verdict) for change, verdict in compared if change is not None]


class ProgramNotRun(Exception):
    """An answer holds a program, and nobody has allowed to run it."""


def judge(address: str, text: str, programs: bool = False, progress: Progress = silent) -> list[Verdict]:
    """The verdicts of all verifiers and of the cross-check today.

    programs: Whether programs in the answer run, in the sandbox.

    Raises:
        InstanceError: The instance no longer exists.
        ProgramNotRun: The answer holds a program, and none may run.
        Cancelled: Raised by `progress`.
    """
    task, instance = resolve(address)
    with allow_programs(programs) as consent:
        verdicts = list(task.verify_all(instance, text, progress))
    if consent.was_missed:
        raise ProgramNotRun(NOT_RUN)
    return verdicts


def verify_again(
    path: Path | str, numbers: Sequence[int], progress: Progress = silent, *, programs: bool = False
) -> list[VerdictChange | VerificationFailure]:
    """Judges these attempts of a project with today's verifiers, and stores and returns what changed.

    Changes are stored attempt by attempt, so that none is lost if this is interrupted.

    programs: Whether programs in answers run, in the sandbox. Where they may not, such an attempt keeps the verdicts
        that it has, and is returned as a failure.

    Raises:
        ProjectError: The project cannot be opened.
        Cancelled: Raised by `progress`.
    """
    from spatial_workbench.engine.store import Project

    changes: list[VerdictChange | VerificationFailure] = []
    with Project.open(path) as project:
        for done, number in enumerate(numbers):
            watch = _watch_of_attempt(progress, done, len(numbers), f"Attempt {number}")
            watch(0, 1)
            changes += _verify_one(project, number, programs, watch)
    return changes


def _watch_of_attempt(progress: Progress, done: int, total: int, text: str) -> Progress:
    """Lets a verification be cancelled, but reports progress in attempts only."""
    return lambda _done, _total, _text="": progress(done, total, text)


def _verify_one(
    project: Project, number: int, programs: bool, progress: Progress
) -> Sequence[VerdictChange | VerificationFailure]:
    try:
        attempt = project.attempts.get(number)
        verdicts = judge(attempt.address, attempt.answer, programs, progress)
    except Cancelled:
        raise
    except Exception as error:
        # A broken verifier, or an attempt or instance that is gone, must not keep the others from being judged.
        return [VerificationFailure(number, str(error) or type(error).__name__)]
    changes = news(number, attempt.verdicts, verdicts)
    if changes:
        tolerance = resolve(attempt.address)[0].score_tolerance
        project.attempts.add_verdicts(number, [verdict for _, verdict in changes], tolerance)
    return [change for change, _ in changes]


def _change(attempt: int, old: Verdict | None, new: Verdict) -> VerdictChange | None:
    """How a verdict differs from the stored one; None if it does not."""
    before = {} if old is None else {check.name: check.state for check in old.checks}
    after = {check.name: check.state for check in new.checks}
    names = dict.fromkeys((*before, *after))
    checks = tuple(name for name in names if before.get(name) is not after.get(name)) if old else ()
    same = old is not None and (old.version, old.score, old.passed) == (new.version, new.score, new.passed)
    if same and not checks:
        return None
    return VerdictChange(
        attempt=attempt,
        verifier=new.verifier,
        before=old.score if old else None,
        after=new.score,
        was_passed=old.passed if old else None,
        is_passed=new.passed,
        old_version=old.version if old else "",
        version=new.version,
        checks=checks,
    )
