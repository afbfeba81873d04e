"""Keeps a set of items drawn on VTK renderers, and updates them item by item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from vtkmodules.vtkRenderingCore import vtkActor, vtkRenderer

from spatial_workbench.engine.core.scene import Item
from spatial_workbench.widgets.render3d.camera import Camera, box_corners
from spatial_workbench.widgets.render3d.extent import bounds_of
from spatial_workbench.widgets.render3d.gathering import Drawn, Gathering
from spatial_workbench.widgets.render3d.items import BoxesDrawer, ItemDrawer, drawer_for
from spatial_workbench.widgets.render3d.parts import RenderPart
from spatial_workbench.widgets.render3d.shading import Shading
from spatial_workbench.widgets.render3d.style import Style
from spatial_workbench.widgets.render3d.visibility import everything, seen

Key = tuple[str, type, int]


class RenderDrawing:
    """Draws items: solid parts on one renderer, see-through ones on another (or the same)."""

    def __init__(self, shading: Shading, solid: vtkRenderer, clear: vtkRenderer) -> None:
        self._shading = shading
        self._solid = solid
        self._clear = clear
        self._drawers: dict[Key, ItemDrawer[Any]] = {}
        self._gathering = Gathering()
        self._style: Style | None = None
        self._coarse = False
        self._shown: dict[vtkRenderer, list[vtkActor]] = {solid: [], clear: []}
        self._is_aside = False

    @property
    def drawers(self) -> Sequence[ItemDrawer[Any]]:
        """The drawers of the items, in the items' order."""
        return list(self._drawers.values())

    def update(self, items: Iterable[Item], style: Style, first: Sequence[RenderPart] = ()) -> int:
        """Shows these items in this style; `first` are further parts to be drawn before see-through ones.

        Returns:
            how many items had to be updated.
        """
        changed = self._update_items(items, style)
        self._style = style
        if self._is_aside:
            changed |= set(self._drawers.values())
            self._is_aside = False
        if changed:
            self._limit_boxes(changed)
            self._open_up()
            self._sync(first)
        return len(changed)

    def _update_items(self, items: Iterable[Item], style: Style) -> set[ItemDrawer[Any]]:
        before = self._drawers
        self._drawers = {}
        count: Counter[tuple[str, type]] = Counter()
        changed: set[ItemDrawer[Any]] = set()
        for item in self._gathering.gathered(items):
            key = (item.name, type(item), count[item.name, type(item)])
            count[item.name, type(item)] += 1
            drawer = before.pop(key, None) or drawer_for(item, self._shading)
            if drawer is None:
                continue
            self._drawers[key] = drawer
            if self._update_drawer(drawer, item, style):
                changed.add(drawer)
        return changed | set(before.values())

    def _update_drawer(self, drawer: ItemDrawer[Any], item: Drawn, style: Style) -> bool:
        fresh = getattr(drawer, "item", None) is not item
        if fresh:
            drawer.set_item(item)
            drawer.set_coarse(self._coarse)
        if fresh or self._looks_new(item, style):
            drawer.paint(style)
            drawer.set_coarse(self._coarse)
            return True
        return False

    def _looks_new(self, item: Drawn, style: Style) -> bool:
        old = self._style
        if old is style:
            return False
        return old is None or old.theme != style.theme or old.touches(item) or style.touches(item)

    def _limit_boxes(self, changed: set[ItemDrawer[Any]]) -> None:
        boxes = [drawer for drawer in self._drawers.values() if isinstance(drawer, BoxesDrawer)]
        if not any(isinstance(drawer, BoxesDrawer) for drawer in changed):
            return
        bricks = [drawer.bricks() for drawer in boxes]
        masks = everything(bricks) if self._shading.section else seen(bricks)
        for drawer, mask in zip(boxes, masks, strict=True):
            drawer.limit(mask)

    def cut(self) -> None:
        """Called when a section begins or ends: the bodies that it opens are shown from inside too."""
        self._limit_boxes(set(self._drawers.values()))
        self._open_up()

    def _open_up(self) -> None:
        for drawer in self._drawers.values():
            for part in drawer.parts:
                part.open_up(self._shading.section is not None)

    def _sync(self, first: Sequence[RenderPart]) -> None:
        parts = [part for drawer in self._drawers.values() for part in drawer.parts]
        solid = [actor for part in (*(p for p in parts if not p.clear), *first) for actor in part.actors]
        clear = [actor for part in parts if part.clear for actor in part.actors]
        if self._solid is self._clear:
            solid = solid + clear
            clear = []
            self._show_actors(self._solid, solid)
        else:
            self._show_actors(self._solid, solid)
            self._show_actors(self._clear, clear)

    def _show_actors(self, renderer: vtkRenderer, actors: list[vtkActor]) -> None:
        if self._shown[renderer] != actors:
            renderer.RemoveAllViewProps()
            for actor in actors:
                renderer.AddActor(actor)
            self._shown[renderer] = actors

    @property
    def has_clear(self) -> bool:
        """Whether there is anything see-through to draw."""
        return any(part.clear and part.visible for drawer in self._drawers.values() for part in drawer.parts)

    def set_coarse(self, coarse: bool) -> None:
        """Leaves out details, or draws them again."""
        if coarse != self._coarse:
            self._coarse = coarse
            for drawer in self._drawers.values():
                drawer.set_coarse(coarse)

    def aim(self, camera: Camera, height_px: float, ratio: float) -> None:
        """Updates what depends on the camera: sizes in pixels, and the order of see-through items, far to near."""
        for drawer in self._drawers.values():
            drawer.fit_pixels(camera, height_px, ratio)
        if self._solid is not self._clear and len(self._shown[self._clear]) > 3:
            self._show_actors(self._clear, self._far_to_near(camera))

    def _far_to_near(self, camera: Camera) -> list[vtkActor]:
        clear = [drawer for drawer in self._drawers.values() if any(part.clear for part in drawer.parts)]
        towards = camera.axes[2]

        def nearest(drawer: ItemDrawer[Any]) -> float:
            bounds = bounds_of([drawer.item])
            return float((box_corners(bounds) @ towards).max()) if bounds else -np.inf

        clear.sort(key=nearest)
        return [actor for drawer in clear for part in drawer.parts if part.clear for actor in part.actors]

    def set_aside(self) -> None:
        """Removes everything from the renderers, but keeps the drawers for items that come back."""
        self._is_aside = True
        for renderer in self._shown:
            self._show_actors(renderer, [])

    def remove(self) -> None:
        """Removes everything."""
        self._drawers.clear()
        self._sync(())
