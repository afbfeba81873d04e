"""The bar of the Results page that chooses which results are shown."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QWidget

from spatial_workbench.app.frame.controls import ChoiceButton
from spatial_workbench.engine.evaluation.results.contents import ResultsChoice
from spatial_workbench.widgets.theme import SPACE

VERIFIERS = (("Checked by the default verifiers", "default"), ("Checked by the published verifiers", "published"))


class ChoiceBar(QWidget):
    """Batches, boxes to check, and the verifiers whose scores count.

    Signals:
        changed(): another choice was made.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.batches = ChoiceButton("Batches")
        self.batches.setToolTip("Limit the results to these batches; if none is chosen, all attempts count")
        self.batches.changed.connect(lambda _: self.changed.emit())
        self.people = self._box("People", "Whether the attempts of people count")
        tip = "Whether attempts made with solving aids count, as separate runs"
        self.helped = self._box("With solving aids", tip, checked=False)
        self.overrides = self._box("Overrides", "Whether people's overrides of scores count; they are marked ✎")
        tip = (
            "Whether an error of an endpoint counts as a score of 0, as in SCBench's own figures; else it is counted "
            "beside the scores"
        )
        self.errors = self._box("Errors as 0", tip, checked=False)
        self.published = self._box("Published results", "Whether published results are shown beside yours")
        self.verifier = QComboBox()
        self.verifier.setAccessibleName("Verifiers")
        for text, name in VERIFIERS:
            self.verifier.addItem(text, name)
        self.verifier.setToolTip(
            "The published verifiers have the faults of the published runs, so scores can be compared with those"
        )
        self.verifier.currentIndexChanged.connect(lambda _: self.changed.emit())
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4 * SPACE)
        boxes = (self.people, self.helped, self.overrides, self.errors, self.published)
        for widget in (self.batches, *boxes, self.verifier):
            layout.addWidget(widget)
        layout.addStretch(1)

    @property
    def choice(self) -> ResultsChoice:
        """The chosen results."""
        chosen = tuple(int(number) for number in self.batches.chosen)
        return ResultsChoice(
            batches=chosen or None,
            people=self.people.isChecked(),
            published=self.published.isChecked(),
            verifier=str(self.verifier.currentData()),
            helped=self.helped.isChecked(),
            overrides=self.overrides.isChecked(),
            errors_are_zero=self.errors.isChecked(),
        )

    def _box(self, text: str, tip: str, checked: bool = True) -> QCheckBox:
        box = QCheckBox(text)
        box.setChecked(checked)
        box.setToolTip(tip)
        box.toggled.connect(lambda _: self.changed.emit())
        return box
