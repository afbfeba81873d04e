"""The comparison of the body with the union, made in the background."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from spatial_workbench.engine.tasks.csg_union.editing import UnionComparison, compare_live
from spatial_workbench.engine.tasks.csg_union.solids import Solid
from spatial_workbench.widgets.editing.runner import Newest, Runner
from spatial_workbench.widgets.editors.csg_union.workpiece import Workpiece


class UnionComparing:
    """Compares closed bodies with the union; `changed` is called when a result has arrived."""

    def __init__(
        self, piece: Workpiece, solids: tuple[Solid, ...], runner: Runner, changed: Callable[[], object]
    ) -> None:
        self._piece = piece
        self._solids = solids
        self._changed = changed
        self._comparing = Newest(runner, "Comparing with the union")
        self._asked = -1
        """The revision of the document for which a comparison was last requested."""
        self._compared: tuple[int, UnionComparison | None] = -1, None

    @property
    def is_busy(self) -> bool:
        """Whether a comparison is being made."""
        return self._comparing.is_busy

    def close(self) -> None:
        """Cancels the comparison that is being made."""
        self._comparing.cancel()

    @property
    def comparison(self) -> UnionComparison | None:
        """The comparison of the present body with the union; None while it is not known."""
        revision, comparison = self._compared
        return comparison if revision == self._piece.document.revision else None

    def update_comparison(self) -> None:
        """Compares a closed body with the union, once per revision."""
        revision = self._piece.document.revision
        if self._asked == revision:
            return
        self._asked = revision
        self._comparing.cancel()
        if self._piece.findings.is_closed:
            self._comparing.ask(
                compare_live,
                self._solids,
                self._piece.body,
                done=partial(self._store_comparison, revision),
                failed=lambda why: self._piece.say(f"Not compared: {why}"),
            )

    def _store_comparison(self, revision: int, comparison: UnionComparison) -> None:
        self._compared = revision, comparison
        self._changed()
