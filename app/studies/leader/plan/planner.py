"""How many people a study needs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from spatial_workbench.app.studies.leader.work.planning import PeopleNeeded, PlannerInputs
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.studies.planning.sample_size import ASSUMED_SDS, ScoreKind
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.forms.fields import combo
from spatial_workbench.widgets.number_box import number_field
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.piloting import PilotSpread

AIMS = {
    "half_width": "interval of ±",
    "difference": "difference from a model of",
    "conditions": "difference between two conditions of",
}
NO_PILOT = "This takes a pilot in which 3 people or more had 2 items or more. Merge its results first."


class PlannerPanel(QWidget):
    """Works out how many people a study needs.

    Signals:
        asked(PlannerInputs): somebody wants to know; the answer goes to `show_people`.
        pilot_asked(): somebody wants the deviations of the pilot; the answer goes to `show_pilot`.
        chosen(int, dict): the slots, and the inputs that led to them.
    """

    asked = Signal(object)
    pilot_asked = Signal()
    chosen = Signal(int, dict)

    def __init__(self) -> None:
        super().__init__()
        self._items = 1
        self._rows = 1
        self._conditions = 1
        self._slots = 0
        self.aim = combo("Aim", [AIMS["half_width"], AIMS["difference"]])
        self.target = number_field("Size", (0.01, 1), 0.01, 2)
        self.target.setValue(0.1)
        self.kind = combo("Scores of the items", [kind.value for kind in ScoreKind])
        self.kind.setToolTip("Whether an item is passed or failed, or earns a share of 1")
        self.people = number_field("SD of people", (0, 1), 0.01, 2)
        self.rest = number_field("SD within a person", (0, 1), 0.01, 2)
        self.pilot = make_button("From the pilot", "", self.pilot_asked.emit, "Estimate both deviations from a pilot")
        self.dropout = number_field("Dropout", (0, 90), 5, 0, "%")
        self.dropout.setValue(10)
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.worth = QLabel()
        self.worth.setObjectName("caption")
        self.worth.setWordWrap(True)
        self.source = QLabel()
        self.source.setObjectName("caption")
        self.source.setWordWrap(True)
        self.use = QPushButton("Use")
        self.use.clicked.connect(lambda: self.chosen.emit(self._slots, asdict(self.inputs)))
        self._body = QWidget()
        self._lay_out()
        self._assume_spread()
        self.aim.currentIndexChanged.connect(self._ask)
        self.kind.currentIndexChanged.connect(self._assume_spread)
        for field in (self.target, self.people, self.rest, self.dropout):
            field.valueChanged.connect(self._ask)

    @property
    def inputs(self) -> PlannerInputs:
        """The input for calculating the number of people."""
        return PlannerInputs(
            aim=list(AIMS)[max(0, self.aim.currentIndex())],
            size=self.target.value(),
            sd_people=self.people.value(),
            sd_rest=self.rest.value(),
            items=self._items,
            dropout=self.dropout.value() / 100,
            conditions=self._conditions,
            rows=self._rows,
        )

    def set_read_only(self, is_fixed: bool) -> None:
        """Shows nothing for a plan that cannot change any more; the panel itself may not be placed yet."""
        self._body.setVisible(not is_fixed)

    def show_study(self, items: int, rows: int, conditions: int) -> None:
        """Sets how many main items a person gets, the rows of the orders, and the conditions between people."""
        shape = (max(1, items), max(1, rows), max(1, conditions))
        if shape != (self._items, self._rows, self._conditions) or not self.words.text():
            self._items, self._rows, self._conditions = shape
            self._offer_aims()
            self._ask()

    def show_people(self, needed: PeopleNeeded) -> None:
        """Shows the number of people, what their trials are worth, and the slots to plan."""
        self._slots = needed.slots
        self.words.setText(self._sentence(needed))
        self.worth.setText(
            f"The {needed.trials} trials{' of a condition' if self._conditions > 1 else ''} are worth "
            f"{needed.effective:.1f} independent ones."
            if needed.people
            else ""
        )
        self.use.setText(f"Use {self._slots} places")
        self.use.setEnabled(bool(self._slots))

    def show_pilot(self, found: PilotSpread | None) -> None:
        """Takes the deviations of a pilot, and says from how many people they come."""
        if found is None:
            self.source.setText(NO_PILOT)
            return
        self.people.setValue(round(found.sd_people, 2))
        self.rest.setValue(round(found.sd_rest, 2))
        self.source.setText(
            f"The deviations are those of {counted(found.people, 'person', 'people')} of the pilot with "
            f"{counted(found.trials, 'score')}, of mean {found.mean:.2f}. From so few they are rough."
        )

    def _sentence(self, needed: PeopleNeeded) -> str:
        """How many people, and how the number of slots follows."""
        if needed.people is None:
            return "→ more people than can be planned"
        each = f" in each of {self._conditions} conditions" if self._conditions > 1 else ""
        parts = [f"with {self.dropout.value():g} % dropout"] if self.dropout.value() else []
        if self._rows * self._conditions > 1:
            rows = f"{counted(self._rows, 'row')} of the orders" if self._rows > 1 else ""
            conditions = f"{self._conditions} conditions" if self._conditions > 1 else ""
            parts.append(f"in full rounds of {' × '.join(filter(None, (rows, conditions)))}")
        how = f", {' and '.join(parts)}" if parts else ""
        return f"→ {counted(needed.people, 'person', 'people')}{each}{how}: {self._slots} places"

    def _offer_aims(self) -> None:
        """Offers the difference between conditions where people meet one of several."""
        chosen = self.aim.currentIndex()
        count = len(AIMS) if self._conditions > 1 else len(AIMS) - 1
        self.aim.blockSignals(True)
        self.aim.clear()
        self.aim.addItems(list(AIMS.values())[:count])
        self.aim.setCurrentIndex(chosen if 0 <= chosen < count else 0)
        self.aim.blockSignals(False)

    def _assume_spread(self) -> None:
        """Assumes the deviations that are usual for scores of the chosen kind."""
        kind = ScoreKind(self.kind.currentText())
        people, rest = ASSUMED_SDS[kind]
        for field, value in ((self.people, people), (self.rest, rest)):
            field.blockSignals(True)
            field.setValue(value)
            field.blockSignals(False)
        self.source.setText(f"The deviations are assumed, for items that are {_adjective(kind)}.")
        self._ask()

    def _ask(self) -> None:
        self.words.setText("…")
        self.use.setEnabled(False)
        self.asked.emit(self.inputs)

    def _lay_out(self) -> None:
        first, second = QHBoxLayout(), QHBoxLayout()
        labelled: tuple[tuple[QHBoxLayout, str, QWidget], ...] = (
            (first, "Aim", self.aim),
            (first, "", self.target),
            (first, "dropout", self.dropout),
            (second, "Scores", self.kind),
            (second, "SD of people", self.people),
            (second, "within a person", self.rest),
            (second, "", self.pilot),
        )
        for row, text, control in labelled:
            if text:
                label = QLabel(text)
                label.setObjectName("secondary")
                row.addWidget(label)
            row.addWidget(control)
        result = QHBoxLayout()
        result.addWidget(self.words, 1)
        result.addWidget(self.use)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(self._body)
        column = QVBoxLayout(self._body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * SPACE)
        for row in (first, second):
            row.setSpacing(2 * SPACE)
            row.addStretch(1)
            column.addLayout(row)
        column.addWidget(self.source)
        column.addLayout(result)
        column.addWidget(self.worth)


def _adjective(kind: ScoreKind) -> str:
    return "passed or failed" if kind is ScoreKind.PASS_FAIL else "graded"
