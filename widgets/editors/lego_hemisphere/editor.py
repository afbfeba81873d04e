"""The editor: the bricks in space, the plan of the active layer beside them, and what connects both to the answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QShowEvent
from PySide6.QtWidgets import QMenu, QSplitter, QWidget

from engine.core import Scene, Verdict
from engine.core.scene import Floats, Item
from engine.core.words import counted
from engine.tasks.lego_hemisphere import Brick
from engine.tasks.lego_hemisphere.answer import MAX_BRICKS, bricks_at, poses_of
from engine.tasks.lego_hemisphere.brick import Poses
from engine.tasks.lego_hemisphere.editing import propose, with_images
from engine.tasks.lego_hemisphere.rules import brick_ids, name_bricks
from widgets.editing.editor import Editor
from widgets.editing.panel import ToolPanel
from widgets.editors.lego_hemisphere import ghost_marks, legend
from widgets.editors.lego_hemisphere.commands import Commands
from widgets.editors.lego_hemisphere.drawing import (
    Coloring,
    Drawing,
    Heat,
    colors_of,
    ghost_item,
    layer_rings,
    plan_scene,
)
from widgets.editors.lego_hemisphere.gestures import PlaceTool, SelectTool
from widgets.editors.lego_hemisphere.plan import PlanView
from widgets.editors.lego_hemisphere.tools import Tools
from widgets.editors.lego_hemisphere.workpiece import Workpiece, followed, index_of, indices_of
from widgets.legend import AXES_WIDTH, LEFT_OF_RULER, Entry, Legend
from widgets.view import Pick, SceneView

HINT = (
    "Fill the blue shell with bricks.\n"
    "Click the ground to place one, click a brick to build on it. R turns it.\n"
    "Drag the right or the middle button to look around."
)
SPLITTER_KEY = "editors/lego_hemisphere/splitter"


class LegoEditor(Editor):
    """Builds a shell of bricks."""

    def prepare(self) -> None:
        self.piece = Workpiece(self.document)
        self.drawing = Drawing(self.piece.shell)
        self.layer = 0
        self.base_layer = 0
        """The layer of bricks that lie on no other: the one that was chosen, not one that stacking led to."""
        self.stacks = True
        self.allows_illegal = False
        self.mirrors = (False, False)
        self.coloring = Coloring.BOTH
        self.hides_above = False
        self.shows_heat = False
        self.ghost: Floats = np.zeros((0, 4))
        self.ghost_problem = ""
        self._ghost_words = ""
        self._ghost_share = 0.0
        self._note = ""
        self._raw = ""
        self._shown: tuple[Brick, ...] = ()
        self._shares: Floats = np.zeros(0)
        self._colors: list[str] = []
        self._failed: list[int] = []
        self._dragged: tuple[str, ...] = ()
        self._extras: tuple[Item, ...] = ()
        self._heat: Heat | None = None
        self.place_tool = PlaceTool(self)
        self.select_tool = SelectTool(self)
        self.commands = Commands(self)

    def begin(self) -> None:
        self.later.start()
        if not self.piece.bricks:
            self.view.show_hint(HINT)

    # The frame of the editor -------------------------------------------------------------------------------------

    def central_widget(self) -> QWidget:
        """The view in space, and the plan beside it."""
        self.plan = PlanView()
        self.plan.layer_stepped.connect(self.step_layer)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(self.view)
        self.splitter.addWidget(self.plan)
        self.splitter.setStretchFactor(0, 5)
        self.splitter.setStretchFactor(1, 3)
        self.splitter.setCollapsible(0, False)
        for view in self.views:
            view.set_describe(self._describe)
            view.add_overlay(self._paint_ghost_marks)
            view.context_requested.connect(self._show_menu)
            view.selection_changed.connect(self._chosen)
        self.view.add_overlay(Legend(self._legend, right=AXES_WIDTH))
        self.canvas.add_overlay(Legend(self._plan_legend, left=LEFT_OF_RULER))
        return self.splitter

    def build_tools(self, tools: ToolPanel) -> None:
        """Tools, commands, layers, colours, and the numbers of what is selected."""
        self.controls = Tools(self, tools)
        self.use_tool(self.place_tool)
        stored = _settings().value(SPLITTER_KEY)
        if stored is None or not self.splitter.restoreState(stored):
            self.share_room(True)
        self.splitter.splitterMoved.connect(lambda *_: self.controls.show_plan_state())
        self.controls.show_plan_state()

    def make_scene(self) -> Scene:
        """The bricks in space."""
        self._shares = self.piece.shares()
        self._colors = colors_of(self.piece.poses, self._shares, self.coloring)
        return self.drawing.scene(self.piece.poses, self._colors, self._extras)

    def redraw(self, reset_view: bool = False) -> None:
        """Draws the bricks at once, and the plan a moment later."""
        before, self._shown = self._shown, self.piece.bricks
        selected = self.view.selection
        self._learn_verdict()
        super().redraw(reset_view)
        if before is not self._shown:
            self.select(followed(before, self._shown, indices_of(selected)))
            self._failed = followed(before, self._shown, self._failed)
            self.mark_failed()
            self.hide_what_is_hidden()
            if self.is_placing and self.place_tool.is_shown:
                self.place_tool.again()
        self.controls.show_selection()
        self.later.start()

    def status(self) -> str:
        """Bricks, layer, score, and what the ghost or the last command has to say."""
        count = len(self.piece.bricks)
        parts = [counted(count, "brick"), f"layer {self.layer}", self._raw_words()]
        if len(self.selected):
            parts.append(f"{len(self.selected)} selected")
        return " · ".join(filter(None, [*parts, self._ghost_words, self._note]))

    def verdict_arrived(self, verdict: Verdict | None) -> None:
        """Marks bricks again that a verdict of an older answer would have let go."""
        self.mark_failed()
        self.controls.show_selection()

    def marked(self) -> Mapping[str, str]:
        """The bricks that the last verdict named."""
        return dict.fromkeys(brick_ids(i for i in self._failed if i < len(self.piece.bricks)), "failed")

    def show_elements(self, ids: Iterable[str]) -> None:
        """Selects bricks, flies to them and goes to their layer."""
        ids = tuple(ids)
        there = [i for i in indices_of(ids) if i < len(self.piece.bricks)]
        if there:
            self.set_layer(int(self.piece.poses.layers[there].max()), base=False)
        super().show_elements(ids)

    def close_editor(self) -> None:
        """Gives everything back, and remembers how the room was shared."""
        _settings().setValue(SPLITTER_KEY, self.splitter.saveState())
        super().close_editor()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.controls.show_plan_state()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)

    # What gestures and commands ask ------------------------------------------------------------------------------

    @property
    def canvas(self) -> SceneView:
        """The view of the plan."""
        return self.plan.canvas

    @property
    def views(self) -> tuple[SceneView, SceneView]:
        """The view in space and the plan."""
        return self.view, self.canvas

    @property
    def selected(self) -> list[int]:
        """The selected bricks, in the answer's order."""
        return sorted(i for i in indices_of(self.view.selection) if i < len(self.piece.bricks))

    @property
    def is_placing(self) -> bool:
        """Whether the place tool is in hand."""
        return self.view.tool is self.place_tool

    def way_on_screen(self, way: tuple[float, float]) -> tuple[float, float]:
        """The axis that an arrow key means: the nearest one in the view in space, unless the plan has the focus."""
        x, y = way
        if self.canvas.hasFocus():
            return x, y
        right = self.view.camera.axes[0]
        quarters = round(np.degrees(np.arctan2(right[1], right[0])) / 90) % 4
        for _ in range(quarters):
            x, y = -y, x
        return x, y

    @property
    def plan_has_room(self) -> bool:
        """Whether the plan can be seen."""
        return self.plan.isVisibleTo(self) and (not self.splitter.isVisible() or self.splitter.sizes()[1] > 0)

    def share_room(self, plan: bool) -> None:
        """Gives the plan a third of the room, or none."""
        self.splitter.setSizes([2000, 1000] if plan else [1, 0])

    @property
    def aims_ghost(self) -> bool:
        """Whether keys move and turn the ghost. Selected bricks, after a click on a check or as copies, go first."""
        return self.is_placing and not self.selected

    def use_tool(self, tool: PlaceTool | SelectTool) -> None:
        """Takes a tool in hand, in both views."""
        if tool is self.place_tool:
            self.select([])
        for view in self.views:
            view.set_tool(tool)
        self.controls.show_tool()
        self.tell_status()

    def select(self, bricks: Iterable[int]) -> None:
        """Selects bricks."""
        self.view.set_selection(brick_ids(bricks))

    def say(self, note: str) -> None:
        """Says something in the status bar, until the ghost moves or the bricks change."""
        self._note = note
        self.tell_status()

    def put(self, label: str, bricks: tuple[Brick, ...], select: Sequence[int] | None = None, merge: str = "") -> None:
        """Makes these the bricks, as one step of the history."""
        self._note = ""
        self.edit(label, self.document.answer.model_copy(update={"bricks": bricks}), merge)
        if select is not None:
            self.select(select)

    def add(self, label: str, bricks: tuple[Brick, ...], select: bool) -> None:
        """Adds bricks, as one step of the history."""
        count = len(self.piece.bricks)
        if count + len(bricks) > MAX_BRICKS:
            self.say(f"Not done: an answer holds {MAX_BRICKS} bricks at most.")
            return
        self.put(label, self.piece.bricks + bricks, range(count, count + len(bricks)) if select else None)

    def show_ghost(self, poses: Floats, ignore: Sequence[int] = (), rigid: bool = False) -> None:
        """Shows bricks where they would be, and what is wrong there."""
        if self.is_placing:
            poses = with_images(poses, *self.mirrors)
        proposal = propose(self.piece.placement, poses, ignore, rigid)
        problems = proposal.problems
        problem = problems[0].message if problems else ""
        self.ghost_problem, self._note = problem, ""
        self._ghost_share = self.piece.share_at(poses) if self.is_placing else 0.0
        hosts = f"snapped to {name_bricks(proposal.clicks, 3).lower()}" if proposal.clicks else ""
        self._ghost_words = problem or hosts
        if not np.array_equal(poses, self.ghost) or problem != self.view.ghost_reason:
            self._draw_ghost(poses, problem)
        self.canvas.update()
        self.view.update()
        self.tell_status()

    def clear_ghost(self) -> None:
        """Shows no ghost."""
        self.ghost, self.ghost_problem, self._ghost_words = np.zeros((0, 4)), "", ""
        for view in self.views:
            view.set_ghost(())
        self.tell_status()

    def place_ghost(self) -> bool:
        """Makes the ghost bricks of the answer; says whether that was allowed."""
        if not len(self.ghost):
            return False
        if self.ghost_problem and not self.allows_illegal:
            self.say(f"Not placed: {self.ghost_problem}")
            return False
        poses = self.ghost
        self.place_tool.hide()
        self.select([])
        label = "Place brick" if len(poses) == 1 else f"Place {len(poses)} bricks"
        self.add(label, bricks_at(poses), select=False)
        self.set_layer(int(Poses(poses).layers[0]), base=False)
        return True

    def show_copies(self, bricks: tuple[Brick, ...]) -> None:
        """Shows bricks as ghosts that can be placed."""
        self._draw_ghost(poses_of(bricks), "")

    def begin_drag(self, bricks: Sequence[int], copies: bool) -> None:
        """Bricks are taken in hand: they are where the ghost is, unless copies are."""
        if not copies:
            self._dragged = tuple(brick_ids(bricks))
            self.hide_what_is_hidden()

    def end_drag(self) -> None:
        """Nothing is in hand any more."""
        self._dragged = ()
        self.hide_what_is_hidden()
        self.clear_ghost()

    def drop_bricks(self, bricks: Sequence[int], poses: Floats, copies: bool) -> None:
        """Puts down what was dragged, unless something is wrong there."""
        if not copies:
            self.commands.change("Move", bricks, poses)
            return
        problems = propose(self.piece.placement, poses, (), rigid=True).problems
        if problems and not self.allows_illegal:
            self.say(f"Not copied: {problems[0].message}")
        else:
            self.add("Copy brick" if len(bricks) == 1 else f"Copy {len(bricks)} bricks", bricks_at(poses), select=True)

    # Layers ------------------------------------------------------------------------------------------------------

    def step_layer(self, by: int) -> None:
        """Goes up or down, with what is dragged."""
        if not self.select_tool.lift(by):
            self.set_layer(self.layer + by)

    def set_layer(self, layer: int, base: bool = True) -> None:
        """Makes a layer the active one; `base`: also for bricks that lie on no other."""
        layer = max(0, min(self.piece.top_layer, layer))
        if base:
            self.base_layer = layer
        if layer != self.layer:
            self.layer = layer
            self.hide_what_is_hidden()
            self.later.start()
        self.controls.show_layer()
        if base:
            self.place_tool.again()
        self.tell_status()

    def hide_what_is_hidden(self) -> None:
        """Leaves out what is dragged and, if wanted, the layers above the active one."""
        hidden = set(self._dragged)
        if self.hides_above:
            hidden |= set(brick_ids(np.flatnonzero(self.piece.poses.layers > self.layer).tolist()))
        for view in self.views:
            view.set_hidden(hidden)

    def draw_later(self) -> None:
        """Draws the plan, and what marks the active layer in space."""
        self.later.stop()
        piece = self.piece
        self._heat = Heat.of(piece.shell, self.layer, piece.bricks) if self.shows_heat else None
        self._extras = layer_rings(piece.shell, self.layer)
        if self._heat is not None and len(self._heat.missing):
            self._extras += (self._heat.in_space(),)
        self.plan.show_layer(self.layer)
        marks = self.drawing.marks_on(self.layer)
        self.canvas.set_scene(plan_scene(piece.shell, self.layer, piece.poses, self._colors, self._heat, marks))
        super().redraw()

    # Own ---------------------------------------------------------------------------------------------------------

    def _learn_verdict(self) -> None:
        verdict = self.document.verdict
        if verdict is None or not self.document.is_verdict_current:
            return
        self.piece.learn_shares()
        self.drawing.take_marks(self.piece.poses, verdict.details)
        self._failed = indices_of(verdict.failed_elements)
        raw = next((figure.value for figure in verdict.figures if figure.name == "raw"), None)
        self._raw = f"score {verdict.score:.2f}" + (f" · raw {raw:.3f}".replace("-", "−") if raw is not None else "")

    def _raw_words(self) -> str:
        return self._raw if self.document.is_verdict_current else f"{self._raw} …" * bool(self._raw)

    def _draw_ghost(self, poses: Floats, problem: str) -> None:
        self.ghost = poses
        self.view.set_ghost([ghost_item(poses)] if len(poses) else (), problem)
        here = poses[Poses(poses).layers == self.layer]
        self.canvas.set_ghost([ghost_item(here)] if len(here) else (), problem if len(here) else "")

    def _chosen(self, ids: tuple[str, ...]) -> None:
        """The selection changed in one of the views."""
        for view in self.views:
            view.set_selection(ids)
        self.controls.show_selection()
        self.tell_status()

    def _leave(self) -> None:
        """Escape: drops what was begun, then the tool, then the selection."""
        if self.controls.is_arraying:
            self.controls.close_array()
        elif self.select_tool.was_dropped:
            self.select_tool.was_dropped = False
        elif self.is_placing:
            self.use_tool(self.select_tool)
        else:
            self.select([])

    def _show_menu(self, pick: Pick | None, where: QPoint) -> None:
        brick = index_of(pick.id) if pick is not None else None
        if brick is not None and brick not in self.selected:
            self.select([brick])
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self.controls.menu_actions)
        menu.popup(where)

    def _describe(self, pick: Pick) -> tuple[str, str]:
        brick = index_of(pick.id)
        if brick is None or brick >= len(self._shares):
            return pick.id.capitalize(), ""
        if self.is_placing:
            return "", ""
        return f"Brick {brick}", self.words_of(brick)

    def words_of(self, brick: int) -> str:
        """What is to say about a brick, in a line."""
        share, layer = self._shares[brick], self.piece.poses.layers[brick]
        inside = "" if np.isnan(share) else f"{100 * share:.0f} % inside the shell · "
        return f"{inside}layer {layer}"

    def _paint_ghost_marks(self, painter: QPainter, view: SceneView) -> None:
        shown = self.ghost
        if not self.is_placing or not self.place_tool.is_shown or not len(shown):
            return
        if view is self.view:
            ghost_marks.paint_edges(painter, view, shown, "failed" if self.ghost_problem else "accent")
        pointer = self.place_tool.pointer
        if pointer is not None and pointer[0] is view and not self.ghost_problem:
            where = f"layer {Poses(shown).layers[0]}"
            ghost_marks.paint_words(painter, view, pointer[1], self._ghost_share, where)

    def _legend(self) -> Sequence[Entry]:
        return legend.entries_in_space(self.coloring, self._colors, self.shows_heat)

    def _plan_legend(self) -> Sequence[Entry]:
        return legend.entries_in_plan(self.shows_heat)


def _settings() -> QSettings:
    return QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "spatial-workbench", "workbench")
