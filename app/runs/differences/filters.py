"""The filters of the page of disagreements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QWidget

from spatial_workbench.engine.evaluation.rulings import is_known
from spatial_workbench.engine.store.facts import CROSSCHECK
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Difference

_RULED = (("All", None), ("Not ruled on", False), ("Ruled on", True))


class DifferenceFilters(QWidget):
    """Chooses differences by the pair of verifiers, by their ruling, and whether they are known.

    Signals:
        changed(): other differences pass the filters.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._all: Sequence[Difference] = ()
        self.known = QCheckBox("Known differences")
        self.known.setToolTip(
            "Also show pairs that follow different rules, such as published verifiers with their faults"
        )
        self.pair = ChoiceBox()
        self.pair.setAccessibleName("Pair of verifiers")
        self.ruled = ChoiceBox()
        self.ruled.setAccessibleName("Ruled on or not")
        for text, value in _RULED:
            self.ruled.addItem(text, value)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * SPACE)
        for widget in (self.known, self.pair, self.ruled):
            row.addWidget(widget)
        self.known.toggled.connect(lambda _: self._toggle_known())
        self.pair.currentIndexChanged.connect(lambda _: self.changed.emit())
        self.ruled.currentIndexChanged.connect(lambda _: self.changed.emit())

    def set_differences(self, differences: Sequence[Difference]) -> None:
        """Chooses from these differences."""
        self._all = differences
        self._fill_pairs()

    def passing(self) -> list[Difference]:
        """The differences that pass the filters."""
        pair = self.pair.currentData()
        ruled = self.ruled.currentData()
        return [
            difference
            for difference in self.offered()
            if pair in (None, difference.second) and ruled in (None, difference.ruling is not None)
        ]

    def offered(self) -> list[Difference]:
        """The differences from which the pair and the ruling choose: known ones only if they are asked for."""
        return [difference for difference in self._all if self.known.isChecked() or not is_known(difference)]

    def _toggle_known(self) -> None:
        self._fill_pairs()
        self.changed.emit()

    def _fill_pairs(self) -> None:
        chosen = self.pair.currentData()
        offered = {difference.second: difference.first for difference in self.offered()}
        self.pair.blockSignals(True)
        self.pair.clear()
        self.pair.addItem("All pairs", None)
        for second in sorted(offered, key=lambda name: (name != CROSSCHECK, name)):
            self.pair.addItem(f"{offered[second]} / {second}", second)
        self.pair.setCurrentIndex(max(0, self.pair.findData(chosen)))
        self.pair.blockSignals(False)
