"""Before the items: language, consent, and questions about the person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.studies.files.canonical import digest
from spatial_workbench.engine.studies.planning.document import (
    Covariate,
)
from spatial_workbench.engine.studies.sessions.answering import Answering
from spatial_workbench.engine.studies.sessions.itinerary import Itinerary
from spatial_workbench.engine.studies.sessions.pages import (
    StudyPage,
)
from spatial_workbench.engine.studies.sessions.recording import Recording
from spatial_workbench.engine.studies.sessions.replies import (
    StudyReplyError,
    first_unmet,
    reply_to,
)
from spatial_workbench.engine.studies.sessions.schema import SessionState
from spatial_workbench.engine.studies.sessions.sitting_state import SittingState, now


class Entering:
    """What the person does before the items, and answers after them."""

    def __init__(self, state: SittingState, recording: Recording, itinerary: Itinerary, answering: Answering) -> None:
        self._state = state
        self._recording = recording
        self._itinerary = itinerary
        self._answering = answering

    def choose_language(self, language: str) -> None:
        """Chooses the language of the study's texts."""
        with self._recording.acting():
            if self._state.page is StudyPage.LANGUAGE and language in self._state.study.languages:
                self._state.choose_language(language)
                self._itinerary.go(StudyPage.CONSENT)

    def consent(self, boxes: Mapping[str, bool]) -> bool:
        """The person agrees; False if a required box is not ticked. Only now anything of them is stored."""
        with self._recording.acting():
            required = [box.key for box in self._state.study.consent.boxes if box.required]
            if self._state.page is not StudyPage.CONSENT or not all(boxes.get(key) for key in required):
                return False
            self._recording.set_head(
                state=SessionState.CONSENTED,
                consent=digest(self._state.study.data["consent"]),
                boxes={box.key: bool(boxes.get(box.key)) for box in self._state.study.consent.boxes},
            )
            self._recording.event("session", wall=now(), build=self._state.head.build, **self._recording.environment)
            # Words that are written from the plan differ from place to place, and with the version of this program.
            self._recording.event(
                "consent",
                boxes=dict(self._state.head.boxes),
                language=self._state.language,
                shown=digest(self._state.consent),
            )
            self._itinerary.go(
                self._itinerary.first_due(StudyPage.ELIGIBILITY, StudyPage.COVARIATES, StudyPage.INSTRUCTIONS)
            )
            return True

    def reply(self, replies: Mapping[str, Any]) -> dict[str, str]:
        """Answers the questions of the page; returns what is wrong with single answers, by key. None: prefers not to
        say."""
        with self._recording.acting():
            values, faults = _checked(self._itinerary.questions(), replies)
            if faults:
                return faults
            if (
                self._state.page is StudyPage.ELIGIBILITY
                and (unmet := first_unmet(self._state.study.eligibility, values)) is not None
            ):
                self._answering.become_ineligible(unmet)
                return {}
            self._recording.set_head(covariates={**self._state.head.covariates, **values})
            for key in values:
                self._recording.event("answer", key=key)
            if self._state.page is StudyPage.AFTER:
                self._itinerary.go_to_end(after=StudyPage.AFTER)
            elif self._state.page is StudyPage.ELIGIBILITY:
                self._itinerary.go(self._itinerary.first_due(StudyPage.COVARIATES, StudyPage.INSTRUCTIONS))
            elif self._state.page is StudyPage.COVARIATES:
                self._itinerary.go(StudyPage.INSTRUCTIONS)
            return {}

    @property
    def unmet_reason(self) -> str:
        """Why somebody cannot take part."""
        number = self._state.head.ineligible_by
        rules = self._state.study.eligibility
        return self._state.words(rules[number].reason) if number is not None and number < len(rules) else ""


def _checked(questions: list[Covariate], replies: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """The replies as they are stored, and what is wrong with others, by key."""
    values = {}
    faults = {}
    for question in questions:
        if question.key not in replies:
            if question.required:
                faults[question.key] = tr("Please answer, or choose “prefer not to say”")
            continue
        try:
            values[question.key] = reply_to(question, replies[question.key])
        except StudyReplyError as error:
            faults[question.key] = str(error)
    return values, faults
