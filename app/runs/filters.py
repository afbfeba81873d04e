"""The filter bar of the runs browser: search, frequent filters, a popup for the rest, and chips for active ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.attempts.columns import ACTORS, how_read_text, task_title
from spatial_workbench.app.frame.controls import Chip, ChoiceButton, DateRange, Popup, Range, day_of, mark_as_dropdown
from spatial_workbench.engine.store import Actor, RunFilter
from spatial_workbench.widgets.flow_layout import FlowLayout
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.engine.store import BatchRow

TYPING_MS = 120
"""How long to wait after a keystroke before the search begins."""
_ANY_RESULT = (("Any result", None), ("Passed", True), ("Not passed", False))
_ANY_TOOLS = (("With or without", None), ("With tools", True), ("Without tools", False))
_ANY_HELP = (("With or without", None), ("Without solving aids", False), ("With solving aids", True))
_RANGES = {
    "Score": ("score_min", "score_max", False),
    "Measured": ("measured_min", "measured_max", False),
    "Time, s": ("seconds_min", "seconds_max", False),
    "Tokens out": ("tokens_min", "tokens_max", True),
}


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
        self._typing.timeout.connect(self._typed)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search in prompts, answers, transcripts")
        self.search.setAccessibleName("Search in prompts, answers and transcripts")
        self.search.setToolTip("All words have to occur; a word may be the beginning of a longer one (Ctrl+F)")
        self.search.setClearButtonEnabled(True)
        self.search.addAction(icon("search", "secondary"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.setMinimumWidth(300)
        self.search.textChanged.connect(lambda: self._typing.start())
        self.tasks = self._choice("Task", "tasks")
        self.who = self._choice("Who", "who")
        self.labels = self._choice("Failure mode", "labels")
        self.how_read = self._choice("Read", "how_read")
        self.how_read.setToolTip("How the answers were read, or why there is none")
        self.result = self._combo("Result", _ANY_RESULT, "passed")
        self.disagreeing = QPushButton(icon("warning"), "Disagreements")
        self.disagreeing.setCheckable(True)
        self.disagreeing.setToolTip("Only attempts about which default verifier and cross-check disagree")
        self.disagreeing.clicked.connect(lambda on: self._change_filter(disagrees=True if on else None))
        self.more = QPushButton("More filters")
        mark_as_dropdown(self.more)
        self.more.setToolTip("Author, instance, batch, ranges of score, measured figures, time, tokens and dates")
        self._make_more()
        self._chips = QWidget()
        self._clear = QPushButton("Clear")
        self._clear.setObjectName("link")
        self._clear.setToolTip("Remove all filters")
        self._clear.clicked.connect(self.clear)
        self._lay_out()
        self._show_filter()

    @property
    def is_active(self) -> bool:
        """Whether any filter is active."""
        return self.run_filter != RunFilter()

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
        """Sets the tasks, names, failure modes and batches to choose from."""
        titled = sorted(((task, task_title(task)) for task in choices["tasks"]), key=lambda pair: pair[1])
        self.tasks.set_options(titled)
        self.who.set_options([(name, name) for name in choices["who"]])
        self.labels.set_options([(name, name) for name in choices["labels"]])
        self.how_read.set_options([(name, how_read_text(name)) for name in choices["how_read"]])
        self.batch.blockSignals(True)
        self.batch.clear()
        self.batch.addItem("Any batch", None)
        for batch in batches:
            self.batch.addItem(with_marks(f"{batch.number} · {batch.name}"), batch.number)
        self.batch.blockSignals(False)
        self._show_filter()

    def _change_filter(self, **changes: Any) -> None:
        self.set_filter(RunFilter.model_validate(self.run_filter.model_dump() | changes))

    def _show_filter(self) -> None:
        """Updates the controls and the chips to the current filter."""
        run_filter = self.run_filter
        if self.search.text() != run_filter.text:
            self.search.blockSignals(True)
            self.search.setText(run_filter.text)
            self.search.blockSignals(False)
        for button, chosen in (
            (self.tasks, run_filter.tasks),
            (self.who, run_filter.who),
            (self.labels, run_filter.labels),
            (self.how_read, run_filter.how_read),
        ):
            button.set_chosen(chosen)
        self.disagreeing.setChecked(bool(run_filter.disagrees))
        self.overridden.setChecked(bool(run_filter.is_overridden))
        self.differing.setChecked(bool(run_filter.differs))
        self.address.setText(run_filter.address or "")
        for combo, value in self._combos():
            combo.blockSignals(True)
            combo.setCurrentIndex(max(0, combo.findData(value)))
            combo.blockSignals(False)
        for name, (low, high, _) in _RANGES.items():
            self.ranges[name].set_bounds(getattr(run_filter, low), getattr(run_filter, high))
        self.dates.set_bounds(run_filter.since, run_filter.until)
        self._show_chips()

    def _combos(self) -> list[tuple[QComboBox, Any]]:
        run_filter = self.run_filter
        return [
            (self.result, run_filter.passed),
            (self.tools, run_filter.tools),
            (self.help, run_filter.is_helped),
            (self.batch, run_filter.batch),
            (self.actor, run_filter.actor),
        ]

    def _typed(self) -> None:
        self._change_filter(text=self.search.text())

    def _show_chips(self) -> None:
        layout = self._chips.layout()
        assert layout is not None
        for chip in self._chips.findChildren(Chip):
            layout.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        layout.removeWidget(self._clear)
        for text, fields in active(self.run_filter):
            chip = Chip(text)
            chip.clicked.connect(lambda _=False, names=fields: self._take_away(names))
            layout.addWidget(chip)
        layout.addWidget(self._clear)
        self._chips.setVisible(self.is_active)
        count = sum(name in _IN_POPUP for _, (name, *_) in active(self.run_filter))
        self.more.setText(f"More filters · {count}" if count else "More filters")

    def _take_away(self, names: Sequence[str]) -> None:
        plain = RunFilter()
        self._change_filter(**{name: getattr(plain, name) for name in names})

    def _choice(self, title: str, field: str) -> ChoiceButton:
        button = ChoiceButton(title)
        button.changed.connect(lambda values: self._change_filter(**{field: values or None}))
        return button

    def _combo(self, name: str, options: Sequence[tuple[str, Any]], field: str) -> QComboBox:
        combo = QComboBox()
        combo.setAccessibleName(name)
        for text, value in options:
            combo.addItem(text, value)
        combo.currentIndexChanged.connect(lambda: self._change_filter(**{field: combo.currentData()}))
        return combo

    def _make_more(self) -> None:
        self._popup = Popup(self.more)
        form = QFormLayout(self._popup)
        form.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        form.setVerticalSpacing(2 * SPACE)
        form.setHorizontalSpacing(4 * SPACE)
        authors = [("Anyone", None), *((ACTORS[actor.value][1], actor) for actor in Actor)]
        self.actor = self._combo("Author", authors, "actor")
        self.tools = self._combo("Tools", _ANY_TOOLS, "tools")
        self.help = self._combo("Help", _ANY_HELP, "is_helped")
        self.batch = self._combo("Batch", [("Any batch", None)], "batch")
        self.address = QLineEdit()
        self.address.setPlaceholderText("such as lego_hemisphere:3")
        self.address.setAccessibleName("Address of an instance")
        self.address.editingFinished.connect(lambda: self._change_filter(address=self.address.text().strip() or None))
        self.overridden = QCheckBox("Only overridden scores")
        self.overridden.clicked.connect(lambda on: self._change_filter(is_overridden=True if on else None))
        self.differing = QCheckBox("Only known differences")
        self.differing.setToolTip("Attempts that a verifier with other rules judges differently")
        self.differing.clicked.connect(lambda on: self._change_filter(differs=True if on else None))
        self.ranges = {name: self._range(name, *fields) for name, fields in _RANGES.items()}
        self.dates = DateRange("Submitted")
        self.dates.changed.connect(lambda since, until: self._change_filter(since=since, until=until))
        form.addRow("Author", self.actor)
        form.addRow("Instance", self.address)
        form.addRow("Batch", self.batch)
        form.addRow("Tools", self.tools)
        form.addRow("Help", self.help)
        for name, field in self.ranges.items():
            form.addRow(name, field)
        form.addRow("Submitted", self.dates)
        form.addRow("", self.overridden)
        form.addRow("", self.differing)

    def _range(self, name: str, low: str, high: str, whole: bool) -> Range:
        field = Range(name, whole)
        field.changed.connect(lambda least, most: self._change_filter(**{low: least, high: most}))
        return field

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        row.addWidget(self.search, 1)
        for widget in (self.tasks, self.who, self.result, self.labels, self.how_read, self.disagreeing, self.more):
            row.addWidget(widget)
        flow = FlowLayout(self._chips)
        flow.setSpacing(SPACE)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * SPACE)
        column.addLayout(row)
        column.addWidget(self._chips)


_IN_POPUP = (
    *("actor", "address", "batch", "tools", "is_helped"),
    *("score_min", "measured_min", "seconds_min", "tokens_min", "since", "is_overridden", "differs"),
)


def active(run_filter: RunFilter) -> list[tuple[str, tuple[str, ...]]]:
    """Each active filter in words, with the fields it sets."""
    chips: list[tuple[str, tuple[str, ...]]] = []

    def add(name: str, words: Callable[[Any], str]) -> None:
        value = getattr(run_filter, name)
        if value not in (None, ""):
            chips.append((words(value), (name,)))

    add("text", lambda text: f"“{text}”")
    add("tasks", lambda names: f"Task: {_listed([task_title(name) for name in names])}")
    add("who", lambda names: f"Who: {_listed(names)}")
    add("passed", lambda passed: "Passed" if passed else "Not passed")
    add("labels", lambda names: f"Failure mode: {_listed(names)}")
    add("how_read", lambda names: f"Read: {_listed([name.value for name in names])}")
    add("disagrees", lambda _: "Disagreements")
    add("differs", lambda _: "Known differences")
    add("actor", lambda actor: f"Author: {ACTORS[actor.value][1].lower()}")
    add("address", lambda address: f"Instance: {address}")
    add("batch", lambda number: f"Batch: {number}")
    add("tools", lambda tools: "With tools" if tools else "Without tools")
    add("is_helped", lambda helped: "With solving aids" if helped else "Without solving aids")
    for name, (low, high, _) in _RANGES.items():
        _add_range(chips, name, (low, high), [getattr(run_filter, low), getattr(run_filter, high)])
    days = [day_of(moment) if moment else None for moment in (run_filter.since, run_filter.until)]
    _add_range(chips, "Submitted", ("since", "until"), days)
    add("is_overridden", lambda _: "Overridden scores")
    return chips


def _add_range(chips: list[Any], name: str, fields: tuple[str, ...], bounds: Sequence[Any]) -> None:
    low, high = ("" if bound is None else f"{bound:,}" if isinstance(bound, int | float) else bound for bound in bounds)
    if low or high:
        words = f"{low} to {high}" if low and high else f"from {low}" if low else f"up to {high}"
        chips.append((f"{name}: {words}", fields))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 2 else f"{names[0]} and {len(names) - 1} more"
