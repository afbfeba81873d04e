"""Typing the place of the chosen handle on the board."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from PySide6.QtCore import QPointF, Qt, SignalInstance
from PySide6.QtGui import QKeyEvent, QPainter

from spatial_workbench.engine.tasks.two_segments.board import Point
from spatial_workbench.widgets.scene_views import overlays
from spatial_workbench.widgets.scene_views.view import SceneView

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
LONGEST = 12


class SegmentsTypingTarget(Protocol):
    """What typing works on. Ends have numbers from 0 to 3."""

    @property
    def message(self) -> SignalInstance:
        """A message for the status bar."""

    @property
    def chosen(self) -> int | None:
        """The chosen end."""

    def point_of(self, end: int) -> Point:
        """Where an end is."""

    def put_on_side(self, end: int, share: float) -> None:
        """Moves an end along its side, to a fraction of it from 0 to 1."""


class PlaceTyping:
    """A number being typed: where the chosen handle lies on its side, from 0 to 1."""

    def __init__(self, workpiece: SegmentsTypingTarget) -> None:
        self._workpiece = workpiece
        self.text = ""

    def takes(self, event: QKeyEvent) -> bool:
        """Whether a key is typed: with a handle chosen, digits and the point, and keys that edit or end the number."""
        if self._workpiece.chosen is None:
            return False
        edits = event.key() in (*ENTER, Qt.Key.Key_Backspace, Qt.Key.Key_Escape)
        return event.text() in tuple("0123456789.,") or (bool(self.text) and edits)

    def key(self, event: QKeyEvent) -> None:
        """Types a key."""
        if event.key() in ENTER:
            self._finish()
        elif event.key() == Qt.Key.Key_Escape:
            self.drop()
        elif event.key() == Qt.Key.Key_Backspace:
            self.text = self.text[:-1]
        else:
            self.text = (self.text + event.text().replace(",", "."))[:LONGEST]

    def drop(self) -> None:
        """Discards what was typed."""
        self.text = ""

    def paint(self, painter: QPainter, view: SceneView) -> None:
        """Shows the number beside the handle; an overlay of the board."""
        if not self.text or self._workpiece.chosen is None:
            return
        place = QPointF(*view.project(np.array([self._workpiece.point_of(self._workpiece.chosen)]))[0].tolist())
        overlays.paint_note(painter, view.rect(), place, (self.text, "Return moves the end there"), view.theme)

    def _finish(self) -> None:
        text = self.text
        self.text = ""
        end = self._workpiece.chosen
        try:
            share = float(text)
        except ValueError:
            share = -1.0
        if end is None or not 0 <= share <= 1:
            self._workpiece.message.emit("The place of an end on its side is between 0 and 1.")
        else:
            self._workpiece.put_on_side(end, share)
