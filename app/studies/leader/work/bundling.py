"""Bundles that are written for machines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.store.studies.places import codes_between
from spatial_workbench.engine.store.studies.records import Phase
from spatial_workbench.engine.studies.files.bundles import write_bundle


@dataclass(frozen=True)
class BundleOrder:
    """A bundle that a person asked for; the first one needs a passphrase for the outcomes."""

    path: Path
    codes: str = ""
    site: str = ""
    is_pilot: bool = False
    passphrase: str = ""


@dataclass(frozen=True)
class Written:
    """A bundle that was written, in a sentence, with warnings, and the recovery key if it froze the study."""

    path: Path
    words: str
    warnings: tuple[str, ...] = ()
    recovery: str = ""


def bundled(path: Path, study: str, order: BundleOrder, progress: Progress = silent) -> Written:
    """Writes a bundle, which freezes the study unless it is for a pilot.

    Raises:
        StudyError: The study has errors, or no such places.
        CodeError: One of the codes is none.
        OSError: The file cannot be written.
    """
    codes = list(codes_between(order.codes))
    with Project.open(path) as project:
        phase: Phase = "pilot" if order.is_pilot else "main"
        bundle, warnings = project.places.add_bundle(study, codes, phase, order.site, order.passphrase)
        digest = write_bundle(order.path, bundle)
        project.places.note_bundle_file(bundle.id, order.path.name, digest)
        recovery = project.study_keys.recovery(study, order.passphrase) if order.passphrase else ""
    words = f"{order.path.name}: {counted(len(bundle.slots), 'place')}, study {bundle.hash[:12]}"
    return Written(order.path, words, tuple(warnings), recovery)
