"""The puzzles under review as a list: whose queue, a search, and which puzzles are chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.puzzles.review.words import MEANINGS
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.annotation.queues import ReviewQueue, in_queue, is_overdue
from spatial_workbench.engine.puzzles.annotation.review import (
    ASSIGNABLE,
    DOUBLE_STATES,
    DOUBLED_FROM,
    Review,
)
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.qt import top_items
from spatial_workbench.widgets.search_field import SearchField
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

_FOLDER = Qt.ItemDataRole.UserRole


class QueueList(QWidget):
    """Lists the reviews of a queue; several can be selected, and reviewers assigned to them at once.

    Signals:
        chosen(): another puzzle is the current one.
        assignment_asked(tuple): reviewers are to be assigned to these puzzles.
        doubling_asked(tuple): two people are to annotate these puzzles independently.
    """

    chosen = Signal()
    assignment_asked = Signal(tuple)
    doubling_asked = Signal(tuple)

    def __init__(self, person: Callable[[], str]) -> None:
        """person: returns the name of the chosen person."""
        super().__init__()
        self._person = person
        self._reviews: dict[str, Review] = {}
        self._titles: Mapping[str, str] = {}
        self.queue = ChoiceBox()
        self.queue.setAccessibleName("Queue")
        for queue in ReviewQueue:
            self.queue.addItem(queue.label.capitalize(), queue.value)
        self.queue.currentIndexChanged.connect(lambda _: self._list())
        self.search = SearchField("Search the reviews")
        self.search.setToolTip("Titles, states, people, flags and comments")
        self.search.textChanged.connect(lambda _: self._list())
        self.count = QLabel()
        self.count.setObjectName("secondary")
        self.assign = make_button("Assign…", "", self._ask, "Assign two reviewers to all selected puzzles")
        self.double = make_button(
            "Two annotators…",
            "",
            lambda: self.doubling_asked.emit(self._to_double()),
            "Let two people annotate the selected drafts, without seeing each other's annotations",
        )
        self.list = QTreeWidget()
        self.list.currentItemChanged.connect(lambda *_: self.chosen.emit())
        self.list.itemSelectionChanged.connect(self._show_selection)
        self._lay_out()

    def show_reviews(self, reviews: Sequence[Review], titles: Mapping[str, str]) -> None:
        """Shows the reviews of a set; the current puzzle stays as long as it is in the queue.

        titles: What the puzzles are called, by folder.
        """
        self._titles = titles
        self._reviews = {review.folder: review for review in reviews}
        self._list()

    def current(self) -> str:
        """The folder of the current puzzle; empty if there is none."""
        item = self.list.currentItem()
        return "" if item is None else str(item.data(0, _FOLDER))

    def selected(self) -> tuple[str, ...]:
        """The folders of the selected puzzles, from the top."""
        return tuple(str(item.data(0, _FOLDER)) for item in top_items(self.list) if item.isSelected())

    def choose(self, folder: str) -> None:
        """Goes to a puzzle of the queue."""
        for item in top_items(self.list):
            if item.data(0, _FOLDER) == folder:
                self.list.setCurrentItem(item)

    def choose_queue(self, queue: ReviewQueue) -> None:
        """Shows another queue."""
        self.queue.setCurrentIndex(self.queue.findData(queue.value))

    def _list(self) -> None:
        chosen, selected = self.current(), self.selected()
        queue = ReviewQueue(self.queue.currentData())
        found = in_queue(self._reviews.values(), queue, self._person(), self.search.text(), self._titles)
        self.list.blockSignals(True)
        self.list.clear()
        for review in found:
            self._add(review)
        self.choose(chosen)
        if not self.current() and found:
            self.choose(found[0].folder)
        for item in top_items(self.list):
            item.setSelected(item.isSelected() or item.data(0, _FOLDER) in selected)
        self.list.blockSignals(False)
        self.count.setText(_count_words(len(found), len(self._reviews)))
        self._show_selection()
        self.chosen.emit()

    def _add(self, review: Review) -> None:
        due = ""
        if review.due is not None:
            is_late = is_overdue(review, datetime.now(UTC).date())
            due = f"{review.due.isoformat()}{' overdue' if is_late else ''}"
        title = self._titles.get(review.folder, review.folder)
        columns = [title, review.state.label, due, str(len(review.flags) or "")]
        item = QTreeWidgetItem(self.list, columns)
        item.setData(0, _FOLDER, review.folder)
        item.setToolTip(0, f"{title}\nFolder: {review.folder}")
        people = review.annotators if review.state in DOUBLE_STATES else review.reviewers
        item.setToolTip(1, "\n".join(filter(None, (MEANINGS[review.state], ", ".join(people)))))

    def _assignable(self) -> tuple[str, ...]:
        known = (self._reviews.get(name, Review(name)) for name in self.selected())
        return tuple(review.folder for review in known if review.state in ASSIGNABLE and not review.decisions)

    def _to_double(self) -> tuple[str, ...]:
        known = (self._reviews.get(name, Review(name)) for name in self.selected())
        return tuple(review.folder for review in known if review.state in DOUBLED_FROM)

    def _ask(self) -> None:
        self.assignment_asked.emit(self._assignable())

    def _show_selection(self) -> None:
        count = len(self._assignable())
        self.assign.setEnabled(count > 0)
        self.assign.setText(f"Assign {count}…" if count > 1 else "Assign…")
        self.double.setEnabled(bool(self._to_double()))

    def _lay_out(self) -> None:
        self.list.setHeaderLabels(["Puzzle", "State", "Due", "Flags"])
        self.list.setAccessibleName("Puzzles under review")
        self.list.setRootIsDecorated(False)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2, 3):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        head.addWidget(self.queue)
        head.addWidget(self.search, 1)
        foot = QHBoxLayout()
        foot.setSpacing(2 * SPACE)
        foot.addWidget(self.count, 1)
        foot.addWidget(self.double)
        foot.addWidget(self.assign)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 2 * SPACE, 0)
        layout.setSpacing(2 * SPACE)
        layout.addLayout(head)
        layout.addWidget(self.list, 1)
        layout.addLayout(foot)


def _count_words(shown: int, known: int) -> str:
    if not shown and known:
        return "No puzzle is in this queue."
    return counted(known, "puzzle") if shown == known else f"{shown} of {counted(known, 'puzzle')}"
