"""One puzzle with the state of its review, and what the chosen person can do about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.puzzles.review.comments_pane import CommentsPane
from spatial_workbench.app.puzzles.review.decision_form import DecisionForm
from spatial_workbench.app.puzzles.review.dialogs import ReviewersDialog
from spatial_workbench.app.puzzles.review.difference_form import DisagreementForm
from spatial_workbench.app.puzzles.review.pictures import ReviewPictures
from spatial_workbench.app.puzzles.review.reading_form import ReadingForm
from spatial_workbench.app.puzzles.review.records import ReviewRecords
from spatial_workbench.app.puzzles.review.words import flag_words, review_words, settling_note
from spatial_workbench.engine.puzzles.annotation.decisions import PuzzleDecision
from spatial_workbench.engine.puzzles.annotation.review import (
    ASSIGNABLE,
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
from spatial_workbench.engine.puzzles.puzzle import read_metadata
from spatial_workbench.engine.puzzles.sets.folders import shown_folder
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.theme import SPACE


class ReviewPanel(QWidget):
    """The state and the flags of a puzzle, its pages, and a form to read it, to decide, or to settle a disagreement."""

    def __init__(self, records: ReviewRecords, pictures: ReviewPictures) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._records = records
        self._shown: tuple[Review, str] | None = None
        self._begun: dict[tuple[str, str, str], DecisionForm] = {}
        self.pictures = pictures
        self.form: DecisionForm | DisagreementForm | None = None
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
        self.name.setText(shown_folder(review.folder))
        flags = "\n".join(flag_words(flag) for flag in review.flags)
        about = review_words(review) if review.folder else ""
        self.about.setText("\n".join(filter(None, (about, flags))))
        state = review.state
        self.flag.setEnabled(state in (ReviewState.CHECKED, ReviewState.CLEAR, ReviewState.FLAGGED))
        self.assign.setEnabled(state in ASSIGNABLE and not review.decisions)
        self.back.setEnabled(state not in (ReviewState.DRAFT, ReviewState.RETURNED))
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

    def send_back(self, wanted: str) -> None:
        """Sends the puzzle back to its author, with what is to be changed."""
        self._records.record(Returned, self.review, wanted=wanted)

    def ask_back(self) -> None:
        """Asks what the author is to change."""
        wanted, is_said = QInputDialog.getMultiLineText(self, "Send back", f"What {self.review.author} is to change")
        if is_said and wanted.strip():
            self.send_back(wanted.strip())

    def add_comment(self, text: str, step: int = 0, reply_to: str = "") -> None:
        """Comments on the puzzle or on one of its steps, or replies to a comment."""
        self._records.record(Commented, self.review, text=text, step=step, reply_to=reply_to)

    def ask_flag(self) -> None:
        """Asks for a step, the kind of the flag, and the reason."""
        steps = len(read_metadata(self.review.original).puzzle.reasoning)
        step, is_given = QInputDialog.getInt(self, "Flag", "Step (0: the whole annotation)", 0, 0, steps)
        kind, is_chosen = (
            QInputDialog.getItem(self, "Flag", "Kind", list(FlagKind), 0, False) if is_given else ("", False)
        )
        reason, is_said = QInputDialog.getText(self, "Flag", "Reason") if is_chosen else ("", False)
        if is_said:
            self.add_flag(FlagKind(kind), reason, step)

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
        before = self.area.takeWidget()
        if before is not None and before not in self._begun.values():
            before.deleteLater()
        self.form = self._make_form(review, person)
        self.pictures.setVisible(bool(review.original))
        if not review.original:
            holder = QWidget()
            holder.setObjectName("panel")
            self.area.setWidget(holder)
            return
        puzzle = read_metadata(review.result or review.original).puzzle
        shown = self.form or ReadingForm(puzzle)
        self.area.setWidget(shown)
        # What a review ended with may be in the folder already, which then is another version.
        version = review.version if review.result is None else ""
        self.pictures.show_puzzle(review.folder, version, puzzle, anew=self.form is not None)
        if not shown.property("followed"):
            shown.setProperty("followed", True)
            shown.step_chosen.connect(self.pictures.choose_step)

    def _make_form(self, review: Review, person: str) -> DecisionForm | DisagreementForm | None:
        is_mine = person in review.reviewers and person not in review.decisions
        if review.state is ReviewState.IN_REVIEW and is_mine:
            return self._begun_form(review, person)
        if review.state is ReviewState.DISAGREEMENT and person != review.author:
            first, second = ((name, review.decisions[name]) for name in review.reviewers)
            puzzle = read_metadata(review.original).puzzle
            settling = DisagreementForm(puzzle, first, second, settling_note(review, person))
            settling.settled.connect(self._settle)
            return settling
        return None

    def _begun_form(self, review: Review, person: str) -> DecisionForm:
        """The form that a reviewer has begun to fill in, or a new one."""
        key = (review.folder, person, review.original)
        if key not in self._begun:
            form = DecisionForm(read_metadata(review.original).puzzle)
            form.decided.connect(self._decide)
            self._begun[key] = form
        return self._begun[key]

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
        for part in (self.flag, self.assign, self.back, self.accept, self.correct, self.wrong):
            buttons.addWidget(part)
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
