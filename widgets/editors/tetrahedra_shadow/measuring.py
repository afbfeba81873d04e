"""How well the shadows fill the target: measured in the background after each change of the pieces."""

from __future__ import annotations

from collections.abc import Callable

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.tetrahedra_shadow.live import Shade, work_out
from spatial_workbench.engine.tasks.tetrahedra_shadow.live import TetrahedraReading as Figures
from spatial_workbench.engine.tasks.tetrahedra_shadow.shadow import TetrahedraFit
from spatial_workbench.widgets.editing.runner import Newest, Runner
from spatial_workbench.widgets.editors.tetrahedra_shadow.pieces import Pieces


class ShadowMeasuring:
    """The fit of the pieces, or of the pieces and a ghost.

    changed: called when a fit was measured.
    """

    def __init__(self, pieces: Pieces, runner: Runner, is_judged: bool, changed: Callable[[], None]) -> None:
        self.fit: TetrahedraFit | None = None
        """The fit that is shown; None while there is none, or if it may not be told."""
        self.has_ghost = False
        """Whether the fit of a ghost is shown, which a result for the pieces alone does not replace."""
        self._pieces = pieces
        self._is_judged = is_judged
        self._changed = changed
        self._measuring = Newest(runner, "Measuring the shadow")

    def close(self) -> None:
        """Cancels what is being measured."""
        self._measuring.cancel()

    def show_ghost(self, poses: Floats, ignore: tuple[int, ...]) -> None:
        """Shows the fit with pieces at these poses, as if those in `ignore` did not exist."""
        self.has_ghost = True
        self.fit = self._pieces.live.fit(ignore, poses) if self._is_judged else None

    def end_ghost(self) -> None:
        """Shows the fit of the pieces again."""
        self.has_ghost = False
        self.show_known()

    def measure_pieces(self) -> None:
        """Requests how the pieces fill the target; the last result remains shown until then."""
        self.show_known()
        if self._is_judged and len(self._pieces.poses):
            self._measuring.ask(
                work_out,
                self._pieces.live.target,
                self._pieces.poses,
                done=self._store_measured,
                failed=lambda why: self._pieces.say(f"Not measured: {why}"),
            )
        else:
            self._measuring.cancel()

    def _store_measured(self, measured: tuple[Shade, TetrahedraFit]) -> None:
        self._pieces.live.store_fit(*measured)
        if not self.has_ghost:
            self.show_known()
            self._changed()

    def show_known(self) -> None:
        """Uses the last fit that was measured for the pieces of the answer."""
        if not self._is_judged or not len(self._pieces.poses):
            self.fit = None
        elif self._pieces.live.known is not None:
            self.fit = self._pieces.live.known

    @property
    def figures(self) -> Figures:
        """The figures of the gauges."""
        return self._pieces.live.reading(self.fit)
