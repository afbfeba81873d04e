"""Who is to be paid: the identities of the people who consented, with how it ended for them, as the recruiter's table.

No code of a participant stands in it, so that the table does not tell who gave which answers.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

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


def payments_table(
    file: RecruitersFile, identities: Iterable[KnownIdentity], places: RecruitedPlaces, bonuses: Bonuses | None = None
) -> str:
    """A CSV table: identity, outcome, minutes from the first *Begin* to the end, completion code, credits, bonus.

    People who have not ended yet are in it, without minutes. bonuses: None if there are none.
    """
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow((PERSON_PARAMETERS[file.kind], *_COLUMNS, *(_OF_BONUS if bonuses else ())))
    table.writerows(_rows(file, identities, places, bonuses))
    return text.getvalue()


def _rows(
    file: RecruitersFile, identities: Iterable[KnownIdentity], places: RecruitedPlaces, bonuses: Bonuses | None
) -> Iterator[tuple[object, ...]]:
    for known in identities:
        person = places.of_id(known.person)
        if person is not None:
            yield (known.arrival.person, *_end(file, person), known.arrival.is_signed, *_bonus(person, bonuses))


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
