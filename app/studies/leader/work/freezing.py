"""What fixes a study: freezing, the recovery sheet, amendments, the registration."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.files.sealing import recovery_sheet
from spatial_workbench.engine.studies.planning.document import study_of


@dataclass(frozen=True)
class NewlyFrozen:
    """A study that was just frozen, in a sentence, with the recovery key of its outcomes."""

    words: str
    recovery: str


@dataclass(frozen=True)
class Amendment:
    """A changed document of a frozen study, with the reason, and why sessions may be pooled."""

    data: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    comparable: str = ""


def frozen(path: Path, study: str, passphrase: str, progress: Progress = silent) -> NewlyFrozen:
    """Freezes a study.

    Raises:
        StudyError: It has errors, or the passphrase is too short.
    """
    with Project.open(path) as project:
        digest = project.studies.freeze(study, passphrase)
        return NewlyFrozen(f"Frozen as {digest[:12]}.", project.study_keys.recovery(study, passphrase))


def recovery_sheet_written(path: Path, study: str, key: str, target: Path, progress: Progress = silent) -> str:
    """Writes the sheet with the recovery key of a study; says so."""
    with Project.open(path) as project:
        row = project.studies.row(study)
    write_whole(target, recovery_sheet(row.name, row.hash, key).encode())
    return f"The recovery sheet is in {target}. Print it, and delete the file."


def amended(path: Path, study: str, amendment: Amendment, progress: Progress = silent) -> str:
    """Freezes a further version; says so.

    Raises:
        StudyError: There is no reason, nothing has changed, or what has changed cannot be pooled.
        DocumentError: The document cannot be read.
    """
    document = study_of(json.loads(json.dumps(amendment.data)))
    with Project.open(path) as project:
        return f"Amended to {project.studies.amend(study, document, amendment.reason, amendment.comparable)[:12]}."


def registered(path: Path, study: str, link: str, day: str, progress: Progress = silent) -> str:
    """Records where and when the plan was registered; says so."""
    with Project.open(path) as project:
        project.studies.register(study, link, day)
    return f"Registered on {day}."
