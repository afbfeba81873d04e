"""How elements look beyond their own colours: highlighted, faded, selected, hidden."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.core.scene import Boxes, Item, Points, Voxels
from widgets.render3d.sheets import Sheets
from widgets.theme import LIGHT, Theme

Bytes = NDArray[np.uint8]

FADED = 0.35
"""What is left of the opacity of elements that are not the matter."""

SELECTED_TINT = 0.22
"""How much of the accent colour a selected element takes on."""


@dataclass(frozen=True, eq=False)
class Style:
    """The theme, and what is marked in it. `roles` maps element ids (or items' names) to colour roles."""

    theme: Theme = LIGHT
    roles: Mapping[str, str] = field(default_factory=dict)
    fade_rest: bool = False
    selected: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()

    def rgba(self, item: Item | Sheets) -> Bytes:
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

    def touches(self, item: Item | Sheets) -> bool:
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

    def _base(self, item: Item | Sheets, count: int) -> Bytes:
        colors = getattr(item, "colors", None)
        if colors is None:
            return self._byte_rgb(item.color)  # type: ignore[union-attr]
        if isinstance(colors, str):
            return self._byte_rgb(colors)
        if not count:
            return np.empty((0, 3), np.uint8)
        table: dict[str, int] = {}
        index = np.fromiter((table.setdefault(role, len(table)) for role in colors), np.intp, count)
        return np.array([self._byte_rgb(role) for role in table])[index]

    def _byte_rgb(self, role: str) -> Bytes:
        return np.round(np.array(self.theme.rgb(role)) * 255).astype(np.uint8)

    def _mark(self, item: Item | Sheets, out: Bytes) -> None:
        if not self._marked:
            return
        marked = np.zeros(len(out), bool)
        for index, role in self._indexed(item, self.roles):
            out[index, :3] = self._byte_rgb(role)
            marked[index] = True
        if self.fade_rest and self.roles:
            out[~marked, 3] = np.round(out[~marked, 3] * FADED)
        accent = self._byte_rgb("accent")
        for index, _ in self._indexed(item, dict.fromkeys(self.selected, "")):
            out[index, :3] = np.round(out[index, :3] * (1 - SELECTED_TINT) + accent * SELECTED_TINT)
        for index, _ in self._indexed(item, dict.fromkeys(self.hidden, "")):
            out[index, 3] = 0

    def _indexed(
        self, item: Item | Sheets, names: Mapping[str, str]
    ) -> list[tuple[slice | NDArray[np.intp] | int, str]]:
        """Which elements of the item are named, with what they are mapped to."""
        found: list[tuple[slice | NDArray[np.intp] | int, str]] = []
        if not names:
            return found
        if item.name in names:
            found.append((slice(None), names[item.name]))
        if isinstance(item, Voxels):
            found += [(index, names[name]) for name, index in voxel_indices(item, names).items()]
        elif isinstance(item, Boxes | Points | Sheets):
            found += [(i, names[element]) for i, element in enumerate(item.ids) if element in names]
        return found


def element_count(item: Item | Sheets) -> int:
    """How many elements an item stands for."""
    if isinstance(item, Voxels):
        return len(item.cells)
    return len(item.ids) if isinstance(item, Boxes | Points | Sheets) else 1


def _ids(item: Item | Sheets) -> tuple[str, ...]:
    return tuple(item.ids) if isinstance(item, Boxes | Points | Sheets) else ()


def _has_voxels(item: Item | Sheets, names: frozenset[str]) -> bool:
    return isinstance(item, Voxels) and any(name.startswith(item.name + " ") for name in names)


def voxel_indices(item: Voxels, names: Mapping[str, str] | frozenset[str]) -> dict[str, NDArray[np.intp]]:
    """Which rows of `cells` the ids "<name> x,y,z" mean."""
    wanted = {name: cell_of(item, name) for name in names}
    found = {}
    for name, cell in wanted.items():
        if cell is not None:
            rows = np.flatnonzero((item.cells == cell).all(axis=1))
            if len(rows):
                found[name] = rows
    return found


def cell_of(item: Voxels, name: str) -> tuple[int, int, int] | None:
    """The cell that an id means, or None if it is not one of this item's."""
    prefix, _, place = name.rpartition(" ")
    if prefix != item.name:
        return None
    try:
        x, y, z = (int(part) for part in place.split(","))
    except ValueError:
        return None
    return x, y, z
