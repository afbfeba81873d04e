"""One judge a task: scores that different verifiers, or versions of one, gave are never put into one ranking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.columns import (
    Figures,
    Places,
    ScoredColumns,
    TextColumn,
    Truths,
    columns_of,
)
from spatial_workbench.engine.evaluation.scored import Scored

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project


@dataclass(frozen=True)
class ScoreJudge:
    """Who gave the score of an attempt.

    Attributes:
        verdict: Number of the stored verdict; a later one has a higher number.
    """

    verifier: str
    version: str
    verdict: int

    @property
    def title(self) -> str:
        """For a person: "default, version 2"."""
        return _title((self.verifier, self.version))


@dataclass(frozen=True)
class ScoreJudges:
    """Who judged each attempt of a project.

    Attributes:
        attempts: Shape (judged,): the numbers of the attempts, in order.
        titles: Who gave the score that counts for each.
        verdicts: Shape (judged,): the numbers of these verdicts.
        is_asked_for: Shape (judged,): whether the verifier that was asked for gave it, and not another.
    """

    attempts: NDArray[np.int64]
    titles: TextColumn
    verdicts: NDArray[np.int64]
    is_asked_for: Truths

    @classmethod
    def of(cls, judges: Mapping[int, ScoreJudge], verifier: str) -> ScoreJudges:
        """The judges of attempts, by the number of the attempt."""
        attempts = sorted(judges)
        ordered = [judges[attempt] for attempt in attempts]
        return cls(
            np.array(attempts, dtype=np.int64),
            TextColumn.of(judge.title for judge in ordered),
            np.array([judge.verdict for judge in ordered], dtype=np.int64),
            np.array([judge.verifier == verifier for judge in ordered], dtype=bool),
        )

    def places(self, attempts: Figures) -> Places:
        """Where attempts are among those that are judged; -1: it is not, or there is no attempt."""
        if not len(self.attempts):
            return np.full(len(attempts), -1, dtype=np.intp)
        places = np.minimum(np.searchsorted(self.attempts, np.nan_to_num(attempts)), len(self.attempts) - 1)
        return np.where(self.attempts[places] == attempts, places, -1)


def score_judges(project: Project, verifier: str) -> ScoreJudges:
    """Who judged each attempt of a project, if the scores of a verifier are asked for."""
    found = project.runs.judges(verifier)
    attempts = np.array(found["attempt"], dtype=np.int64)
    verdicts = np.array(found["verdict"], dtype=np.int64)
    verifiers = TextColumn.of(found["verifier"])
    versions = TextColumn.of(found["version"])
    is_asked_for = verifiers.is_any(verifier)
    # The last one of an attempt counts: a later verdict, and any of the verifier that was asked for.
    order = np.lexsort((verdicts, is_asked_for, attempts))
    last = order[np.flatnonzero(np.diff(attempts[order], append=-1))]
    titles = verifiers.crossed(versions).mapped(_title)
    return ScoreJudges(attempts[last], titles.at(last), verdicts[last], is_asked_for[last])


def _title(judge: tuple[str, str]) -> str:
    verifier, version = judge
    return f"{verifier}, version {version}"


def with_one_judge(records: Iterable[Scored], judges: ScoreJudges) -> tuple[ScoredColumns, tuple[str, ...]]:
    """The records, of which those that another judge scored have no score, and sentences that say which these are.

    Of a task, the judge counts that gave the newest verdict of the verifier that is asked for. Scores that a person
    set stay: they count for every judge.
    """
    records = columns_of(records)
    places = judges.places(records.figures("attempt"))
    judged = np.flatnonzero((places >= 0) & records.text("override").is_any(""))
    places = places[judged]
    tasks = records.text("task")
    titles = judges.titles.codes[places]
    counting = np.full(len(tasks.words), -1, dtype=np.intp)
    by_rank = np.lexsort((judges.verdicts[places], judges.is_asked_for[places]))
    counting[tasks.codes[judged[by_rank]]] = titles[by_rank]
    others = titles != counting[tasks.codes[judged]]
    left_out = judged[others]
    if not len(left_out):
        return records, ()
    kinds = TextColumn.of(zip(tasks.codes[left_out].tolist(), titles[others].tolist(), strict=True))
    sentences = (
        f"{tasks.words[task]}: {counted(count, 'attempt')} judged by {judges.titles.words[title]} "
        f"{'is' if count == 1 else 'are'} left out, since {judges.titles.words[counting[task]]} counts. Verify again, "
        "in the runs browser, judges them anew."
        for (task, title), count in kinds.counts().items()
    )
    return records.without_scores(left_out), tuple(sentences)
