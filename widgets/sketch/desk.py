"""The desk that the tools of a sketch work on: the layer in front, what is selected, and the look of new shapes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from spatial_workbench.engine.puzzles.annotation.layers import COLORS, MOST_SHAPES, Point, PuzzleLayer, Text
from spatial_workbench.widgets.sketch.history import LayerChange
from spatial_workbench.widgets.sketch.pages import SketchPages
from spatial_workbench.widgets.sketch.shapes import moved, outline_box, without
from spatial_workbench.widgets.sketch.view import PageView

UNDO_LIMIT = 200
LOOK_SIDE_PX = 1_500
"""Widths are those on a page whose longer side has so many pixels; lines on larger pages are wider."""
MOST_WIDTH_PX = 200.0
MOST_TEXT_PX = 1_000.0
TEXT_PER_WIDTH = 7.0
"""The height of letters in widths of the line that is chosen."""


@dataclass(frozen=True)
class Look:
    """The look of new shapes."""

    color: str = COLORS["red"]
    width: float = 4.0
    opacity: float = 1.0

    def fields(self, size: tuple[int, int]) -> dict[str, Any]:
        """The look as fields of a shape on a page of this width and height in pixels."""
        return {**asdict(self), "width": self.width_on(size)}

    def width_on(self, size: tuple[int, int]) -> float:
        """The width of lines in pixels of a page of this size."""
        return min(self.width * max(1.0, max(size) / LOOK_SIDE_PX), MOST_WIDTH_PX)


class SketchDesk(QObject):
    """Changes the layer of the page in front, each change a step of the history.

    Attributes:
        view: Shows the page in front.
        look: The look of new shapes.
        selection: Indices of the selected shapes.
        undo_stack: The history, which may be shared with others.

    Signals:
        changed(): what can be done now may be something else.
        layer_changed(str): the person changed the layer of this page, or undid a change.
        look_changed(Look): another look was chosen.
        message(str): a message for the person, which is out of date when the next tool is taken.
        text_wanted(Text, tuple): a text is to be typed at a point of the page: a new one, or one of the layer.
    """

    changed = Signal()
    layer_changed = Signal(str)
    look_changed = Signal(object)
    message = Signal(str)
    text_wanted = Signal(object, object)

    def __init__(self, view: PageView, pages: SketchPages, undo_stack: QUndoStack | None = None) -> None:
        """With `undo_stack`, changes become steps of that history; otherwise the desk keeps one of its own."""
        super().__init__(view)
        self.view = view
        self.look = Look()
        self.selection: frozenset[int] = frozenset()
        self.undo_stack = undo_stack if undo_stack is not None else self._own_history()
        self._pages = pages
        self._is_read_only = False
        self._gesture = 0
        pages.replaced.connect(self._restart_history)
        pages.leaving.connect(self._drop_selection)
        pages.shown.connect(self.changed)
        view.pointer.pressed.connect(self.begin_gesture)

    @property
    def current(self) -> PuzzleLayer:
        """The layer of the page in front."""
        return self._pages.current

    @property
    def can_draw(self) -> bool:
        """Whether the page in front can be drawn on."""
        return not self._is_read_only and not self._pages.shows_figure and bool(self._pages.front)

    @property
    def is_read_only(self) -> bool:
        """Whether nothing can be drawn on any page."""
        return self._is_read_only

    @is_read_only.setter
    def is_read_only(self, value: bool) -> None:
        self._pages.leave()
        self._is_read_only = value
        self.changed.emit()

    @property
    def look_fields(self) -> dict[str, Any]:
        """The look as fields of a shape on the page in front."""
        return self.look.fields(self.current.size)

    # Layers ------------------------------------------------------------------------------------------------------

    def begin_gesture(self) -> None:
        """Begins a step of the history; all changes until the next one belong to it."""
        self._gesture += 1

    def put(self, label: str, layer: PuzzleLayer) -> None:
        """Replaces the layer of the page in front, as a step of the history."""
        if not self.can_draw:
            return
        if len(layer.shapes) > MOST_SHAPES:
            self.message.emit(f"A layer holds at most {MOST_SHAPES:,} shapes.")
            return
        self.undo_stack.push(LayerChange(self, label, self.current, layer, self._gesture))

    def show_layer(self, layer: PuzzleLayer) -> None:
        """Shows a layer on its page, and reports the change; for steps of the history."""
        if layer.page not in self._pages.names:
            return
        before = self._pages.layer(layer.page)
        self._pages.replace_layer(layer)
        self._pages.turn_to(layer.page)
        self.selection = frozenset(i for i in self.selection if i < len(layer.shapes))
        self._pages.show_shapes(redraw=bool(self.selection) or before.grid != layer.grid)
        self.changed.emit()
        self.layer_changed.emit(layer.page)

    def set_layer(self, layer: PuzzleLayer) -> None:
        """Shows a stored layer on its page; the desk's own history restarts.

        Raises:
            KeyError: There is no such page.
        """
        self._pages.replace_layer(layer)
        self._restart_history()
        if layer.page == self._pages.front:
            self.select(())
            self._pages.show_shapes()
            self.changed.emit()

    def clear_page(self) -> None:
        """Removes everything from the layer in front, the grid too."""
        self.begin_gesture()
        self.select(())
        if self.current.shapes or self.current.grid is not None:
            self.put("Clear sketch", self.current.model_copy(update={"shapes": (), "grid": None}))

    # What is selected --------------------------------------------------------------------------------------------

    def select(self, indices: Iterable[int]) -> None:
        """Selects shapes by their indices."""
        self.selection = frozenset(indices)
        self.view.refresh()
        self.changed.emit()

    def move_selected(self, by: Point) -> None:
        """Moves the selected shapes, by pixels of the page."""
        layer = self.current
        chosen = self.selection
        if chosen:
            shapes = tuple(moved(shape, by) if i in chosen else shape for i, shape in enumerate(layer.shapes))
            self.put("Move", layer.model_copy(update={"shapes": shapes}))
            self.select(chosen)

    def delete_selected(self) -> None:
        """Deletes the selected shapes."""
        self.begin_gesture()
        chosen = self.selection
        if chosen:
            self.select(())
            self.put("Delete", without(self.current, chosen))

    def set_look(self, **look: object) -> None:
        """Chooses a colour, width or opacity, for new shapes and for those that are selected."""
        self.look = replace(self.look, **look)  # type: ignore[arg-type]
        self.look_changed.emit(self.look)
        self.begin_gesture()
        layer = self.current
        chosen = self.selection
        if chosen:
            if "width" in look:
                look["width"] = self.look.width_on(layer.size)
            shapes = tuple(s.model_copy(update=look) if i in chosen else s for i, s in enumerate(layer.shapes))
            self.put("Recolour" if "color" in look else "Restyle", layer.model_copy(update={"shapes": shapes}))
            self.select(chosen)

    # Texts -------------------------------------------------------------------------------------------------------

    def write_at(self, point: Point) -> None:
        """Wants a new text to be typed at a point."""
        look = self.look_fields
        height = min(max(12.0, TEXT_PER_WIDTH * look["width"]), MOST_TEXT_PX)
        self.text_wanted.emit(Text.model_construct(position=point, text="", size=height, **look), point)

    def rewrite(self, text: Text) -> None:
        """Wants a text of the layer to be typed again."""
        corner = outline_box(text).topLeft()
        self.text_wanted.emit(text, (corner.x(), corner.y()))

    def _drop_selection(self) -> None:
        self.selection = frozenset()

    def _own_history(self) -> QUndoStack:
        from spatial_workbench.widgets.editing.document import UndoStack

        stack = UndoStack(self)
        stack.setUndoLimit(UNDO_LIMIT)
        return stack

    def _restart_history(self) -> None:
        """Clears the history, unless it belongs to somebody else."""
        if self.undo_stack.parent() is self:
            self.undo_stack.clear()
