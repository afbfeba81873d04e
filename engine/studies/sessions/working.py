"""Work on the item that is on the screen: the draft, its edits, and handing it in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from spatial_workbench.engine.core import Answer, AnswerError
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.core.reading.limits import MAX_TEXT_CHARS
from spatial_workbench.engine.studies.planning.document import (
    ItemKind,
)
from spatial_workbench.engine.studies.sessions.answering import Answering
from spatial_workbench.engine.studies.sessions.edit_history import DraftHistory
from spatial_workbench.engine.studies.sessions.itinerary import Itinerary
from spatial_workbench.engine.studies.sessions.limits import SittingLimits
from spatial_workbench.engine.studies.sessions.pages import (
    Cover,
    StudyPage,
)
from spatial_workbench.engine.studies.sessions.recording import HeldEdit, Recording
from spatial_workbench.engine.studies.sessions.schema import TrialState
from spatial_workbench.engine.studies.sessions.session_file import SCRATCH
from spatial_workbench.engine.studies.sessions.sitting_state import SittingState, now
from spatial_workbench.engine.studies.sessions.trial_run import draft_data, option_text

MOST_SCRATCH_CHARS = 100_000


class Working:
    """What the person does with the present item."""

    def __init__(
        self,
        state: SittingState,
        recording: Recording,
        limits: SittingLimits,
        itinerary: Itinerary,
        answering: Answering,
    ) -> None:
        self._state = state
        self._recording = recording
        self._limits = limits
        self._itinerary = itinerary
        self._answering = answering

    @property
    def accepts_work(self) -> bool:
        """Whether the person may change and hand in the answer."""
        is_shown = self._state.run is not None and self._state.run.clock is not None
        return self._state.page is StudyPage.ITEM and self._state.cover in (None, Cover.AWAY) and is_shown

    @property
    def can_submit(self) -> bool:
        """Whether an answer can be handed in now."""
        lacks_choice = (
            self._state.run is not None and self._state.item.kind is ItemKind.QUESTION and not self._state.run.answer
        )
        return (
            self.accepts_work
            and not lacks_choice
            and not self._limits.ms_until_submit
            and self._limits.submissions_left > 0
        )

    @property
    def can_finish(self) -> bool:
        """Whether the person can go on to the next item, having handed in an answer."""
        return self.accepts_work and bool(self._state.record.submissions)

    def draft(self) -> Answer | str | None:
        """The draft of the present item: what was stored last, or None if nothing was done."""
        run = self._state.running()
        return run.answer

    def item_shown(self) -> None:
        """The item is on the screen: its clock starts."""
        with self._recording.acting(acted=False):
            run = self._state.run
            if run is None or self._state.page is not StudyPage.ITEM or run.clock is not None:
                return
            run.start(self._state.clock.last, again=False)
            run.update(state=TrialState.SHOWN)
            if not self._state.head.first_shown_at:
                self._recording.set_head(first_shown_at=now())
            self._recording.event("item_shown", item=self._state.item.id)
            self._recording.is_due_to_commit = True

    def begin_draft(self, answer: Answer | str) -> None:
        """The empty answer that the person starts with."""
        with self._recording.acting(acted=False):
            run = self._state.running()
            if run.data is None:
                run.answer = answer
                run.begin(draft_data(answer))
                self._recording.add_changes(begun={self._state.position: run.data})

    def history(self) -> DraftHistory:
        """The steps in which the draft of the present item came about; after a crash, too, they can be undone."""
        self._recording.release_held()
        return self._state.running().history()

    def edit(self, label: str, answer: Answer | str, stores_now: bool = True, step: int | None = None) -> bool:
        """Takes an edit of the draft; False if it came too late, or the content is covered.

        step: where the editor's history stands after it.

        With `stores_now` off, it is stored with the next call of `store`, and in one piece with edits of the same label
        until then: somebody who drags makes an edit with every movement.
        """
        with self._recording.acting():
            run = self._state.run
            if run is None or not self.accepts_work:
                return False
            if self._recording.held is not None and self._recording.held.label != label:
                self._recording.release_held()
            held = self._recording.held or HeldEdit(label, run.data, 0)
            self._recording.held = replace(held, count=held.count + 1, step=step)
            run.answer = answer
            if run.record.first_edit_ms is None:
                run.update(first_edit_ms=run.times.active)
            self._recording.is_due_to_commit |= stores_now
            if (steps := self._limits.steps()) is not None and len(getattr(answer, "moves", ())) >= steps:
                self._recording.release_held()
                self._answering.add_submission(run.hand_in())
                self._answering.end_submitted()
            return True

    def store(self) -> None:
        """Stores the edits that wait for it."""
        if self._recording.held is not None:
            with self._recording.acting(acted=False):
                self._recording.is_due_to_commit = True

    def sketch(self, page: str, layer: str) -> bool:
        """Takes a drawing (JSON) over a page of the present item; False if it came too late."""
        return self._note(page, layer, {"sketches": {**self._state.record.sketches, page: layer}})

    def scratch(self, text: str) -> bool:
        """Takes the text of the scratch pad, which nobody marks; False if it came too late."""
        text = text[:MOST_SCRATCH_CHARS]
        return self._note(SCRATCH, text, {"scratch": text})

    def type_text(self, text: str) -> bool:
        """Takes what is typed as text beside the editor and is not applied yet; False if it came too late.

        When the item ends, it is the answer if it can be read; if not, it is kept beside the answer.
        """
        with self._recording.acting():
            run = self._state.run
            if run is None or not self.accepts_work:
                return False
            run.update(unapplied=text[: MAX_TEXT_CHARS + 1])
            return True

    def stand_at(self, standing: Any) -> None:
        """Takes where keys act in the editor, as a little plain data; it is stored with the times, within a second."""
        self._state.standing = (self._state.position, standing)

    @property
    def standing(self) -> Any:
        """Where keys acted last in the editor of the present item; None if that is not known."""
        position, standing = self._state.standing
        return standing if position == self._state.position else None

    def choose(self, option: Any) -> bool:
        """Chooses an option of an item that is a question."""
        return self.edit("Choose", option_text(option))

    def format_fault(self) -> AnswerError | None:
        """Why the typed answer cannot be read; None if it can."""
        return None if self._state.run is None else self._state.run.format_fault()

    def refusal(self) -> str:
        """Why the answer cannot be handed in at all; empty if it can."""
        too_long = self._state.run is not None and self._state.run.is_too_long
        return tr("The answer is too long to be handed in.") if too_long else ""

    def submit(self) -> bool:
        """Hands in the draft; False if that is not possible now."""
        with self._recording.acting():
            if not self.can_submit or self.refusal():
                return False
            self._answering.hand_in()
            return True

    def finish(self) -> None:
        """Goes on to the next item without using up all submissions."""
        with self._recording.acting():
            if self.can_finish:
                self._answering.end_submitted()

    def give_up(self) -> None:
        """Gives up the item; the draft is handed in if anything was done."""
        with self._recording.acting():
            run = self._state.run
            if run is None or not self.accepts_work:
                return
            self._recording.event("give_up")
            self._answering.take_typed()
            if run.data is not None and run.is_new and self._answering.differs_from_empty():
                self._answering.add_submission(run.hand_in(given_up=True))
            self._answering.end_trial(TrialState.GIVEN_UP)

    def break_item(self, reason: str) -> None:
        """The editor or the data of the item failed; the next item follows."""
        with self._recording.acting(acted=False):
            if self._state.run is not None:
                self._recording.event("page", page="broken", reason=reason[:200])
                self._answering.end_trial(TrialState.BROKEN)

    def show_anew(self) -> None:
        """Lets the item that failed last be shown again; the leader decides."""
        with self._recording.acting():
            if self._state.page in (StudyPage.READY, StudyPage.BREAK) and self._state.record.state is TrialState.BROKEN:
                self._recording.keep(self._state.record.model_copy(update={"state": TrialState.WAITING}))
                self._recording.event("page", page="shown anew")
                self._itinerary.start_item(self._state.position)

    def _note(self, page: str, data: str, values: Mapping[str, Any]) -> bool:
        with self._recording.acting(acted=False):
            if self._state.run is None or not self.accepts_work:
                return False
            self._state.run.update(**values)
            self._recording.add_changes(notes={(self._state.position, page): data})
            self._recording.event(
                "sketch" if page else "scratch", characters=len(data), **({"page": page} if page else {})
            )
            self._recording.is_due_to_commit = True
            return True
