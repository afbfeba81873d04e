"""What a pilot says of a study's scores: how much they vary between people, and within a person.

Sessions of a pilot are never analysed, and their answers are not encrypted, so that they may be judged before outcomes
are open. Nothing that is found here is stored.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.reading.limits import MAX_TEXT_CHARS
from spatial_workbench.engine.evaluation.work import JUDGING_LIMIT_S
from spatial_workbench.engine.executor import Executor, ExecutorJob, JobOutcome, open_executor, run_jobs
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.analysis.statistics import variance_parts
from spatial_workbench.engine.studies.planning.document import ItemKind, ItemPhase
from spatial_workbench.engine.studies.sessions.schema import SessionRecord, SessionState

_HAVE_WORKED = (SessionState.FINISHED, SessionState.STOPPED, SessionState.ENDED)


@dataclass(frozen=True)
class PilotSpread:
    """How the scores of a pilot vary.

    Attributes:
        people: How many people of the pilot have a score.
        trials: How many scores there are.
        mean: Of all scores.
        sd_people: The standard deviation between people.
        sd_rest: The standard deviation of a person's scores that neither person nor item explains.
    """

    people: int
    trials: int
    mean: float
    sd_people: float
    sd_rest: float


def pilot_spread(
    path: Path | str, study: str, progress: Progress = silent, workers: int | None = None
) -> PilotSpread | None:
    """Judges what people of a pilot handed in last, and estimates how scores vary (docs/study_statistics.md).

    Returns None if fewer than 3 people of a pilot, or fewer than 2 items, have scores.

    Raises:
        ProjectError: The project cannot be opened.
        Cancelled: Raised by `progress`.
    """
    with Project.open(path) as project:
        sessions = [one for one in project.sessions.all(study, "pilot") if one.state in _HAVE_WORKED]
        document = project.studies.document(study)
    items = {
        item.id: item.address
        for item in document.items()
        if item.kind is ItemKind.INSTANCE and item.phase is ItemPhase.MAIN
    }
    answers = _last_answers(sessions, items)
    with open_executor(workers) as executor:
        scores = _judged(answers, items, executor, progress)
    return _spread(scores, len(sessions), list(items))


def _last_answers(sessions: list[SessionRecord], items: dict[str, str]) -> dict[tuple[int, str], str]:
    """The last answer to each item, by the number of the person and the item; "" where an item ended without one."""
    return {
        (person, trial.item): trial.submissions[-1].answer if trial.submissions else ""
        for person, session in enumerate(sessions)
        for trial in session.of_phase("main")
        if trial.item in items and trial.state.has_ended
    }


def _judged(
    answers: dict[tuple[int, str], str], items: dict[str, str], executor: Executor, progress: Progress
) -> dict[tuple[int, str], float]:
    """The scores by the default verifier; an answer that cannot be judged has none."""
    scores = {key: 0.0 for key, answer in answers.items() if not answer}
    places = {str(number): key for number, key in enumerate(key for key, answer in answers.items() if answer)}
    jobs = (
        ExecutorJob(
            name,
            "spatial_workbench.engine.evaluation.work:judge",
            {"addresses": [items[key[1]]], "text": answers[key][: MAX_TEXT_CHARS + 1]},
            JUDGING_LIMIT_S,
        )
        for name, key in places.items()
    )
    done = run_jobs(executor, lambda: next(jobs, None), lambda n: progress(n, len(places), "Checking the pilot"))
    for finished in done:
        if finished.outcome is JobOutcome.DONE:
            person, item = places[finished.key]
            verdicts = finished.value["verdicts"][items[item]]
            score = next((one["score"] for one in verdicts if one["verifier"] == "default"), None)
            if score is not None:
                scores[person, item] = score
    return scores


def _spread(scores: dict[tuple[int, str], float], people: int, items: list[str]) -> PilotSpread | None:
    table = np.full((people, len(items)), np.nan)
    for (person, item), score in scores.items():
        table[person, items.index(item)] = score
    parts = variance_parts(table) if table.size else None
    if parts is None:
        return None
    known = np.isfinite(table)
    return PilotSpread(
        people=int(known.any(axis=1).sum()),
        trials=int(known.sum()),
        mean=float(table[known].mean()),
        sd_people=math.sqrt(parts.people),
        sd_rest=math.sqrt(parts.rest),
    )
