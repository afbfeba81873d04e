"""What people answer to questions: checked, cleaned, and compared with the rules of eligibility."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.studies.planning.document import Comparison, Covariate, Eligibility, Study, texts_by_value

MOST_TEXT_CHARS = 2_000
TLX_SCALES = ("mental", "physical", "temporal", "performance", "effort", "frustration")
TLX_STEP = 5
_LARGEST = 10**9


class StudyReplyError(ValueError):
    """A reply that does not fit its question; a sentence for the person."""


def reply_to(question: Covariate, value: Any) -> Any:
    """The reply as it is stored; None stands for "prefer not to say".

    Raises:
        ReplyError: It does not fit.
    """
    if value is None:
        return None
    if question.type == "text":
        return cleaned(str(value))[0]
    if question.type == "choice":
        return _option(question, value)
    if question.type == "multi":
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise StudyReplyError(tr("Choose from the list"))
        return [_option(question, part) for part in value]
    return _integer(question, value)


def _option(question: Covariate, value: Any) -> str:
    if value not in texts_by_value(question.options):
        raise StudyReplyError(tr("Choose one of the options"))
    return str(value)


def _integer(question: Covariate, value: Any) -> int:
    low, high = question.range or ((1, 5) if question.type == "scale" else (-_LARGEST, _LARGEST))
    try:
        number = int(str(value).strip())
    except ValueError:
        raise StudyReplyError(tr("Enter a whole number")) from None
    if not low <= number <= high:
        raise StudyReplyError(tr("Enter a whole number from {low} to {high}", low=low, high=high))
    return number


def cleaned(text: str, most: int = MOST_TEXT_CHARS) -> tuple[str, bool]:
    """Free text without control characters, cut to a number of characters; and whether anything was removed."""
    plain = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs", "Co", "Cn"))
    return plain[:most], plain[:most] != text


def asked_for_eligibility(study: Study) -> list[Covariate]:
    """The questions that decide whether somebody can take part."""
    used = {rule.covariate for rule in study.eligibility}
    return [question for question in study.covariates if question.when == "before" and question.key in used]


def asked_before(study: Study) -> list[Covariate]:
    """The other questions before the items."""
    used = {rule.covariate for rule in study.eligibility}
    return [question for question in study.covariates if question.when == "before" and question.key not in used]


def asked_after(study: Study) -> list[Covariate]:
    """The questions after the items."""
    return [question for question in study.covariates if question.when == "after"]


def first_unmet(rules: Sequence[Eligibility], replies: Mapping[str, Any]) -> int | None:
    """The number, from 0, of the first rule that somebody does not fit; None if they can take part."""
    return next((n for n, rule in enumerate(rules) if not _fits(rule, replies.get(rule.covariate))), None)


def _fits(rule: Eligibility, reply: Any) -> bool:
    many = isinstance(reply, list)
    match rule.op:
        case Comparison.EQUAL:
            return bool(reply == rule.value or (many and rule.value in reply))
        case Comparison.DIFFERENT:
            return bool(reply != rule.value and not (many and rule.value in reply))
        case Comparison.IN:
            return any(part in rule.value for part in (reply if many else [reply]))
        case Comparison.NOT_IN:
            return not any(part in rule.value for part in (reply if many else [reply]))
    if isinstance(reply, bool) or not isinstance(reply, int | float):
        return False
    return bool(reply <= rule.value) if rule.op is Comparison.AT_MOST else bool(reply >= rule.value)
