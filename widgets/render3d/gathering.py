"""Gathers items of a scene that are drawn together: hundreds of faces or pieces then cost little more than one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np

from spatial_workbench.engine.core.scene import Item, Mesh, Polygon
from spatial_workbench.widgets.render3d.copies import Copies
from spatial_workbench.widgets.render3d.sheets import Sheets

Drawn: TypeAlias = Item | Copies | Sheets
"""The task of one drawer: an item, or several gathered into one."""
Key = tuple[object, ...]


class Gathering:
    """Gathers polygons, and meshes with the same faces. A group that has not changed remains the same object."""

    def __init__(self) -> None:
        self._last: dict[Key, Copies | Sheets] = {}

    def gathered(self, items: Iterable[Item]) -> Iterator[Drawn]:
        """The items, with each group of items that belong together in place of its first member."""
        items = list(items)
        groups = _groups(items)
        self._last = {key: self._together(key, group) for key, group in groups.items()}
        for item in items:
            key = _key_of(item)
            if key not in groups:
                yield item
            elif groups[key][0] is item:
                yield self._last[key]

    def _together(self, key: Key, members: tuple[Any, ...]) -> Copies | Sheets:
        last = self._last.get(key)
        if last is not None and last.members == members:
            return last
        return (Sheets if key[0] is Polygon else Copies)(members, members[0].opacity)


def _groups(items: Iterable[Item]) -> dict[Key, tuple[Any, ...]]:
    """The groups of items that belong together; a single mesh is no group."""
    groups: dict[Key, list[Any]] = {}
    for item in items:
        groups.setdefault(_key_of(item), []).append(item)
    return {key: tuple(group) for key, group in groups.items() if key[:1] == (Polygon,) or (key and len(group) > 1)}


def _key_of(item: Item) -> Key:
    """The key that items drawn together share; empty for an item that is drawn alone."""
    if isinstance(item, Polygon) and np.shape(item.points)[1:] == (3,):
        return Polygon, item.opacity
    if isinstance(item, Mesh) and not item.wireframe:
        return Mesh, id(item.faces), item.edges, item.opacity
    return ()
