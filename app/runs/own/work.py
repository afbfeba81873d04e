"""Functions of background processes for verifiers of one's own. Free of Qt."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.evaluation.laboratory.own import (
    OwnJudging,
    OwnKind,
    OwnVerifier,
    OwnVerifierError,
    OwnVerifiers,
    judge_attempts,
    plugged_in,
)


@dataclass(frozen=True)
class ListedVerifier:
    """A verifier as a row.

    Attributes:
        verifier: The verifier.
        version: Its version; "" if its file cannot be read.
        runs: What runs it: a file, a command, or an entry point.
        trouble: Why it cannot be asked; "" if nothing is wrong.
    """

    verifier: OwnVerifier
    version: str
    runs: str
    trouble: str = ""

    @property
    def is_removable(self) -> bool:
        """Whether the user added it; what a package brings goes with the package."""
        return self.verifier.kind is not OwnKind.PACKAGE


def listed(progress: Progress = silent) -> list[ListedVerifier]:
    """All verifiers that were added, and those that packages bring.

    Raises:
        OwnVerifierError: The list is damaged.
    """
    return [_row(verifier) for verifier in (*OwnVerifiers().all(), *plugged_in())]


def known(progress: Progress = silent) -> list[OwnVerifier]:
    """The verifiers among these that can be asked. Raises OwnVerifierError if the list is damaged."""
    return [row.verifier for row in listed() if not row.trouble]


def added(verifier: OwnVerifier, progress: Progress = silent) -> list[ListedVerifier]:
    """Adds a verifier; returns all. Raises OwnVerifierError if it cannot be taken."""
    OwnVerifiers().add(verifier)
    return listed()


def removed(name: str, progress: Progress = silent) -> list[ListedVerifier]:
    """Removes a verifier; returns the others. Raises OwnVerifierError if it is not there."""
    OwnVerifiers().remove(name)
    return listed()


def judged(path: Path, verifier: OwnVerifier, progress: Progress = silent) -> OwnJudging:
    """Judges the attempts of a project; see `judge_attempts`."""
    return judge_attempts(path, verifier, progress)


def _row(verifier: OwnVerifier) -> ListedVerifier:
    runs = shlex.join(verifier.command) or verifier.path
    if verifier.trusted:
        runs += " · outside of the sandbox"
    try:
        return ListedVerifier(verifier, verifier.version, runs)
    except OwnVerifierError as error:
        return ListedVerifier(verifier, "", runs, str(error))
