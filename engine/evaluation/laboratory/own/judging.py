"""Judges the stored attempts of a project by a verifier of somebody else's.

The verdicts are stored beside ours, under the name and version of the verifier. An attempt that this version has judged
is not judged again, so that an interrupted run goes on where it stopped. Where the verifier gave no verdict, none is
stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from spatial_workbench.engine.core import InstanceError, Progress, resolve, silent
from spatial_workbench.engine.evaluation.laboratory.own.asking import AskedOwn, asked
from spatial_workbench.engine.evaluation.laboratory.own.kept import OwnVerifier
from spatial_workbench.engine.evaluation.laboratory.verifiers import Trouble
from spatial_workbench.engine.store import Project, RunFilter


@dataclass(frozen=True)
class OwnJudging:
    """What came of judging a project's attempts by a verifier of somebody else's.

    Attributes:
        judged: How many attempts it has judged now.
        known: How many it had judged before.
        differing: How many of those that it has judged now it judges differently from the default.
        troubles: The attempts on which it gave no verdict, with what happened.
    """

    judged: int
    known: int
    differing: int
    troubles: tuple[tuple[int, str], ...]


def judge_attempts(path: Path | str, own: OwnVerifier, progress: Progress = silent) -> OwnJudging:
    """Judges all attempts at the task of a verifier that this version of it has not judged.

    Raises:
        ProjectError: The project cannot be opened.
        OwnVerifierError: Its file cannot be read.
        Cancelled: Raised by `progress`; what was judged is stored.
    """
    judged, known, differing = 0, 0, 0
    troubles: list[tuple[int, str]] = []
    with Project.open(path) as project, asked(own) as verifier:
        numbers = project.runs.numbers(RunFilter(tasks=(own.task,)))
        for done, number in enumerate(numbers):
            progress(done, len(numbers), f"Attempt {number}")
            if _has_judged(project, number, verifier):
                known += 1
                continue
            trouble, differs = _judge(project, number, verifier)
            if trouble:
                troubles.append((number, trouble))
            else:
                judged += 1
                differing += differs
    return OwnJudging(judged, known, differing, tuple(troubles))


def _has_judged(project: Project, number: int, verifier: AskedOwn) -> bool:
    verdicts = project.attempts.verdicts(number)
    return any((verdict.verifier, verdict.version) == (verifier.name, verifier.version) for verdict in verdicts)


def _judge(project: Project, number: int, verifier: AskedOwn) -> tuple[str, bool]:
    """What went wrong, or "" where the verdict is stored; and whether it differs from the default's."""
    attempt = project.attempts.get(number)
    try:
        task, instance = resolve(attempt.address)
    except InstanceError as error:
        return str(error), False
    ruled = verifier.verifier.ask(instance, attempt.answer)
    if isinstance(ruled, Trouble):
        return ruled.message, False
    project.attempts.add_verdicts(number, [ruled], task.score_tolerance)
    default = next((verdict for verdict in attempt.verdicts if verdict.verifier == "default"), None)
    return "", default is not None and default.disagrees_with(ruled)
