"""The editor: the puzzle's pages in a sketch pad, and beside them the solver's steps and the answer."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.annotation.layers import PuzzleLayer
from spatial_workbench.engine.puzzles.solving import answer_of, steps_of, with_answer, with_steps
from spatial_workbench.engine.tasks.puzzle_hunt import MAX_CHARS, Solution
from spatial_workbench.widgets.editing.controls import Action, Buttons, Declared, Note, Section
from spatial_workbench.widgets.editing.editor import GIVE_UP, SUBMIT, Editor
from spatial_workbench.widgets.editors.puzzle_hunt.answer_pane import AnswerPane
from spatial_workbench.widgets.editors.puzzle_hunt.page_view import SketchView
from spatial_workbench.widgets.scene_views.view import SceneView

WIDE_PX = 980
"""The least width at which the steps are beside the page; in narrower views, they are below it."""
SAVE_AFTER_MS = 800
"""How soon after a stroke the sketch is stored."""


class PuzzleHuntEditor(Editor[Solution]):
    """Shows the pages to draw on. The answer is a text: the solver's steps, and a last line with the answer.

    Its signals are those of `TimesSolving` and `TakesSketches`.
    """

    clock_wanted = Signal(bool, bool)
    sketch_drawn = Signal(object)

    def prepare(self) -> None:
        self.is_clock_running, self.is_clock_finished = True, False
        self._pages: Scene | None = None
        self._pane = AnswerPane(has_submit=SUBMIT not in self.withheld)
        self._pane.steps_written.connect(self._write_steps)
        self._pane.answer_written.connect(self._write_answer)
        self._pane.submitted.connect(self._submit)

    def make_view(self) -> SceneView:
        self._sketch = SketchView(self.document.undo_stack)
        self.pad = self._sketch.pad
        self.pad.status_line.changed.connect(self.update_status)
        self.pad.desk.layer_changed.connect(self._sketch_changed)
        self._unsaved: set[str] = set()
        self._saving = QTimer(self, singleShot=True, interval=SAVE_AFTER_MS)
        self._saving.timeout.connect(self.save_sketches)
        return self._sketch

    def central_widget(self) -> QWidget:
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self.view)
        self._split.addWidget(self._pane)
        self._split.setStretchFactor(0, 1)
        return self._split

    def list_controls(self) -> Iterable[Declared]:
        seen = self.pad.actions_by_name
        yield Section(
            "Page",
            Buttons(
                Action("Fit", seen["Fit page"].trigger, "", "frame", "Show the whole page  (0)", Aid.VIEWING),
                Action("100 %", seen["Actual size"].trigger, "", "search", "Actual size  (1)", Aid.VIEWING),
                Action("Turn", seen["Turn view"].trigger, "", "rotate", "Turn the view by 90°  (R)", Aid.VIEWING),
                Action("Mirror", seen["Mirror view"].trigger, "", "mirror", "Mirror the view  (M)", Aid.VIEWING),
                columns=2,
            ),
            Note("Hold Z for a lens. Drag with Space held to move the page."),
        )
        yield Section("Clock", Buttons(*self._clock_actions()))

    def _clock_actions(self) -> Iterable[Action]:
        def runs() -> bool:
            return not self.is_clock_finished

        def says() -> str:
            return "Pause clock" if self.is_clock_running or self.is_clock_finished else "Continue"

        yield Action(
            "Pause clock",
            self._toggle_clock,
            "",
            "pause",
            "Pause the clock, or let it go on; pauses are recorded",
            Aid.VIEWING,
            says=says,
            enabled=runs,
        )
        tip = "Stop the clock for good; this is recorded"
        yield Action(GIVE_UP, self.give_up, "", "close", tip, Aid.SOLVING, enabled=runs)

    def make_scene(self) -> Scene:
        """The pages alone; they are the same whatever the answer."""
        if self._pages is None:
            self._pages = self.task.scene(self.instance)
        return self._pages

    def refresh(self) -> None:
        text = self.document.answer.text
        self._pane.show_text(steps_of(text), answer_of(text))
        super().refresh()

    def status(self) -> str:
        text = self.document.answer.text
        steps = len(steps_of(text))
        answer = answer_of(text)
        parts = [counted(steps, "step"), f"answer “{answer[:40]}”" if answer else "no answer yet"]
        return " · ".join([*parts, self.pad.status_line.status()]).removesuffix(" · ")

    def clock_changed(self, is_running: bool, is_finished: bool) -> None:
        """Shows whether the clock runs."""
        self.is_clock_running, self.is_clock_finished = is_running, is_finished
        self.panel.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = event.size().width() >= WIDE_PX
        side = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if self._split.orientation() is not side or event.oldSize().width() < 0:
            self._split.setOrientation(side)
            room, pane = (event.size().width(), 320) if wide else (event.size().height(), 190)
            self._split.setSizes([room - pane, pane])

    def show_sketches(self, layers: Iterable[PuzzleLayer]) -> None:
        """Shows what the person drew before, where it is as large as the page."""
        for layer in layers:
            if layer.page in self.pad.pages.names and layer.size == self.pad.pages.layer(layer.page).size:
                self.pad.desk.set_layer(layer)

    def save_sketches(self) -> None:
        """Emits `sketch_drawn` for every page that was drawn on since the last time."""
        self._saving.stop()
        for page in sorted(self._unsaved):
            self.sketch_drawn.emit(self.pad.pages.layer(page))
        self._unsaved.clear()

    def give_up(self) -> None:
        """Stops the clock for good."""
        self.clock_wanted.emit(False, True)
        self.message.emit("You gave up; the clock has stopped. Load reference solution shows the steps.")

    # Internal ----------------------------------------------------------------------------------------------------

    def _sketch_changed(self, page: str) -> None:
        self._unsaved.add(page)
        self._saving.start()

    def _toggle_clock(self) -> None:
        self.clock_wanted.emit(not self.is_clock_running, False)

    def _write_steps(self, steps: list[str], line: int) -> None:
        self._edit_text("Write steps", with_steps(self.document.answer.text, steps), f"step {line}")

    def _write_answer(self, answer: str) -> None:
        self._edit_text("Write answer", with_answer(self.document.answer.text, answer), "answer")

    def _edit_text(self, label: str, text: str, merge: str) -> None:
        if len(text) > MAX_CHARS:
            self.message.emit(f"The text is longer than {MAX_CHARS:,} characters; the last change was not taken.")
            self.refresh()
        else:
            self.edit(label, Solution(text=text), merge)

    def _submit(self) -> None:
        self.submit_wanted.emit()
