"""The map that is shown: after how many blasts, in which colours, and with which marks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spatial_workbench.engine.core.scene import Floats, Item
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.terrain_levelling.drawing import (
    NEAR_COLOR,
    change_colors,
    charge_marks,
    height_colors,
    selected_mark,
    target_colors,
)
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editors.terrain_levelling.plan_table import PlanTable
from spatial_workbench.widgets.editors.terrain_levelling.workpiece import BlastPlan
from spatial_workbench.widgets.scene_views.legend import Entry, Key

HEIGHT, CHANGE, TARGET = COLORINGS = ("Height", "Change", "Against the target")
MARKS_SHOWN = 600
LEGENDS = {
    HEIGHT: (Entry("0 to 10 m, bands of 0.2 m", tuple(f"scale {share:.1f}" for share in (0, 0.25, 0.5, 0.75, 1))),),
    CHANGE: (Entry("raised", ("series 0",)), Entry("lowered", ("series 5",)), Entry("unchanged", ("neutral",))),
    TARGET: (Entry("above", ("series 5",)), Entry("below", ("series 0",)), Entry("at the target", ("passed",))),
}
REGION_LEGEND = (
    Entry("largest flat region", ("passed",), Key.LINE),
    Entry("second largest", ("accent",), Key.LINE),
    Entry("step of 0.2 to 0.4 m", (NEAR_COLOR,), Key.LINE),
)


class ShownMap:
    """The map as it is drawn; `changed` is called when another one is shown."""

    def __init__(
        self,
        plan: BlastPlan,
        table: PlanTable,
        target: Setting[float],
        measures: bool,
        changed: Callable[[], None],
    ) -> None:
        self.coloring = Setting(0, changed)
        self.shows_before = Setting(False, changed)
        """Whether the map before the first blast is shown."""
        self._plan = plan
        self._table = table
        self._target = target
        self._measures = measures
        self._changed = changed
        self._upto: int | None = None

    def show_last(self) -> None:
        """Shows the map after the last simulated blast from now on."""
        self._upto = None

    @property
    def shown(self) -> Floats:
        """The map that is drawn."""
        if self.shows_before.value:
            return self._plan.start
        return (
            self._plan.simulated.run.heights if self._upto is None else self._plan.simulated.heights_after(self._upto)
        )

    def colors(self, heights: Floats) -> list[str]:
        """The colour of each column."""
        if not self._measures:
            return ["neutral"] * heights.size
        coloring = COLORINGS[self.coloring.value]
        if coloring == CHANGE:
            return change_colors(self._plan.start, heights)
        return target_colors(heights, self._target.value) if coloring == TARGET else height_colors(heights)

    def marks(self, heights: Floats) -> list[Item]:
        """Marks on blasts that are not simulated yet, and on the selected one."""
        rows = self._table.rows
        done = 0 if self.shows_before.value else self._plan.simulated.done_count
        waiting = self._plan.charges[done:][:MARKS_SHOWN]
        marks = charge_marks(waiting, heights)
        if rows and rows[0] < len(self._plan.charges):
            marks.append(selected_mark(self._plan.charges[rows[0]], heights))
        return marks

    def legend(self) -> Sequence[Entry]:
        """The legend: what colours and lines mean."""
        colors = LEGENDS[COLORINGS[self.coloring.value]] if self._measures else ()
        return (*colors, *(REGION_LEGEND if self._plan.is_judged else ()))

    @property
    def moment(self) -> int:
        """The number of blasts after which the map is shown."""
        return len(self._plan.simulated.run.blasts) if self._upto is None else self._upto

    def words_of_moment(self) -> str:
        """After how many blasts the map is shown."""
        return f"After {self.moment} of {counted(len(self._plan.simulated.run.blasts), 'blast')}"

    def show_moment(self, count: int) -> None:
        """Shows the map after a number of blasts."""
        self._upto = None if count >= len(self._plan.simulated.run.blasts) else count
        self._changed()

    def step(self, by: int) -> None:
        """Selects the next or previous blast, and shows the map after it."""
        if self._plan.charges:
            rows = self._table.rows
            row = min(max((rows[0] if rows else -1) + by, 0), len(self._plan.charges) - 1)
            self._table.select_rows([row])
            self.show_moment(row + 1)

    def describe(self, name: str) -> tuple[str, str]:
        """The text of the label beside the pointer for an element."""
        kind, _, rest = name.partition(" ")
        if kind != "cell":
            return name, ""
        x, y = map(int, rest.split(","))
        return f"({x}, {y})", f"{self.shown[y, x]:.2f} m"
