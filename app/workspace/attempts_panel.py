"""The attempts at one instance with author, times and score; one can be opened, or two compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QItemSelection, QItemSelectionModel, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.attempts.replays import can_replay
from spatial_workbench.app.attempts.words import ROW_HEIGHT, format_seconds, help_text, help_tip, times_words
from spatial_workbench.app.frame.people import author_of
from spatial_workbench.engine.core import headline_of, task_of_address
from spatial_workbench.engine.core.words import score_words
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.qt import Index
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.engine.core import Headline
    from spatial_workbench.engine.store import AttemptRow

_COLUMNS = ("#", "Who", "Score", "Help", "Time", "Edits", "Submitted")
_SCORE = 2
_WIDTHS = (32, 76, 64, 44, 52, 46, 120)


class AttemptsPanel(QWidget):
    """A table of attempts.

    Signals:
        opened(int): put this attempt's answer into the editor.
        compared(int, int | None): compare this attempt with another one, or with the draft if None.
        replayed(int): show this attempt of an agent step by step.
    """

    opened = Signal(int)
    compared = Signal(int, object)
    replayed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.model = AttemptsModel()
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.setShowGrid(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.setAccessibleName("Attempts")
        for column, width in enumerate(_WIDTHS):
            self.table.setColumnWidth(column, width)
        self.table.doubleClicked.connect(lambda index: self.opened.emit(self.model.rows[index.row()].number))
        self.table.selectionModel().selectionChanged.connect(self._tell_buttons)
        self._open = QPushButton("Open in editor")
        self._open.setToolTip("Put this attempt's answer into the editor (it can be undone)")
        self._open.clicked.connect(lambda: self.opened.emit(self.selected()[0]))
        self._compare = QPushButton(icon("compare"), "Compare")
        self._compare.setToolTip("One attempt: compare it with the draft. Two: compare them with each other.")
        self._compare.clicked.connect(self._ask_comparison)
        self._replay = QPushButton(icon("play"), "Replay")
        self._replay.setToolTip("Show the edits or the agent's steps one after the other, or play the machine")
        self._replay.clicked.connect(lambda: self.replayed.emit(self.selected()[0]))
        self._empty = QLabel("No attempts yet.\nSubmit your answer (F9) to keep it with its verdicts.")
        self._empty.setObjectName("secondary")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._lay_out()
        self._tell_buttons()

    def show_attempts(self, rows: Sequence[AttemptRow]) -> None:
        """Shows these attempts."""
        chosen = self.selected()
        self.model.replace(rows)
        self._stack.setCurrentIndex(0 if rows else 1)
        self.table.resizeColumnToContents(_SCORE)
        self.table.setColumnWidth(_SCORE, max(_WIDTHS[_SCORE], self.table.columnWidth(_SCORE)))
        self.select(chosen)
        self._tell_buttons()

    def select(self, numbers: Sequence[int]) -> None:
        """Selects these attempts, regardless of modifier keys."""
        selection = QItemSelection()
        for i, row in enumerate(self.model.rows):
            if row.number in numbers:
                selection.select(self.model.index(i, 0), self.model.index(i, len(_COLUMNS) - 1))
        self.table.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def selected(self) -> list[int]:
        """The numbers of the selected attempts."""
        return [self.model.rows[index.row()].number for index in self.table.selectionModel().selectedRows()]

    def _ask_comparison(self) -> None:
        first, *rest = self.selected()
        self.compared.emit(first, rest[0] if rest else None)

    def _tell_buttons(self) -> None:
        count = len(self.selected())
        self._open.setEnabled(count == 1)
        self._compare.setEnabled(count in (1, 2))
        chosen = [row for row in self.model.rows if row.number in self.selected()]
        self._replay.setEnabled(count == 1 and can_replay(chosen[0]))

    def _lay_out(self) -> None:
        self._stack = QStackedLayout()
        self._stack.addWidget(self.table)
        self._stack.addWidget(self._empty)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * SPACE)
        buttons.addWidget(self._open)
        buttons.addWidget(self._compare)
        buttons.addWidget(self._replay)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addLayout(self._stack, 1)
        layout.addLayout(buttons)


class AttemptsModel(QAbstractTableModel):
    """Attempts as rows of a table."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[AttemptRow] = ()
        self.headline: Headline | None = None

    def replace(self, rows: Sequence[AttemptRow]) -> None:
        """Shows other rows."""
        self.beginResetModel()
        self.rows = rows
        has_measures = any(row.measured is not None for row in rows)
        self.headline = headline_of(task_of_address(rows[0].address)) if has_measures else None
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return len(_COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.headline.label if self.headline and section == _SCORE else _COLUMNS[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return with_marks(_texts(row, self.headline)[column])
        if role == Qt.ItemDataRole.TextAlignmentRole and column in (0, 2, 4, 5):
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.DecorationRole and column == 2 and row.passed is not None:
            return icon("passed", "passed") if row.passed else icon("failed", "failed")
        if role == Qt.ItemDataRole.ToolTipRole and column == 2:
            return _result_tip(row, self.headline)
        if role == Qt.ItemDataRole.ToolTipRole and column == 3:
            return help_tip(row) or None
        if role == Qt.ItemDataRole.ToolTipRole and column == 4 and row.seconds is not None:
            return times_words(row)
        return None


def _score_text(row: AttemptRow, headline: Headline | None) -> str:
    if row.score is None:
        return "…"
    if headline is None:
        return score_words(row.score)
    return "–" if row.measured is None else headline.text(row.measured)


def _result_tip(row: AttemptRow, headline: Headline | None) -> str:
    if row.passed is None or row.score is None:
        return "judging…"
    result = "passed" if row.passed else "not passed"
    return f"{result}, score {score_words(row.score)}" if headline else result


def _texts(row: AttemptRow, headline: Headline | None) -> tuple[str, ...]:
    return (
        str(row.number),
        author_of(row),
        _score_text(row, headline),
        help_text(row),
        "" if row.seconds is None else format_seconds(row.seconds),
        str(row.edit_count or ""),
        row.submitted_at.astimezone().strftime("%d %b %Y %H:%M"),
    )
