"""The gesture: clicks on the painted square, the palette and the list."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.widgets.editing.gestures import Click
from spatial_workbench.widgets.editors.topology_enumeration.drawing import Hit
from spatial_workbench.widgets.scene_views.view import PointerEvent


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
