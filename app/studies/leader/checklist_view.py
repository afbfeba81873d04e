"""The checklist of human baselines: what the software knows, and the leader's own answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.widgets.tables.rows import ROW_HEIGHT, RowsModel, TableColumn, make_rows_table
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.engine.studies.analysis.checklist import StudyAnswer

_YES_NO = ("Yes", "Partial", "No", "Unknown", "N/A")
FILLED_BY = {"software": "the software", "proposed": "proposed to you", "leader": "you"}


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
        given(str, str, str): number, answer (empty: withdrawn), reason.
    """

    given = Signal(str, str, str)

    def __init__(self) -> None:
        super().__init__()
        self.model: RowsModel[StudyAnswer] = RowsModel(COLUMNS)
        self.table = make_rows_table(self.model, COLUMNS, "Checklist")
        self.table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._offer())
        self.answer = QComboBox()
        self.answer.setEditable(True)
        self.answer.setAccessibleName("Your answer")
        self.answer.setMinimumWidth(220)
        self.reason = QLineEdit(placeholderText="why the software's answer does not hold")
        self.reason.setAccessibleName("Reason")
        self.set_button = QPushButton("Answer")
        self.set_button.clicked.connect(self._give_answer)
        self.take_back = QPushButton("Take back")
        self.take_back.clicked.connect(self._take_back)
        self._lay_out()
        self._offer()

    @property
    def chosen(self) -> StudyAnswer | None:
        """The chosen point with its answer."""
        rows = self.table.selectionModel().selectedRows()
        return self.model.rows[rows[0].row()] if rows else None

    def show_answers(self, answers: tuple[StudyAnswer, ...]) -> None:
        """Shows the points."""
        self.model.show_rows(answers)
        done = sum(bool(answer.value) for answer in answers)
        waiting = sum(bool(answer.value) and not answer.is_confirmed for answer in answers)
        words = f"{done} of {len(answers)} answered"
        self.words.setText(words + (f" · {waiting} to be confirmed" if waiting else ""))
        self._offer()

    def _offer(self) -> None:
        answer = self.chosen
        for control in (self.answer, self.reason, self.set_button, self.take_back):
            control.setEnabled(answer is not None)
        self.answer.clear()
        self.reason.clear()
        if answer is None:
            self.title.setText("Choose a point to answer it.")
            return
        self.title.setText(f"{answer.point.number}  {answer.point.title}")
        is_choice = answer.point.kind == "yes_no"
        self.answer.setEditable(not is_choice)
        if is_choice:
            self.answer.addItems(list(_YES_NO))
        self.answer.setCurrentText(answer.value)
        self.reason.setText(answer.reason)
        self.reason.setVisible(answer.point.filled_by.value != "leader")

    def _give_answer(self) -> None:
        answer = self.chosen
        text = self.answer.currentText().strip()
        if answer is not None and text:
            self.given.emit(answer.point.number, text, self.reason.text().strip())

    def _take_back(self) -> None:
        if self.chosen is not None:
            self.given.emit(self.chosen.point.number, "", "")

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
        row.addWidget(self.set_button)
        row.addWidget(self.take_back)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 3 * SPACE, 0, 3 * SPACE)
        column.setSpacing(2 * SPACE)
        column.addWidget(self.words)
        column.addWidget(self.table, 1)
        column.addWidget(self.title)
        column.addLayout(row)


def _shown(answer: StudyAnswer) -> str:
    return f"{answer.shown} (software: {answer.software})" if answer.software else answer.shown
