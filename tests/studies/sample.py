"""The worked example as a study: eight people, four items, and a model with three samples of each."""

import numpy as np

from spatial_workbench.engine.studies.analysis.figures import ModelRun
from spatial_workbench.engine.studies.analysis.outcomes import Counts, Outcomes, StudyJudged, StudyState
from spatial_workbench.engine.studies.planning.codes import code_of
from spatial_workbench.engine.studies.planning.document import study_of
from spatial_workbench.engine.studies.sessions.schema import (
    SessionRecord,
    SessionState,
    Submission,
    TrialRecord,
    TrialState,
)
from tests.studies.analysis.test_statistics import MODEL, T
from tests.studies.planning.test_document import SMALLEST

ADDRESSES = ("maze_3d:0", "maze_3d:1", "shikaku:0", "shikaku:1")
ITEMS = "abcd"


def study(**changes):
    items = [
        {"id": f"i{name}", "address": address, "phase": "main", "kind": "instance"}
        for name, address in zip(ITEMS, ADDRESSES, strict=True)
    ]
    block = {"id": "a", "order": "williams", "items": items}
    return study_of({**SMALLEST, "name": "T", "blocks": [block], "limits": {"item_s": 600}, **changes})


def session(of, person, scores=T, **changes):
    """The session of a person, who meets the items in the row of a Williams square."""
    order = [[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]][person % 4]
    trials = tuple(
        TrialRecord(
            position=position,
            block="a",
            item=f"i{ITEMS[item]}",
            phase="main",
            condition="only",
            state=TrialState.SUBMITTED,
            limit_ms=600_000,
            active_ms=60_000 * (position + 1),
            elapsed_ms=60_000 * (position + 1),
            edits=3,
            submissions=(Submission(number=1, active_ms=60_000 * (position + 1), answer=f'{{"by": {person}}}'),),
            responses={"confidence": 80},
        )
        for position, item in enumerate(order)
        if np.isfinite(scores[person, item])
    )
    given = {"id": f"session-{person}", "code": code_of(person + 1), "boxes": {"part": True, "share": True}}
    return SessionRecord(study=of.hash, state=SessionState.FINISHED, trials=trials, **{**given, **changes})


def outcomes(scores=T, of=None, **changes):
    """The outcomes of the example; an item with the score 1 passes."""
    of = of or study()
    sessions = tuple(session(of, person, scores) for person in range(len(scores)))
    judged = {}
    for person, one in enumerate(sessions):
        for trial in one.trials:
            score = float(scores[person, ITEMS.index(trial.item[1])])
            judged[one.id, trial.position, 1] = StudyJudged(score, score == 1, published=score)
    given = {"sessions": sessions, "judged": judged, "counts": Counts(planned=8, started=8)}
    return Outcomes(study=of, state=StudyState.UNSEALED, **{**given, **changes})


def model_run():
    scores = {address: tuple(map(float, sample)) for address, sample in zip(ADDRESSES, MODEL, strict=True)}
    passed = {address: tuple(score == 1 for score in sample) for address, sample in scores.items()}
    return ModelRun("oak", "only", scores, passed, budget=4096, same_prompt=dict.fromkeys(ADDRESSES, True))
