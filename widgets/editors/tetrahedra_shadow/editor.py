"""The editor: the tetrahedra in space, their shadows from above beside them, and what connects both to the answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QMenu, QSplitter, QWidget

from engine.core import Scene, Verdict
from engine.core.scene import Floats
from engine.tasks.tetrahedra_shadow import target_of
from engine.tasks.tetrahedra_shadow.answer import MAX_PIECES, pieces_at, poses_of
from engine.tasks.tetrahedra_shadow.editing import (
    Surroundings,
    centers_of,
    moved,
    target_outlines,
    tidy,
)
from engine.tasks.tetrahedra_shadow.judging import piece_ids
from engine.tasks.tetrahedra_shadow.live import Live
from engine.tasks.tetrahedra_shadow.presets import pose_of, settled
from engine.tasks.tetrahedra_shadow.shadow import Fit
from engine.tasks.tetrahedra_shadow.solid import vertices_of
from widgets.canvas2d import Canvas2D
from widgets.editing.editor import Editor
from widgets.editing.panel import ToolPanel
from widgets.editors.tetrahedra_shadow.commands import Commands, counted
from widgets.editors.tetrahedra_shadow.controls import Controls
from widgets.editors.tetrahedra_shadow.drawing import (
    Drawing,
    ghost_in_plan,
    ghost_in_space,
    index_of,
    indices_of,
    legend_entries,
    shadow_outlines,
)
from widgets.editors.tetrahedra_shadow.gestures import PlaceTool, SelectTool
from widgets.editors.tetrahedra_shadow.handles import Handles
from widgets.legend import Legend
from widgets.view import Pick, SceneView

HINT = (
    "Fill the blue shape with the shadows of tetrahedra.\n"
    "Click to place one, here or in the plan. R turns it, T, Q and W change its shadow.\n"
    "Drag the right or the middle button to look around."
)
BESIDE_RULER = 68
"""Where the legend begins, right of the ruler's title; in pixels."""


