"""The pages that people see who come from a recruiter: what is kept of them, and how they go back."""

from __future__ import annotations

from typing import NamedTuple

from spatial_workbench.app.serving.pages.templates import rendered
from spatial_workbench.app.serving.recruiting.recruiters_file import RecruiterKind, RecruitersFile, RecruitOutcome
from spatial_workbench.engine.core.languages.translation import marked, tr
from spatial_workbench.engine.studies.planning.briefing import spoken_words
from spatial_workbench.engine.studies.planning.document import Study

BAD_LINK = (
    marked("This link does not fit"),
    marked("It does not say who you are, or does not prove it. Open the link that the recruiter shows you."),
)
OTHER_PROOF = (
    marked("This link does not fit"),
    marked("Somebody has begun under this identity with another link. Open the link with which you began."),
)
FULL = (
    marked("All places of this study are taken"),
    marked("Thank you for your interest. Nothing about you was kept."),
)
UNKNOWN_WAY_OUT = (marked("This page is not known"), marked("Open the link of the recruiter again."))

_NAMES = {
    RecruiterKind.PROLIFIC: marked("your Prolific ID"),
    RecruiterKind.SONA: marked("your survey code"),
    RecruiterKind.OTHER: marked("your participant number"),
}
_RECRUITERS = {RecruiterKind.PROLIFIC: "Prolific", RecruiterKind.SONA: "SONA"}
_ENDS = {
    RecruitOutcome.COMPLETE: (
        marked("Thank you for taking part"),
        marked("You have finished. Your answers are stored."),
    ),
    RecruitOutcome.DECLINED: (marked("You do not take part"), marked("Nothing that you did was kept.")),
    RecruitOutcome.INELIGIBLE: (
        marked("This study looks for other participants"),
        marked("Thank you for your interest. Nothing that you told was kept."),
    ),
    RecruitOutcome.INCOMPATIBLE: (
        marked("This computer does not fit"),
        marked("You cannot take part with it. Nothing about you was kept. Your link also opens on another computer."),
    ),
    RecruitOutcome.STOPPED: (marked("You have stopped"), marked("The session cannot go on. Thank you for your time.")),
    RecruitOutcome.TIMEOUT: (
        marked("Your session was ended"),
        marked("It was ended before you finished. What you did until then is stored."),
    ),
}
_NOT_TAKING_PART = (RecruitOutcome.DECLINED, RecruitOutcome.INELIGIBLE, RecruitOutcome.INCOMPATIBLE)
_RETURNS = {
    RecruiterKind.PROLIFIC: marked("Please return your submission on Prolific, so that somebody else can take part."),
    RecruiterKind.SONA: marked("Please cancel your sign-up in SONA, so that somebody else can take part."),
    RecruiterKind.OTHER: marked("You can close this page."),
}


class PrivacySection(NamedTuple):
    """A question about what is kept of somebody, and its answer."""

    title: str
    text: str


class RecruitedPages:
    """Writes pages for people who come from a recruiter, in the language that is spoken with them."""

    def __init__(self, study: Study, file: RecruitersFile) -> None:
        self._study = study
        self._file = file

    def notice(self, arrival: str) -> str:
        """The first page: what is kept of somebody, before anything is.

        arrival: who it is, sealed; the page sends it.
        """
        return rendered(
            "notice.html",
            title=self._study.name,
            introduction=tr("Before you begin: what is kept of you"),
            sections=self._privacy(),
            arrival=arrival,
            goes_on=tr("Continue"),
            declines=tr("I do not want to take part"),
        )

    def way_out(self, outcome: RecruitOutcome, link: str, code: str, is_credited: bool) -> str:
        """The last page: how it ended, and the way back.

        link: where the button leads; "" for none. is_credited: whether the recruiter has been told.
        """
        title, text = _ENDS[outcome]
        return rendered(
            "out.html",
            title=tr(title),
            paragraphs=[tr(text), *self._debriefing(outcome), *self._afterwards(outcome, is_credited)],
            code_label=tr("Your completion code"),
            code=code,
            link=link,
            back=tr("Go back to {recruiter}", recruiter=_RECRUITERS.get(self._file.kind, tr("the recruiter"))),
            ask=tr("Questions: {contact}", contact=self._file.ask),
        )

    def phrase(self, phrase: str, url: str) -> dict[str, str]:
        """What the page with the window says once after consent: the phrase that proves who somebody is."""
        address = f"{url}/code"
        text = tr("Write this phrase down. With it you can go on in another browser, at {address}:", address=address)
        return {"text": text, "phrase": phrase, "button": tr("I have written it down")}

    def _privacy(self) -> list[PrivacySection]:
        name = tr(_NAMES[self._file.kind])
        return [
            PrivacySection(
                tr("What"),
                tr(
                    "The recruiter tells us {name}. Until you consent, only a fingerprint of it is kept here. After "
                    "consent it is encrypted, apart from your answers. A cookie lets your browser come back.",
                    name=name,
                ),
            ),
            PrivacySection(tr("Why"), tr("So that you come back to your own place, and the recruiter can pay you.")),
            PrivacySection(
                tr("How long"),
                tr(
                    "If you decline: 7 days. After consent: {days} days, or until you withdraw. What you do in the "
                    "study is kept as its consent says.",
                    days=self._file.keep_days,
                ),
            ),
            PrivacySection(tr("Whom to ask"), self._file.ask),
        ]

    def _debriefing(self, outcome: RecruitOutcome) -> list[str]:
        text = spoken_words(self._study.debriefing, self._study) if outcome is RecruitOutcome.COMPLETE else ""
        return [paragraph for paragraph in text.split("\n\n") if paragraph.strip()]

    def _afterwards(self, outcome: RecruitOutcome, is_credited: bool) -> list[str]:
        if outcome in _NOT_TAKING_PART:
            return [tr(_RETURNS[self._file.kind])]
        return [tr("Your credits have been given.")] if is_credited else []
