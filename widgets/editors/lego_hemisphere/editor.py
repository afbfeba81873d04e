"""The editor: the bricks in 3D, and the plan of the active layer beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.scene import Item
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.lego_hemisphere import Brick, Structure
from spatial_workbench.widgets.editing.controls import (
    Choice,
    Declared,
    Keys,
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
from spatial_workbench.widgets.editing.placing import PlacingTools
from spatial_workbench.widgets.editing.selection import SelectionMenu
from spatial_workbench.widgets.editing.things import Things, ThingsEditing
from spatial_workbench.widgets.editors.lego_hemisphere.array import BrickArray
from spatial_workbench.widgets.editors.lego_hemisphere.commands import BrickCommands
from spatial_workbench.widgets.editors.lego_hemisphere.controls import (
    BrickSelectionControls,
    array_section,
    edit_section,
    layer_section,
    mirror_section,
)
from spatial_workbench.widgets.editors.lego_hemisphere.drawing import (
    BrickDrawing,
    Coloring,
    Heat,
    layer_rings,
    plan_scene,
)
from spatial_workbench.widgets.editors.lego_hemisphere.gestures import BrickPlaceTool, BrickSelectTool
from spatial_workbench.widgets.editors.lego_hemisphere.ghost import Ghost
from spatial_workbench.widgets.editors.lego_hemisphere.hand import BrickHand
from spatial_workbench.widgets.editors.lego_hemisphere.layers import BrickLayers
from spatial_workbench.widgets.editors.lego_hemisphere.legend import entries_in_plan
from spatial_workbench.widgets.editors.lego_hemisphere.marks import BrickMarks
from spatial_workbench.widgets.editors.lego_hemisphere.plan import PlanRoom, PlanView
from spatial_workbench.widgets.editors.lego_hemisphere.workpiece import BrickWorkpiece, followed, indices_of
from spatial_workbench.widgets.scene_views.legend import AXES_WIDTH, LEFT_OF_RULER, Legend
from spatial_workbench.widgets.scene_views.view import SceneView
from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

HINT = (
    "Fill the blue shell with bricks.\n"
    "Click the ground to place a brick, click a brick to build on it. R turns the brick.\n"
    "Drag the right or the middle button to look around."
)
MENU = ("Turn", "Duplicate", "Delete", "Array…", "Mirror x", "Mirror y", "Four-fold", "All", "Layer")
"""The context menu of a brick."""


class LegoEditor(Editor[Structure]):
    """Builds a shell of bricks."""

    links_selection = True
    marks_with_answer = True

    def prepare(self) -> None:
        self.shows_heat = Setting(False, self.draw_later)
        self._note = ""
        self._shown: tuple[Brick, ...] = ()
        self._extras: tuple[Item, ...] = ()

    def begin(self) -> None:
        self.later.start()
        self.room.restore(self.refresh)
        if not self.piece.bricks:
            self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        """Also makes the plan, and the objects that work on the bricks in both views."""
        view = Viewport3D()
        self.plan = PlanView()
        self.canvas: SceneView = self.plan.canvas
        self.piece = BrickWorkpiece(self.document, view, self.say, self.allows(Aid.JUDGING))
        self.drawing = BrickDrawing(self.piece.shell)
        self.ghost = Ghost(self.piece, view, self.canvas, self._ghost_changed)
        self.commands = BrickCommands(self.piece, self.runner)
        self.array = BrickArray(self.piece, self.commands, self.ghost, self.refresh)
        self._make_tools((view, self.canvas))
        self.plan.layer_stepped.connect(self.layers.step)
        self.hand = BrickHand(self.placing, self.place_tool, self.commands, self.array, self.layers, view, self.canvas)
        self._describe_bricks((view, self.canvas))
        return view

    def _make_tools(self, views: Sequence[SceneView]) -> None:
        self.place_tool = BrickPlaceTool(
            self.piece, self.ghost, lambda layer: self.layers.go_to_placed(layer), self.allows(Aid.MEASURING)
        )
        self.select_tool = BrickSelectTool(
            self.piece, self.ghost, self.commands, lambda bricks: self.layers.hide_dragged(bricks)
        )
        self.layers = BrickLayers(
            self.piece, views, self.select_tool.lift, self.place_tool.again, self.refresh, self.later.start
        )
        for view in views:
            view.set_tool(self.place_tool)
        self.placing = PlacingTools(
            views, self.place_tool, self.select_tool, self.piece.selection, self.refresh, deselects=True
        )

    def _describe_bricks(self, views: Sequence[SceneView]) -> None:
        """Makes each view describe its bricks and the possible actions."""
        self.marks = BrickMarks(
            self.document,
            self.piece,
            self.drawing,
            self.allows(Aid.MEASURING),
            lambda: self.placing.is_placing,
            self.shows_heat.get,
        )
        for view in views:
            view.set_describe(self.marks.describe)
            view.add_overlay(self.place_tool.paint)
            view.context_requested.connect(SelectionMenu(self, self.piece.selection, MENU).show)
        views[0].add_overlay(Legend(self.marks.legend, right=AXES_WIDTH))
        views[1].add_overlay(Legend(lambda: entries_in_plan(self.shows_heat.value), left=LEFT_OF_RULER))

    def central_widget(self) -> QWidget:
        """The 3D view, and the plan beside it."""
        self.room = PlanRoom(self.view, self.plan)
        return self.room.splitter

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
                take=self.placing.use,
            ),
            Switch("Stack on bricks", *attribute(self.place_tool, "stacks"), stacks),
            *(rules if self.allows(Aid.JUDGING) else ()),
        )
        yield edit_section(self.commands, self.hand)
        yield array_section(self.array)
        yield mirror_section(self.place_tool)
        yield BrickSelectionControls(self.commands, self.marks.words_of_selection).section()
        yield layer_section(self.layers, self.commands, self.shows_heat)
        yield self._view_controls()
        yield Keys(*self.hand.keys())
        yield ThingsEditing(self, self._things()).controls([Verb.DUPLICATE, Verb.SELECT_ALL, Verb.DELETE])

    def _view_controls(self) -> Section:
        beside = "Show the active layer from above, beside the 3D view"
        colors = "What the colours of bricks show"
        shares = [Option(text, Aid.MEASURING) for text in ("Layer, poor bricks", "Share inside")]
        coloring = partial(getattr, self.marks, "coloring")
        return Section(
            "View",
            Switch("Plan of the layer", lambda: self.room.is_there, self.room.share, beside, Aid.VIEWING),
            Choice("Colours", [*shares, "Layer only"], coloring, self._set_coloring, colors, Aid.VIEWING),
        )

    def _set_coloring(self, index: int) -> None:
        self.marks.coloring = Coloring(index)
        self.redraw()

    def _things(self) -> Things:
        piece = self.piece
        return Things(
            name="bricks",
            selection=piece.selection,
            part=lambda chosen: (Structure(bricks=tuple(piece.bricks[i] for i in chosen)), range(len(chosen))),
            add=lambda label, structure, _: self.commands.paste(label, structure.bricks),
            delete=self.commands.delete,
        )

    def make_scene(self) -> Scene:
        self.marks.measure_bricks()
        return self.drawing.scene(self.piece.poses, self.marks.colors, self._extras)

    def redraw(self, reset_view: bool = False) -> None:
        """The plan is drawn a moment later than the bricks."""
        before = self._shown
        self._shown = self.piece.bricks
        selected = self.view.selection
        self.marks.learn_verdict()
        if before is not self._shown:
            self._note = ""
            self.marks.follow_bricks(before, self._shown)
        super().redraw(reset_view)
        if before is not self._shown:
            self.piece.select(followed(before, self._shown, indices_of(selected)))
            self.layers.hide()
            if self.placing.is_placing and self.place_tool.is_shown:
                self.place_tool.again()
        self.later.start()

    def refresh(self) -> None:
        self.array.preview()
        super().refresh()

    def status(self) -> str:
        bricks = counted(len(self.piece.bricks), "brick") if self.allows(Aid.MEASURING) else ""
        selected = f"{len(self.piece.selected)} selected" if self.piece.selected else ""
        parts = [
            bricks,
            f"layer {self.piece.layer}",
            self.marks.words_of_score(),
            selected,
            self.ghost.words,
            self._note,
        ]
        return " · ".join(filter(None, parts))

    def marked(self) -> Mapping[str, str]:
        """The bricks that the last verdict named."""
        return self.marks.marked()

    def show_elements(self, ids: Iterable[str]) -> None:
        """Also goes to the bricks' layer."""
        ids = tuple(ids)
        bricks = [i for i in indices_of(ids) if i < len(self.piece.bricks)]
        if bricks:
            self.layers.go_to_placed(int(self.piece.poses.layers[bricks].max()))
        super().show_elements(ids)

    def close_editor(self) -> None:
        """Also stores how the room is divided between the views."""
        self.room.store()
        super().close_editor()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hand.leave()
        else:
            super().keyPressEvent(event)

    def say(self, note: str) -> None:
        """Shows a message in the status bar until the ghost moves or the bricks change."""
        self._note = note
        self.update_status()

    def _ghost_changed(self) -> None:
        self._note = "" if len(self.ghost.poses) else self._note
        self.update_status()

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
        self.canvas.set_scene(plan_scene(piece.shell, layer, piece.poses, self.marks.colors, heat, marks))
        super().redraw()
