"""Published figures of the PuzzleWorld data set, for comparison (docs/puzzles.md, "Statistics")."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.puzzles.annotation.vocabulary import Modality, PuzzleDifficulty


@dataclass(frozen=True)
class PublishedDataset:
    """What was published about the 667 puzzles; none of them ships with this program."""

    puzzles: int
    mean_steps: float
    steps_with_figure_percent: float
    mean_words: float
    difficulty_and_steps: float
    by_modality: Mapping[Modality, Mapping[PuzzleDifficulty, int]]


@cache
def published_dataset() -> PublishedDataset:
    """The published figures."""
    data = json.loads(resource("puzzles", "published_results.json").read_text("utf-8"))["dataset"]
    return PublishedDataset(
        data["puzzles"],
        data["avg_reasoning_steps"],
        data["visual_reasoning_steps_percent"],
        data["avg_words_per_step"],
        data["correlation_difficulty_steps"],
        {m: {d: data["modality_by_difficulty"][m][d] for d in PuzzleDifficulty} for m in Modality},
    )


@dataclass(frozen=True)
class PublishedQuality:
    """How the published annotations were checked, as shares: of all, and of those that were drawn for the audit."""

    flagged: float
    changed: float
    audit_correct: float


@cache
def published_quality() -> PublishedQuality:
    """The paper's quality control: flagged by a model, changed by two verifiers, correct in a sample of 5 %."""
    data = json.loads(resource("puzzles", "published_results.json").read_text("utf-8"))["verification"]
    names = ("flagged_percent", "modified_percent", "audit_correct_percent")
    return PublishedQuality(*(data[name] / 100 for name in names))
