"""The gestures: painting where f has to be positive or not, and dragging blocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.core.scene import Item, Polygon, Polyline
from spatial_workbench.engine.tasks.polynomial_fit.editing import ellipse, half_plane
from spatial_workbench.widgets.editing.gestures import CONTROL, SHIFT, Cell, Drag
from spatial_workbench.widgets.editors.polynomial_fit.commands import FormulaCommands
from spatial_workbench.widgets.editors.polynomial_fit.drawing import dots
from spatial_workbench.widgets.editors.polynomial_fit.pointing import CellPointer
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView, Tool

Place = tuple[float, float]
_ROUND = np.linspace(0, 2 * np.pi, 65)


@dataclass(frozen=True)
class FormulaContext:
    """The context that the tools share; they show what they do in `view`."""

    view: SceneView
    pointer: CellPointer
    commands: FormulaCommands


class CurvePaintTool(Drag[dict[Cell, bool]]):
    """Paints cells as positive or not, which Shift reverses. A stroke is one step."""

    def __init__(self, context: FormulaContext, positive: bool) -> None:
        super().__init__()
        self._context = context
        self._positive = self._sign = positive

    def take(self, event: PointerEvent) -> dict[Cell, bool] | None:
        self._sign = self._positive != event.has(SHIFT)
        return None if self._context.pointer.cell_at(event) is None else {}

    def hover(self, event: PointerEvent) -> None:
        self._context.pointer.point_at(event)

    def show(self, grip: dict[Cell, bool], event: PointerEvent) -> None:
        self._context.pointer.point_at(event)
        cell = self._context.pointer.cell_at(event)
        if cell is not None and cell not in grip:
            grip[cell] = self._sign
            self._context.view.set_ghost([dots(grip)])
            self._context.commands.preview_stroke(grip)

    def finish(self, grip: dict[Cell, bool], event: PointerEvent) -> None:
        self._context.commands.preview_stroke(None)
        self._context.commands.paint(grip)

    def clear(self) -> None:
        self._context.view.set_ghost([])

    def leave(self) -> None:
        super().leave()
        self._context.pointer.point_at(None)

    def stop(self) -> None:
        was_held = self.grip is not None
        super().stop()
        if was_held:
            self._context.commands.preview_stroke(None)


class CurveBlockTool(Drag[Place]):
    """Drags from one place to another, snapped to half cells, and adds the block between them."""

    def __init__(
        self,
        context: FormulaContext,
        label: str,
        expression: Callable[[Place, Place], str | None],
        outline: Callable[[Place, Place], list[Item]],
    ) -> None:
        super().__init__()
        self._context = context
        self._label = label
        self._expression = expression
        self._outline = outline

    def take(self, event: PointerEvent) -> Place | None:
        return None if event.has(CONTROL) else snapped(event)

    def hover(self, event: PointerEvent) -> None:
        self._context.pointer.point_at(event)

    def show(self, grip: Place, event: PointerEvent) -> None:
        self._context.pointer.point_at(event)
        if self.was_moved:
            self._context.view.set_ghost(self._outline(grip, snapped(event)))

    def finish(self, grip: Place, event: PointerEvent) -> None:
        self._context.commands.add_block(self._label, self._expression(grip, snapped(event)))

    def clear(self) -> None:
        self._context.view.set_ghost([])

    def leave(self) -> None:
        super().leave()
        self._context.pointer.point_at(None)


class LookTool(Tool):
    """Shows the value under the pointer; everything else is left to the view."""

    def __init__(self, context: FormulaContext) -> None:
        self._context = context

    def move(self, event: PointerEvent) -> bool:
        self._context.pointer.point_at(event)
        return False

    def leave(self) -> None:
        self._context.pointer.point_at(None)


def ellipse_tool(context: FormulaContext) -> CurveBlockTool:
    """A tool that adds an ellipse inside the dragged box; f is positive inside it."""
    return CurveBlockTool(context, "Ellipse", ellipse, _ellipse_outline)


def half_plane_tool(context: FormulaContext) -> CurveBlockTool:
    """A tool that adds a half-plane; f is positive to the right of the dragged line."""
    return CurveBlockTool(context, "Half-plane", half_plane, _line_outline)


def snapped(event: PointerEvent) -> Place:
    """The nearest half cell to the pointer."""
    x, y = np.round(event.point * 2) / 2
    return float(x), float(y)


def _ellipse_outline(start: Place, end: Place) -> list[Item]:
    middle = (np.array(start) + end) / 2
    half = np.abs(np.subtract(end, start)) / 2
    points = middle + half * np.stack([np.cos(_ROUND), np.sin(_ROUND)], axis=1)
    return [Polygon(id="block", points=points, color="accent", opacity=0.3, outline="accent")]


def _line_outline(start: Place, end: Place) -> list[Item]:
    first = np.array(start)
    along = np.subtract(end, start)
    length = float(np.hypot(*along)) or 1.0
    across = np.array([-along[1], along[0]]) / length
    middle = first + along / 2
    return [
        Polyline(id="block", points=np.array([start, end]), color="accent", width_px=3),
        Polyline(
            id="side",
            points=np.array([middle, middle + across * 0.25 * length]),
            color="accent",
            width_px=2,
            arrow=True,
        ),
    ]
