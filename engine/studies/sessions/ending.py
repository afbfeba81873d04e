"""How people and leaders leave a session before its end."""

from __future__ import annotations

from spatial_workbench.engine.studies.sessions.answering import Answering
from spatial_workbench.engine.studies.sessions.itinerary import Itinerary
from spatial_workbench.engine.studies.sessions.leaving import opens
from spatial_workbench.engine.studies.sessions.pages import BEFORE_CONSENT, Cover, StudyPage
from spatial_workbench.engine.studies.sessions.recording import Recording
from spatial_workbench.engine.studies.sessions.schema import SessionState
from spatial_workbench.engine.studies.sessions.sitting_state import SittingState, now


class Leaving:
    """How a session is left before its end."""

    def __init__(self, state: SittingState, recording: Recording, itinerary: Itinerary, answering: Answering) -> None:
        self._state = state
        self._recording = recording
        self._itinerary = itinerary
        self._answering = answering

    def stop(self, keeps: bool) -> None:
        """The person stops; what was done is kept, or deleted with the file."""
        with self._recording.acting():
            if self._state.page.is_last:
                return
            if self._state.page in BEFORE_CONSENT:
                self._answering.erase(StudyPage.STOPPED, leaves_tombstone=False)
            elif keeps:
                self._recording.event("stop")
                self._answering.close_trials()
                self._recording.set_head(state=SessionState.STOPPED, ended_at=now())
                self._itinerary.go(StudyPage.STOPPED)
            else:
                self._answering.erase(StudyPage.WITHDRAWN)

    def ask_to_leave(self) -> None:
        """Somebody wants to close the window: the content is covered until they gave the passphrase, or go back."""
        with self._recording.acting():
            self._state.covers.add(Cover.LEAVE)

    def go_back(self) -> None:
        """Nobody leaves after all."""
        with self._recording.acting():
            self._state.covers.discard(Cover.LEAVE)

    @property
    def leave_wait_ms(self) -> int:
        """How long one has to wait before the next try of the passphrase."""
        return self._state.tries.wait_ms(self._state.clock.last.b)

    def try_passphrase(self, passphrase: str) -> bool:
        """Whether it is the leader's passphrase; every try is logged, and every third wrong one makes one wait."""
        with self._recording.acting():
            self._recording.is_due_to_commit = True
            if self.leave_wait_ms:
                self._recording.event("leave_try", right=False, too_early=True)
                return False
            is_right = opens(self._state.study.leave, passphrase)
            self._state.tries = self._state.tries.after(is_right, self._state.clock.last.b)
            self._recording.event("leave_try", right=is_right)
            return is_right

    def end_by_leader(self) -> None:
        """The leader ends the session; what was done is kept."""
        with self._recording.acting():
            self._state.covers.discard(Cover.LEAVE)
            self._recording.event("leave")
            self._answering.close_trials()
            self._recording.set_head(state=SessionState.ENDED, ended_at=now())
            self._itinerary.go(StudyPage.ENDED)
