"""The two tools of an editor that places things, in all of its views: one places them, the other selects them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from spatial_workbench.widgets.editing.gestures import Carry, Place
from spatial_workbench.widgets.editing.selection import NumberedSelection
from spatial_workbench.widgets.scene_views.view import SceneView, Tool


class PlacingTools:
    """Which tool is active in the views.

    changed: called when another tool was activated.
    deselects: whether nothing stays selected while things are placed.
    """

    def __init__(
        self,
        views: Sequence[SceneView],
        place: Place,
        select: Carry[Any],
        selection: NumberedSelection,
        changed: Callable[[], object],
        deselects: bool = False,
    ) -> None:
        self._views = views
        self._place = place
        self._select = select
        self._selection = selection
        self._changed = changed
        self._deselects = deselects

    @property
    def is_placing(self) -> bool:
        """Whether the tool that places things is active."""
        return self._views[0].tool is self._place

    def use(self, tool: Tool) -> None:
        """Activates a tool in all views."""
        if self._deselects and tool is self._place:
            self._selection.select(())
        for view in self._views:
            view.set_tool(tool)
        self._changed()

    def use_select(self) -> None:
        """Activates the tool that selects things."""
        self.use(self._select)

    def leave(self) -> None:
        """Handles Escape: ends a drag, then the tool that places, then the selection."""
        if self._select.was_dropped:
            self._select.was_dropped = False
        elif self.is_placing:
            self.use_select()
        else:
            self._selection.select(())
