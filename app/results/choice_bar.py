"""The bar of the Results page that chooses which results are shown."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QWidget

from spatial_workbench.app.frame.controls import ChoiceButton
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.results.contents import ResultsChoice
from spatial_workbench.engine.store.facts import VERSION_SIGN, is_own
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

CHOOSER_PX = 170
"""In a narrow window, what is chosen is shown as far as it fits."""
BY_MOST = "Steps judged by: who read most"
VERIFIERS = (("Checked by the default verifiers", "default"), ("Checked by the published verifiers", "published"))


class ChoiceBar(QWidget):
    """Batches, boxes to check, the verifiers whose scores count, and the judge of the steps of puzzles.

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
        self.verifier = ChoiceBox()
        self.verifier.setAccessibleName("Verifiers")
        self.verifier.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.verifier.setMinimumContentsLength(max(len(text) for text, _ in VERIFIERS))
        self.verifier.setMinimumWidth(CHOOSER_PX)
        for text, name in VERIFIERS:
            self.verifier.addItem(text, name)
        self.verifier.setToolTip(
            "The published verifiers have the faults of the published runs, so scores can be compared with those. Of a "
            "verifier of your own, nothing counts but what this version of it has judged"
        )
        self.verifier.currentIndexChanged.connect(lambda _: self.changed.emit())
        self.step_judge = ChoiceBox()
        self.step_judge.setAccessibleName("Judge of steps")
        self.step_judge.setToolTip(
            "Whose judgements of the steps of puzzles count. No figure mixes judges; the section Puzzles compares them"
        )
        self.step_judge.addItem(BY_MOST, "")
        # Names of models may be long; the list shows them in full.
        self.step_judge.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.step_judge.setMinimumContentsLength(len(BY_MOST))
        self.step_judge.setMinimumWidth(CHOOSER_PX)
        self.step_judge.hide()
        self.step_judge.currentIndexChanged.connect(lambda _: self.changed.emit())
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4 * SPACE)
        boxes = (self.people, self.helped, self.overrides, self.errors, self.published)
        for widget in (self.batches, *boxes, self.verifier, self.step_judge):
            layout.addWidget(widget)
        layout.addStretch(1)

    def offer_verifiers(self, known: Sequence[tuple[str, str, int]]) -> None:
        """Offers the verifiers of somebody else's among those that have judged attempts, beside ours.

        known: Names, versions, and how many attempts each has judged. What was chosen stays.
        """
        offered = [(name, version, count) for name, version, count in known if is_own(name)]
        chosen = self.verifier.currentData()
        self.verifier.blockSignals(True)
        while self.verifier.count() > len(VERIFIERS):
            self.verifier.removeItem(self.verifier.count() - 1)
        for name, version, count in offered:
            words = f"Checked by {name}, version {version} · {counted(count, 'attempt')}"
            self.verifier.addItem(words, f"{name}{VERSION_SIGN}{version}")
        if self.verifier.findData(chosen) < 0:
            self.verifier.addItem(f"Checked by {chosen} · no attempts", chosen)
        self.verifier.setCurrentIndex(self.verifier.findData(chosen))
        self.verifier.blockSignals(False)

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
            step_judge=str(self.step_judge.currentData() or ""),
        )

    def offer_step_judges(self, judges: Sequence[tuple[str, str]]) -> None:
        """Offers judges of steps; a chosen one that is not there any more gives way to the one who read most.

        judges: The key of each, and what it is called.
        """
        chosen = self.choice.step_judge
        self.step_judge.blockSignals(True)
        while self.step_judge.count() > 1:
            self.step_judge.removeItem(1)
        for key, title in judges:
            self.step_judge.addItem(f"Steps judged by: {title}", key)
        self.step_judge.setCurrentIndex(max(0, self.step_judge.findData(chosen)))
        self.step_judge.blockSignals(False)
        self.step_judge.setVisible(bool(judges))
        if self.choice.step_judge != chosen:
            self.changed.emit()

    def _box(self, text: str, tip: str, checked: bool = True) -> QCheckBox:
        box = QCheckBox(text)
        box.setChecked(checked)
        box.setToolTip(tip)
        box.toggled.connect(lambda _: self.changed.emit())
        return box
