"""What becomes of an item: submissions, verdicts that are told or only compared, and how trials and sessions end."""

from __future__ import annotations

import sqlite3

from spatial_workbench.engine.core import Answer, AnswerError
from spatial_workbench.engine.studies.planning.document import Feedback, ItemKind, ItemPhase
from spatial_workbench.engine.studies.sessions.itinerary import MAIN, Itinerary
from spatial_workbench.engine.studies.sessions.pages import Cover, StudyPage, StudyTold, Wanted
from spatial_workbench.engine.studies.sessions.recording import now
from spatial_workbench.engine.studies.sessions.schema import SessionRecord, SessionState, Submission, TrialState
from spatial_workbench.engine.studies.sessions.session_file import Changes
from spatial_workbench.engine.studies.sessions.trial_run import option_text


class Answering(Itinerary):
    """Submissions and ends; part of `spatial_workbench.engine.studies.sessions.sitting.Sitting`."""

    def _differs_from_empty(self) -> bool:
        run = self._running()
        if isinstance(run.answer, Answer):
            task, instance = self.subject()
            return bool(run.answer != task.empty(instance))
        return bool(run.text.strip())

    def _add_submission(self, submission: Submission) -> None:
        run = self._running()
        data = {"number": submission.number, "characters": len(submission.answer), "readable": submission.is_readable}
        self._event("submit", sha256=_sha256(submission.answer), **data)
        self._put(submissions=((run.record.position, submission),), trials={run.record.position: run.record})

    def _hand_in(self) -> None:
        self._release_held()
        run = self._running()
        submission = run.hand_in()
        self._add_submission(submission)
        if self._needs_verdict():
            self._ask_for_verdict()
        elif self.item.phase is ItemPhase.COMPREHENSION:
            self._settle_comprehension(self._is_as_expected(submission.answer))
        elif submission.number >= run.allowed:
            self._end_submitted()

    def _needs_verdict(self) -> bool:
        if self.item.kind is not ItemKind.INSTANCE:
            return False
        kind, when = self._feedback()
        told = kind not in (Feedback.NONE, Feedback.LIVE) and when == "submission"
        stops = self.study.limits.stop_on_pass and self.item.phase in MAIN and kind is not Feedback.NONE
        understood = self.item.phase is ItemPhase.COMPREHENSION and "score" in (self.item.expects or {})
        return stops or understood or told

    def _note_verdict(self, wanted: Wanted, score: float, passed: bool) -> None:
        kind, _ = self._feedback()
        if kind not in (Feedback.NONE, Feedback.LIVE):
            told = self.record.submissions[wanted.number - 1].model_copy(
                update={"told_score": score, "told_passed": passed}
            )
            others = [given for given in self.record.submissions if given.number != told.number]
            ordered = tuple(sorted([*others, told], key=lambda given: given.number))
            self._keep(self.record.model_copy(update={"submissions": ordered}))
            self._put(submissions=((self.position, told),))
            self._told[self.position] = StudyTold(self.position, wanted.number, kind.value, score, passed)
        self._compare(self.position, score)

    def _go_on_checked(self, wanted: Wanted, passed: bool) -> None:
        """Goes on after an answer was judged while the person waited."""
        run = self._run
        if run is None:
            self._advance(StudyPage.ITEM)
        elif self.item.phase is ItemPhase.COMPREHENSION:
            self._settle_comprehension(bool(self.record.as_expected))
        elif passed and self.study.limits.stop_on_pass and self.item.phase in MAIN:
            self._end_trial(TrialState.SOLVED)
        elif wanted.number >= run.allowed:
            self._end_submitted()
        else:
            self._go(StudyPage.ITEM)

    def _settle_comprehension(self, understood: bool) -> None:
        run = self._running()
        run.update(as_expected=understood)
        if not understood and len(run.record.submissions) < run.allowed:
            self._go(StudyPage.ITEM)
            return
        if understood:
            self._end_submitted()
            return
        self._become_ineligible(len(self.study.eligibility))

    def _end_submitted(self) -> None:
        self._end_trial(TrialState.SUBMITTED)

    def _time_out(self) -> None:
        run = self._running()
        self._event("deadline", cause="item" if run.limit_ms == run.record.limit_ms else "total")
        takes_draft = self.study.limits.at_timeout == "draft" and run.data is not None
        if takes_draft and run.is_new and len(run.record.submissions) < run.allowed:
            self._add_submission(run.hand_in())
        self._event("timeout")
        self._end_trial(TrialState.TIMED_OUT)

    def _end_trial(self, state: TrialState) -> None:
        """Ends the present trial and goes on with what follows."""
        self._close_run(state)
        self._since_break += self.item.phase in MAIN
        if self._must_be_compared():
            last = self.record.submissions[-1]
            self._wanted.append(Wanted(self.position, last.number, self.item.address, last.answer))
        self._commit()
        self._copy_file()
        if self._lacks_feedback():
            self._ask_for_verdict()
        else:
            self._advance(StudyPage.ITEM)

    def _close_run(self, state: TrialState) -> None:
        self._release_held()
        run = self._running()
        run.take_times()
        run.update(state=state)
        if state is not TrialState.BROKEN and self.item.kind is not ItemKind.INSTANCE and self.item.expects:
            last = run.record.submissions[-1].answer if run.record.submissions else ""
            run.update(as_expected=self._is_as_expected(last))
        self._put(begun={} if run.data is None else {self.position: run.data})
        self._records[self.position] = run.record
        self._put(trials={self.position: run.record})
        self._run = None
        self._covers -= {Cover.PAUSE, Cover.CRASH}

    def _lacks_feedback(self) -> bool:
        """Whether the person is to be told of an answer that was not judged when it was handed in."""
        kind, _ = self._feedback()
        given = self.record.submissions
        return kind not in (Feedback.NONE, Feedback.LIVE) and bool(given) and given[-1].told_score is None

    def _ask_for_verdict(self) -> None:
        last = self.record.submissions[-1]
        self._wanted.append(Wanted(self.position, last.number, self.item.address, last.answer))
        self._event("verify_begin")
        self._go(StudyPage.CHECKING)

    def _copy_file(self) -> None:
        try:
            self.file.keep_copy()
        except (OSError, sqlite3.Error) as error:
            self._be_in_trouble(str(error))

    def _must_be_compared(self) -> bool:
        is_attention = self.item.phase is ItemPhase.ATTENTION and self.item.kind is ItemKind.INSTANCE
        if not is_attention or not self.item.expects or self.record.as_expected is not None:
            return False
        if "answer" in self.item.expects:
            given = self.record.submissions[-1].answer if self.record.submissions else ""
            self._keep(self.record.model_copy(update={"as_expected": self._is_as_expected(given)}))
            return False
        if not self.record.submissions:
            self._keep(self.record.model_copy(update={"as_expected": False}))
            return False
        return True

    def _compare(self, position: int, score: float) -> None:
        record = self._record_of(position)
        expected = (self._items[record.item].expects or {}).get("score")
        if expected is not None:
            self._keep(record.model_copy(update={"as_expected": score >= float(expected) - 1e-9}))

    def _is_as_expected(self, answer: str) -> bool:
        expects = self.item.expects or {}
        if "value" in expects:
            return bool(answer == option_text(expects["value"]))
        if "answer" not in expects:
            return False
        task, _ = self.subject()
        try:
            return bool(task.parse(answer) == task.parse(expects["answer"]))
        except AnswerError:
            return False

    def _close_trials(self) -> None:
        """The present trial is left, and those to come are skipped."""
        if self._run is not None:
            self._close_run(TrialState.LEFT)
        for position in range(self.position + 1, len(self.slot.trials)):
            self._keep(self._record_of(position).model_copy(update={"state": TrialState.SKIPPED}))

    def _become_ineligible(self, rule: int) -> None:
        """Keeps no more than the number of the rule; the slot is free again."""
        head = self._bare(SessionState.INELIGIBLE)
        self._erase(StudyPage.INELIGIBLE, leaves_tombstone=False)
        self._head = head.model_copy(update={"ineligible_by": rule})

    def _erase(self, page: StudyPage, leaves_tombstone: bool = True) -> None:
        self._run, self._held, self._changes = None, None, Changes()
        self._records.clear()
        self._wanted.clear()
        self.file.erase(now(), leaves_tombstone)
        self._head = self._bare(SessionState.WITHDRAWN)
        self.page = page

    def _bare(self, state: SessionState) -> SessionRecord:
        head = self._head
        kept = {key: getattr(head, key) for key in ("id", "study", "code", "phase", "build", "bundle", "site")}
        return SessionRecord(**kept, state=state)


def _sha256(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode()).hexdigest()
