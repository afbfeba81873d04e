"""The editor for tasks that have none of their own: it shows the scene, and the answer is typed in the answer panel."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from spatial_workbench.widgets.editing.controls import Declared, Note, Section
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.scene_views.view import SceneView
from spatial_workbench.widgets.scene_views.views import view_for


class PlainEditor(Editor[Any]):
    """Shows the scene of the answer; the answer is edited as text."""

    def make_view(self) -> SceneView:
        return view_for(self.task.scene(self.instance))

    def status(self) -> str:
        return "The answer is typed in the Answer tab"

    def list_controls(self) -> Iterable[Declared]:
        yield Section("Answer", Note("The answer to this task is edited as text, in the Answer tab."))
