"""Typing the place of the chosen handle on the board."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent, QPainter

from spatial_workbench.widgets.editors.two_segments.workpiece import PlacedSegments
from spatial_workbench.widgets.scene_views import overlays
from spatial_workbench.widgets.scene_views.view import SceneView

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
LONGEST = 12


class PlaceTyping:
    """A number being typed: where the chosen handle lies on its side, from 0 to 1.

    say: shows why a number is refused.
    """

    def __init__(self, segments: PlacedSegments, say: Callable[[str], object]) -> None:
        self._segments = segments
        self._say = say
        self.text = ""

    def takes(self, event: QKeyEvent) -> bool:
        """Whether a key is typed: with a handle chosen, digits and the point, and keys that edit or end the number."""
        if self._segments.chosen is None:
            return False
        edits = event.key() in (*ENTER, Qt.Key.Key_Backspace, Qt.Key.Key_Escape)
        return event.text() in tuple("0123456789.,") or (bool(self.text) and edits)

    def key(self, event: QKeyEvent) -> None:
        """Types a key."""
        if event.key() in ENTER:
            self._finish_typing()
        elif event.key() == Qt.Key.Key_Escape:
            self.drop_typed()
        elif event.key() == Qt.Key.Key_Backspace:
            self.text = self.text[:-1]
        else:
            self.text = (self.text + event.text().replace(",", "."))[:LONGEST]

    def drop_typed(self) -> None:
        """Discards what was typed."""
        self.text = ""

    def paint(self, painter: QPainter, view: SceneView) -> None:
        """Shows the number beside the handle; an overlay of the board."""
        if not self.text or self._segments.chosen is None:
            return
        place = QPointF(*view.project(np.array([self._segments.point_of(self._segments.chosen)]))[0].tolist())
        overlays.paint_note(painter, view.rect(), place, (self.text, "Return moves the end there"), view.theme)

    def _finish_typing(self) -> None:
        text = self.text
        self.text = ""
        end = self._segments.chosen
        try:
            share = float(text)
        except ValueError:
            share = -1.0
        if end is None or not 0 <= share <= 1:
            self._say("The place of an end on its side is between 0 and 1.")
        else:
            self._segments.move_along_side(end, share)
