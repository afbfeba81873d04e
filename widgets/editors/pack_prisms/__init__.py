"""The editor of packings: boxes from a tray, laid on faces, moved in groups, against a container that one aims at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu, QSlider

from engine.core import Aid, Scene
from engine.core.scene import Boxes, Item
from engine.core.words import counted
from engine.tasks.pack_prisms import Packing
from engine.tasks.pack_prisms.drawing import boxes_item, draw_packing, frame_of
from engine.tasks.pack_prisms.editing import (
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
from engine.tasks.pack_prisms.packing import Ints, Order, bounding_box, gaps, size_key
from widgets.editing.editor import Editor
from widgets.editing.panel import NumberGrid, ToolPanel
from widgets.editors.pack_prisms.gestures import PlaceTool, SelectTool
from widgets.editors.pack_prisms.tray import Tray
from widgets.meter import Meter
from widgets.theme import Theme
from widgets.view import Pick, PointerEvent

HINT = (
    "Choose a size at the left and click the ground; the next box clicks to the faces of those that lie there.\n"
    "R turns the box. Copies lays a whole block at once."
)
GAPS_SHOWN = 400


class PackPrismsEditor(Editor):
    """A packing in space."""

    def prepare(self) -> None:
        self.order = Order.of(self.instance.parameters)
        self.way = 0
        """Which of the orientations the next box takes."""
        self.copies = [1, 1, 1]
        self.target = np.zeros(3, np.int64)
        self.is_free = False
        self._shows_gaps = False
        self._explode = 0.0

    def begin(self) -> None:
        if not self.document.answer.boxes:
            self.view.show_hint(HINT)

    # The frame of the editor -------------------------------------------------------------------------------------

    def build_tools(self, tools: ToolPanel) -> None:
        """Tray, tools, commands on the selection, and aids."""
        self._place, self._select = PlaceTool(self), SelectTool(self)
        self.tray = Tray(self.order)
        self.tray.chosen.connect(lambda _: self._class_chosen())
        tools.add_section("Boxes")
        tools.add_widget(self.tray)
        tools.add_section("Tools")
        tools.add_tools(
            [
                self.add_action("Place", lambda: self.view.set_tool(self._place), "P", "place", "Lay boxes"),
                self.add_action("Select", lambda: self.view.set_tool(self._select), "V", "select", "Select and move"),
            ],
            columns=2,
        )
        tools.add_section("Copies along x, y, z")
        self._copies = _three_numbers((1, 99))
        self._copies.set_values(self.copies)
        self._copies.edited.connect(self._set_copies)
        tools.add_widget(self._copies)
        self._add_commands(tools)
        self._add_aids(tools)
        self.view.set_tool(self._place)
        self.view.set_describe(self._describe)
        self.view.context_requested.connect(self._show_menu)
        self.view.selection_changed.connect(lambda _: self.tell_status())

    def _add_commands(self, tools: ToolPanel) -> None:
        tools.add_section("Selection")
        rows = [
            self.add_action("Turn", self.turn, "R", "rotate", "Turn the next box, or the selection about z"),
            self.add_action("Tip", self.tip, "Shift+R", "rotate", "Turn the selection about x"),
            self.add_action("Drop", lambda: self.drop(2), "G", "down", "Down until it meets something"),
            self.add_action("Mirror", lambda: self.mirror(0), "M", "mirror", "Mirror the selection in x"),
            self.add_action("Copy", self.duplicate, "D", "copy", "Copy the selection beside itself, along x"),
            self.add_action("Remove", self.remove, "Delete, Backspace", "delete", "Back into the tray"),
        ]
        tools.add_tools(rows, exclusive=False, columns=2)
        for name, axis in (("x", 0), ("y", 1)):
            self.add_action(f"Push along {name}", lambda axis=axis: self.drop(axis), f"Shift+{name.upper()}")
        self.add_action("Next size", lambda: self._step_class(1), ".")
        self.add_action("Prior size", lambda: self._step_class(-1), ",")
        self.add_action("What fits here", self.tell_fitting, "W", "search", "What may lie at the pointer", Aid.SOLVING)
        self.add_action("Move packing to the origin", self.to_origin, "Ctrl+0")
        ways = {"Right": (1, 0, 0), "Left": (-1, 0, 0), "Up": (0, 1, 0), "Down": (0, -1, 0)}
        for key, way in {**ways, "PgUp": (0, 0, 1), "PgDown": (0, 0, -1)}.items():
            step = np.array(way, np.int64)
            self.add_action(f"Move by 1: {key}", lambda step=step: self.move_boxes(step, merges=True), key)

    def _add_aids(self, tools: ToolPanel) -> None:
        tools.add_section("Result")
        self._meter = Meter()
        tools.add_widget(self._meter)
        tools.add_section("Container to aim at")
        self._target = _three_numbers((0, 99_999))
        self._target.set_values(self.target.tolist())
        self._target.edited.connect(self._set_target)
        tools.add_widget(self._target)
        exact = self.order.perfect_containers() if self.order.perfect else []
        if exact:
            names = ["×".join(map(str, sides)) for sides in exact]
            tools.add_choice(
                "Exact", ["–", *names], lambda k: self.aim(exact[k - 1] if k else (0, 0, 0)), "Products of the volume"
            )
        tools.add_section("Show")
        tools.add_check("Gaps", False, self._show_gaps, "The empty room inside the bounding box, as blocks")
        tools.add_check("Overlaps allowed", False, self._set_free, "Otherwise moves that overlap are refused")
        self._slider = QSlider(Qt.Orientation.Horizontal, maximum=100)
        self._slider.setAccessibleName("Pull apart")
        self._slider.setToolTip("Pulls the boxes apart to look between them")
        self._slider.valueChanged.connect(self._pull_apart)
        tools.add_note("Pull apart")
        tools.add_widget(self._slider)

    def make_scene(self) -> Scene:
        """The packing, the container, the gaps, and what alone makes the bounding box large."""
        low, high = self.corners
        scene = draw_packing(self.order, low, high)
        items = [self._pulled(item) if isinstance(item, Boxes) else item for item in scene.items]
        if self.target.any():
            items += frame_of(np.array([np.zeros(3), self.target]), "container", "target", dashed=True)
        if len(low) > 1 and not self._explode:
            for i in lonely_sides(low, high):
                items += frame_of(np.array([low[i], high[i]], float), f"alone {i}", "warning")
        if self._shows_gaps and len(low):
            items.append(_gap_item(low, high))
        return Scene(items=tuple(items), ground=scene.ground, bounds=scene.bounds)

    def redraw(self, reset_view: bool = False) -> None:
        """Draws the packing and the numbers beside it."""
        super().redraw(reset_view)
        self.tray.show_left(self.left)
        self._show_result()
        self.mark_failed()

    def status(self) -> str:
        """What is placed, the box around it, and what is selected."""
        low, high = self.corners
        words = [f"{len(low)} of {counted(self.order.boxes, 'box', 'boxes')}"]
        if len(low):
            first, last, _ = bounding_box(low, high)
            words.append("×".join(str(b - a) for a, b in zip(first, last, strict=True)))
        if self.selected:
            words.append(f"{len(self.selected)} selected")
        return " · ".join(words)

    def marked(self) -> Mapping[str, str]:
        """Overlaps and boxes outside the container, without waiting for the verdict."""
        low, high = self.corners
        bad = set(in_conflict(low, high))
        if self.target.any():
            bad |= set(np.flatnonzero((low < 0).any(axis=1) | (high > self.target).any(axis=1)).tolist())
        return dict.fromkeys((f"box {i}" for i in bad), "failed")

    # The packing -------------------------------------------------------------------------------------------------

    @property
    def corners(self) -> tuple[Ints, Ints]:
        """Lowest and highest corners, (n, 3) each."""
        return self.document.answer.corners

    @property
    def left(self) -> list[int]:
        """How many boxes of each class are still in the tray."""
        given = Counter(self.order.class_of(key) for key in size_key(*self.corners))
        return [one.count - given[k] for k, one in enumerate(self.order.classes)]

    @property
    def selected(self) -> list[int]:
        """The selected boxes."""
        places = [int(name.split()[1]) for name in self.view.selection if name.startswith("box ")]
        return sorted(i for i in places if i < len(self.corners[0]))

    @property
    def box_size(self) -> tuple[int, int, int]:
        """Sides of the next box as it will lie."""
        ways = orientations(self.order.classes[self.tray.current].sides)
        return ways[self.way % len(ways)]

    def corner_at(self, event: PointerEvent) -> Ints | None:
        """The lowest corner of the block that a click would lay."""
        block = np.array(self.box_size) * self.copies
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
        """How far the selection moves when it is dragged by a step: to walls and faces that are near."""
        low, high = self.corners
        rest = np.setdiff1d(np.arange(len(low)), self.selected)
        first = low[self.selected].min(axis=0)
        size = high[self.selected].max(axis=0) - first
        axes = np.flatnonzero(step).tolist()
        return flush(first + step, size, axes, self.target, low[rest], high[rest]) - first

    def lay(self, corner: Ints) -> None:
        """Lays the block there, or says why not."""
        why = self._refusal(corner)
        if why:
            self.message.emit(f"Nothing was laid: {why}.")
            return
        new_low, new_high = self._block(corner)
        low, high = self.corners
        words = f"Lay {len(new_low)} boxes" if len(new_low) > 1 else "Lay box"
        self._put(words, np.vstack([low, new_low]), np.vstack([high, new_high]))

    def _block(self, corner: Ints) -> tuple[Ints, Ints]:
        return lattice(corner, self.box_size, self.copies, max(0, self.left[self.tray.current]))

    def _refusal(self, corner: Ints) -> str:
        if self.left[self.tray.current] <= 0:
            return f"all boxes of {self.order.classes[self.tray.current]} are placed"
        if not self.is_free and collides(*self._block(corner), *self.corners):
            return "it would overlap"
        return ""

    def move_boxes(self, step: Ints, merges: bool = False) -> None:
        """Moves the selected boxes."""
        if self.selected and step.any():
            low, high = (corners.copy() for corners in self.corners)
            low[self.selected] += step
            high[self.selected] += step
            self._change("Move boxes", low, high, f"move {self.selected}" if merges else "")

    def drop(self, axis: int) -> None:
        """Moves the selection down an axis until it meets something."""
        if self.selected:
            low, high = self.corners
            fall = drop(low, high, self.selected, axis)
            self.move_boxes(-fall * np.eye(3, dtype=np.int64)[axis])

    def turn(self) -> None:
        """Turns the selection about z; without one the next box."""
        if self.selected:
            self._transform("Turn boxes", lambda low, high: turned(low, high, 2))
        else:
            self.way += 1
            self._place.again()
            self.tell_status()

    def tip(self) -> None:
        """Turns the selection about x; without one goes back to the orientation before."""
        if self.selected:
            self._transform("Tip boxes", lambda low, high: turned(low, high, 0))
        else:
            self.way -= 1
            self._place.again()

    def mirror(self, axis: int) -> None:
        """Mirrors the selection in place."""
        self._transform("Mirror boxes", lambda low, high: mirrored(low, high, axis))

    def _transform(self, label: str, change) -> None:
        if self.selected:
            low, high = (corners.copy() for corners in self.corners)
            low[self.selected], high[self.selected] = change(low[self.selected], high[self.selected])
            self._change(label, low, high)

    def duplicate(self) -> None:
        """Copies the selection flush beside itself, as far as the tray has boxes."""
        chosen = self.selected
        if not chosen:
            return
        low, high = self.corners
        taken = Counter(self.order.class_of(key) for key in size_key(low[chosen], high[chosen]))
        if any(self.left[k] < count for k, count in taken.items() if k is not None):
            self.message.emit("The tray has not enough boxes left for a copy.")
            return
        step = np.array([high[chosen, 0].max() - low[chosen, 0].min(), 0, 0])
        new_low, new_high = low[chosen] + step, high[chosen] + step
        if not self.is_free and collides(new_low, new_high, low, high):
            self.message.emit("A copy would overlap; make room along x first.")
            return
        count = len(low)
        self._put("Copy boxes", np.vstack([low, new_low]), np.vstack([high, new_high]))
        self.view.set_selection(f"box {i}" for i in range(count, count + len(chosen)))

    def room_under(self, place: QPointF) -> tuple[Ints, Ints] | None:
        """The empty room at a place of the view: in the container, or without one in the box around the packing."""
        low, high = self.corners
        pick = self.view.pick(place)
        if pick is not None and pick.id.startswith(("box ", "gap ")):
            point = np.array(pick.position) + (0.5 if pick.id.startswith("box ") else -0.5) * np.array(pick.normal)
        else:
            origin, way = self.view.ray(place)
            point = origin - (origin[2] - 0.5) / min(way[2], -1e-9) * way
        if self.target.any():
            first, last = np.zeros(3, np.int64), np.where(self.target > 0, self.target, self.order.volume)
        elif len(low):
            first, last, _ = bounding_box(low, high)
        else:
            return None
        return room_at(np.floor(point).astype(np.int64), np.asarray(first), np.asarray(last), low, high)

    def fitting_classes(self, room: Ints) -> list[tuple[int, tuple[int, int, int]]]:
        """The classes of which boxes are left that fit into a room, largest first, and how each would lie."""
        left = [k for k, count in enumerate(self.left) if count > 0]
        ways = [(k, fitting(self.order.classes[k].sides, room)) for k in left]
        return sorted(((k, way) for k, way in ways if way), key=lambda found: -int(np.prod(found[1])))

    def tell_fitting(self) -> None:
        """Offers what fits at the pointer."""
        here = self.view.mapFromGlobal(QCursor.pos())
        self._offer(QPointF(here), self.view.mapToGlobal(here))

    def lay_in(self, k: int, way: tuple[int, int, int], corner: Ints) -> None:
        """Lays a box of a class in a room."""
        self.tray.choose(k)
        self.way = orientations(self.order.classes[k].sides).index(way)
        self._put("Lay box", *(np.vstack(pair) for pair in zip(self.corners, (corner, corner + way), strict=True)))

    def _show_menu(self, pick: Pick | None, where: QPoint) -> None:
        self.use_aid("What fits here", Aid.SOLVING)
        self._offer(QPointF(self.view.mapFromGlobal(where)), where)

    def _offer(self, place: QPointF, where: QPoint) -> None:
        room = self.room_under(place)
        if room is None:
            self.message.emit("There is no room to fill here: point into the container or the box around the packing.")
            return
        menu = self.menu_for(*room)
        menu.popup(where)

    def menu_for(self, first: Ints, last: Ints) -> QMenu:
        """What fits into a room, to be laid by a click."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        size = "×".join(map(str, last - first))
        found = self.fitting_classes(last - first)
        title = menu.addAction(f"Room of {size}" if found else f"Nothing that is left fits into {size}")
        title.setEnabled(False)
        for k, way in found:
            words = f"Lay {'×'.join(map(str, way))}   {self.left[k]} left"
            menu.addAction(words, lambda k=k, way=way: self.lay_in(k, way, first))
        return menu

    def remove(self) -> None:
        """Puts the selection back into the tray."""
        chosen = self.selected
        if chosen:
            low, high = self.corners
            self.view.set_selection(())
            self._put("Remove boxes", np.delete(low, chosen, axis=0), np.delete(high, chosen, axis=0))

    def to_origin(self) -> None:
        """Moves everything so that the lowest corner is the origin."""
        low, high = shifted_to_origin(*self.corners)
        self._put("Move to the origin", low, high)

    def _change(self, label: str, low: Ints, high: Ints, merge: str = "") -> None:
        """Puts a changed selection in place, unless it now overlaps the rest."""
        chosen = self.selected
        rest = np.setdiff1d(np.arange(len(low)), chosen)
        if not self.is_free and collides(low[chosen], high[chosen], low[rest], high[rest]):
            self.message.emit("That would overlap; Overlaps allowed lets it be.")
            return
        self._put(label, low, high, merge)

    def _put(self, label: str, low: Ints, high: Ints, merge: str = "") -> None:
        self.edit(label, Packing.of(low, high), merge)

    # What is shown -----------------------------------------------------------------------------------------------

    def show_ghost(self, corner: Ints | None) -> None:
        """Shows the block that a click would lay."""
        if corner is None:
            self.view.set_ghost([])
            return
        low, high = self._block(corner)
        if not len(low):
            low, high = lattice(corner, self.box_size, (1, 1, 1), 1)
        item = boxes_item(self.order, low, high)
        self.view.set_ghost(
            [Boxes(name="ghost", ids=item.ids, centers=item.centers, sizes=item.sizes, colors="accent", opacity=0.5)],
            self._refusal(corner),
        )

    def show_move(self, step: Ints) -> None:
        """Shows where the selection would go."""
        low, high = (corners[self.selected] + step for corners in self.corners)
        item = boxes_item(self.order, low, high)
        self.view.set_ghost(
            [Boxes(name="ghost", ids=item.ids, centers=item.centers, sizes=item.sizes, colors="accent", opacity=0.5)]
        )

    def aim(self, sides: Sequence[int]) -> None:
        """Draws a container to aim at; zeros take it away."""
        self.target = np.array(sides, np.int64)
        self._target.set_values(self.target.tolist())
        self.redraw()

    def _show_result(self) -> None:
        low, high = self.corners
        if not len(low):
            self._meter.show_figure("–", "nothing placed yet", None)
            return
        placed = int(np.prod(high - low, axis=1).sum())
        volume = max(1, bounding_box(low, high)[2])
        complete = not any(self.left)
        words = f"box around them {volume:,}; best known {self.order.best:.3f}"
        self._meter.show_figure(f"{placed / volume:.1%} filled", words, True if complete else None)

    def _describe(self, pick: Pick) -> tuple[str, str]:
        name, _, number = pick.id.partition(" ")
        low, high = self.corners
        if name == "box" and int(number) < len(low):
            sides = "×".join(map(str, high[int(number)] - low[int(number)]))
            return f"Box {number}", f"{sides} at {', '.join(map(str, low[int(number)]))}"
        if name == "gap":
            first, last = gaps(low, high)
            room = last[int(number)] - first[int(number)]
            names = [str(self.order.classes[k]) for k, _ in self.fitting_classes(room)]
            return "×".join(map(str, room)), ", ".join(names) or "no box fits here"
        return pick.id, ""

    def _pulled(self, item: Boxes) -> Boxes:
        if not self._explode:
            return item
        middle = item.centers.mean(axis=0)
        centers = middle + (item.centers - middle) * (1 + self._explode)
        return Boxes(name=item.name, ids=item.ids, centers=centers, sizes=item.sizes, colors=item.colors)

    def _class_chosen(self) -> None:
        self.way = 0
        self.view.set_tool(self._place)
        self.tell_status()

    def _step_class(self, by: int) -> None:
        self.tray.choose(self.tray.current + by)
        self._class_chosen()

    def _set_copies(self, axis: int, count: float) -> None:
        self.copies[axis] = int(count)
        self._place.again()

    def _set_target(self, axis: int, length: float) -> None:
        self.target[axis] = int(length)
        self.redraw()

    def _show_gaps(self, shown: bool) -> None:
        self._shows_gaps = shown
        self.redraw()

    def _set_free(self, free: bool) -> None:
        self.is_free = free

    def _pull_apart(self, percent: int) -> None:
        self._explode = percent / 100
        self.redraw()

    def _set_theme(self, theme: Theme) -> None:
        super()._set_theme(theme)
        self.tray.draw()


def _three_numbers(bounds: tuple[float, float]) -> NumberGrid:
    """Fields for x, y and z, narrow enough to stand side by side."""
    grid = NumberGrid(["x", "y", "z"], bounds, columns=3)
    for field in grid.fields:
        field.setMinimumWidth(66)
    return grid


def _gap_item(low: Ints, high: Ints) -> Item:
    first, last = (corners[:GAPS_SHOWN] for corners in gaps(low, high))
    ids = [f"gap {k}" for k in range(len(first))]
    sizes = (last - first).astype(float)
    return Boxes(name="gaps", ids=ids, centers=(first + last) / 2, sizes=sizes, colors="warning", opacity=0.35)
