"""The editor of tasks that have none of their own: the scene to look at, the answer panel to type in."""

from __future__ import annotations

from widgets.editors.base import Editor
from widgets.tool_panel import ToolPanel
from widgets.view import SceneView


class PlainEditor(Editor):
    """Shows the scene of the answer; the answer is edited as text."""

    def make_view(self) -> SceneView:
        """A canvas for flat scenes, else a viewport."""
        if self.task.scene(self.instance).flat:
            from widgets.canvas2d import Canvas2D

            return Canvas2D()
        return super().make_view()

    def build_tools(self, tools: ToolPanel) -> None:
        """Says where to type."""
        tools.add_note("This task is edited as text: open the Answer tab.")
