"""A participant's session without any widget: what is shown, what may be done now, and what is stored of it.

A window (or a rehearsal) calls `tick` every quarter of a second and a method for everything that the person does; it
shows `page`, and covers it if there is a `cover`. Time comes from readings of the clocks, so that tests set them.
Rules: docs/studies.md, "Taking part".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core import Answer, AnswerError
from spatial_workbench.engine.core.clocks.system_clocks import ReadClocks, read_clocks
from spatial_workbench.engine.studies.files.bundles import Bundle
from spatial_workbench.engine.studies.files.canonical import digest
from spatial_workbench.engine.studies.files.results_file import file_name, write_results
from spatial_workbench.engine.studies.planning.document import Covariate, ItemKind, StudyItem
from spatial_workbench.engine.studies.planning.slots import Slot
from spatial_workbench.engine.studies.sessions.answering import Answering
from spatial_workbench.engine.studies.sessions.itinerary import MAIN
from spatial_workbench.engine.studies.sessions.leaving import opens
from spatial_workbench.engine.studies.sessions.pages import BEFORE_CONSENT, Cover, StudyPage, StudyTold, Wanted
from spatial_workbench.engine.studies.sessions.recording import HeldEdit, now
from spatial_workbench.engine.studies.sessions.replies import (
    TLX_SCALES,
    TLX_STEP,
    StudyReplyError,
    cleaned,
    first_unmet,
    reply_to,
)
from spatial_workbench.engine.studies.sessions.schema import SessionState, TrialState
from spatial_workbench.engine.studies.sessions.session_file import SCRATCH, SessionFile
from spatial_workbench.engine.studies.sessions.trial_run import draft_data, option_text

MOST_SCRATCH_CHARS = 100_000
LEFT_AFTER_MS = 3_000
"""How long somebody may be away where leaving the window ends the trial."""


class Sitting(Answering):
    """A session that somebody works on.

    Attributes:
        page: What is shown.
        position: The place of the present item among the trials of the slot.
        cut_off_ms: How long the last gap or crash was, as far as that is known.
        note: What the person is told once, such as what was lost when a file was damaged.
        changed: Called when the page or its cover changed.
        warned: Called with the milliseconds left, when the end of a limit comes near.
    """

    def __init__(
        self,
        bundle: Bundle,
        slot: Slot,
        file: SessionFile,
        clocks: ReadClocks = read_clocks,
        environment: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(bundle, slot, file, clocks, environment)
        place = file.place
        if place:
            self._take_up(place)
        else:
            self._begin()

    # What is shown ---------------------------------------------------------------------------------------------------

    def draft(self) -> Answer | str | None:
        """The draft of the present item: what was stored last, or None if nothing was done."""
        run = self._running()
        return run.answer

    @property
    def remaining_ms(self) -> int | None:
        """What is left of the limit of the present item, or of the whole study if that is less."""
        return None if self._run is None else self._run.remaining_ms

    @property
    def ms_until_submit(self) -> int:
        """How long one cannot submit yet."""
        if self._run is None or self.item.phase not in MAIN:
            return 0
        return max(0, round(1000 * self.study.limits.min_s) - self._run.times.active)

    @property
    def submissions_left(self) -> int:
        """How many answers can still be handed in."""
        return 0 if self._run is None else self._run.allowed - len(self._run.record.submissions)

    @property
    def accepts_work(self) -> bool:
        """Whether the person may change and hand in the answer."""
        is_shown = self._run is not None and self._run.clock is not None
        return self.page is StudyPage.ITEM and self.cover in (None, Cover.AWAY) and is_shown

    @property
    def can_submit(self) -> bool:
        """Whether an answer can be handed in now."""
        lacks_choice = self._run is not None and self.item.kind is ItemKind.QUESTION and not self._run.answer
        return self.accepts_work and not lacks_choice and not self.ms_until_submit and self.submissions_left > 0

    @property
    def can_finish(self) -> bool:
        """Whether the person can go on to the next item, having handed in an answer."""
        return self.accepts_work and bool(self.record.submissions)

    @property
    def can_pause(self) -> bool:
        """Whether the person can stop the clock during an item."""
        pauses = self.study.limits.pauses
        used_up = pauses.count is not None and self._pauses >= pauses.count
        used_up |= pauses.total_s is not None and self._paused_ms >= 1000 * pauses.total_s
        return pauses.kind == "any" and self.accepts_work and not used_up

    @property
    def told(self) -> StudyTold | None:
        """What the person was told of the present item's last answer."""
        return self._told.get(self.position)

    @property
    def wanted(self) -> tuple[Wanted, ...]:
        """The verdicts that are needed: the window works them out and calls `take_verdict`."""
        return tuple(self._wanted)

    @property
    def count(self) -> tuple[int, int]:
        """The number of the present item and how many there are, practice apart."""
        kind = self.item.phase in MAIN
        places = [k for k, t in enumerate(self.slot.trials) if (self._items[t.item].phase in MAIN) == kind]
        return places.index(self.position) + 1, len(places)

    @property
    def next_item(self) -> StudyItem | None:
        """The item that is shown next."""
        if self.position + 1 >= len(self.slot.trials):
            return None
        return self._items[self.slot.trials[self.position + 1].item]

    @property
    def break_left_ms(self) -> tuple[int, int | None]:
        """How long the break lasts at least, and at most, from now on."""
        limits, spent = self.study.limits, self._now.last.b - self._page_since
        longest = None if limits.break_max_s is None else max(0, round(1000 * limits.break_max_s) - spent)
        return max(0, round(1000 * limits.break_min_s) - spent), longest

    # The clock -------------------------------------------------------------------------------------------------------

    def tick(self) -> None:
        """Reads the clocks; to be called every quarter of a second."""
        with self._acting(acted=False):
            if self._run is None or self.page is not StudyPage.ITEM:
                return
            if self._run.is_past_limit(at_limit=True):
                self._time_out()
            elif (left := self._run.warning()) is not None:
                self._event("warning")
                self.warned(left)
            if Cover.PAUSE in self._covers and self._pause_is_used_up():
                self._end_pause()
            if self._ends_when_away():
                self._end_trial(TrialState.LEFT)

    def acted(self) -> None:
        """The person pressed a key or a button, turned the wheel, or moved the pointer."""
        with self._acting():
            run = self._run
            if run is not None and run.clock is not None and run.record.first_input_ms is None:
                run.update(first_input_ms=run.times.active)
                self._event("first_input")

    def go_on(self) -> None:
        """Uncovers the content after a gap, a crash or a pause."""
        with self._acting():
            if Cover.TROUBLE in self._covers or Cover.LEAVE in self._covers:
                return
            if Cover.PAUSE in self._covers:
                self._end_pause()
            self._covers.discard(Cover.CRASH)
            if self._run is not None and self._run.must_go_on:
                self._run.cover(False)
                self._event("uncover")

    def set_away(self, is_away: bool) -> None:
        """The window is not the active one any more, or is again."""
        with self._acting(acted=False):
            if is_away == self._is_away:
                return
            self._is_away = is_away
            if is_away:
                self._away_since = self._now.last.b
                self._event("blur")
                if self._run is not None:
                    self._run.update(away_count=self._run.record.away_count + 1)
            else:
                self._event("focus", ms=self._now.last.b - self._away_since)

    def pause(self) -> None:
        """Stops the clock during an item; the content is covered."""
        with self._acting():
            if self.can_pause:
                self._pauses += 1
                self._page_since = self._now.last.b
                self._covers.add(Cover.PAUSE)
                self._event("pause")

    # Before the items ------------------------------------------------------------------------------------------------

    def choose_language(self, language: str) -> None:
        """Chooses the language of the study's texts."""
        with self._acting():
            if self.page is StudyPage.LANGUAGE and language in self.study.languages:
                self._head = self._head.model_copy(update={"language": language})
                self._go(StudyPage.CONSENT)

    def consent(self, boxes: Mapping[str, bool]) -> bool:
        """The person agrees; False if a required box is not ticked. Only now anything of them is stored."""
        with self._acting():
            required = [box.key for box in self.study.consent.boxes if box.required]
            if self.page is not StudyPage.CONSENT or not all(boxes.get(key) for key in required):
                return False
            self._set(
                state=SessionState.CONSENTED,
                consent=digest(self.study.data["consent"]),
                boxes={box.key: bool(boxes.get(box.key)) for box in self.study.consent.boxes},
            )
            self._event("session", wall=now(), build=self._head.build, **self._environment)
            self._event("consent", boxes=dict(self._head.boxes), language=self.language)
            self._go(self._first_due(StudyPage.ELIGIBILITY, StudyPage.COVARIATES, StudyPage.INSTRUCTIONS))
            return True

    def reply(self, replies: Mapping[str, Any]) -> dict[str, str]:
        """Answers the questions of the page; returns what is wrong with single answers, by key. None: prefers not to
        say."""
        with self._acting():
            values, faults = _checked(self.questions(), replies)
            if faults:
                return faults
            if (
                self.page is StudyPage.ELIGIBILITY
                and (unmet := first_unmet(self.study.eligibility, values)) is not None
            ):
                self._become_ineligible(unmet)
                return {}
            self._set(covariates={**self._head.covariates, **values})
            for key in values:
                self._event("answer", key=key)
            if self.page is StudyPage.AFTER:
                self._go_to_end(after=StudyPage.AFTER)
            elif self.page is StudyPage.ELIGIBILITY:
                self._go(self._first_due(StudyPage.COVARIATES, StudyPage.INSTRUCTIONS))
            elif self.page is StudyPage.COVARIATES:
                self._go(StudyPage.INSTRUCTIONS)
            return {}

    @property
    def unmet_reason(self) -> str:
        """Why somebody cannot take part."""
        number = self._head.ineligible_by
        rules = self.study.eligibility
        return self.words(rules[number].reason) if number is not None and number < len(rules) else ""

    # Items -----------------------------------------------------------------------------------------------------------

    def go_ahead(self) -> None:
        """Goes on from a page that only has a button: instructions, feedback, break, and between items."""
        with self._acting():
            if self.page is StudyPage.INSTRUCTIONS:
                self._next_item()
            elif self.page is StudyPage.FEEDBACK:
                self._advance(StudyPage.FEEDBACK)
            elif self.page is StudyPage.BREAK and not self.break_left_ms[0]:
                self._event("break", ms=self._now.last.b - self._page_since)
                self._set(state=SessionState.RUNNING)
                self._next_item()
            elif self.page is StudyPage.READY:
                self._next_item()

    def item_shown(self) -> None:
        """The item is on the screen: its clock starts."""
        with self._acting(acted=False):
            run = self._run
            if run is None or self.page is not StudyPage.ITEM or run.clock is not None:
                return
            run.start(self._now.last, again=False)
            run.update(state=TrialState.SHOWN)
            if not self._head.first_shown_at:
                self._set(first_shown_at=now())
            self._event("item_shown", item=self.item.id)
            self._is_due_to_commit = True

    def begin_draft(self, answer: Answer | str) -> None:
        """The empty answer that the person starts with."""
        with self._acting(acted=False):
            run = self._running()
            if run.data is None:
                run.answer, run.data = answer, draft_data(answer)
                self._put(begun={self.position: run.data})

    def edit(self, label: str, answer: Answer | str, stores_now: bool = True) -> bool:
        """Takes an edit of the draft; False if it came too late, or the content is covered.

        With `stores_now` off, it is stored with the next call of `store`, and in one piece with edits of the same label
        until then: somebody who drags makes an edit with every movement.
        """
        with self._acting():
            run = self._run
            if run is None or not self.accepts_work:
                return False
            if self._held is not None and self._held.label != label:
                self._release_held()
            held = self._held or HeldEdit(label, run.data, 0)
            self._held = replace(held, count=held.count + 1)
            run.answer = answer
            if run.record.first_edit_ms is None:
                run.update(first_edit_ms=run.times.active)
            self._is_due_to_commit |= stores_now
            if (steps := self._steps()) is not None and len(getattr(answer, "moves", ())) >= steps:
                self._release_held()
                self._add_submission(run.hand_in())
                self._end_submitted()
            return True

    def store(self) -> None:
        """Stores the edits that wait for it."""
        with self._acting(acted=False):
            self._is_due_to_commit |= self._held is not None

    def sketch(self, page: str, layer: str) -> bool:
        """Takes a drawing (JSON) over a page of the present item; False if it came too late."""
        return self._note(page, layer, {"sketches": {**self.record.sketches, page: layer}})

    def scratch(self, text: str) -> bool:
        """Takes the text of the scratch pad, which nobody marks; False if it came too late."""
        text = text[:MOST_SCRATCH_CHARS]
        return self._note(SCRATCH, text, {"scratch": text})

    def _note(self, page: str, data: str, values: Mapping[str, Any]) -> bool:
        with self._acting(acted=False):
            if self._run is None or not self.accepts_work:
                return False
            self._run.update(**values)
            self._put(notes={(self.position, page): data})
            self._event("sketch" if page else "scratch", characters=len(data), **({"page": page} if page else {}))
            self._is_due_to_commit = True
            return True

    def choose(self, option: Any) -> bool:
        """Chooses an option of an item that is a question."""
        return self.edit("Choose", option_text(option))

    def format_fault(self) -> AnswerError | None:
        """Why the typed answer cannot be read; None if it can."""
        return None if self._run is None else self._run.format_fault()

    def refusal(self) -> str:
        """Why the answer cannot be handed in at all; empty if it can."""
        too_long = self._run is not None and self._run.is_too_long
        return "The answer is too long to be handed in." if too_long else ""

    def submit(self) -> bool:
        """Hands in the draft; False if that is not possible now."""
        with self._acting():
            if not self.can_submit or self.refusal():
                return False
            self._hand_in()
            return True

    def finish(self) -> None:
        """Goes on to the next item without using up all submissions."""
        with self._acting():
            if self.can_finish:
                self._end_submitted()

    def give_up(self) -> None:
        """Gives up the item; the draft is handed in if anything was done."""
        with self._acting():
            run = self._run
            if run is None or not self.accepts_work:
                return
            self._event("give_up")
            if run.data is not None and run.is_new and self._differs_from_empty():
                self._add_submission(run.hand_in(given_up=True))
            self._end_trial(TrialState.GIVEN_UP)

    def break_item(self, reason: str) -> None:
        """The editor or the data of the item failed; the next item follows."""
        with self._acting(acted=False):
            if self._run is not None:
                self._event("page", page="broken", reason=reason[:200])
                self._end_trial(TrialState.BROKEN)

    def show_anew(self) -> None:
        """Lets the item that failed last be shown again; the leader decides."""
        with self._acting():
            if self.page in (StudyPage.READY, StudyPage.BREAK) and self.record.state is TrialState.BROKEN:
                self._keep(self.record.model_copy(update={"state": TrialState.WAITING}))
                self._event("page", page="shown anew")
                self._start_item(self.position)

    def take_verdict(self, wanted: Wanted, score: float | None, passed: bool) -> None:
        """Takes a verdict that was wanted; a score of None says that it could not be worked out."""
        with self._acting(acted=False):
            if wanted not in self._wanted:
                return
            self._wanted.remove(wanted)
            if self.page is StudyPage.CHECKING and wanted.position == self.position:
                self._event("verify_end", told=score is not None)
                if score is not None:
                    self._note_verdict(wanted, score, passed)
                self._go_on_checked(wanted, passed and score is not None)
            elif score is not None:
                self._compare(wanted.position, score)
            if self.page is StudyPage.CLOSING and not self._wanted:
                self._finish()

    def answer_item(self, replies: Mapping[str, Any]) -> dict[str, str]:
        """Answers the questions about the item that has just ended; returns what is wrong with them, by key."""
        with self._acting():
            values, faults = _item_replies(self.item_questions(), replies)
            if faults or self.page is not StudyPage.QUESTIONS:
                return faults
            for key in values:
                self._event("answer", key=key)
            self._keep(self.record.model_copy(update={"responses": values}))
            self._advance(StudyPage.QUESTIONS)
            return {}

    def rate_load(self, ratings: Mapping[str, int]) -> bool:
        """The six ratings of NASA's task load index, 0 to 100 in steps of 5; False if one is missing."""
        with self._acting():
            if not all(ratings.get(scale) in range(0, 101, TLX_STEP) for scale in TLX_SCALES):
                return False
            block = self.trial.block if self.page is StudyPage.TLX else "end"
            values = {f"tlx.{block}.{scale}": ratings[scale] for scale in TLX_SCALES}
            self._set(responses={**self._head.responses, **values})
            for key in values:
                self._event("answer", key=key)
            if self.page is StudyPage.TLX:
                self._advance(StudyPage.TLX)
            else:
                self._go_to_end(after=StudyPage.TLX_END)
            return True

    def log(self, kind: str, **data: Any) -> None:
        """Logs something that changes nothing: help, a view, a tool, a copy, a paste, full screen, the screen."""
        self._event(kind, **data)

    # Leaving ---------------------------------------------------------------------------------------------------------

    def stop(self, keeps: bool) -> None:
        """The person stops; what was done is kept, or deleted with the file."""
        with self._acting():
            if self.page.is_last:
                return
            if self.page in BEFORE_CONSENT:
                self._erase(StudyPage.STOPPED, leaves_tombstone=False)
            elif keeps:
                self._event("stop")
                self._close_trials()
                self._set(state=SessionState.STOPPED, ended_at=now())
                self._go(StudyPage.STOPPED)
            else:
                self._erase(StudyPage.WITHDRAWN)

    def ask_to_leave(self) -> None:
        """Somebody wants to close the window: the content is covered until they gave the passphrase, or go back."""
        with self._acting():
            self._covers.add(Cover.LEAVE)

    def go_back(self) -> None:
        """Nobody leaves after all."""
        with self._acting():
            self._covers.discard(Cover.LEAVE)

    @property
    def leave_wait_ms(self) -> int:
        """How long one has to wait before the next try of the passphrase."""
        return self._tries.wait_ms(self._now.last.b)

    def try_passphrase(self, passphrase: str) -> bool:
        """Whether it is the leader's passphrase; every try is logged, and every third wrong one makes one wait."""
        with self._acting():
            self._is_due_to_commit = True
            if self.leave_wait_ms:
                self._event("leave_try", right=False, too_early=True)
                return False
            is_right = opens(self.study.leave, passphrase)
            self._tries = self._tries.after(is_right, self._now.last.b)
            self._event("leave_try", right=is_right)
            return is_right

    def end_by_leader(self) -> None:
        """The leader ends the session; what was done is kept."""
        with self._acting():
            self._covers.discard(Cover.LEAVE)
            self._event("leave")
            self._close_trials()
            self._set(state=SessionState.ENDED, ended_at=now())
            self._go(StudyPage.ENDED)

    def close(self) -> None:
        """Stores everything and gives the file back; the session goes on where it was when it is opened again."""
        if self.page in (StudyPage.WITHDRAWN, StudyPage.INELIGIBLE) or (
            self.page is StudyPage.STOPPED and not self._head.consent
        ):
            return
        self._read(acted=False)
        if self.page is StudyPage.LATER:
            self._event("sitting_end")
        self._is_closed = True
        self._commit()
        self.file.close()

    def write_results(self, folder: Path) -> tuple[Path, str]:
        """Writes the results file; returns its path and its SHA-256.

        Raises:
            OSError: It cannot be written.
        """
        if self._is_erased:
            record, chunks = self._head, tuple[bytes, ...]()
        else:
            self._commit()
            record, chunks = self.file.record(), self.file.chunks()
            if self.file.events_stopped:
                record = record.model_copy(update={"file_faults": ("log full",)})
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / file_name(record)
        return path, write_results(path, record, chunks, self.bundle.key)

    def _pause_is_used_up(self) -> bool:
        total_s = self.study.limits.pauses.total_s
        return total_s is not None and self._paused_ms >= 1000 * total_s

    def _end_pause(self) -> None:
        self._covers.discard(Cover.PAUSE)
        self._event("uncover")

    def _ends_when_away(self) -> bool:
        ends = self.study.on_leave == "end" and self._is_away and self.page is StudyPage.ITEM
        return ends and self._now.last.b - self._away_since >= LEFT_AFTER_MS


def _checked(questions: list[Covariate], replies: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """The replies as they are stored, and what is wrong with others, by key."""
    values, faults = {}, {}
    for question in questions:
        if question.key not in replies:
            if question.required:
                faults[question.key] = "Please answer, or choose “prefer not to say”"
            continue
        try:
            values[question.key] = reply_to(question, replies[question.key])
        except StudyReplyError as error:
            faults[question.key] = str(error)
    return values, faults


_RANGES = {"confidence": (0, 100), "difficulty": (1, 7)}


def _item_replies(asked: tuple[str, ...], replies: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    values: dict[str, Any] = {}
    faults: dict[str, str] = {}
    for key in asked:
        if key == "strategy":
            values[key] = cleaned(str(replies.get(key) or ""))[0]
            continue
        low, high = _RANGES[key]
        value = replies.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            values[key] = value
        else:
            faults[key] = f"Choose a number from {low} to {high}"
    return values, faults
