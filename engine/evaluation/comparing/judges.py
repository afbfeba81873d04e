"""One judge a task: scores that different verifiers, or versions of one, gave are never put into one ranking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.scores import Scored

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
        return f"{self.verifier}, version {self.version}"


def score_judges(project: Project, verifier: str) -> dict[int, ScoreJudge]:
    """Who judged each attempt of a project, by its number, if the scores of a verifier are asked for."""
    return {
        row["attempt"]: ScoreJudge(row["verifier"], row["version"], row["verdict"])
        for row in project.runs.judges(verifier)
    }


def with_one_judge(
    records: Sequence[Scored], judges: dict[int, ScoreJudge], verifier: str
) -> tuple[list[Scored], tuple[str, ...]]:
    """The records, of which those that another judge scored have no score, and sentences that say which these are.

    Of a task, the judge counts that gave the newest verdict of the verifier that is asked for. Scores that a person
    set stay: they count for every judge.
    """
    counting: dict[str, ScoreJudge] = {}
    for item in records:
        judge = judges.get(item.attempt or 0)
        if judge is not None and not item.override:
            before = counting.get(item.task)
            if before is None or _rank(judge, verifier) > _rank(before, verifier):
                counting[item.task] = judge
    others: Counter[tuple[str, str]] = Counter()
    kept = []
    for item in records:
        judge = judges.get(item.attempt or 0)
        if judge is None or item.override or judge.title == counting[item.task].title:
            kept.append(item)
        else:
            others[item.task, judge.title] += 1
            kept.append(replace(item, score=None, passed=None))
    sentences = (
        f"{task}: {counted(count, 'attempt')} judged by {other} {'is' if count == 1 else 'are'} left out, since "
        f"{counting[task].title} counts. Verify again, in the runs browser, judges them anew."
        for (task, other), count in others.items()
    )
    return kept, tuple(sentences)


def _rank(judge: ScoreJudge, verifier: str) -> tuple[bool, int]:
    return judge.verifier == verifier, judge.verdict
