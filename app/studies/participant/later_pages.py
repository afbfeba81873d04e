"""The pages between and after the items: feedback, questions, breaks, the load, the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from spatial_workbench.app.studies.participant.column import ColumnPage
from spatial_workbench.app.studies.participant.fields import FreeText, NumberRow, Question, Rating
from spatial_workbench.app.studies.participant.texts import StudyText, announce, words
from spatial_workbench.engine.core import Verdict
from spatial_workbench.engine.studies.sessions.pages import StudyTold
from spatial_workbench.engine.studies.sessions.replies import MOST_TEXT_CHARS, TLX_STEP
from spatial_workbench.engine.studies.sessions.sitting import Sitting
from spatial_workbench.widgets.appearance import scaled
from spatial_workbench.widgets.layouts import column
from spatial_workbench.widgets.panels.verdict_panel import VerdictPanel
from spatial_workbench.widgets.theme import SPACE

SHORT_CHARS = 600
"""A last page with a shorter text is centred."""
LOAD = {
    "mental": ("How mentally demanding was it?", "very low", "very high"),
    "physical": ("How physically demanding was it?", "very low", "very high"),
    "temporal": ("How hurried or rushed was the pace?", "very low", "very high"),
    "performance": ("How successful were you in what you were asked to do?", "perfect", "failure"),
    "effort": ("How hard did you have to work to get there?", "very low", "very high"),
    "frustration": ("How insecure, discouraged, irritated, stressed or annoyed were you?", "very low", "very high"),
}


class ItemQuestionsPage(ColumnPage):
    """Questions about the item that has just ended.

    Signals:
        replied(dict): confidence, difficulty and strategy, as far as they are asked.
    """

    replied = Signal(dict)

    def __init__(self, asked: Sequence[str]) -> None:
        super().__init__("About this item")
        hint = "Click on the line, use the arrow keys, or type a number from 0 to 100."
        ask = "How sure are you that this answer is right?"
        self.confidence = Rating(ask, "not at all (0)", "certain (100)", hint=hint)
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
    question = Question("How difficult was it?")
    row = NumberRow("Difficulty", range(1, 8), "very easy", "very difficult")
    question.column.addWidget(row)
    question.finish(row)
    return question


def _strategy() -> Question:
    question = Question(
        "How did you go about it?", f"In your own words, up to {MOST_TEXT_CHARS:,} characters. No names."
    )
    area = FreeText("How did you go about it?")
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
        super().__init__("How was it?")
        self.add(words("Click on each line, use the arrow keys, or type a number from 0 to 100.", "secondary"))
        self.ratings = {key: Rating(ask, low, high, TLX_STEP) for key, (ask, low, high) in LOAD.items()}
        self.add(*self.ratings.values())
        self.end()
        self.accepted.connect(self._send)

    def first_field(self) -> QWidget:
        """The first slider."""
        return self.ratings["mental"].first

    def _send(self) -> None:
        values = {key: rating.value for key, rating in self.ratings.items()}
        for key, rating in self.ratings.items():
            rating.show_fault("" if values[key] is not None else "Please set the slider")
        if None in values.values():
            lacking = next(rating for key, rating in self.ratings.items() if values[key] is None)
            lacking.setFocus()
            self.scroller.ensureWidgetVisible(lacking)
            return
        self.rated.emit(values)


class FeedbackPage(ColumnPage):
    """The feedback on one answer, or on all answers of a block."""

    def __init__(self, told: Sequence[StudyTold], verdict: Verdict | None, names: Mapping[int, str]) -> None:
        super().__init__("Your answers" if len(told) > 1 else "Your answer", is_short=verdict is None)
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
    word = "Passed" if told.passed else "Not passed"
    return word if told.kind == "passed" else f"{word}. Score: {told.score:.0%}"


class BreakPage(ColumnPage):
    """A break, with how long it lasts at least and at most."""

    def __init__(self) -> None:
        super().__init__("Take a break", "Go on", is_short=True)
        self.time = words("", "panelTitle")
        self.add(words("The clock stands still. Your work is stored."), self.time)
        self.end()

    def show_time(self, least_ms: int, most_ms: int | None) -> None:
        """Shows how long the break still lasts."""
        self.primary.setEnabled(least_ms == 0)
        if least_ms:
            self.time.setText(f"You can go on in {clock_text(least_ms)}.")
        elif most_ms is None:
            self.time.setText("Go on when you are ready.")
        elif most_ms:
            self.time.setText(f"Go on when you are ready; the break ends in {clock_text(most_ms)}.")
        else:
            self.time.setText("The break is over. Please go on.")


class ReadyPage(ColumnPage):
    """Between two items."""

    def __init__(self, title: str, limit_text: str, note: str = "") -> None:
        super().__init__(title, "Start", is_short=True)
        self.add(words("The clock stands still until you start."))
        if limit_text:
            self.add(words(limit_text, "secondary"))
        if note:
            self.add(words(note))
        self.end()


class TimeOverPage(ColumnPage):
    """The time of an item is over."""

    def __init__(self, text: str) -> None:
        super().__init__("The time for this item is over", "Go on", is_short=True)
        self.add(words(text))
        self.end()
        announce(self, f"The time for this item is over. {text}", urgent=True)


class EndPage(ColumnPage):
    """Thanks, what the study wants to say at the end, and where the results are.

    holds_work: whether the results hold what the person did; if not, they only say how the session ended.

    Signals:
        next_person(): somebody else wants to begin.
    """

    next_person = Signal()

    def __init__(
        self, title: str, text: str, results: Path | None, digest: str, fault: str = "", holds_work: bool = True
    ) -> None:
        super().__init__(title, "Next participant", is_short=len(text) < SHORT_CHARS)
        self._results = results
        if text:
            self.add(StudyText(text, title))
        if results is not None:
            self._add_results(results, digest, holds_work)
        if fault:
            self.add(words(fault, "error"))
        self.end()
        self.accepted.connect(self.next_person)

    def _add_results(self, results: Path, digest: str, holds_work: bool) -> None:
        about = "They are stored beside the study, and nothing else has to be done."
        if not holds_work:
            about = "This file tells the study that the session is over. It holds the code, and nothing that you did."
        part = QWidget()
        file = words(f"{results.name}\nSHA-256 {digest[:32]} {digest[32:]}", "secondary")
        title = words("Your results" if holds_work else "A file for the study", "sectionTitle")
        column(part, title, words(about), file, spacing=2 * SPACE)
        self.add(part)
        if holds_work:
            save = QPushButton("Save a copy…")
            save.clicked.connect(self._save)
            self.add_button(save)

    def _save(self) -> None:
        assert self._results is not None
        name, _ = QFileDialog.getSaveFileName(self, "Save results", self._results.name)
        if name:
            try:
                Path(name).write_bytes(self._results.read_bytes())
                self.say(f"Saved as {name}.")
            except OSError as error:
                self.say(f"The results were not saved. {error.strerror}.")
            announce(self, self.note.text())


def ending_of(sitting: Sitting) -> tuple[str, str]:
    """The title and the text of the last page."""
    from spatial_workbench.engine.studies.sessions.pages import StudyPage

    debriefing = sitting.state.words(sitting.state.study.debriefing)
    if sitting.state.page is StudyPage.END:
        return "Thank you", debriefing or "You have finished. Everything is stored."
    if sitting.state.page is StudyPage.INELIGIBLE:
        reason = sitting.entering.unmet_reason or "This study is looking for other participants."
        return "Thank you for your interest", f"{reason}\n\nYou cannot take part. Your answers were not kept."
    if sitting.state.page is StudyPage.WITHDRAWN:
        return "Your data were deleted", "Nothing of what you did is left on this computer."
    if sitting.state.page is StudyPage.ENDED:
        return "The session was ended", "What you did is stored."
    kept = "What you did is stored." if sitting.state.session_state.value == "stopped" else "Nothing was stored."
    return "You have stopped", f"{kept}\n\n{debriefing}".strip()


def clock_text(ms: int) -> str:
    """A length of time as minutes and seconds, as clocks show it."""
    seconds = -(-ms // 1000)
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
