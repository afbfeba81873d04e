"""The bonus of each person, by the rule of the plan."""

from __future__ import annotations

from decimal import Decimal

from spatial_workbench.engine.studies.analysis.counting import counting_submission, is_success, main_instances
from spatial_workbench.engine.studies.analysis.outcomes import Outcomes
from spatial_workbench.engine.studies.sessions.schema import SessionRecord


def bonus_of(outcomes: Outcomes, session: SessionRecord) -> Decimal:
    """What a person is to get beside the pay, in the plan's currency; 0 if the plan works out no bonus.

    It depends on what the person did alone: rules that exclude somebody from the analysis take no bonus away.
    """
    incentive = outcomes.study.incentive
    if incentive.per_solved is None:
        return Decimal(0)
    main = {item.id for item in main_instances(outcomes.study)}
    counting = (
        counting_submission(outcomes, session, trial) for trial in session.of_phase("main") if trial.item in main
    )
    solved = sum(judged is not None and is_success(outcomes.study, judged) for judged in counting)
    earned = solved * Decimal(str(incentive.per_solved))
    return earned if incentive.most is None else min(earned, Decimal(str(incentive.most)))
