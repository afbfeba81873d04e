"""The editor: a packing in 3D, a tray of boxes, and a container to aim at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import numpy as np

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.tasks.pack_prisms import Packing
from spatial_workbench.engine.tasks.pack_prisms.drawing import draw_packing, frame_of, pulled_apart
from spatial_workbench.engine.tasks.pack_prisms.editing import (
    in_conflict,
    lonely_sides,
)
from spatial_workbench.engine.tasks.pack_prisms.packing import bounding_box
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
from spatial_workbench.widgets.editing.nudging import LEVEL, UPRIGHT, Step, nudges
from spatial_workbench.widgets.editing.things import Things, ThingsEditing, delete_button, duplicate_button
from spatial_workbench.widgets.editors.pack_prisms.boxes import PackedBoxes
from spatial_workbench.widgets.editors.pack_prisms.commands import PackingCommands
from spatial_workbench.widgets.editors.pack_prisms.drawing import draw_gaps
from spatial_workbench.widgets.editors.pack_prisms.fitting import FittingBoxes
from spatial_workbench.widgets.editors.pack_prisms.gestures import PackingSelectTool
from spatial_workbench.widgets.editors.pack_prisms.next_box import NextBox
from spatial_workbench.widgets.editors.pack_prisms.tray import Tray
from spatial_workbench.widgets.scene_views.view import SceneView, Tool

HINT = (
    "Choose a size on the left and click the ground; boxes snap to each other.\n"
    "R turns the box. Copies places a whole block at once."
)
FIELD_PX = 66
"""Three fields of this width stand side by side."""


class PackPrismsEditor(Editor[Packing]):
    """Packs boxes."""

    marks_with_answer = True

    def prepare(self) -> None:
        self._shows_gaps = Setting(False, self.redraw)
        self._apart_percent = Setting(0, self.redraw)

    def begin(self) -> None:
        if not self.document.answer.boxes:
            self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        view = super().make_view()
        self.boxes = PackedBoxes(self.document, view, self.refresh, self.allows(Aid.JUDGING))
        self.commands = PackingCommands(self.boxes, self.message.emit)
        self.next_box = NextBox(self.boxes, view, self.message.emit, self._use_place_tool)
        self.fitting = FittingBoxes(self, view, self.boxes, self.next_box)
        self._select = PackingSelectTool(self.boxes, self.commands, view)
        view.set_tool(self.next_box.tool)
        view.set_describe(self.boxes.describe)
        if self.allows(Aid.SOLVING):
            view.context_requested.connect(self.fitting.show_menu)
        return view

    def list_controls(self) -> Iterable[Declared]:
        yield Section("Boxes", CustomPart("Tray", lambda: self.next_box.tray, refresh=self._show_left))
        yield Section(
            "Tools",
            Tools(
                self.view,
                ToolButton("Place", self.next_box.tool, "P", "place", "Place boxes"),
                ToolButton("Select", self._select, "V", "select", "Select and move boxes"),
                columns=2,
                take=self._use,
            ),
        )
        copies = self.next_box.copies
        yield Section("Copies along x, y, z", _three_numbers("Copies", copies.get, copies.put, (1, 99), Aid.EDITING))
        yield self._selection_controls()
        yield self._other_keys()
        yield Section("Result", Gauge("Result", self._result))
        yield self._container_controls()
        yield self._view_controls()
        yield ThingsEditing(self, self._things()).controls([Verb.DUPLICATE, Verb.DELETE])

    def _things(self) -> Things:
        return Things(
            name="boxes",
            selection=self.boxes.selection,
            part=lambda chosen: (Packing.of(*(corners[chosen] for corners in self.boxes.corners)), range(len(chosen))),
            add=lambda label, packing, _: self.commands.paste(label, *packing.corners),
            delete=self.commands.remove,
        )

    def _selection_controls(self) -> Section:
        beside = "Copy the selection beside itself, along x"
        back = "Put the selection back into the tray"
        return Section(
            "Selection",
            Buttons(
                Action("Turn", self.turn, "R", "rotate", "Turn the next box, or the selection about z"),
                Action("Tip", self.tip, "Shift+R", "rotate", "Turn the selection about x"),
                Action(
                    "Drop",
                    partial(self.commands.drop_boxes, 2),
                    "G",
                    "down",
                    "Move the selection down until it meets something",
                ),
                Action("Mirror", partial(self.commands.mirror, 0), "M", "mirror", "Mirror the selection in x"),
                duplicate_button(self.commands.duplicate, beside, "D, Ctrl+D"),
                delete_button(self.commands.remove, back),
                columns=2,
            ),
        )

    def _other_keys(self) -> Keys:
        fits = "List the boxes that fit at the pointer"
        return Keys(
            *(
                Action(f"Push along {'xy'[axis]}", partial(self.commands.drop_boxes, axis), f"Shift+{'XY'[axis]}")
                for axis in (0, 1)
            ),
            Action("Place box beside the others", self.next_box.place_beside, "Return"),
            Action("Next size", partial(self.next_box.step_class, 1), "."),
            Action("Previous size", partial(self.next_box.step_class, -1), ","),
            Action("What fits here", self.fitting.offer_at_pointer, "W", "search", fits, Aid.SOLVING),
            Action("Move packing to the origin", self.commands.to_origin, "Ctrl+0"),
            *nudges(self.commands.nudge, [Step(1, marked("{way} by 1"))], {**LEVEL, **UPRIGHT}),
        )

    def _container_controls(self) -> Section:
        exact = [(0, 0, 0), *(self.boxes.order.perfect_containers() if self.boxes.order.perfect else ())]
        names = ["–", *("×".join(map(str, sides)) for sides in exact[1:])]

        def chosen() -> int:
            sides = tuple(self.boxes.target.tolist())
            return exact.index(sides) if sides in exact else 0

        sides = _three_numbers(
            "Container", lambda: self.boxes.target.tolist(), self._set_target, (0, 99_999), Aid.MEASURING
        )
        tip = "Containers whose volume is exactly that of all boxes"
        choice = Choice("Exact", names, chosen, lambda k: self.aim(exact[k]), tip, Aid.SOLVING)
        return Section("Target container", sides, *([choice] if len(exact) > 1 else []))

    def _view_controls(self) -> Section:
        gap = self._shows_gaps
        overlap = self.boxes.allows_overlaps
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
        low, high = self.boxes.corners
        scene = draw_packing(self.boxes.order, low, high)
        apart = self._apart_percent.value / 100
        items = [pulled_apart(item, apart) for item in scene.items]
        if self.boxes.target.any():
            items += frame_of(np.array([np.zeros(3), self.boxes.target]), "container", "target", dashed=True)
        if len(low) > 1 and not apart and self.allows(Aid.JUDGING):
            for i in lonely_sides(low, high):
                items += frame_of(np.array([low[i], high[i]], float), f"alone {i}", "warning")
        if self._shows_gaps.value and len(low):
            items.append(draw_gaps(low, high))
        return Scene(items=tuple(items), ground=scene.ground, bounds=scene.bounds)

    def status(self) -> str:
        low, high = self.boxes.corners
        wanted = self.boxes.order.boxes
        words = [f"{len(low)} of 1 box" if wanted == 1 else f"{len(low)} of {wanted} boxes"]
        if len(low):
            first, last, _ = bounding_box(low, high)
            words.append("×".join(str(b - a) for a, b in zip(first, last, strict=True)))
        words = words if self.allows(Aid.MEASURING) else []
        if self.boxes.selected:
            words.append(f"{len(self.boxes.selected)} selected")
        return " · ".join(words)

    def marked(self) -> Mapping[str, str]:
        """Overlaps and boxes outside the container, without waiting for the verdict."""
        if not self.allows(Aid.JUDGING):
            return {}
        low, high = self.boxes.corners
        bad = set(in_conflict(low, high))
        if self.boxes.target.any():
            bad |= set(np.flatnonzero((low < 0).any(axis=1) | (high > self.boxes.target).any(axis=1)).tolist())
        return dict.fromkeys((f"box {i}" for i in bad), "failed")

    # What is shown -----------------------------------------------------------------------------------------------

    def turn(self) -> None:
        """Turns the selection about z; without a selection, the next box."""
        if self.boxes.selected:
            self.commands.turn_boxes(2)
        else:
            self.next_box.turn(1)
            self.update_status()

    def tip(self) -> None:
        """Turns the selection about x; without a selection, returns to the next box's previous orientation."""
        if self.boxes.selected:
            self.commands.turn_boxes(0)
        else:
            self.next_box.turn(-1)

    def aim(self, sides: Sequence[int]) -> None:
        """Draws a container to aim at; zeros remove it."""
        self.boxes.target = np.array(sides, np.int64)
        self.redraw()

    def _show_left(self, tray: Tray) -> None:
        tray.show_left(self.boxes.left if self.allows(Aid.MEASURING) else None)

    def _result(self) -> Reading:
        low, high = self.boxes.corners
        if not len(low):
            return Reading("–", "nothing placed yet")
        placed = int(np.prod(high - low, axis=1).sum())
        volume = max(1, bounding_box(low, high)[2])
        words = f"box around them {volume:,}; best known {self.boxes.order.best:.3f}"
        return Reading(f"{placed / volume:.1%} filled", words, None if any(self.boxes.left) else True)

    def _use_place_tool(self) -> None:
        self._use(self.next_box.tool)

    def _use(self, tool: Tool) -> None:
        self.view.set_tool(tool)
        self.refresh()

    def _set_target(self, axis: int, length: float) -> None:
        self.boxes.target[axis] = int(length)
        self.redraw()


def _three_numbers(
    text: str,
    values: Callable[[], Sequence[float]],
    put: Callable[[int, float], object],
    bounds: tuple[int, int],
    aid: Aid,
) -> Numbers:
    """Fields for x, y and z, side by side."""
    return Numbers(text, "xyz", values, put, bounds, columns=3, field_px=FIELD_PX, aid=aid)
