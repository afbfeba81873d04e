"""Who is to be paid: the identities of the people who consented, with how it ended for them, as the recruiter's table.

No code of a participant stands in it, so that the table does not tell who gave which answers.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from spatial_workbench.app.serving.recruiting.identities import KnownIdentity
from spatial_workbench.app.serving.recruiting.places import RecruitedPerson, RecruitedPlaces
from spatial_workbench.app.serving.recruiting.recruiters_file import PERSON_PARAMETERS, RecruitersFile

GOES_ON = "going on"
_OF_BONUS = ("bonus", "currency")
_COLUMNS = ("outcome", "minutes", "completion_code", "credits", "is_signed")


@dataclass(frozen=True)
class Bonuses:
    """What people get beside their pay.

    Attributes:
        by_code: By the codes of places.
    """

    currency: str
    by_code: Mapping[str, Decimal]


class PaidPerson(NamedTuple):
    """A person who consented, with the place that the person has or had."""

    identity: KnownIdentity
    person: RecruitedPerson


def paid_people(identities: Iterable[KnownIdentity], places: RecruitedPlaces) -> list[PaidPerson]:
    """The people of a server, as far as its places know them."""
    found = ((known, places.of_id(known.person)) for known in identities)
    return [PaidPerson(known, person) for known, person in found if person is not None]


def payments_table(file: RecruitersFile, people: Iterable[PaidPerson], bonuses: Bonuses | None = None) -> str:
    """A CSV table: identity, outcome, minutes from the first *Begin* to the end, completion code, credits, bonus.

    People who have not ended yet are in it, without minutes. bonuses: None if there are none.
    """
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow((PERSON_PARAMETERS[file.kind], *_COLUMNS, *(_OF_BONUS if bonuses else ())))
    for known, person in people:
        arrival = known.arrival
        table.writerow((arrival.person, *_end(file, person), arrival.is_signed, *_bonus(person, bonuses)))
    return text.getvalue()


def _end(file: RecruitersFile, person: RecruitedPerson) -> tuple[str, str, str, str]:
    """Outcome, minutes, completion code and credits."""
    if person.outcome is None:
        return GOES_ON, "", "", ""
    way = file.way_back(person.outcome)
    minutes = "" if person.minutes is None else f"{person.minutes:.1f}"
    return person.outcome.value, minutes, way.code, f"{way.credit:g}"


def _bonus(person: RecruitedPerson, bonuses: Bonuses | None) -> tuple[str, ...]:
    if bonuses is None:
        return ()
    return f"{bonuses.by_code.get(person.code, Decimal(0)):.2f}", bonuses.currency
