"""What the chosen batch has spent, what its limits leave, and what remains to be done when one is reached."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from pydantic import ValidationError
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from spatial_workbench.app.evaluation.words import cost_words, duration, money, tokens
from spatial_workbench.engine.core.words import counted
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.evaluation.watch import WatchedBatch
    from spatial_workbench.engine.evaluation.running.spending import Spent

_BAR_PX = 4
_STEPS = 1000


class LimitMeter(NamedTuple):
    """A limit, and how much of it is spent."""

    title: str
    words: str
    share: float


class SpendingStrip(QWidget):
    """A line on what was spent, and a bar for each limit."""

    def __init__(self) -> None:
        super().__init__()
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self.left = QLabel()
        self.left.setWordWrap(True)
        self._meters = QWidget()
        self._grid = QGridLayout(self._meters)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(6 * SPACE)
        self._grid.setVerticalSpacing(SPACE)
        self._rows: list[tuple[QLabel, QLabel, QProgressBar]] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * SPACE)
        column.addWidget(self.summary)
        column.addWidget(self._meters)
        column.addWidget(self.left)

    def show_batch(self, batch: WatchedBatch | None) -> None:
        """Shows what a batch has spent; nothing without one, or if it asks no model."""
        spent = None if batch is None else spent_of(batch)
        shown = batch is not None and (batch.row.tries > 0 or (spent is not None and spent.limits.is_set))
        self.setVisible(shown)
        if batch is None or not shown:
            return
        self.summary.setText(summary_of(batch, spent))
        self._show_meters(list(meters_of(spent)) if spent is not None else [])
        left = left_words(batch, spent)
        self.left.setText(left)
        self.left.setVisible(bool(left))

    def _show_meters(self, meters: list[LimitMeter]) -> None:
        while len(self._rows) < len(meters):
            self._add_row()
        self._meters.setVisible(bool(meters))
        for k, row in enumerate(self._rows):
            for part in row:
                part.setVisible(k < len(meters))
        for (title, words, bar), meter in zip(self._rows, meters, strict=False):
            title.setText(meter.title)
            words.setText(meter.words)
            bar.setValue(round(min(1.0, meter.share) * _STEPS))
            bar.setAccessibleName(meter.title)
            bar.setAccessibleDescription(meter.words)

    def _add_row(self) -> None:
        column = len(self._rows)
        title, words, bar = QLabel(), QLabel(), QProgressBar()
        title.setObjectName("caption")
        bar.setRange(0, _STEPS)
        bar.setTextVisible(False)
        bar.setFixedHeight(_BAR_PX)
        for row, part in enumerate((title, words, bar)):
            self._grid.addWidget(part, row, column, Qt.AlignmentFlag.AlignBottom if row == 2 else Qt.AlignmentFlag(0))
        self._grid.setColumnStretch(column, 1)
        self._rows.append((title, words, bar))


def spent_of(batch: WatchedBatch) -> Spent | None:
    """What a batch's process last told; None if it has not told anything."""
    from spatial_workbench.engine.evaluation.running.spending import Spent

    try:
        return Spent.model_validate_json(batch.row.spending) if batch.row.spending else None
    except ValidationError:
        return None


def summary_of(batch: WatchedBatch, spent: Spent | None) -> str:
    """What a batch has spent in all, in a sentence."""
    row = batch.row
    text = f"Spent in all: {cost_words(row.cost_usd, row.unpriced) or money(0)}"
    text += f", {tokens(row.tokens)} output tokens, {counted(row.tries, 'request')}."
    if row.unpriced:
        text += f" The cost of {counted(row.unpriced, 'request')} is unknown, for want of a price."
    if spent is None or not spent.limits.is_set:
        return f"{text} There are no limits."
    return f"{text} Since it was started or resumed:"


def meters_of(spent: Spent) -> Iterator[LimitMeter]:
    """The limits that a batch has, each with what is spent and what is left."""
    limits = spent.limits
    if limits.cost_usd is not None:
        at_least = "at least " if spent.unpriced else ""
        rest = money(max(0.0, limits.cost_usd - spent.cost_usd))
        words = f"{at_least}{money(spent.cost_usd)} of {money(limits.cost_usd)} · {rest} left"
        yield LimitMeter("Money", words, spent.cost_usd / limits.cost_usd)
    if limits.output_tokens is not None:
        rest = tokens(max(0, limits.output_tokens - spent.output_tokens))
        words = f"{tokens(spent.output_tokens)} of {tokens(limits.output_tokens)} · {rest} left"
        yield LimitMeter("Output tokens", words, spent.output_tokens / limits.output_tokens)
    if limits.hours is not None:
        most = 3600 * limits.hours
        words = f"{duration(spent.seconds)} of {duration(most)} · {duration(max(0.0, most - spent.seconds))} left"
        yield LimitMeter("Time", words, spent.seconds / most)
    ended = f" · {counted(spent.stopped, 'item')} ended at it" if spent.stopped else ""
    if limits.item_cost_usd is not None:
        words = f"at most {money(spent.most_item_usd)} of {money(limits.item_cost_usd)}{ended}"
        yield LimitMeter("Money per item", words, spent.most_item_usd / limits.item_cost_usd)
    if limits.item_output_tokens is not None:
        words = f"at most {tokens(spent.most_item_tokens)} of {tokens(limits.item_output_tokens)}{ended}"
        yield LimitMeter("Output tokens per item", words, spent.most_item_tokens / limits.item_output_tokens)


def left_words(batch: WatchedBatch, spent: Spent | None) -> str:
    """What remains to be done once a limit is reached; empty before."""
    if spent is None or not any(meter.share >= 1 for meter in _of_batch(spent)):
        return ""
    left = batch.row.total - batch.row.ended
    if not left:
        return ""
    items = counted(left, "item is", "items are")
    if batch.is_alive:
        return f"A limit is reached. What was asked is being finished; {items} left."
    return batch.row.note or f"A limit is reached; {items} left. Resume allows as much again."


def _of_batch(spent: Spent) -> Iterator[LimitMeter]:
    return (meter for meter in meters_of(spent) if not meter.title.endswith("per item"))
