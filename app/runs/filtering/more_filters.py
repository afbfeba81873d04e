"""The filters of the runs browser that are needed less often, in a popup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QGridLayout, QLineEdit, QPushButton

from spatial_workbench.app.attempts.columns import ACTORS
from spatial_workbench.app.attempts.words import end_words
from spatial_workbench.app.frame.controls import ChoiceButton, DateRange, Popup, Range
from spatial_workbench.app.runs.filtering.filter_words import RANGES, active_filters
from spatial_workbench.engine.store import Actor, RunFilter
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

if TYPE_CHECKING:
    from spatial_workbench.engine.store import BatchRow

_ANY_TOOLS = (("With or without", None), ("With tools", True), ("Without tools", False))
_ANY_HELP = (("With or without", None), ("Without solving aids", False), ("With solving aids", True))
_FIRST_FIELDS = (
    "actor",
    "address",
    "batch",
    "tools",
    "is_helped",
    "score_min",
    "measured_min",
    "seconds_min",
    "tokens_min",
    "since",
    "is_overridden",
    "differs",
    "input_min",
    "reasoning_min",
    "repeat_min",
    "has_note",
    "is_cut_off",
    *("failed_checks", "run_ends", "finish_reasons", "tags"),
)
"""The first field of each filter in the popup."""


LISTS = (
    ("Label", "tags"),
    ("Failed check", "failed_checks"),
    ("Stop reason", "run_ends"),
    ("Finish reason", "finish_reasons"),
)
"""The lists of the popup, with the fields of the filter."""


class MoreFilters(Popup):
    """Labels, checks, how runs ended, author, instance, batch, tools, help, ranges, dates, and what holds or not.

    Signals:
        changed(dict): the fields of the filter that the user changed, with their values.
    """

    changed = Signal(dict)

    def __init__(self, button: QPushButton) -> None:
        super().__init__(button)
        authors = [("Anyone", None), *((ACTORS[actor.value][1], actor) for actor in Actor)]
        self.actor = self._make_choice("Author", authors, "actor")
        self.tools = self._make_choice("Tools", _ANY_TOOLS, "tools")
        self.help = self._make_choice("Help", _ANY_HELP, "is_helped")
        self.batch = self._make_choice("Batch", [("Any batch", None)], "batch")
        self.address = QLineEdit()
        self.address.setPlaceholderText("such as lego_hemisphere:3")
        self.address.setAccessibleName("Address of an instance")
        self.address.editingFinished.connect(self._take_address)
        self.choices = {field: self._make_list(name, field) for name, field in LISTS}
        self.noted = self._make_tick("Only with a note", "has_note")
        self.cut_off = self._make_tick("Only what was cut off", "is_cut_off")
        self.cut_off.setToolTip("By time, steps, the end of its program, the output limit or a filter of the provider")
        self.overridden = self._make_tick("Only overridden scores", "is_overridden")
        self.differing = self._make_tick("Only known differences", "differs")
        self.differing.setToolTip("Attempts that a verifier with other rules decides differently")
        self.ranges = {name: self._make_range(name, *fields) for name, fields in RANGES.items()}
        self.dates = DateRange("Submitted")
        self.dates.changed.connect(lambda since, until: self.changed.emit({"since": since, "until": until}))
        self._lay_out()

    def set_choices(self, choices: Mapping[str, Sequence[str]]) -> None:
        """Sets what the lists offer; a list without anything to choose is grey."""
        for field, button in self.choices.items():
            words = end_words if field in ("run_ends", "finish_reasons") else str
            button.set_options([(value, words(value)) for value in choices[field]])
            button.setEnabled(bool(choices[field]) or bool(button.chosen))

    def set_batches(self, batches: Sequence[BatchRow]) -> None:
        """Sets the batches to choose from."""
        with QSignalBlocker(self.batch):
            self.batch.clear()
            self.batch.addItem("Any batch", None)
            for batch in batches:
                self.batch.addItem(with_marks(f"{batch.number} · {batch.name}"), batch.number)

    def show_filter(self, run_filter: RunFilter) -> None:
        """Shows the values of a filter."""
        for field, button in self.choices.items():
            button.set_chosen(getattr(run_filter, field))
        self.noted.setChecked(bool(run_filter.has_note))
        self.cut_off.setChecked(bool(run_filter.is_cut_off))
        self.overridden.setChecked(bool(run_filter.is_overridden))
        self.differing.setChecked(bool(run_filter.differs))
        self.address.setText(run_filter.address or "")
        show_choice(self.tools, run_filter.tools)
        show_choice(self.help, run_filter.is_helped)
        show_choice(self.batch, run_filter.batch)
        show_choice(self.actor, run_filter.actor)
        for name, (low, high, _) in RANGES.items():
            self.ranges[name].set_bounds(getattr(run_filter, low), getattr(run_filter, high))
        self.dates.set_bounds(run_filter.since, run_filter.until)

    def _take_address(self) -> None:
        self.changed.emit({"address": self.address.text().strip() or None})

    def _make_choice(self, name: str, options: Sequence[tuple[str, Any]], field: str) -> QComboBox:
        combo = make_choice(name, options)
        combo.currentIndexChanged.connect(lambda: self.changed.emit({field: combo.currentData()}))
        return combo

    def _make_list(self, name: str, field: str) -> ChoiceButton:
        button = ChoiceButton(name)
        button.changed.connect(lambda values: self.changed.emit({field: values or None}))
        return button

    def _make_tick(self, text: str, field: str) -> QCheckBox:
        box = QCheckBox(text)
        box.clicked.connect(lambda on: self.changed.emit({field: True if on else None}))
        return box

    def _make_range(self, name: str, low: str, high: str, whole: bool) -> Range:
        field = Range(name, whole)
        field.changed.connect(lambda least, most: self.changed.emit({low: least, high: most}))
        return field

    def _lay_out(self) -> None:
        form = QFormLayout(self)
        form.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        form.setVerticalSpacing(2 * SPACE)
        form.setHorizontalSpacing(4 * SPACE)
        lists = QGridLayout()
        lists.setSpacing(2 * SPACE)
        for place, button in enumerate(self.choices.values()):
            lists.addWidget(button, place // 2, place % 2)
        form.addRow(lists)
        form.addRow("Author", self.actor)
        form.addRow("Instance", self.address)
        form.addRow("Batch", self.batch)
        form.addRow("Tools", self.tools)
        form.addRow("Help", self.help)
        for name, field in self.ranges.items():
            form.addRow(name, field)
        form.addRow("Submitted", self.dates)
        ticks = QGridLayout()
        ticks.setSpacing(2 * SPACE)
        for place, tick in enumerate((self.noted, self.cut_off, self.overridden, self.differing)):
            ticks.addWidget(tick, place // 2, place % 2)
        form.addRow(ticks)


def active_in_popup(run_filter: RunFilter) -> int:
    """How many filters of the popup are active."""
    return sum(fields[0] in _FIRST_FIELDS for _, fields in active_filters(run_filter))


def make_choice(name: str, options: Sequence[tuple[str, Any]]) -> QComboBox:
    """A choice among values, each with its words."""
    combo = ChoiceBox()
    combo.setAccessibleName(name)
    for text, value in options:
        combo.addItem(text, value)
    return combo


def show_choice(combo: QComboBox, value: Any) -> None:
    """Shows a value without a signal; the first one if it is not among those to choose from."""
    with QSignalBlocker(combo):
        combo.setCurrentIndex(max(0, combo.findData(value)))
