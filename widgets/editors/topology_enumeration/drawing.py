"""Where the painted square, the palette and the list are drawn, and what lies at a place."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from spatial_workbench.engine.core import Scene
from spatial_workbench.engine.core.scene import Floats, Item, Label, Points
from spatial_workbench.engine.tasks.labelled_squares.drawing import (
    CORNER_PX,
    SIDE,
    corner_points,
    draw_interior,
    draw_square,
)
from spatial_workbench.engine.tasks.labelled_squares.square import Labels, canonical
from spatial_workbench.engine.tasks.topology_enumeration import spell
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editors.topology_enumeration.workpiece import ListedPatterns

PITCH = 1.9
PALETTE_COLUMNS, LIST_COLUMNS = 5, 7
_PALETTE_AT: Floats = np.array([3.2, 0.0])
_LIST_AT: Floats = np.array([0.0, -6.6])
_ABOVE: Floats = np.array([0.0, 1.0])
_PAINT_AT: Floats = np.array([0.0, -1.2])
Hit = tuple[str, int]
"""What was hit: its kind ("corner", "tile" or "entry") and number."""


class TopologyDrawing:
    """Draws the patterns; `judges` returns whether entries that are wrong may be marked.

    changed: called with whether the view is reset, when something else is to be shown.
    """

    def __init__(self, patterns: ListedPatterns, judges: Callable[[], bool], changed: Callable[[bool], None]) -> None:
        self.shows_interior = Setting(False, partial(changed, False))
        """Whether an interior is drawn that the painted corners allow."""
        self.shows_palette = Setting(False, partial(changed, True))
        """Whether all patterns are shown; without them, the list takes their place."""
        self._patterns = patterns
        self._judges = judges

    @property
    def has_palette(self) -> bool:
        """Whether all patterns are shown."""
        return self.shows_palette.value

    def scene(self) -> Scene:
        """The painted square, the palette if it is shown, and the list."""
        palette = self._palette_items() if self.has_palette else []
        last = self.list_place(max(0, len(self._patterns.configs) - 1))
        low = (-0.6, min(last[1], _PAINT_AT[1]) - 0.6)
        high = (PITCH * 6.7, 1.9)
        items = [*self._painted_items(), *palette, *self._list_items()]
        return Scene(items=items, flat=True, axes=("", "", ""), bounds=(low, high))

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
        return np.asarray(corner_points(_PAINT_AT)[self._patterns.board.order[corner]])

    def _painted_items(self) -> list[Item]:
        walk = self._patterns.board.walk(self._patterns.painted)
        ring = Points(
            name="painted corner",
            ids=["painted corner"],
            positions=self.corner_place(self._patterns.corner)[None],
            size_px=CORNER_PX + 8,
        )
        items: list[Item] = [ring, *draw_square("painted", _PAINT_AT, walk, self._patterns.board.order, "accent")]
        if self.shows_interior.value:
            items += draw_interior("painted", _PAINT_AT, canonical_walk(walk))
        items.append(_word("painted word", _PAINT_AT, spell(canonical(self._patterns.painted)), "text", 16))
        items.append(_word("painted title", _PAINT_AT + _ABOVE, "Paint", "secondary"))
        return items

    def _palette_items(self) -> list[Item]:
        items: list[Item] = [_word("palette title", _PALETTE_AT + _ABOVE, "All patterns", "secondary")]
        for index, pattern in enumerate(self._patterns.all):
            name = f"pattern {spell(pattern)}"
            listed = self._patterns.listed(pattern) is not None
            walk = self._patterns.board.walk(pattern)
            items += draw_square(name, self.palette_place(index), walk, None, "accent" if listed else "line")
            word = f"✓ {spell(pattern)}" if listed else spell(pattern)
            items.append(_word(f"{name} word", self.palette_place(index), word, "accent" if listed else "secondary"))
        return items

    def _list_items(self) -> list[Item]:
        empty = "Your list is empty: choose the patterns that force the classes to meet"
        title, shift = ("Your list", 0.0) if self._patterns.configs else (empty, 3.0)
        title_place = self._list_corner + _ABOVE + np.array([shift, 0.0])
        items: list[Item] = [_word("list title", title_place, title, "secondary")]
        for k, config in enumerate(self._patterns.configs):
            role = "accent" if k == self._patterns.selected else self.entry_role(config, k)
            name = f"config {k}"
            items += draw_square(name, self.list_place(k), self._patterns.board.walk(config), None, role)
            items.append(_word(f"{name} word", self.list_place(k), spell(canonical(config)), "text"))
        return items

    def entry_role(self, config: Labels, k: int) -> str:
        """The colour of an entry."""
        if not self._judges():
            return "line"
        if len(set(config)) != self._patterns.board.classes:
            return "failed"
        return "warning" if self._patterns.listed(config) != k else "line"

    def hit_at(self, point: Floats) -> Hit | None:
        """What lies at a point: a corner of the painted square, a tile of the palette, or an entry of the list."""
        tiles = len(self._patterns.all) if self.has_palette else 0
        hits = {
            "corner": _nearest([self.corner_place(i) for i in range(4)], point, 0.35),
            "tile": _nearest([self.palette_place(i) + SIDE / 2 for i in range(tiles)], point, 0.75),
            "entry": _nearest([self.list_place(k) + SIDE / 2 for k in range(len(self._patterns.configs))], point, 0.75),
        }
        return next(((kind, number) for kind, number in hits.items() if number is not None), None)


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
