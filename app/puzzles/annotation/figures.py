"""Makes figures of sketches, and opens and chooses the figures of steps."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from spatial_workbench.app.background.jobs import BackgroundJob
from spatial_workbench.app.puzzles.annotation import work
from spatial_workbench.app.puzzles.annotation.edited import EditedPuzzle
from spatial_workbench.app.puzzles.annotation.pages_pane import PagesPane
from spatial_workbench.app.puzzles.annotation.step_editing import place_of
from spatial_workbench.app.puzzles.annotation.step_list import StepList
from spatial_workbench.app.puzzles.annotation.work import ShownFigure
from spatial_workbench.app.puzzles.page_lane import PageLane
from spatial_workbench.engine.puzzles.annotation.annotating import PuzzleFigure
from spatial_workbench.engine.puzzles.annotation.layers import PuzzleLayer
from spatial_workbench.engine.puzzles.sets.folders import figure_number


class AnnotationFigures(QObject):
    """The figures of a puzzle's steps.

    Signals:
        entered(): a step has a new figure, which is not saved yet.
        message(str): a note for the status bar.
    """

    entered = Signal()
    message = Signal(str)

    def __init__(self, edited: EditedPuzzle, lane: PageLane, pane: PagesPane, steps: StepList) -> None:
        super().__init__(edited)
        self._edited = edited
        self._lane = lane
        self._pane = pane
        self._steps = steps
        self._strip = pane.figure_strip
        # A lane of its own, so that saving never waits for the drawing of a large page.
        self._drawing = PageLane("figures", self._fail, self)
        self._jobs: list[BackgroundJob] = []
        self._strip.cancelled.connect(self.cancel)
        steps.current_changed.connect(self._show_target)

    @property
    def is_idle(self) -> bool:
        """Whether no figure is being drawn."""
        return not self._jobs

    def make_figure(self, layer: PuzzleLayer) -> None:
        """Makes a figure of a page and its layer in the background, and enters it in the step that is current now.

        The step may be moved and rewritten meanwhile.
        """
        edited = self._edited
        if edited.is_read_only or layer.page not in edited.pages:
            return
        if not self._steps.steps:
            self._steps.new_step(-1)
        key = self._steps.steps[self._steps.current].key
        self._strip.begin()
        self._jobs.append(
            self._drawing.run(
                "Drawing a figure",
                work.render,
                edited.pages[layer.page],
                layer,
                done=lambda drawn: self._enter_figure(key, layer, *drawn),
                failed=self._fail,
                progressed=self._strip.show_progress,
            )
        )

    def cancel(self) -> None:
        """Makes none of the figures that are under way; their sketches stay."""
        for job in self._jobs:
            self._drawing.drop(job)
        self._jobs.clear()
        self._strip.end()

    def close(self) -> None:
        """Ends the process that draws."""
        self._drawing.close()

    def open_figure(self, index: int) -> None:
        """Opens the figure of a step: its layer to be changed, or the flat picture."""
        name = self._edited.annotation.puzzle.reasoning[index].figure
        if name is not None:
            self.open_named(name)

    def open_named(self, name: str) -> None:
        """Opens a figure, which a step may name or not: its layer to be changed, or the flat picture."""
        annotation = self._edited.annotation
        self._lane.run(
            "Opening a figure",
            work.figure,
            self._edited.set_path,
            self._edited.folder,
            annotation.files.get(name, name),
            None if name in annotation.files else annotation.fresh.get(name),
            done=lambda shown: self._show_figure(name, shown),
        )

    def choose_figure(self, index: int) -> None:
        """Offers the figures of the folder for a step, those that no step names first."""
        self._offer(self._steps.cards[index].more, lambda name: self._steps.set_figure(index, name))

    def offer_to_look(self, button: QWidget) -> None:
        """Offers the figures of the folder to be looked at below a button, those that no step names first."""
        self._offer(button, self.open_named)

    def _offer(self, button: QWidget, take: Callable[[str], None]) -> None:
        annotation = self._edited.annotation
        named = {step.figure for step in annotation.puzzle.reasoning}
        known = {**annotation.files, **annotation.fresh}
        menu = QMenu(self._steps)
        for name in sorted(known, key=lambda name: (name in named, figure_number(name), name)):
            action = menu.addAction(f"{name}{' (in use)' if name in named else ''}")
            if name in self._edited.thumbnails:
                action.setIcon(self._edited.thumbnails[name])
            action.triggered.connect(lambda _=False, name=name: take(name))
        if not known:
            menu.addAction("Draw on the page and save it as a figure").setEnabled(False)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _enter_figure(self, key: str, layer: PuzzleLayer, figure: PuzzleFigure, thumbnail: bytes) -> None:
        self._end_first()
        name = self._edited.add_figure(figure, thumbnail)
        index = place_of(self._edited.puzzle.reasoning, key)
        if index is None:
            self.message.emit("The figure's step was deleted. Another step can take it: Choose figure, in its menu.")
            return
        self._edited.take_layer(layer)
        self._steps.enter_figure(index, name)
        self.message.emit(f"The sketch is the figure of step {index + 1}.")
        self.entered.emit()

    def _fail(self, text: str) -> None:
        self._end_first()
        self.message.emit(text)

    def _end_first(self) -> None:
        """The drawing that began first has ended."""
        del self._jobs[:1]
        if not self._jobs:
            self._strip.end()

    def _show_target(self) -> None:
        self._strip.show_target(self._steps.steps, self._steps.current)

    def _show_figure(self, name: str, shown: ShownFigure) -> None:
        layer = shown.layer
        if layer is None or layer.page not in self._edited.pages:
            self._pane.show_flat(name, shown.png)
            return
        self._pane.close_flat()
        pad = self._pane.pad
        pad.pages.turn_to(layer.page)
        if self._edited.is_read_only:
            pad.desk.set_layer(layer)
        else:
            self._edited.take_layer(layer)
            pad.desk.put("opened sketch", layer)
