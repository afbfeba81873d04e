"""The grid being filled: which cells are filled, which are refused, and what the rules say."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spatial_workbench.engine.tasks.voxel_projection import FilledVoxels, cell_of, grid_of
from spatial_workbench.engine.tasks.voxel_projection.editing import Cell, VoxelFindings, findings
from spatial_workbench.engine.tasks.voxel_projection.grid import Bools, cells_of
from spatial_workbench.widgets.editing.document import AnswerDocument


class FilledGrid:
    """The cells of a document's answer.

    say: shows a message until the answer or the layer changes.
    is_judged: whether forbidden cells cannot be filled by hand.
    """

    def __init__(self, document: AnswerDocument[FilledVoxels], say: Callable[[str], None], is_judged: bool) -> None:
        self.grid = grid_of(document.instance)
        self.array: Bools = np.zeros((self.grid.n,) * 3, bool)
        """The filled cells of the answer."""
        self.odd = 0
        """How many entries of the answer are repeated or outside."""
        self.refused = self.grid.forbidden if is_judged else np.zeros_like(self.array)
        """The cells that cannot be filled by hand."""
        self.stroke: Bools | None = None
        """The filled cells with a stroke that is not applied yet."""
        self._document = document
        self._say = say
        self._findings: tuple[Bools, VoxelFindings] | None = None

    def read_answer(self) -> None:
        """Reads the document's answer."""
        places = [cell_of(voxel, self.grid.n) for voxel in self._document.answer.voxels]
        cells = {cell for cell in places if cell is not None}
        self.odd = len(places) - len(cells)
        self.array = self.grid.filled(cells)

    @property
    def shown(self) -> Bools:
        """The shown cells: with the present stroke, or else of the answer."""
        return self.array if self.stroke is None else self.stroke

    @property
    def findings(self) -> VoxelFindings:
        """What the rules say about the shown cells."""
        if self._findings is None or self._findings[0] is not self.shown:
            self._findings = self.shown, findings(self.grid, self.shown)
        return self._findings[1]

    def replace_cells(self, label: str, array: Bools, merge: str = "") -> None:
        """Replaces the filled cells, as one step of the history."""
        self._say("")
        if not np.array_equal(array, self.array):
            self._document.edit(label, FilledVoxels.of(cells_of(array), self._document.answer.reasoning), merge)


def id_of(cell: Cell) -> str:
    """The id of a cell's voxel in scenes."""
    return f"voxel {cell[0]},{cell[1]},{cell[2]}"


def cell_with_id(element: str) -> Cell | None:
    """The cell that an id refers to, or None."""
    try:
        x, y, z = (int(value) for value in element.rpartition(" ")[2].split(","))
    except ValueError:
        return None
    return x, y, z
