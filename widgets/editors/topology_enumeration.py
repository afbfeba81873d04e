"""The editor of topology_enumeration: a square to paint, a palette of all patterns, and the list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np
from PySide6.QtCore import Qt

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.scene import Floats, Item, Label, Points
from spatial_workbench.engine.tasks.labelled_squares.drawing import (
    CORNER_PX,
    SIDE,
    corner_points,
    draw_interior,
    draw_square,
)
from spatial_workbench.engine.tasks.labelled_squares.square import CASES, Labels, canonical, read
from spatial_workbench.engine.tasks.topology_enumeration import Configs, board_of, spell
from spatial_workbench.widgets.editing.controls import Action, Buttons, Declared, Keys, Section, Setting, Switch, Verb
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.gestures import Click
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView

PITCH = 1.9
PALETTE_COLUMNS, LIST_COLUMNS = 5, 7
_PALETTE_AT: Floats = np.array([3.2, 0.0])
_LIST_AT: Floats = np.array([0.0, -6.6])
_ABOVE: Floats = np.array([0.0, 1.0])
_PAINT_AT: Floats = np.array([0.0, -1.2])
HINT = "Click the corners on the left, or press 0 to 3 over them, and then Enter."


Hit = tuple[str, int]
"""What was hit: its kind ("corner", "tile" or "entry") and number."""


class TopologyEditor(Editor[Configs]):
    """Lists patterns, which are in reading order, as in the answer.

    The palette of all patterns is a solving aid; without it, the list takes its place.
    """

    def prepare(self) -> None:
        self.board = board_of(self.instance)
        self.painted: Labels = (0, 0, 0, 0)
        self.editing: int | None = None
        """The entry of the list that the painted square will replace."""
        self.selected: int | None = None
        self.corner = 0
        """The corner (in reading order) that number keys paint: under the pointer, or chosen by keys."""
        self.patterns = sorted(canonical(read(walk, self.board.order)) for walk in CASES)
        self._shows_interior = Setting(False, self.redraw)
        self._shows_palette = Setting(False, partial(self.redraw, reset_view=True))

    def begin(self) -> None:
        self.view.show_hint(HINT)

    def make_view(self) -> SceneView:
        view = Canvas2D()
        view.box_select = False
        view.set_tool(PickTool(self.hit_at, self._point_at_corner, self._click))
        return view

    def list_controls(self) -> Iterable[Declared]:
        gone = "Delete the selected entry of the list"
        yield Section(
            "Painted square",
            Buttons(
                Action("Add to the list", self.add, "Return, Enter", "place", "List the painted pattern"),
                Action("Delete", self.remove, "Delete", "delete", gone, verb=Verb.DELETE),
            ),
        )
        yield Keys(
            *(Action(f"Class {digit}", partial(self.paint_corner, digit), str(digit)) for digit in range(4)),
            Action("Next corner", lambda: self.choose_corner(self.corner + 1), "Right"),
            Action("Previous corner", lambda: self.choose_corner(self.corner - 1), "Left"),
            Action("Stop editing", self.stop_editing, "Escape"),
        )
        interior = "Draw an interior that the painted corners allow"
        shows = self._shows_interior
        palette = self._shows_palette
        every = "Show all patterns at the right; a click lists one"
        yield Section(
            "Aids",
            Switch("Show an interior", shows.get, shows.put, interior, Aid.SOLVING),
            Switch("All patterns", palette.get, palette.put, every, Aid.SOLVING),
        )

    @property
    def has_palette(self) -> bool:
        """Whether all patterns are shown."""
        return self._shows_palette.value

    # The list ----------------------------------------------------------------------------------------------------

    @property
    def configs(self) -> tuple[Labels, ...]:
        """The entries of the answer."""
        return self.document.answer.configs

    def listed(self, pattern: Labels) -> int | None:
        """The entry with this pattern, up to renaming of classes; None if it is not listed."""
        return next((k for k, config in enumerate(self.configs) if canonical(config) == canonical(pattern)), None)

    def toggle(self, pattern: Labels) -> None:
        """Lists a pattern, or unlists it."""
        k = self.listed(pattern)
        if k is None:
            self._edit_configs("Add pattern", (*self.configs, pattern))
        else:
            self._edit_configs("Delete pattern", (*self.configs[:k], *self.configs[k + 1 :]))

    def add(self) -> None:
        """Lists the painted pattern, or replaces the entry being edited; patterns already listed are refused."""
        k = self.editing
        pattern = canonical(self.painted)
        twin = self.listed(pattern)
        if twin is not None and twin != k and self.allows(Aid.JUDGING):
            self.message.emit(f"{spell(pattern)} is already listed, as entry {twin + 1}.")
            return
        if k is None:
            self._edit_configs("Add pattern", (*self.configs, pattern))
        else:
            self.editing = None
            self._edit_configs("Change pattern", (*self.configs[:k], pattern, *self.configs[k + 1 :]))

    def remove(self) -> None:
        """Deletes the selected entry."""
        k = self.selected
        if k is not None and k < len(self.configs):
            self.selected = self.editing = None
            self._edit_configs("Delete pattern", (*self.configs[:k], *self.configs[k + 1 :]))

    def edit_entry(self, k: int) -> None:
        """Begins to edit an entry: puts its pattern on the painted square."""
        self.selected = self.editing = k
        self.painted = self.configs[k]
        self.redraw()

    def stop_editing(self) -> None:
        """Stops editing, and leaves the entry as it was."""
        self.editing = self.selected = None
        self.redraw()

    # The painted square ------------------------------------------------------------------------------------------

    def choose_corner(self, corner: int) -> None:
        """Makes a corner the one that number keys paint."""
        self.corner = corner % 4
        self.redraw()

    def paint(self, corner: int, label: int) -> None:
        """Paints a corner of the square with a class."""
        labels = list(self.painted)
        labels[corner] = label
        self.painted = tuple(labels)
        self.corner = corner
        self.redraw()

    def paint_corner(self, label: int) -> None:
        """Paints the chosen corner with a class."""
        self.paint(self.corner, label)

    def cycle(self, corner: int) -> None:
        """Paints a corner with the next class."""
        self.paint(corner, (self.painted[corner] + 1) % self.board.classes)

    # Drawing -----------------------------------------------------------------------------------------------------

    def make_scene(self) -> Scene:
        palette = self._palette_items() if self.has_palette else []
        last = self.list_place(max(0, len(self.configs) - 1))
        low = (-0.6, min(last[1], _PAINT_AT[1]) - 0.6)
        high = (PITCH * 6.7, 1.9)
        items = [*self._painted_items(), *palette, *self._list_items()]
        return Scene(items=items, flat=True, axes=("", "", ""), bounds=(low, high))

    def status(self) -> str:
        twin = self.listed(self.painted) if self.allows(Aid.MEASURING) else None
        note = f" · already listed as entry {twin + 1}" if twin is not None and twin != self.editing else ""
        doing = f" · changing entry {self.editing + 1}" if self.editing is not None else ""
        return f"{len(self.configs)} listed · painted {spell(canonical(self.painted))}{note}{doing}"

    def palette_place(self, index: int) -> Floats:
        """The lower left corner of a palette tile."""
        return _PALETTE_AT + PITCH * np.array([index % PALETTE_COLUMNS, -(index // PALETTE_COLUMNS)])

    def list_place(self, index: int) -> Floats:
        """The lower left corner of an entry's tile."""
        columns = LIST_COLUMNS if self.has_palette else PALETTE_COLUMNS
        return self._list_corner + PITCH * np.array([index % columns, -(index // columns)])

    @property
    def _list_corner(self) -> Floats:
        return _LIST_AT if self.has_palette else _PALETTE_AT

    def corner_place(self, corner: int) -> Floats:
        """Where a corner (in reading order) of the painted square is drawn."""
        return np.asarray(corner_points(_PAINT_AT)[self.board.order[corner]])

    def _painted_items(self) -> list[Item]:
        walk = self.board.walk(self.painted)
        ring = Points(
            name="painted corner",
            ids=["painted corner"],
            positions=self.corner_place(self.corner)[None],
            size_px=CORNER_PX + 8,
        )
        items: list[Item] = [ring, *draw_square("painted", _PAINT_AT, walk, self.board.order, "accent")]
        if self._shows_interior.value:
            items += draw_interior("painted", _PAINT_AT, canonical_walk(walk))
        items.append(_word("painted word", _PAINT_AT, spell(canonical(self.painted)), "text", 16))
        items.append(_word("painted title", _PAINT_AT + _ABOVE, "Paint", "secondary"))
        return items

    def _palette_items(self) -> list[Item]:
        items: list[Item] = [_word("palette title", _PALETTE_AT + _ABOVE, "All patterns", "secondary")]
        for index, pattern in enumerate(self.patterns):
            name = f"pattern {spell(pattern)}"
            listed = self.listed(pattern) is not None
            walk = self.board.walk(pattern)
            items += draw_square(name, self.palette_place(index), walk, None, "accent" if listed else "line")
            word = f"✓ {spell(pattern)}" if listed else spell(pattern)
            items.append(_word(f"{name} word", self.palette_place(index), word, "accent" if listed else "secondary"))
        return items

    def _list_items(self) -> list[Item]:
        empty = "Your list is empty: choose the patterns that force the classes to meet"
        title, shift = ("Your list", 0.0) if self.configs else (empty, 3.0)
        title_place = self._list_corner + _ABOVE + np.array([shift, 0.0])
        items: list[Item] = [_word("list title", title_place, title, "secondary")]
        for k, config in enumerate(self.configs):
            role = "accent" if k == self.selected else self._entry_role(config, k)
            name = f"config {k}"
            items += draw_square(name, self.list_place(k), self.board.walk(config), None, role)
            items.append(_word(f"{name} word", self.list_place(k), spell(canonical(config)), "text"))
        return items

    def _entry_role(self, config: Labels, k: int) -> str:
        if not self.judges:
            return "line"
        if len(set(config)) != self.board.classes:
            return "failed"
        return "warning" if self.listed(config) != k else "line"

    # The pointer -------------------------------------------------------------------------------------------------

    def hit_at(self, point: Floats) -> Hit | None:
        """What lies at a point: a corner of the painted square, a tile of the palette, or an entry of the list."""
        tiles = len(self.patterns) if self.has_palette else 0
        hits = {
            "corner": _nearest([self.corner_place(i) for i in range(4)], point, 0.35),
            "tile": _nearest([self.palette_place(i) + SIDE / 2 for i in range(tiles)], point, 0.75),
            "entry": _nearest([self.list_place(k) + SIDE / 2 for k in range(len(self.configs))], point, 0.75),
        }
        return next(((kind, number) for kind, number in hits.items() if number is not None), None)

    def _point_at_corner(self, corner: int) -> None:
        """Makes the corner under the pointer the one that number keys paint."""
        if corner != self.corner:
            self.choose_corner(corner)

    def _click(self, hit: Hit) -> None:
        kind, number = hit
        if kind == "corner":
            self.cycle(number)
        elif kind == "tile":
            self.toggle(self.patterns[number])
        else:
            self.edit_entry(number)

    def _edit_configs(self, label: str, configs: tuple[Labels, ...]) -> None:
        self.edit(label, Configs(configs=configs))


class PickTool(Click[Hit]):
    """A click paints a corner with the next class, lists or unlists a tile of the palette, or edits an entry."""

    cursor = Qt.CursorShape.PointingHandCursor

    def __init__(
        self,
        hit_at: Callable[[Floats], Hit | None],
        point_at_corner: Callable[[int], None],
        click: Callable[[Hit], None],
    ) -> None:
        super().__init__()
        self._hit_at = hit_at
        self._point_at_corner = point_at_corner
        self._click = click

    def hover(self, event: PointerEvent) -> None:
        kind, number = self.take(event) or ("", 0)
        if kind == "corner":
            self._point_at_corner(number)

    def take(self, event: PointerEvent) -> Hit | None:
        return self._hit_at(event.point)

    def do(self, hit: Hit, event: PointerEvent) -> None:
        self._click(hit)


def canonical_walk(walk: Labels) -> Labels:
    """Labels that count from 1, as in the table of cases."""
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
