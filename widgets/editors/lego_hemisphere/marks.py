"""What is known about each brick: its share of the shell, its colour, and what the last verdict says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.words import counted, score_words
from spatial_workbench.engine.tasks.lego_hemisphere import Brick, Structure
from spatial_workbench.engine.tasks.lego_hemisphere.rules import brick_ids
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editors.lego_hemisphere.drawing import BrickDrawing, Coloring, colors_of
from spatial_workbench.widgets.editors.lego_hemisphere.legend import entries_in_space
from spatial_workbench.widgets.editors.lego_hemisphere.workpiece import BrickWorkpiece, followed, index_of, indices_of
from spatial_workbench.widgets.scene_views.legend import Entry
from spatial_workbench.widgets.scene_views.view import Pick


class BrickMarks:
    """Colours and words for bricks, from the document's verdict as far as the person's aids allow it.

    is_placing: returns whether bricks are being placed; their names are not shown meanwhile.
    shows_heat: returns whether the missing part of the active layer is coloured.
    """

    def __init__(
        self,
        document: AnswerDocument[Structure],
        piece: BrickWorkpiece,
        drawing: BrickDrawing,
        measures: bool,
        is_placing: Callable[[], bool],
        shows_heat: Callable[[], bool],
    ) -> None:
        self.coloring = Coloring.BOTH if measures else Coloring.LAYER
        """The meaning of the bricks' colours."""
        self.colors: list[str] = []
        """The role of each brick's colour."""
        self._document = document
        self._piece = piece
        self._drawing = drawing
        self._measures = measures
        self._is_placing = is_placing
        self._shows_heat = shows_heat
        self._raw = ""
        self._shares: Floats = np.zeros(0)
        self._failed: list[int] = []

    def measure_bricks(self) -> None:
        """Computes the share and the colour of each brick."""
        count = len(self._piece.bricks)
        self._shares = self._piece.shares() if self._measures else np.full(count, np.nan)
        self.colors = colors_of(self._piece.poses, self._shares, self.coloring)

    def follow_bricks(self, before: tuple[Brick, ...], after: tuple[Brick, ...]) -> None:
        """Keeps the marks on the bricks that failed, after an edit."""
        self._failed = followed(before, after, self._failed)

    def learn_verdict(self) -> None:
        """Stores what the current verdict says, if places may be judged."""
        verdict = self._document.verdict
        if verdict is None or not self._document.is_verdict_current or not self._piece.is_judged:
            return
        self._piece.learn_shares()
        self._drawing.store_marks(self._piece.poses, verdict.details)
        self._failed = indices_of(verdict.failed_elements)
        raw = next((figure.value for figure in verdict.figures if figure.name == "raw"), None)
        self._raw = f"score {score_words(verdict.score)}" + (
            f" · raw {raw:.3f}".replace("-", "−") if raw is not None else ""
        )

    def words_of_score(self) -> str:
        """The last score; "…" if the bricks have changed since."""
        return self._raw if self._document.is_verdict_current else f"{self._raw} …" * bool(self._raw)

    def marked(self) -> Mapping[str, str]:
        """The bricks that the last verdict named."""
        return dict.fromkeys(brick_ids(i for i in self._failed if i < len(self._piece.bricks)), "failed")

    def describe(self, pick: Pick) -> tuple[str, str]:
        """The text of the label beside the pointer for a brick."""
        brick = index_of(pick.id)
        if brick is None or brick >= len(self._shares):
            return pick.id.capitalize(), ""
        return ("", "") if self._is_placing() else (f"Brick {brick}", self._words_of(brick))

    def _words_of(self, brick: int) -> str:
        share = self._shares[brick]
        layer = self._piece.poses.layers[brick]
        inside = "" if np.isnan(share) else f"{100 * share:.0f} % inside the shell · "
        return f"{inside}layer {layer}"

    def legend(self) -> Sequence[Entry]:
        """The legend of the 3D view."""
        return entries_in_space(self.coloring, self.colors, self._shows_heat())

    def words_of_selection(self) -> str:
        """The selection."""
        chosen = self._piece.selected
        if len(chosen) == 1:
            return f"Brick {chosen[0]} · {self._words_of(chosen[0])}"
        return counted(len(chosen), "brick") if chosen else "Click a brick with Select, or drag a box around several."
