"""Who is to be paid: the identities of the people who consented, with how it ended for them, as the recruiter's table.

No code of a participant stands in it, so that the table does not tell who gave which answers.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from spatial_workbench.app.serving.recruiting.identities import KnownIdentity
from spatial_workbench.app.serving.recruiting.places import RecruitedPlaces
from spatial_workbench.app.serving.recruiting.recruiters_file import PERSON_PARAMETERS, RecruitersFile

GOES_ON = "going on"
_COLUMNS = ("outcome", "minutes", "completion_code", "credits", "is_signed")


def payments_table(file: RecruitersFile, identities: Iterable[KnownIdentity], places: RecruitedPlaces) -> str:
    """A CSV table: identity, outcome, minutes from the first *Begin* to the end, completion code, credits.

    People who have not ended yet are in it, without minutes.
    """
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow((PERSON_PARAMETERS[file.kind], *_COLUMNS))
    table.writerows(_rows(file, identities, places))
    return text.getvalue()


def _rows(
    file: RecruitersFile, identities: Iterable[KnownIdentity], places: RecruitedPlaces
) -> Iterator[tuple[object, ...]]:
    for known in identities:
        person = places.of_id(known.person)
        if person is None:
            continue
        if person.outcome is None:
            yield (known.arrival.person, GOES_ON, "", "", "", known.arrival.is_signed)
            continue
        way = file.way_back(person.outcome)
        minutes = "" if person.minutes is None else f"{person.minutes:.1f}"
        yield (
            known.arrival.person,
            person.outcome.value,
            minutes,
            way.code,
            f"{way.credit:g}",
            known.arrival.is_signed,
        )
