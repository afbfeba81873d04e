"""What decides which sessions count: exclusions, the end of collection, open outcomes."""

from __future__ import annotations

from pathlib import Path

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.evaluation.unsealing import Unsealed
from spatial_workbench.engine.evaluation.unsealing import unseal as open_outcomes
from spatial_workbench.engine.store import Project


def excluded(
    path: Path, study: str, session: str, reason: str, position: int | None, progress: Progress = silent
) -> str:
    """Excludes a session, or a trial of it; says as what."""
    with Project.open(path) as project:
        kind = project.exclusions.exclude(study, session, reason, position)
    return "A post-hoc entry; the report lists it separately." if kind == "post-hoc" else "Added to the list."


def closed(path: Path, study: str, name: str, progress: Progress = silent) -> str:
    """Ends collection and fixes the exclusions; says so."""
    with Project.open(path) as project:
        digest = project.exclusions.close_study(study, name)
        return f"Collection is closed; the list of exclusions has the hash {digest[:12]}."


def unsealed(path: Path, study: str, early: bool, secret: str, note: str, progress: Progress = silent) -> Unsealed:
    """Opens the outcomes and judges all submissions."""
    return open_outcomes(path, study, secret, early, note, progress)
