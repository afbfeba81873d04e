"""The editor of tasks that have none of their own: the scene to look at, the answer panel to type in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from widgets.editing.controls import Declared, Note, Section
from widgets.editing.editor import Editor
from widgets.view import SceneView
from widgets.views import view_for


class PlainEditor(Editor[Any]):
    """Shows the scene of the answer; the answer is edited as text."""

    def make_view(self) -> SceneView:
        """A canvas or a viewport, as the scene asks."""
        return view_for(self.task.scene(self.instance))

    def list_controls(self) -> Iterable[Declared]:
        yield Section("Answer", Note("This task is edited as text: open the Answer tab."))
