"""A large study: 200 people who answered 50 items each."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import numpy as np

from spatial_workbench.engine.reporting.study_report import report_sections, study_html
from spatial_workbench.engine.studies.analysis.figures import ModelRun
from spatial_workbench.engine.studies.analysis.outcomes import Counts, Outcomes, StudyJudged, StudyState
from spatial_workbench.engine.studies.planning.codes import code_of
from spatial_workbench.engine.studies.planning.document import Study, study_of
from spatial_workbench.engine.studies.sessions.schema import (
    SessionRecord,
    SessionState,
    Submission,
    TrialRecord,
    TrialState,
)

PEOPLE = 200
ITEMS = 50


def report() -> Iterator[float]:
    """Seconds to write the report, without charts."""
    study = large_study()
    outcomes = _outcomes(study)
    run = _model(study)
    begin = time.perf_counter()
    study_html(outcomes, report_sections(outcomes, [run]), {}, datetime.now(UTC))
    yield time.perf_counter() - begin


def large_study() -> Study:
    """A study of many items for many people."""
    items = [{"id": f"m{k}", "address": f"{('shikaku', 'maze_3d')[k % 2]}@{k}"} for k in range(ITEMS)]
    block = {"id": "a", "order": "shuffle", "items": items}
    return study_of(
        {
            "format": 1,
            "id": "00c0ffee00c0ffee",
            "name": "Mazes and rectangles",
            "leader": "A",
            "contact": "a@b",
            "question": "Who finds the way?",
            "population": "Everybody",
            "sampling": "convenience",
            "consent": {"version": "1", "text": "I take part.", "boxes": [{"key": "part", "required": True}]},
            "blocks": [block],
            "limits": {"item_s": 600},
            "plan": {"slots": PEOPLE},
            "retention": {"withdraw_until": "2027-01-31", "delete_after": "2032-01-31"},
            "leave": {"salt": "00", "hash": "11"},
        }
    )


def session(study: Study, person: int, rng: np.random.Generator) -> SessionRecord:
    """A finished session in which every item was answered."""
    times = rng.integers(60_000, 600_000, ITEMS).tolist()
    trials = tuple(
        TrialRecord(
            position=position,
            block="a",
            item=f"m{(position + person) % ITEMS}",
            phase="main",
            condition="only",
            state=TrialState.SUBMITTED,
            limit_ms=600_000,
            active_ms=active,
            elapsed_ms=active,
            edits=3,
            submissions=(Submission(number=1, active_ms=active, answer="{}"),),
            responses={"confidence": int(rng.integers(100))},
        )
        for position, active in enumerate(times)
    )
    code = code_of(person + 1)
    return SessionRecord(id=f"s{person}", study=study.hash, code=code, state=SessionState.FINISHED, trials=trials)


def _outcomes(study: Study) -> Outcomes:
    rng = np.random.default_rng(1)
    sessions = tuple(session(study, person, rng) for person in range(PEOPLE))
    scores = rng.random((PEOPLE, ITEMS))
    judged = {
        (f"s{person}", position, 1): StudyJudged(float(scores[person, position]), bool(scores[person, position] > 0.5))
        for person in range(PEOPLE)
        for position in range(ITEMS)
    }
    counts = Counts(planned=PEOPLE, started=PEOPLE)
    return Outcomes(study, StudyState.UNSEALED, sessions=sessions, judged=judged, counts=counts)


def _model(study: Study) -> ModelRun:
    rng = np.random.default_rng(2)
    scores = {item.address: tuple(rng.random(3).tolist()) for item in study.items()}
    passed = {address: tuple(score > 0.5 for score in samples) for address, samples in scores.items()}
    return ModelRun("oak", "only", scores, passed)
