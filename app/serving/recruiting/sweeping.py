"""Looks after the places of recruited people all the time: who has left, who is replaced, what is forgotten."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import date

from spatial_workbench.app.serving.recruiting.endings import Endings
from spatial_workbench.app.serving.recruiting.places import RecruitedPerson
from spatial_workbench.app.serving.recruiting.recruited_study import RecruitedStudy
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.store.studies.records import StudyError

SEEN_S = 60
"""How often it is noted that somebody is there."""
GOES_S = 30
"""How long the page with the window has to leave it once the session is over."""
FORGET_S = 3600


class Sweeping:
    """Deals places again, opens reserves, and deletes what is due."""

    def __init__(self, study: RecruitedStudy, endings: Endings, now: Callable[[], float] = time.time) -> None:
        self._study = study
        self._endings = endings
        self._now = now
        self._forgot_at = 0.0
        self._lost: set[str] = set()
        """Places that no reserve can replace."""

    async def sweep(self) -> None:
        """Does what is due now. Raises OSError, sqlite3.Error, ProjectError."""
        for person in self._study.places.in_their_places():
            self._look_after(person)
        for person in self._study.places.ended_in_their_places():
            if self._has_gone(person):
                await self._study.give_back(person)
        for person in self._study.places.left_before_consent():
            await self._study.give_back(person)
        for person in self._study.places.gave_back():
            if person.code not in self._lost:
                await self._replace(person)
        if self._now() - self._forgot_at > FORGET_S:
            self._forgot_at = self._now()
            self._study.places.forget_due()
            self._study.identities.delete_due(date.today())

    def _look_after(self, person: RecruitedPerson) -> None:
        host = self._study.seats.host_of(person.code)
        if host is None:
            return
        if host.is_over:
            self._endings.settle(person)
        elif self._study.seats.is_watched(person.code) and self._now() - person.seen_at > SEEN_S:
            self._study.places.see(person.id)

    def _has_gone(self, person: RecruitedPerson) -> bool:
        """Whether the page with the window has been left, or has had time enough for that."""
        is_late = person.ended_at is not None and self._now() - person.ended_at > GOES_S
        return is_late or not self._study.seats.is_watched(person.code)

    async def _replace(self, person: RecruitedPerson) -> None:
        try:
            reserve = await asyncio.to_thread(self._reserve_for, person)
        except StudyError as error:
            self._lost.add(person.code)
            self._study.tell(f"{person.code} was given back at the recruiter, and is not dealt again. {error}")
            return
        self._study.places.add_reserve(reserve, person.code)
        self._study.tell(f"{person.code} was given back at the recruiter. {reserve} can be dealt in its place.")

    def _reserve_for(self, person: RecruitedPerson) -> str:
        """The reserve of a place, in the project. Raises StudyError if there is none that is served here."""
        bundle = self._study.served.bundle
        if self._study.served.project is None:
            raise StudyError("Its reserve is chosen in the project, and this server has none.")
        with Project.open(self._study.served.project) as project:
            chosen = (slot.slot.code for slot in project.places.slots(bundle.study.id) if slot.replaces == person.code)
            reserve = next(chosen, "")
            if not reserve:
                reason = f"The recruiter reports: {person.reported}"
                reserve = project.places.replace(bundle.study.id, person.code, reason)
        if bundle.slot(reserve) is None:
            raise StudyError(f"Its reserve, {reserve}, is not served here.")
        return reserve
