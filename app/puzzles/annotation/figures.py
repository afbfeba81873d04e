"""Makes figures of sketches, and opens and chooses the figures of steps."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMenu

from spatial_workbench.app.puzzles.annotation import work
from spatial_workbench.app.puzzles.annotation.edited import EditedPuzzle
from spatial_workbench.app.puzzles.annotation.pages_pane import PagesPane
from spatial_workbench.app.puzzles.annotation.step_list import StepList
from spatial_workbench.app.puzzles.annotation.work import ShownFigure
from spatial_workbench.app.puzzles.page_lane import PageLane
from spatial_workbench.engine.puzzles.annotation.annotating import PuzzleFigure
from spatial_workbench.engine.puzzles.annotation.layers import PuzzleLayer


class AnnotationFigures(QObject):
    """The figures of a puzzle's steps.

    Signals:
        entered(): a step has a new figure, which is not saved yet.
    """

    entered = Signal()

    def __init__(self, edited: EditedPuzzle, lane: PageLane, pane: PagesPane, steps: StepList) -> None:
        super().__init__(edited)
        self._edited = edited
        self._lane = lane
        self._pane = pane
        self._steps = steps

    def make_figure(self, layer: PuzzleLayer) -> None:
        """Makes a figure of a page and its layer, and enters it in the current step."""
        edited = self._edited
        if edited.is_read_only or layer.page not in edited.pages:
            return
        index = self._steps.current
        self._lane.run(
            "Drawing a figure",
            work.render,
            edited.pages[layer.page],
            layer,
            done=lambda drawn: self._enter_figure(index, layer, *drawn),
        )

    def open_figure(self, index: int) -> None:
        """Opens the figure of a step: its layer to be changed, or the flat picture."""
        annotation = self._edited.annotation
        name = annotation.puzzle.reasoning[index].figure
        if name is None:
            return
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
        annotation = self._edited.annotation
        named = {step.figure for step in annotation.puzzle.reasoning}
        known = {**annotation.files, **annotation.fresh}
        more = self._steps.cards[index].more
        menu = QMenu(self._steps)
        for name in sorted(known, key=lambda name: (name in named, name)):
            action = menu.addAction(f"{name}{' (in use)' if name in named else ''}")
            if name in self._edited.thumbnails:
                action.setIcon(self._edited.thumbnails[name])
            action.triggered.connect(lambda _=False, name=name: self._steps.set_figure(index, name))
        if not known:
            menu.addAction("Draw on the page and save it as a figure").setEnabled(False)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(more.mapToGlobal(more.rect().bottomLeft()))

    def _enter_figure(self, index: int, layer: PuzzleLayer, figure: PuzzleFigure, thumbnail: bytes) -> None:
        name = self._edited.add_figure(figure, thumbnail)
        self._edited.take_layer(layer)
        if not self._edited.puzzle.reasoning:
            self._steps.new_step(-1)
        self._steps.set_figure(min(index, len(self._steps.steps) - 1), name)
        self.entered.emit()

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
