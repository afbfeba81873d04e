"""Verify again: stored attempts are judged by today's verifiers, and what changed is stored and told.

A verdict is news where the verifier's version, the score, `passed` or the state of a check differs from the newest one
that is stored; only news is stored. Older verdicts are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.core import Cancelled, Progress, Verdict, resolve, silent
from engine.core.consent import allow_programs

if TYPE_CHECKING:
    from engine.store import Project


@dataclass(frozen=True)
class Changed:
    """One verdict that is news.

    Attributes:
        attempt: Its number.
        verifier: Whose verdict it is.
        before, after: The scores; None: this verifier had not judged it.
        was_passed, is_passed: The same of `passed`.
        old_version, version: Versions of the verifier; "": it had not judged it.
        checks: Names of the checks whose state differs.
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
        """Whether the verifier is a newer one that says the same."""
        return not self.checks and (self.before, self.was_passed) == (self.after, self.is_passed)


@dataclass(frozen=True)
class Failed:
    """An attempt that could not be judged again, and why."""

    attempt: int
    reason: str


def news(attempt: int, stored: Iterable[Verdict], given: Iterable[Verdict]) -> list[tuple[Changed, Verdict]]:
    """The verdicts that differ from the newest stored one of the same verifier, with how they differ."""
    known = {verdict.verifier: verdict for verdict in stored}
    compared = ((_change(attempt, known.get(verdict.verifier), verdict), verdict) for verdict in given)
    return [(change, verdict) for change, verdict in compared if change is not None]


def judge(address: str, text: str, progress: Progress = silent) -> list[Verdict]:
    """What all verifiers and the cross-check say today; programs in the answer run in the sandbox.

    Raises:
        InstanceError: the address names no instance any more.
        Cancelled: out of `progress`.
    """
    one, instance = resolve(address)
    with allow_programs():
        return list(one.verify_all(instance, text, progress))


def verify_again(path: Path | str, numbers: Sequence[int], progress: Progress = silent) -> list[Changed | Failed]:
    """Judges these attempts of a project by today's verifiers, stores what is news, and tells it.

    Each attempt is stored when it is judged, so that nothing is lost if this is cut off.

    Raises:
        ProjectError: the project cannot be opened.
        Cancelled: out of `progress`.
    """
    from engine.store import Project

    found: list[Changed | Failed] = []
    with Project.open(path) as project:
        for done, number in enumerate(numbers):
            still = _still_wanted(progress, done, len(numbers), f"Attempt {number}")
            still(0, 1)
            found += _verify_one(project, number, still)
    return found


def _still_wanted(progress: Progress, done: int, total: int, text: str) -> Progress:
    """Lets a verification be cancelled, and tells only which attempt it is about."""
    return lambda _done, _total, _text="": progress(done, total, text)


def _verify_one(project: Project, number: int, progress: Progress) -> Sequence[Changed | Failed]:
    try:
        attempt = project.attempt(number)
        given = judge(attempt.address, attempt.answer, progress)
    except Cancelled:
        raise
    except Exception as error:
        # One broken verifier, or an attempt or instance that is gone, must not keep the others from being judged.
        return [Failed(number, str(error) or type(error).__name__)]
    told = news(number, attempt.verdicts, given)
    if told:
        tolerance = resolve(attempt.address)[0].score_tolerance
        project.add_verdicts(number, [verdict for _, verdict in told], tolerance)
    return [change for change, _ in told]


def _change(attempt: int, old: Verdict | None, new: Verdict) -> Changed | None:
    """How a verdict differs from the stored one; None where it says the same."""
    before = {} if old is None else {check.name: check.state for check in old.checks}
    after = {check.name: check.state for check in new.checks}
    names = dict.fromkeys((*before, *after))
    checks = tuple(name for name in names if before.get(name) is not after.get(name)) if old else ()
    same = old is not None and (old.version, old.score, old.passed) == (new.version, new.score, new.passed)
    if same and not checks:
        return None
    return Changed(
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
