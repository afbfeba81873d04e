"""Items of a scene that are drawn together: hundreds of faces or pieces cost little more than one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np

from engine.core.scene import Item, Mesh, Polygon
from widgets.render3d.copies import Copies
from widgets.render3d.sheets import Sheets

Drawn: TypeAlias = Item | Copies | Sheets
"""What is drawn by itself: an item, or several in one."""
Key = tuple[object, ...]


class Gathering:
    """Puts polygons, and meshes of one shape, together; the same ones as last time are the same object."""

    def __init__(self) -> None:
        self._last: dict[Key, Copies | Sheets] = {}

    def gathered(self, items: Iterable[Item]) -> Iterator[Drawn]:
        """The items; in place of the first of those that belong together stands what holds them all."""
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
    """The items that belong together; a mesh alone does not."""
    groups: dict[Key, list[Any]] = {}
    for item in items:
        groups.setdefault(_key_of(item), []).append(item)
    return {key: tuple(group) for key, group in groups.items() if key[:1] == (Polygon,) or (key and len(group) > 1)}


def _key_of(item: Item) -> Key:
    """What items have in common that belong together; nothing where an item stands alone."""
    if isinstance(item, Polygon) and np.shape(item.points)[1:] == (3,):
        return Polygon, item.opacity
    if isinstance(item, Mesh) and not item.wireframe:
        return Mesh, id(item.faces), item.edges, item.opacity
    return ()
