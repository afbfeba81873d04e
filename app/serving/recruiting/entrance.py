"""The addresses that people reach who come from a recruiter, and the one that the recruiter itself calls."""

from __future__ import annotations

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from spatial_workbench.app.serving.forms import form_of
from spatial_workbench.app.serving.gate import REPORTS, STANDING, StudyGate
from spatial_workbench.app.serving.pages.entry_form import NOTHING_TOLD, entry_form_of
from spatial_workbench.app.serving.pages.gate_pages import DRAINING, REFUSED_FORM
from spatial_workbench.app.serving.recruiting.arrivals import Arrival, ArrivalRefused
from spatial_workbench.app.serving.recruiting.endings import Endings
from spatial_workbench.app.serving.recruiting.pages import (
    BAD_LINK,
    FULL,
    OTHER_PROOF,
    UNKNOWN_WAY_OUT,
    RecruitedPages,
)
from spatial_workbench.app.serving.recruiting.places import ProofRefused, RecruitedPerson
from spatial_workbench.app.serving.recruiting.recruited_study import RecruitedStudy
from spatial_workbench.app.serving.recruiting.recruiters_file import RecruitOutcome, filled
from spatial_workbench.app.serving.recruiting.reports import (
    MOMENT_HEADER,
    SIGNATURE_HEADER,
    ReportRefused,
    signed_report,
)
from spatial_workbench.app.serving.recruiting.standing import Standing, is_signed
from spatial_workbench.app.serving.visits import carried_by

ENTRY = "/study"
BEGIN = "/study/begin"
INCOMPATIBLE = "/study/incompatible"


