"""Jobs that the Evaluate menu runs in a background process. Importable by name, free of Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.evaluation.export import ExportOutcome, Format, export_runs
from spatial_workbench.engine.evaluation.importing.json_lines import AlreadyThere
from spatial_workbench.engine.evaluation.labelling import (
    JudgingEstimate,
    LabellingOutcome,
    estimate_labelling,
    label_failures,
)
from spatial_workbench.engine.evaluation.planning.estimate import Estimate, estimate
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Concern, Contender, concerns
from spatial_workbench.engine.evaluation.planning.starting import ImportOutcome, import_file
from spatial_workbench.engine.evaluation.puzzles.candidates import StepJudging
from spatial_workbench.engine.evaluation.puzzles.flagging import FlaggingOutcome, flag_set
from spatial_workbench.engine.evaluation.puzzles.judging import StepJudgingOutcome, estimate_steps
from spatial_workbench.engine.evaluation.puzzles.kept_judgings import KeptJudging, judge_kept
from spatial_workbench.engine.models import (
    Capabilities,
    Feature,
    ModelSettings,
    give_session_key,
    list_models,
    probe,
)
from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet
from spatial_workbench.engine.store import Project


@dataclass(frozen=True)
class ExportSelection:
    """Which attempts to export: those of some batches, or particular ones; all if neither is given."""

    batches: tuple[int, ...] | None = None
    attempts: tuple[int, ...] | None = None


class BatchPreview(BaseModel):
    """What a person should know before a batch starts."""

    estimates: tuple[Estimate, ...]
    concerns: tuple[Concern, ...]

    @property
    def stops(self) -> bool:
        """Whether a concern keeps the batch from starting."""
        return any(concern.stops for concern in self.concerns)


def preview(plan: str, means: Mapping[tuple[str, str], float], progress: Progress = silent) -> BatchPreview:
    """The expected cost of a batch, given its plan as JSON, and any concerns about it."""
    read = BatchPlan.model_validate_json(plan)
    return BatchPreview(estimates=tuple(estimate(read, means, progress)), concerns=tuple(concerns(read)))


def probe_model(
    settings: str,
    features: Sequence[Feature] | None = None,
    keys: Mapping[str, str] = MappingProxyType({}),
    progress: Progress = silent,
) -> Capabilities:
    """Probes the endpoint of a model, given its settings as JSON; only for `features` if they are given.

    keys: Those of this session, by their names.
    """
    read = ModelSettings.model_validate_json(settings)
    take_session_keys(keys)
    return probe(read, progress=progress, with_tools=read.tools, only=features)


def models_of(
    settings: str, keys: Mapping[str, str] = MappingProxyType({}), progress: Progress = silent
) -> tuple[str, ...]:
    """The models that an endpoint lists, given settings as JSON; `keys` are those of this session."""
    take_session_keys(keys)
    return list_models(ModelSettings.model_validate_json(settings), progress)


def with_keys(keys: Mapping[str, str], work: Callable[..., Any], *arguments: Any, progress: Progress = silent) -> Any:
    """Does a work that asks models, with keys of this session: `work(*arguments, progress=progress)`."""
    take_session_keys(keys)
    return work(*arguments, progress=progress)


def take_session_keys(keys: Mapping[str, str]) -> None:
    """Keeps the keys of a session in the memory of this process, too."""
    for name, key in keys.items():
        give_session_key(name, key)


def take_file(project: Path, path: Path, again: bool, progress: Progress = silent) -> ImportOutcome | str:
    """Imports answers, or an export; returns a sentence if some exist already and `again` is not set."""
    with Project.open(project) as opened:
        try:
            return import_file(opened, path, again=again, progress=progress)
        except AlreadyThere as error:
            return str(error)


def export(
    project: Path, selection: ExportSelection, kind: Format, path: Path, progress: Progress = silent
) -> ExportOutcome:
    """Writes attempts to a file."""
    with Project.open(project) as opened:
        return export_runs(opened, path, kind, selection.batches, progress, selection.attempts)


def estimate_label(project: Path, batch: int | None, again: bool, progress: Progress = silent) -> JudgingEstimate:
    """The expected cost of labelling the failed attempts of one batch, or of all."""
    with Project.open(project) as opened:
        return estimate_labelling(opened, batch, again, progress)


def label(project: Path, judge: str, batch: int | None, again: bool, progress: Progress = silent) -> LabellingOutcome:
    """Labels the failed attempts of a batch, or of all; `judge` is a Contender as JSON."""
    return label_failures(project, Contender.model_validate_json(judge), batch, again, progress)


def estimate_step_judging(
    project: Path, judge: ModelSettings, what: StepJudging, progress: Progress = silent
) -> JudgingEstimate:
    """The expected cost of judging steps of puzzles."""
    with Project.open(project) as opened:
        return estimate_steps(opened, judge, what, progress)


def judge_puzzle_steps(project: Path, judging: str, drain_s: float, progress: Progress = silent) -> StepJudgingOutcome:
    """Judges which steps of puzzles attempts met; `judging` is a KeptJudging as JSON. See `judge_kept`."""
    return judge_kept(project, KeptJudging.model_validate_json(judging), progress, drain_s)


def flag_puzzles(project: Path, judge: str, puzzles: Path, progress: Progress = silent) -> FlaggingOutcome:
    """Has a model doubt the steps of the puzzles that were sent to review; `judge` is a Contender as JSON."""
    return flag_set(project, Contender.model_validate_json(judge), PuzzleSet(puzzles), progress)
