"""The way through a session: which page follows, and which item with which limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spatial_workbench.engine.core import AnswerError
from spatial_workbench.engine.studies.planning.document import (
    Covariate,
    Feedback,
    ItemKind,
    ItemPhase,
)
from spatial_workbench.engine.studies.sessions.limits import SittingLimits
from spatial_workbench.engine.studies.sessions.pages import (
    AFTER_AN_ITEM,
    AT_THE_END,
    Cover,
    StudyPage,
    StudyTold,
    Wanted,
)
from spatial_workbench.engine.studies.sessions.recording import Recording
from spatial_workbench.engine.studies.sessions.replies import (
    asked_after,
    asked_before,
    asked_for_eligibility,
)
from spatial_workbench.engine.studies.sessions.schema import SessionState, TrialState
from spatial_workbench.engine.studies.sessions.sitting_state import MAIN, SittingState, now
from spatial_workbench.engine.studies.sessions.trial_run import TrialRun, draft_of, has_begun

BEFORE_MAIN = (ItemPhase.PRACTICE, ItemPhase.COMPREHENSION)


class Itinerary:
    """What follows what."""

    def __init__(self, state: SittingState, recording: Recording, limits: SittingLimits) -> None:
        self._state = state
        self._recording = recording
        self._limits = limits

    def told_of_block(self) -> list[StudyTold]:
        """The feedback on all items of a block, or of the study, where it comes at their end."""
        return [
            told for position, told in sorted(self._state.told_by_position.items()) if position in self._told_together()
        ]

    def questions(self) -> list[Covariate]:
        """The questions about the person that the present page asks."""
        ask = {
            StudyPage.ELIGIBILITY: asked_for_eligibility,
            StudyPage.COVARIATES: asked_before,
            StudyPage.AFTER: asked_after,
        }
        return ask[self._state.page](self._state.study) if self._state.page in ask else []

    def item_questions(self) -> tuple[str, ...]:
        """What is asked about the item that has just ended: confidence, strategy, difficulty."""
        asked = self._state.study.questions
        confidence = asked.confidence and bool(self._state.record.submissions)
        wanted = {"confidence": confidence, "strategy": asked.strategy, "difficulty": asked.difficulty}
        return tuple(key for key, is_asked in wanted.items() if is_asked)

    def begin(self) -> None:
        """Shows the first page."""
        several = len(self._state.study.languages) > 1
        self._state.choose_language(self._state.study.languages[0])
        self.go(StudyPage.LANGUAGE if several else StudyPage.CONSENT)
        self._recording.settle()

    def take_up(self, place: Mapping[str, Any]) -> None:
        """Goes on after the window was closed, or the process or the computer ended without a word."""
        self._recording.event_log.began_b = place.get("b", 0)
        self._state.told_by_position = {told["position"]: StudyTold(**told) for told in place.get("told", ())}
        self._state.wanted_verdicts = [Wanted(**wanted) for wanted in place.get("wanted", ())]
        down_s = max(0, self._state.clock.last.wall - place.get("wall", 0)) // 1000
        crashed = not place.get("is_closed", False)
        if self._state.page in (StudyPage.ITEM, StudyPage.CHECKING):
            self._resume_item(crashed)
        if crashed:
            self._recording.event("crash", down_s=down_s, wall=now())
        self._recording.event("resume", down_s=down_s, wall=now(), **self._recording.environment)
        if self._state.page is StudyPage.LATER:
            self._state.number += 1
            self._state.since_break = 0
            self._state.sitting_began_active = self._state.active_ms
            self.go(self._next_of(AFTER_AN_ITEM, StudyPage.LATER) or StudyPage.READY)
        # That it goes on is stored before anything else is done: it may be cut off again at once.
        self._recording.is_due_to_commit = True
        self._recording.settle()

    def _resume_item(self, crashed: bool) -> None:
        if self._state.record.state.has_ended:
            return
        run = self._state.run = self._run_of(self._state.position)
        if not has_begun(run.record):
            return
        run.start(self._state.clock.last, again=self._state.page is StudyPage.ITEM)
        self._state.cut_off_ms = max(0, self._state.clock.last.wall - self._state.file.place.get("wall", 0))
        if crashed and self._state.page is StudyPage.ITEM:
            run.update(resumes=run.record.resumes + 1)
            self._state.covers.add(Cover.CRASH)

    def go(self, page: StudyPage) -> None:
        """Shows a page."""
        self._state.page = page
        self._state.page_since = self._state.clock.last.b
        self._recording.event("page", page=page.value)
        self._recording.is_due_to_commit = True

    def first_due(self, *pages: StudyPage) -> StudyPage:
        """The first of the pages that has something to ask."""
        asks = {StudyPage.ELIGIBILITY: asked_for_eligibility, StudyPage.COVARIATES: asked_before}
        return next(page for page in pages if page not in asks or asks[page](self._state.study))

    def advance(self, after: StudyPage) -> None:
        """Goes to the next page that is due after an item."""
        page = self._next_of(AFTER_AN_ITEM, after)
        if page is not None:
            self.go(page)
            if page is StudyPage.BREAK:
                self._state.since_break = 0
                self._recording.set_head(state=SessionState.BREAK)
        else:
            self.next_item()

    def _next_of(self, pages: tuple[StudyPage, ...], after: StudyPage | None) -> StudyPage | None:
        rest = pages[pages.index(after) + 1 :] if after in pages else pages
        return next((page for page in rest if self._is_due(page)), None)

    def _is_due(self, page: StudyPage) -> bool:
        more = self._state.position + 1 < len(self._state.slot.trials) and not self._limits.total_is_over()
        ends_block = not more or self._state.slot.trials[self._state.position + 1].block != self._state.trial.block
        asked = self._state.study.questions
        match page:
            case StudyPage.TIME_OVER:
                return self._state.record.state is TrialState.TIMED_OUT
            case StudyPage.FEEDBACK:
                return bool(self.told_of_block())
            case StudyPage.QUESTIONS:
                return self._is_asked_about() and bool(self.item_questions())
            case StudyPage.TLX:
                return ends_block and asked.tlx == "block" and self._has_main_items(self._state.trial.block)
            case StudyPage.LATER:
                return more and self._limits.sitting_is_over()
            case StudyPage.BREAK:
                return more and self._break_is_due(ends_block)
            case StudyPage.READY:
                return more and self._state.study.limits.pauses.kind != "none"
            case StudyPage.AFTER:
                return bool(asked_after(self._state.study))
            case StudyPage.TLX_END:
                return asked.tlx == "end"
            case StudyPage.CLOSING:
                return bool(self._state.wanted_verdicts)
        return page is StudyPage.END

    def _is_asked_about(self) -> bool:
        ended = (TrialState.SUBMITTED, TrialState.SOLVED, TrialState.GIVEN_UP, TrialState.TIMED_OUT)
        is_instance = self._state.item.kind is ItemKind.INSTANCE and self._state.item.phase in MAIN
        return is_instance and self._state.record.state in ended

    def _has_main_items(self, block: str) -> bool:
        return any(item.phase in MAIN for b in self._state.study.blocks if b.id == block for item in b.items)

    def _break_is_due(self, ends_block: bool) -> bool:
        limits = self._state.study.limits
        block = next(block for block in self._state.study.blocks if block.id == self._state.trial.block)
        after_items = limits.break_after is not None and self._state.since_break >= limits.break_after
        return after_items or (ends_block and block.break_after)

    def next_item(self) -> None:
        """Shows the next item, or what follows the last one."""
        if self._state.position + 1 < len(self._state.slot.trials) and not self._limits.total_is_over():
            self.start_item(self._state.position + 1)
            return
        for position in range(self._state.position + 1, len(self._state.slot.trials)):
            self._recording.keep(self._state.record_of(position).model_copy(update={"state": TrialState.SKIPPED}))
        self.go_to_end()

    def go_to_end(self, after: StudyPage | None = None) -> None:
        """Goes to the next page that is due after the last item."""
        page = self._next_of(AT_THE_END, after)
        if page is StudyPage.END:
            self.finish()
        elif page is not None:
            self.go(page)

    def finish(self) -> None:
        """Ends a session whose items have all been met."""
        self._recording.set_head(state=SessionState.FINISHED, ended_at=now())
        self.go(StudyPage.END)

    def start_item(self, position: int) -> None:
        """Shows an item."""
        self._state.position = position
        is_main = self._state.item.phase in MAIN
        if is_main or self._state.session_state is not SessionState.RUNNING:
            self._recording.set_head(state=SessionState.RUNNING if is_main else SessionState.PRACTISING)
        self._state.run = self._run_of(position)
        self._recording.add_changes(trials={position: self._state.run.record})
        self.go(StudyPage.ITEM)

    def _run_of(self, position: int) -> TrialRun:
        item = self._state.items[self._state.slot.trials[position].item]
        record = self._state.record_of(position).model_copy(update={"limit_ms": self._limits.limit_ms(item)})
        left = self._limits.total_left_ms() if item.phase in MAIN else None
        if left is not None:
            left += record.active_ms
        limits = [limit for limit in (record.limit_ms, left) if limit is not None]
        run = TrialRun(record, min(limits) if limits else None, self._limits.allowed(item))
        if item.kind is ItemKind.INSTANCE:
            run.task, _ = self._state.subject()
        self._restore_draft(run, position)
        return run

    def _restore_draft(self, run: TrialRun, position: int) -> None:
        # Whatever reads the file waits for the disk; an item that nobody has worked on has no draft there.
        has_draft = has_begun(run.record) or run.record.edits > 0
        if has_draft:
            run.begun, run.edits = self._state.file.draft_and_edits(position)
        try:
            run.data = run.history().draft
            run.answer = draft_of(run.data, run.task, run.task is not None and self._state.is_typed)
        except (AnswerError, ValueError):
            run.data = None

    def feedback(self) -> tuple[Feedback, str]:
        """What is told about the present item, and when."""
        if self._state.item.kind is not ItemKind.INSTANCE:
            return Feedback.NONE, "item"
        if self._state.item.phase in BEFORE_MAIN:
            return Feedback.FULL, "item"
        return self._state.condition.feedback, self._state.condition.feedback_after

    def _told_together(self) -> list[int]:
        """The positions of the items about which the person is told now."""
        _, when = self.feedback()
        more = self._state.position + 1 < len(self._state.slot.trials)
        ends_block = not more or self._state.slot.trials[self._state.position + 1].block != self._state.trial.block
        if when in ("submission", "item") or self._state.item.phase not in MAIN:
            return [self._state.position]
        mains = [k for k, t in enumerate(self._state.slot.trials) if self._state.items[t.item].phase in MAIN]
        if when == "block":
            return (
                [k for k in mains if self._state.slot.trials[k].block == self._state.trial.block] if ends_block else []
            )
        return mains if not more else []
