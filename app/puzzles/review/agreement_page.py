"""How far two independent annotations of each puzzle agree: figures of the set, and any two side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHeaderView,
    QLabel,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.puzzles.review.adjudication_form import AdjudicationForm
from spatial_workbench.app.puzzles.review.records import ReviewRecords
from spatial_workbench.app.puzzles.review.words import interval_words
from spatial_workbench.app.puzzles.set_list import shown_name
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.puzzles.reviews import pairs_of
from spatial_workbench.engine.puzzles.annotation.double import (
    DoubleAgreement,
    double_agreement,
    share_aligned,
)
from spatial_workbench.engine.puzzles.annotation.review import Review
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.widgets.empty_state import EmptyState
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from collections.abc import Callable

    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.app.puzzles.set_work import SetEntry

NOTHING = (
    "No puzzle has two annotations yet",
    "On the page of the review, choose puzzles and Two annotators. Their annotations are compared here once both are "
    "handed in.",
)
FIGURES = (
    (
        "Steps with a partner",
        "steps",
        "The share of steps that say the same as a step of the other annotation: at least half of their words in "
        "the same order.",
    ),
    (
        "Tags, Krippendorff's alpha",
        "tags",
        "How far both give the same tags beyond chance: 1 always, 0 as often as by chance, below 0 less often. From "
        "0.80 on, agreement is usually called reliable.",
    ),
    ("Same difficulty", "same_difficulty", "The share of puzzles to which both give the same difficulty."),
    ("Same solution", "same_solution", "The share of puzzles with the same solution."),
)
"""Figures of a set: what they are called, their names in `DoubleAgreement`, and what they mean."""


class AgreementPage(QWidget):
    """The agreement of independent annotations in a set.

    Attributes:
        list: The puzzles with two annotations.
        figures: The value of each figure, by its name in `DoubleAgreement`.
    """

    icon_name = "compare"

    def __init__(
        self, project: ProjectService, entry: SetEntry, person: Callable[[], str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.title = f"Agreement · {shown_name(entry)}"
        self.entry = entry
        self.reopened_by = ("", "")
        self.records = ReviewRecords(project, entry, person, self)
        self._pairs: dict[str, tuple[Puzzle, Puzzle]] = {}
        self.figures: dict[str, QLabel] = {}
        self.form: AdjudicationForm | None = None
        self.count = QLabel()
        self.count.setObjectName("secondary")
        self.list = QTreeWidget()
        self.list.currentItemChanged.connect(lambda *_: self._show_pair())
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.empty = EmptyState(*NOTHING)
        self._lay_out()
        self.records.listed.connect(self._show_listing)
        self.records.reload()

    def close_page(self) -> None:
        """Ignores further results."""
        self.records.close()

    def _show_listing(self) -> None:
        reviews = list(self.records.reviews.values())
        pairs = {name: (first, second) for name, first, second in pairs_of(reviews)}
        if pairs == self._pairs and self._pairs:
            return
        self._pairs = pairs
        self._show_figures(double_agreement(list(pairs.values())))
        chosen = self._chosen()
        self.list.clear()
        for name in sorted(pairs, key=self.records.title):
            self._add(self.records.review(name), *pairs[name])
        for k in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(k)
            if item is not None and (item.data(0, 0x100) == chosen or (k == 0 and chosen not in pairs)):
                self.list.setCurrentItem(item)
        self._stack.setCurrentIndex(0 if pairs else 1)

    def _show_figures(self, agreement: DoubleAgreement) -> None:
        self.count.setText(
            f"{counted(agreement.puzzles, 'puzzle')} with two annotations. In brackets: 95 % intervals over puzzles."
        )
        for name, label in self.figures.items():
            label.setText(interval_words(getattr(agreement, name), is_share=name != "tags"))

    def _add(self, review: Review, first: Puzzle, second: Puzzle) -> None:
        aligned = f"{100 * share_aligned(first, second):.0f} %"
        names = review.pair or ("", "")
        item = QTreeWidgetItem(
            self.list, [self.records.title(review.folder), " and ".join(names), aligned, review.state.label]
        )
        item.setData(0, 0x100, review.folder)
        for column in range(4):
            item.setToolTip(column, item.text(column))

    def _chosen(self) -> str:
        item = self.list.currentItem()
        return "" if item is None else str(item.data(0, 0x100))

    def _show_pair(self) -> None:
        name = self._chosen()
        review = self.records.review(name)
        if name not in self._pairs or review.pair is None:
            return
        first, second = self._pairs[name]
        self.form = AdjudicationForm((review.pair[0], first), (review.pair[1], second), None)
        self.area.setWidget(self.form)

    def _lay_out(self) -> None:
        self.list.setHeaderLabels(["Puzzle", "Annotators", "Steps", "State"])
        self.list.setAccessibleName("Puzzles with two annotations")
        self.list.setRootIsDecorated(False)
        head = self.list.headerItem()
        if head is not None:
            head.setToolTip(2, "The share of steps that have a partner")
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for place in (1, 2, 3):
            header.setSectionResizeMode(place, QHeaderView.ResizeMode.ResizeToContents)
        title = QLabel(self.title)
        title.setObjectName("pageTitle")
        splitter = QSplitter()
        splitter.setHandleWidth(1)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.list)
        splitter.addWidget(self.area)
        splitter.setSizes([460, 780])
        splitter.setStretchFactor(1, 1)
        shown = QWidget()
        column = QVBoxLayout(shown)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4 * SPACE)
        column.addWidget(self.count)
        column.addLayout(self._make_figures(FIGURES))
        column.addWidget(splitter, 1)
        self._stack = QStackedWidget()
        self._stack.addWidget(shown)
        self._stack.addWidget(self.empty)
        self._stack.setCurrentIndex(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6 * SPACE, 4 * SPACE, 6 * SPACE, 4 * SPACE)
        layout.setSpacing(3 * SPACE)
        layout.addWidget(title)
        layout.addWidget(self._stack, 1)

    def _make_figures(self, figures: Sequence[tuple[str, str, str]]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(4 * SPACE)
        grid.setVerticalSpacing(SPACE)
        for row, (words, name, about) in enumerate(figures):
            self.figures[name] = QLabel()
            meaning = QLabel(about)
            meaning.setObjectName("secondary")
            meaning.setWordWrap(True)
            for column, label in enumerate((QLabel(words), self.figures[name], meaning)):
                label.setToolTip(about)
                grid.addWidget(label, row, column)
        grid.setColumnStretch(2, 1)
        return grid
