"""The editor: a packing in 3D, a tray of boxes, and a container to aim at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.pack_prisms import MAX_BOXES, Packing
from spatial_workbench.engine.tasks.pack_prisms.drawing import draw_packing, frame_of
from spatial_workbench.engine.tasks.pack_prisms.editing import (
    collides,
    drop,
    fitting,
    flush,
    in_conflict,
    laid_on,
    lattice,
    lonely_sides,
    mirrored,
    orientations,
    room_at,
    shifted_to_origin,
    turned,
)
from spatial_workbench.engine.tasks.pack_prisms.packing import Ints, PackingOrder, bounding_box, gaps, size_key
from spatial_workbench.widgets.editing.controls import (
    Action,
    Buttons,
    Choice,
    CustomPart,
    Declared,
    Gauge,
    Keys,
    Numbers,
    Reading,
    Section,
    Setting,
    Slider,
    Switch,
    ToolButton,
    Tools,
    Verb,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.things import Things, ThingsEditing
from spatial_workbench.widgets.editors.pack_prisms.drawing import draw_gaps, draw_ghost, pulled_apart
from spatial_workbench.widgets.editors.pack_prisms.gestures import PackingPlaceTool, PackingSelectTool
from spatial_workbench.widgets.editors.pack_prisms.tray import Tray
from spatial_workbench.widgets.scene_views.view import Pick, PointerEvent, SceneView, Tool

HINT = (
    "Choose a size on the left and click the ground; boxes snap to each other.\n"
    "R turns the box. Copies places a whole block at once."
)
FIELD_PX = 66
"""Three fields of this width stand side by side."""
WAYS = {
    "Right": ("Move right by 1", (1, 0, 0)),
    "Left": ("Move left by 1", (-1, 0, 0)),
    "Up": ("Move up by 1", (0, 1, 0)),
    "Down": ("Move down by 1", (0, -1, 0)),
    "PgUp": ("Raise by 1", (0, 0, 1)),
    "PgDown": ("Lower by 1", (0, 0, -1)),
}
"""What the arrow keys do, seen from above."""


class PackPrismsEditor(Editor[Packing]):
    """Packs boxes."""

    marks_with_answer = True

    def prepare(self) -> None:
        self._read: Packing | None = None
        self.order = PackingOrder.of(self.instance.parameters)
        self.way = 0
        """The index of the next box's orientation."""
        self.copies = [1, 1, 1]
        self.target = np.zeros(3, np.int64)
        self._is_free = Setting(False, self.refresh)
        self._shows_gaps = Setting(False, self.redraw)
        self._apart_percent = Setting(0, self.redraw)
        self._place = PackingPlaceTool(self)
        self._select = PackingSelectTool(self)
        self._tray = Tray(self.order)
        self._tray.chosen.connect(lambda _: self._class_chosen())

    def begin(self) -> None:
        if not self.document.answer.boxes:
            self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        view = super().make_view()
        view.set_tool(self._place)
        view.set_describe(self._describe)
        if self.allows(Aid.SOLVING):
            view.context_requested.connect(self._show_menu)
        return view

    def list_controls(self) -> Iterable[Declared]:
        yield Section("Boxes", CustomPart("Tray", lambda: self._tray, refresh=self._show_left))
        yield Section(
            "Tools",
            Tools(
                self.view,
                ToolButton("Place", self._place, "P", "place", "Place boxes"),
                ToolButton("Select", self._select, "V", "select", "Select and move boxes"),
                columns=2,
                take=self._use,
            ),
        )
        copies = _three_numbers("Copies", lambda: self.copies, self._set_copies, (1, 99), Aid.EDITING)
        yield Section("Copies along x, y, z", copies)
        yield self._selection_controls()
        yield self._other_keys()
        yield Section("Result", Gauge("Result", self._result))
        yield self._container_controls()
        yield self._view_controls()
        yield ThingsEditing(self, self._things()).controls([Verb.DUPLICATE, Verb.DELETE])

    def _things(self) -> Things:
        return Things(
            name="boxes",
            count=lambda: len(self.document.answer.boxes),
            selected=lambda: self.selected,
            select=self._select_boxes,
            part=lambda chosen: (Packing.of(*(corners[chosen] for corners in self.corners)), range(len(chosen))),
            add=lambda label, packing, _: self._paste(label, *packing.corners),
            delete=self.remove,
        )

    def _select_boxes(self, boxes: Iterable[int]) -> None:
        self.view.set_selection([f"box {i}" for i in boxes])

    def _paste(self, label: str, new_low: Ints, new_high: Ints) -> None:
        """Adds boxes where they are or, if there are others, beside them along x."""
        low, high = self.corners
        if not len(new_low):
            return
        if why := self._refusal_of_copies(new_low, new_high):
            self.message.emit(why)
            return
        step = np.array([high[:, 0].max() - new_low[:, 0].min() if len(low) else 0, 0, 0], np.int64)
        self._edit_boxes(label, np.vstack([low, new_low + step]), np.vstack([high, new_high + step]))
        self._select_boxes(range(len(low), len(low) + len(new_low)))

    def _selection_controls(self) -> Section:
        beside = "Copy the selection beside itself, along x"
        back = "Put the selection back into the tray"
        return Section(
            "Selection",
            Buttons(
                Action("Turn", self.turn, "R", "rotate", "Turn the next box, or the selection about z"),
                Action("Tip", self.tip, "Shift+R", "rotate", "Turn the selection about x"),
                Action("Drop", partial(self.drop, 2), "G", "down", "Move the selection down until it meets something"),
                Action("Mirror", partial(self.mirror, 0), "M", "mirror", "Mirror the selection in x"),
                Action("Duplicate", self.duplicate, "D, Ctrl+D", "copy", beside, verb=Verb.DUPLICATE),
                Action("Delete", self.remove, "Delete, Backspace", "delete", back, verb=Verb.DELETE),
                columns=2,
            ),
        )

    def _other_keys(self) -> Keys:
        fits = "List the boxes that fit at the pointer"
        return Keys(
            *(Action(f"Push along {'xy'[axis]}", partial(self.drop, axis), f"Shift+{'XY'[axis]}") for axis in (0, 1)),
            Action("Place box beside the others", self.lay_beside, "Return"),
            Action("Next size", partial(self._step_class, 1), "."),
            Action("Previous size", partial(self._step_class, -1), ","),
            Action("What fits here", self.offer_fitting, "W", "search", fits, Aid.SOLVING),
            Action("Move packing to the origin", self.to_origin, "Ctrl+0"),
            *(Action(text, partial(self.move_boxes, np.array(way), True), key) for key, (text, way) in WAYS.items()),
        )

    def _container_controls(self) -> Section:
        exact = [(0, 0, 0), *(self.order.perfect_containers() if self.order.perfect else ())]
        names = ["–", *("×".join(map(str, sides)) for sides in exact[1:])]

        def chosen() -> int:
            sides = tuple(self.target.tolist())
            return exact.index(sides) if sides in exact else 0

        sides = _three_numbers("Container", lambda: self.target.tolist(), self._set_target, (0, 99_999), Aid.MEASURING)
        tip = "Containers whose volume is exactly that of all boxes"
        choice = Choice("Exact", names, chosen, lambda k: self.aim(exact[k]), tip, Aid.SOLVING)
        return Section("Target container", sides, *([choice] if len(exact) > 1 else []))

    def _view_controls(self) -> Section:
        gap = self._shows_gaps
        overlap = self._is_free
        room = "Show the empty space inside the bounding box, as blocks"
        refused = "Off: moves that would overlap are refused"
        apart = "Move the boxes apart to look between them"
        free = [Switch("Allow overlaps", overlap.get, overlap.put, refused)] if self.allows(Aid.JUDGING) else []
        return Section(
            "View",
            Switch("Gaps", gap.get, gap.put, room, Aid.MEASURING),
            *free,
            Slider("Exploded view", self._apart_percent.get, self._apart_percent.put, (0, 100), apart, "Exploded"),
        )

    def make_scene(self) -> Scene:
        """The packing, the container, the gaps, and frames around boxes that alone enlarge the bounding box."""
        low, high = self.corners
        scene = draw_packing(self.order, low, high)
        apart = self._apart_percent.value / 100
        items = [pulled_apart(item, apart) for item in scene.items]
        if self.target.any():
            items += frame_of(np.array([np.zeros(3), self.target]), "container", "target", dashed=True)
        if len(low) > 1 and not apart and self.allows(Aid.JUDGING):
            for i in lonely_sides(low, high):
                items += frame_of(np.array([low[i], high[i]], float), f"alone {i}", "warning")
        if self._shows_gaps.value and len(low):
            items.append(draw_gaps(low, high))
        return Scene(items=tuple(items), ground=scene.ground, bounds=scene.bounds)

    def status(self) -> str:
        low, high = self.corners
        words = [f"{len(low)} of {counted(self.order.boxes, 'box', 'boxes')}"]
        if len(low):
            first, last, _ = bounding_box(low, high)
            words.append("×".join(str(b - a) for a, b in zip(first, last, strict=True)))
        words = words if self.allows(Aid.MEASURING) else []
        if self.selected:
            words.append(f"{len(self.selected)} selected")
        return " · ".join(words)

    def marked(self) -> Mapping[str, str]:
        """Overlaps and boxes outside the container, without waiting for the verdict."""
        if not self.allows(Aid.JUDGING):
            return {}
        low, high = self.corners
        bad = set(in_conflict(low, high))
        if self.target.any():
            bad |= set(np.flatnonzero((low < 0).any(axis=1) | (high > self.target).any(axis=1)).tolist())
        return dict.fromkeys((f"box {i}" for i in bad), "failed")

    # The packing -------------------------------------------------------------------------------------------------

    @property
    def corners(self) -> tuple[Ints, Ints]:
        """Lowest and highest corners, (n, 3) each."""
        if self._read is not self.document.answer:
            self._read = self.document.answer
            self._corners = self._read.corners
        return self._corners

    @property
    def left(self) -> list[int]:
        """How many boxes of each class are still in the tray."""
        given = Counter(self.order.class_of(key) for key in size_key(*self.corners))
        return [box_class.count - given[k] for k, box_class in enumerate(self.order.classes)]

    @property
    def room(self) -> int:
        """How many more boxes of the chosen class may be placed: those left or, without judging, up to the limit."""
        if self.allows(Aid.JUDGING):
            return max(0, self.left[self._tray.current])
        return MAX_BOXES - len(self.document.answer.boxes)

    @property
    def selected(self) -> list[int]:
        """The selected boxes."""
        places = [int(name.split()[1]) for name in self.view.selection if name.startswith("box ")]
        count = len(self.document.answer.boxes)
        return sorted(i for i in places if i < count)

    @property
    def box_size(self) -> tuple[int, int, int]:
        """The sides of the next box in its orientation."""
        ways = orientations(self.order.classes[self._tray.current].sides)
        return ways[self.way % len(ways)]

    def corner_at(self, event: PointerEvent) -> Ints | None:
        """The lowest corner of the block that a click would place."""
        block = np.array(self.box_size, np.int64) * np.array(self.copies, np.int64)
        pick = event.pick
        if pick is not None and pick.id.startswith("box "):
            i = int(pick.id.split()[1])
            low, high = self.corners
            corner = laid_on(np.array(pick.position), np.array(pick.normal), block, low[i], high[i])
            loose = (corner != low[i]) & (corner != high[i] - block) & (np.abs(pick.normal) < 0.5)
            return flush(corner, block, np.flatnonzero(loose).tolist(), self.target, low, high)
        point = event.on_plane(0.0)
        if point is None:
            return None
        corner = np.round(np.array(point) - block / 2).astype(np.int64)
        return flush(corner * np.array([1, 1, 0]), block, (0, 1), self.target, *self.corners)

    def flush_step(self, step: Ints) -> Ints:
        """How far the selection moves when it is dragged by a step, snapped to nearby walls and faces."""
        low, high = self.corners
        rest = np.setdiff1d(np.arange(len(low)), self.selected)
        first = np.asarray(low[self.selected].min(axis=0), np.int64)
        size = high[self.selected].max(axis=0) - first
        axes = np.flatnonzero(step).tolist()
        return np.asarray(flush(first + step, size, axes, self.target, low[rest], high[rest]) - first)

    def lay(self, corner: Ints) -> None:
        """Places the block, or says why not."""
        why = self._refusal(corner)
        if why:
            self.message.emit(f"Nothing was placed: {why}.")
            return
        new_low, new_high = self._block(corner)
        low, high = self.corners
        words = f"Place {len(new_low)} boxes" if len(new_low) > 1 else "Place box"
        self._edit_boxes(words, np.vstack([low, new_low]), np.vstack([high, new_high]))

    def lay_beside(self) -> None:
        """Places the next box where there is room for sure, beyond the others along x, and selects it."""
        low, high = self.corners
        self.lay(np.array([high[:, 0].max() if len(high) else 0, 0, 0], np.int64))
        added = range(len(low), len(self.document.answer.boxes))
        if added:
            self.view.set_selection([f"box {i}" for i in added])

    def _block(self, corner: Ints) -> tuple[Ints, Ints]:
        return lattice(corner, self.box_size, self.copies, self.room)

    def _refusal(self, corner: Ints) -> str:
        if not self.room:
            return self._full()
        return "it would overlap" if self._overlaps(*self._block(corner), *self.corners) else ""

    def _full(self) -> str:
        if self.allows(Aid.JUDGING):
            return f"all boxes of {self.order.classes[self._tray.current]} are placed"
        return f"an answer may have at most {MAX_BOXES} boxes"

    def _overlaps(self, low: Ints, high: Ints, others_low: Ints, others_high: Ints) -> bool:
        """Whether boxes are refused because they would overlap others."""
        refuses = self.allows(Aid.JUDGING) and not self._is_free.value
        return refuses and collides(low, high, others_low, others_high)

    def move_boxes(self, step: Ints, merges: bool = False) -> None:
        """Moves the selected boxes."""
        if self.selected and step.any():
            low, high = (corners.copy() for corners in self.corners)
            low[self.selected] += step
            high[self.selected] += step
            self._change("Move boxes", low, high, f"move {self.selected}" if merges else "")

    def drop(self, axis: int) -> None:
        """Moves the selection towards the low end of an axis until it meets something."""
        if self.selected:
            low, high = self.corners
            fall = drop(low, high, self.selected, axis)
            self.move_boxes(-fall * np.eye(3, dtype=np.int64)[axis])

    def turn(self) -> None:
        """Turns the selection about z; without a selection, the next box."""
        if self.selected:
            self._transform("Turn boxes", lambda low, high: turned(low, high, 2))
        else:
            self.way += 1
            self._place.again()
            self.update_status()

    def tip(self) -> None:
        """Turns the selection about x; without a selection, returns to the next box's previous orientation."""
        if self.selected:
            self._transform("Tip boxes", lambda low, high: turned(low, high, 0))
        else:
            self.way -= 1
            self._place.again()

    def mirror(self, axis: int) -> None:
        """Mirrors the selection in place."""
        self._transform("Mirror boxes", lambda low, high: mirrored(low, high, axis))

    def _transform(self, label: str, change: Callable[[Ints, Ints], tuple[Ints, Ints]]) -> None:
        if self.selected:
            low, high = (corners.copy() for corners in self.corners)
            low[self.selected], high[self.selected] = change(low[self.selected], high[self.selected])
            self._change(label, low, high)

    def duplicate(self) -> None:
        """Copies the selection beside itself, if the tray has enough boxes."""
        chosen = self.selected
        if not chosen:
            return
        low, high = self.corners
        if why := self._refusal_of_copies(low[chosen], high[chosen]):
            self.message.emit(why)
            return
        step = np.array([high[chosen, 0].max() - low[chosen, 0].min(), 0, 0])
        new_low, new_high = low[chosen] + step, high[chosen] + step
        if self._overlaps(new_low, new_high, low, high):
            self.message.emit("A copy would overlap. Make room along x first.")
            return
        count = len(low)
        self._edit_boxes("Copy boxes", np.vstack([low, new_low]), np.vstack([high, new_high]))
        self.view.set_selection(f"box {i}" for i in range(count, count + len(chosen)))

    def _refusal_of_copies(self, low: Ints, high: Ints) -> str:
        if len(low) + len(self.document.answer.boxes) > MAX_BOXES:
            return f"An answer may have at most {MAX_BOXES} boxes."
        taken = Counter(self.order.class_of(key) for key in size_key(low, high))
        lacks = any(self.left[k] < count for k, count in taken.items() if k is not None)
        return "The tray has not enough boxes left for a copy." if lacks and self.allows(Aid.JUDGING) else ""

    def room_under(self, place: QPointF) -> tuple[Ints, Ints] | None:
        """The empty space at a place of the view: in the container or, without one, in the box around the packing."""
        low, high = self.corners
        pick = self.view.pick(place)
        if pick is not None and pick.id.startswith(("box ", "gap ")):
            point = np.array(pick.position) + (0.5 if pick.id.startswith("box ") else -0.5) * np.array(pick.normal)
        else:
            origin, way = self.view.ray(place)
            point = origin - (origin[2] - 0.5) / min(way[2], -1e-9) * way
        extent = self._extent_to_fill()
        return None if extent is None else room_at(np.floor(point).astype(np.int64), *extent, low, high)

    def _extent_to_fill(self) -> tuple[Ints, Ints] | None:
        low, high = self.corners
        if self.target.any():
            return np.zeros(3, np.int64), np.where(self.target > 0, self.target, self.order.volume)
        if not len(low):
            return None
        first, last, _ = bounding_box(low, high)
        return np.array(first, np.int64), np.array(last, np.int64)

    def fitting_classes(self, room: Ints) -> list[tuple[int, tuple[int, int, int]]]:
        """The classes that fit into a space and have boxes left, largest first, with an orientation for each."""
        left = [k for k, count in enumerate(self.left) if count > 0]
        ways = [(k, fitting(self.order.classes[k].sides, room)) for k in left]
        return sorted(((k, way) for k, way in ways if way), key=lambda entry: -int(np.prod(entry[1])))

    def offer_fitting(self) -> None:
        """Opens a menu of the boxes that fit at the pointer."""
        cursor = self.view.mapFromGlobal(QCursor.pos())
        self._offer(QPointF(cursor), self.view.mapToGlobal(cursor))

    def lay_in(self, k: int, way: tuple[int, int, int], corner: Ints) -> None:
        """Places a box of a class, at the lowest corner of a space."""
        self._tray.choose(k)
        self.way = orientations(self.order.classes[k].sides).index(way)
        low, high = self.corners
        self._edit_boxes("Place box", np.vstack([low, corner]), np.vstack([high, corner + np.array(way)]))

    def _show_menu(self, pick: Pick | None, where: QPoint) -> None:
        self.use_aid("What fits here", Aid.SOLVING)
        self._offer(QPointF(self.view.mapFromGlobal(where)), where)

    def _offer(self, place: QPointF, where: QPoint) -> None:
        room = self.room_under(place)
        if room is None:
            self.message.emit("There is no space to fill here: point into the container or the box around the packing.")
            return
        menu = self.menu_for(*room)
        menu.popup(where)

    def menu_for(self, first: Ints, last: Ints) -> QMenu:
        """A menu of the boxes that fit into a space; a choice places the box."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        size = "×".join(map(str, last - first))
        options = self.fitting_classes(last - first)
        title = menu.addAction(f"Space of {size}" if options else f"No box that is left fits into {size}")
        title.setEnabled(False)
        for k, way in options:
            words = f"Place {'×'.join(map(str, way))}   {self.left[k]} left"
            menu.addAction(words, partial(self.lay_in, k, way, first))
        return menu

    def remove(self) -> None:
        """Puts the selection back into the tray."""
        chosen = self.selected
        if chosen:
            low, high = self.corners
            self.view.set_selection(())
            self._edit_boxes("Delete boxes", np.delete(low, chosen, axis=0), np.delete(high, chosen, axis=0))

    def to_origin(self) -> None:
        """Moves everything so that the lowest corner is the origin."""
        low, high = shifted_to_origin(*self.corners)
        self._edit_boxes("Move to the origin", low, high)

    def _change(self, label: str, low: Ints, high: Ints, merge: str = "") -> None:
        """Applies a change of the selection, unless it would overlap other boxes."""
        chosen = self.selected
        rest = np.setdiff1d(np.arange(len(low)), chosen)
        if self._overlaps(low[chosen], high[chosen], low[rest], high[rest]):
            self.message.emit("That would overlap. Switch on Allow overlaps to do it anyway.")
            return
        self._edit_boxes(label, low, high, merge)

    def _edit_boxes(self, label: str, low: Ints, high: Ints, merge: str = "") -> None:
        self.edit(label, Packing.of(low, high), merge)

    # What is shown -----------------------------------------------------------------------------------------------

    def show_ghost(self, corner: Ints | None) -> None:
        """Shows the block that a click would place."""
        if corner is None:
            self.view.set_ghost([])
            return
        low, high = self._block(corner)
        if not len(low):
            low, high = lattice(corner, self.box_size, (1, 1, 1), 1)
        self.view.set_ghost([draw_ghost(self.order, low, high)], self._refusal(corner))

    def show_move(self, step: Ints) -> None:
        """Shows where the selection would go."""
        low, high = (corners[self.selected] + step for corners in self.corners)
        self.view.set_ghost([draw_ghost(self.order, low, high)])

    def aim(self, sides: Sequence[int]) -> None:
        """Draws a container to aim at; zeros remove it."""
        self.target = np.array(sides, np.int64)
        self.redraw()

    def _show_left(self, tray: Tray) -> None:
        tray.show_left(self.left if self.allows(Aid.MEASURING) else None)

    def _result(self) -> Reading:
        low, high = self.corners
        if not len(low):
            return Reading("–", "nothing placed yet")
        placed = int(np.prod(high - low, axis=1).sum())
        volume = max(1, bounding_box(low, high)[2])
        words = f"box around them {volume:,}; best known {self.order.best:.3f}"
        return Reading(f"{placed / volume:.1%} filled", words, None if any(self.left) else True)

    def _describe(self, pick: Pick) -> tuple[str, str]:
        name, _, number = pick.id.partition(" ")
        low, high = self.corners
        if name == "box" and int(number) < len(low):
            sides = "×".join(map(str, high[int(number)] - low[int(number)]))
            return f"Box {number}", f"{sides} at {', '.join(map(str, low[int(number)]))}"
        if name == "gap":
            first, last = gaps(low, high)
            room = last[int(number)] - first[int(number)]
            return "×".join(map(str, room)), ""
        return pick.id, ""

    def _use(self, tool: Tool) -> None:
        self.view.set_tool(tool)
        self.refresh()

    def _class_chosen(self) -> None:
        self.way = 0
        self._use(self._place)

    def _step_class(self, by: int) -> None:
        self._tray.choose(self._tray.current + by)
        self._class_chosen()

    def _set_copies(self, axis: int, count: float) -> None:
        self.copies[axis] = int(count)
        self._place.again()

    def _set_target(self, axis: int, length: float) -> None:
        self.target[axis] = int(length)
        self.redraw()


def _three_numbers(
    text: str,
    values: Callable[[], Sequence[int]],
    put: Callable[[int, float], object],
    bounds: tuple[int, int],
    aid: Aid,
) -> Numbers:
    """Fields for x, y and z, side by side."""
    return Numbers(text, "xyz", values, put, bounds, columns=3, field_px=FIELD_PX, aid=aid)
