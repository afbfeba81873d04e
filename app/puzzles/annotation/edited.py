"""A puzzle whose annotation is open: as it is shown, as it is stored, and the history between the two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QPixmap, QUndoStack

from spatial_workbench.app.frame.undo import StateChange
from spatial_workbench.engine.puzzles.annotation.annotating import (
    Annotation,
    PuzzleFigure,
    Saved,
    Stamp,
    new_figure_name,
)
from spatial_workbench.engine.puzzles.annotation.layers import PuzzleLayer
from spatial_workbench.engine.puzzles.annotation.validation import Files
from spatial_workbench.engine.puzzles.puzzle import Misread, Puzzle
from spatial_workbench.engine.puzzles.sets.folders import shown_folder
from spatial_workbench.widgets.qt import pixmap_of

if TYPE_CHECKING:
    from spatial_workbench.app.puzzles.annotation.work import Opened
    from spatial_workbench.app.puzzles.set_work import SetEntry


class EditedPuzzle(QObject):
    """An annotation, which each change replaces by another one, with what is known of its files.

    Attributes:
        set_path, folder: The set, and the name of the puzzle's folder in it.
        annotation: What is shown now.
        is_open: Whether it has been read.
        misread: What could not be read in its file.
        files: What its folder holds, and what is wrong with it.
        pages: The pages that can be shown, PNG by file name.
        thumbnails: Small pictures of its figures, by the names that steps have for them.

    Signals:
        changed(): another state of the puzzle is shown.
    """

    changed = Signal()

    def __init__(
        self,
        entry: SetEntry,
        folder: str,
        undo_stack: QUndoStack,
        layers: Callable[[], Mapping[str, PuzzleLayer]],
        parent: QObject | None = None,
    ) -> None:
        """layers: returns what is drawn on the pages now."""
        super().__init__(parent)
        self.set_path = entry.path
        self.folder = folder
        self.title = shown_folder(folder)
        self.is_read_only = entry.is_read_only
        self.is_open = False
        self.annotation = Annotation(Puzzle())
        self.misread: tuple[Misread, ...] = ()
        self.files = Files(folder)
        self.pages: Mapping[str, bytes] = {}
        self.thumbnails: dict[str, QPixmap] = {}
        self._undo_stack = undo_stack
        self._layers = layers
        self._stored_puzzle = Puzzle()
        self._stored_layers: dict[str, PuzzleLayer] = {}
        """Layers of figures; a layer that differs from them is an unsaved sketch."""

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle as it is shown."""
        return self.annotation.puzzle

    @property
    def has_grid(self) -> bool:
        """Whether a grid lies over one of the pages."""
        return any(layer.grid is not None for layer in self._layers().values())

    @property
    def sketches(self) -> tuple[PuzzleLayer, ...]:
        """The drawings that are not stored as figures."""
        return tuple(layer for page, layer in self._layers().items() if layer != self._stored_layers.get(page))

    @property
    def is_edited(self) -> bool:
        """Whether the puzzle differs from what is stored."""
        return self.puzzle != self._stored_puzzle

    @property
    def is_dirty(self) -> bool:
        """Whether there is something that is not saved, a sketch included."""
        return self.is_open and not self.is_read_only and (self.is_edited or bool(self.sketches))

    # What was read and stored ------------------------------------------------------------------------------------

    def take_opened(self, opened: Opened) -> None:
        """Begins afresh with what was read; `show_puzzle` shows it."""
        self.is_open = True
        self.annotation = opened.annotation
        self.misread = opened.misread
        self.files = opened.files
        self.pages = opened.pages
        self.thumbnails = {name: pixmap_of(png) for name, png in opened.thumbnails.items()}
        self._stored_puzzle = opened.annotation.puzzle
        self._stored_layers = {}

    def take_saved(self, puzzle: Puzzle, saved: Saved, files: Files | None, misread: tuple[Misread, ...]) -> None:
        """Notes which state of the puzzle is stored now, and what has become of its files.

        misread: What cannot be read in the file as it is now.
        """
        fresh = {**self.annotation.fresh, **saved.dropped}
        self.annotation = replace(self.annotation, files=saved.files, held=saved.held, stamp=saved.stamp, fresh=fresh)
        self.files = files or self.files
        self.misread = misread
        self._stored_puzzle = puzzle

    def take_stamp(self, stamp: Stamp) -> None:
        """Overwrites, with the next save, what another program has made of the files."""
        self.annotation = replace(self.annotation, stamp=stamp)

    def take_layer(self, layer: PuzzleLayer) -> None:
        """Notes that a layer is stored as a figure."""
        self._stored_layers[layer.page] = layer

    # Changes by the person ---------------------------------------------------------------------------------------

    def show_puzzle(self, puzzle: Puzzle) -> None:
        """Shows a state of the puzzle; for steps of the history."""
        self.annotation = replace(self.annotation, puzzle=puzzle)
        self.changed.emit()

    def change(self, puzzle: Puzzle, label: str, key: str = "") -> None:
        """Replaces the puzzle, as a step of the history.

        key: The field that was typed into; see `StateChange`.
        """
        if not self.is_read_only and puzzle != self.puzzle:
            self._undo_stack.push(StateChange(self.show_puzzle, label, self.puzzle, puzzle, key))

    def add_figure(self, figure: PuzzleFigure, thumbnail: bytes) -> str:
        """Holds a new figure until it is saved; returns its name."""
        name = new_figure_name(self.annotation)
        self.thumbnails[name] = pixmap_of(thumbnail)
        self.add_fresh({name: figure})
        return name

    def add_fresh(self, figures: Mapping[str, PuzzleFigure]) -> None:
        """Holds figures, by their names, until they are saved."""
        self.annotation = replace(self.annotation, fresh={**self.annotation.fresh, **figures})
