"""The pages between and after the items: feedback, questions, breaks, the load, the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from spatial_workbench.app.studies.participant.pages.column import ColumnPage
from spatial_workbench.app.studies.participant.pages.fields import FreeText, NumberRow, Question, Rating
from spatial_workbench.app.studies.participant.texts import StudyText, announce, words
from spatial_workbench.app.studies.participant.window_form import WindowForm
from spatial_workbench.engine.core import Verdict
from spatial_workbench.engine.core.languages.translation import marked, tr
from spatial_workbench.engine.studies.sessions.pages import StudyTold
from spatial_workbench.engine.studies.sessions.replies import MOST_TEXT_CHARS, TLX_STEP
from spatial_workbench.engine.studies.sessions.sitting import Sitting
from spatial_workbench.widgets.appearance import scaled
from spatial_workbench.widgets.layouts import column
from spatial_workbench.widgets.panels.verdict_panel import VerdictPanel
from spatial_workbench.widgets.theme import SPACE

SHORT_CHARS = 600
"""A last page with a shorter text is centred."""
_HOW_MUCH = (marked("very low"), marked("very high"))
LOAD = {
    "mental": (marked("How mentally demanding was it?"), *_HOW_MUCH),
    "physical": (marked("How physically demanding was it?"), *_HOW_MUCH),
    "temporal": (marked("How hurried or rushed was the pace?"), *_HOW_MUCH),
    "performance": (
        marked("How successful were you in what you were asked to do?"),
        marked("perfect"),
        marked("failure"),
    ),
    "effort": (marked("How hard did you have to work to get there?"), *_HOW_MUCH),
    "frustration": (marked("How insecure, discouraged, irritated, stressed or annoyed were you?"), *_HOW_MUCH),
}


class ItemQuestionsPage(ColumnPage):
    """Questions about the item that has just ended.

    Signals:
        replied(dict): confidence, difficulty and strategy, as far as they are asked.
    """

    replied = Signal(dict)

    def __init__(self, asked: Sequence[str]) -> None:
        super().__init__(tr("About this item"))
        hint = tr("Click on the line, use the arrow keys, or type a number from 0 to 100.")
        ask = tr("How sure are you that this answer is right?")
        self.confidence = Rating(ask, tr("not at all (0)"), tr("certain (100)"), hint=hint)
        self.difficulty = _difficulty()
        self.strategy = _strategy()
        self._asked = tuple(asked)
        self._questions: dict[str, Question] = {
            "confidence": self.confidence,
            "difficulty": self.difficulty,
            "strategy": self.strategy,
        }
        for key, question in self._questions.items():
            self.add(question)
            question.setVisible(key in self._asked)
        self.end()
        self.accepted.connect(self._send)

    def first_field(self) -> QWidget:
        """The first question that is asked."""
        return next(question.first for key, question in self._questions.items() if key in self._asked)

    def show_faults(self, faults: Mapping[str, str]) -> None:
        """Shows the faults of single replies."""
        for key, question in self._questions.items():
            question.show_fault(faults.get(key, ""))

    def _send(self) -> None:
        row = self.difficulty.first
        area = self.strategy.first
        assert isinstance(row, NumberRow)
        assert isinstance(area, FreeText)
        values = {"confidence": self.confidence.value, "difficulty": row.value, "strategy": area.toPlainText()}
        self.replied.emit({key: values[key] for key in self._asked})


def _difficulty() -> Question:
    question = Question(tr("How difficult was it?"))
    row = NumberRow(tr("Difficulty"), range(1, 8), tr("very easy"), tr("very difficult"))
    row.chosen.connect(question.drop_fault)
    question.column.addWidget(row)
    question.finish(row)
    return question


def _strategy() -> Question:
    ask = tr("How did you go about it?")
    hint = tr("In your own words, up to {most:,} characters. No names.", most=MOST_TEXT_CHARS)
    question = Question(ask, hint)
    area = FreeText(ask)
    area.textChanged.connect(question.drop_fault)
    question.column.addWidget(area)
    question.finish(area)
    return question


class LoadPage(ColumnPage):
    """The six ratings of NASA's task load index, unweighted.

    Signals:
        rated(dict): the ratings by their scales.
    """

    rated = Signal(dict)

    def __init__(self) -> None:
        super().__init__(tr("How was it?"))
        self.add(words(tr("Click on each line, use the arrow keys, or type a number from 0 to 100."), "secondary"))
        self.ratings = {key: Rating(tr(ask), tr(low), tr(high), TLX_STEP) for key, (ask, low, high) in LOAD.items()}
        self.add(*self.ratings.values())
        self.end()
        self.accepted.connect(self._send)

    def first_field(self) -> QWidget:
        """The first slider."""
        return self.ratings["mental"].first

    def _send(self) -> None:
        values = {key: rating.value for key, rating in self.ratings.items()}
        for key, rating in self.ratings.items():
            rating.show_fault("" if values[key] is not None else tr("Please set the slider"))
        if None in values.values():
            lacking = next(rating for key, rating in self.ratings.items() if values[key] is None)
            lacking.setFocus()
            self.scroller.ensureWidgetVisible(lacking)
            return
        self.rated.emit(values)


class FeedbackPage(ColumnPage):
    """The feedback on one answer, or on all answers of a block."""

    def __init__(self, told: Sequence[StudyTold], verdict: Verdict | None, names: Mapping[int, str]) -> None:
        super().__init__(tr("Your answers") if len(told) > 1 else tr("Your answer"), is_short=verdict is None)
        if verdict is not None and len(told) == 1 and told[0].kind == "full":
            panel = VerdictPanel()
            panel.show_for_participant(verdict)
            panel.setMinimumHeight(scaled(440))
            self.add(panel)
        else:
            for entry in told:
                text = sentence_of(entry)
                self.add(words(f"{names[entry.position]}: {text}" if len(told) > 1 else text, "panelTitle"))
        self.end()


def sentence_of(told: StudyTold) -> str:
    """The feedback on an answer that the study allows."""
    word = tr("Passed") if told.passed else tr("Not passed")
    if told.kind == "passed":
        return word
    return tr("{passed}. Score: {percent:.0f}%", passed=word, percent=100 * told.score)


class BreakPage(ColumnPage):
    """A break, with how long it lasts at least and at most."""

    def __init__(self) -> None:
        super().__init__(tr("Take a break"), tr("Go on"), is_short=True)
        self.time = words("", "panelTitle")
        self.add(words(tr("The clock stands still. Your work is stored.")), self.time)
        self.end()

    def show_time(self, least_ms: int, most_ms: int | None) -> None:
        """Shows how long the break still lasts."""
        self.primary.setEnabled(least_ms == 0)
        if least_ms:
            self.time.setText(tr("You can go on in {time}.", time=clock_text(least_ms)))
        elif most_ms is None:
            self.time.setText(tr("Go on when you are ready."))
        elif most_ms:
            text = tr("Go on when you are ready; the break ends in {time}.", time=clock_text(most_ms))
            self.time.setText(text)
        else:
            self.time.setText(tr("The break is over. Please go on."))


class ReadyPage(ColumnPage):
    """Between two items."""

    def __init__(self, title: str, limit_text: str, note: str = "") -> None:
        super().__init__(title, tr("Start"), is_short=True)
        self.add(words(tr("The clock stands still until you start.")))
        if limit_text:
            self.add(words(limit_text, "secondary"))
        if note:
            self.add(words(note))
        self.end()


class TimeOverPage(ColumnPage):
    """The time of an item is over."""

    def __init__(self, text: str) -> None:
        title = tr("The time for this item is over")
        super().__init__(title, tr("Go on"), is_short=True)
        self.add(words(text))
        self.end()
        announce(self, f"{title}. {text}", urgent=True)


class EndPage(ColumnPage):
    """Thanks, what the study wants to say at the end, and where the results are.

    holds_work: whether the results hold what the person did; if not, they only say how the session ended.
    form: how the window stands before the person. In a browser, nobody follows and no files are saved.

    Signals:
        next_person(): somebody else wants to begin.
        texts_wanted(): a person in a browser wants the texts of the study as pages there.
    """

    next_person = Signal()
    texts_wanted = Signal()

    def __init__(
        self,
        title: str,
        text: str,
        results: Path | None,
        digest: str,
        fault: str = "",
        holds_work: bool = True,
        form: WindowForm = WindowForm.ORDINARY,
    ) -> None:
        is_served = form is WindowForm.SERVED
        super().__init__(title, "" if is_served else tr("Next participant"), is_short=len(text) < SHORT_CHARS)
        self._results = results
        if text:
            self.add(StudyText(text, title))
        if is_served:
            self.add(words(tr("You can close this page of your browser now.")))
        elif results is not None:
            self._add_results(results, digest, holds_work)
        if fault:
            self.add(words(fault, "error"))
        self.end()
        if is_served:
            save = QPushButton(tr("Save or print texts…"))
            save.clicked.connect(self.texts_wanted)
            self.add_button(save)
        self.accepted.connect(self.next_person)

    def _add_results(self, results: Path, digest: str, holds_work: bool) -> None:
        about = tr("They are stored beside the study, and nothing else has to be done.")
        if not holds_work:
            about = tr(
                "This file tells the study that the session is over. It holds the code, and nothing that you did."
            )
        part = QWidget()
        file = words(f"{results.name}\nSHA-256 {digest[:32]} {digest[32:]}", "secondary")
        title = words(tr("Your results") if holds_work else tr("A file for the study"), "sectionTitle")
        column(part, title, words(about), file, spacing=2 * SPACE)
        self.add(part)
        if holds_work:
            save = QPushButton(tr("Save a copy…"))
            save.clicked.connect(self._save)
            self.add_button(save)

    def _save(self) -> None:
        assert self._results is not None
        name, _ = QFileDialog.getSaveFileName(self, tr("Save results"), self._results.name)
        if name:
            try:
                Path(name).write_bytes(self._results.read_bytes())
                self.say(tr("Saved as {name}.", name=name))
            except OSError as error:
                self.say(tr("The results were not saved. {reason}.", reason=error.strerror))
            announce(self, self.note.text())


def ending_of(sitting: Sitting) -> tuple[str, str]:
    """The title and the text of the last page."""
    from spatial_workbench.engine.studies.sessions.pages import StudyPage

    debriefing = sitting.state.words(sitting.state.study.debriefing)
    if sitting.state.page is StudyPage.END:
        return tr("Thank you"), debriefing or tr("You have finished. Everything is stored.")
    if sitting.state.page is StudyPage.INELIGIBLE:
        reason = sitting.entering.unmet_reason or tr("This study is looking for other participants.")
        refusal = tr("You cannot take part. Your answers were not kept.")
        return tr("Thank you for your interest"), f"{reason}\n\n{refusal}"
    if sitting.state.page is StudyPage.WITHDRAWN:
        return tr("Your data were deleted"), tr("Nothing of what you did is left.")
    if sitting.state.page is StudyPage.ENDED:
        return tr("The session was ended"), tr("What you did is stored.")
    is_kept = sitting.state.session_state.value == "stopped"
    kept = tr("What you did is stored.") if is_kept else tr("Nothing was stored.")
    return tr("You have stopped"), f"{kept}\n\n{debriefing}".strip()


def clock_text(ms: int) -> str:
    """A length of time as minutes and seconds, as clocks show it."""
    seconds = -(-ms // 1000)
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
