"""What the gate asks about people whom a recruiter sends."""

from __future__ import annotations

from collections.abc import Callable

from starlette.routing import BaseRoute
from starlette.websockets import WebSocket

from spatial_workbench.app.serving.gate import StudyGate
from spatial_workbench.app.serving.recruiting.endings import Endings
from spatial_workbench.app.serving.recruiting.entrance import ENTRY, RecruitedEntrance
from spatial_workbench.app.serving.recruiting.escort import Escort
from spatial_workbench.app.serving.recruiting.pages import RecruitedPages
from spatial_workbench.app.serving.recruiting.recruited_study import RecruitedStudy, recruited_study
from spatial_workbench.app.serving.recruiting.recruiters_file import entry_query
from spatial_workbench.app.serving.recruiting.sweeping import Sweeping
from spatial_workbench.app.serving.served_study import ServedStudy


class RecruitedCompanion:
    """Goes with people whom a recruiter sends, from their arrival to their way out."""

    def __init__(self, study: RecruitedStudy, gate: StudyGate) -> None:
        pages = RecruitedPages(study.served.bundle.study, study.file)
        self._study = study
        self._endings = Endings(study)
        self._entrance = RecruitedEntrance(study, self._endings, pages, gate)
        self._escort = Escort(study, self._endings, pages)
        self._sweeping = Sweeping(study, self._endings)

    def routes(self) -> list[BaseRoute]:
        """The pages that people come and leave by."""
        return self._entrance.routes()

    @property
    def entry(self) -> str:
        """The address that the recruiter has to show, with what it puts behind it."""
        return f"{self._study.served.url}{ENTRY}?{entry_query(self._study.file)}"

    async def accompany(self, code: str, carried: str, socket: WebSocket) -> None:
        """Goes with somebody as long as the page with the window is connected; ends when it has to be left."""
        await self._escort.accompany(code, carried, socket)

    def way_out(self, code: str) -> str | None:
        """Where somebody goes whose session is over; None if it is not."""
        person = self._study.places.of_code(code)
        if person is None or self._endings.settle(person) is None:
            return None
        return self._study.way_out_of(person)

    async def sweep(self) -> None:
        """Does what is due now about places. Raises OSError, sqlite3.Error, ProjectError."""
        await self._sweeping.sweep()

    def close(self) -> None:
        """Closes the file of places."""
        self._study.places.close()


def join_companion(gate: StudyGate, served: ServedStudy, tell: Callable[[str], object]) -> RecruitedCompanion | None:
    """Lets a gate have people whom a recruiter sends, if the served study has a recruiter's file.

    Raises:
        RecruitersFileError, NotSealed: People cannot be recruited for it.
        OSError, ValueError, sqlite3.Error: What was stored before cannot be used.
    """
    if served.recruiter is None:
        return None
    study = recruited_study(served, served.recruiter, gate.links, gate.visits, gate.seats, tell)
    companion = RecruitedCompanion(study, gate)
    gate.companion = companion
    return companion
