"""The symmetries that remain: a voxel and its image under one of them, and all of them on their way."""

from __future__ import annotations

from collections.abc import Callable

from spatial_workbench.engine.tasks.voxel_projection import FilledVoxels
from spatial_workbench.engine.tasks.voxel_projection.drawing import in_motion
from spatial_workbench.engine.tasks.voxel_projection.editing import Cell, pair_of
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editors.voxel_projection.symmetry_list import SymmetryList
from spatial_workbench.widgets.editors.voxel_projection.workpiece import FilledGrid, id_of
from spatial_workbench.widgets.scene_views.view import SceneView


class SymmetryDisplay:
    """Shows the symmetry that is chosen in `list`; `plane` is the view of the layer."""

    def __init__(
        self, editor: Editor[FilledVoxels], voxels: FilledGrid, plane: SceneView, say: Callable[[str], None]
    ) -> None:
        self.list = SymmetryList()
        self.list.itemSelectionChanged.connect(lambda: self.show_symmetry(self.list.chosen))
        self.pair: tuple[Cell, Cell] | None = None
        """The voxel and its image that are shown."""
        self._editor = editor
        self._voxels = voxels
        self._plane = plane
        self._say = say

    def show_symmetry(self, row: int) -> None:
        """Shows a voxel and its image under one of the remaining symmetries."""
        left = self._voxels.findings.symmetries
        self.pair = pair_of(self._voxels.array, left[row]) if 0 <= row < len(left) else None
        self._editor.animation.stop()
        self._editor.draw_later()
        roles = dict.fromkeys(map(id_of, self.pair or ()), "warning")
        self._editor.view.set_highlight(roles, fade_rest=bool(roles))
        self._plane.set_highlight(roles)
        if self.pair:
            self._say(f"Empty or move {self.pair[0]} or {self.pair[1]} to break this symmetry")

    def play(self) -> None:
        """Shows every voxel moving to its image, under the chosen symmetry or the first one."""
        left = self._voxels.findings.symmetries
        if left:
            self._editor.animation.play(
                in_motion(self._voxels.grid, self._voxels.array, left[max(0, self.list.chosen)])
            )
