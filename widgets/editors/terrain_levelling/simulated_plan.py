"""The simulation of the plan, in the background and a few blasts at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.terrain_levelling.flat import largest
from spatial_workbench.engine.tasks.terrain_levelling.noise import height_map
from spatial_workbench.engine.tasks.terrain_levelling.simulation import Charge, TerrainRun, carry_out, is_stored, settle
from spatial_workbench.widgets.editing.runner import Runner

Charges = tuple[Charge, ...]

AT_ONCE = 6
"""The least number of blasts that are simulated at a time, before the map is drawn again."""


def simulate(
    parameters: Mapping[str, Any], charges: Sequence[Charge], count: int, progress: Progress = silent
) -> tuple[int, TerrainRun]:
    """Simulates the first `count` blasts of a plan, or all if their results are stored; runs in the background.

    Returns:
        how many blasts were simulated, and what they did.
    """
    heights = height_map(parameters["n"], parameters["seed"], parameters["scale"], parameters["octaves"])
    reach = len(charges) if is_stored(heights, charges) else count
    return reach, carry_out(heights, charges[:reach], progress=progress)


class SimulatedPlan:
    """What is known about the effect of a plan on a map; `update` simulates the rest.

    Attributes:
        start: The map before the first blast.
        run: What the simulated blasts did.
        charges: The plan that was simulated, which may be older than the current one.
        flat_cells: How many cells the largest flat region has after the simulated blasts.
        is_running: Whether a simulation is running.
    """

    def __init__(
        self,
        start: Floats,
        parameters: Mapping[str, Any],
        runner: Runner,
        plan: Callable[[], Charges],
        changed: Callable[[], None],
        failed: Callable[[str], None],
    ) -> None:
        self.start = start
        self.is_running = False
        self._parameters = dict(parameters)
        self._runner = runner
        self._plan = plan
        self._changed = changed
        self._report_failure = failed
        self._common: tuple[Charges, Charges, int] = ((), (), 0)
        """A simulated plan, the plan of the answer, and how many blasts they share, from the first on."""
        self._given_up: Charges | None = None
        """A plan whose simulation failed."""
        self._store_run((), self._untouched())

    @property
    def done_count(self) -> int:
        """How many blasts of the present plan, from the first on, have been simulated."""
        plan = self._plan()
        if self._common[0] is not self.charges or self._common[1] is not plan:
            pairs = zip(self.charges, plan, strict=False)
            shorter = min(len(self.charges), len(plan))
            self._common = self.charges, plan, next((i for i, (a, b) in enumerate(pairs) if a != b), shorter)
        return min(self._common[2], len(self.run.blasts))

    @property
    def is_current(self) -> bool:
        """Whether the present plan has been simulated as far as possible."""
        plan = self._plan()
        has_ended = bool(self.run.refused) or self.run.timed_out
        return self.charges == plan or (has_ended and self.charges == plan[: len(self.charges)])

    @property
    def refused_row(self) -> int | None:
        """The blast of the present plan that is not possible, if there is one."""
        return len(self.run.blasts) if self.run.refused and self.is_current else None

    def heights_after(self, count: int) -> Floats:
        """The map after a number of simulated blasts."""
        now = self.start.copy()
        for charge, blast in list(zip(self.charges, self.run.blasts, strict=False))[:count]:
            now[charge.y, charge.x] -= charge.z
            settle(now, blast)
        return now

    def simulate_new(self) -> None:
        """Simulates what is new in the plan, and calls `changed` after every few blasts."""
        plan = self._plan()
        if self.is_running or self.is_current or plan == self._given_up:
            return
        if not plan:
            self._arrived(plan, self._untouched())
            return
        # Twice as many each time, since each run starts again from the first blast.
        count = min(len(plan), max(2 * self.done_count, self.done_count + AT_ONCE))
        self.is_running = True
        self._runner.run(
            "Simulating blasts",
            simulate,
            self._parameters,
            plan,
            count,
            done=lambda reached: self._arrived(plan[: reached[0]], reached[1]),
            failed=self._failed,
        )

    def _untouched(self) -> TerrainRun:
        return TerrainRun(self.start.copy(), ())

    def _store_run(self, charges: Charges, run: TerrainRun) -> None:
        self.charges = charges
        self.run = run
        self.flat_cells = largest(run.heights)

    def _arrived(self, charges: Charges, run: TerrainRun) -> None:
        self._store_run(charges, run)
        self._given_up = None
        self._finish()

    def _failed(self, why: str) -> None:
        self._given_up = self._plan()
        self._report_failure(why)
        self._finish()

    def _finish(self) -> None:
        self.is_running = False
        self.simulate_new()
        self._changed()