class RecruitedEntrance:
    """Lets people in whom a recruiter sends, and shows them out.

    gate: opens windows, and says what its own pages say.
    """

    def __init__(self, study: RecruitedStudy, endings: Endings, pages: RecruitedPages, gate: StudyGate) -> None:
        self._study = study
        self._endings = endings
        self._pages = pages
        self._gate = gate

    def routes(self) -> list[BaseRoute]:
        """The addresses."""
        return [
            Route(ENTRY, self._arrive),
            Route(BEGIN, self._begin, methods=["POST"]),
            Route(INCOMPATIBLE, self._leave_incompatible, methods=["POST"]),
            Route("/out/{token}", self._show_out),
            Route(REPORTS, self._take_report, methods=["POST"]),
            Route(STANDING, self._tell_standing, methods=["POST"]),
        ]

    async def _arrive(self, request: Request) -> Response:
        """The first page, which says what is kept of somebody; nothing is dealt by looking at it."""
        try:
            arrival = self._study.reader.read(request.url.query)
        except ArrivalRefused:
            return self._message(BAD_LINK, HTTPStatus.FORBIDDEN)
        if (refused := self._turned_away(arrival)) is not None:
            return refused
        page = HTMLResponse(self._pages.notice(self._study.seals.seal(arrival)))
        # The address has an identity in it: only the origin is named, which forms need.
        page.headers["Referrer-Policy"] = "strict-origin"
        return page

    async def _begin(self, request: Request) -> Response:
        """After the first page, the page with *Begin*; after that one, the window."""
        form = await form_of(request)
        arrival = self._study.seals.open(form.get("form") or form.get("arrival", ""))
        if arrival is None:
            return self._message(REFUSED_FORM, HTTPStatus.FORBIDDEN)
        if "leave" in form:
            return self._shown_out(RecruitOutcome.DECLINED, arrival)
        if (refused := self._turned_away(arrival)) is not None:
            return refused
        if "form" not in form:
            return self._entry_page(arrival)
        try:
            person = self._study.place_of(arrival)
        except ProofRefused:
            return self._message(OTHER_PROOF, HTTPStatus.FORBIDDEN)
        if person is None:
            return self._message(FULL)
        carried = self._study.seals.seal(arrival)
        return await self._gate.let_in(person.code, form["form"], carried, entry_form_of(form))

    async def _leave_incompatible(self, request: Request) -> Response:
        """The way out of somebody whose computer does not fit; nothing is stored but a number."""
        form = await form_of(request)
        arrival = self._study.seals.open(form.get("form", ""))
        if arrival is None:
            return self._message(REFUSED_FORM, HTTPStatus.FORBIDDEN)
        self._gate.refusals.add(form.get("reason", ""))
        return self._shown_out(RecruitOutcome.INCOMPATIBLE, arrival)

    def _turned_away(self, arrival: Arrival) -> Response | None:
        """What somebody is shown who cannot begin or go on."""
        known = self._study.known(arrival)
        if known is not None:
            ended = self._endings.settle(known) is not None
            return RedirectResponse(self._study.way_out_of(known), HTTPStatus.SEE_OTHER) if ended else None
        if self._gate.drains:
            return self._message(DRAINING)
        return self._message(FULL) if self._study.places.is_full else None

    def _entry_page(self, arrival: Arrival) -> Response:
        known = self._study.known(arrival)
        goes_on = known is not None and known.consented_at is not None
        told = NOTHING_TOLD if known is None else self._gate.told_before(known.code)
        page = HTMLResponse(self._gate.pages.join(self._study.seals.seal(arrival), INCOMPATIBLE, goes_on, told))
        page.headers["Referrer-Policy"] = "same-origin"
        return page

    # Going out ---------------------------------------------------------------------------------------------------

    async def _show_out(self, request: Request) -> Response:
        """The page of somebody whose session is over."""
        person = self._study.leaving(request.path_params["token"])
        if person is None or person.outcome is None:
            return self._message(UNKNOWN_WAY_OUT, HTTPStatus.NOT_FOUND)
        arrival = self._arrival_of(request, person)
        return self._shown_out(person.outcome, arrival, person.was_credited)

    def _shown_out(self, outcome: RecruitOutcome, arrival: Arrival | None, was_credited: bool = False) -> Response:
        way = self._study.file.way_back(outcome)
        link = filled(way.link, way.code, "" if arrival is None else arrival.person)
        return HTMLResponse(self._pages.way_out(outcome, link, way.code, was_credited))

    def _arrival_of(self, request: Request, person: RecruitedPerson) -> Arrival | None:
        """Who a person is, as the person's own browser says."""
        carried = carried_by(request.cookies.get(self._gate.cookie, ""))
        arrival = self._study.seals.open(carried, self._study.keep_s)
        known = None if arrival is None else self._study.known(arrival)
        return arrival if known is not None and known.id == person.id else None

    # The recruiter -----------------------------------------------------------------------------------------------

    async def _take_report(self, request: Request) -> Response:
        webhook = self._study.file.webhook
        if webhook is None:
            return PlainTextResponse("", HTTPStatus.NOT_FOUND)
        signature = request.headers.get(SIGNATURE_HEADER, "")
        moment = request.headers.get(MOMENT_HEADER, "")
        try:
            report = signed_report(await request.body(), signature, moment, webhook.secret)
        except ReportRefused:
            return PlainTextResponse("", HTTPStatus.FORBIDDEN)
        if report is not None:
            self._study.places.report(self._study.hash_of(report.person), report.status)
        return PlainTextResponse("", HTTPStatus.OK)

    async def _tell_standing(self, request: Request) -> Response:
        """Tells the entrance of several servers how somebody stands with this one."""
        key = self._study.file.entrance_key
        query = await request.body()
        if key is None or not is_signed(key, query, request.headers):
            return PlainTextResponse("", HTTPStatus.NOT_FOUND)
        try:
            person = self._study.reader.read(query.decode("utf-8", "replace")).person
        except ArrivalRefused:
            return PlainTextResponse("", HTTPStatus.BAD_REQUEST)
        is_known = self._study.places.knows(self._study.hash_of(person))
        free = 0 if self._gate.drains else self._study.places.free
        return Response(Standing(is_known, free).to_json(), media_type="application/json")

    def _message(self, words: tuple[str, str], status: HTTPStatus = HTTPStatus.OK) -> Response:
        return HTMLResponse(self._gate.pages.message(words), status)
