"""What is known about each piece: what it intersects, whether it is needed, and its numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from spatial_workbench.engine.core import Verdict
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.tetrahedra_shadow.judging import piece_ids
from spatial_workbench.widgets.editors.tetrahedra_shadow.drawing import index_of
from spatial_workbench.widgets.editors.tetrahedra_shadow.pieces import Pieces
from spatial_workbench.widgets.scene_views.view import Pick


class TetrahedraMarks:
    """Marks and words for pieces; `is_placing` returns whether pieces are being placed, which hides their names."""

    def __init__(self, pieces: Pieces, is_judged: bool, is_placing: Callable[[], bool]) -> None:
        self._pieces = pieces
        self._is_judged = is_judged
        self._is_placing = is_placing
        self._redundant: list[int] = []

    def forget(self) -> None:
        """Forgets what the last verdict told: the pieces have changed."""
        self._redundant = []

    def marked(self) -> Mapping[str, str]:
        """Pieces that intersect others or are not normalised, and those that add nothing to the shadow."""
        if not self._is_judged:
            return {}
        roles = dict.fromkeys(piece_ids(i for i in self._redundant if i < len(self._pieces.poses)), "warning")
        wrong = [*np.unique(self._pieces.live.pairs).tolist(), *self._pieces.live.unnormalised]
        return roles | dict.fromkeys(piece_ids(wrong), "failed")

    def learn_verdict(self, verdict: Verdict) -> None:
        """Stores which pieces add nothing to the shadow."""
        self._redundant = list(verdict.details.get("redundant", ()))

    def words_of_selection(self) -> str:
        """The selection."""
        count = len(self._pieces.selected)
        if not count:
            return "Select a tetrahedron to see its numbers."
        return f"Tetrahedron {self._pieces.selected[0]}" if count == 1 else counted(count, "tetrahedron", "tetrahedra")

    def numbers(self, first: int, last: int) -> Sequence[float] | None:
        """Some numbers of the selected piece; None unless a single piece is selected."""
        numbers: list[float] = self._pieces.chosen[0, first:last].tolist() if len(self._pieces.selected) == 1 else []
        return numbers or None

    def describe(self, pick: Pick) -> tuple[str, str]:
        """The text of the label beside the pointer for a piece."""
        piece = index_of(pick.id)
        if piece is None or self._is_placing() or piece >= len(self._pieces.poses):
            return "", ""
        level = f"lowest corner at z = {self._pieces.live.vertices[piece, :, 2].min():.2f}"
        return f"Tetrahedron {piece}", " · ".join([level, *(self._faults_of(piece) if self._is_judged else ())])

    def _faults_of(self, piece: int) -> Iterable[str]:
        met = [int(j if i == piece else i) for i, j in self._pieces.live.pairs.tolist() if piece in (i, j)]
        if met:
            shared = [f"{other} ({self._pieces.live.shared_volume(piece, other):.2g} shared)" for other in met[:3]]
            yield f"intersects {', '.join(shared)}"
        if piece in self._pieces.live.unnormalised:
            yield "its quaternion is not normalised"
        if piece in self._redundant:
            yield "adds nothing to the shadow"
