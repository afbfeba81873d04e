"""How the world is shown: at which level, cut open, or see-through."""

from __future__ import annotations

from spatial_workbench.engine.tasks.fluid_simulation import Earthworks
from spatial_workbench.engine.tasks.fluid_simulation.world import DEPTH
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editors.fluid_simulation.display import FluidDisplay
from spatial_workbench.widgets.editors.fluid_simulation.worksite import Worksite
from spatial_workbench.widgets.scene_views.view import SceneView


class FluidLook:
    """Sets how an editor's views show the world; `plan` shows the level from above."""

    def __init__(self, editor: Editor[Earthworks], site: Worksite, plan: SceneView) -> None:
        self.display = FluidDisplay()
        self.cuts = Setting(False, self.apply_look)
        """Whether the rock above the level is cut off."""
        self._editor = editor
        self._site = site
        self._plan = plan

    @property
    def has_plan(self) -> bool:
        """Whether the level from above is shown."""
        return self._plan.isVisibleTo(self._editor)

    def set_level(self, level: int) -> None:
        """Makes another level the current one."""
        self._site.level = min(DEPTH - 1, max(0, level))
        self.apply_look()

    def step_level(self, by: int) -> None:
        """Moves to a level above or below."""
        self.set_level(self._site.level + by)

    def apply_look(self) -> None:
        """Shows the world in this way."""
        self.display.cut_above = self._site.level if self.cuts.value else None
        self._editor.animation.show_again()
        self._editor.redraw()
        self._editor.view.update()

    def toggle_cut(self) -> None:
        """Cuts the rock above the level, or shows it again."""
        self.cuts.put(not self.cuts.value)

    def toggle_glass(self) -> None:
        """Shows the water under roofs, or hides it."""
        self.display.glass = not self.display.glass
        self.apply_look()

    def toggle_plan(self) -> None:
        """Shows the level from above beside the world, or hides it."""
        self._plan.setVisible(not self.has_plan)
        self._editor.later.start()
