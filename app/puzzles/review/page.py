"""The review of a set: its puzzles at the left, the chosen one with its review at the right."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QUndoStack
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.frame.drops import level_paths
from spatial_workbench.app.puzzles.review.exchange import ReviewExchange
from spatial_workbench.app.puzzles.review.pictures import ReviewPictures
from spatial_workbench.app.puzzles.review.puzzle_panel import ReviewPanel
from spatial_workbench.app.puzzles.review.queue_list import QueueList
from spatial_workbench.app.puzzles.review.records import ReviewRecords
from spatial_workbench.app.puzzles.review.words import FIGURES_TIP, KAPPA_WORDS, figure_words
from spatial_workbench.app.puzzles.set_list import shown_name
from spatial_workbench.engine.puzzles.annotation.review import ReviewState, review_statistics
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.qt import dropped_paths
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import Jobs
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.app.puzzles.set_work import SetEntry


class ReviewPage(QWidget):
    """The puzzles of a set with the states of their reviews, and what the chosen person can do about one of them.

    Attributes:
        queues: The puzzles in their queues.
        undo_stack: What was chosen for a third annotation.
        records: The log of the set's reviews.
        exchange: What writes the log to files, and merges others.
        panel: The chosen puzzle.

    Signals:
        message(str): a note for the status bar.
        applied(object): the set's folders were changed.
        flagging_asked(object, int): a model is to flag the set's puzzles; so many wait for it.
        own_asked(object, str): the chosen person's own copy of a puzzle is to be opened: its set, and its folder.
        handing_in(str): the chosen person hands in what they have written in their own copy of a puzzle.
        agreement_asked(object): the agreement of independent annotations of the set is to be shown.
    """

    icon_name = "check"
    message = Signal(str)
    applied = Signal(object)
    flagging_asked = Signal(object, int)
    own_asked = Signal(object, str)
    handing_in = Signal(str)
    agreement_asked = Signal(object)

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
        self.title = f"Review · {shown_name(entry)}"
        self.entry = entry
        self.reopened_by = ("", "")
        self._wanted = ""
        """The puzzle to go to with the next reading."""
        self.records = ReviewRecords(project, entry, person, self)
        self.exchange = ReviewExchange(self, self.records)
        self.undo_stack = QUndoStack(self)
        self.panel = ReviewPanel(self.records, ReviewPictures(jobs, entry.path), self.undo_stack)
        self.panel.own_asked.connect(self.own_asked)
        self.panel.handing_in.connect(self.handing_in)
        self.queues = QueueList(person)
        self.queues.chosen.connect(self._show_puzzle)
        self.queues.assignment_asked.connect(self.panel.ask_reviewers)
        self.queues.doubling_asked.connect(self.panel.ask_annotators)
        self.figures = QLabel()
        self.figures.setObjectName("secondary")
        self.figures.setToolTip(FIGURES_TIP)
        self.figures.setWordWrap(True)
        self.records.message.connect(self.message)
        self.records.listed.connect(self._show_listing)
        self.records.applied.connect(lambda: self.applied.emit(entry))
        self.records.applied.connect(self.panel.pictures.read_again)
        self._lay_out()
        self.records.reload()

    def close_page(self) -> None:
        """Ignores further results."""
        self.records.close()
        self.panel.pictures.close_pictures()

    def choose(self, folder: str) -> None:
        """Goes to a puzzle."""
        self.queues.choose(folder)

    def choose_when_listed(self, folder: str) -> None:
        """Goes to a puzzle as soon as the review has been read."""
        self._wanted = folder
        self.records.reload()

    def ask_flagging(self) -> None:
        """Asks for a model that reads annotations sent to review."""
        records = self.records
        states = [records.reviews[name].state for name in records.names if name in records.reviews]
        self.flagging_asked.emit(self.entry, states.count(ReviewState.CHECKED))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() and not level_paths(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if paths := dropped_paths(event):
            self.exchange.merge(paths)

    # What is shown -----------------------------------------------------------------------------------------------

    def _show_listing(self) -> None:
        records = self.records
        names = sorted({*records.names, *records.reviews})
        self.queues.show_reviews([records.review(name) for name in names], records.titles)
        if self._wanted in names:
            self.choose(self._wanted)
            self._wanted = ""
        figures = review_statistics(records.reviews.values())
        # What kappa is stands where it is first seen.
        self.figures.setText(f"{figure_words(figures)}{f'. {KAPPA_WORDS}' if figures.pairs else ''}")

    def _show_puzzle(self) -> None:
        self.panel.show_review(self.records.review(self.queues.current()))

    # Parts -------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        splitter = QSplitter()
        splitter.setHandleWidth(1)
        splitter.addWidget(self.queues)
        splitter.addWidget(self.panel)
        splitter.setSizes([380, 900])
        splitter.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6 * SPACE, 4 * SPACE, 6 * SPACE, 4 * SPACE)
        layout.setSpacing(3 * SPACE)
        layout.addLayout(self._make_head())
        layout.addWidget(self.figures)
        layout.addWidget(splitter, 1)

    def _make_head(self) -> QHBoxLayout:
        heading = QLabel(self.title)
        heading.setObjectName("pageTitle")
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        head.addWidget(heading)
        head.addStretch(1)
        records = self.records
        exchange = self.exchange
        for text, tip, act in (
            ("Send drafts", "Send all drafts without errors to review, in your name", records.send),
            ("Flag by a model…", "Ask a model to flag doubtful steps of puzzles sent to review", self.ask_flagging),
            (
                "Agreement…",
                "How far independent annotations agree, and any two side by side",
                lambda: self.agreement_asked.emit(self.entry),
            ),
            ("Draw audit", "Draw 5 % of the clear or verified puzzles, at least one", records.draw_audit),
            ("Export reviews…", "Write the log of this set's reviews to a file", exchange.ask_export),
            (
                "Merge reviews…",
                "Add what others did: their exported reviews, or their projects; files may be dropped here too",
                exchange.ask_merge,
            ),
            (
                "Apply results",
                "Write the results of reviews, and what others annotated, to the puzzles' folders",
                records.apply,
            ),
        ):
            head.addWidget(make_button(text, "", act, tip))
        return head
