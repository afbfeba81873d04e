"""The catalogue: the home page, a card for every task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from spatial_workbench.app.frame.added import added
from spatial_workbench.app.window.catalogue.card import ARROWS, Card
from spatial_workbench.app.window.catalogue.welcome import Welcome
from spatial_workbench.engine.core import Bucket, Family, broken_tasks, tasks
from spatial_workbench.engine.core.words import counted
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.flow_layout import FlowLayout
from spatial_workbench.widgets.search_field import SearchField
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

if TYPE_CHECKING:
    from spatial_workbench.engine.store import TaskProgress


class Catalogue(QWidget):
    """Cards of all tasks with search, filters and progress.

    Signals:
        instance_chosen(str): open the instance with this address.
        generate_chosen(str): generate an instance of the task with this id.
        levels_wanted(): make or change levels of machines.
        example_chosen(): open the example project.
    """

    instance_chosen = Signal(str)
    generate_chosen = Signal(str)
    levels_wanted = Signal()
    example_chosen = Signal()
    title = "Catalogue"
    icon_name = "home"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._progress: Mapping[str, TaskProgress] = {}
        self._cards: list[Card] = []
        self._has_old_pictures = False
        self._headings: dict[Family, QLabel] = {}
        self.search = SearchField("Search tasks")
        self.search.setMinimumWidth(260)
        self.search.textChanged.connect(self._filter)
        self.family = self._choice("All systems", [family.label for family in _families()])
        self.bucket = self._choice("All buckets", [bucket.label for bucket in _buckets()])
        self._totals = QLabel()
        self._totals.setObjectName("secondary")
        self._totals.setWordWrap(True)
        self._nothing = QLabel("No task matches. Clear the search or the filters.")
        self._nothing.setObjectName("secondary")
        self._nothing.hide()
        self._broken = QLabel(_broken_words())
        self._broken.setObjectName("error")
        self._broken.setWordWrap(True)
        self._broken.setVisible(bool(broken_tasks()))
        self._welcome = Welcome()
        self._welcome.example.clicked.connect(self.example_chosen)
        self._welcome.task_chosen.connect(lambda task_id: self.instance_chosen.emit(f"{task_id}:0"))
        self._grid = QWidget()
        self._flow = FlowLayout(self._grid, fills=True)
        self._lay_out()
        self._make_cards()
        self._filter()
        appearance().changed.connect(self._retint)
        added().changed.connect(self._show_cards)

    def close_page(self) -> None:
        """Does nothing: the catalogue stays open as long as the window."""

    def show_progress(self, progress: Mapping[str, TaskProgress]) -> None:
        """Shows the progress of each task."""
        self._progress = progress
        self._show_cards()
        self._welcome.setVisible(not progress)
        self._show_totals()

    def _show_cards(self) -> None:
        for card in self._cards:
            card.show_progress(self._progress.get(card.task.id))

    def _make_cards(self) -> None:
        for task in tasks():
            if task.family not in self._headings:
                self._headings[task.family] = self._add_heading(task.family)
            card = Card(task)
            card.instance_chosen.connect(self.instance_chosen)
            card.generate_chosen.connect(self.generate_chosen)
            card.levels_wanted.connect(self.levels_wanted)
            card.left.connect(lambda x, y: self._step_card((x, y)))
            self._flow.addWidget(card)
            self._cards.append(card)

    def _add_heading(self, family: Family) -> QLabel:
        heading = QLabel(family.label)
        heading.setObjectName("sectionTitle")
        self._flow.add_heading(heading)
        return heading

    def _filter(self) -> None:
        words = self.search.text().lower().split()
        family = [None, *_families()][self.family.currentIndex()]
        bucket = [None, *_buckets()][self.bucket.currentIndex()]
        for card in self._cards:
            task = card.task
            text = f"{task.title} {task.summary} {task.id} {task.bucket.id} {task.family.label}".lower()
            fits = all(word in text for word in words)
            _set_hidden(card, not (fits and family in (None, task.family) and bucket in (None, task.bucket)))
        shown = {card.task.family for card in self._cards if not card.isHidden()}
        for heading_family, heading in self._headings.items():
            _set_hidden(heading, heading_family not in shown)
        self._nothing.setText(self._nothing_words())
        self._nothing.setVisible(all(card.isHidden() for card in self._cards))
        self._show_totals()

    def _nothing_words(self) -> str:
        typed = self.search.text().strip()
        what = f"No task matches “{typed}”" if typed else "No task matches"
        where = " with these filters" if self._is_filtered() else ""
        return f"{what}{where}. Press Esc to see all tasks."

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc clears the search, arrows go from card to card."""
        if event.key() == Qt.Key.Key_Escape and (self.search.text() or self._is_filtered()):
            self.search.clear()
            self.family.setCurrentIndex(0)
            self.bucket.setCurrentIndex(0)
        elif event.key() in ARROWS:
            self._step_card(ARROWS[event.key()])
        else:
            super().keyPressEvent(event)

    def _is_filtered(self) -> bool:
        return bool(self.family.currentIndex() or self.bucket.currentIndex())

    def _step_card(self, way: tuple[int, int]) -> None:
        """Moves the focus to the nearest card in a direction; to the first card if none has the focus."""
        shown = [card for card in self._cards if not card.isHidden()]
        current = self.focusWidget()
        if current not in shown:
            target = shown[0] if shown and way[1] > 0 else None
        else:
            target = nearest(current, [card for card in shown if card is not current], way)
        if target is not None:
            target.setFocus()
            self._area.ensureWidgetVisible(target)

    def _show_totals(self) -> None:
        shown = [card for card in self._cards if not card.isHidden()]
        counts = Counter[str]()
        for card in shown:
            counts[card.task.bucket.id] += len(card.task.instances())
        solved = sum(len(p.solved) for card in shown if (p := self._progress.get(card.task.id)))
        buckets = ", ".join(f"{counts[bucket.id]} {bucket.id}" for bucket in _buckets() if counts[bucket.id])
        buckets = f" ({buckets})" if buckets else ""
        self._totals.setText(
            f"{counted(len(shown), 'task')} · {counted(counts.total(), 'subtask')}{buckets} · {solved} solved"
        )

    def _retint(self) -> None:
        """Loads the pictures of another theme once they are visible."""
        self._has_old_pictures = not self.isVisible()
        if self.isVisible():
            for card in self._cards:
                card.load_picture()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._has_old_pictures:
            self._retint()

    def _choice(self, everything: str, options: list[str]) -> QComboBox:
        combo = ChoiceBox()
        combo.addItems([everything, *options])
        combo.setAccessibleName(everything)
        combo.currentIndexChanged.connect(self._filter)
        return combo

    def _lay_out(self) -> None:
        title = QLabel("Catalogue")
        title.setObjectName("pageTitle")
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        head.addWidget(title)
        head.addStretch(1)
        for widget in (self.search, self.family, self.bucket):
            head.addWidget(widget)
        body = QWidget()
        body.setObjectName("page")
        column = QVBoxLayout(body)
        column.setContentsMargins(6 * SPACE, 4 * SPACE, 6 * SPACE, 6 * SPACE)
        column.setSpacing(4 * SPACE)
        column.addWidget(self._welcome)
        column.addWidget(self._broken)
        column.addWidget(self._nothing)
        column.addWidget(self._grid)
        column.addStretch(1)
        self._area = area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(body)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        top = QVBoxLayout()
        top.setContentsMargins(6 * SPACE, 6 * SPACE, 6 * SPACE, 2 * SPACE)
        top.setSpacing(SPACE)
        top.addLayout(head)
        top.addWidget(self._totals)
        outer.addLayout(top)
        outer.addWidget(area, 1)


