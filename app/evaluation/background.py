"""What the background process works out for the Evaluate menu. Importable by name, free of Qt."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel

from engine.core import Progress, silent
from engine.evaluation.estimate import Estimate, estimate
from engine.evaluation.export import Format, Written, export_runs
from engine.evaluation.labelling import Labelled, label_failures
from engine.evaluation.plan import BatchPlan, Concern, Contender, concerns
from engine.evaluation.starting import Imported, import_answers
from engine.models import Capabilities, ModelSettings, probe
from engine.store import Project


class Preview(BaseModel):
    """What is to be known before a batch begins."""

    estimates: tuple[Estimate, ...]
    concerns: tuple[Concern, ...]

    @property
    def stops(self) -> bool:
        """Whether the batch cannot begin as it is."""
        return any(concern.stops for concern in self.concerns)


def preview(plan: str, means: Mapping[tuple[str, str], float], progress: Progress = silent) -> Preview:
    """What a batch (its plan as JSON) is expected to take, and what speaks against it."""
    read = BatchPlan.model_validate_json(plan)
    return Preview(estimates=tuple(estimate(read, means, progress)), concerns=tuple(concerns(read)))


def probe_model(settings: str, progress: Progress = silent) -> Capabilities:
    """What the endpoint of a model (its settings as JSON) can do."""
    read = ModelSettings.model_validate_json(settings)
    return probe(read, progress=progress, with_tools=read.tools)


def import_file(project: Path, path: Path, progress: Progress = silent) -> Imported:
    """Stores the answers of a file as a batch that is to be verified."""
    with Project.open(project) as opened:
        return import_answers(opened, path, progress=progress)


def export(project: Path, batch: int, kind: Format, path: Path, progress: Progress = silent) -> Written:
    """Writes the attempts of a batch to a file."""
    with Project.open(project) as opened:
        return export_runs(opened, path, kind, [batch], progress)


def label(project: Path, judge: str, batch: int | None, progress: Progress = silent) -> Labelled:
    """Labels the failed attempts of a batch, or of all; `judge` is a Contender as JSON."""
    return label_failures(project, Contender.model_validate_json(judge), batch, progress=progress)
