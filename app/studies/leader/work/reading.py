"""What the pages show of the studies of a project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.store.studies.records import Conflict, StudyNote, StudyRow
from spatial_workbench.engine.studies.analysis.outcomes import PostHoc, StudyLook, StudyState
from spatial_workbench.engine.studies.analysis.progress import StudyProgress
from spatial_workbench.engine.studies.analysis.rules import Breach
from spatial_workbench.engine.studies.planning.document import Study
from spatial_workbench.engine.studies.sessions.this_machine import changed_at, local_sessions

if TYPE_CHECKING:
    from spatial_workbench.engine.store.studies.records import BundleRow


@dataclass(frozen=True)
class StudySnapshot:
    """A study as the pages show it; nothing in it says how an answer was judged.

    Attributes:
        flags: What the rules find; the fixed list once collection is closed.
        missing: Codes that were dealt to machines and have no results here.
        judged: How many submissions were judged, once outcomes are open.
        local_bytes: What the files of sessions on this machine take.
        is_locked: Whether opening the outcomes takes their passphrase.
        unpooled: How many sessions met an earlier version and are not analysed with this one.
    """

    row: StudyRow
    document: Study
    progress: StudyProgress
    flags: tuple[Breach, ...]
    post_hoc: tuple[PostHoc, ...]
    conflicts: tuple[Conflict, ...]
    missing: tuple[str, ...]
    bundles: tuple[BundleRow, ...]
    log: tuple[StudyNote, ...]
    looks: tuple[StudyLook, ...]
    list_hash: str
    judged: int = 0
    local_bytes: int = 0
    unpooled: int = 0
    is_locked: bool = False

    @property
    def is_editable(self) -> bool:
        """Whether the document can be changed."""
        return self.row.is_editable

    @property
    def is_open(self) -> bool:
        """Whether outcomes are open."""
        return self.row.state is StudyState.UNSEALED


@dataclass(frozen=True)
class PageData:
    """What the page shows: all studies, and the chosen one."""

    rows: tuple[StudyRow, ...]
    snapshot: StudySnapshot | None


def read_page(path: Path, study: str, progress: Progress = silent) -> PageData:
    """The list, and the study that is chosen, or the first one if there is no such."""
    with Project.open(path) as project:
        rows = tuple(project.studies.all())
        ids = [row.id for row in rows]
        chosen = study if study in ids else ids[0] if ids else ""
        return PageData(rows, _snapshot(project, chosen) if chosen else None)


def snapshot(path: Path, study: str, progress: Progress = silent) -> StudySnapshot:
    """A study with its sessions, those on this machine included."""
    with Project.open(path) as project:
        return _snapshot(project, study)


def _snapshot(project: Project, study: str) -> StudySnapshot:
    local = local_sessions(version.hash for version in project.studies.versions(study))
    outcomes = project.outcomes.of(study)
    return StudySnapshot(
        row=project.studies.row(study),
        document=outcomes.study,
        progress=project.outcomes.progress(study, local.sessions, local.interrupted),
        flags=outcomes.breaches,
        post_hoc=outcomes.post_hoc,
        conflicts=tuple(project.merging.conflicts(study)),
        missing=tuple(project.outcomes.missing_codes(study)),
        bundles=tuple(project.places.bundles(study)),
        log=tuple(project.study_log.notes(study)),
        looks=outcomes.looks,
        list_hash=outcomes.breaches_hash,
        judged=len(outcomes.judged),
        local_bytes=local.size,
        unpooled=project.sessions.unpooled(study),
        is_locked=project.study_keys.is_locked(study),
    )


def stamp_of(hashes: Sequence[str], progress: Progress = silent) -> float:
    """A number that changes when a session on this machine changes."""
    return changed_at(hashes)
