"""What is chosen for items and for their block: phase, expected score and limit; order and condition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QWidget

from spatial_workbench.app.studies.leader.plan.block_changes import COMPARED
from spatial_workbench.engine.studies.planning.document import ItemKind, ItemPhase
from spatial_workbench.engine.studies.planning.orders import Order
from spatial_workbench.widgets.forms.fields import combo
from spatial_workbench.widgets.shown_text import replace_line
from spatial_workbench.widgets.theme import SPACE

Items = Sequence[Mapping[str, Any]]


def title_in(block: Mapping[str, Any], language: str) -> str:
    """The title of a block in a language; "" if it has none."""
    title = block.get("title") or ""
    return str(title.get(language, "")) if isinstance(title, Mapping) else str(title)


class ItemChoices(QWidget):
    """A row of controls that shows the choices for some items and a block, as plain data.

    Signals:
        phase_chosen(str): the items are to be in another phase.
        items_changed(dict): the items are to have these values.
        block_changed(dict): the block is to have these values.
    """

    phase_chosen = Signal(str)
    items_changed = Signal(dict)
    block_changed = Signal(dict)

    def __init__(self) -> None:
        super().__init__()
        self._items: Items = ()
        self._block: Mapping[str, Any] = {}
        self._language = "en"
        self._conditions: list[str] = []
        self.phase = combo("Phase of the chosen items", [phase.value for phase in ItemPhase])
        self.phase.activated.connect(lambda _: self.phase_chosen.emit(self.phase.currentText()))
        self.score = QLineEdit(placeholderText="–")
        self.score.setAccessibleName("Score that the chosen comprehension or attention items expect")
        self.score.setToolTip("The score from which a comprehension or attention item is answered as expected")
        self.score.setMaximumWidth(50)
        self.score.editingFinished.connect(self._take_score)
        self.limit = QLineEdit(placeholderText="as for all")
        self.limit.setAccessibleName("Limit of the chosen items in seconds")
        self.limit.setMaximumWidth(90)
        self.limit.editingFinished.connect(self._take_limit)
        self.name = QLineEdit()
        self.name.setAccessibleName("Name of the chosen block")
        self.name.setToolTip("How people and reports name the block")
        self.name.setMaximumWidth(140)
        self.name.editingFinished.connect(self._take_name)
        self.order = combo("Order of the chosen block", [order.value for order in Order])
        self.order.activated.connect(lambda _: self.block_changed.emit({"order": self.order.currentText()}))
        self.condition = combo("Condition of the chosen block", [])
        self.condition.activated.connect(lambda _: self.block_changed.emit({"condition": self.condition.currentData()}))
        self._lay_out()

    def offer_conditions(self, names: list[str]) -> bool:
        """Sets the conditions that a block may name; returns whether they are others than before."""
        if names == self._conditions:
            return False
        self._conditions = names
        self.condition.clear()
        self.condition.addItem("assigned to the person", None)
        for name in names:
            self.condition.addItem(name, name)
        return True

    def show_chosen(self, items: Items, block: Mapping[str, Any] | None, can_change: bool) -> None:
        """Shows the choices for the chosen items and their block; None: there is no block."""
        self._items = items
        has_items = can_change and bool(items)
        is_scored = all(item["kind"] == ItemKind.INSTANCE and item["phase"] in COMPARED for item in items)
        self.phase.setEnabled(has_items)
        self.limit.setEnabled(has_items)
        self.score.setEnabled(has_items and is_scored)
        self.order.setEnabled(can_change and block is not None)
        self.name.setEnabled(can_change and block is not None)
        self.condition.setEnabled(can_change and len(self._conditions) > 1)
        if block is not None:
            self._block = block
            self.name.setPlaceholderText(block["id"])
            replace_line(self.name, title_in(block, self._language))
            self.order.setCurrentText(block["order"])
            self.condition.setCurrentIndex(max(0, self.condition.findData(block.get("condition"))))
        if items:
            self.phase.setCurrentText(items[0]["phase"])
            limits = self._limits()
            replace_line(self.limit, f"{next(iter(limits)):g}" if len(limits) == 1 and None not in limits else "")
        score = self._score()
        replace_line(self.score, "" if score is None else f"{score:g}")

    def write_in(self, language: str) -> None:
        """Shows and takes the name of the block in a language."""
        self._language = language
        self.name.setText(title_in(self._block, language))

    def _take_name(self) -> None:
        text = self.name.text().strip()
        title = self._block.get("title") or ""
        if text != title_in(self._block, self._language):
            self.block_changed.emit({"title": {**title, self._language: text} if isinstance(title, dict) else text})

    def _take_score(self) -> None:
        try:
            score = float(self.score.text())
        except ValueError:
            return
        if self.score.isEnabled() and self._score() != score:
            self.items_changed.emit({"expects": {"score": score}})

    def _score(self) -> float | None:
        """The score that all chosen items expect; None if they differ, or expect something else."""
        scores = {(item.get("expects") or {}).get("score") for item in self._items}
        return next(iter(scores)) if len(scores) == 1 else None

    def _take_limit(self) -> None:
        text = self.limit.text().strip()
        try:
            value = float(text) if text else None
        except ValueError:
            return
        if not self.limit.isReadOnly() and self._limits() != {value}:
            self.items_changed.emit({"limit_s": value})

    def _limits(self) -> set[float | None]:
        return {item.get("limit_s") for item in self._items}

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * SPACE)
        for text, control in (
            ("Items:", self.phase),
            ("score ≥", self.score),
            ("limit, s", self.limit),
            ("Block:", self.name),
            ("order", self.order),
            ("condition", self.condition),
        ):
            label = QLabel(text)
            label.setObjectName("secondary")
            label.setBuddy(control)
            row.addWidget(label)
            row.addWidget(control)
        row.addStretch(1)
