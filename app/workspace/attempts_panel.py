"""The attempts at one instance with author, times and score; one can be opened, or two compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.attempts.replays import REPLAY, can_replay, words_of_replay
from spatial_workbench.app.attempts.words import (
    CUT_OFF_ICON,
    cut_off_words,
    format_seconds,
    help_text,
    help_tip,
    times_words,
)
from spatial_workbench.app.frame.people import author_of
from spatial_workbench.engine.core import headline_of, task_of_address
from spatial_workbench.engine.core.words import score_words
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.tables.rows import ROW_HEIGHT, RowsModel, TableColumn, make_rows_table
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.engine.core import Headline
    from spatial_workbench.engine.store import AttemptRow

_SCORE = 2
_SCORE_PX = 64


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
        columns = attempt_columns(None)
        self.model: RowsModel[AttemptRow] = RowsModel(columns, lambda row: row.number, has_aligned_heads=False)
        self.table = make_rows_table(self.model, columns, "Attempts", several=True)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.doubleClicked.connect(lambda index: self.opened.emit(self.model.rows[index.row()].number))
        self.table.selectionModel().selectionChanged.connect(self._update_buttons)
        self._open = QPushButton("Open in editor")
        self._open.setToolTip("Put this attempt's answer into the editor (it can be undone)")
        self._open.clicked.connect(lambda: self.opened.emit(self.selected()[0]))
        self._compare = QPushButton(icon("compare"), "Compare")
        self._compare.setToolTip("One attempt: compare it with the draft. Two: compare them with each other.")
        self._compare.clicked.connect(self._ask_comparison)
        self._replay = QPushButton(icon("play"), REPLAY[0])
        self._replay.setToolTip(REPLAY[1])
        self._replay.clicked.connect(lambda: self.replayed.emit(self.selected()[0]))
        self._empty = QLabel("No attempts yet.\nSubmit your answer (F9) to keep it with its verdicts.")
        self._empty.setObjectName("secondary")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._lay_out()
        self._update_buttons()

    def show_attempts(self, rows: Sequence[AttemptRow]) -> None:
        """Shows these attempts."""
        chosen = self.selected()
        self.model.show_columns(attempt_columns(_headline_of(rows)))
        self.model.show_rows(rows)
        self._stack.setCurrentIndex(0 if rows else 1)
        self.table.resizeColumnToContents(_SCORE)
        self.table.setColumnWidth(_SCORE, max(_SCORE_PX, self.table.columnWidth(_SCORE)))
        self.select(chosen)
        self._update_buttons()

    def select(self, numbers: Sequence[int]) -> None:
        """Selects these attempts, regardless of modifier keys."""
        selection = QItemSelection()
        for i, row in enumerate(self.model.rows):
            if row.number in numbers:
                selection.select(self.model.index(i, 0), self.model.index(i, self.model.columnCount() - 1))
        self.table.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def selected(self) -> list[int]:
        """The numbers of the selected attempts."""
        return [self.model.rows[index.row()].number for index in self.table.selectionModel().selectedRows()]

    def _ask_comparison(self) -> None:
        first, *rest = self.selected()
        self.compared.emit(first, rest[0] if rest else None)

    def _update_buttons(self) -> None:
        count = len(self.selected())
        self._open.setEnabled(count == 1)
        self._compare.setEnabled(count in (1, 2))
        chosen = [row for row in self.model.rows if row.number in self.selected()]
        self._replay.setEnabled(count == 1 and can_replay(chosen[0]))
        words, tip = words_of_replay(chosen[0]) if count == 1 else REPLAY
        self._replay.setText(words)
        self._replay.setToolTip(tip)

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


def attempt_columns(headline: Headline | None) -> tuple[TableColumn[AttemptRow], ...]:
    """The columns; where the task has a figure of its own, `headline`, it stands in place of the score."""
    return (
        TableColumn("#", lambda row: str(row.number), 32, is_figure=True),
        TableColumn("Who", author_of, 76),
        TableColumn(
            "Score" if headline is None else headline.label,
            lambda row: _score_text(row, headline),
            _SCORE_PX,
            is_figure=True,
            icon=_result_icon,
            tip=lambda row: _result_tip(row, headline),
        ),
        TableColumn("Help", help_text, 44, tip=help_tip),
        TableColumn("Time", _time_text, 52, is_figure=True, tip=_time_tip),
        TableColumn("Edits", lambda row: str(row.edit_count or ""), 46, is_figure=True),
        TableColumn("Submitted", lambda row: row.submitted_at.astimezone().strftime("%d %b %Y %H:%M"), 120),
    )


def _headline_of(rows: Sequence[AttemptRow]) -> Headline | None:
    """The figure of the task that was measured; None if nothing was."""
    has_measures = any(row.measured is not None for row in rows)
    return headline_of(task_of_address(rows[0].address)) if has_measures else None


def _result_icon(row: AttemptRow) -> tuple[str, str] | None:
    if row.passed is None:
        return None
    if row.cut_off and not row.passed:
        return CUT_OFF_ICON
    return ("passed", "passed") if row.passed else ("failed", "failed")


def _time_text(row: AttemptRow) -> str:
    return "" if row.seconds is None else format_seconds(row.seconds)


def _time_tip(row: AttemptRow) -> str:
    return "" if row.seconds is None else times_words(row)


def _score_text(row: AttemptRow, headline: Headline | None) -> str:
    if row.score is None:
        return "…"
    if headline is None:
        return score_words(row.score)
    return "–" if row.measured is None else headline.text(row.measured)


def _result_tip(row: AttemptRow, headline: Headline | None) -> str:
    if row.passed is None or row.score is None:
        return "checking…"
    result = "passed" if row.passed else "not passed"
    words = f"{result}, score {score_words(row.score)}" if headline else result
    return f"{words}. {cut_off_words(row.cut_off)}" if row.cut_off else words
