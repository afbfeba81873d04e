"""Commands of gestures, buttons and keys on the plan: each is one step of the history, or says why it is not done."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.terrain_levelling import MAX_BLASTS, MAX_READ
from spatial_workbench.engine.tasks.terrain_levelling.simulation import Charge
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editing.gestures import Cell
from spatial_workbench.widgets.editors.terrain_levelling.plan_table import PlanTable
from spatial_workbench.widgets.editors.terrain_levelling.workpiece import LEAST_DEPTH_M, MOST_DEPTH_M, BlastPlan
from spatial_workbench.widgets.scene_views.view import SceneView


class BlastCommands:
    """The commands. Cells are selected in `view`, blasts in `table`.

    click_depth: the depth of a click, in metres. target: the height to which cells are shaved.
    say: shows why a command is not done.
    use_aid: reports that an aid was used; None if solving aids are not allowed.
    """

    def __init__(
        self,
        plan: BlastPlan,
        view: SceneView,
        table: PlanTable,
        click_depth: Setting[float],
        target: Setting[float],
        say: Callable[[str], object],
        use_aid: Callable[[str, Aid], None] | None,
    ) -> None:
        self.click_depth = click_depth
        self.target = target
        self._plan = plan
        self._view = view
        self._table = table
        self._say = say
        self._use_aid = use_aid

    @property
    def depth_m(self) -> float:
        """The depth of a click."""
        return self.click_depth.value

    def blast(self, cell: Cell, merge: str = "") -> None:
        """Adds a blast as deep as the panel says, or as the cell is high; equal non-empty `merge` make one step."""
        self.add_blasts([(cell, self._plan.possible_depth(cell, self.depth_m))], "Add blast", merge)

    def add_blasts(self, holes: Sequence[tuple[Cell, float]], label: str, merge: str = "") -> None:
        """Adds blasts at the end of the plan, as one step."""
        charges = [Charge(x, y, round(depth, 6)) for (x, y), depth in holes]
        most = MAX_BLASTS if self._plan.is_judged else MAX_READ
        if len(self._plan.charges) + len(charges) > most:
            self._say(f"A plan has at most {counted(most, 'blast')}.")
            return
        reasons = [self._plan.objection(charge) for charge in charges]
        if len(charges) == 1 and reasons[0]:
            self._say(f"No blast here: {reasons[0]}.")
        elif possible := [charge for charge, why in zip(charges, reasons, strict=True) if not why]:
            self._plan.replace_blasts(label, (*self._plan.charges, *possible), merge)

    def shave(self) -> None:
        """Blasts the selected cells, or all, down to the target."""
        cells = self._cells_to_shave()
        if not cells:
            self._say("Select the cells first.")
            return
        holes = [(cell, self._plan.height_at(cell) - self.target.value) for cell in cells]
        holes = [(cell, depth) for cell, depth in holes if depth > LEAST_DEPTH_M]
        if holes:
            self.add_blasts(holes, f"Shave {counted(len(holes), 'cell')}")
        else:
            self._say(f"No cell is higher than {self.target.value:.2f} m.")

    def _cells_to_shave(self) -> list[Cell]:
        """The selected cells; without a selection, every cell if solving aids are allowed."""
        names = [name.removeprefix("cell ") for name in self._view.selection if name.startswith("cell ")]
        if names or self._use_aid is None:
            return [(int(x), int(y)) for x, y in (name.split(",") for name in names)]
        self._use_aid("Shave every cell", Aid.SOLVING)
        rows, columns = self._plan.start.shape
        return [(x, y) for y in range(rows) for x in range(columns)]

    def set_depth_of(self, row: int, depth: float) -> None:
        """Changes the depth of a blast."""
        if not math.isfinite(depth) or (self._plan.is_judged and not 0 < depth <= MOST_DEPTH_M):
            self._say("Depths are between 0 and 30 m.")
            return
        charge = self._plan.charges[row]._replace(z=depth)
        self._plan.replace_blasts(
            "Change depth", (*self._plan.charges[:row], charge, *self._plan.charges[row + 1 :]), merge=f"depth {row}"
        )

    def remove(self) -> None:
        """Deletes the selected blasts; without a selection, the last one."""
        rows = set(self._table.rows) or {len(self._plan.charges) - 1}
        if self._plan.charges:
            self._plan.replace_blasts(
                "Delete blasts", [charge for i, charge in enumerate(self._plan.charges) if i not in rows]
            )

    def shift(self, by: int) -> None:
        """Moves the selected blasts up or down in the order."""
        rows = self._table.rows
        if not rows or not (rows[0] + by >= 0 and rows[-1] + by < len(self._plan.charges)):
            return
        order = list(range(len(self._plan.charges)))
        for row in rows if by < 0 else rows[::-1]:
            order[row], order[row + by] = order[row + by], order[row]
        self._plan.replace_blasts("Reorder blasts", [self._plan.charges[i] for i in order])
        self._table.select_rows([row + by for row in rows])

    def change_depth(self, by: float) -> None:
        """Changes the depth of the next blast."""
        self.click_depth.put(min(max(LEAST_DEPTH_M, self.depth_m + by), MOST_DEPTH_M))
