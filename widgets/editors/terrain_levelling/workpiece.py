"""The blasts of the plan, and the map after those that have been simulated."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.terrain_levelling import TerrainPlan, heights_of
from spatial_workbench.engine.tasks.terrain_levelling.simulation import Charge, refusal
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.gestures import Cell
from spatial_workbench.widgets.editing.runner import Runner
from spatial_workbench.widgets.editors.terrain_levelling.simulated_plan import SimulatedPlan

SNAP_M = 0.05
LEAST_DEPTH_M, MOST_DEPTH_M = 0.05, 30.0


class BlastPlan:
    """The plan of a document.

    is_judged: whether blasts are simulated, and refused where a rule forbids them.
    changed: called when the simulation has advanced. failed: called with why it could not go on.
    editing: called before the plan is replaced.
    """

    def __init__(
        self,
        document: AnswerDocument[TerrainPlan],
        runner: Runner,
        is_judged: bool,
        changed: Callable[[], None],
        failed: Callable[[str], None],
        editing: Callable[[], None],
    ) -> None:
        self.start: Floats = heights_of(document.instance)
        """The map before the first blast."""
        self.is_judged = is_judged
        self.simulated = SimulatedPlan(
            self.start,
            document.instance.parameters,
            runner,
            plan=lambda: self.charges,
            changed=changed,
            failed=failed,
        )
        self._document = document
        self._editing = editing

    @property
    def charges(self) -> tuple[Charge, ...]:
        """The blasts of the plan."""
        return self._document.answer.charges

    def height_at(self, cell: Cell) -> float:
        """The height of a cell after all simulated blasts."""
        return float(self.simulated.run.heights[cell[1], cell[0]])

    def allowed_depth(self, cell: Cell, depth: float) -> float:
        """The allowed depth nearest to a depth: in steps of 5 cm, up to the height of the cell."""
        return self.possible_depth(cell, max(round(depth / SNAP_M) * SNAP_M, LEAST_DEPTH_M))

    def possible_depth(self, cell: Cell, depth: float) -> float:
        """A depth, or the height of the cell if that is less."""
        return min(depth, self.height_at(cell) if self.is_judged else MOST_DEPTH_M)

    def objection(self, charge: Charge) -> str:
        """Why a rule forbids a blast now; "" if none does, or if the plan may not be judged."""
        return refusal(self.simulated.run.heights, charge) if self.is_judged else ""

    def replace_blasts(self, label: str, charges: Sequence[Charge], merge: str = "") -> None:
        """Replaces the blasts, as one step of the history."""
        self._editing()
        self._document.edit(label, self._document.answer.with_charges(charges), merge)
