"""Commands of buttons and keys on a layer, single cells, and the whole grid: each is one step of the history."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spatial_workbench.engine.tasks.voxel_projection.editing import Cell, layer_of, painted, with_layer
from spatial_workbench.engine.tasks.voxel_projection.grid import Bools
from spatial_workbench.engine.tasks.voxel_projection.solver import fill_to_count, latin_square
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editors.voxel_projection.layer import GridLayer
from spatial_workbench.widgets.editors.voxel_projection.workpiece import FilledGrid, cell_with_id
from spatial_workbench.widgets.scene_views.view import SceneView


class LayerCommands:
    """The commands on the layer."""

    def __init__(self, voxels: FilledGrid, layer: GridLayer, say: Callable[[str], None]) -> None:
        self._voxels = voxels
        self._layer = layer
        self._say = say
        self._copied: Bools | None = None

    def copy(self) -> None:
        """Copies the layer, for pasting."""
        self._copied = layer_of(self._voxels.array, self._layer.axis, self._layer.depth).copy()
        self._say("The layer has been copied")

    def paste(self) -> None:
        """Replaces the layer by the copied one."""
        if self._copied is None:
            self._say("Copy a layer first")
        else:
            self._replace_layer("Paste layer", self._copied)

    def mirror(self, axis: int) -> None:
        """Mirrors the layer along its first (0) or second (1) axis."""
        self._replace_layer("Mirror layer", np.flip(self._cells, axis))

    def turn(self) -> None:
        """Turns the layer by 90 degrees."""
        self._replace_layer("Turn layer", np.rot90(self._cells))

    def empty(self) -> None:
        """Empties the layer."""
        self._replace_layer("Empty layer", np.zeros_like(self._cells))

    @property
    def _cells(self) -> Bools:
        return layer_of(self._voxels.array, self._layer.axis, self._layer.depth)

    def _replace_layer(self, label: str, layer: Bools) -> None:
        allowed = layer & ~layer_of(self._voxels.refused, self._layer.axis, self._layer.depth)
        left_out = int(layer.sum() - allowed.sum())
        self._voxels.replace_cells(label, with_layer(self._voxels.array, self._layer.axis, self._layer.depth, allowed))
        if left_out:
            self._say(f"{left_out} forbidden cells were left out")


class GridCommands:
    """The commands on cells and on the whole grid.

    view: the view in which cells are selected.
    changed: called when the seed was typed.
    """

    def __init__(
        self,
        voxels: FilledGrid,
        layer: GridLayer,
        view: SceneView,
        say: Callable[[str], None],
        changed: Callable[[], object],
    ) -> None:
        self.seed: Setting[float] = Setting(0.0, changed)
        """The seed of random cells."""
        self._voxels = voxels
        self._layer = layer
        self._view = view
        self._say = say

    def fill_cell(self, cell: Cell) -> None:
        """Fills a cell and goes to it."""
        self._voxels.replace_cells("Fill cell", painted(self._voxels.array, [cell], True, self._voxels.refused))
        self._layer.go_to(cell)

    def delete_selected(self) -> None:
        """Empties the cells selected in the 3D view, or the one at the cursor."""
        cells = [cell for name in self._view.selection if (cell := cell_with_id(name)) is not None]
        self._voxels.replace_cells(
            "Empty cells", painted(self._voxels.array, cells or [self._layer.cursor_cell], False, self._voxels.refused)
        )

    def start_latin(self) -> None:
        """Starts again with a Latin square and the required cells."""
        array = latin_square(self._voxels.grid, self._random())
        if array is None:
            self._say("No Latin square without forbidden cells was found; try another seed")
            return
        array[tuple(np.array(self._voxels.grid.rule.required, dtype=int).reshape(-1, 3).T)] = True
        self._voxels.replace_cells("Latin square", array)

    def fill_to_number(self) -> None:
        """Adds random allowed cells until the number is right."""
        filled = fill_to_count(self._voxels.grid, self._voxels.array, self._random())
        if filled is None:
            count = int(self._voxels.array.sum())
            self._say(f"Not done: {count} are filled already, and {self._voxels.grid.count} are wanted")
        else:
            self._voxels.replace_cells("Fill to the number", filled)

    def empty_grid(self) -> None:
        """Empties the grid."""
        self._voxels.replace_cells("Empty the grid", np.zeros_like(self._voxels.array))

    def _random(self) -> np.random.Generator:
        return np.random.Generator(np.random.PCG64(round(self.seed.value)))
