"""The layer that is painted on, and the cursor in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.voxel_projection.editing import Cell, Spot, cell_at, painted, spot_of
from spatial_workbench.widgets.editors.voxel_projection.workpiece import FilledGrid


class GridLayer:
    """A layer of the grid: across which axis, how deep, the cursor's spot in it, and the present stroke.

    draw: draws the layer and the projections; called with whether the view is reset.
    draw_later: has the 3D view and the status bar follow a moment later.
    """

    def __init__(
        self,
        voxels: FilledGrid,
        say: Callable[[str], None],
        draw: Callable[[bool], None],
        draw_later: Callable[[], None],
    ) -> None:
        self.axis = 2
        self.depth = 0
        self.cursor: Spot = (0, 0)
        self._voxels = voxels
        self._say = say
        self._draw = draw
        self._draw_later = draw_later
        self._refusal = ""

    def is_filled(self, spot: Spot) -> bool:
        """Whether the cell at a spot of the layer is filled."""
        return bool(self._voxels.array[self.cell(spot)])

    def preview(self, spots: Iterable[Spot], value: bool) -> None:
        """Shows a stroke before it is applied."""
        cells = [self.cell(spot) for spot in spots]
        refused = [cell for cell in cells if value and self._voxels.refused[cell]]
        self._refusal = f"Cell {refused[-1]} is forbidden: {self._voxels.grid.rule.why(refused[-1])}" if refused else ""
        self._voxels.stroke = painted(self._voxels.array, cells, value, self._voxels.refused)
        self._draw(False)
        self._draw_later()

    def finish_stroke(self, spots: Iterable[Spot], value: bool) -> None:
        """Applies a stroke, as a step of the history."""
        self._voxels.stroke = None
        array = painted(self._voxels.array, [self.cell(spot) for spot in spots], value, self._voxels.refused)
        changed = int((array != self._voxels.array).sum())
        cells = counted(changed, "cell") if changed != 1 else "cell"
        self._voxels.replace_cells(f"Fill {cells}" if value else f"Empty {cells}", array)
        self._draw(False)
        self._say(self._refusal)

    def drop_stroke(self) -> None:
        """Shows the answer again."""
        if self._voxels.stroke is None:
            return
        self._voxels.stroke = None
        self._draw(False)
        self._draw_later()

    def set_axis(self, axis: int) -> None:
        """Shows layers across another axis, starting with the one through the cursor's cell."""
        cell = self.cursor_cell
        self.axis = axis
        self.go_to(cell, reset_view=True)

    def set_depth(self, depth: int) -> None:
        """Shows another layer."""
        self.depth = min(max(depth, 0), self._voxels.grid.n - 1)
        self._say("")
        self._draw(False)
        self._draw_later()

    def step_layer(self, by: int) -> None:
        """Goes to the next layer (1) or the previous one (-1)."""
        self.set_depth(self.depth + by)

    def go_to(self, cell: Cell, reset_view: bool = False) -> None:
        """Goes to the layer of a cell, and moves the cursor there."""
        self.depth, self.cursor = spot_of(self.axis, cell)
        self._draw(reset_view)
        self._draw_later()

    def numbers(self) -> tuple[int, ...]:
        """The axis, and the cell of the cursor."""
        return self.axis, *self.cursor_cell

    def put(self, numbers: Sequence[int]) -> None:
        """Shows the layers and puts the cursor as they were.

        Raises:
            ValueError: There is no such axis or cell.
        """
        axis, x, y, z = numbers
        if axis not in range(3) or not all(0 <= k < self._voxels.grid.n for k in (x, y, z)):
            raise ValueError("no such cursor")
        self.axis = axis
        self.go_to((x, y, z), reset_view=True)

    def move_cursor_to(self, spot: Spot) -> None:
        """Moves the cursor to a spot of the layer."""
        self.cursor = spot

    def move_cursor(self, du: int, dv: int, fills: bool = False) -> None:
        """Moves the cursor; with `fills` it fills cells as it goes, and consecutive keys are one step."""
        last = self._voxels.grid.n - 1
        self.cursor = min(max(self.cursor[0] + du, 0), last), min(max(self.cursor[1] + dv, 0), last)
        if fills:
            self._voxels.replace_cells(
                "Fill cells",
                painted(self._voxels.array, [self.cursor_cell], True, self._voxels.refused),
                "fill by keys",
            )
        self._draw(False)

    def toggle_cursor(self) -> None:
        """Fills or empties the cell of the cursor."""
        value = not self.is_filled(self.cursor)
        self.preview([self.cursor], value)
        self.finish_stroke([self.cursor], value)

    def type_coordinate(self, axis: int, value: float) -> None:
        """Sets a coordinate of the cursor, as it was typed."""
        cell = [*self.cursor_cell]
        cell[axis] = round(value)
        self.go_to((cell[0], cell[1], cell[2]))

    def cell(self, spot: Spot) -> Cell:
        """The cell at a spot of the layer."""
        return cell_at(self.axis, self.depth, spot)

    @property
    def cursor_cell(self) -> Cell:
        """The cell of the cursor."""
        return self.cell(self.cursor)
