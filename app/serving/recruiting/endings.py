"""How taking part has ended for somebody, known without opening anything that is sealed."""

from __future__ import annotations

from spatial_workbench.app.serving.recruiting.places import RecruitedPerson
from spatial_workbench.app.serving.recruiting.recruited_study import RecruitedStudy
from spatial_workbench.app.serving.recruiting.recruiters_file import RecruitOutcome
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from spatial_workbench.engine.studies.sessions.schema import SessionState
from spatial_workbench.engine.studies.sessions.session_file import SessionFileError, read_session, tombstone

_BY_STATE = {
    SessionState.FINISHED: RecruitOutcome.COMPLETE,
    SessionState.STOPPED: RecruitOutcome.STOPPED,
    SessionState.ENDED: RecruitOutcome.TIMEOUT,
}
_BY_PAGE = {
    # Neither leaves a session: nothing of them is kept.
    StudyPage.INELIGIBLE: RecruitOutcome.INELIGIBLE,
    StudyPage.STOPPED: RecruitOutcome.DECLINED,
}


class Endings:
    """Notes how taking part ends for people, once it has."""

    def __init__(self, study: RecruitedStudy) -> None:
        self._study = study

    def settle(self, person: RecruitedPerson) -> RecruitOutcome | None:
        """How it has ended for somebody; None while it goes on. It is noted the first time."""
        if person.outcome is not None:
            return person.outcome
        outcome = self._outcome_now(person.code)
        if outcome is not None:
            self._study.places.end(person.id, outcome)
            if tombstone(self._study.served.folder_of(person.code), person.code):
                self._study.forget(person)
        return outcome

    def _outcome_now(self, code: str) -> RecruitOutcome | None:
        served = self._study.served
        if tombstone(served.folder_of(code), code):
            return RecruitOutcome.STOPPED
        try:
            return _BY_STATE.get(read_session(served.session_of(code)).state)
        except SessionFileError:
            host = self._study.seats.host_of(code)
            return None if host is None or not host.is_over else _BY_PAGE.get(StudyPage(host.page))