def nearest(start: QWidget, others: list[Card], way: tuple[int, int]) -> Card | None:
    """The next card in a direction: in the same row, or the closest in the next row; None if there is none."""
    x, y = start.x(), start.y()
    if way[0]:
        beside = [card for card in others if card.y() == y and (card.x() - x) * way[0] > 0]
        return min(beside, key=lambda card: abs(card.x() - x), default=None)
    beyond = [card for card in others if (card.y() - y) * way[1] > 0]
    return min(beyond, key=lambda card: (abs(card.y() - y), abs(card.x() - x)), default=None)


def _set_hidden(widget: QWidget, is_hidden: bool) -> None:
    """Hides or shows a widget if it is not so already: showing each card again would lay out the page each time."""
    if widget.isHidden() is not is_hidden:
        widget.setHidden(is_hidden)


def _broken_words() -> str:
    """Which tasks cannot be used, and why."""
    broken = broken_tasks()
    reasons = "; ".join(f"{task.name}: {task.reason}" for task in broken)
    return f"{counted(len(broken), 'task cannot', 'tasks cannot')} be used. {reasons}. The log says more."


def _families() -> list[Family]:
    return list(dict.fromkeys(task.family for task in tasks()))


def _buckets() -> list[Bucket]:
    """The benchmark's three buckets in their order, then those that other packages add."""
    present = dict.fromkeys(task.bucket for task in tasks())
    return [
        *(bucket for bucket in Bucket.PUBLISHED if bucket in present),
        *(bucket for bucket in present if bucket not in Bucket.PUBLISHED),
    ]
