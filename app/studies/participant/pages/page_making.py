"""Makes the pages of a session, and connects them with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from spatial_workbench.app.studies.participant.pages.entry_pages import (
    ConsentPage,
    LanguagePage,
    QuestionsPage,
    TextPage,
)
from spatial_workbench.app.studies.participant.pages.later_pages import (
    BreakPage,
    EndPage,
    FeedbackPage,
    ItemQuestionsPage,
    LoadPage,
    ReadyPage,
    TimeOverPage,
    ending_of,
)
from spatial_workbench.app.studies.participant.texts import words
from spatial_workbench.app.studies.participant.window_form import WindowForm
from spatial_workbench.engine.core import Verdict
from spatial_workbench.engine.core.languages.translation import ntr, tr
from spatial_workbench.engine.studies.planning.briefing import duration
from spatial_workbench.engine.studies.planning.document import ItemPhase
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from spatial_workbench.engine.studies.sessions.schema import SessionState, TrialState
from spatial_workbench.engine.studies.sessions.sitting import Sitting

_WITH_WORK = (SessionState.FINISHED, SessionState.STOPPED, SessionState.ENDED)
"""How sessions end whose results hold what somebody did."""
_BEFORE = (ItemPhase.PRACTICE, ItemPhase.COMPREHENSION)


def time_over_words(sitting: Sitting) -> str:
    """What became of an item whose time is over, in sentences."""
    record = sitting.state.record
    handed_in = tr("Your answer was handed in as it stood.")
    if not record.submissions:
        handed_in = tr("Nothing was handed in for this item.")
    elif sitting.state.study.limits.at_timeout == "none":
        handed_in = tr("What you had submitted counts.")
    typed = tr("What you typed as text could not be read; it is kept beside your answer.")
    all_over = tr("The time for all items is over, too.")
    by_itself = tr("The study goes on by itself in a few seconds.")
    said = (
        (handed_in, True),
        (typed, bool(record.unapplied)),
        (all_over, sitting.limits.total_is_over()),
        (by_itself, sitting.goes_on_by_itself),
    )
    return " ".join(text for text, is_so in said if is_so)


class PageMaker:
    """Makes the page that a session is at.

    verdict_of: the verdict on the item at a position, if it was worked out here.
    results_of: where the results are, their digest, and what is wrong with them.
    next_person: called when somebody else wants to begin.
    texts_wanted: called when somebody in a browser wants the texts of the study as pages there.
    form: how the window stands before the person.
    """

    def __init__(
        self,
        verdict_of: Callable[[int], Verdict | None],
        results_of: Callable[[], tuple[Path | None, str, str]],
        next_person: Callable[[], None],
        texts_wanted: Callable[[], None],
        form: WindowForm,
    ) -> None:
        self._form = form
        self._verdict_of = verdict_of
        self._results_of = results_of
        self._next = next_person
        self._texts_wanted = texts_wanted

    def make(self, sitting: Sitting) -> QWidget:
        """The page that a session is at; that of an item is made elsewhere."""
        made: Callable[[Sitting], QWidget] = {
            StudyPage.LANGUAGE: self._language_page,
            StudyPage.CONSENT: self._consent_page,
            StudyPage.ELIGIBILITY: self._questions_page,
            StudyPage.COVARIATES: self._questions_page,
            StudyPage.AFTER: self._questions_page,
            StudyPage.INSTRUCTIONS: self._instructions_page,
            StudyPage.READY: self._ready_page,
            StudyPage.TIME_OVER: self._time_over_page,
            StudyPage.FEEDBACK: self._feedback_page,
            StudyPage.QUESTIONS: self._item_questions_page,
            StudyPage.TLX: self._load_page,
            StudyPage.TLX_END: self._load_page,
            StudyPage.BREAK: self._break_page,
            StudyPage.LATER: self._later_page,
        }.get(sitting.state.page, self._end_page if sitting.state.page.is_last else self._waiting_page)
        return made(sitting)

    def _language_page(self, sitting: Sitting) -> QWidget:
        page = LanguagePage(sitting.state.study.languages)
        page.chosen.connect(sitting.entering.choose_language)
        return page

    def _consent_page(self, sitting: Sitting) -> QWidget:
        page = ConsentPage(sitting, self._form)
        page.agreed.connect(sitting.entering.consent)
        page.texts_wanted.connect(self._texts_wanted)
        return page

    def _questions_page(self, sitting: Sitting) -> QWidget:
        title = tr("A few last questions") if sitting.state.page is StudyPage.AFTER else tr("About you")
        page = QuestionsPage(title, sitting, sitting.itinerary.questions())
        page.replied.connect(lambda replies: page.show_faults(sitting.entering.reply(replies)))
        return page

    def _instructions_page(self, sitting: Sitting) -> QWidget:
        page = TextPage(tr("Instructions"), sitting.state.instructions, tr("Begin"))
        page.accepted.connect(sitting.go_ahead)
        return page

    def _ready_page(self, sitting: Sitting) -> QWidget:
        number, count = sitting.state.count
        following = sitting.state.next_item
        is_practice = sitting.state.item.phase in _BEFORE
        done = tr("Item {number} of {count} is done.", number=number, count=count)
        if is_practice:
            done = tr("Practice {number} of {count} is done.", number=number, count=count)
        limit_ms = sitting.limits.limit_ms(following) if following is not None else None
        counts = is_practice and following is not None and following.phase not in _BEFORE
        limit = tr("You have up to {time} for the next one.", time=duration((limit_ms or 0) / 1000))
        said = ((tr("From now on it counts."), counts), (limit, limit_ms is not None))
        text = " ".join(sentence for sentence, is_so in said if is_so)
        broken = tr("This item could not be shown. Please tell the person who leads the study.")
        page = ReadyPage(done, text, broken if is_broken(sitting) else "")
        page.accepted.connect(sitting.go_ahead)
        return page

    def _time_over_page(self, sitting: Sitting) -> QWidget:
        page = TimeOverPage(time_over_words(sitting))
        page.accepted.connect(sitting.go_ahead)
        return page

    def _feedback_page(self, sitting: Sitting) -> QWidget:
        names = {k: tr("Item {number}", number=k + 1) for k in range(len(sitting.state.slot.trials))}
        page = FeedbackPage(sitting.itinerary.told_of_block(), self._verdict_of(sitting.state.position), names)
        page.accepted.connect(sitting.go_ahead)
        return page

    def _item_questions_page(self, sitting: Sitting) -> QWidget:
        page = ItemQuestionsPage(sitting.itinerary.item_questions())
        page.replied.connect(lambda replies: page.show_faults(sitting.answer_item(replies)))
        return page

    def _load_page(self, sitting: Sitting) -> QWidget:
        page = LoadPage()
        page.rated.connect(sitting.rate_load)
        return page

    def _break_page(self, sitting: Sitting) -> QWidget:
        page = BreakPage()
        page.show_time(*sitting.limits.break_left_ms)
        page.accepted.connect(sitting.go_ahead)
        return page

    def _later_page(self, sitting: Sitting) -> QWidget:
        left = sitting.limits.sittings_left
        more = ntr("There is one more sitting.", "There are {number} more sittings.", left)
        text = tr(
            "That is all for now. Your work is stored; you can go on another time with the code {code}.",
            code=sitting.state.code,
        )
        page = EndPage(tr("This sitting is over"), f"{text} {more}", None, "", form=self._form)
        page.next_person.connect(self._next)
        page.texts_wanted.connect(self._texts_wanted)
        return page

    def _waiting_page(self, sitting: Sitting) -> QWidget:
        page = TextPage(tr("One moment…"), "", "")
        page.add(words(tr("Your answer is being checked. The clock stands still.")))
        return page

    def _end_page(self, sitting: Sitting) -> QWidget:
        path, digest, fault = self._results_of()
        holds_work = sitting.state.session_state in _WITH_WORK
        page = EndPage(*ending_of(sitting), path, digest, fault, holds_work, self._form)
        page.next_person.connect(self._next)
        page.texts_wanted.connect(self._texts_wanted)
        return page


def is_broken(sitting: Sitting) -> bool:
    """Whether the current item could not be shown."""
    return sitting.state.position >= 0 and sitting.state.record.state is TrialState.BROKEN
