"""Which boxes fit into the empty space under the pointer."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.tasks.pack_prisms import Packing
from spatial_workbench.engine.tasks.pack_prisms.editing import fitting, room_at
from spatial_workbench.engine.tasks.pack_prisms.packing import Ints
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editors.pack_prisms.boxes import PackedBoxes
from spatial_workbench.widgets.editors.pack_prisms.next_box import NextBox
from spatial_workbench.widgets.scene_views.view import Pick, SceneView


class FittingBoxes:
    """Finds the space under the pointer, and offers the boxes that fit into it in a menu."""

    def __init__(self, editor: Editor[Packing], view: SceneView, boxes: PackedBoxes, next_box: NextBox) -> None:
        self._editor = editor
        self._view = view
        self._boxes = boxes
        self._next_box = next_box

    def room_under(self, place: QPointF) -> tuple[Ints, Ints] | None:
        """The empty space at a place of the view: in the container or, without one, in the box around the packing."""
        low, high = self._boxes.corners
        pick = self._view.pick(place)
        if pick is not None and pick.id.startswith(("box ", "gap ")):
            point = np.array(pick.position) + (0.5 if pick.id.startswith("box ") else -0.5) * np.array(pick.normal)
        else:
            origin, way = self._view.ray(place)
            point = origin - (origin[2] - 0.5) / min(way[2], -1e-9) * way
        extent = self._boxes.extent_to_fill()
        return None if extent is None else room_at(np.floor(point).astype(np.int64), *extent, low, high)

    def fitting_classes(self, room: Ints) -> list[tuple[int, tuple[int, int, int]]]:
        """The classes that fit into a space and have boxes left, largest first, with an orientation for each."""
        left = [k for k, count in enumerate(self._boxes.left) if count > 0]
        ways = [(k, fitting(self._boxes.order.classes[k].sides, room)) for k in left]
        return sorted(((k, way) for k, way in ways if way), key=lambda entry: -int(np.prod(entry[1])))

    def offer_at_pointer(self) -> None:
        """Opens a menu of the boxes that fit at the pointer."""
        cursor = self._view.mapFromGlobal(QCursor.pos())
        self._offer(QPointF(cursor), self._view.mapToGlobal(cursor))

    def _offer(self, place: QPointF, where: QPoint) -> None:
        room = self.room_under(place)
        if room is None:
            self._editor.message.emit(
                "There is no space to fill here: point into the container or the box around the packing."
            )
            return
        menu = self.menu_for(*room)
        menu.popup(where)

    def menu_for(self, first: Ints, last: Ints) -> QMenu:
        """A menu of the boxes that fit into a space; a choice places the box."""
        menu = QMenu(self._editor)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        size = "×".join(map(str, last - first))
        options = self.fitting_classes(last - first)
        title = menu.addAction(said(f"Space of {size}" if options else f"No box that is left fits into {size}"))
        title.setEnabled(False)
        for k, way in options:
            words = f"Place {'×'.join(map(str, way))}   {self._boxes.left[k]} left"
            menu.addAction(said(words), partial(self._next_box.place_in, k, way, first))
        return menu

    def show_menu(self, pick: Pick | None, where: QPoint) -> None:
        """Answers a right click."""
        self._editor.use_aid("What fits here", Aid.SOLVING)
        self._offer(QPointF(self._view.mapFromGlobal(where)), where)
