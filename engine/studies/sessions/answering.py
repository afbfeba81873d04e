"""What becomes of an item: submissions, verdicts that are told or only compared, and how trials and sessions end."""

from __future__ import annotations

import sqlite3

from spatial_workbench.engine.core import Answer, AnswerError
from spatial_workbench.engine.studies.planning.document import (
    Feedback,
    ItemKind,
    ItemPhase,
)
from spatial_workbench.engine.studies.sessions.itinerary import Itinerary
from spatial_workbench.engine.studies.sessions.pages import (
    Cover,
    StudyPage,
    StudyTold,
    Wanted,
)
from spatial_workbench.engine.studies.sessions.recording import HeldEdit, Recording
from spatial_workbench.engine.studies.sessions.schema import SessionRecord, SessionState, Submission, TrialState
from spatial_workbench.engine.studies.sessions.session_file import Changes
from spatial_workbench.engine.studies.sessions.sitting_state import MAIN, SittingState, now
from spatial_workbench.engine.studies.sessions.trial_run import option_text


class Answering:
    """What becomes of submissions, and how trials end."""

    def __init__(self, state: SittingState, recording: Recording, itinerary: Itinerary) -> None:
        self._state = state
        self._recording = recording
        self._itinerary = itinerary

    def add_submission(self, submission: Submission) -> None:
        """Stores a submission."""
        run = self._state.running()
        data = {"number": submission.number, "characters": len(submission.answer), "readable": submission.is_readable}
        self._recording.event("submit", sha256=_sha256(submission.answer), **data)
        self._recording.add_changes(
            submissions=((run.record.position, submission),), trials={run.record.position: run.record}
        )

    def take_typed(self) -> None:
        """Makes what was typed as text, and not applied, the draft, where it can be read."""
        self._recording.release_held()
        run = self._state.running()
        before = run.data
        if run.take_unapplied():
            self._recording.held = HeldEdit("Type answer", before, 1)
            self._recording.release_held()

    def hand_in(self) -> None:
        """Hands in the draft, and goes on as the study says."""
        self.take_typed()
        run = self._state.running()
        submission = run.hand_in()
        self.add_submission(submission)
        if self._needs_verdict():
            self._ask_for_verdict()
        elif self._state.item.phase is ItemPhase.COMPREHENSION:
            self._settle_comprehension(self._is_as_expected(submission.answer))
        elif submission.number >= run.allowed:
            self.end_submitted()

    def _needs_verdict(self) -> bool:
        if self._state.item.kind is not ItemKind.INSTANCE:
            return False
        kind, when = self._itinerary.feedback()
        told = kind not in (Feedback.NONE, Feedback.LIVE) and when == "submission"
        stops = self._state.study.limits.stop_on_pass and self._state.item.phase in MAIN and kind is not Feedback.NONE
        understood = self._state.item.phase is ItemPhase.COMPREHENSION and "score" in (self._state.item.expects or {})
        return stops or understood or told

    def note_verdict(self, wanted: Wanted, score: float, passed: bool) -> None:
        """Keeps what the person is told of an answer."""
        kind, _ = self._itinerary.feedback()
        if kind not in (Feedback.NONE, Feedback.LIVE):
            told = self._state.record.submissions[wanted.number - 1].model_copy(
                update={"told_score": score, "told_passed": passed}
            )
            others = [given for given in self._state.record.submissions if given.number != told.number]
            ordered = tuple(sorted([*others, told], key=lambda given: given.number))
            self._recording.keep(self._state.record.model_copy(update={"submissions": ordered}))
            self._recording.add_changes(submissions=((self._state.position, told),))
            self._state.told_by_position[self._state.position] = StudyTold(
                self._state.position, wanted.number, kind.value, score, passed
            )
        self.compare(self._state.position, score)

    def go_on_checked(self, wanted: Wanted, passed: bool) -> None:
        """Goes on after an answer was judged while the person waited."""
        run = self._state.run
        if run is None:
            self._itinerary.advance(StudyPage.ITEM)
        elif self._state.item.phase is ItemPhase.COMPREHENSION:
            self._settle_comprehension(bool(self._state.record.as_expected))
        elif passed and self._state.study.limits.stop_on_pass and self._state.item.phase in MAIN:
            self.end_trial(TrialState.SOLVED)
        elif wanted.number >= run.allowed:
            self.end_submitted()
        else:
            self._itinerary.go(StudyPage.ITEM)

    def _settle_comprehension(self, understood: bool) -> None:
        run = self._state.running()
        run.update(as_expected=understood)
        if not understood and len(run.record.submissions) < run.allowed:
            self._itinerary.go(StudyPage.ITEM)
            return
        if understood:
            self.end_submitted()
            return
        self.become_ineligible(len(self._state.study.eligibility))

    def end_submitted(self) -> None:
        """Ends the present trial, whose answer was handed in."""
        self.end_trial(TrialState.SUBMITTED)

    def time_out(self) -> None:
        """Ends the present trial, whose limit is over; the draft is handed in if the study says so."""
        run = self._state.running()
        self._recording.event("deadline", cause="item" if run.limit_ms == run.record.limit_ms else "total")
        self.take_typed()
        takes_draft = self._state.study.limits.at_timeout == "draft" and run.data is not None
        if takes_draft and run.is_new and len(run.record.submissions) < run.allowed:
            self.add_submission(run.hand_in())
        self._recording.event("timeout")
        self.end_trial(TrialState.TIMED_OUT)

    def end_trial(self, state: TrialState) -> None:
        """Ends the present trial and goes on with what follows."""
        self._close_run(state)
        self._state.since_break += self._state.item.phase in MAIN
        if self._must_be_compared():
            last = self._state.record.submissions[-1]
            self._state.wanted_verdicts.append(
                Wanted(self._state.position, last.number, self._state.item.address, last.answer)
            )
        self._recording.commit()
        self._copy_file()
        if self._lacks_feedback():
            self._ask_for_verdict()
        else:
            self._itinerary.advance(StudyPage.ITEM)

    def _close_run(self, state: TrialState) -> None:
        self._recording.release_held()
        run = self._state.running()
        run.take_times()
        run.update(state=state)
        if (
            state is not TrialState.BROKEN
            and self._state.item.kind is not ItemKind.INSTANCE
            and self._state.item.expects
        ):
            last = run.record.submissions[-1].answer if run.record.submissions else ""
            run.update(as_expected=self._is_as_expected(last))
        self._recording.add_changes(begun={} if run.data is None else {self._state.position: run.data})
        self._state.records[self._state.position] = run.record
        self._recording.add_changes(trials={self._state.position: run.record})
        self._state.run = None
        self._state.covers -= {Cover.PAUSE, Cover.CRASH}

    def _lacks_feedback(self) -> bool:
        """Whether the person is to be told of an answer that was not judged when it was handed in."""
        kind, _ = self._itinerary.feedback()
        given = self._state.record.submissions
        return kind not in (Feedback.NONE, Feedback.LIVE) and bool(given) and given[-1].told_score is None

    def _ask_for_verdict(self) -> None:
        last = self._state.record.submissions[-1]
        self._state.wanted_verdicts.append(
            Wanted(self._state.position, last.number, self._state.item.address, last.answer)
        )
        self._recording.event("verify_begin")
        self._itinerary.go(StudyPage.CHECKING)

    def _copy_file(self) -> None:
        try:
            self._state.file.keep_copy()
        except (OSError, sqlite3.Error) as error:
            self._recording.be_in_trouble(str(error))

    def _must_be_compared(self) -> bool:
        is_attention = self._state.item.phase is ItemPhase.ATTENTION and self._state.item.kind is ItemKind.INSTANCE
        if not is_attention or not self._state.item.expects or self._state.record.as_expected is not None:
            return False
        if "answer" in self._state.item.expects:
            given = self._state.record.submissions[-1].answer if self._state.record.submissions else ""
            self._recording.keep(self._state.record.model_copy(update={"as_expected": self._is_as_expected(given)}))
            return False
        if not self._state.record.submissions:
            self._recording.keep(self._state.record.model_copy(update={"as_expected": False}))
            return False
        return True

    def compare(self, position: int, score: float) -> None:
        """Notes whether an answer is the expected one, by its score."""
        record = self._state.record_of(position)
        expected = (self._state.items[record.item].expects or {}).get("score")
        if expected is not None:
            self._recording.keep(record.model_copy(update={"as_expected": score >= float(expected) - 1e-9}))

    def _is_as_expected(self, answer: str) -> bool:
        expects = self._state.item.expects or {}
        if "value" in expects:
            return bool(answer == option_text(expects["value"]))
        if "answer" not in expects:
            return False
        task, _ = self._state.subject()
        try:
            return bool(task.parse(answer) == task.parse(expects["answer"]))
        except AnswerError:
            return False

    def close_trials(self) -> None:
        """The present trial is left, and those to come are skipped."""
        if self._state.run is not None:
            self._close_run(TrialState.LEFT)
        for position in range(self._state.position + 1, len(self._state.slot.trials)):
            self._recording.keep(self._state.record_of(position).model_copy(update={"state": TrialState.SKIPPED}))

    def become_ineligible(self, rule: int) -> None:
        """Keeps no more than the number of the rule; the slot is free again."""
        head = self._bare(SessionState.INELIGIBLE)
        self.erase(StudyPage.INELIGIBLE, leaves_tombstone=False)
        self._state.head = head.model_copy(update={"ineligible_by": rule})

    def erase(self, page: StudyPage, leaves_tombstone: bool = True) -> None:
        """Deletes everything that was stored of the person."""
        self._state.run = None
        self._recording.held = None
        self._recording.changes = Changes()
        self._state.records.clear()
        self._state.wanted_verdicts.clear()
        self._state.file.erase(now(), leaves_tombstone)
        self._state.head = self._bare(SessionState.WITHDRAWN)
        self._state.page = page

    def _bare(self, state: SessionState) -> SessionRecord:
        head = self._state.head
        names = ("id", "study", "code", "phase", "build", "bundle", "site", "setting")
        kept = {name: getattr(head, name) for name in names}
        return SessionRecord(**kept, state=state)

    def differs_from_empty(self) -> bool:
        """Whether the draft is more than what the person started with."""
        run = self._state.running()
        if isinstance(run.answer, Answer):
            task, instance = self._state.subject()
            return bool(run.answer != task.empty(instance))
        return bool(run.text.strip())


def _sha256(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode()).hexdigest()