class TetrahedraEditor(Editor):
    """Casts a shape with the shadows of tetrahedra."""

    def prepare(self) -> None:
        self.target = target_of(self.instance)
        self.live = Live(self.target)
        self.drawing = Drawing(self.target)
        self.fit: Fit | None = None
        self.next_pose: Floats = pose_of("triangle", 0.0, 0.0)
        """Orientation of what is placed next."""
        self.stacks, self.snaps, self.overlaps = True, True, False
        self.ghost_problem = ""
        self._words = ""
        self._note = ""
        self._dragged: tuple[str, ...] = ()
        self._redundant: list[int] = []
        self._surroundings: tuple[tuple[int, ...], Surroundings] | None = None
        self.place_tool = PlaceTool(self)
        self.select_tool = SelectTool(self)
        self.commands = Commands(self)
        self.handles = Handles(self._middle_of_selection)

    def begin(self) -> None:
        if not len(self.poses):
            self.view.show_hint(HINT)

    # The frame of the editor -------------------------------------------------------------------------------------

    def central_widget(self) -> QWidget:
        """The view in space, and the plan beside it."""
        self.plan = Canvas2D()
        self.plan.setAccessibleName(self.tr("Plan of the shadows"))
        self.plan.setMinimumWidth(220)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setHandleWidth(1)
        splitter.addWidget(self.view)
        splitter.addWidget(self.plan)
        splitter.setStretchFactor(0, 1)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([1000, 1000])
        splitter.setCollapsible(0, False)
        for view in self.views:
            view.set_describe(self._describe)
            view.context_requested.connect(self._show_menu)
            view.selection_changed.connect(self._chosen)
        self.view.add_overlay(self._paint_handles)
        self.plan.add_overlay(Legend(legend_entries, left=BESIDE_RULER))
        return splitter

    def build_tools(self, tools: ToolPanel) -> None:
        """Meters, tools, orientations, commands, and the numbers of what is selected."""
        self.controls = Controls(self, tools)
        self.use_tool(self.place_tool)

    def make_scene(self) -> Scene:
        """The tetrahedra in space."""
        return self.drawing.in_space(self.live.vertices, self.fit)

    def redraw(self, reset_view: bool = False) -> None:
        """Draws the pieces, their shadows, and what the shadows fill."""
        poses = poses_of(self.document.answer.tetrahedrons)
        if not np.array_equal(poses, self.live.poses):
            self._redundant, self._surroundings = [], None
            self.live.set_poses(poses)
        self.fit = self.live.fit()
        super().redraw(reset_view)
        self._draw_plan(reset_view)
        self.view.set_selection(piece_ids(i for i in self.selected))
        self.mark_failed()
        self._show_meters()
        self.controls.show_selection()

    def status(self) -> str:
        """Pieces, score, selection, and what the ghost or the last command has to say."""
        count = len(self.poses)
        reading = self.live.reading(self.fit)
        parts = [f"{count} tetrahedr{'on' if count == 1 else 'a'}", f"raw {reading.raw:.3f}".replace("-", "−")]
        if self.selected:
            parts.append(f"{len(self.selected)} selected")
        return " · ".join(filter(None, [*parts, self._words, self._note]))

    def marked(self) -> Mapping[str, str]:
        """The pieces that intersect or are not normalised, and those that add nothing."""
        count = len(self.poses)
        roles = dict.fromkeys(piece_ids(i for i in self._redundant if i < count), "warning")
        wrong = [*np.unique(self.live.pairs).tolist(), *self.live.unnormalised]
        return roles | dict.fromkeys(piece_ids(wrong), "failed")

    def verdict_arrived(self, verdict: Verdict | None) -> None:
        """Learns which pieces add nothing."""
        if verdict is not None and self.document.is_verdict_current:
            self._redundant = list(verdict.details.get("redundant", ()))
            self.mark_failed()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)

    # What gestures and commands ask ------------------------------------------------------------------------------

    @property
    def views(self) -> tuple[SceneView, SceneView]:
        """The view in space and the plan."""
        return self.view, self.plan

    @property
    def poses(self) -> Floats:
        """The poses (n, 7) of the answer."""
        return self.live.poses

    @property
    def selected(self) -> list[int]:
        """The selected pieces, in the answer's order."""
        return sorted(i for i in indices_of(self.view.selection) if i < len(self.poses))

    @property
    def is_placing(self) -> bool:
        """Whether the place tool is in hand."""
        return self.view.tool is self.place_tool

    def use_tool(self, tool: PlaceTool | SelectTool) -> None:
        """Takes a tool in hand, in both views."""
        for view in self.views:
            view.set_tool(tool)
        self.controls.show_tool(tool is self.place_tool)
        self.tell_status()

    def select(self, pieces: Iterable[int]) -> None:
        """Selects pieces."""
        self.view.set_selection(piece_ids(pieces))

    def say(self, note: str) -> None:
        """Says something in the status bar, until the pieces or the ghost change."""
        self._note = note
        self.tell_status()

    def put(self, label: str, poses: Floats, select: Sequence[int] | None = None, merge: str = "") -> bool:
        """Makes these the pieces, as one step of the history; says whether there is room for them."""
        if len(poses) > MAX_PIECES:
            self.say(f"Not done: an answer holds {MAX_PIECES} tetrahedra at most.")
            return False
        self._note = ""
        self.edit(label, self.document.answer.model_copy(update={"tetrahedrons": pieces_at(poses)}), merge)
        if select is not None:
            self.select(select)
        return True

    def snapped(self, poses: Floats, reach: float, ignore: tuple[int, ...] = ()) -> tuple[Floats, str]:
        """Poses (n, 7) moved together so that a corner of the first one's shadow fits to something, and to what."""
        if not self.snaps:
            return poses, ""
        if self._surroundings is None or self._surroundings[0] != ignore:
            kept = [i for i in range(len(self.poses)) if i not in ignore]
            names = [f"tetrahedron {i}" for i in kept]
            others = list(zip(names, shadow_outlines(self.live.vertices[kept]), strict=True))
            self._surroundings = ignore, Surroundings([*target_outlines(self.target), *others])
        snap = self._surroundings[1].snap(shadow_outlines(vertices_of(poses[:1]))[0], reach)
        return moved(poses, (*snap.shift, 0.0)), f"snapped to {snap.words}" if snap.words else ""

    def risen(self, poses: Floats, ignore: tuple[int, ...] = ()) -> Floats:
        """Poses (n, 7) on the lowest levels where they meet nothing, if pieces stack by themselves."""
        return settled(np.delete(self.poses, list(ignore), axis=0), poses) if self.stacks else poses

    def problem_of(self, poses: Floats, ignore: tuple[int, ...] = ()) -> str:
        """Why pieces may not be at these poses; "" if they may."""
        met = [] if self.stacks else self.live.met_by(poses, ignore)
        return f"Intersects {', '.join(piece_ids(met[:3]))}" if met else ""

    def show_ghost(self, poses: Floats, ignore: tuple[int, ...] = (), words: str = "") -> None:
        """Shows pieces where they would be, what their shadows would fill, and what is wrong there."""
        self.ghost_problem = self.problem_of(poses, ignore)
        self._words, self._note = self.ghost_problem or words, ""
        self.view.set_ghost(ghost_in_space(poses), self.ghost_problem)
        self.plan.set_ghost(ghost_in_plan(poses), self.ghost_problem)
        self.fit = self.live.fit(ignore, poses)
        self._draw_plan()
        self.later.start()
        self._show_meters(len(self.poses) - len(ignore) + len(poses))
        self.tell_status()

    def clear_ghost(self) -> None:
        """Shows no ghost."""
        self.ghost_problem, self._words = "", ""
        for view in self.views:
            view.set_ghost(())
        self.fit = self.live.fit()
        self._draw_plan()
        self.later.start()
        self._show_meters()
        self.tell_status()

    def place(self, pose: Floats) -> None:
        """Makes the ghost a piece, unless it meets another."""
        if self.ghost_problem and not self.overlaps:
            self.say(f"Not placed: {self.ghost_problem}")
            return
        self.put("Place tetrahedron", np.concatenate([self.poses, tidy(pose[None])]))
        self.place_tool.hide()

    def begin_drag(self, pieces: Sequence[int], copies: bool) -> None:
        """Pieces are taken in hand: they are where the ghost is, unless copies are."""
        self._dragged = () if copies else tuple(piece_ids(pieces))
        for view in self.views:
            view.set_hidden(self._dragged)

    def end_drag(self) -> None:
        """Nothing is in hand any more."""
        self._dragged = ()
        for view in self.views:
            view.set_hidden(())
        self.clear_ghost()

    def drop(self, label: str, pieces: Sequence[int], goal: Floats, copies: bool) -> None:
        """Puts down what was dragged, unless it meets another piece."""
        problem = self.problem_of(goal, () if copies else tuple(pieces))
        if problem and not self.overlaps:
            self.say(f"Not done: {problem}")
        elif copies:
            self.add(label, goal)
        else:
            self.replace(label, pieces, goal)

    def add(self, label: str, poses: Floats) -> None:
        """Adds pieces and selects them, as one step of the history."""
        count = len(self.poses)
        self.put(counted(label, len(poses)), np.concatenate([self.poses, poses]), range(count, count + len(poses)))

    def replace(self, label: str, pieces: Sequence[int], poses: Floats, merge: str = "") -> None:
        """Puts pieces elsewhere, as one step of the history."""
        changed = self.poses.copy()
        changed[list(pieces)] = tidy(poses)
        self.put(counted(label, len(pieces)), changed, pieces, merge)

    # Options -----------------------------------------------------------------------------------------------------

    def set_stacking(self, on: bool) -> None:
        """Whether pieces take the lowest free level by themselves."""
        self.stacks = on
        self.place_tool.again()

    def set_snapping(self, on: bool) -> None:
        """Whether shadows snap."""
        self.snaps = on

    def set_overlapping(self, on: bool) -> None:
        """Whether pieces may intersect."""
        self.overlaps = on

    def set_glass(self, on: bool) -> None:
        """Whether the ground can be seen through the pieces."""
        self.drawing.glass = on
        self.redraw()

    # Own ---------------------------------------------------------------------------------------------------------

    def _draw_plan(self, reset_view: bool = False) -> None:
        scene = self.drawing.in_plan(self.live.vertices, self.fit, self.live.pairs.tolist())
        self.plan.set_scene(scene, reset_view=reset_view)

    def draw_later(self) -> None:
        self.view.set_scene(self.make_scene())

    def _show_meters(self, count: int | None = None) -> None:
        shown = len(self.poses) if count is None else count
        self.controls.meters.show_reading(shown, self.live.reading(self.fit))

    def _middle_of_selection(self) -> Floats | None:
        if self.is_placing or not self.selected or self._dragged:
            return None
        return centers_of(self.poses[self.selected]).mean(axis=0)

    def _paint_handles(self, painter: QPainter, view: SceneView) -> None:
        self.handles.paint(painter, view)

    def _chosen(self, ids: tuple[str, ...]) -> None:
        """The selection changed in one of the views."""
        for view in self.views:
            view.set_selection(ids)
        self.controls.show_selection()
        self.tell_status()

    def _leave(self) -> None:
        """Escape: drops what was begun, then the tool, then the selection."""
        if self.select_tool.was_dropped:
            self.select_tool.was_dropped = False
        elif self.is_placing:
            self.use_tool(self.select_tool)
        else:
            self.select(())

    def _show_menu(self, pick: Pick | None, where: QPoint) -> None:
        piece = index_of(pick.id) if pick is not None else None
        if piece is not None and piece not in self.selected:
            self.select([piece])
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([*self.controls.commands, *self.controls.arrays])
        menu.popup(where)

    def _describe(self, pick: Pick) -> tuple[str, str]:
        piece = index_of(pick.id)
        if piece is None or self.is_placing or piece >= len(self.poses):
            return "", ""
        level = self.live.vertices[piece, :, 2].min()
        met = [int(j if i == piece else i) for i, j in self.live.pairs.tolist() if piece in (i, j)]
        notes = [f"lowest corner at z = {level:.2f}"]
        if met:
            shared = [f"{other} ({self.live.shared_volume(piece, other):.2g} shared)" for other in met[:3]]
            notes.append(f"intersects {', '.join(shared)}")
        if piece in self.live.unnormalised:
            notes.append("its quaternion is not normalised")
        if piece in self._redundant:
            notes.append("adds nothing to the shadow")
        return f"Tetrahedron {piece}", " · ".join(notes)
