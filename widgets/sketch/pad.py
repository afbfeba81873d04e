"""The sketch pad: pages as tabs, a tool bar, the page, and a line that says what the tool does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QPainter, QPen, QUndoStack
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QTabBar, QVBoxLayout, QWidget

from spatial_workbench.engine.puzzles.annotation.layers import COLORS, MOST_SHAPES, WIDTHS_PX, Point, PuzzleLayer, Text
from spatial_workbench.engine.puzzles.sets.pages import PictureError, picture_size
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.qt import sized_font
from spatial_workbench.widgets.sketch.history import LayerChange
from spatial_workbench.widgets.sketch.painting import grid_lines
from spatial_workbench.widgets.sketch.pictures import Decoder, PagePicture
from spatial_workbench.widgets.sketch.shapes import outline_box
from spatial_workbench.widgets.sketch.tool_bar import SketchBar
from spatial_workbench.widgets.sketch.tools.base import Look, SketchTool, fields_of
from spatial_workbench.widgets.sketch.tools.cells import GridTool, SketchFillTool
from spatial_workbench.widgets.sketch.tools.lines import (
    ArrowTool,
    EllipseTool,
    LineTool,
    PolylineTool,
    SketchRectangleTool,
)
from spatial_workbench.widgets.sketch.tools.pen import SketchPenTool
from spatial_workbench.widgets.sketch.tools.picking import (
    EraserTool,
    SketchPickTool,
    paint_selection,
    remove_selected,
    restyle_selected,
    shift_by,
)
from spatial_workbench.widgets.sketch.tools.text import TextTool
from spatial_workbench.widgets.sketch.view import PageView
from spatial_workbench.widgets.theme import SPACE

UNDO_LIMIT = 200
TEXT_PER_WIDTH = 7.0
"""The height of letters in widths of the line that is chosen."""
_BACKDROP = "figure"
_TOOLS: tuple[tuple[str, str, str, type[SketchTool]], ...] = (
    ("Pick", "V", "select", SketchPickTool),
    ("Pen", "P", "pencil", SketchPenTool),
    ("Line", "L", "line", LineTool),
    ("Arrow", "A", "arrow", ArrowTool),
    ("Rectangle", "B", "rectangle", SketchRectangleTool),
    ("Ellipse", "E", "ellipse", EllipseTool),
    ("Polyline", "Y", "polyline", PolylineTool),
    ("Text", "T", "text", TextTool),
    ("Grid by three points", "G", "grid", GridTool),
    ("Fill cell", "C", "cell", SketchFillTool),
    ("Eraser", "X", "eraser", EraserTool),
)


class SketchPad(QWidget):
    """Shows pages, and draws on them in layers; the pages stay as they are.

    Signals:
        layer_changed(str): the person changed the layer of this page, or undid a change.
        page_changed(str): another page is in front.
        figure_wanted(Layer): the person wants this layer and its page as a figure.
        status_changed(): what `status` returns has changed.
    """

    layer_changed = Signal(str)
    page_changed = Signal(str)
    figure_wanted = Signal(object)
    status_changed = Signal()

    def __init__(
        self,
        undo_stack: QUndoStack | None = None,
        offers_figures: bool = False,
        offers_view: bool = True,
        offers_tools: bool = True,
    ) -> None:
        """With `undo_stack`, changes become steps of that history; otherwise the pad keeps one of its own.

        offers_view: whether the bar has buttons that fit, turn and mirror the view; the keys work anyway.
        offers_tools: whether the bar has what one draws with; without it, the pad is for looking only.
        """
        super().__init__()
        self.look = Look()
        self.selection: frozenset[int] = frozenset()
        self.actions_by_name: dict[str, QAction] = {}
        self._pages: dict[str, bytes] = {}
        self._sizes: dict[str, tuple[int, int]] = {}
        self._layers: dict[str, PuzzleLayer] = {}
        self._pictures: dict[str, PagePicture] = {}
        self._page = ""
        self._backdrop: bytes | None = None
        self._read_only = False
        self._gesture = 0
        self._point: Point | None = None
        self._field: _TextField | None = None
        self.undo_stack = undo_stack if undo_stack is not None else self._own_history()
        self.hands: dict[str, SketchTool] = {name: kind(self) for name, _, _, kind in _TOOLS}
        self._looking = SketchTool(self)
        self._looking.cursor = Qt.CursorShape.ArrowCursor
        self.tool: SketchTool = self.hands["Pen"]
        self.view = PageView(self._hand)
        self.view.marks.append(self._paint_marks)
        self.view.pointer.pressed.connect(self._begin_gesture)
        self.view.view_changed.connect(self._view_moved)
        self.view.pointer.pointed.connect(self._pointed)
        self._decoder = Decoder(self)
        self._decoder.decoded.connect(self._decoded)
        self._decoder.failed.connect(self._not_decoded)
        self._make_bars(offers_figures, offers_view, offers_tools)
        self._lay_out()
        self.use_tool("Pen")
        self.setFocusProxy(self.view)

    # Pages and layers --------------------------------------------------------------------------------------------

    @property
    def pages(self) -> tuple[str, ...]:
        """The names of the pages, in order."""
        return tuple(self._pages)

    @property
    def page(self) -> str:
        """The name of the page in front; "" if there is none."""
        return self._page

    def set_pages(self, pages: Mapping[str, bytes]) -> None:
        """Shows other pages, PNG by file name, without layers; the pad's own history restarts."""
        self._decoder.forget()
        self._pages = dict(pages)
        self._layers = {}
        self._pictures = {}
        self._backdrop = None
        self._sizes = {name: _size_of(png) for name, png in pages.items()}
        self._begin_history()
        self._tabs.blockSignals(True)
        while self._tabs.count():
            self._tabs.removeTab(0)
        for i, name in enumerate(pages, 1):
            self._tabs.addTab(f"Page {i}")
            self._tabs.setTabToolTip(i - 1, name)
        self._tabs.blockSignals(False)
        self._tabs.setVisible(len(pages) > 1)
        self._page = ""
        self.show_page(next(iter(pages), ""))

    def show_page(self, name: str) -> None:
        """Brings a page to the front."""
        if name == self._page and self.view.tiles is not None:
            return
        self._leave_page()
        self._page = name
        if name in self._pages:
            self._tabs.setCurrentIndex(self.pages.index(name))
        self._show_picture()
        self.page_changed.emit(name)

    def layer(self, page: str) -> PuzzleLayer:
        """The layer of a page, which may be empty.

        Raises:
            KeyError: There is no such page.
        """
        return self._layers.get(page) or PuzzleLayer(page=page, size=self._sizes[page])

    def layers(self) -> dict[str, PuzzleLayer]:
        """The layers that are not empty, by page."""
        drawn = {page: self.layer(page) for page in self._pages}
        return {page: layer for page, layer in drawn.items() if layer.shapes or layer.grid is not None}

    def set_layer(self, layer: PuzzleLayer) -> None:
        """Shows a stored layer on its page; the pad's own history restarts.

        Raises:
            KeyError: There is no such page.
        """
        self._sizes[layer.page]
        self._layers[layer.page] = layer
        self._begin_history()
        if layer.page == self._page:
            self.select(())
            self._show_shapes()

    def show_layer(self, layer: PuzzleLayer) -> None:
        """Shows a layer on its page, and reports the change; for steps of the history."""
        if layer.page not in self._pages:
            return
        before = self.layer(layer.page)
        self._layers[layer.page] = layer
        self.show_page(layer.page)
        self.selection = frozenset(i for i in self.selection if i < len(layer.shapes))
        self._show_shapes(redraw=before.grid != layer.grid)
        self.layer_changed.emit(layer.page)

    def set_backdrop(self, png: bytes | None) -> None:
        """Shows a flat picture in place of the page, for figures without a layer; None shows the page again."""
        self._leave_page()
        self._backdrop = png
        self._pictures.pop(_BACKDROP, None)
        self._show_picture()
        self._enable()

    @property
    def shows_figure(self) -> bool:
        """Whether a flat picture is shown in place of the page."""
        return self._backdrop is not None

    @property
    def read_only(self) -> bool:
        """Whether nothing can be drawn."""
        return self._read_only

    @read_only.setter
    def read_only(self, value: bool) -> None:
        self._leave_page()
        self._read_only = value
        self._enable()

    @property
    def offers_figures(self) -> bool:
        """Whether *Save as figure* is shown."""
        return self.actions_by_name["Save as figure"].isVisible()

    @offers_figures.setter
    def offers_figures(self, value: bool) -> None:
        self.actions_by_name["Save as figure"].setVisible(value)

    @property
    def can_draw(self) -> bool:
        """Whether the page in front can be drawn on."""
        return not self._read_only and self._backdrop is None and bool(self._page)

    def status(self) -> str:
        """The point under the pointer, and the scale."""
        parts = [] if self._point is None else [f"{self._point[0]:.0f}, {self._point[1]:.0f} px"]
        camera = self.view.camera
        parts += [f"{camera.scale:.0%}"] if self.view.tiles is not None else []
        parts += [f"turned {90 * camera.quarters}°"] if camera.quarters else []
        parts += ["mirrored"] if camera.mirrored else []
        return " · ".join(parts)

    def wait_for_page(self) -> None:
        """Waits until the page is decoded and painted; for pictures of the window and for tests."""
        self._decoder.wait()
        self.view.finish()

    def close_pad(self) -> None:
        """Ends running work."""
        self._decoder.forget()
        self.view.close_view()

    # For the tools -----------------------------------------------------------------------------------------------

    @property
    def current(self) -> PuzzleLayer:
        """The layer of the page in front."""
        return self.layer(self._page) if self._page else PuzzleLayer(page="", size=(1, 1))

    def put(self, label: str, layer: PuzzleLayer) -> None:
        """Replaces the layer of the page in front, as a step of the history."""
        if not self.can_draw:
            return
        if len(layer.shapes) > MOST_SHAPES:
            self.show_message(f"A layer holds at most {MOST_SHAPES:,} shapes.")
            return
        self.undo_stack.push(LayerChange(self, label, self.current, layer, self._gesture))

    def select(self, indices: Iterable[int]) -> None:
        """Selects shapes by their indices."""
        self.selection = frozenset(indices)
        self.view.refresh()
        self._enable()

    def show_message(self, text: str) -> None:
        """Shows a message below the page, until the next tool is taken."""
        self._hint.setText(text)

    def write_at(self, point: Point) -> None:
        """Opens a field for a text at a point; Enter ends it, Escape drops it."""
        self._end_text(keep=True)
        if self.can_draw:
            look = fields_of(self.look)
            self._open_field(Text.model_construct(position=point, text="", size=self._letter_height(), **look), point)

    def rewrite(self, text: Text) -> None:
        """Opens a field with a text of the layer; emptying it removes the text."""
        self._end_text(keep=True)
        if self.can_draw:
            corner = outline_box(text).topLeft()
            self._open_field(text, (corner.x(), corner.y()))

    def _open_field(self, text: Text, corner: Point) -> None:
        field = self._field = _TextField(self.view, text, lambda keep: self._end_text(keep))
        spot = self.view.transform.map(QPointF(*corner))
        field.setFont(sized_font(max(10, min(96, round(text.size * self.view.camera.scale)))))
        field.setStyleSheet(f"color: {text.color}; background: #ffffff;")
        field.move(spot.toPoint())
        field.resize(max(160, min(360, self.view.width() - spot.toPoint().x() - 8)), field.sizeHint().height())
        field.show()
        field.setFocus()

    # Tools and looks ---------------------------------------------------------------------------------------------

    def use_tool(self, name: str) -> None:
        """Activates a tool."""
        self.tool.stop()
        self._end_text(keep=True)
        self.tool = self.hands[name]
        if name != "Pick" and self.selection:
            self.select(())
        self.actions_by_name[name].setChecked(True)
        self._hint.setText(self.tool.hint)
        self.view.pointer.show_cursor()

    def set_look(self, **look: object) -> None:
        """Chooses a colour, width or opacity, for new shapes and for what is selected."""
        self.look = replace(self.look, **look)  # type: ignore[arg-type]
        self._bar.show_look(self.look)
        self._begin_gesture()
        restyle_selected(self, **look)

    def delete_selected(self) -> None:
        """Deletes the selected shapes."""
        self._begin_gesture()
        remove_selected(self)

    def clear_page(self) -> None:
        """Removes everything from the layer in front, the grid too."""
        self._begin_gesture()
        self.select(())
        if self.current.shapes or self.current.grid is not None:
            self.put("Clear sketch", self.current.model_copy(update={"shapes": (), "grid": None}))

    def step_page(self, by: int) -> None:
        """Shows the next page, or the one before."""
        if self._page:
            self._tabs.setCurrentIndex((self.pages.index(self._page) + by) % len(self._pages))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._hand_key(event):
            return
        super().keyPressEvent(event)

    def _hand_key(self, event: QKeyEvent) -> bool:
        if self._hand().key(event):
            return True
        steps = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
        step = steps.get(Qt.Key(event.key()))
        if self.selection and step is not None:
            far = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            self._begin_gesture()
            shift_by(self, (far * step[0], far * step[1]))
            return True
        if self.selection and event.key() == Qt.Key.Key_Escape:
            self.select(())
            return True
        return False

    # Internal ----------------------------------------------------------------------------------------------------

    def _own_history(self) -> QUndoStack:
        from spatial_workbench.widgets.editing.document import UndoStack

        stack = UndoStack(self)
        stack.setUndoLimit(UNDO_LIMIT)
        return stack

    def _begin_history(self) -> None:
        """Clears the history, unless it belongs to somebody else."""
        if self.undo_stack.parent() is self:
            self.undo_stack.clear()

    def _hand(self) -> SketchTool:
        return self.tool if self.can_draw else self._looking

    def _begin_gesture(self) -> None:
        self._gesture += 1

    def _leave_page(self) -> None:
        self.tool.stop()
        self._end_text(keep=True)
        self.selection = frozenset()

    def _show_picture(self) -> None:
        """Shows the picture of the page, or asks for it to be decoded."""
        name = _BACKDROP if self._backdrop is not None else self._page
        if name in self._pictures:
            self._decoded(name, self._pictures[name])
            return
        self.view.set_picture(None, "Opening the page…" if name else "There is no page.")
        if name:
            self._decoder.ask(name, self._backdrop if self._backdrop is not None else self._pages[name])

    def _decoded(self, name: str, picture: PagePicture) -> None:
        shown = _BACKDROP if self._backdrop is not None else self._page
        self._pictures = {key: kept for key, kept in self._pictures.items() if key == shown} | {name: picture}
        if name == shown:
            self.view.set_picture(picture)
            self._show_shapes(redraw=True)
        self._enable()

    def _not_decoded(self, name: str, why: str) -> None:
        if name in (self._page, _BACKDROP):
            self.view.set_picture(None, f"The page cannot be shown. {why}.")

    def _show_shapes(self, redraw: bool = False) -> None:
        tiles = self.view.tiles
        if tiles is None:
            return
        changed = tiles.set_shapes(() if self._backdrop is not None else self.current.shapes)
        if redraw or self.selection:
            self.view.refresh()
        elif not changed.isEmpty():
            self.view.refresh_area(changed)
        self._enable()

    def _paint_marks(self, painter: QPainter, view: PageView) -> None:
        theme = appearance().theme
        pen = QPen(theme.color("line"), 1)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if view.tiles is not None:
            painter.drawRect(0, 0, *view.tiles.size)
        if self._backdrop is not None:
            return
        layer = self.current
        if layer.grid is not None:
            color = theme.color("accent")
            color.setAlphaF(0.55)
            pen.setColor(color)
            painter.setPen(pen)
            for start, end in grid_lines(layer.grid, layer.size):
                painter.drawLine(start, end)
        paint_selection(painter, self)

    def _letter_height(self) -> float:
        return max(12.0, TEXT_PER_WIDTH * self.look.width)

    def _end_text(self, keep: bool) -> None:
        field = self._field
        self._field = None
        if field is None:
            return
        field.deleteLater()
        field.hide()
        self.view.setFocus()
        if keep:
            self._write(field.shape, field.text().strip())

    def _write(self, shape: Text, words: str) -> None:
        """Replaces the opened text; a new one goes on top, an empty one is removed."""
        layer = self.current
        is_known = bool(shape.text) and shape in layer.shapes
        written = (shape.model_copy(update={"text": words}),) if words else ()
        if words == shape.text or not (is_known or words):
            return
        self._begin_gesture()
        place = layer.shapes.index(shape) if is_known else len(layer.shapes)
        shapes = (*layer.shapes[:place], *written, *layer.shapes[place + 1 :])
        label = "Write" if not is_known else "Edit text" if words else "Delete text"
        self.select(())
        self.put(label, layer.model_copy(update={"shapes": shapes}))

    def _enable(self) -> None:
        """Shows which actions can be used now."""
        for name, *_ in _TOOLS:
            self.actions_by_name[name].setEnabled(self.can_draw)
        layer = self.current
        self.actions_by_name["Delete selected"].setEnabled(self.can_draw and bool(self.selection))
        self.actions_by_name["Clear sketch"].setEnabled(self.can_draw and bool(layer.shapes or layer.grid))
        self.actions_by_name["Save as figure"].setEnabled(self.can_draw and bool(layer.shapes))
        self._look_row.setEnabled(self.can_draw)

    def _view_moved(self) -> None:
        self._end_text(keep=True)
        self._show_status()

    def _pointed(self, point: Point | None) -> None:
        self._point = point
        self._show_status()

    def _show_status(self) -> None:
        self._place.setText(self.status())
        self.status_changed.emit()

    def _tab_changed(self, index: int) -> None:
        if 0 <= index < len(self._pages):
            self.show_page(self.pages[index])

    # Building ----------------------------------------------------------------------------------------------------

    def _action(
        self, name: str, slot: Callable[[], object], key: str = "", icon_name: str = "", tip: str = ""
    ) -> QAction:
        action = self.actions_by_name[name] = QAction(name, self)
        if icon_name:
            action.setIcon(icon(icon_name))
        action.setShortcuts([QKeySequence(part) for part in key.split(", ")] if key else [])
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.setToolTip(f"{tip or name}{f'  ({key})' if key else ''}")
        action.triggered.connect(lambda _=False: slot())
        self.addAction(action)
        return action

    def _make_bars(self, offers_figures: bool, offers_view: bool, offers_tools: bool) -> None:
        self._tabs = QTabBar()
        self._tabs.setAccessibleName("Pages")
        self._tabs.setExpanding(False)
        self._tabs.currentChanged.connect(self._tab_changed)
        self._hint = QLabel()
        self._place = QLabel()
        for label in (self._hint, self._place):
            label.setObjectName("secondary")
        self._bar = SketchBar()
        hands = [self._tool_action(name, key, picture) for name, key, picture, _ in _TOOLS]
        drawing = [self._bar.add_group(hands, exclusive=True)]
        self._look_row = self._bar.add_look(self.look)
        self._bar.styled.connect(self._restyle)
        drawing += [self._look_row, self._bar.add_group(self._editing_actions(offers_figures))]
        if not offers_tools:
            for part in (*drawing, self._hint):
                part.hide()
        self._bar.add_group(self._viewing_actions()).setVisible(offers_view)

    def _restyle(self, what: str, value: object) -> None:
        self.set_look(**{what: value})

    def _tool_action(self, name: str, key: str, picture: str) -> QAction:
        return self._action(name, lambda: self.use_tool(name), key, picture)

    def _editing_actions(self, offers_figures: bool) -> list[QAction]:
        tip = "Save page and sketch as the step's figure"
        shown = [
            self._action("Delete selected", self.delete_selected, "Delete", "delete"),
            self._action("Clear sketch", self.clear_page, "", "close", "Remove the whole sketch of this page"),
            self._action("Save as figure", lambda: self.figure_wanted.emit(self.current), "Ctrl+Shift+F", "save", tip),
        ]
        shown[-1].setVisible(offers_figures)
        self._action("Thinner", lambda: self._change_width(-1), "[")
        self._action("Thicker", lambda: self._change_width(1), "]")
        for i, (name, color) in enumerate(COLORS.items(), 1):
            self._action(name.capitalize(), partial(self.set_look, color=color), f"Alt+{i}")
        return shown

    def _viewing_actions(self) -> list[QAction]:
        view = self.view
        self._action("Next page", lambda: self.step_page(1), "PgDown")
        self._action("Previous page", lambda: self.step_page(-1), "PgUp")
        self._action("Zoom in", lambda: view.zoom(1.25), "+, =")
        self._action("Zoom out", lambda: view.zoom(0.8), "-")
        return [
            self._action("Fit page", view.fit, "0", "frame", "Show the whole page"),
            self._action("Actual size", view.show_actual_size, "1", "search", "100 %"),
            self._action("Turn view", view.turn, "R", "rotate", "Turn the view by 90°; the page stays as it is"),
            self._action("Mirror view", view.mirror, "M", "mirror", "Mirror the view; the page stays as it is"),
        ]

    def _change_width(self, by: int) -> None:
        self.set_look(width=min(max(self.look.width + by, WIDTHS_PX[0]), WIDTHS_PX[1]))

    def _lay_out(self) -> None:
        status = QHBoxLayout()
        status.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, SPACE)
        status.addWidget(self._hint, 1)
        status.addWidget(self._place)
        self._hint.setMinimumWidth(40)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._tabs)
        column.addWidget(self._bar)
        column.addWidget(self.view, 1)
        column.addLayout(status)

    def sizeHint(self) -> QSize:
        return QSize(720, 640)


class _TextField(QLineEdit):
    """The field in which a text of the sketch is typed."""

    def __init__(self, parent: QWidget, shape: Text, end: Callable[[bool], None]) -> None:
        super().__init__(shape.text, parent)
        self.shape = shape
        """The text as it was before; without words, it is a new one."""
        self._end = end
        self.setMaxLength(1000)
        self.setAccessibleName("Text on the page")
        self.returnPressed.connect(lambda: self._end(True))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._end(False)
        else:
            super().keyPressEvent(event)


def _size_of(png: bytes) -> tuple[int, int]:
    try:
        return picture_size(png)
    except PictureError:
        return 1, 1
