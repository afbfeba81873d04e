"""The filter bar of the runs browser: search, frequent filters, a popup for the rest, and chips for active ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from spatial_workbench.app.attempts.columns import how_read_text, task_title
from spatial_workbench.app.frame.controls import ChoiceButton, mark_as_dropdown
from spatial_workbench.app.runs.filtering.filter_chips import FilterChips
from spatial_workbench.app.runs.filtering.more_filters import MoreFilters, active_in_popup, make_choice, show_choice
from spatial_workbench.engine.store import RunFilter
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.search_field import SearchField
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.engine.store import BatchRow

TYPING_MS = 120
"""How long to wait after a keystroke before the search begins."""
RESULTS: tuple[tuple[str, dict[str, bool | None]], ...] = (
    ("Any result", {"passed": None, "is_read": None}),
    ("Passed", {"passed": True, "is_read": None}),
    ("Not passed", {"passed": False, "is_read": True}),
    ("Unreadable", {"passed": None, "is_read": False}),
    ("Not passed, or unreadable", {"passed": False, "is_read": None}),
)
"""The results to choose from, with the fields of the filter."""


class FilterBar(QWidget):
    """Chooses which attempts are listed.

    Signals:
        changed(): `run_filter` has changed.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.run_filter = RunFilter()
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._typing.timeout.connect(self._take_search)
        self.search = self._make_search()
        self.tasks = self._make_choices("Task", "tasks")
        self.who = self._make_choices("Who", "who")
        self.labels = self._make_choices("Failure mode", "labels")
        self.how_read = self._make_choices("Read", "how_read")
        self.how_read.setToolTip("How the answers were read, or why there is none")
        self.result = make_choice("Result", [(words, place) for place, (words, _) in enumerate(RESULTS)])
        self.result.setToolTip("An answer is unreadable if none could be found in the reply, for whatever reason")
        self.result.currentIndexChanged.connect(lambda place: self._change_filter(RESULTS[place][1]))
        self.known_labels: Sequence[str] = ()
        self.disagreeing = QPushButton(icon("warning"), "Disagreements")
        self.disagreeing.setCheckable(True)
        self.disagreeing.setToolTip("Only attempts about which default verifier and cross-check disagree")
        self.disagreeing.clicked.connect(lambda on: self._change_filter({"disagrees": True if on else None}))
        self.more = QPushButton("More filters")
        mark_as_dropdown(self.more)
        self.more.setToolTip("Labels and notes, checks, how runs ended, author, instance, batch, ranges and dates")
        self.popup = MoreFilters(self.more)
        self.popup.changed.connect(self._change_filter)
        self.chips = FilterChips()
        self.chips.removed.connect(self._remove)
        self.chips.cleared.connect(self.clear)
        self._lay_out()
        self._show_filter()

    def clear(self) -> None:
        """Removes all filters."""
        self.set_filter(RunFilter())

    def set_filter(self, run_filter: RunFilter) -> None:
        """Replaces the filter."""
        self._typing.stop()
        if run_filter != self.run_filter:
            self.run_filter = run_filter
            self._show_filter()
            self.changed.emit()

    def set_choices(self, choices: Mapping[str, Sequence[str]], batches: Sequence[BatchRow]) -> None:
        """Sets the tasks, names, failure modes, labels, batches and so on to choose from."""
        titled = sorted(((task, task_title(task)) for task in choices["tasks"]), key=lambda pair: pair[1])
        self.tasks.set_options(titled)
        self.who.set_options([(name, name) for name in choices["who"]])
        self.labels.set_options([(name, name) for name in choices["labels"]])
        self.how_read.set_options([(name, how_read_text(name)) for name in choices["how_read"]])
        self.known_labels = choices["tags"]
        self.popup.set_choices(choices)
        self.popup.set_batches(batches)
        self._show_filter()

    def _change_filter(self, changes: Mapping[str, Any]) -> None:
        self.set_filter(RunFilter.model_validate({**self.run_filter.model_dump(), **changes}))

    def _take_search(self) -> None:
        self._change_filter({"text": self.search.text()})

    def _remove(self, fields: Sequence[str]) -> None:
        plain = RunFilter()
        self._change_filter({field: getattr(plain, field) for field in fields})

    def _show_filter(self) -> None:
        """Updates the controls and the chips to the current filter."""
        run_filter = self.run_filter
        if self.search.text() != run_filter.text:
            with QSignalBlocker(self.search):
                self.search.setText(run_filter.text)
        self.tasks.set_chosen(run_filter.tasks)
        self.who.set_chosen(run_filter.who)
        self.labels.set_chosen(run_filter.labels)
        self.how_read.set_chosen(run_filter.how_read)
        self.disagreeing.setChecked(bool(run_filter.disagrees))
        show_choice(self.result, _place_of_result(run_filter))
        self.popup.show_filter(run_filter)
        self.chips.show_filter(run_filter)
        count = active_in_popup(run_filter)
        self.more.setText(f"More filters · {count}" if count else "More filters")

    def _make_search(self) -> SearchField:
        search = SearchField("Search in prompts, answers, transcripts, notes")
        search.setToolTip(
            "All words have to occur; a word may be the beginning of a longer one. An address such as shikaku:3, "
            "or :3, finds that instance only (Ctrl+F)"
        )
        search.setMinimumWidth(300)
        search.textChanged.connect(lambda: self._typing.start())
        return search

    def _make_choices(self, title: str, field: str) -> ChoiceButton:
        button = ChoiceButton(title)
        button.changed.connect(lambda values: self._change_filter({field: values or None}))
        return button

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        row.addWidget(self.search, 1)
        for widget in (self.tasks, self.who, self.result, self.labels, self.how_read, self.disagreeing, self.more):
            row.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * SPACE)
        column.addLayout(row)
        column.addWidget(self.chips)


def _place_of_result(run_filter: RunFilter) -> int:
    """The entry of RESULTS that a filter chooses; the first for one that is not among them."""
    chosen = {"passed": run_filter.passed, "is_read": run_filter.is_read}
    return next((place for place, (_, fields) in enumerate(RESULTS) if fields == chosen), 0)
