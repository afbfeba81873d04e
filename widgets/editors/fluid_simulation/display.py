"""How the world is looked at: cut off above a level, with rock of glass.

Parts that did not change stay the same objects, so that a view does not draw them anew.
"""

from __future__ import annotations

from dataclasses import replace

from engine.core import Scene
from engine.core.scene import Item
from engine.tasks.fluid_simulation.views import cut, see_through

KEPT = 64
"""Items whose changed form is remembered."""


class Display:
    """Changes scenes by what the person wants to see."""

    def __init__(self) -> None:
        self.cut_above: int | None = None
        self.glass = False
        self._made: dict[tuple[int, int | None, bool], tuple[Item, list[Item]]] = {}

    def dressed(self, scene: Scene) -> Scene:
        """The scene as it is looked at."""
        return replace(scene, items=tuple(part for item in scene.items for part in self._parts(item)))

    def _parts(self, item: Item) -> list[Item]:
        if self.cut_above is None and not self.glass:
            return [item]
        key = (id(item), self.cut_above, self.glass)
        if key not in self._made:
            shown = see_through(item) if self.glass else item
            parts = [shown] if self.cut_above is None else cut(shown, self.cut_above)
            if len(self._made) >= KEPT:
                self._made.pop(next(iter(self._made)))
            self._made[key] = item, parts
        return self._made[key][1]
