"""What a click on a ray of a projection does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.tasks.voxel_projection import FilledVoxels
from spatial_workbench.engine.tasks.voxel_projection.editing import Cell, Spot, cell_at
from spatial_workbench.engine.tasks.voxel_projection.grid import AXES
from spatial_workbench.engine.tasks.voxel_projection.solver import candidates
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editors.voxel_projection.commands import GridCommands
from spatial_workbench.widgets.editors.voxel_projection.workpiece import FilledGrid, id_of


class RayChoice:
    """Selects the voxels on a ray, or offers cells to fill."""

    def __init__(
        self, editor: Editor[FilledVoxels], voxels: FilledGrid, commands: GridCommands, say: Callable[[str], None]
    ) -> None:
        self._editor = editor
        self._voxels = voxels
        self._commands = commands
        self._say = say

    def choose_on_ray(self, axis: int, ray: Spot, where: QPoint) -> None:
        """Offers the cells of a ray that meets no voxel, or selects the voxels on it."""
        on_it = np.flatnonzero(np.moveaxis(self._voxels.array, axis, -1)[ray])
        if len(on_it):
            self._editor.view.set_selection(id_of(cell_at(axis, int(depth), ray)) for depth in on_it)
            return
        if not self._editor.allows(Aid.SOLVING):
            return
        cells = candidates(self._voxels.grid, self._voxels.array, axis, ray)
        if not cells:
            self._say(f"No cell is allowed on the ray along {AXES[axis]} at {ray[0]},{ray[1]}")
            return
        self._offer(cells, where)

    def _offer(self, cells: list[Cell], where: QPoint) -> None:
        self._editor.use_aid("Cells offered on a ray", Aid.SOLVING)
        menu = QMenu(self._editor)
        menu.setObjectName("cells on the ray")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for cell in cells:
            menu.addAction(said(f"Fill {cell}"), partial(self._commands.fill_cell, cell))
        menu.popup(where)
