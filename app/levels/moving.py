"""Selects, drags and turns things in the drawing of a level, by pointer and keys."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from spatial_workbench.app.levels.edited import EditedLevel
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import Vector
from spatial_workbench.engine.machines.levels.level_drafts import (
    GRID_M,
    Draft,
    moved_things,
    snapped,
    thing_at,
    turned_things,
)
from spatial_workbench.engine.machines.levels.level_files import examine_level
from spatial_workbench.engine.tasks.machine.level_drawing import things_of
from spatial_workbench.widgets.editing.gestures import MoveSelection
from spatial_workbench.widgets.editing.nudging import FINE_KEYS, LEVEL, UPRIGHT, Step, Way, nudges, way_on_screen
from spatial_workbench.widgets.forms.places import covers
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView

if TYPE_CHECKING:
    from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

TURN_DEG, FINE_TURN_DEG = 15.0, 1.0
_STEPS = (
    Step(GRID_M, "{way} by 0.5 m"),
    Step(5.0, "{way} by 5 m", ("Shift+",)),
    Step(0.1, "{way} by 0.1 m", FINE_KEYS),
)


class DragThings(MoveSelection):
    """A press selects a thing; a drag moves all chosen ones along the ground, to the grid unless Alt is held."""

    uses_alt = True

    def __init__(self, edited: EditedLevel, view: SceneView) -> None:
        super().__init__()
        self._edited = edited
        self._view = view
        self._from: Floats | None = None

    def element(self, event: PointerEvent) -> str | None:
        pick = event.pick
        if pick is None or thing_at(self._edited.draft, pick.id) is None:
            return None
        self._from = np.asarray(pick.position)
        return pick.id

    def show_move(self, event: PointerEvent) -> None:
        draft = self._moved(event)
        if draft is None:
            return
        examined = examine_level(draft)
        chosen = self._edited.selection
        wrong = [str(fault.message) for fault in examined.faults if any(covers(place, fault.place) for place in chosen)]
        self._view.set_ghost(things_of(examined, chosen), wrong[0] if wrong else "")

    def move_there(self, event: PointerEvent) -> None:
        draft = self._moved(event)
        if draft is not None:
            self._edited.change(draft, "Move")

    def clear(self) -> None:
        self._view.set_ghost(())

    def _moved(self, event: PointerEvent) -> Draft | None:
        """The level with the things where the pointer has brought them; None if it points to the sky."""
        there = None if self._from is None else event.on_plane(float(self._from[2]))
        if there is None or self._from is None or self.grip_or_chosen is None:
            return None
        x, y = (float(value) for value in (there - self._from)[:2])
        by: Vector = (x, 0.0, y)
        held = thing_at(self._edited.draft, self.grip_or_chosen)
        if held is not None and not event.has_alt:
            by = snapped(held, by)
        return moved_things(self._edited.draft, self._edited.selection, by)

    @property
    def grip_or_chosen(self) -> str | None:
        """The thing that is held; just after it was let go, one of those that move with it."""
        return self.grip or next(iter(self._edited.selection), None)


class ThingKeys(QObject):
    """The keys that move, raise and turn the chosen things while the drawing has the keyboard."""

    def __init__(self, edited: EditedLevel, view: Viewport3D) -> None:
        super().__init__(view)
        self._edited = edited
        self._view = view
        for action in nudges(self._nudge, _STEPS, {**LEVEL, **UPRIGHT}):
            self._add(action.text, action.key, action.run)
        for text, keys, degrees in (
            ("Turn right by 15°", "R", TURN_DEG),
            ("Turn left by 15°", "Shift+R", -TURN_DEG),
            ("Turn right by 1°", "Alt+R", FINE_TURN_DEG),
            ("Turn left by 1°", "Alt+Shift+R", -FINE_TURN_DEG),
        ):
            self._add(text, keys, partial(self._turn, degrees))

    def _nudge(self, way: Way, length: float) -> None:
        x, y, z = (length * step for step in (way_on_screen(self._view, way) if not way[2] else way))
        edited = self._edited
        edited.change(moved_things(edited.draft, edited.selection, (x, z, y)), "Move", "keys")

    def _turn(self, degrees: float) -> None:
        edited = self._edited
        edited.change(turned_things(edited.draft, edited.selection, degrees), "Turn", "turn")

    def _add(self, text: str, keys: str, do: object) -> None:
        action = QAction(text, self._view)
        action.setShortcuts([QKeySequence(key) for key in keys.split(", ")])
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda _=False: do())  # type: ignore[operator]
        self._view.addAction(action)
