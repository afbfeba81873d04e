"""Display options: the world cut off above a level, or with see-through rock.

Items that have not changed stay the same objects, so that a view does not draw them again.
"""

from __future__ import annotations

from dataclasses import replace

from spatial_workbench.engine.core import Scene
from spatial_workbench.engine.core.scene import Item
from spatial_workbench.engine.tasks.fluid_simulation.views import cut, see_through

CACHE_SIZE = 64
"""How many items have their displayed form remembered."""


class FluidDisplay:
    """Applies the display options to scenes."""

    def __init__(self) -> None:
        self.cut_above: int | None = None
        self.glass = False
        self._cache: dict[tuple[int, int | None, bool], tuple[Item, list[Item]]] = {}

    def displayed(self, scene: Scene) -> Scene:
        """The scene with the options applied."""
        return replace(scene, items=tuple(part for item in scene.items for part in self._parts(item)))

    def _parts(self, item: Item) -> list[Item]:
        if self.cut_above is None and not self.glass:
            return [item]
        key = (id(item), self.cut_above, self.glass)
        if key not in self._cache:
            shown = see_through(item) if self.glass else item
            parts = [shown] if self.cut_above is None else cut(shown, self.cut_above)
            if len(self._cache) >= CACHE_SIZE:
                self._cache.pop(next(iter(self._cache)))
            self._cache[key] = item, parts
        return self._cache[key][1]
