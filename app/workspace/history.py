"""How a person built an answer: every stored edit, and the drawing after each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QLabel, QListWidget, QPushButton, QSplitter, QVBoxLayout, QWidget

from spatial_workbench.app.attempts import drawings
from spatial_workbench.app.attempts.stage import ComparisonStage
from spatial_workbench.app.background.jobs import ScopedRunner
from spatial_workbench.app.video.films import EditsFilm, TakeFilm
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.attempts.drawings import AttemptDrawing
    from spatial_workbench.app.background.jobs import Jobs
    from spatial_workbench.engine.evaluation.edit_histories import EditHistory

STEP_MS = 300
"""How long a drawing stays while it plays."""
BEGINNING = "Beginning"


class HistoryPage(QWidget):
    """The edits of an attempt in a list; beside it the answer after the chosen one. *Play* goes through them."""

    icon_name = "play"

    def __init__(self, history: EditHistory, title: str, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = title
        self.history = history
        self._jobs = ScopedRunner(jobs)
        self._drawn: int | None = None
        self._is_drawing = False
        self.steps = QListWidget()
        self.steps.setAccessibleName("Edits")
        self.steps.setUniformItemSizes(True)
        self.steps.addItem(BEGINNING)
        self.steps.addItems([f"{number}. {edit.label}" for number, edit in enumerate(history.edits, 1)])
        self.stage = ComparisonStage("The answer after the chosen edit")
        self.words = QLabel()
        self.words.setObjectName("secondary")
        self.words.setWordWrap(True)
        self.play = QPushButton(icon("play"), "Play")
        self.play.setCheckable(True)
        self.play.setToolTip("Show one edit after the other")
        self.play.toggled.connect(self._play_or_stop)
        self._pace = QTimer(self, singleShot=True, interval=STEP_MS)
        self._pace.timeout.connect(self._go_on)
        self._lay_out()
        self.steps.currentRowChanged.connect(lambda _: self._draw())
        self.steps.setCurrentRow(history.shown)

    def offer_film(self, take: TakeFilm) -> None:
        """Offers the answer as it was built."""
        take(EditsFilm(self.title, self.history))

    def close_page(self) -> None:
        """Releases the graphics resources."""
        self._pace.stop()
        self._jobs.close()
        self.stage.close_view()

    def _draw(self) -> None:
        """Draws the chosen step, unless one is being drawn; then it follows."""
        number = self.steps.currentRow()
        if self._is_drawing or number < 0:
            return
        self._is_drawing = True
        self._jobs.run(
            "Drawing the edit",
            drawings.draw,
            self.history.address,
            self.history.answer_after(number),
            None,
            done=lambda drawing: self._show_drawing(number, drawing),
            failed=lambda text: self._show_trouble(number, text),
            quiet=True,
        )

    def _show_drawing(self, number: int, drawing: AttemptDrawing) -> None:
        if drawing.scene is None:
            self.stage.show_words(drawing.trouble)
        else:
            self.stage.show_scene(drawing.scene, reset_view=self._drawn is None)
        self._show_edit(number, drawing.trouble)

    def _show_trouble(self, number: int, text: str) -> None:
        self.stage.show_words(text)
        self._show_edit(number, "")

    def _show_edit(self, number: int, trouble: str) -> None:
        self._drawn = number
        self._is_drawing = False
        when = "" if number == 0 else f", {self.history.edits[number - 1].at.astimezone():%d %b %Y %H:%M:%S}"
        said = f"Edit {number} of {len(self.history.edits)}{when}."
        note = self.history.note if number == self.history.shown else ""
        self.words.setText(" ".join(filter(None, (said, note, trouble))))
        if self.steps.currentRow() != number:
            self._draw()
        elif self.play.isChecked():
            self._pace.start()

    def _play_or_stop(self, plays: bool) -> None:
        if not plays:
            self._pace.stop()
            return
        if self.steps.currentRow() == self.steps.count() - 1:
            self.steps.setCurrentRow(0)
        else:
            self._go_on()

    def _go_on(self) -> None:
        if self.steps.currentRow() == self.steps.count() - 1:
            self.play.setChecked(False)
        else:
            self.steps.setCurrentRow(self.steps.currentRow() + 1)

    def _lay_out(self) -> None:
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        column.setSpacing(2 * SPACE)
        column.addWidget(self.play, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.steps, 1)
        column.addWidget(self.words)
        split = QSplitter()
        split.setHandleWidth(1)
        split.addWidget(side)
        split.addWidget(self.stage)
        split.setStretchFactor(1, 1)
        split.setSizes([280, 900])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(split)
