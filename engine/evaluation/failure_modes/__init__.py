"""Why attempts fail: a language model labels each failed attempt after scoring. See docs/scoring.md.

cards          task cards: what a judge is told about a task, in fixed sections
eligibility    decides which items of an evaluation a judge labels
evidence       what a judge is shown of an attempt
judging        asks a judge about failed attempts
labels         the five ways in which an attempt fails
output         the answers of a judge, which are read strictly
prompt         the request to a judge: the rules as system message
summary        counts a run's failures by label and by task
"""

from spatial_workbench.engine.evaluation.failure_modes.cards import Signal, TaskCard, card_of, card_text
from spatial_workbench.engine.evaluation.failure_modes.eligibility import THRESHOLD, LabelEligibility, select
from spatial_workbench.engine.evaluation.failure_modes.evidence import (
    Evidence,
    explanation,
    explanation_as_list,
    prompt_text,
)
from spatial_workbench.engine.evaluation.failure_modes.judging import (
    Decision,
    DecisionStatus,
    JudgeTrace,
    judge,
    judge_settings,
)
from spatial_workbench.engine.evaluation.failure_modes.labels import FailureMode
from spatial_workbench.engine.evaluation.failure_modes.output import (
    FailureJudgement,
    RuleBroken,
    judgement_schema,
    read_judgement,
)
from spatial_workbench.engine.evaluation.failure_modes.prompt import (
    MAX_ATTEMPTS,
    PROMPT_VERSION,
    system_text,
    user_text,
)
from spatial_workbench.engine.evaluation.failure_modes.summary import FailureModes, csv_rows, failure_modes

__all__ = [
    "MAX_ATTEMPTS",
    "PROMPT_VERSION",
    "THRESHOLD",
    "Decision",
    "DecisionStatus",
    "Evidence",
    "FailureJudgement",
    "FailureMode",
    "FailureModes",
    "JudgeTrace",
    "LabelEligibility",
    "RuleBroken",
    "Signal",
    "TaskCard",
    "card_of",
    "card_text",
    "csv_rows",
    "explanation",
    "explanation_as_list",
    "failure_modes",
    "judge",
    "judge_settings",
    "judgement_schema",
    "prompt_text",
    "read_judgement",
    "select",
    "system_text",
    "user_text",
]
