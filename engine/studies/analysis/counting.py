"""Which trials of a study count, and as what: the one rule for figures, reports, exports and Results.

Submitted, given up, timed out, left     the submission that the study names, the last one by default; 0 without any
Skipped                                  0: the time of the study was over before the item was reached
Not reached, broken off                  nothing is known, and nothing counts
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from spatial_workbench.engine.studies.analysis.outcomes import Outcomes, StudyJudged, StudyState
from spatial_workbench.engine.studies.planning.document import (
    ItemKind,
    ItemPhase,
    Study,
    StudyItem,
    StudyResponse,
    StudySetting,
)
from spatial_workbench.engine.studies.sessions.schema import Accommodations, SessionRecord, TrialRecord, TrialState

_UNKNOWN = {TrialState.WAITING: "not reached", TrialState.BROKEN: "broken off"}
"""Trials of which nothing is known."""
_CENSORED_AT_THE_LIMIT = (TrialState.SUBMITTED, TrialState.GIVEN_UP, TrialState.TIMED_OUT, TrialState.LEFT)


@dataclass(frozen=True)
class StudySelection:
    """Which people and trials count.

    Attributes:
        excludes: Whether what the rules exclude is left out.
        without_rule: A rule that does not count.
        post_hoc: Whether what was excluded later is left out as well.
        answered_only: Whether items that the time of the study did not reach are missing, instead of counting 0.
        unaided: Whether people with accommodations are left out.
        setting: Where the people took part that are not left out; None: anywhere.
    """

    title: str
    excludes: bool = True
    without_rule: str = ""
    post_hoc: bool = False
    answered_only: bool = False
    unaided: bool = False
    setting: StudySetting | None = None


PLANNED = StudySelection("as planned")
NOBODY = StudySelection("nobody excluded", excludes=False)
POST_HOC = StudySelection("with later exclusions", post_hoc=True)
ANSWERED = StudySelection("answered only", answered_only=True)
UNAIDED = StudySelection("without accommodations", unaided=True)


def main_instances(study: Study) -> list[StudyItem]:
    """The items that are analysed, in the order of the document."""
    return [item for item in study.items() if item.phase is ItemPhase.MAIN and item.kind is ItemKind.INSTANCE]


@dataclass(frozen=True)
class Counting:
    """The rule for the trials of a study."""

    outcomes: Outcomes

    def reason_against(self, session: SessionRecord, trial: TrialRecord, selection: StudySelection = PLANNED) -> str:
        """Why a trial does not count in a selection; empty: it counts."""
        if trial.phase != "main" or trial.item not in self._items:
            return "no main item"
        if trial.state in _UNKNOWN:
            return _UNKNOWN[trial.state]
        if selection.answered_only and trial.state is TrialState.SKIPPED:
            return "skipped"
        if selection.unaided and session.accommodations != Accommodations():
            return "accommodations"
        if selection.setting not in (None, session.setting):
            return "another setting"
        rules = self.rules_against(session, trial) - {selection.without_rule}
        if selection.excludes and rules:
            return f"excluded: {' '.join(sorted(rules))}"
        return "excluded later" if selection.post_hoc and self.is_excluded_later(session, trial) else ""

    def rules_against(self, session: SessionRecord, trial: TrialRecord) -> set[str]:
        """The rules that exclude a trial, or its session as a whole."""
        none: set[str] = set()
        return self._excluded.get((session.id, None), none) | self._excluded.get((session.id, trial.position), none)

    def is_excluded_later(self, session: SessionRecord, trial: TrialRecord) -> bool:
        """Whether a trial, or its session, was excluded after the list was fixed."""
        return not self._later.isdisjoint({(session.id, None), (session.id, trial.position)})

    def result_of(self, session: SessionRecord, trial: TrialRecord) -> tuple[float, bool] | None:
        """Score and success of a trial as the analysis has them; None: sealed, or nothing is known of the trial."""
        is_known = self.outcomes.state is StudyState.UNSEALED and not self.reason_against(session, trial, NOBODY)
        return score_of(self.outcomes, session, trial) if is_known else None

    @cached_property
    def _items(self) -> set[str]:
        return {item.id for item in main_instances(self.outcomes.study)}

    @cached_property
    def _excluded(self) -> Mapping[tuple[str, int | None], set[str]]:
        excluded: dict[tuple[str, int | None], set[str]] = {}
        for breach in self.outcomes.breaches:
            if breach.response is StudyResponse.EXCLUDE:
                excluded.setdefault((breach.session, breach.position), set()).add(breach.rule)
        return excluded

    @cached_property
    def _later(self) -> set[tuple[str, int | None]]:
        return {(entry.session, entry.position) for entry in self.outcomes.post_hoc}


# A trial ---------------------------------------------------------------------------------------------------------


def judged_submissions(
    outcomes: Outcomes, session: SessionRecord, trial: TrialRecord
) -> list[tuple[float, StudyJudged]]:
    """The submissions of a trial with the seconds at which they were handed in, in order."""
    pairs = []
    for submission in trial.submissions:
        judged = outcomes.judged.get((session.id, trial.position, submission.number))
        if judged is not None:
            pairs.append((submission.active_ms / 1000, judged))
    return pairs


def counting_submission(outcomes: Outcomes, session: SessionRecord, trial: TrialRecord) -> StudyJudged | None:
    """The submission that counts, by the study's `score_of`; None without one."""
    given = [judged for _, judged in judged_submissions(outcomes, session, trial)]
    if not given:
        return None
    rule = outcomes.study.limits.score_of
    return max(given, key=lambda judged: judged.score) if rule == "best" else given[0 if rule == "first" else -1]


def score_of(outcomes: Outcomes, session: SessionRecord, trial: TrialRecord) -> tuple[float, bool]:
    """Score and success of a trial; without a submission that counts, 0 and no."""
    judged = counting_submission(outcomes, session, trial)
    return (judged.score, judged.passed) if judged else (0.0, False)


def is_success(study: Study, judged: StudyJudged) -> bool:
    """Whether a submission solves its item, by the study's own definition."""
    rule, _, least = study.analysis.success.partition(" >= ")
    return judged.score >= float(least) if rule == "score" else judged.passed


@dataclass(frozen=True)
class Time:
    """How long a trial took, and whether it was solved in that time; if not, it is censored."""

    seconds: float
    is_solved: bool


def time_of(outcomes: Outcomes, session: SessionRecord, trial: TrialRecord) -> Time | None:
    """When a trial was solved, or until when it was not; None if it was never shown.

    Giving up, running out of time, leaving or being wrong means not solved within the limit, and is censored there.
    """
    for seconds, judged in judged_submissions(outcomes, session, trial):
        if is_success(outcomes.study, judged):
            return Time(seconds, True)
    if trial.state is TrialState.SKIPPED:
        return None
    ran_its_course = trial.state in _CENSORED_AT_THE_LIMIT and trial.limit_ms is not None
    return Time((trial.limit_ms or 0) / 1000 if ran_its_course else trial.active_ms / 1000, False)
