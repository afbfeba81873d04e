"""The answers of a judge, which are read strictly."""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from spatial_workbench.engine.core import AnswerError
from spatial_workbench.engine.core.formats.jsontext import format_path
from spatial_workbench.engine.core.reading.pipeline import is_object, read_data
from spatial_workbench.engine.evaluation.failure_modes.labels import FailureMode

MAX_TAGS = 8
_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False, defer_build=True)


class JudgedAttempt(_Strict):
    """The decision on one attempt."""

    subpass: int = Field(ge=0, description="The attempt's number in the request")
    failure_mode: FailureMode
    confidence: float = Field(ge=0, le=1, description="Low where the evidence is ambiguous")
    justification: _Text = Field(description="3 to 6 sentences that name checks and elements")
    evidence_tags: list[_Text] = Field(max_length=MAX_TAGS, description="Short strings")


class FailureJudgement(_Strict):
    """The decisions on all attempts of a request."""

    decisions: list[JudgedAttempt]


class RuleBroken(ValueError):
    """An answer of a judge that breaks the rules; says how."""


def judgement_schema() -> dict[str, Any]:
    """The JSON schema that is sent to a judge."""
    return FailureJudgement.model_json_schema()


def read_judgement(text: str, count: int) -> tuple[JudgedAttempt, ...]:
    """The decisions on attempts 0 to count - 1, in order. There may be a code fence or prose around the object.

    Raises:
        RuleBroken: The form is wrong, an attempt is missing or occurs twice, or there is one that was not listed.
    """
    try:
        decisions = FailureJudgement.model_validate_json(json.dumps(read_data(text, is_object))).decisions
    except AnswerError as error:
        raise RuleBroken(str(error)) from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise RuleBroken(f"{format_path(first['loc']) or 'The answer'}: {first['msg']}") from None
    listed = sorted(decision.subpass for decision in decisions)
    if listed != list(range(count)):
        raise RuleBroken(f"Decisions are wanted for the subpasses {list(range(count))}, not {listed}")
    return tuple(sorted(decisions, key=lambda decision: decision.subpass))
