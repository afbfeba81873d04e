"""Whose answers may be published: the people who share theirs, and when their figures would tell those of the others.

Whoever knows a figure of all people and the same figure of those who share can subtract one from the other. What is
left is about the people who do not share. If these are one or two, it tells how they did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.studies.analysis.counting import (
    ANSWERED,
    NOBODY,
    PLANNED,
    POST_HOC,
    UNAIDED,
    Counting,
    StudySelection,
)
from spatial_workbench.engine.studies.analysis.outcomes import Outcomes
from spatial_workbench.engine.studies.analysis.rules import rules_of
from spatial_workbench.engine.studies.files.publishing import SHARES, of_those_who_share
from spatial_workbench.engine.studies.planning.document import StudyResponse
from spatial_workbench.engine.studies.sessions.schema import SessionRecord

LEAST_OTHERS = 3
"""If fewer people do not share, a difference of figures is theirs."""


def selections_of(outcomes: Outcomes) -> list[StudySelection]:
    """The selections of people and trials whose figures the report prints, the planned one first."""
    active = [name for name, rule in rules_of(outcomes.study).items() if rule.response is StudyResponse.EXCLUDE]
    without = [StudySelection(f"without {name.replace('_', ' ')}", without_rule=name) for name in active]
    return [PLANNED, NOBODY, ANSWERED, UNAIDED, *([POST_HOC] if outcomes.post_hoc else ()), *without]


def shared_outcomes(outcomes: Outcomes) -> Outcomes | None:
    """The outcomes of the people who share their answers; None if nobody does, or everybody."""
    shared = of_those_who_share(outcomes)
    return shared if 0 < len(shared.sessions) < len(outcomes.sessions) else None


def tells_of_others(outcomes: Outcomes) -> bool:
    """Whether some figure of all people minus that of the people who share is about one or two people."""
    others = [session for session in outcomes.sessions if not session.boxes.get(SHARES)]
    return any(count < LEAST_OTHERS for count in _counts(outcomes, others))


def withheld_words(outcomes: Outcomes) -> str:
    """Why the figures of the people who share are not printed, and what not to publish together."""
    shared = len(of_those_who_share(outcomes).sessions)
    return (
        f"{shared} of {counted(len(outcomes.sessions), 'person', 'people')} agreed to share their answers. The figures "
        f"of their data alone are withheld: fewer than {LEAST_OTHERS} of the others are counted somewhere, and the "
        "difference from the figures of all people would tell how they did. For the same reason, do not publish this "
        "report beside the public data."
    )


def _counts(outcomes: Outcomes, sessions: list[SessionRecord]) -> Iterator[int]:
    """How many of some people each figure is about, where it is about any of them."""
    rule = Counting(outcomes)
    for selection in selections_of(outcomes):
        counting = [
            (session, trial)
            for session in sessions
            for trial in session.trials
            if not rule.reason_against(session, trial, selection)
        ]
        people = {(trial.condition, session.setting, session.id) for session, trial in counting}
        yield from Counter((condition, setting) for condition, setting, _ in people).values()
        # Figures of other selections are printed over all items only.
        if selection in (PLANNED, NOBODY, POST_HOC):
            yield from Counter((trial.condition, session.setting, trial.item) for session, trial in counting).values()
