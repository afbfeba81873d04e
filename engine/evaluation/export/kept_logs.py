"""Logs of Inspect that were imported, written as they were; only scores that people changed since are edited."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from importlib import import_module
from typing import Any

from spatial_workbench.engine.evaluation.attempt_lines import AttemptLine
from spatial_workbench.engine.evaluation.collect import NAMELESS
from spatial_workbench.engine.evaluation.dossiers import ExportedDossier
from spatial_workbench.engine.evaluation.inspect_data import (
    SINCE,
    edits_of,
    judged_by_us,
    unpacked_log,
    unpacked_sample,
)
from spatial_workbench.engine.store import Override, time_text

_ADDED = ("rulings", "labels", "remarks", "step_judgements")
"""What people can add to an attempt, which Inspect has no place for; it is written into the metadata of its sample."""


def kept_log(
    packed: bytes, run: Sequence[ExportedDossier], is_whole: bool, made: Callable[[ExportedDossier], Any]
) -> Any:
    """The log that a batch was imported from.

    Args:
        packed: The log as it was kept.
        run: Dossiers of the batch.
        is_whole: Whether these are all; then the samples about other tasks are written as well.
        made: Makes the sample of a dossier that none was kept for.

    Raises:
        CannotRepresent: What was kept cannot be read.
    """
    log, others = unpacked_log(packed)
    in_order = sorted(run, key=lambda dossier: dossier.placed.position if dossier.placed else 0)
    samples = [made(dossier) if dossier.sample is None else _as_it_is_now(dossier) for dossier in in_order]
    log.samples = list(samples)
    for place, sample in others if is_whole else ():
        log.samples.insert(place, sample)
    edited = [_edit_scores(log, *pair) for pair in zip(in_order, samples, strict=True)]
    if any(edited):
        _recompute(log)
    return log


def _as_it_is_now(dossier: ExportedDossier) -> Any:
    """The sample as it was kept, with what people added since."""
    assert dossier.sample is not None
    sample = unpacked_sample(dossier.sample)
    line = AttemptLine.of(dossier).as_data
    added = {name: line[name] for name in _ADDED if line[name]}
    if added:
        sample.metadata[SINCE] = added
    return sample


def _edit_scores(log: Any, dossier: ExportedDossier, sample: Any) -> bool:
    """Edits the score of a sample as people overrode it since; whether there was anything to edit."""
    name = judged_by_us(sample)
    edits = [] if name is None or dossier.sample is None else list(_edits(dossier, sample, name))
    for edit in edits:
        import_module("inspect_ai.log").edit_score(
            log, sample.id, name, edit, recompute_metrics=False, epoch=sample.epoch
        )
    return bool(edits)


def _edits(dossier: ExportedDossier, sample: Any, name: str) -> Iterator[Any]:
    known = {(edit["person"], edit["score"], _time(edit["at"])) for edit in edits_of(sample)}
    overrides = dossier.stored.overrides if dossier.stored else ()
    value = sample.scores[name].value
    for override in overrides:
        if (override.person, override.score, time_text(override.at)) not in known:
            value = override.score
            yield _edit(override, override.score, override.reason, override.at)
    withdrawn = overrides[-1] if overrides and dossier.standing_override is None else None
    # A withdrawal leaves the verifier's score in force, which is what the results count.
    if withdrawn is not None and dossier.score is not None and value != dossier.score:
        yield _edit(withdrawn, dossier.score, f"withdrawn: {withdrawn.reason}", withdrawn.withdrawn_at)


def _edit(override: Override, score: float, reason: str, at: Any) -> Any:
    provenance = import_module("inspect_ai.log").ProvenanceData(
        timestamp=at, author=override.person or NAMELESS, reason=reason
    )
    return import_module("inspect_ai.scorer").ScoreEdit(value=score, provenance=provenance)


def _recompute(log: Any) -> None:
    """Computes the results again; those of scorers and metrics that are not installed here stay as they were."""
    try:
        import_module("inspect_ai.log").recompute_metrics(log)
    except (ValueError, LookupError, TypeError, ImportError):
        return


def _time(text: str) -> str:
    return time_text(datetime.fromisoformat(text))
