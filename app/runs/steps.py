"""The annotated steps beside a solver's text: what judges say of them, or boxes for a person to tick, blind."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.attempts.steps import JudgedSteps, StepSheet
from spatial_workbench.engine.puzzles.judging import STORED, StepVerdict, with_rule
from spatial_workbench.widgets.icons import pixmap
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

DECIDED_BY = {"rule": "by the final answer", "judge": "by the judge", "person": "by hand"}
NOT_JUDGED = "No judge has judged these steps yet."
NO_PASSAGE = "No passage of the text is close to this step."
_ICON_PX = 16


class StepsPage(QWidget):
    """Shows the steps of an attempt at a puzzle.

    In blind mode no judgement is shown, and a person ticks the steps that the text contains. The last step begins with
    what the final answer says, where there is one.

    Signals:
        judge_wanted(int): let a model judge this attempt.
        ticked(object): a function that stores the ticks in a project.
    """

    judge_wanted = Signal(int)
    ticked = Signal(object)

    def __init__(self, person: Callable[[], str]) -> None:
        super().__init__()
        self._person = person
        self.sheet: StepSheet | None = None
        self.blind = QCheckBox("Tick by hand, blind")
        self.blind.setToolTip("Hide the judgements, and tick the steps that the text contains")
        self.blind.toggled.connect(lambda _: self._show_judgements())
        self.judge = QPushButton("Judge steps…")
        self.judge.setToolTip("Ask a model which steps the text contains")
        self.judge.clicked.connect(lambda: self.sheet and self.judge_wanted.emit(self.sheet.attempt))
        self.judgement = ChoiceBox()
        self.judgement.setAccessibleName("Judgement")
        self.judgement.setToolTip(
            "Stepwise: the last step that was met, over the number of steps. Met: the share of steps that were met. By "
            "answer: stepwise, with the last step met if the final answer is the solution"
        )
        self.judgement.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.judgement.currentIndexChanged.connect(lambda _: self._show_cards())
        self.note = _label("", "secondary")
        self.save = QPushButton("Save ticks")
        self.save.setObjectName("primary")
        self.save.clicked.connect(self._store)
        self.cards: list[StepJudgementCard] = []
        self._lay_out()

    def show_sheet(self, sheet: StepSheet | None) -> None:
        """Shows the steps of an attempt; ticks that were not saved are dropped with the attempt that they are about."""
        if sheet is not None and sheet != self.sheet:
            is_same = self.sheet is not None and self.sheet.attempt == sheet.attempt
            chosen = self.judgement.currentIndex() if is_same and not self._is_longer(sheet) else 0
            ticks = [card.tick.isChecked() for card in self.cards] if is_same and self.blind.isChecked() else []
            self.sheet = sheet
            self._fill(chosen)
            self._show_judgements()
            for card, is_ticked in zip(self.cards, ticks, strict=False):
                card.tick.setChecked(is_ticked)

    def _is_longer(self, sheet: StepSheet) -> bool:
        return self.sheet is not None and len(sheet.judgements) != len(self.sheet.judgements)

    def _fill(self, chosen: int) -> None:
        assert self.sheet is not None
        self.judgement.blockSignals(True)
        self.judgement.clear()
        for place, judged in enumerate(self.sheet.judgements):
            self.judgement.addItem(judged.title)
            self.judgement.setItemData(place, judged.settings, Qt.ItemDataRole.ToolTipRole)
        self.judgement.setCurrentIndex(min(chosen, self.judgement.count() - 1))
        self.judgement.blockSignals(False)

    def _show_judgements(self) -> None:
        is_blind = self.blind.isChecked()
        self.judgement.setVisible(not is_blind and self.judgement.count() > 0)
        self.judge.setVisible(not is_blind)
        self.save.setVisible(is_blind)
        self._show_cards()

    def _chosen(self) -> JudgedSteps | None:
        place = self.judgement.currentIndex()
        if self.sheet is None or self.blind.isChecked() or not 0 <= place < len(self.sheet.judgements):
            return None
        return self.sheet.judgements[place]

    def _show_cards(self) -> None:
        sheet = self.sheet
        chosen = self._chosen()
        if sheet is None:
            return
        self.note.setText(self._note(sheet, chosen))
        self.note.setVisible(bool(self.note.text()))
        for card in self.cards:
            card.setParent(None)
            card.deleteLater()
        verdicts = chosen.steps.steps if chosen and chosen.steps else ()
        self.cards = [
            StepJudgementCard(k + 1, text, passage, verdicts[k] if k < len(verdicts) else None)
            for k, (text, passage) in enumerate(zip(sheet.steps, sheet.passages, strict=True))
        ]
        for k, card in enumerate(self.cards):
            self._column.insertWidget(k, card)
            if self.blind.isChecked():
                card.offer_tick(sheet.by_rule if k == len(self.cards) - 1 else None)

    def _note(self, sheet: StepSheet, chosen: JudgedSteps | None) -> str:
        if sheet.trouble:
            return sheet.trouble
        if self.blind.isChecked():
            return "Tick a step if the text contains it with the same result. Judgements are hidden."
        if chosen is None:
            return NOT_JUDGED
        return f"Not judged: {chosen.stored.note}" if chosen.steps is None and chosen.stored.note else ""

    def _store(self) -> None:
        from spatial_workbench.engine.store import JudgementSource, StepJudge

        if self.sheet is None:
            return
        attempt = self.sheet.attempt
        version = self.sheet.version
        judge = StepJudge(source=JudgementSource.PERSON, name=self._person())
        steps = STORED.dump_json(tuple(card.verdict() for card in self.cards)).decode()

        def store(project: Project) -> None:
            project.puzzles.add_step_judgement(attempt, judge, steps, version)

        self.ticked.emit(store)
        self.blind.setChecked(False)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        head.addWidget(self.blind)
        head.addStretch(1)
        head.addWidget(self.judge)
        head.addWidget(self.save)
        holder = QWidget()
        holder.setObjectName("panel")
        self._column = QVBoxLayout(holder)
        self._column.setContentsMargins(0, 0, 2 * SPACE, 0)
        self._column.setSpacing(0)
        self._column.addStretch(1)
        area = QScrollArea()
        area.setWidget(holder)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 3 * SPACE, SPACE, 3 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addLayout(head)
        layout.addWidget(self.judgement)
        layout.addWidget(self.note)
        layout.addWidget(area, 1)


class StepJudgementCard(QWidget):
    """A step, the closest passage beside it, and a verdict or a box to tick."""

    def __init__(self, number: int, text: str, passage: str, verdict: StepVerdict | None) -> None:
        super().__init__()
        self._rule: StepVerdict | None = None
        self.tick = QCheckBox("The text contains this step")
        self.tick.setAccessibleName(f"The text contains step {number}")
        self.tick.hide()
        self.state = _label("", "")
        self._mark = QLabel()
        head = QHBoxLayout()
        head.setSpacing(SPACE)
        title = _label(f"Step {number}", "")
        font = title.font()
        font.setBold(True)
        title.setFont(font)
        title.setWordWrap(False)
        head.addWidget(title)
        head.addSpacing(2 * SPACE)
        head.addWidget(self._mark)
        head.addWidget(self.state, 1)
        head.addWidget(self.tick)
        sides = QHBoxLayout()
        sides.setSpacing(4 * SPACE)
        for name, side in (("Annotation", text), ("Closest passage", passage or NO_PASSAGE)):
            column = QVBoxLayout()
            column.setSpacing(0)
            column.addWidget(_label(name, "caption"))
            column.addWidget(_label(side[:2_000], "" if side != NO_PASSAGE else "secondary"))
            column.addStretch(1)
            sides.addLayout(column, 1)
        self.explanation = _label(verdict.explanation[:2_000] if verdict else "", "secondary")
        self.explanation.setVisible(bool(self.explanation.text()))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2 * SPACE, 0, 0)
        layout.setSpacing(SPACE)
        layout.addLayout(head)
        layout.addLayout(sides)
        layout.addWidget(self.explanation)
        layout.addSpacing(2 * SPACE)
        self._show_verdict(verdict)

    def offer_tick(self, by_rule: StepVerdict | None) -> None:
        """Offers a box to tick; at the last step, it begins with what the final answer says."""
        self._rule = by_rule
        self.tick.setVisible(True)
        if by_rule is not None:
            self.tick.setChecked(by_rule.correct)
            self._show_verdict(by_rule)

    def verdict(self) -> StepVerdict:
        """The person's judgement of the step."""
        return with_rule(StepVerdict(correct=self.tick.isChecked(), decided_by="person"), self._rule)

    def _show_verdict(self, verdict: StepVerdict | None) -> None:
        if verdict is None:
            return
        role = "passed" if verdict.correct else "failed"
        self._mark.setPixmap(pixmap(role, _ICON_PX, role, self.devicePixelRatioF()))
        said = f"{'Met' if verdict.correct else 'Not met'}, {DECIDED_BY[verdict.decided_by]}"
        if verdict.by_rule is not None:
            said += f"; {'met' if verdict.by_rule else 'not met'} {DECIDED_BY['rule']}"
        self.state.setText(said)


def _label(text: str, role: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName(role)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
