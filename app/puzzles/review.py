"""The review of a set: states and flags, one's own decision, the disagreement of two reviewers, the audit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QInputDialog,
    QLabel,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.puzzles.review_dialogs import ReviewersDialog
from spatial_workbench.app.puzzles.review_files import (
    FILES,
    PuzzleMerged,
    damage_words,
    merge_logs,
    other_sets,
    write_log,
)
from spatial_workbench.app.puzzles.review_forms import DecisionForm, DisagreementForm, ReadingForm
from spatial_workbench.app.puzzles.review_pictures import ReviewPictures
from spatial_workbench.engine.evaluation.puzzles import reviews as reviewing
from spatial_workbench.engine.puzzles.annotation.review import (
    Assigned,
    Audited,
    Decided,
    Event,
    Flag,
    Flagged,
    FlagKind,
    PuzzleDecision,
    Resolved,
    Review,
    ReviewState,
    review_statistics,
)
from spatial_workbench.engine.puzzles.puzzle import read_metadata, write_metadata
from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet, shown_folder
from spatial_workbench.widgets.qt import dropped_paths, top_items
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import Jobs
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.app.puzzles.work import SetEntry
    from spatial_workbench.engine.puzzles.puzzle import Puzzle
    from spatial_workbench.engine.store import Project

AUDIT_SEED = 45
_FOLDER = Qt.ItemDataRole.UserRole


class ReviewPage(QWidget):
    """The puzzles of a set with the states of their reviews, and what the chosen person can do about one of them.

    Signals:
        message(str): a note for the status bar.
        applied(object): the set's folders were changed.
        flagging_asked(object, int): a model is to flag the set's puzzles; so many wait for it.
    """

    icon_name = "check"
    message = Signal(str)
    applied = Signal(object)
    flagging_asked = Signal(object, int)

    def __init__(
        self,
        jobs: Jobs,
        project: ProjectService,
        entry: SetEntry,
        person: Callable[[], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAcceptDrops(True)
        self.title = f"Review · {entry.name}"
        self.entry = entry
        self._project = project
        self._person = person
        self._set = PuzzleSet(entry.path)
        self._is_closed = False
        self.reviews: dict[str, Review] = {}
        self.form: DecisionForm | DisagreementForm | None = None
        self.names: tuple[str, ...] = ()
        self.people: list[str] = []
        self._shown: tuple[Review | None, str] | None = None
        self.pictures = ReviewPictures(jobs, entry.path)
        self._lay_out()
        project.changed.connect(self.reload)
        self.reload()

    def close_page(self) -> None:
        """Ignores further results."""
        self._is_closed = True
        self._project.changed.disconnect(self.reload)
        self.pictures.close_pictures()

    def reload(self) -> None:
        """Reads the log and the names of the puzzles again."""

        def look(project: Project) -> tuple[tuple[str, ...], dict[str, Review], list[str]]:
            return self._set.names(), reviewing.reviews_in(project, self.entry.name), project.people()

        self._ask(look, self._show_listing)

    def choose(self, folder: str) -> None:
        """Goes to a puzzle."""
        for item in top_items(self.list):
            if item.data(0, _FOLDER) == folder:
                self.list.setCurrentItem(item)

    # What is shown -----------------------------------------------------------------------------------------------

    def _show_listing(self, listing: tuple[tuple[str, ...], dict[str, Review], list[str]]) -> None:
        self.names, self.reviews, self.people = listing
        chosen = self._chosen()
        self.list.blockSignals(True)
        self.list.clear()
        for name in sorted({*self.names, *self.reviews}):
            review = self.reviews.get(name, Review(name))
            item = QTreeWidgetItem(self.list, [shown_folder(name), review.state.label, str(len(review.flags) or "")])
            item.setData(0, _FOLDER, name)
        self.list.blockSignals(False)
        self.choose(chosen or (self.names[0] if self.names else ""))
        figures = review_statistics(self.reviews.values())
        self.figures.setText(
            f"Flagged {_share(figures.flagged)} · changed {_share(figures.changed)} · audit correct "
            f"{_share(figures.audit_correct)} · reviewers agree {_share(figures.agreement)}, kappa "
            f"{'n/a' if figures.kappa is None else f'{figures.kappa:.2f}'} (n = {figures.pairs})"
        )
        self._show_puzzle()

    def _chosen(self) -> str:
        item = self.list.currentItem()
        return "" if item is None else str(item.data(0, _FOLDER))

    def _show_puzzle(self) -> None:
        """Shows the chosen puzzle; a form that is being filled in stays while nothing has changed."""
        name = self._chosen()
        person = self._person()
        review = self.reviews.get(name, Review(name))
        if self._shown == (review, person):
            return
        self._shown = review, person
        self.name.setText(shown_folder(name))
        flags = "\n".join(_flag_line(flag) for flag in review.flags)
        self.about.setText("\n".join(filter(None, (_words(review), flags))))
        state = review.state
        self.flag.setEnabled(state in (ReviewState.CHECKED, ReviewState.CLEAR, ReviewState.FLAGGED))
        self.assign.setEnabled(state is ReviewState.FLAGGED)
        self.accept.setVisible(state is ReviewState.CLEAR)
        for button in (self.correct, self.wrong):
            button.setVisible(state is ReviewState.AUDIT)
        self._show_form(review, person)

    def _show_form(self, review: Review, person: str) -> None:
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
        shown.step_chosen.connect(self.pictures.choose_step)

    def _make_form(self, review: Review, person: str) -> DecisionForm | DisagreementForm | None:
        is_mine = person in review.reviewers and person not in review.decisions
        if review.state is ReviewState.IN_REVIEW and is_mine:
            form = DecisionForm(read_metadata(review.original).puzzle)
            form.decided.connect(self._decide)
            return form
        if review.state is ReviewState.DISAGREEMENT:
            first, second = ((name, review.decisions[name]) for name in review.reviewers)
            settling = DisagreementForm(read_metadata(review.original).puzzle, first, second)
            settling.settled.connect(self._settle)
            return settling
        return None

    # What is done ------------------------------------------------------------------------------------------------

    def _record(self, kind: type[Any], **values: Any) -> None:
        review = self.reviews.get(self._chosen(), Review(self._chosen()))
        event: Event = kind(folder=review.folder, version=review.version, person=self._person(), **values)
        self._ask(lambda project: reviewing.record(project, self.entry.name, event), lambda _: self.reload())

    def send(self) -> None:
        """Sends the drafts without errors to review, in the name of the chosen person."""
        person = self._person()

        def act(project: Project) -> tuple[list[str], list[str]]:
            return reviewing.send(project, self._set, self._set.names(), person)

        self._ask(act, lambda outcome: self._report("sent to review", *outcome))

    def add_flag(self, kind: FlagKind, reason: str, step: int = 0) -> None:
        """Flags the chosen puzzle."""
        self._record(Flagged, by_model=False, flags=(Flag(step=step, kind=kind, reason=reason),))

    def assign_reviewers(self, first: str, second: str) -> None:
        """Assigns two people to the chosen puzzle."""
        self._record(Assigned, reviewers=(first.strip(), second.strip()))

    def draw_audit(self) -> None:
        """Draws the puzzles for the audit."""
        person = self._person()
        name = self.entry.name
        self._ask(
            lambda project: reviewing.draw_audit(project, name, person, AUDIT_SEED),
            lambda drawn: self._report("drawn for the audit", drawn, []),
        )

    def apply(self) -> None:
        """Writes what reviews ended with into the folders."""
        self._ask(lambda project: reviewing.apply_results(project, self._set), self._applied)

    def _applied(self, outcome: tuple[list[str], list[str]]) -> None:
        self._report("changed", *outcome)
        self.applied.emit(self.entry)

    def _decide(self, decision: PuzzleDecision) -> None:
        self._record(Decided, decision=decision)

    def _settle(self, puzzle: Puzzle, choices: tuple[str, ...]) -> None:
        self._record(Resolved, metadata=write_metadata(puzzle), choices=choices)

    def _accept(self) -> None:
        review = self.reviews[self._chosen()]
        self._record(Resolved, metadata=review.original)

    def _report(self, verb: str, names: list[str], refused: list[str]) -> None:
        self.message.emit(" ".join([f"{len(names)} {verb}.", *refused[:2]]))
        self.reload()

    def _ask_flag(self) -> None:
        review = self.reviews[self._chosen()]
        steps = len(read_metadata(review.original).puzzle.reasoning)
        step, is_given = QInputDialog.getInt(self, "Flag", "Step (0: the whole annotation)", 0, 0, steps)
        kind, is_chosen = (
            QInputDialog.getItem(self, "Flag", "Kind", list(FlagKind), 0, False) if is_given else ("", False)
        )
        reason, is_said = QInputDialog.getText(self, "Flag", "Reason") if is_chosen else ("", False)
        if is_said:
            self.add_flag(FlagKind(kind), reason, step)

    def ask_export(self) -> None:
        """Asks for the file into which the log of this set's reviews is written."""
        path, _ = QFileDialog.getSaveFileName(self, "Export reviews", f"{self.entry.name}.jsonl", FILES)
        if path:
            self.export_to(Path(path))

    def export_to(self, path: Path) -> None:
        """Writes the log of this set's reviews into a file."""
        self._ask(lambda project: write_log(project, path, self.entry.name), self.message.emit)

    def ask_merge(self) -> None:
        """Asks for files with reviews of other machines."""
        paths, _ = QFileDialog.getOpenFileNames(self, "Merge reviews", "", FILES)
        if paths:
            self.merge([Path(path) for path in paths])

    def merge(self, paths: Sequence[Path]) -> None:
        """Adds the reviews of files; asks first if they name other sets only."""

        def take(others: tuple[str, ...]) -> None:
            if others:
                self._offer_names(paths, others)
            else:
                self._merge(paths, None)

        self._ask(lambda _: other_sets(paths, self.entry.name), take)

    def _offer_names(self, paths: Sequence[Path], others: tuple[str, ...]) -> None:
        text = f"These reviews are about another set: {', '.join(others)}."
        box = QMessageBox(QMessageBox.Icon.Question, "Merge reviews", text, parent=self)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setInformativeText("A set may have another name on another computer.")
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        here = box.addButton(f"Merge into {self.entry.name}", QMessageBox.ButtonRole.AcceptRole)
        here.clicked.connect(lambda: self._merge(paths, self.entry.name))
        kept = box.addButton("Keep their names", QMessageBox.ButtonRole.ActionRole)
        kept.clicked.connect(lambda: self._merge(paths, None))
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.open()

    def _merge(self, paths: Sequence[Path], puzzle_set: str | None) -> None:
        self._ask(lambda project: merge_logs(project, paths, puzzle_set), self._merged)

    def _merged(self, merged: list[PuzzleMerged]) -> None:
        summary = " ".join(file.summary for file in merged)
        damage = damage_words(merged)
        self.message.emit(summary)
        self.reload()
        if damage:
            box = QMessageBox(QMessageBox.Icon.Warning, "Merge reviews", summary, parent=self)
            box.setTextFormat(Qt.TextFormat.PlainText)
            box.setInformativeText(f"The other lines are merged.\n{damage}")
            box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            box.open()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if paths := dropped_paths(event):
            self.merge(paths)

    def ask_flagging(self) -> None:
        """Asks for a model that reads annotations sent to review."""
        states = [self.reviews[name].state for name in self.names if name in self.reviews]
        self.flagging_asked.emit(self.entry, states.count(ReviewState.CHECKED))

    def ask_reviewers(self) -> ReviewersDialog:
        """Asks for two reviewers of the chosen puzzle."""
        dialog = ReviewersDialog(self.people, self.reviews[self._chosen()].author, self)
        dialog.ordered.connect(self.assign_reviewers)
        dialog.open()
        return dialog

    def _ask(self, question: Callable[[Project], Any], done: Callable[[Any], None]) -> None:
        self._project.ask(
            question, lambda answer: None if self._is_closed else done(answer), lambda text: self.message.emit(text)
        )

    # Parts -------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        heading = QLabel(self.title)
        heading.setObjectName("pageTitle")
        self.figures = QLabel()
        self.figures.setObjectName("secondary")
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        head.addWidget(heading)
        head.addStretch(1)
        for text, tip, act in (
            ("Send drafts", "Send all drafts without errors to review, in your name", self.send),
            ("Flag by a model…", "Ask a model to flag doubtful steps of puzzles sent to review", self.ask_flagging),
            ("Draw audit", "Draw 5 % of the clear or verified puzzles, at least one", self.draw_audit),
            ("Export reviews…", "Write the log of this set's reviews to a file", self.ask_export),
            ("Merge reviews…", "Add the reviews of other computers; files may be dropped here too", self.ask_merge),
            ("Apply results", "Write the results of reviews to the puzzles' folders", self.apply),
        ):
            head.addWidget(_button(text, tip, act))
        self.list = QTreeWidget()
        self.list.setHeaderLabels(["Puzzle", "State", "Flags"])
        self.list.setAccessibleName("Puzzles under review")
        self.list.setRootIsDecorated(False)
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        self.list.currentItemChanged.connect(lambda *_: self._show_puzzle())
        splitter = QSplitter()
        splitter.setHandleWidth(1)
        splitter.addWidget(self.list)
        splitter.addWidget(self._make_side())
        splitter.setSizes([330, 950])
        splitter.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6 * SPACE, 4 * SPACE, 6 * SPACE, 4 * SPACE)
        layout.setSpacing(3 * SPACE)
        layout.addLayout(head)
        layout.addWidget(self.figures)
        layout.addWidget(splitter, 1)

    def _make_side(self) -> QWidget:
        self.name = QLabel()
        self.name.setObjectName("panelTitle")
        self.about = QLabel()
        self.about.setWordWrap(True)
        self.about.setTextFormat(Qt.TextFormat.PlainText)
        self.flag = _button("Flag…", "Flag a doubtful step, with a reason", self._ask_flag)
        self.assign = _button("Assign reviewers…", "Two people who are not the author", self.ask_reviewers)
        self.accept = _button("Verify", "Accept the annotation as it is", self._accept)
        self.correct = _button("Audit: correct", "Nothing is wrong", lambda: self._record(Audited, correct=True))
        self.wrong = _button("Audit: not correct", "Goes back to review", lambda: self._record(Audited, correct=False))
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * SPACE)
        for button in (self.flag, self.assign, self.accept, self.correct, self.wrong):
            buttons.addWidget(button)
        buttons.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        across = QSplitter()
        across.setHandleWidth(1)
        across.setChildrenCollapsible(False)
        across.addWidget(self.pictures)
        across.addWidget(self.area)
        across.setSizes([480, 500])
        side = QWidget()
        side.setObjectName("panel")
        column = QVBoxLayout(side)
        column.setContentsMargins(4 * SPACE, 3 * SPACE, 4 * SPACE, 3 * SPACE)
        column.setSpacing(2 * SPACE)
        column.addWidget(self.name)
        column.addWidget(self.about)
        column.addLayout(buttons)
        column.addWidget(across, 1)
        return side


def _button(text: str, tip: str, act: Callable[[], object]) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip)
    button.clicked.connect(lambda: act())
    return button


def _words(review: Review) -> str:
    """The state in a sentence; it never reveals a reviewer's decision before both have finished."""
    text = f"State: {review.state.label}."
    if review.author:
        text += f" Author: {review.author}."
    if review.reviewers:
        done = [
            f"{name} has finished" if name in review.decisions else f"{name} has not finished"
            for name in review.reviewers
        ]
        text += f" Reviewers: {', '.join(done)}."
    return text + (" The model's answer could not be read; ask it again." if review.has_unreadable_flags else "")


def _flag_line(flag: Flag) -> str:
    place = f"Step {flag.step}" if flag.step else "Annotation"
    return f"{place}, {flag.kind.value}: {flag.reason}"


def _share(value: float | None) -> str:
    return "n/a" if value is None else f"{100 * value:.1f} %"
