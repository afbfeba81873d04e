"""How elements look beyond their own colours: highlighted, faded, selected, hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.scene import Boxes, Points, RigidBodies, Voxels
from spatial_workbench.widgets.render3d.copies import Copies
from spatial_workbench.widgets.render3d.gathering import Drawn
from spatial_workbench.widgets.render3d.sheets import Sheets
from spatial_workbench.widgets.theme import LIGHT, Theme

Bytes = NDArray[np.uint8]
Rows = NDArray[np.intp]

FADED = 0.35
"""The share of their opacity that elements keep while others are highlighted."""

_Many = Boxes | Points | RigidBodies | Copies | Sheets
"""Items that have an id for each of their elements."""

_CELL = re.compile(r"-?\d{1,18},-?\d{1,18},-?\d{1,18}", re.ASCII)

SELECTED_TINT = 0.22
"""How much of the accent colour a selected element takes on."""


@dataclass(frozen=True, eq=False)
class Style:
    """The theme, and which elements are marked. `roles` maps element ids (or items' names) to colour roles."""

    theme: Theme = LIGHT
    roles: Mapping[str, str] = field(default_factory=dict)
    fade_rest: bool = False
    selected: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()

    def rgba(self, item: Drawn) -> Bytes:
        """The colour of each element, (n, 4); opacity 0 where it is hidden."""
        count = element_count(item)
        out = np.empty((count, 4), np.uint8)
        out[:, :3] = self._base(item, count)
        out[:, 3] = round(255 * getattr(item, "opacity", 1.0))
        self._mark(item, out)
        return out

    def changes(self, other: Style) -> bool:
        """Whether an item could look different in the other style."""
        return (self.theme, self.roles, self.fade_rest, self.selected, self.hidden) != (
            other.theme,
            other.roles,
            other.fade_rest,
            other.selected,
            other.hidden,
        )

    def touches(self, item: Drawn) -> bool:
        """Whether anything but the theme says how this item looks."""
        names = self._marked
        if not names:
            return False
        if self.fade_rest:
            return True
        return item.name in names or any(i in names for i in _ids(item)) or _has_voxels(item, names)

    @cached_property
    def _marked(self) -> frozenset[str]:
        return self.hidden | self.selected | frozenset(self.roles)

    def _base(self, item: Drawn, count: int) -> Bytes:
        colors = getattr(item, "colors", None)
        if colors is None:
            return self._byte_rgb(item.color)  # type: ignore[union-attr]
        if isinstance(colors, str):
            return self._byte_rgb(colors)
        if not count:
            return np.empty((0, 3), np.uint8)
        roles, index = _palette_of(item)
        return np.array([self._byte_rgb(role) for role in roles])[index]

    def _byte_rgb(self, role: str) -> Bytes:
        if role not in self._known_colors:
            self._known_colors[role] = np.round(np.array(self.theme.rgb(role)) * 255).astype(np.uint8)
        return self._known_colors[role]

    @cached_property
    def _known_colors(self) -> dict[str, Bytes]:
        return {}

    def _mark(self, item: Drawn, out: Bytes) -> None:
        if not self.touches(item):
            return
        marked = np.zeros(len(out), bool)
        for role, rows in self._rows_by_role(item):
            out[rows, :3] = self._byte_rgb(role)
            marked[rows] = True
        if self.fade_rest and self.roles:
            out[~marked, 3] = np.round(out[~marked, 3] * FADED)
        chosen = rows_named(item, self.selected)
        out[chosen, :3] = np.round(out[chosen, :3] * (1 - SELECTED_TINT) + self._byte_rgb("accent") * SELECTED_TINT)
        out[rows_named(item, self.hidden), 3] = 0

    def _rows_by_role(self, item: Drawn) -> Iterator[tuple[str, Rows]]:
        """The roles of marked elements of the item; a role of the whole item comes first; others override it."""
        if item.name in self.roles:
            yield self.roles[item.name], np.arange(element_count(item))
        for role, names in self._names_by_role.items():
            yield role, rows_named(item, names - {item.name})

    @cached_property
    def _names_by_role(self) -> dict[str, frozenset[str]]:
        return {
            role: frozenset(name for name, other in self.roles.items() if other == role)
            for role in dict.fromkeys(self.roles.values())
        }


def rows_named(item: Drawn, names: frozenset[str]) -> Rows:
    """The indices of the named elements of an item; all of them if the item is named."""
    if not names:
        return np.empty(0, np.intp)
    if item.name in names:
        return np.arange(element_count(item))
    if isinstance(item, Voxels):
        return voxel_rows(item, names)
    return np.array([i for i, element in enumerate(_ids(item)) if element in names], np.intp)


_palettes: WeakKeyDictionary[Drawn, tuple[tuple[str, ...], Rows]] = WeakKeyDictionary()


def _palette_of(item: Drawn) -> tuple[tuple[str, ...], Rows]:
    """The colour roles of an item, and the index of each element's role; computed once, since items never change."""
    if item not in _palettes:
        table: dict[str, int] = {}
        index = [table.setdefault(role, len(table)) for role in item.colors]  # type: ignore[union-attr]
        _palettes[item] = tuple(table), np.array(index, np.intp)
    return _palettes[item]


def element_count(item: Drawn) -> int:
    """How many elements an item has."""
    if isinstance(item, Voxels):
        return len(item.cells)
    return len(item.ids) if isinstance(item, _Many) else 1


def _ids(item: Drawn) -> tuple[str, ...]:
    return tuple(item.ids) if isinstance(item, _Many) else ()


def _has_voxels(item: Drawn, names: frozenset[str]) -> bool:
    return isinstance(item, Voxels) and any(name.startswith(item.name + " ") for name in names)


def voxel_rows(item: Voxels, names: frozenset[str]) -> Rows:
    """The rows of `cells` that the ids "<name> x,y,z" refer to."""
    cells = np.asarray(item.cells)
    named = _cells_of(item.name + " ", names)
    if not len(named) or not len(cells):
        return np.empty(0, np.intp)
    low = cells.min(axis=0)
    sizes = np.ptp(cells, axis=0) + 1
    places = named - low
    inside = ((places >= 0) & (places < sizes)).all(axis=1)
    steps = np.array([sizes[1] * sizes[2], sizes[2], 1])
    return np.flatnonzero(np.isin((cells - low) @ steps, places[inside] @ steps))


@lru_cache(maxsize=16)
def _cells_of(prefix: str, names: frozenset[str]) -> NDArray[np.integer]:
    """The cells (n, 3) that ids with this prefix refer to; cached, since large selections are painted many times."""
    texts = (name[len(prefix) :] for name in names if name.startswith(prefix))
    return np.fromstring(",".join(filter(_CELL.fullmatch, texts)), np.int64, sep=",").reshape(-1, 3)
