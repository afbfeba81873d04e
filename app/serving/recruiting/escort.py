"""Goes with people from the page with their window to their way out, and keeps their identity once they consent."""

from __future__ import annotations

import asyncio
from datetime import date

from starlette.websockets import WebSocket

from spatial_workbench.app.serving.recruiting.arrivals import Arrival
from spatial_workbench.app.serving.recruiting.credits import CreditFailed, give_credit
from spatial_workbench.app.serving.recruiting.endings import Endings
from spatial_workbench.app.serving.recruiting.pages import RecruitedPages
from spatial_workbench.app.serving.recruiting.places import RecruitedPerson
from spatial_workbench.app.serving.recruiting.recruited_study import RecruitedStudy
from spatial_workbench.app.serving.recruiting.recruiters_file import RecruitOutcome

LOOK_S = 0.3
_ENTERING = frozenset({"", "code", "language", "consent"})
"""Pages of the window that come before consent."""


class Escort:
    """Looks after people while the page with their window is connected."""

    def __init__(self, study: RecruitedStudy, endings: Endings, pages: RecruitedPages) -> None:
        self._study = study
        self._endings = endings
        self._pages = pages

    async def accompany(self, code: str, carried: str, socket: WebSocket) -> None:
        """Tells the page the phrase once the person has consented, and where to go at the end; then it ends.

        carried: who the person is, sealed; the browser keeps it, and the server does not.
        """
        arrival = self._study.seals.open(carried, self._study.keep_s)
        while (person := self._study.places.of_code(code)) is not None:
            if person.consented_at is None:
                await self._look_for_consent(person, arrival, socket)
            if await self._has_ended(person, arrival, socket):
                return
            await asyncio.sleep(LOOK_S)

    async def _look_for_consent(self, person: RecruitedPerson, arrival: Arrival | None, socket: WebSocket) -> None:
        host = self._study.seats.host_of(person.code)
        if host is None or host.page in _ENTERING or not self._study.has_consented(person.code):
            return
        study = self._study
        study.places.consent(person.id, study.keep_s)
        if arrival is not None:
            public = study.served.bundle.seal
            study.identities.add(person.id, person.code, arrival, public, study.file.keep_days, date.today())
        await socket.send_json({"phrase": self._pages.phrase(study.links.phrase_of(person.code), study.served.url)})

    async def _has_ended(self, person: RecruitedPerson, arrival: Arrival | None, socket: WebSocket) -> bool:
        host = self._study.seats.host_of(person.code)
        if host is None or not host.is_over:
            return False
        outcome = self._endings.settle(person)
        if outcome is None:
            return False
        await self._tell_recruiter(person, outcome, arrival)
        await socket.send_json({"way_out": self._study.way_out_of(person)})
        return True

    async def _tell_recruiter(self, person: RecruitedPerson, outcome: RecruitOutcome, arrival: Arrival | None) -> None:
        """Calls the recruiter's server, where its file says so; the leader hears if that fails."""
        way = self._study.file.way_back(outcome)
        if not way.call or person.was_credited:
            return
        try:
            await give_credit(way, self._study.file.kind, arrival)
        except CreditFailed as error:
            self._study.tell(f"The recruiter could not be told that {person.code} has ended ({outcome}): {error}.")
        else:
            self._study.places.credit(person.id)
