"""The editor: the tetrahedra in 3D, and beside them a plan of their shadows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QSplitter, QWidget

from spatial_workbench.engine.core import Aid, Scene, Verdict
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.tetrahedra_shadow import Tetrahedra, target_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.answer import pieces_at, poses_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.editing import centers_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.judging import piece_ids
from spatial_workbench.engine.tasks.tetrahedra_shadow.live import Shade, work_out
from spatial_workbench.engine.tasks.tetrahedra_shadow.live import TetrahedraReading as Figures
from spatial_workbench.engine.tasks.tetrahedra_shadow.presets import pose_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.shadow import TetrahedraFit
from spatial_workbench.engine.tasks.tetrahedra_shadow.solid import normalised
from spatial_workbench.widgets.editing.controls import (
    Action,
    Buttons,
    Condition,
    Declared,
    Gauge,
    Keys,
    Note,
    Number,
    Numbers,
    Section,
    Setting,
    Switch,
    ToolButton,
    Tools,
    Verb,
    attribute,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.nudging import Step, Way, nudges
from spatial_workbench.widgets.editing.runner import Newest
from spatial_workbench.widgets.editing.things import Things, ThingsEditing
from spatial_workbench.widgets.editors.tetrahedra_shadow.commands import Axis, Pieces
from spatial_workbench.widgets.editors.tetrahedra_shadow.controls import (
    ORIENTATIONS,
    count_reading,
    coverage_reading,
    mismatch_reading,
    score_reading,
)
from spatial_workbench.widgets.editors.tetrahedra_shadow.drawing import LEGEND, TetrahedraDrawing, index_of
from spatial_workbench.widgets.editors.tetrahedra_shadow.gestures import (
    FREE,
    TetrahedraPlaceTool,
    TetrahedraSelectTool,
    X,
    Y,
    Z,
)
from spatial_workbench.widgets.editors.tetrahedra_shadow.handles import Handles
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.legend import Legend
from spatial_workbench.widgets.scene_views.view import Pick, SceneView, Tool

HINT = (
    "Fill the blue shape with the shadows of tetrahedra.\n"
    "Click here or in the plan to place one. R turns it; T, Q and W change its shadow.\n"
    "Drag the right or the middle button to look around."
)
BESIDE_RULER = 68
"""The left edge of the legend, beside the title of the ruler, in pixels."""
FARTHEST = 5000.0
STEPS = (Step(0.05), Step(0.005, ", finely", ["Shift+"]))
TURN_DEG, FINE_TURN_DEG = 15.0, 5.0


class TetrahedraEditor(Editor[Tetrahedra]):
    """Casts a shape with the shadows of tetrahedra."""

    marks_with_answer = True
    links_selection = True

    def prepare(self) -> None:
        self.target = target_of(self.instance)
        self.is_judged = self.allows(Aid.JUDGING)
        self.drawing = TetrahedraDrawing(self.target, self.allows(Aid.MEASURING))
        self.fit: TetrahedraFit | None = None
        self._measuring = Newest(self.runner, "Measuring the shadow")
        self._glass = Setting(False, self.redraw)
        self._ghost_count: int | None = None
        self._ghost_problem = ""
        self._words = ""
        self._note = ""
        self._hidden: tuple[str, ...] = ()
        self._redundant: list[int] = []

    def begin(self) -> None:
        self.use_tool(self.place_tool)
        if not len(self.poses):
            self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        view = super().make_view()
        self.pieces = Pieces(self.document, self.target, view, self.say, self._take_select_tool)
        self.pieces.overlaps = not self.is_judged
        self._live = self.pieces.live
        self.handles = Handles(self._middle_of_selection)
        self.place_tool = TetrahedraPlaceTool(self, self.pieces)
        self.select_tool = TetrahedraSelectTool(self, self.pieces, self.handles)
        view.add_overlay(self.handles.paint)
        return view

    def central_widget(self) -> QWidget:
        """The 3D view, and the plan beside it."""
        self.plan = Canvas2D()
        self.plan.setAccessibleName(self.tr("Plan of the shadows"))
        self.plan.setMinimumWidth(220)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setHandleWidth(1)
        for i, view in enumerate((self.view, self.plan)):
            splitter.addWidget(view)
            splitter.setStretchFactor(i, 1)
            view.set_describe(self._describe)
            view.context_requested.connect(self._show_menu)
        splitter.setSizes([1000, 1000])
        splitter.setCollapsible(0, False)
        self.plan.add_overlay(Legend(lambda: LEGEND if self.is_judged else LEGEND[-1:], left=BESIDE_RULER))
        return splitter

    def list_controls(self) -> Iterable[Declared]:
        placing = "Click to place a tetrahedron; the wheel turns it, with Ctrl it zooms; Ctrl+Shift: no snapping"
        selecting = "Click or drag tetrahedra, with Shift copies; arrows move the selection, rings turn it"
        yield Section(
            "Shadow",
            Gauge("Score", lambda: score_reading(self.figures, self.shown_count, self.target.divisor)),
            Gauge("Coverage", lambda: coverage_reading(self.figures)),
            Gauge("Mismatch", lambda: mismatch_reading(self.figures)),
            Gauge(
                "Tetrahedra",
                lambda: count_reading(self.figures, self.shown_count, self.is_judged),
                aid=Aid.MEASURING,
            ),
        )
        yield Section(
            "Tools",
            Tools(
                self.view,
                ToolButton("Place", self.place_tool, "P", "place", placing),
                ToolButton("Select", self.select_tool, "V", "select", selecting),
                columns=2,
                take=self.use_tool,
            ),
        )
        yield self._orientation_controls()
        yield self._change_controls()
        yield self._array_controls()
        yield self._number_controls()
        yield from self._other_keys()
        yield ThingsEditing(self, self._things()).controls([Verb.DUPLICATE, Verb.SELECT_ALL, Verb.DELETE])

    def _orientation_controls(self) -> Section:
        pieces = self.pieces
        level = "Place each piece on the lowest level where it meets no other"
        snap = "Corners of shadows snap to corners and edges of the target and of other shadows, or to 0.05"
        halved = "Intersections halve the coverage that counts"
        like = "Use the orientation of the selected tetrahedron, or the last free one"
        presets = [
            Action(text, partial(self.choose_orientation, text, preset, turn), key, icon, tip, checked=self._is(text))
            for text, preset, turn, key, icon, tip in ORIENTATIONS
        ]
        free = Action(FREE, self.orient_like_selected, "C", "tetra_free", like, checked=self._is(FREE))
        return Section(
            "Orientation",
            Buttons(*presets, free, columns=2, exclusive=True),
            Switch("Stack automatically", lambda: pieces.stacks, self.set_stacking, level),
            Switch("Snap", *attribute(pieces, "snaps"), snap),
            Switch("Allow intersections", *attribute(pieces, "overlaps"), halved, Aid.JUDGING),
            Switch(
                "See-through pieces", self._glass.get, self._glass.put, "See the ground below the pieces", Aid.VIEWING
            ),
        )

    def _is(self, orientation: str) -> Condition:
        return lambda: self.place_tool.orientation == orientation

    def _change_controls(self) -> Section:
        pieces = self.pieces
        chosen = self.pieces.selection.has_any
        mirror = "Add the mirror image of the selection across the {} axis"
        x, y = partial(pieces.mirror, 0), partial(pieces.mirror, 1)
        copy = "Copy the selection beside it"
        gone = "Delete the selection"
        all_of_them = "Move all pieces to the lowest levels where none meet"
        return Section(
            "Edit",
            Buttons(
                Action("Duplicate", pieces.duplicate, "Ctrl+D", "copy", copy, enabled=chosen, verb=Verb.DUPLICATE),
                Action("Delete", pieces.delete, "Delete, Backspace", "delete", gone, enabled=chosen, verb=Verb.DELETE),
                Action("Mirror x", x, "M", "mirror", mirror.format("y"), enabled=chosen),
                Action("Mirror y", y, "Shift+M", "mirror_y", mirror.format("x"), enabled=chosen),
                Action("Restack", pieces.restack, "L", "layers", all_of_them),
                columns=2,
            ),
        )

    def _array_controls(self) -> Section:
        pieces = self.pieces
        chosen = self.pieces.selection.has_any
        copies, x, y = (Setting(value, self.refresh) for value in (3.0, 0.7, 0.0))
        row = "Repeat the selection in a row"
        ring = "Repeat the selection around the origin"

        def repeat_in_row() -> None:
            pieces.repeat_in_row(round(copies.value), (x.value, y.value))

        def repeat_in_ring() -> None:
            pieces.repeat_in_ring(round(copies.value))

        return Section(
            "Array",
            Number("Pieces", copies.get, copies.put, (2, 100), "How many pieces the row or the ring has"),
            Number("Step x", x.get, x.put, (-20, 20), "The step along the row, in x", 0.05, 4),
            Number("Step y", y.get, y.put, (-20, 20), "The step along the row, in y", 0.05, 4),
            Buttons(
                Action("Row", repeat_in_row, "A", "array", row, enabled=chosen),
                Action("Ring", repeat_in_ring, "Shift+A", "ring", ring, enabled=chosen),
                columns=2,
            ),
        )

    def _number_controls(self) -> Section:
        unit = "Give quaternions the length 1, as the task demands"
        numbers = partial(Numbers, aid=Aid.MEASURING)
        quaternion = ("q0", "q1", "q2", "q3")
        typed = self.pieces.type_number
        return Section(
            "Selection",
            Note("Selection", self._words_of_selection),
            numbers("Position", "xyz", lambda: self._numbers(0, 3), typed, (-FARTHEST, FARTHEST), "", 0.05, 4),
            numbers(
                "Quaternion",
                quaternion,
                lambda: self._numbers(3, 7),
                lambda i, value: typed(3 + i, value),
                (-10, 10),
                "",
                0.05,
                7,
            ),
            Buttons(Action("Normalise", self.pieces.normalise, "N", "", unit)),
        )

    def _other_keys(self) -> Iterable[Keys]:
        turns = (("Turn", Z, "R"), ("Tilt about x", X, "X"), ("Tilt about y", Y, "Y"))
        for words, axis, key in turns:
            yield Keys(
                Action(f"{words} by 15°", partial(self.turn, axis, TURN_DEG), key),
                Action(f"{words} by −15°", partial(self.turn, axis, -TURN_DEG), f"Shift+{key}"),
            )
        yield Keys(
            Action("Turn by 5°", partial(self.turn, Z, FINE_TURN_DEG), "."),
            Action("Turn by −5°", partial(self.turn, Z, -FINE_TURN_DEG), ","),
        )
        yield Keys(*nudges(self.nudge, STEPS))
        yield Keys(
            Action("Raise by a level", partial(self.pieces.lift, 1), "PgUp"),
            Action("Lower by a level", partial(self.pieces.lift, -1), "PgDown"),
            Action("Place tetrahedron", self.place_tool.place, "Return, Enter"),
            Action("Next tetrahedron", partial(self.step_selection, 1), "]", aid=Aid.VIEWING),
            Action("Previous tetrahedron", partial(self.step_selection, -1), "[", aid=Aid.VIEWING),
            Action("Select all", self.select_all, "Ctrl+A", aid=Aid.VIEWING, verb=Verb.SELECT_ALL),
        )

    def _things(self) -> Things:
        pieces = self.pieces
        return Things(
            name="tetrahedra",
            selection=pieces.selection,
            select=self._select_pieces,
            part=lambda chosen: (Tetrahedra(tetrahedrons=pieces_at(pieces.poses[chosen])), range(len(chosen))),
            add=lambda label, answer, _: pieces.paste(label, poses_of(answer.tetrahedrons)),
            delete=pieces.delete,
        )

    def _select_pieces(self, chosen: Iterable[int]) -> None:
        self._take_select_tool()
        self.pieces.select(chosen)

    def make_scene(self) -> Scene:
        return self.drawing.in_space(self._live.vertices, self.fit, self._glass.value)

    def redraw(self, reset_view: bool = False) -> None:
        """First reads the pieces, and measures their shadow if they have changed."""
        if self.pieces.read():
            self._redundant = []
            self._measure()
        super().redraw(reset_view)
        if reset_view:
            self._draw_plan(reset_view)
        else:
            self.later.start()
        self.pieces.select(self.pieces.selected)

    def _measure(self) -> None:
        """Requests how the pieces fill the target; the last result remains shown until then."""
        self._take_known_fit()
        if self.is_judged and len(self.poses):
            self._measuring.ask(
                work_out,
                self.target,
                self.poses,
                done=self._take_measured,
                failed=lambda why: self.say(f"Not measured: {why}"),
            )
        else:
            self._measuring.cancel()

    def _take_measured(self, measured: tuple[Shade, TetrahedraFit]) -> None:
        self._live.take(*measured)
        if self._ghost_count is None:
            self._take_known_fit()
            self._show_fit()

    def _take_known_fit(self) -> None:
        if not self.is_judged or not len(self.poses):
            self.fit = None
        elif self._live.known is not None:
            self.fit = self._live.known

    def close_editor(self) -> None:
        self._measuring.cancel()
        super().close_editor()

    def draw_later(self) -> None:
        self._draw_plan()
        scene = self.make_scene()
        if scene is not self.view.scene:
            self.view.set_scene(scene)

    def _draw_plan(self, reset_view: bool = False) -> None:
        scene = self.drawing.in_plan(self._live, self.fit, self.is_judged)
        if reset_view or scene is not self.plan.scene:
            self.plan.set_scene(scene, reset_view)

    def status(self) -> str:
        count = counted(len(self.poses), "tetrahedron", "tetrahedra") if self.allows(Aid.MEASURING) else ""
        raw = f"raw {self.figures.raw:.3f}".replace("-", "−") if self.is_judged else ""
        selected = f"{len(self.pieces.selected)} selected" if self.pieces.selected else ""
        return " · ".join(filter(None, (count, raw, selected, self._words, self._note)))

    def marked(self) -> Mapping[str, str]:
        """Pieces that intersect others or are not normalised, and those that add nothing to the shadow."""
        if not self.is_judged:
            return {}
        roles = dict.fromkeys(piece_ids(i for i in self._redundant if i < len(self.poses)), "warning")
        wrong = [*np.unique(self._live.pairs).tolist(), *self._live.unnormalised]
        return roles | dict.fromkeys(piece_ids(wrong), "failed")

    def verdict_arrived(self, verdict: Verdict | None) -> None:
        """Stores which pieces add nothing to the shadow."""
        if verdict is not None and self.document.is_verdict_current:
            self._redundant = list(verdict.details.get("redundant", ()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape ends what was begun, then the tool, then the selection."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.is_placing:
            self.use_tool(self.select_tool)
        elif not self.select_tool.was_dropped:
            self.pieces.select(())

    # The pieces --------------------------------------------------------------------------------------------------

    @property
    def poses(self) -> Floats:
        """The poses (n, 7) of the answer."""
        return self._live.poses

    @property
    def figures(self) -> Figures:
        """What the gauges show."""
        return self._live.reading(self.fit)

    @property
    def shown_count(self) -> int:
        """How many pieces are shown, including the ghost's."""
        return len(self.poses) if self._ghost_count is None else self._ghost_count

    @property
    def is_placing(self) -> bool:
        """Whether the place tool is active."""
        return self.view.tool is self.place_tool

    def use_tool(self, tool: Tool) -> None:
        """Activates a tool in both views."""
        for view in (self.view, self.plan):
            view.set_tool(tool)
        self.refresh()

    def _take_select_tool(self) -> None:
        self.use_tool(self.select_tool)

    def select_all(self) -> None:
        """Selects all pieces."""
        self._take_select_tool()
        self.pieces.select(range(len(self.poses)))

    def step_selection(self, by: int) -> None:
        """Selects the next piece (1) or the previous one (-1)."""
        if len(self.poses):
            self._take_select_tool()
            self.pieces.selection.step(by)

    def say(self, note: str) -> None:
        """Shows a message in the status bar until the pieces or the ghost change."""
        self._note = note
        self.update_status()

    # Keys that move the ghost, or the selection ------------------------------------------------------------------

    def choose_orientation(self, text: str, preset: str, turn_deg: float) -> None:
        """Chooses a preset for the next pieces and, while selecting, for the selection."""
        pose = pose_of(preset, 0.0, 0.0, turn_deg)
        self.place_tool.orient(pose, text)
        if not self.is_placing:
            self.pieces.orient(pose)

    def orient_like_selected(self) -> None:
        """Gives the next pieces the orientation of the selected one, and activates the place tool."""
        pose = normalised(self.pieces.chosen[-1:])[0] if self.pieces.selected else self.place_tool.next_pose
        self.place_tool.orient(pose * (0, 0, 0, 1, 1, 1, 1), FREE)
        self.use_tool(self.place_tool)

    def turn(self, axis: Axis, angle_deg: float) -> None:
        """Turns the ghost, or the selection."""
        (self.place_tool if self.is_placing else self.pieces).turn(axis, angle_deg)

    def nudge(self, way: Way, length: float) -> None:
        """Moves the ghost, or the selection."""
        (self.place_tool.step if self.is_placing else self.pieces.nudge)(length * way[0], length * way[1])

    def set_stacking(self, on: bool) -> None:
        """Sets whether pieces take the lowest free level automatically."""
        self.pieces.stacks = on
        self.place_tool.again()

    # The ghost ---------------------------------------------------------------------------------------------------

    def show_ghost(self, poses: Floats, ignore: tuple[int, ...] = (), words: str = "") -> None:
        """Shows pieces at these poses, what their shadows would fill, and what is wrong there."""
        self._ghost_problem = self.pieces.problem_of(poses, ignore) if self.is_judged else ""
        self._words = self._ghost_problem or words
        self._note = ""
        self.view.set_ghost(self.drawing.ghost_in_space(poses), self._ghost_problem)
        self.plan.set_ghost(self.drawing.ghost_in_plan(poses), self._ghost_problem)
        self._ghost_count = len(self.poses) - len(ignore) + len(poses)
        self.fit = self._live.fit(ignore, poses) if self.is_judged else None
        self._show_fit()

    def clear_ghost(self) -> None:
        """Removes the ghost."""
        self._ghost_problem = ""
        self._words = ""
        self._ghost_count = None
        for view in (self.view, self.plan):
            view.set_ghost(())
        self._take_known_fit()
        self._show_fit()

    def _show_fit(self) -> None:
        self._draw_plan()
        self.later.start()
        self.refresh()

    def place(self, pose: Floats) -> None:
        """Adds the ghost as a piece, unless it intersects another."""
        if self._ghost_problem and not self.pieces.overlaps:
            self.say(f"Not placed: {self._ghost_problem}")
            return
        self.pieces.place(pose)
        self.place_tool.hide()

    def hide_pieces(self, pieces: Iterable[int] = ()) -> None:
        """Hides pieces that are being dragged, and shows all others."""
        self._hidden = tuple(piece_ids(pieces))
        for view in (self.view, self.plan):
            view.set_hidden(self._hidden)

    # Internal ----------------------------------------------------------------------------------------------------

    def _words_of_selection(self) -> str:
        count = len(self.pieces.selected)
        if not count:
            return "Select a tetrahedron to see its numbers."
        return f"Tetrahedron {self.pieces.selected[0]}" if count == 1 else counted(count, "tetrahedron", "tetrahedra")

    def _numbers(self, first: int, last: int) -> Sequence[float] | None:
        """Some numbers of the selected piece; None unless a single piece is selected."""
        numbers: list[float] = self.pieces.chosen[0, first:last].tolist() if len(self.pieces.selected) == 1 else []
        return numbers or None

    def _middle_of_selection(self) -> Floats | None:
        if self.is_placing or not self.pieces.selected or self._hidden:
            return None
        middle: Floats = centers_of(self.pieces.chosen).mean(axis=0)
        return middle

    def _show_menu(self, pick: Pick | None, where: QPoint) -> None:
        piece = index_of(pick.id) if pick is not None else None
        if piece is not None and piece not in self.pieces.selected:
            self.pieces.select([piece])
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text in ("Duplicate", "Delete", "Mirror x", "Mirror y", "Row", "Ring"):
            menu.addAction(self.panel.actions[text])
        menu.popup(where)

    def _describe(self, pick: Pick) -> tuple[str, str]:
        piece = index_of(pick.id)
        if piece is None or self.is_placing or piece >= len(self.poses):
            return "", ""
        level = f"lowest corner at z = {self._live.vertices[piece, :, 2].min():.2f}"
        return f"Tetrahedron {piece}", " · ".join([level, *(self._faults_of(piece) if self.is_judged else ())])

    def _faults_of(self, piece: int) -> Iterable[str]:
        met = [int(j if i == piece else i) for i, j in self._live.pairs.tolist() if piece in (i, j)]
        if met:
            shared = [f"{other} ({self._live.shared_volume(piece, other):.2g} shared)" for other in met[:3]]
            yield f"intersects {', '.join(shared)}"
        if piece in self._live.unnormalised:
            yield "its quaternion is not normalised"
        if piece in self._redundant:
            yield "adds nothing to the shadow"
