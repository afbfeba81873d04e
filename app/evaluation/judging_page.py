"""The page of judging: which attempts at puzzles a judge has read; it is paused, resumed and dropped here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.evaluation.step_judging import JudgingState, StepJudgingWork
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.puzzles.candidates import JudgingLine, LineState, judging_lines
from spatial_workbench.engine.store.step_judges import judge_titles
from spatial_workbench.widgets.empty_state import EmptyState
from spatial_workbench.widgets.tables.rows import ROW_HEIGHT, RowsModel, TableColumn, make_rows_table
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

if TYPE_CHECKING:
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.app.evaluation.step_judgings import StepJudgings
    from spatial_workbench.engine.store import Project

REST_MS = 400
"""Between two looks at the project while judgements come in."""
PAUSING = "Nothing more is asked; the answers that are on their way are waited for, at most a minute."
_ICONS = {
    LineState.WAITING: ("clock", "secondary"),
    LineState.JUDGED: ("check", "text"),
    LineState.FAILED: ("warning", "warning"),
}


def _met(line: JudgingLine) -> str:
    return "".join("✓" if is_met else "·" for is_met in line.judgement.met) if line.judgement else ""


COLUMNS: tuple[TableColumn[JudgingLine], ...] = (
    TableColumn("Attempt", lambda line: str(line.attempt), 80, is_figure=True, key=lambda line: line.attempt),
    TableColumn("Puzzle", lambda line: line.puzzle, 220, is_long=True),
    TableColumn("Model or person", lambda line: line.who, 150, is_long=True),
    TableColumn(
        "State",
        lambda line: line.state.value.capitalize(),
        190,
        icon=lambda line: _ICONS[line.state],
        tip=lambda line: line.note,
    ),
    TableColumn("Steps", _met, 90, about="Each step of the annotation: ✓ met, · not met"),
    TableColumn(
        "Stepwise",
        lambda line: f"{line.judgement.score:.2f}" if line.judgement else "",
        80,
        is_figure=True,
        about="The last step that was met, over the number of steps, by the judge alone",
    ),
    TableColumn(
        "By answer",
        lambda line: f"{line.judgement.score_by_rule:.2f}" if line.judgement else "",
        90,
        is_figure=True,
        about="Stepwise, but the last step is met if the final answer is the solution",
    ),
    TableColumn("Reason", lambda line: line.note, 300, is_long=True, about="Why an attempt could not be judged"),
)


class JudgingPage(QWidget):
    """What judges were asked in this window, or wait to go on with: its state, and each attempt with its verdicts.

    Signals:
        judge_wanted(): ask a judge.
        attempt_wanted(int): show the steps of an attempt.
    """

    title = "Judging"
    icon_name = "check"
    judge_wanted = Signal()
    attempt_wanted = Signal(int)

    def __init__(self, judgings: StepJudgings, project: ProjectService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._judgings = judgings
        self._project = project
        self._shown: StepJudgingWork | None = None
        self._is_reading = False
        self._is_closed = False
        self._titles: dict[str, str] = {}
        """Of puzzles by address; used by the project's thread alone."""
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._read)
        self.model: RowsModel[JudgingLine] = RowsModel(COLUMNS, lambda line: line.attempt)
        self._make_head()
        self._make_table()
        self._lay_out()
        project.changed.connect(self._read_soon)
        project.opened.connect(self._show_state)
        judgings.changed.connect(self._show_works)
        judgings.state_changed.connect(self._show_state)
        self._show_works()

    def _show_works(self) -> None:
        """Offers all judgings; the newest is shown if it is new here, else the one that was shown."""
        works = self._judgings.works
        is_new = len(works) > self.works.count()
        titles = judge_titles(work.step_judge for work in works)
        self.works.blockSignals(True)
        self.works.clear()
        for place, work in enumerate(works):
            self.works.addItem(f"{titles[work.step_judge]} · {work.judging.scope}")
            self.works.setItemData(place, work.step_judge.words, Qt.ItemDataRole.ToolTipRole)
        newest = len(works) - 1
        self.works.setCurrentIndex(works.index(self._shown) if self._shown in works and not is_new else newest)
        self.works.blockSignals(False)
        self._choose()

    def close_page(self) -> None:
        """Stops following; judging goes on."""
        self._is_closed = True
        self._rest.stop()
        self._project.changed.disconnect(self._read_soon)
        self._project.opened.disconnect(self._show_state)
        self._judgings.changed.disconnect(self._show_works)
        self._judgings.state_changed.disconnect(self._show_state)

    # What happens ------------------------------------------------------------------------------------------------

    def _choose(self) -> None:
        place = self.works.currentIndex()
        works = self._judgings.works
        self._shown = works[place] if 0 <= place < len(works) else None
        self._stack.setCurrentIndex(0 if self._shown is None else 1)
        self._show_state()
        self._read()

    def _show_state(self) -> None:
        work = self._shown
        self.pause.setEnabled(work is not None and work.state in (JudgingState.QUEUED, JudgingState.RUNNING))
        self.resume.setEnabled(work is not None and work.can_go_on and self._is_here(work))
        self.drop.setEnabled(work is not None and work.can_go_on)
        self._show_words()
        if work is not None:
            self._read_soon()

    def _is_here(self, work: StepJudgingWork) -> bool:
        return work.project == self._project.path

    def _show_words(self) -> None:
        work = self._shown
        if work is None:
            return
        lines = self.model.rows
        failed = sum(line.state is LineState.FAILED for line in lines)
        judged = sum(line.state is LineState.JUDGED for line in lines)
        self.bar.setMaximum(max(1, len(lines)))
        self.bar.setValue(judged + failed)
        read = f"{judged:,} of {counted(len(lines), 'attempt')} judged"
        parts = [work.state.value.capitalize(), read, *([f"{failed:,} could not be judged"] if failed else [])]
        self.state.setText(" · ".join(parts))
        self.note.setText(PAUSING if work.state is JudgingState.PAUSING else work.words)
        if not self._is_here(work):
            self.note.setText(f"This is about another project: {work.project.name}.")

    def _read_soon(self) -> None:
        if not self._rest.isActive():
            self._rest.start()

    def _read(self) -> None:
        work = self._shown
        if work is None or self._is_reading or not self._is_here(work):
            self.model.show_rows(())
            self._show_words()
            return
        self._is_reading = True

        def lines_of(project: Project) -> tuple[StepJudgingWork, list[JudgingLine]]:
            return work, judging_lines(project, work.step_judge, work.what, self._titles)

        self._project.ask(lines_of, self._show_lines, self._not_read)

    def _show_lines(self, read: tuple[StepJudgingWork, list[JudgingLine]]) -> None:
        self._is_reading = False
        if self._is_closed:
            return
        work, lines = read
        if work is self._shown:
            self.model.show_rows(lines)
            self._show_words()
        else:
            self._read()

    def _not_read(self, text: str) -> None:
        self._is_reading = False
        if not self._is_closed:
            self.note.setText(text)

    def _pause(self) -> None:
        if self._shown is not None:
            self._shown.pause()

    def _resume(self) -> None:
        if self._shown is not None:
            self._shown.resume()

    def _ask_drop(self) -> None:
        work = self._shown
        if work is None:
            return
        question = "Give this judging up? It cannot be resumed then. Judgements that are stored stay."
        box = QMessageBox(QMessageBox.Icon.Question, "Drop", question, parent=self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        give_up = box.addButton("Drop", QMessageBox.ButtonRole.DestructiveRole)
        give_up.clicked.connect(lambda: self._judgings.drop(work))
        box.setDefaultButton(box.addButton("Keep it", QMessageBox.ButtonRole.RejectRole))
        box.open()

    def _open(self, index: QModelIndex) -> None:
        line = self.model.row_at(index)
        if line is not None:
            self.attempt_wanted.emit(line.attempt)

    # Parts -------------------------------------------------------------------------------------------------------

    def _make_head(self) -> None:
        self.works = ChoiceBox()
        self.works.setAccessibleName("Judge and attempts")
        self.works.setToolTip("What was launched in this window, or has not ended in this project")
        self.works.currentIndexChanged.connect(lambda _: self._choose())
        self.pause = QPushButton("Pause")
        self.pause.setToolTip("Ask nothing more; answers that are on their way are kept")
        self.pause.clicked.connect(self._pause)
        self.resume = QPushButton("Resume")
        self.resume.setToolTip("Go on with the attempts that wait; nothing that was answered is asked again")
        self.resume.clicked.connect(self._resume)
        self.drop = QPushButton("Drop…")
        self.drop.setToolTip("Never go on; judgements that are stored stay")
        self.drop.clicked.connect(self._ask_drop)
        self.judge = QPushButton("Judge steps…")
        self.judge.setObjectName("primary")
        self.judge.setToolTip("Ask a model which annotated steps attempts at puzzles contain")
        self.judge.clicked.connect(self.judge_wanted)
        self.state = QLabel()
        self.note = QLabel()
        self.note.setObjectName("secondary")
        self.note.setWordWrap(True)
        self.bar = QProgressBar()
        self.bar.setAccessibleName("Attempts that were read")
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(8)

    def _make_table(self) -> None:
        self.table = make_rows_table(self.model, COLUMNS, "Attempts that are judged")
        self.table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.table.setToolTip("Enter or a double click shows the steps beside the text")
        self.table.activated.connect(self._open)
        self.empty = EmptyState(
            "No steps are being judged",
            "A judge is a model that reads attempts at puzzles and says which annotated steps they contain.\n"
            "What is paused or cut off stays here until it has ended or is dropped, even after the window was closed.",
            "Judge steps…",
        )
        self.empty.button.clicked.connect(self.judge_wanted)

    def _lay_out(self) -> None:
        title = QLabel("Judging of steps")
        title.setObjectName("pageTitle")
        head = QHBoxLayout()
        head.addWidget(title)
        head.addStretch(1)
        head.addWidget(self.judge)
        tools = QHBoxLayout()
        tools.setSpacing(2 * SPACE)
        for widget in (self.works, self.pause, self.resume, self.drop):
            tools.addWidget(widget)
        tools.addStretch(1)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * SPACE)
        column.addLayout(tools)
        column.addWidget(self.state)
        column.addWidget(self.bar)
        column.addWidget(self.note)
        column.addWidget(self.table, 1)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(body)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6 * SPACE, 6 * SPACE, 6 * SPACE, 6 * SPACE)
        layout.setSpacing(4 * SPACE)
        layout.addLayout(head)
        layout.addWidget(self._stack, 1)
