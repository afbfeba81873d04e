"""What the view shows: the cells as f marks them, its zero line, the painted cells, and the cursor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from spatial_workbench.engine.core import Scene
from spatial_workbench.engine.core.scene import Floats, Item, Points, Polygon, Voxels
from spatial_workbench.engine.tasks.polynomial_fit.cells import Mask, sampled
from spatial_workbench.engine.tasks.polynomial_fit.drawing import draw, sample_places
from spatial_workbench.engine.tasks.polynomial_fit.editing import Strokes, values_at
from spatial_workbench.engine.tasks.polynomial_fit.formula import formula_of
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editors.polynomial_fit.pointing import CellPointer
from spatial_workbench.widgets.editors.polynomial_fit.workpiece import FormulaSheet

SHOWN = ("Formula and target", "Target only", "Formula only")
BOTH, TARGET, FORMULA = range(3)


class FormulaDrawing:
    """Draws a formula; `changed` is called when something else is to be shown."""

    def __init__(self, sheet: FormulaSheet, pointer: CellPointer, is_judged: bool, changed: Callable[[], None]) -> None:
        self.first_shown = BOTH if is_judged else TARGET
        """The first of the things to show that is allowed, as an index of `SHOWN`."""
        self.shown = Setting(self.first_shown, changed)
        self._sheet = sheet
        self._pointer = pointer
        self._drawn: tuple[tuple[object, ...], Scene] | None = None
        self._places = sample_places(sheet.size)

    def scene(self) -> Scene:
        """The cells as f marks them, its zero line, the painted cells, and the cursor.

        It is the same object as before if none of that has changed, as when a verdict arrives.
        """
        preview = None if self._sheet.preview is None else self._sheet.preview.tobytes()
        known = self._sheet.values is not None
        shown = (
            self._sheet.function,
            known,
            preview,
            self.shown.value,
            self._pointer.cursor,
            tuple(self._sheet.strokes.items()),
        )
        if self._drawn is None or self._drawn[0] != shown:
            self._drawn = shown, self._make_scene()
        return self._drawn[1]

    def _make_scene(self) -> Scene:
        marked = self._sheet.marked()
        samples = None
        which = self.shown.value
        if marked is not None and which != TARGET:
            samples = (self._samples(), self._places)
        shown = self._sheet.target if which != FORMULA or marked is None else marked
        scene = draw(shown, marked if which == BOTH else None, samples)
        return replace(scene, items=(*scene.items, *self._extras(shown, marked)))

    def _samples(self) -> Floats:
        if self._sheet.preview is not None:
            return values_at(self._sheet.preview, self._places, self._sheet.size)
        return sampled(formula_of(self._sheet.function), self._places)

    def _extras(self, shown: Mask, marked: Mask | None) -> list[Item]:
        drawn = shown if self.shown.value != BOTH or marked is None else shown | marked
        rows, columns = np.nonzero(~drawn)
        cells = np.stack([columns, rows, np.zeros_like(rows)], axis=1)
        # These cells are invisible, but the pointer picks them.
        items: list[Item] = [Voxels(name="empty", cells=cells, origin=(-0.5, -0.5, 0.0), opacity=0.0)]
        if self._sheet.strokes:
            items.append(dots(self._sheet.strokes))
        if self._pointer.cursor is not None:
            square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
            points = np.array(self._pointer.cursor) + square
            items.append(Polygon(id="cursor", points=points, opacity=0.4, color="accent", outline="accent"))
        return items


def dots(strokes: Strokes) -> Points:
    """The painted cells: green where f has to be positive, purple elsewhere."""
    return Points(
        name="strokes",
        ids=[f"stroke {x},{y}" for x, y in strokes],
        positions=np.array(list(strokes), dtype=float).reshape(-1, 2),
        colors=["series 2" if positive else "series 3" for positive in strokes.values()],
        size_px=9,
        pickable=False,
    )
