"""The body beside the union, worked out in the background."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.tasks.csg_union import Solid
from engine.tasks.csg_union.editing import Comparison, compare_live
from widgets.editing.runner import Job, Runner
from widgets.editors.csg_union.workpiece import Workpiece


class LiveComparison:
    """Compares a closed body with the union, once an answer; the newest body wins.

    changed: called when a comparison is there.
    """

    def __init__(
        self,
        solids: tuple[Solid, ...],
        piece: Workpiece,
        runner: Runner,
        changed: Callable[[], None],
    ) -> None:
        self.is_busy = False
        self._solids, self._piece, self._runner, self._changed = solids, piece, runner, changed
        self._asked = -1
        self._known: tuple[int, Comparison] | None = None
        self._job: Job | None = None

    @property
    def current(self) -> Comparison | None:
        """The comparison of the present body, if it is known."""
        is_current = self._known is not None and self._known[0] == self._piece.document.revision
        return self._known[1] if self._known is not None and is_current else None

    def update(self) -> None:
        """Asks for the comparison of a body that is another one than before."""
        revision = self._piece.document.revision
        if self._asked == revision:
            return
        self.cancel()
        self._asked = revision
        if self._piece.findings.is_closed:
            self.is_busy = True
            job = self._runner.run(
                *("Comparing with the union", compare_live, self._solids, self._piece.body),
                done=partial(self._arrived, revision),
                failed=self._gave_up,
                quiet=True,
            )
            self._job = job if self.is_busy else None

    def cancel(self) -> None:
        """Asks no more."""
        if self._job is not None:
            self._job.cancel()
        self.is_busy, self._job = False, None

    def _arrived(self, revision: int, comparison: Comparison) -> None:
        self.is_busy, self._job = False, None
        self._known = revision, comparison
        self._changed()

    def _gave_up(self, why: str) -> None:
        self.is_busy, self._job = False, None
        self._piece.say(f"Not compared: {why}")
