"""How many people a study needs."""

from __future__ import annotations

from dataclasses import asdict

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from spatial_workbench.app.studies.leader.work.planning import PeopleNeeded, PlannerInputs
from spatial_workbench.engine.studies.planning.sample_size import ASSUMED_SD_OF_PEOPLE, ASSUMED_SD_OF_REST
from spatial_workbench.widgets.forms.fields import combo
from spatial_workbench.widgets.number_box import number_field
from spatial_workbench.widgets.theme import SPACE


class PlannerPanel(QWidget):
    """Works out how many people a study needs.

    Signals:
        asked(PlannerInputs): somebody wants to know; the answer goes to `show_people`.
        chosen(int, dict): the slots, and the inputs that led to them.
    """

    asked = Signal(object)
    chosen = Signal(int, dict)

    def __init__(self) -> None:
        super().__init__()
        self._items = 1
        self._multiple = 1
        self._slots = 0
        self.aim = combo("Aim", ["interval of ±", "difference from a model of"])
        self.target = number_field("Size", (0.01, 1), 0.01, 2)
        self.target.setValue(0.1)
        self.people = number_field("SD of people", (0, 1), 0.01, 2)
        self.people.setValue(ASSUMED_SD_OF_PEOPLE)
        self.rest = number_field("SD within a person", (0, 1), 0.01, 2)
        self.rest.setValue(ASSUMED_SD_OF_REST)
        self.dropout = number_field("Dropout", (0, 90), 5, 0, "%")
        self.dropout.setValue(10)
        self.words = QLabel()
        self.worth = QLabel()
        self.worth.setObjectName("caption")
        self.use = QPushButton("Use")
        self.use.clicked.connect(lambda: self.chosen.emit(self._slots, asdict(self.inputs)))
        self._lay_out()
        self.aim.currentIndexChanged.connect(self._ask)
        for field in (self.target, self.people, self.rest, self.dropout):
            field.valueChanged.connect(self._ask)

    @property
    def inputs(self) -> PlannerInputs:
        """The input for calculating the number of people."""
        return PlannerInputs(
            aim="half_width" if self.aim.currentIndex() == 0 else "difference",
            size=self.target.value(),
            sd_people=self.people.value(),
            sd_rest=self.rest.value(),
            items=self._items,
            dropout=self.dropout.value() / 100,
            multiple=self._multiple,
        )

    def show_study(self, items: int, multiple: int) -> None:
        """Sets how many main items a person gets, and the rows times conditions."""
        if (items, multiple) != (self._items, self._multiple) or not self.words.text():
            self._items = max(1, items)
            self._multiple = max(1, multiple)
            self._ask()

    def show_people(self, needed: PeopleNeeded) -> None:
        """Shows the number of people, what their trials are worth, and the slots to plan."""
        self._slots = needed.slots
        self.words.setText("more than can be planned" if needed.people is None else f"→ {needed.people} people")
        self.worth.setText(
            f"Their {needed.trials} trials are worth {needed.effective:.1f} independent ones." if needed.people else ""
        )
        self.use.setText(f"Use {self._slots} slots")
        self.use.setEnabled(bool(self._slots))

    def _ask(self) -> None:
        self.words.setText("…")
        self.use.setEnabled(False)
        self.asked.emit(self.inputs)

    def _lay_out(self) -> None:
        first, second = QHBoxLayout(), QHBoxLayout()
        labelled = (
            (first, "Aim", self.aim),
            (first, "", self.target),
            (second, "SD of people", self.people),
            (second, "within a person", self.rest),
            (second, "dropout", self.dropout),
        )
        for row, text, control in labelled:
            if text:
                label = QLabel(text)
                label.setObjectName("secondary")
                row.addWidget(label)
            row.addWidget(control)
        first.addWidget(self.words)
        first.addWidget(self.use)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * SPACE)
        for row in (first, second):
            row.setSpacing(2 * SPACE)
            row.addStretch(1)
            column.addLayout(row)
        column.addWidget(self.worth)
