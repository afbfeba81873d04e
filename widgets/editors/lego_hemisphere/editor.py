"""The editor: the bricks in 3D, and the plan of the active layer beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.scene import Floats, Item
from spatial_workbench.engine.core.words import counted, score_words
from spatial_workbench.engine.tasks.lego_hemisphere import Brick, Structure
from spatial_workbench.engine.tasks.lego_hemisphere.brick import STUD_PITCH
from spatial_workbench.engine.tasks.lego_hemisphere.placement import SNAP_ANGLE_DEG
from spatial_workbench.engine.tasks.lego_hemisphere.rules import brick_ids
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.editing.controls import (
    Action,
    Buttons,
    Choice,
    Declared,
    Keys,
    Note,
    Number,
    Numbers,
    Option,
    Section,
    Setting,
    Switch,
    ToolButton,
    Tools,
    Verb,
    attribute,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.nudging import FINE_KEYS, Step, Way, nudges, way_on_screen
from spatial_workbench.widgets.editing.things import Things, ThingsEditing
from spatial_workbench.widgets.editors.lego_hemisphere import legend
from spatial_workbench.widgets.editors.lego_hemisphere.array import BrickArray
from spatial_workbench.widgets.editors.lego_hemisphere.commands import BrickCommands
from spatial_workbench.widgets.editors.lego_hemisphere.drawing import (
    BrickDrawing,
    Coloring,
    Heat,
    colors_of,
    layer_rings,
    plan_scene,
)
from spatial_workbench.widgets.editors.lego_hemisphere.gestures import BrickPlaceTool, BrickSelectTool
from spatial_workbench.widgets.editors.lego_hemisphere.ghost import Ghost
from spatial_workbench.widgets.editors.lego_hemisphere.plan import PlanView
from spatial_workbench.widgets.editors.lego_hemisphere.workpiece import BrickWorkpiece, followed, index_of, indices_of
from spatial_workbench.widgets.layouts import split
from spatial_workbench.widgets.scene_views.legend import AXES_WIDTH, LEFT_OF_RULER, Entry, Legend
from spatial_workbench.widgets.scene_views.view import Pick, SceneView, Tool
from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

HINT = (
    "Fill the blue shell with bricks.\n"
    "Click the ground to place a brick, click a brick to build on it. R turns the brick.\n"
    "Drag the right or the middle button to look around."
)
SPLITTER_KEY = "editors/lego_hemisphere/splitter"
STEPS = (Step(STUD_PITCH, " by 8 mm"), Step(1.0, " by 1 mm", ["Shift+"]), Step(0.1, " by 0.1 mm", FINE_KEYS))
"""How far an arrow key moves bricks with each modifier, in mm."""
FARTHEST_MM = 3000.0
MENU = ("Turn", "Duplicate", "Delete", "Array…", "Mirror x", "Mirror y", "Four-fold", "All", "Layer")
"""The context menu of a brick."""


class LegoEditor(Editor[Structure]):
    """Builds a shell of bricks."""

    links_selection = True
    marks_with_answer = True

    def prepare(self) -> None:
        self.coloring = Setting(Coloring.BOTH if self.allows(Aid.MEASURING) else Coloring.LAYER, self.redraw)
        self.hides_above = Setting(False, self.hide_what_is_hidden)
        self.shows_heat = Setting(False, self.draw_later)
        self._steps = [Setting(0.0) for _ in range(3)]
        self._note = ""
        self._raw = ""
        self._shown: tuple[Brick, ...] = ()
        self._shares: Floats = np.zeros(0)
        self._colors: list[str] = []
        self._failed: list[int] = []
        self._dragged: Sequence[int] = ()
        self._extras: tuple[Item, ...] = ()

    def begin(self) -> None:
        self.later.start()
        stored = _settings().value(SPLITTER_KEY) if appearance().remembers else None
        if stored is None or not self.splitter.restoreState(stored):
            self.share_room(True)
        self.splitter.splitterMoved.connect(lambda *_: self.refresh())
        if not self.piece.bricks:
            self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        """Also makes the plan, and the objects that work on the bricks in both views."""
        view = super().make_view()
        self.plan = PlanView()
        self.plan.layer_stepped.connect(self.step_layer)
        self.canvas: SceneView = self.plan.canvas
        self.piece = BrickWorkpiece(self.document, view, self.say, self.allows(Aid.JUDGING))
        self.drawing = BrickDrawing(self.piece.shell)
        self.ghost = Ghost(self.piece, view, self.canvas, self._ghost_changed)
        self.commands = BrickCommands(self.piece, self.runner)
        self.array = BrickArray(self.piece, self.commands, self.ghost, self.refresh)
        go_to_layer = partial(self.set_layer, base=False)
        self.place_tool = BrickPlaceTool(self.piece, self.ghost, go_to_layer, self.allows(Aid.MEASURING))
        self.select_tool = BrickSelectTool(self.piece, self.ghost, self.commands, self._hide_dragged)
        for pane in (view, self.canvas):
            pane.set_tool(self.place_tool)
            pane.set_describe(self._describe)
            pane.add_overlay(self.place_tool.paint)
            pane.context_requested.connect(self._show_menu)
        view.add_overlay(Legend(self._legend, right=AXES_WIDTH))
        self.canvas.add_overlay(Legend(lambda: legend.entries_in_plan(self.shows_heat.value), left=LEFT_OF_RULER))
        return view

    def central_widget(self) -> QWidget:
        """The 3D view, and the plan beside it."""
        self.splitter = split(self.view, self.plan, shares=(5, 3))
        self.splitter.setCollapsible(0, False)
        return self.splitter

    def list_controls(self) -> Iterable[Declared]:
        stacks = "Build on or beside the brick under the pointer. Off, or with Ctrl: always on the active layer."
        illegal = "Bricks may overlap, miss studs or float; the verdict will say so"
        rules = [Switch("Allow illegal places", *attribute(self.piece, "allows_illegal"), illegal)]
        yield Section(
            "Tools",
            Tools(
                self.view,
                ToolButton("Place", self.place_tool, "P", "place", "Place bricks: point and click"),
                ToolButton("Select", self.select_tool, "V", "select", "Select and drag bricks; Shift-drag copies them"),
                columns=2,
                take=self.use_tool,
            ),
            Switch("Stack on bricks", *attribute(self.place_tool, "stacks"), stacks),
            *(rules if self.allows(Aid.JUDGING) else ()),
        )
        yield self._edit_controls()
        yield self._array_controls()
        both_sides = "Place every brick on both sides of {} = 0"
        mirrors = self.place_tool.mirrors
        yield Section(
            "Mirror while placing",
            *(
                Switch(f"at {name} = 0", partial(mirrors.__getitem__, k), partial(self._set_mirror, k), tip)
                for k, (name, tip) in enumerate((name, both_sides.format(name)) for name in "xy")
            ),
        )
        yield self._selection_controls()
        yield self._layer_controls()
        beside = "Show the active layer from above, beside the 3D view"
        colors = "What the colours of bricks show"
        shares = [Option(text, Aid.MEASURING) for text in ("Layer, poor bricks", "Share inside")]
        yield Section(
            "View",
            Switch("Plan of the layer", lambda: self.plan_has_room, self.share_room, beside, Aid.VIEWING),
            Choice("Colours", [*shares, "Layer only"], self.coloring.get, self._set_coloring, colors, Aid.VIEWING),
        )
        yield self._key_controls()
        yield ThingsEditing(self, self._things()).controls([Verb.DUPLICATE, Verb.SELECT_ALL, Verb.DELETE])

    def _things(self) -> Things:
        piece = self.piece
        return Things(
            name="bricks",
            selection=piece.selection,
            part=lambda chosen: (Structure(bricks=tuple(piece.bricks[i] for i in chosen)), range(len(chosen))),
            add=lambda label, structure, _: self.commands.paste(label, structure.bricks),
            delete=self.commands.delete,
        )

    def _edit_controls(self) -> Section:
        commands = self.commands
        has_chosen = self._has_chosen
        mirrors = "Mirror the selected bricks, or all, to the other side of {} = 0"
        quarters = "Repeat the selected bricks, or all, by quarter turns about the middle"
        repeats = "Repeat the selected bricks in rows and layers"
        poor = "less than 25 % inside the shell"
        keeps = f"Remove the bricks that cost points: those {poor}"

        def can_turn() -> bool:
            return self.is_placing or has_chosen()

        return Section(
            "Edit",
            Buttons(
                Action("Turn", partial(self._rotate, 90.0), "R", "rotate", "Turn by 90°", enabled=can_turn),
                Action(
                    "Duplicate",
                    commands.copy,
                    "Ctrl+D",
                    "copy",
                    "Copy the selected bricks beside them",
                    enabled=has_chosen,
                    verb=Verb.DUPLICATE,
                ),
                Action(
                    "Delete",
                    commands.delete,
                    "Del, Backspace",
                    "delete",
                    "Delete the selected bricks",
                    enabled=has_chosen,
                    verb=Verb.DELETE,
                ),
                Action("Array…", self._open_array, "", "array", repeats, enabled=has_chosen),
                Action("Mirror x", partial(commands.mirror, "x"), "", "mirror", mirrors.format("x")),
                Action("Mirror y", partial(commands.mirror, "y"), "", "mirror_y", mirrors.format("y")),
                Action("Four-fold", commands.four_fold, "", "four_fold", quarters),
                columns=2,
            ),
            Buttons(Action("Keep bricks above 25 %", commands.keep_worthy, "", "solve", keeps, Aid.SOLVING)),
        )

    def _array_controls(self) -> Section:
        array = self.array

        def is_open() -> bool:
            return self.array.is_open

        pitches = (self._pitch(k, step) for k, step in enumerate((8.0, 8.0, 9.6)))
        places = "Place the bricks that are shown"
        closes = "Close the array without placing anything"
        return Section(
            "Array",
            Numbers(
                "Copies",
                "xyz",
                lambda: array.count,
                array.set_count,
                (1, 50),
                "Number of bricks along x, y and z",
                columns=3,
                field_px=48,
                shown=is_open,
            ),
            *pitches,
            Note("How many have room", lambda: array.note, shown=is_open),
            Buttons(
                Action("Apply", array.apply, "", "check", places, enabled=lambda: array.can_be_placed, shown=is_open),
                Action("Cancel", array.close, "", "close", closes, shown=is_open),
                columns=2,
            ),
        )

    def _pitch(self, place: int, step: float) -> Number:
        array = self.array
        axis = "xyz"[place]
        get = partial(array.pitch, place)
        put = partial(array.set_pitch, place)
        far = (-1000.0, 1000.0)
        tip = f"Distance along {axis}"
        return Number(f"Pitch {axis}", get, put, far, tip, step, 1, "mm", shown=lambda: array.is_open)

    def _selection_controls(self) -> Section:
        commands = self.commands
        top = self.piece.top_layer
        wide = (-FARTHEST_MM, FARTHEST_MM)
        places: Sequence[tuple[Any, ...]] = (
            ("x", wide, "x of the brick's centre", 8.0, 2, "mm"),
            ("y", wide, "y of the brick's centre", 8.0, 2, "mm"),
            ("Layer", (0, top), "Layer of the brick; 0 lies on the ground", 1.0, 0, ""),
            ("Angle", (-15, 375), "Turn of the brick; at 0 its long side is along x", 15.0, 1, "°"),
        )
        steps: Sequence[tuple[Any, ...]] = (
            ("x by", wide, "How far along x", 8.0, 2, "mm"),
            ("y by", wide, "How far along y", 8.0, 2, "mm"),
            ("Layers", (-top, top), "How many layers up", 1.0, 0, ""),
        )
        return Section(
            "Selection",
            Buttons(
                Action("All", commands.select_all, "Ctrl+A", "box", "Select all bricks", verb=Verb.SELECT_ALL),
                Action("Layer", commands.select_layer, "L", "layers", "Select the bricks of the active layer"),
                columns=2,
            ),
            Note("What is selected", self._words_of_selection, lines=2),
            # Four rows for one brick and four for several, so that what is below stays where it is.
            *(
                Number(
                    text,
                    partial(self._value, k),
                    partial(commands.set_value, k),
                    *rest,
                    enabled=self._is_one_selected,
                    shown=self._is_one_selected_at_most,
                )
                for k, (text, *rest) in enumerate(places)
            ),
            *(
                Number(text, step.get, step.put, *rest, shown=self._are_several_selected)
                for step, (text, *rest) in zip(self._steps, steps, strict=True)
            ),
            Buttons(
                Action(
                    "Move",
                    self._move_selected,
                    "",
                    "move",
                    "Move the bricks by this much",
                    shown=self._are_several_selected,
                )
            ),
        )

    def _layer_controls(self) -> Section:
        active = "The active layer; 0 lies on the ground (Page Up, Page Down)"
        fills = "Fill the empty part of the active layer"
        missing = "Colour the part of the active layer that no brick fills yet"
        heat = self.shows_heat
        hides = self.hides_above
        return Section(
            "Layer",
            Number("Active", lambda: self.piece.layer, self._type_layer, (0, self.piece.top_layer), active),
            Buttons(Action("Fill this layer", self.commands.fill_layer, "", "fill", fills, Aid.SOLVING)),
            Switch("Hide layers above", hides.get, hides.put, "Show only up to this layer", Aid.VIEWING),
            Switch("Show what is missing", heat.get, heat.put, missing, Aid.MEASURING),
        )

    def _key_controls(self) -> Keys:
        return Keys(
            Action("Turn by 15°", partial(self._rotate, SNAP_ANGLE_DEG), "Shift+R"),
            Action("Layer up", partial(self.step_layer, 1), "PgUp"),
            Action("Layer down", partial(self.step_layer, -1), "PgDown"),
            Action("Raise selected bricks", partial(self.commands.lift, 1), "Shift+PgUp"),
            Action("Lower selected bricks", partial(self.commands.lift, -1), "Shift+PgDown"),
            Action("Place the brick", self._place, "Return, Enter"),
            *nudges(self._step, STEPS),
        )

    def make_scene(self) -> Scene:
        count = len(self.piece.bricks)
        self._shares = self.piece.shares() if self.allows(Aid.MEASURING) else np.full(count, np.nan)
        self._colors = colors_of(self.piece.poses, self._shares, Coloring(self.coloring.value))
        return self.drawing.scene(self.piece.poses, self._colors, self._extras)

    def redraw(self, reset_view: bool = False) -> None:
        """The plan is drawn a moment later than the bricks."""
        before = self._shown
        self._shown = self.piece.bricks
        selected = self.view.selection
        self._learn_verdict()
        if before is not self._shown:
            self._note = ""
            self._failed = followed(before, self._shown, self._failed)
        super().redraw(reset_view)
        if before is not self._shown:
            self.piece.select(followed(before, self._shown, indices_of(selected)))
            self.hide_what_is_hidden()
            if self.is_placing and self.place_tool.is_shown:
                self.place_tool.again()
        self.later.start()

    def refresh(self) -> None:
        self.array.preview()
        super().refresh()

    def status(self) -> str:
        bricks = counted(len(self.piece.bricks), "brick") if self.allows(Aid.MEASURING) else ""
        selected = f"{len(self.piece.selected)} selected" if self.piece.selected else ""
        parts = [bricks, f"layer {self.piece.layer}", self._raw_words(), selected, self.ghost.words, self._note]
        return " · ".join(filter(None, parts))

    def marked(self) -> Mapping[str, str]:
        """The bricks that the last verdict named."""
        return dict.fromkeys(brick_ids(i for i in self._failed if i < len(self.piece.bricks)), "failed")

    def show_elements(self, ids: Iterable[str]) -> None:
        """Also goes to the bricks' layer."""
        ids = tuple(ids)
        bricks = [i for i in indices_of(ids) if i < len(self.piece.bricks)]
        if bricks:
            self.set_layer(int(self.piece.poses.layers[bricks].max()), base=False)
        super().show_elements(ids)

    def close_editor(self) -> None:
        """Also stores how the room is divided between the views."""
        if appearance().remembers:
            _settings().setValue(SPLITTER_KEY, self.splitter.saveState())
        super().close_editor()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)

    # Tools -------------------------------------------------------------------------------------------------------

    @property
    def is_placing(self) -> bool:
        """Whether the place tool is active."""
        return self.view.tool is self.place_tool

    @property
    def aims_ghost(self) -> bool:
        """Whether keys move and turn the ghost rather than selected bricks."""
        return self.is_placing and not self.piece.selected

    def way_on_screen(self, way: Way) -> Way:
        """The axis nearest to an arrow key's direction, as seen in the 3D view or in the plan if it has the focus."""
        if self.canvas.hasFocus():
            return way
        assert isinstance(self.view, Viewport3D)
        return way_on_screen(self.view, way)

    def use_tool(self, tool: Tool) -> None:
        """Activates a tool in both views."""
        if tool is self.place_tool:
            self.piece.select([])
        for view in (self.view, self.canvas):
            view.set_tool(tool)
        self.refresh()

    def say(self, note: str) -> None:
        """Shows a message in the status bar until the ghost moves or the bricks change."""
        self._note = note
        self.update_status()

    def _ghost_changed(self) -> None:
        self._note = "" if len(self.ghost.poses) else self._note
        self.update_status()

    def _rotate(self, by_deg: float) -> None:
        if self.aims_ghost:
            self.place_tool.turn(by_deg)
        else:
            self.commands.rotate(by_deg)

    def _step(self, way: Way, size_mm: float) -> None:
        """Moves the ghost or the selected bricks in the direction of the key on the screen."""
        x, y, _ = self.way_on_screen(way)
        if self.aims_ghost:
            self.place_tool.step(x * size_mm, y * size_mm, free=size_mm < STUD_PITCH)
        else:
            self.commands.nudge((x, y), size_mm)

    def _place(self) -> None:
        if self.array.is_open:
            self.array.apply()
        elif self.is_placing:
            self.place_tool.place()

    def _leave(self) -> None:
        """Handles Escape: ends what was begun, then the tool, then the selection."""
        if self.array.is_open:
            self.array.close()
        elif self.select_tool.was_dropped:
            self.select_tool.was_dropped = False
        elif self.is_placing:
            self.use_tool(self.select_tool)
        else:
            self.piece.select([])

    def _open_array(self) -> None:
        self.use_tool(self.select_tool)
        self.array.open()

    # Layers ------------------------------------------------------------------------------------------------------

    def step_layer(self, by: int) -> None:
        """Moves dragged bricks up or down or, if there are none, the active layer."""
        if not self.select_tool.lift(by):
            self.set_layer(self.piece.layer + by)

    def set_layer(self, layer: int, base: bool = True) -> None:
        """Makes a layer the active one and, with `base`, the layer for bricks that are not stacked."""
        layer = max(0, min(self.piece.top_layer, layer))
        if base:
            self.piece.base_layer = layer
        if layer != self.piece.layer:
            self.piece.layer = layer
            self.hide_what_is_hidden()
            self.later.start()
        if base:
            self.place_tool.again()
        self.refresh()

    def hide_what_is_hidden(self) -> None:
        """Hides dragged bricks and, if that is switched on, the layers above the active one."""
        hidden = set(brick_ids(self._dragged))
        if self.hides_above.value:
            hidden |= set(brick_ids(np.flatnonzero(self.piece.poses.layers > self.piece.layer).tolist()))
        for view in (self.view, self.canvas):
            view.set_hidden(hidden)

    def draw_later(self) -> None:
        """Draws the plan, and the marks of the active layer in the 3D view."""
        self.later.stop()
        piece = self.piece
        layer = self.piece.layer
        heat = Heat.of(piece.shell, layer, piece.bricks) if self.shows_heat.value else None
        self._extras = layer_rings(piece.shell, layer)
        if heat is not None and len(heat.missing):
            self._extras += (heat.in_space(),)
        self.plan.show_layer(layer)
        marks = self.drawing.marks_on(layer)
        self.canvas.set_scene(plan_scene(piece.shell, layer, piece.poses, self._colors, heat, marks))
        super().redraw()

    @property
    def plan_has_room(self) -> bool:
        """Whether the plan is shown and has room."""
        return self.plan.isVisibleTo(self) and (not self.splitter.isVisible() or self.splitter.sizes()[1] > 0)

    def share_room(self, plan: bool) -> None:
        """Gives the plan a third of the width, or none."""
        self.splitter.setSizes([2000, 1000] if plan else [1, 0])

    # Internal ----------------------------------------------------------------------------------------------------

    def _learn_verdict(self) -> None:
        verdict = self.verdict
        if verdict is None or not self.allows(Aid.JUDGING):
            return
        self.piece.learn_shares()
        self.drawing.take_marks(self.piece.poses, verdict.details)
        self._failed = indices_of(verdict.failed_elements)
        raw = next((figure.value for figure in verdict.figures if figure.name == "raw"), None)
        self._raw = f"score {score_words(verdict.score)}" + (
            f" · raw {raw:.3f}".replace("-", "−") if raw is not None else ""
        )

    def _raw_words(self) -> str:
        return self._raw if self.document.is_verdict_current else f"{self._raw} …" * bool(self._raw)

    def _hide_dragged(self, bricks: Sequence[int]) -> None:
        self._dragged = bricks
        self.hide_what_is_hidden()

    def _has_chosen(self) -> bool:
        return bool(self.piece.selected)

    def _is_one_selected(self) -> bool:
        return len(self.piece.selected) == 1

    def _are_several_selected(self) -> bool:
        return len(self.piece.selected) > 1

    def _is_one_selected_at_most(self) -> bool:
        return not self._are_several_selected()

    def _words_of_selection(self) -> str:
        chosen = self.piece.selected
        if len(chosen) == 1:
            return f"Brick {chosen[0]} · {self._words_of(chosen[0])}"
        return counted(len(chosen), "brick") if chosen else "Click a brick with Select, or drag a box around several."

    def _value(self, place: int) -> float:
        """x, y, layer or angle (0 to 3) of the single selected brick."""
        chosen = self.piece.selected
        if len(chosen) != 1:
            return 0.0
        x, y, _, angle = self.piece.poses.poses[chosen[0]].tolist()
        return float((x, y, self.piece.poses.layers[chosen[0]], angle % 360.0)[place])

    def _move_selected(self) -> None:
        x, y, layers = (step.value for step in self._steps)
        self.commands.move_by(x, y, round(layers))

    def _type_layer(self, layer: float) -> None:
        self.set_layer(round(layer))

    def _set_mirror(self, axis: int, on: bool) -> None:
        self.place_tool.mirrors[axis] = on
        self.place_tool.again()

    def _set_coloring(self, index: int) -> None:
        self.coloring.put(Coloring(index))

    def _show_menu(self, pick: Pick | None, where: QPoint) -> None:
        brick = index_of(pick.id) if pick is not None else None
        if brick is not None and brick not in self.piece.selected:
            self.piece.select([brick])
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self.panel.actions[text] for text in MENU])
        menu.popup(where)

    def _describe(self, pick: Pick) -> tuple[str, str]:
        brick = index_of(pick.id)
        if brick is None or brick >= len(self._shares):
            return pick.id.capitalize(), ""
        return ("", "") if self.is_placing else (f"Brick {brick}", self._words_of(brick))

    def _words_of(self, brick: int) -> str:
        share = self._shares[brick]
        layer = self.piece.poses.layers[brick]
        inside = "" if np.isnan(share) else f"{100 * share:.0f} % inside the shell · "
        return f"{inside}layer {layer}"

    def _legend(self) -> Sequence[Entry]:
        return legend.entries_in_space(self.coloring.value, self._colors, self.shows_heat.value)


def _settings() -> QSettings:
    return QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "spatial-workbench", "workbench")
