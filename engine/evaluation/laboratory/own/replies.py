"""What somebody else's verifier gives, read strictly: a verdict, or the place of what is wrong with it.

    {"score": 0.5, "passed": false, "checks": [
        {"name": "overlaps", "passed": false, "message": "Bricks 3 and 7 overlap", "elements": ["brick 3", "brick 7"]}]}

`checks` may be left out, and of a check everything but its name and `passed`.
"""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from spatial_workbench.engine.core import Check, Problem, State, Verdict
from spatial_workbench.engine.core.formats.jsontext import format_path

MOST_BYTES = 1_000_000
MOST_CHECKS = 1000
MOST_ELEMENTS = 10_000
_Text = Annotated[str, Field(max_length=10_000)]


class ReplyFault(Exception):
    """What a verifier gave is no verdict; the message names the place."""


class _GivenCheck(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")

    name: Annotated[str, Field(min_length=1, max_length=500)]
    passed: bool
    message: _Text = ""
    elements: Annotated[list[Annotated[str, Field(max_length=500)]], Field(max_length=MOST_ELEMENTS)] = []


class _GivenVerdict(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")

    score: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
    passed: bool
    checks: Annotated[list[_GivenCheck], Field(max_length=MOST_CHECKS)] = []


def read_reply(text: str | bytes, name: str, version: str, address: str) -> Verdict:
    """The verdict in a reply; `name` is that of the verifier, with its prefix.

    Raises:
        ReplyFault: It is too long, no JSON, or says something else than a verdict; names the place.
    """
    if len(text) > MOST_BYTES:
        raise ReplyFault(f"The reply has {len(text):,} bytes; {MOST_BYTES:,} are read.")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise ReplyFault(f"The reply is no JSON: {_beginning(text)}") from None
    return verdict_of(data, name, version, address)


def verdict_of(data: Any, name: str, version: str, address: str) -> Verdict:
    """The verdict in the data of a reply.

    Raises:
        ReplyFault: They say something else than a verdict; names the place.
    """
    try:
        given = _GivenVerdict.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = format_path(first["loc"]) or "the reply"
        raise ReplyFault(f"{place}: {first['msg']}") from None
    checks = tuple(_check(check) for check in given.checks)
    return Verdict(
        instance=address, verifier=name, version=version, score=given.score, passed=given.passed, checks=checks
    )


def _check(given: _GivenCheck) -> Check:
    if given.passed:
        return Check(name=given.name, state=State.PASSED, message=given.message)
    return Check.of(given.name, [Problem(given.message or given.name, given.elements)])


def _beginning(text: str | bytes) -> str:
    shown = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return repr(shown[:80]) if shown.strip() else "it is empty"
