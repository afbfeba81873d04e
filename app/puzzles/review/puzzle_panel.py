"""One puzzle with the state of its review, and what the chosen person can do about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.puzzles.review.adjudication_form import AdjudicationForm
from spatial_workbench.app.puzzles.review.comments_pane import CommentsPane
from spatial_workbench.app.puzzles.review.decision_form import DecisionForm
from spatial_workbench.app.puzzles.review.dialogs import (
    AnnotatorsDialog,
    ReviewersDialog,
    SendBackDialog,
    StepFlagDialog,
)
from spatial_workbench.app.puzzles.review.difference_form import DisagreementForm
from spatial_workbench.app.puzzles.review.pictures import ReviewPictures
from spatial_workbench.app.puzzles.review.reading_form import ReadingForm
from spatial_workbench.app.puzzles.review.records import ReviewRecords
from spatial_workbench.app.puzzles.review.words import attribution, flag_words, review_words, settling_note
from spatial_workbench.engine.puzzles.annotation.decisions import PuzzleDecision
from spatial_workbench.engine.puzzles.annotation.queues import may_adjudicate
from spatial_workbench.engine.puzzles.annotation.review import (
    ASSIGNABLE,
    DOUBLE_STATES,
    DOUBLED_FROM,
    UNSENT,
    Audited,
    Commented,
    Decided,
    Flag,
    Flagged,
    FlagKind,
    Resolved,
    Returned,
    Review,
    ReviewState,
    Settled,
)
from spatial_workbench.engine.puzzles.annotation.settling import SettledChoice
from spatial_workbench.engine.puzzles.puzzle import Puzzle, read_metadata
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.theme import SPACE

NOTHING = (
    "No puzzle of this queue is chosen. What others have done comes with Merge reviews, or their files dropped here."
)


class ReviewPanel(QWidget):
    """The state and the flags of a puzzle, its pages, and a form to read it, to decide, or to settle a disagreement.

    Signals:
        own_asked(object, str): the chosen person's own copy is to be opened: its set, and the puzzle's folder.
        handing_in(str): the chosen person hands in what they have written there.
    """

    own_asked = Signal(object, str)
    handing_in = Signal(str)

    def __init__(self, records: ReviewRecords, pictures: ReviewPictures, undo_stack: QUndoStack) -> None:
        """undo_stack: The history of what is chosen for a third annotation."""
        super().__init__()
        self._undo_stack = undo_stack
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._records = records
        self._shown: tuple[Review, str] | None = None
        self._begun: dict[tuple[str, str, str], DecisionForm | DisagreementForm | AdjudicationForm] = {}
        self.pictures = pictures
        self.form: DecisionForm | DisagreementForm | AdjudicationForm | None = None
        """The form in which the person decides; None: there is nothing for them to decide."""
        self._make_parts()
        self._lay_out()

    @property
    def review(self) -> Review:
        """The review that is shown."""
        return self._shown[0] if self._shown is not None else Review("")

    def show_review(self, review: Review) -> None:
        """Shows a review to the chosen person; a form that is being filled in stays while nothing has changed."""
        person = self._records.person
        before = self._shown
        if before == (review, person):
            return
        self._shown = review, person
        self.comments.show_comments(review.comments, _step_count(review))
        self.comments.setVisible(bool(review.folder))
        # A comment leaves the form as it is being filled in.
        if before is not None and (replace(before[0], comments=review.comments), before[1]) == self._shown:
            return
        self.name.setText(self._records.title(review.folder) if review.folder else "")
        flags = "\n".join(flag_words(flag) for flag in review.flags)
        about = review_words(review) if review.folder else NOTHING
        self.about.setText("\n".join(filter(None, (about, flags))))
        state = review.state
        self.flag.setEnabled(state in (ReviewState.CHECKED, ReviewState.CLEAR, ReviewState.FLAGGED))
        self.assign.setEnabled(state in ASSIGNABLE and not review.decisions)
        self.back.setEnabled(state not in UNSENT)
        is_asked = state is ReviewState.TWO_ANNOTATORS and person in review.annotators
        for button in (self.write, self.submit):
            button.setVisible(is_asked)
        for button in (self.flag, self.assign, self.back):
            button.setVisible(state not in DOUBLE_STATES and bool(review.folder))
        self.double.setVisible(state in DOUBLED_FROM and bool(review.folder))
        self.accept.setVisible(state is ReviewState.CLEAR)
        for button in (self.correct, self.wrong):
            button.setVisible(state is ReviewState.AUDIT)
        self._show_form(review, person)

    # What is done ------------------------------------------------------------------------------------------------

    def add_flag(self, kind: FlagKind, reason: str, step: int = 0) -> None:
        """Flags the puzzle, or one of its steps, counted from 1."""
        self._records.record(Flagged, self.review, by_model=False, flags=(Flag(step=step, kind=kind, reason=reason),))

    def ask_reviewers(self, folders: Sequence[str] = ()) -> ReviewersDialog:
        """Asks for two reviewers of puzzles; of the one that is shown if none are given."""
        chosen = folders or (self.review.folder,)
        records = self._records
        authors = sorted({records.review(folder).author for folder in chosen} - {""})
        people = sorted({*records.people, records.person}, key=str.casefold)
        dialog = ReviewersDialog(people, authors, len(chosen), self)
        dialog.ordered.connect(lambda first, second, due: records.assign(chosen, first, second, due))
        dialog.open()
        return dialog

    def ask_annotators(self, folders: Sequence[str] = ()) -> AnnotatorsDialog:
        """Asks for two people who annotate puzzles independently; the one that is shown if none are given."""
        chosen = folders or (self.review.folder,)
        records = self._records
        people = sorted({*records.people, records.person}, key=str.casefold)
        dialog = AnnotatorsDialog(people, len(chosen), self)
        dialog.ordered.connect(lambda first, second, third, due: records.ask_two(chosen, first, second, third, due))
        dialog.open()
        return dialog

    def open_own(self) -> None:
        """Opens the chosen person's own copy of the puzzle."""
        folder = self.review.folder
        self._records.open_own(folder, lambda entry: self.own_asked.emit(entry, folder))

    def send_back(self, wanted: str) -> None:
        """Sends the puzzle back to its author, with what is to be changed."""
        self._records.record(Returned, self.review, wanted=wanted)

    def ask_back(self) -> None:
        """Asks what the author is to change."""
        dialog = SendBackDialog(self.review.author, self)
        dialog.ordered.connect(self.send_back)
        dialog.open()

    def add_comment(self, text: str, step: int = 0, reply_to: str = "") -> None:
        """Comments on the puzzle or on one of its steps, or replies to a comment."""
        self._records.record(Commented, self.review, text=text, step=step, reply_to=reply_to)

    def ask_flag(self) -> None:
        """Asks for a step, the kind of the flag, and the reason."""
        steps = [step.explanation for step in read_metadata(self.review.original).puzzle.reasoning]
        dialog = StepFlagDialog(steps, self)
        dialog.ordered.connect(self.add_flag)
        dialog.open()

    def _accept(self) -> None:
        self._records.record(Resolved, self.review, metadata=self.review.original)

    def _audit(self, is_correct: bool) -> None:
        self._records.record(Audited, self.review, correct=is_correct)

    def _decide(self, decision: PuzzleDecision) -> None:
        self._records.record(Decided, self.review, decision=decision)

    def _settle(self, choices: tuple[SettledChoice, ...]) -> None:
        self._records.record(Settled, self.review, choices=choices)

    # Forms -------------------------------------------------------------------------------------------------------

    def _show_form(self, review: Review, person: str) -> None:
        # The area deletes a widget that it gives up; a form that is being filled in is wanted again.
        self._undo_stack.clear()
        before = self.area.takeWidget()
        if before is not None and before not in self._begun.values():
            before.deleteLater()
        self.form = self._make_form(review, person)
        self.pictures.setVisible(bool(review.folder))
        is_read = bool(review.original) or self.form is not None
        self.area.setVisible(is_read)
        if not is_read:
            # There is nothing to read yet but the pages.
            if review.folder:
                self.pictures.show_puzzle(review.folder, "", Puzzle())
            return
        text = review.result or review.original
        puzzle = read_metadata(text).puzzle if text and not isinstance(self.form, AdjudicationForm) else Puzzle()
        shown = self.form or ReadingForm(puzzle, attribution(review))
        self.area.setWidget(shown)
        # What a review ended with may be in the folder already, which then is another version.
        version = review.version if review.result is None else ""
        self.pictures.show_puzzle(review.folder, version, puzzle, anew=self.form is not None)
        if not shown.property("followed"):
            shown.setProperty("followed", True)
            shown.step_chosen.connect(self.pictures.choose_step)

    def _make_form(self, review: Review, person: str) -> DecisionForm | DisagreementForm | AdjudicationForm | None:
        if may_adjudicate(review, person) or (review.state is ReviewState.ADJUDICATION and review.pair is not None):
            return self._adjudication_form(review, person)
        is_mine = person in review.reviewers and person not in review.decisions
        if review.state is ReviewState.IN_REVIEW and is_mine:
            return self._begun_form(review, person)
        if review.state is ReviewState.DISAGREEMENT and person != review.author:
            return self._settling_form(review, person)
        return None

    def _settling_form(self, review: Review, person: str) -> DisagreementForm:
        """What the reviewers differ about, with what the person has chosen before the other proposed."""
        key = (review.folder, person, repr([review.decisions[name] for name in review.reviewers]))
        begun = self._begun.get(key)
        note = settling_note(review, person)
        if isinstance(begun, DisagreementForm):
            begun.show_note(note)
            return begun
        first, second = ((name, review.decisions[name]) for name in review.reviewers)
        form = DisagreementForm(read_metadata(review.original).puzzle, first, second, note)
        form.settled.connect(self._settle)
        self._begun[key] = form
        return form

    def _adjudication_form(self, review: Review, person: str) -> AdjudicationForm:
        """The two annotations; for who may make the third, with what they have chosen."""
        key = (review.folder, person, repr(sorted(review.annotations.items())))
        begun = self._begun.get(key)
        if isinstance(begun, AdjudicationForm):
            return begun
        pair = review.pair or ("", "")
        first, second = ((name, read_metadata(review.annotations[name]).puzzle) for name in pair)
        may_make = may_adjudicate(review, person)
        form = AdjudicationForm(first, second, self._undo_stack if may_make else None)
        if may_make:
            form.made.connect(lambda steps, values: self._records.adjudicate(review.folder, steps, values))
            self._begun[key] = form
        return form

    def _begun_form(self, review: Review, person: str) -> DecisionForm:
        """The form that a reviewer has begun to fill in, or a new one."""
        key = (review.folder, person, review.original)
        begun = self._begun.get(key)
        if isinstance(begun, DecisionForm):
            return begun
        form = DecisionForm(read_metadata(review.original).puzzle)
        form.decided.connect(self._decide)
        self._begun[key] = form
        return form

    # Parts -------------------------------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        self.name = QLabel()
        self.name.setObjectName("panelTitle")
        self.about = QLabel()
        self.about.setWordWrap(True)
        self.about.setTextFormat(Qt.TextFormat.PlainText)
        self.flag = make_button("Flag…", "", self.ask_flag, "Flag a doubtful step, with a reason")
        self.assign = make_button(
            "Assign reviewers…",
            "",
            lambda: self.ask_reviewers(),
            "Two people other than the author; no flag is needed",
        )
        self.double = make_button(
            "Two annotators…",
            "",
            lambda: self.ask_annotators(),
            "Two people annotate it, without seeing each other's annotations",
        )
        self.write = make_button("Annotate…", "pencil", self.open_own, "Open a copy of your own, with its pages")
        self.submit = make_button(
            "Hand in",
            "",
            lambda: self.handing_in.emit(self.review.folder),
            "Hand in what you have written in your copy; once both are there, it stays as it is",
            is_primary=True,
        )
        self.back = make_button("Send back…", "", self.ask_back, "Back to the author, with what is to be changed")
        self.comments = CommentsPane()
        self.comments.commented.connect(self.add_comment)
        self.accept = make_button("Verify", "", self._accept, "Accept the annotation as it is")
        self.correct = make_button("Audit: correct", "", lambda: self._audit(True), "Nothing is wrong")
        self.wrong = make_button("Audit: not correct", "", lambda: self._audit(False), "Goes back to review")
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * SPACE)
        for part in (
            self.write,
            self.submit,
            self.flag,
            self.assign,
            self.double,
            self.back,
            self.accept,
            self.correct,
            self.wrong,
        ):
            buttons.addWidget(part)
            # No more of them than the puzzle needs, or the window would grow.
            part.hide()
        buttons.addStretch(1)
        across = QSplitter()
        across.setHandleWidth(1)
        across.setChildrenCollapsible(False)
        across.addWidget(self.pictures)
        across.addWidget(self.area)
        across.setSizes([480, 500])
        column = QVBoxLayout(self)
        column.setContentsMargins(4 * SPACE, 3 * SPACE, 4 * SPACE, 3 * SPACE)
        column.setSpacing(2 * SPACE)
        column.addWidget(self.name)
        column.addWidget(self.about)
        column.addLayout(buttons)
        column.addWidget(across, 1)
        column.addWidget(self.comments)


def _step_count(review: Review) -> int:
    return len(read_metadata(review.original).puzzle.reasoning) if review.original else 0
