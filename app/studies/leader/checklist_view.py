"""The checklist of human baselines: what the software knows, and the leader's own answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.engine.core.words import counted
from spatial_workbench.widgets.tables.rows import ROW_HEIGHT, RowsModel, TableColumn, make_rows_table
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

if TYPE_CHECKING:
    from spatial_workbench.engine.studies.analysis.checklist import StudyAnswer

_YES_NO = ("Yes", "Partial", "No", "Unknown", "N/A")
FILLED_BY = {"software": "the software", "proposed": "the plan", "leader": "you"}


def _picture(answer: StudyAnswer) -> tuple[str, str]:
    name = "not_reached" if not answer.value else "passed" if answer.is_confirmed else "warning"
    return name, name


COLUMNS: tuple[TableColumn[StudyAnswer], ...] = (
    TableColumn("Point", lambda answer: answer.point.number, 70, is_long=True),
    TableColumn("", lambda answer: answer.point.title, is_long=True),
    TableColumn(
        "Answer",
        lambda answer: _shown(answer),
        240,
        is_long=True,
        icon=_picture,
        color=lambda answer: "" if answer.value else "secondary",
    ),
    TableColumn("Filled by", lambda answer: FILLED_BY[answer.point.filled_by.value], 190, is_long=True),
)
"""The points in order."""


class ChecklistView(QWidget):
    """The points, and a line in which the chosen one is answered.

    Signals:
        given(dict, str): answers by the numbers of the points (empty: withdrawn), reason.
    """

    given = Signal(dict, str)

    def __init__(self) -> None:
        super().__init__()
        self.model: RowsModel[StudyAnswer] = RowsModel(COLUMNS)
        self.table = make_rows_table(self.model, COLUMNS, "Checklist")
        self.table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._offer())
        self.answer = ChoiceBox()
        self.answer.setEditable(True)
        self.answer.setAccessibleName("Your answer")
        self.answer.setMinimumWidth(220)
        self.reason = QLineEdit(placeholderText="why the software's answer does not hold")
        self.reason.setAccessibleName("Reason")
        self.confirm = QPushButton("Confirm")
        self.confirm.setToolTip("What the software reports holds for the chosen points")
        self.confirm.clicked.connect(self._confirm)
        self.set_button = QPushButton("Answer")
        self.set_button.clicked.connect(self._give_answer)
        self.take_back = QPushButton("Take back")
        self.take_back.clicked.connect(self._take_back)
        self._lay_out()
        self._offer()

    @property
    def chosen(self) -> list[StudyAnswer]:
        """The chosen points with their answers."""
        rows = self.table.selectionModel().selectedRows()
        return [self.model.rows[row] for row in sorted(index.row() for index in rows)]

    def show_answers(self, answers: tuple[StudyAnswer, ...]) -> None:
        """Shows the points."""
        self.model.show_rows(answers)
        done = sum(answer.is_confirmed for answer in answers)
        waiting = len(_to_confirm(answers))
        words = f"{done} of {len(answers)} answered"
        self.words.setText(words + (f" · {waiting} reported by the software, to be confirmed" if waiting else ""))
        self._offer()

    def _offer(self) -> None:
        """Offers what can be done with the chosen points."""
        chosen = self.chosen
        waiting = _to_confirm(chosen)
        only = chosen[0] if len(chosen) == 1 else None
        self.confirm.setText(f"Confirm {counted(len(waiting), 'point')}" if len(waiting) > 1 else "Confirm")
        self.confirm.setEnabled(bool(waiting))
        self.take_back.setEnabled(any(answer.is_confirmed for answer in chosen))
        for control in (self.answer, self.reason, self.set_button):
            control.setEnabled(only is not None)
        self.answer.clear()
        self.reason.clear()
        if only is None:
            self.title.setText(
                f"{len(chosen)} points are chosen." if chosen else "Choose a point to answer or to confirm it."
            )
            return
        self.title.setText(f"{only.point.number}  {only.point.title}")
        is_choice = only.point.kind == "yes_no"
        self.answer.setEditable(not is_choice)
        if is_choice:
            self.answer.addItems(list(_YES_NO))
        self.answer.setCurrentText(only.value)
        self.reason.setText(only.reason)
        self.reason.setVisible(only.point.filled_by.value != "leader")

    def _give_answer(self) -> None:
        text = self.answer.currentText().strip()
        if len(self.chosen) == 1 and text:
            self.given.emit({self.chosen[0].point.number: text}, self.reason.text().strip())

    def _confirm(self) -> None:
        self.given.emit({answer.point.number: answer.value for answer in _to_confirm(self.chosen)}, "")

    def _take_back(self) -> None:
        self.given.emit({answer.point.number: "" for answer in self.chosen if answer.is_confirmed}, "")

    def _lay_out(self) -> None:
        self.words = QLabel()
        self.title = QLabel()
        self.words.setObjectName("secondary")
        self.title.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        row.addWidget(self.answer)
        row.addWidget(self.reason, 1)
        row.addStretch()
        row.addWidget(self.confirm)
        row.addWidget(self.set_button)
        row.addWidget(self.take_back)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 3 * SPACE, 0, 3 * SPACE)
        column.setSpacing(2 * SPACE)
        column.addWidget(self.words)
        column.addWidget(self.table, 1)
        column.addWidget(self.title)
        column.addLayout(row)


def _to_confirm(answers: Sequence[StudyAnswer]) -> list[StudyAnswer]:
    """Those that the software reports, and nobody has confirmed."""
    return [answer for answer in answers if answer.value and not answer.is_confirmed]


def _shown(answer: StudyAnswer) -> str:
    return f"{answer.shown} (software: {answer.software})" if answer.software else answer.shown
