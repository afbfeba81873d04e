"""The editor of tasks that have none of their own: the scene to look at, the answer panel to type in."""

from __future__ import annotations

from widgets.editing.editor import Editor
from widgets.editing.panel import ToolPanel
from widgets.view import SceneView
from widgets.views import view_for


class PlainEditor(Editor):
    """Shows the scene of the answer; the answer is edited as text."""

    def make_view(self) -> SceneView:
        """A canvas or a viewport, as the scene asks."""
        return view_for(self.task.scene(self.instance))

    def build_tools(self, tools: ToolPanel) -> None:
        """Says where to type."""
        tools.add_note("This task is edited as text: open the Answer tab.")
