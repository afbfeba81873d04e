"""The way through a session: which page follows, and which item with which limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spatial_workbench.engine.core import AnswerError
from spatial_workbench.engine.studies.planning.document import Covariate, Feedback, ItemKind, ItemPhase, StudyItem
from spatial_workbench.engine.studies.sessions.pages import (
    AFTER_AN_ITEM,
    AT_THE_END,
    Cover,
    StudyPage,
    StudyTold,
    Wanted,
)
from spatial_workbench.engine.studies.sessions.recording import Recording, now
from spatial_workbench.engine.studies.sessions.replies import (
    asked_after,
    asked_before,
    asked_for_eligibility,
)
from spatial_workbench.engine.studies.sessions.schema import SessionState, TrialState
from spatial_workbench.engine.studies.sessions.trial_run import TrialRun, draft_of, has_begun

MAIN = (ItemPhase.MAIN, ItemPhase.ATTENTION)
AGENT_LIMIT_S, AGENT_STEPS = 1_800, 20
"""What agents have, for people who play as they do, unless the study says otherwise."""
BEFORE_MAIN = (ItemPhase.PRACTICE, ItemPhase.COMPREHENSION)


class Itinerary(Recording):
    """What follows what; part of `spatial_workbench.engine.studies.sessions.sitting.Sitting`."""

    def told_of_block(self) -> list[StudyTold]:
        """What is told of all items of a block, or of the study, where that is when feedback comes."""
        return [told for position, told in sorted(self._told.items()) if position in self._told_together()]

    def questions(self) -> list[Covariate]:
        """The questions about the person that the present page asks."""
        ask = {
            StudyPage.ELIGIBILITY: asked_for_eligibility,
            StudyPage.COVARIATES: asked_before,
            StudyPage.AFTER: asked_after,
        }
        return ask[self.page](self.study) if self.page in ask else []

    def item_questions(self) -> tuple[str, ...]:
        """What is asked about the item that has just ended: confidence, strategy, difficulty."""
        asked = self.study.questions
        confidence = asked.confidence and bool(self.record.submissions)
        wanted = {"confidence": confidence, "strategy": asked.strategy, "difficulty": asked.difficulty}
        return tuple(key for key, is_asked in wanted.items() if is_asked)

    def _begin(self) -> None:
        several = len(self.study.languages) > 1
        self._head = self._head.model_copy(update={"language": self.study.languages[0]})
        self._go(StudyPage.LANGUAGE if several else StudyPage.CONSENT)
        self._settle()

    def _take_up(self, place: Mapping[str, Any]) -> None:
        """Goes on after the window was closed, or the process or the computer ended without a word."""
        self._log.began_b = place.get("b", 0)
        self._told = {told["position"]: StudyTold(**told) for told in place.get("told", ())}
        self._wanted = [Wanted(**wanted) for wanted in place.get("wanted", ())]
        down_s = max(0, self._now.last.wall - place.get("wall", 0)) // 1000
        crashed = not place.get("is_closed", False)
        if self.page in (StudyPage.ITEM, StudyPage.CHECKING):
            self._resume_item(crashed)
        if crashed:
            self._event("crash", down_s=down_s, wall=now())
        self._event("resume", down_s=down_s, wall=now(), **self._environment)
        if self.page is StudyPage.LATER:
            self._sitting += 1
            self._since_break = 0
            self._sitting_began_active = self._active_ms
            self._go(self._next_of(AFTER_AN_ITEM, StudyPage.LATER) or StudyPage.READY)
        self._settle()

    def _resume_item(self, crashed: bool) -> None:
        if self.record.state.has_ended:
            return
        run = self._run = self._run_of(self.position)
        if not has_begun(run.record):
            return
        run.start(self._now.last, again=self.page is StudyPage.ITEM)
        self.cut_off_ms = max(0, self._now.last.wall - self.file.place.get("wall", 0))
        if crashed and self.page is StudyPage.ITEM:
            run.update(resumes=run.record.resumes + 1)
            self._covers.add(Cover.CRASH)

    def _go(self, page: StudyPage) -> None:
        self.page = page
        self._page_since = self._now.last.b
        self._event("page", page=page.value)
        self._is_due_to_commit = True

    def _first_due(self, *pages: StudyPage) -> StudyPage:
        asks = {StudyPage.ELIGIBILITY: asked_for_eligibility, StudyPage.COVARIATES: asked_before}
        return next(page for page in pages if page not in asks or asks[page](self.study))

    def _advance(self, after: StudyPage) -> None:
        """Goes to the next page that is due after an item."""
        page = self._next_of(AFTER_AN_ITEM, after)
        if page is not None:
            self._go(page)
            if page is StudyPage.BREAK:
                self._since_break = 0
                self._set(state=SessionState.BREAK)
        else:
            self._next_item()

    def _next_of(self, pages: tuple[StudyPage, ...], after: StudyPage | None) -> StudyPage | None:
        rest = pages[pages.index(after) + 1 :] if after in pages else pages
        return next((page for page in rest if self._is_due(page)), None)

    def _is_due(self, page: StudyPage) -> bool:
        more = self.position + 1 < len(self.slot.trials) and not self._total_is_over()
        ends_block = not more or self.slot.trials[self.position + 1].block != self.trial.block
        asked = self.study.questions
        match page:
            case StudyPage.FEEDBACK:
                return bool(self.told_of_block())
            case StudyPage.QUESTIONS:
                return self._is_asked_about() and bool(self.item_questions())
            case StudyPage.TLX:
                return ends_block and asked.tlx == "block" and self._has_main_items(self.trial.block)
            case StudyPage.LATER:
                return more and self._sitting_is_over()
            case StudyPage.BREAK:
                return more and self._break_is_due(ends_block)
            case StudyPage.READY:
                return more and self.study.limits.pauses.kind != "none"
            case StudyPage.AFTER:
                return bool(asked_after(self.study))
            case StudyPage.TLX_END:
                return asked.tlx == "end"
            case StudyPage.CLOSING:
                return bool(self._wanted)
        return page is StudyPage.END

    def _is_asked_about(self) -> bool:
        ended = (TrialState.SUBMITTED, TrialState.SOLVED, TrialState.GIVEN_UP, TrialState.TIMED_OUT)
        is_instance = self.item.kind is ItemKind.INSTANCE and self.item.phase in MAIN
        return is_instance and self.record.state in ended

    def _has_main_items(self, block: str) -> bool:
        return any(item.phase in MAIN for b in self.study.blocks if b.id == block for item in b.items)

    def _break_is_due(self, ends_block: bool) -> bool:
        limits = self.study.limits
        block = next(block for block in self.study.blocks if block.id == self.trial.block)
        after_items = limits.break_after is not None and self._since_break >= limits.break_after
        return after_items or (ends_block and block.break_after)

    def _sitting_is_over(self) -> bool:
        sitting_s = self.study.limits.sitting_s
        if sitting_s is None:
            return False
        over = self._active_ms - self._sitting_began_active >= 1000 * sitting_s * self._time_factor
        return over and self.sittings_left > 0

    def _sittings_are_used_up(self) -> bool:
        sitting_s = self.study.limits.sitting_s
        if sitting_s is None or self.sittings_left > 0:
            return False
        return self._active_ms - self._sitting_began_active >= 1000 * sitting_s * self._time_factor

    @property
    def sittings_left(self) -> int:
        """How many sittings follow the present one."""
        return self.study.limits.sittings - self._sitting

    @property
    def _time_factor(self) -> float:
        return self._head.accommodations.time_factor

    def _total_left_ms(self) -> int | None:
        total_s = self.study.limits.total_s
        if total_s is None:
            return None
        return max(0, round(1000 * total_s * self._time_factor) - self._active_where(lambda i: i.phase in MAIN))

    def _total_is_over(self) -> bool:
        return self._total_left_ms() == 0 or self._sittings_are_used_up()

    def _next_item(self) -> None:
        if self.position + 1 < len(self.slot.trials) and not self._total_is_over():
            self._start_item(self.position + 1)
            return
        for position in range(self.position + 1, len(self.slot.trials)):
            self._keep(self._record_of(position).model_copy(update={"state": TrialState.SKIPPED}))
        self._go_to_end()

    def _go_to_end(self, after: StudyPage | None = None) -> None:
        page = self._next_of(AT_THE_END, after)
        if page is StudyPage.END:
            self._finish()
        elif page is not None:
            self._go(page)

    def _finish(self) -> None:
        self._set(state=SessionState.FINISHED, ended_at=now())
        self._go(StudyPage.END)

    def _start_item(self, position: int) -> None:
        self.position = position
        is_main = self.item.phase in MAIN
        if is_main or self.state is not SessionState.RUNNING:
            self._set(state=SessionState.RUNNING if is_main else SessionState.PRACTISING)
        self._run = self._run_of(position)
        self._put(trials={position: self._run.record})
        self._go(StudyPage.ITEM)

    def _run_of(self, position: int) -> TrialRun:
        item = self._items[self.slot.trials[position].item]
        record = self._record_of(position).model_copy(update={"limit_ms": self._limit_ms(item)})
        left = self._total_left_ms() if item.phase in MAIN else None
        if left is not None:
            left += record.active_ms
        limits = [limit for limit in (record.limit_ms, left) if limit is not None]
        run = TrialRun(record, min(limits) if limits else None, self._allowed(item))
        if item.kind is ItemKind.INSTANCE:
            run.task, _ = self.subject()
        self._restore_draft(run, position)
        return run

    def _restore_draft(self, run: TrialRun, position: int) -> None:
        # Whatever reads the file waits for the disk; an item that nobody has worked on has no draft there.
        has_draft = has_begun(run.record) or run.record.edits > 0
        run.data = self.file.draft(position) if has_draft else None
        try:
            run.answer = draft_of(run.data, run.task, run.task is not None and self.is_typed)
        except AnswerError:
            run.data = None

    def _limit_ms(self, item: StudyItem) -> int | None:
        default = self.study.limits.item_s if item.phase in MAIN else None
        if default is None and item.phase in MAIN and self._plays_as_agent:
            default = AGENT_LIMIT_S
        seconds = item.limit_s if item.limit_s is not None else default
        return None if seconds is None else round(1000 * seconds * self._time_factor)

    @property
    def _plays_as_agent(self) -> bool:
        """Whether the person plays what an agent plays, with no more aids than it has."""
        is_instance = self.item.kind is ItemKind.INSTANCE
        return self.condition.answer == "text" and is_instance and not self.is_typed

    def _steps(self) -> int | None:
        """How many moves there are, after which the answer is handed in; None: as many as one likes."""
        return self.condition.steps or (AGENT_STEPS if self._plays_as_agent else None)

    def _allowed(self, item: StudyItem) -> int:
        if item.phase is ItemPhase.COMPREHENSION:
            return item.tries
        if item.kind is not ItemKind.INSTANCE:
            return 1
        default = self.study.limits.submissions if item.phase in MAIN else 1
        return item.submissions or default

    def _feedback(self) -> tuple[Feedback, str]:
        """What is told about the present item, and when."""
        if self.item.kind is not ItemKind.INSTANCE:
            return Feedback.NONE, "item"
        if self.item.phase in BEFORE_MAIN:
            return Feedback.FULL, "item"
        return self.condition.feedback, self.condition.feedback_after

    def _told_together(self) -> list[int]:
        """The positions of the items about which the person is told now."""
        _, when = self._feedback()
        more = self.position + 1 < len(self.slot.trials)
        ends_block = not more or self.slot.trials[self.position + 1].block != self.trial.block
        if when in ("submission", "item") or self.item.phase not in MAIN:
            return [self.position]
        mains = [k for k, t in enumerate(self.slot.trials) if self._items[t.item].phase in MAIN]
        if when == "block":
            return [k for k in mains if self.slot.trials[k].block == self.trial.block] if ends_block else []
        return mains if not more else []
