"""The editor of topology_enumeration: a square to paint, a palette of all patterns, and the list so far."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt

from engine.core import Aid, Scene
from engine.core.scene import Floats, Item, Label, Points
from engine.tasks.labelled_squares.drawing import CORNER_PX, SIDE, corner_points, draw_interior, draw_square
from engine.tasks.labelled_squares.square import CASES, Labels, canonical, read
from engine.tasks.topology_enumeration import Configs, board_of, spell
from widgets.canvas2d import Canvas2D
from widgets.editing.editor import Editor
from widgets.editing.panel import ToolPanel
from widgets.view import PointerEvent, SceneView, Tool

PITCH = 1.9
PALETTE_COLUMNS, LIST_COLUMNS = 5, 7
_PALETTE_AT = np.array([3.2, 0.0])
_LIST_AT = np.array([0.0, -6.6])
_ABOVE = np.array([0.0, 1.0])
_PAINT_AT = np.array([0.0, -1.2])


class TopologyEditor(Editor):
    """Patterns are in reading order, as in the answer."""

    def prepare(self) -> None:
        self.board = board_of(self.instance)
        self.painted: Labels = (0, 0, 0, 0)
        self.editing: int | None = None
        """The entry of the list that the painted square will replace."""
        self.selected: int | None = None
        self.corner = 0
        """The corner (in reading order) that number keys paint: the one under the pointer, or chosen by keys."""
        self.patterns = sorted(canonical(read(walk, self.board.order)) for walk in CASES)
        self._shows_interiors = False

    def begin(self) -> None:
        self.view.show_hint(
            "Click a pattern on the right to list it.\n"
            "Or click the corners on the left, or press 0 to 3 over them, and then Enter."
        )

    def make_view(self) -> SceneView:
        """A canvas."""
        view = Canvas2D()
        view.box_select = False
        return view

    def build_tools(self, tools: ToolPanel) -> None:
        """Adding, removing, and what the corners allow."""
        tools.add_section("Painted square")
        add = self.add_action("Add to the list", self.add, "Return, Enter", "place", "List the painted pattern")
        remove = self.add_action("Remove", self.remove, "Delete", "delete", "Take the chosen entry off the list")
        tools.add_tools([add, remove], exclusive=False)
        for digit in range(4):
            self.add_action(f"Class {digit}", lambda digit=digit: self.paint(self.corner, digit), str(digit))
        self.add_action("Next corner", lambda: self.choose_corner(self.corner + 1), "Right")
        self.add_action("Previous corner", lambda: self.choose_corner(self.corner - 1), "Left")
        self.add_action("Stop editing", self.stop_editing, "Escape")
        tools.add_section("Help yourself")
        tools.add_check(
            "Show an interior",
            False,
            self._show_interiors,
            "Draw one interior that the painted corners allow",
            aid=Aid.SOLVING,
        )
        self.view.set_tool(PickTool(self))

    # The list ----------------------------------------------------------------------------------------------------

    @property
    def configs(self) -> tuple[Labels, ...]:
        """The entries of the answer."""
        return self.document.answer.configs

    def listed(self, pattern: Labels) -> int | None:
        """The entry that is this pattern, whatever its names."""
        return next((k for k, config in enumerate(self.configs) if canonical(config) == canonical(pattern)), None)

    def toggle(self, pattern: Labels) -> None:
        """Lists a pattern, or takes it off the list."""
        k = self.listed(pattern)
        if k is None:
            self._put("Add pattern", (*self.configs, pattern))
        else:
            self._put("Remove pattern", (*self.configs[:k], *self.configs[k + 1 :]))

    def add(self) -> None:
        """Lists the painted pattern, or puts it in place of the entry that is edited."""
        k, pattern = self.editing, canonical(self.painted)
        twin = self.listed(pattern)
        if twin is not None and twin != k:
            self.message.emit(f"{spell(pattern)} is already listed, as entry {twin + 1}.")
            return
        if k is None:
            self._put("Add pattern", (*self.configs, pattern))
        else:
            self.editing = None
            self._put("Change pattern", (*self.configs[:k], pattern, *self.configs[k + 1 :]))

    def remove(self) -> None:
        """Takes the chosen entry off the list."""
        k = self.selected
        if k is not None and k < len(self.configs):
            self.selected = self.editing = None
            self._put("Remove pattern", (*self.configs[:k], *self.configs[k + 1 :]))

    def edit_entry(self, k: int) -> None:
        """Puts an entry on the painted square."""
        self.selected = self.editing = k
        self.painted = self.configs[k]
        self.redraw()

    def stop_editing(self) -> None:
        """Leaves the entry as it was."""
        self.editing = self.selected = None
        self.redraw()

    # The painted square ------------------------------------------------------------------------------------------

    def choose_corner(self, corner: int) -> None:
        """Makes a corner the one that number keys paint."""
        self.corner = corner % 4
        self.redraw()

    def paint(self, corner: int, label: int) -> None:
        """Gives a corner of the painted square a class."""
        labels = list(self.painted)
        labels[corner] = label
        self.painted = tuple(labels)
        self.corner = corner
        self.redraw()

    def cycle(self, corner: int) -> None:
        """Gives a corner the next class."""
        self.paint(corner, (self.painted[corner] + 1) % self.board.classes)

    # Drawing -----------------------------------------------------------------------------------------------------

    def make_scene(self) -> Scene:
        """The painted square, the palette and the list."""
        items = [*self._painted_items(), *self._palette_items(), *self._list_items()]
        low, high = (-0.6, self.list_place(max(0, len(self.configs) - 1))[1] - 0.6), (PITCH * 6.7, 1.9)
        return Scene(items=items, flat=True, axes=("", "", ""), bounds=(low, high))

    def status(self) -> str:
        """How many entries, and what is painted."""
        twin = self.listed(self.painted)
        note = f" · already listed as entry {twin + 1}" if twin is not None and twin != self.editing else ""
        doing = f" · changing entry {self.editing + 1}" if self.editing is not None else ""
        return f"{len(self.configs)} listed · painted {spell(canonical(self.painted))}{note}{doing}"

    def palette_place(self, index: int) -> Floats:
        """The lower left corner of a palette tile."""
        return _PALETTE_AT + PITCH * np.array([index % PALETTE_COLUMNS, -(index // PALETTE_COLUMNS)])

    def list_place(self, index: int) -> Floats:
        """The lower left corner of an entry's tile."""
        return _LIST_AT + PITCH * np.array([index % LIST_COLUMNS, -(index // LIST_COLUMNS)])

    def corner_place(self, corner: int) -> Floats:
        """Where a corner (in reading order) of the painted square is drawn."""
        return corner_points(_PAINT_AT)[self.board.order[corner]]

    def _painted_items(self) -> list[Item]:
        walk = self.board.walk(self.painted)
        ring = Points(
            name="painted corner",
            ids=["painted corner"],
            positions=self.corner_place(self.corner)[None],
            size_px=CORNER_PX + 8,
        )
        items: list[Item] = [ring, *draw_square("painted", _PAINT_AT, walk, self.board.order, "accent")]
        if self._shows_interiors:
            items += draw_interior("painted", _PAINT_AT, canonical_walk(walk))
        items.append(_word("painted word", _PAINT_AT, spell(canonical(self.painted)), "text", 16))
        items.append(_word("painted title", _PAINT_AT + _ABOVE, "Paint", "secondary"))
        items.append(_word("palette title", _PALETTE_AT + _ABOVE, "All patterns", "secondary"))
        return items

    def _palette_items(self) -> list[Item]:
        items: list[Item] = []
        for index, pattern in enumerate(self.patterns):
            name, listed = f"pattern {spell(pattern)}", self.listed(pattern) is not None
            walk = self.board.walk(pattern)
            items += draw_square(
                name, self.palette_place(index), walk, self.board.order, "accent" if listed else "line"
            )
            word = f"✓ {spell(pattern)}" if listed else spell(pattern)
            items.append(_word(f"{name} word", self.palette_place(index), word, "accent" if listed else "secondary"))
        return items

    def _list_items(self) -> list[Item]:
        empty = "Your list is empty: choose the patterns that force the classes to meet"
        title, shift = ("Your list", 0.0) if self.configs else (empty, 3.0)
        items: list[Item] = [_word("list title", _LIST_AT + _ABOVE + np.array([shift, 0.0]), title, "secondary")]
        for k, config in enumerate(self.configs):
            role = "accent" if k == self.selected else self._entry_role(config, k)
            name = f"config {k}"
            items += draw_square(name, self.list_place(k), self.board.walk(config), self.board.order, role)
            items.append(_word(f"{name} word", self.list_place(k), spell(canonical(config)), "text"))
        return items

    def _entry_role(self, config: Labels, k: int) -> str:
        if len(set(config)) != self.board.classes:
            return "failed"
        return "warning" if self.listed(config) != k else "line"

    def _show_interiors(self, shown: bool) -> None:
        self._shows_interiors = shown
        self.redraw()

    def _put(self, label: str, configs: tuple[Labels, ...]) -> None:
        self.edit(label, Configs(configs=configs))


class PickTool(Tool):
    """Clicks: a corner takes the next class, a palette tile is listed or taken off, an entry is edited."""

    cursor = Qt.CursorShape.PointingHandCursor

    def __init__(self, editor: TopologyEditor) -> None:
        self._editor = editor

    def move(self, event: PointerEvent) -> bool:
        """The corner under the pointer is the one that number keys paint."""
        corner = self._corner_at(event)
        if corner is not None and corner != self._editor.corner:
            self._editor.choose_corner(corner)
        return False

    def _corner_at(self, event: PointerEvent) -> int | None:
        return _nearest([self._editor.corner_place(i) for i in range(4)], event.point, 0.35)

    def press(self, event: PointerEvent) -> bool:
        """Does what was clicked."""
        if event.button != Qt.MouseButton.LeftButton:
            return False
        editor, point = self._editor, event.point
        corner = self._corner_at(event)
        tile = _nearest([editor.palette_place(i) + SIDE / 2 for i in range(len(editor.patterns))], point, 0.75)
        entry = _nearest([editor.list_place(k) + SIDE / 2 for k in range(len(editor.configs))], point, 0.75)
        if corner is not None:
            editor.cycle(corner)
        elif tile is not None:
            editor.use_aid("All patterns", Aid.SOLVING)
            editor.toggle(editor.patterns[tile])
        elif entry is not None:
            editor.edit_entry(entry)
        else:
            return False
        return True


def canonical_walk(walk: Labels) -> Labels:
    """Labels from 1, as the table of cases has them."""
    return tuple(label + 1 for label in canonical(walk))


def _nearest(places: list[Floats], point: Floats, reach: float) -> int | None:
    if not places:
        return None
    distances = np.abs(np.array(places) - point).max(axis=1)
    best = int(np.argmin(distances))
    return best if distances[best] <= reach else None


def _word(name: str, place: Floats, text: str, role: str, size_px: float = 12) -> Label:
    x, y = place + SIDE / 2
    return Label(id=name, position=(float(x), float(y)), text=text, color=role, size_px=size_px)
