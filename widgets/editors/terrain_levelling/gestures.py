"""The gestures on the terrain: drilling a hole to a depth, and brushing blasts over cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter

from spatial_workbench.engine.core.words import counted
from spatial_workbench.widgets.editing.gestures import SHIFT, Cell, Drag
from spatial_workbench.widgets.editors.terrain_levelling.commands import BlastCommands
from spatial_workbench.widgets.editors.terrain_levelling.ghost import HoleGhost
from spatial_workbench.widgets.editors.terrain_levelling.workpiece import BlastPlan
from spatial_workbench.widgets.scene_views import overlays
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView

PULL_PX = 3
"""The drag decides the depth of a hole once the pointer is this far below or above the press."""
NOTCH_M = 0.1


@dataclass(frozen=True)
class TerrainContext:
    """The context that the tools share."""

    plan: BlastPlan
    commands: BlastCommands
    ghost: HoleGhost


def cell_of(event: PointerEvent) -> Cell | None:
    """The cell under the pointer: column, row."""
    pick = event.pick
    if pick is None or not pick.id.startswith("cell "):
        return None
    x, y = pick.id.removeprefix("cell ").split(",")
    return int(x), int(y)


@dataclass(frozen=True)
class Press:
    """Where a hole was begun: the cell, and how far down in the view, in pixels."""

    cell: Cell
    y: float


class DrillTool(Drag[Press]):
    """A press on a cell sets a blast, and dragging down its depth; a click takes the depth set in the panel."""

    def __init__(self, context: TerrainContext) -> None:
        super().__init__()
        self._context = context
        self._depth = 0.0
        self._is_pulled = False
        self._pointer: QPointF | None = None

    def paint(self, painter: QPainter, view: SceneView) -> None:
        """Paints the depth beside the pointer, unless the reason of a refusal is there; an overlay of the view."""
        refused = getattr(view, "ghost_reason", "")
        note = self._context.ghost.note
        if note[0] and self._pointer is not None and view.tool is self and not refused:
            overlays.paint_note(painter, view.rect(), self._pointer, note, view.theme)

    def take(self, event: PointerEvent) -> Press | None:
        cell = cell_of(event)
        self._is_pulled = False
        return Press(cell, event.pos.y()) if cell is not None else None

    def hover(self, event: PointerEvent) -> None:
        self._pointer = event.pos
        cell = cell_of(event)
        self._context.ghost.show_hole(
            cell, self._context.plan.allowed_depth(cell, self._context.commands.depth_m) if cell else 0.0
        )

    def show(self, grip: Press, event: PointerEvent) -> None:
        self._pointer = event.pos
        self._is_pulled = self._is_pulled or abs(event.pos.y() - grip.y) > PULL_PX
        depth = self._pulled_depth(grip, event) if self._is_pulled else self._context.commands.depth_m
        self._depth = self._context.plan.allowed_depth(grip.cell, depth)
        self._context.ghost.show_hole(grip.cell, self._depth)

    def finish(self, grip: Press, event: PointerEvent) -> None:
        self._context.commands.add_blasts([(grip.cell, self._depth)], "Add blast")

    def clear(self) -> None:
        self._context.ghost.show_hole(None, 0.0)

    def wheel(self, event: PointerEvent, steps: float) -> bool:
        """With Shift, changes the depth of the next blast by 0.1 m per notch."""
        if not event.has(SHIFT):
            return False
        self._context.commands.change_depth(NOTCH_M * np.sign(steps))
        return True

    def _pulled_depth(self, grip: Press, event: PointerEvent) -> float:
        """How far below the top of the column the pointer is, measured on the column's axis."""
        x, y = grip.cell
        top = self._context.plan.height_at(grip.cell)
        upper, lower = event.view.project(np.array([[x + 0.5, y + 0.5, top], [x + 0.5, y + 0.5, top - 1.0]]))
        pixels_a_metre = max(float(np.hypot(*(lower - upper))), 2.0)
        return (event.pos.y() - grip.y) / pixels_a_metre


class TerrainBrushTool(Drag[list[Cell]]):
    """A drag over cells adds a blast of the panel's depth to each, as one step."""

    def __init__(self, context: TerrainContext) -> None:
        super().__init__()
        self._context = context

    def take(self, event: PointerEvent) -> list[Cell] | None:
        cell = cell_of(event)
        return [cell] if cell is not None else None

    def show(self, grip: list[Cell], event: PointerEvent) -> None:
        cell = cell_of(event)
        if cell is not None and cell not in grip:
            grip.append(cell)
        self._context.ghost.show_holes(grip)

    def finish(self, grip: list[Cell], event: PointerEvent) -> None:
        depth = self._context.commands.depth_m
        holes = [(cell, self._context.plan.allowed_depth(cell, depth)) for cell in grip]
        self._context.commands.add_blasts(holes, f"Add {counted(len(grip), 'blast')}")

    def clear(self) -> None:
        self._context.ghost.show_holes([])
