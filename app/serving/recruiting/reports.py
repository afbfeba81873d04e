"""What the recruiter reports of people: that they gave their participation back, or that their time is over."""

from __future__ import annotations

import base64
import csv
import hashlib
import hmac
import io
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from spatial_workbench.app.serving.recruiting.recruiters_file import PERSON_PARAMETERS, RecruiterKind

SIGNATURE_HEADER = "X-Prolific-Request-Signature"
MOMENT_HEADER = "X-Prolific-Request-Timestamp"
FRESH_S = 300
"""A signed report that is older is not believed."""
_GIVEN_BACK = {"returned": "returned", "timed-out": "timed out", "timed out": "timed out"}
_PROLIFIC_COLUMN = "Participant id"
_STATUS = "status"


class ReportRefused(ValueError):
    """A report that cannot be used; says why."""


@dataclass(frozen=True)
class RecruiterReport:
    """What the recruiter reports of a person.

    Attributes:
        status: "returned" or "timed out".
    """

    person: str
    status: str


def signed_report(
    body: bytes, signature: str, moment: str, secret: str, now: Callable[[], float] = time.time
) -> RecruiterReport | None:
    """What a webhook reports; None if it is something that changes no place.

    signature: HMAC-SHA256 of `moment` and the body, in base64. moment: when it was sent, in seconds since 1970.

    Raises:
        ReportRefused: It is not signed with the secret, too old, or no report.
    """
    expected = base64.b64encode(hmac.digest(secret.encode(), moment.encode() + body, hashlib.sha256))
    if not hmac.compare_digest(expected, signature.encode("utf-8", "replace")):
        raise ReportRefused("its signature is not valid")
    if not moment.isdecimal() or abs(now() - int(moment[:15])) > FRESH_S:
        raise ReportRefused("it is too old")
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise ReportRefused("it is not JSON") from None
    if not isinstance(data, dict):
        raise ReportRefused("it is no report")
    return _report(data.get("participant_id"), data.get("status"))


def reports_in(table: str) -> tuple[RecruiterKind, list[RecruiterReport]]:
    """What a table of the recruiter (CSV) reports, and of which kind the recruiter is.

    Raises:
        ReportRefused: It has no columns with people and their status.
    """
    reader = csv.DictReader(io.StringIO(table))
    columns = {name.strip().lower(): name for name in reader.fieldnames or () if name}
    status = columns.get(_STATUS)
    kind, person = next(_columns_of_people(columns), (None, ""))
    if status is None or kind is None:
        people = ", ".join((_PROLIFIC_COLUMN, *PERSON_PARAMETERS.values()))
        raise ReportRefused(f"It needs the columns Status and one of: {people}.")
    reports = [_report(row[person], row[status]) for row in reader]
    return kind, [report for report in reports if report is not None]


def _columns_of_people(columns: dict[str, str]) -> Iterator[tuple[RecruiterKind, str]]:
    known = [*PERSON_PARAMETERS.items(), (RecruiterKind.PROLIFIC, _PROLIFIC_COLUMN)]
    return ((kind, columns[name.lower()]) for kind, name in known if name.lower() in columns)


def _report(person: Any, status: Any) -> RecruiterReport | None:
    if not isinstance(person, str) or not isinstance(status, str):
        return None
    given_back = _GIVEN_BACK.get(status.strip().lower().replace("_", "-"))
    return RecruiterReport(person.strip(), given_back) if given_back and person.strip() else None
