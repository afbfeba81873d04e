"""The editor: the tetrahedra in 3D, and beside them a plan of their shadows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSplitter, QWidget

from spatial_workbench.engine.core import Aid, Scene, Verdict
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.tetrahedra_shadow import Tetrahedra, target_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.answer import pieces_at, poses_of
from spatial_workbench.widgets.editing.controls import (
    Declared,
    Gauge,
    Section,
    Setting,
    ToolButton,
    Tools,
    Verb,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.placing import PlacingTools
from spatial_workbench.widgets.editing.selection import SelectionMenu
from spatial_workbench.widgets.editing.things import Things, ThingsEditing
from spatial_workbench.widgets.editors.tetrahedra_shadow.commands import TetrahedraCommands
from spatial_workbench.widgets.editors.tetrahedra_shadow.controls import (
    array_section,
    count_reading,
    coverage_reading,
    edit_section,
    mismatch_reading,
    number_section,
    orientation_section,
    score_reading,
    typed_section,
)
from spatial_workbench.widgets.editors.tetrahedra_shadow.drawing import LEGEND, TetrahedraDrawing
from spatial_workbench.widgets.editors.tetrahedra_shadow.gestures import (
    TetrahedraPlaceTool,
    TetrahedraSelectTool,
)
from spatial_workbench.widgets.editors.tetrahedra_shadow.hand import TetrahedraHand
from spatial_workbench.widgets.editors.tetrahedra_shadow.handles import Handles
from spatial_workbench.widgets.editors.tetrahedra_shadow.marks import TetrahedraMarks
from spatial_workbench.widgets.editors.tetrahedra_shadow.measuring import ShadowMeasuring
from spatial_workbench.widgets.editors.tetrahedra_shadow.pieces import Pieces
from spatial_workbench.widgets.editors.tetrahedra_shadow.stage import TetrahedraStage
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.legend import Legend
from spatial_workbench.widgets.scene_views.view import SceneView

HINT = (
    "Fill the blue shape with the shadows of tetrahedra.\n"
    "Click here or in the plan to place one. R turns it; T, Q and W change its shadow.\n"
    "Drag the right or the middle button to look around."
)
MENU = ("Duplicate", "Delete", "Mirror x", "Mirror y", "Row", "Ring")
"""The context menu of a piece."""
BESIDE_RULER = 68
"""The left edge of the legend, beside the title of the ruler, in pixels."""


class TetrahedraEditor(Editor[Tetrahedra]):
    """Casts a shape with the shadows of tetrahedra."""

    marks_with_answer = True
    links_selection = True

    def prepare(self) -> None:
        self.is_judged = self.allows(Aid.JUDGING)
        self.drawing = TetrahedraDrawing(target_of(self.instance), self.allows(Aid.MEASURING))
        self._glass = Setting(False, self.redraw)
        self._note = ""

    def begin(self) -> None:
        self.placing.use(self.place_tool)
        if not len(self.pieces.poses):
            self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        """Also makes the plan, and the objects that work on the pieces in both views."""
        view = super().make_view()
        self.plan = Canvas2D()
        self.plan.setAccessibleName(tr("Plan of the shadows"))
        self.plan.setMinimumWidth(220)
        self.pieces = Pieces(self.document, target_of(self.instance), view, self.say)
        self.pieces.overlaps = not self.is_judged
        self.commands = TetrahedraCommands(self.pieces, lambda: self.placing.use_select())
        self.measuring = ShadowMeasuring(self.pieces, self.runner, self.is_judged, self._show_fit)
        self.stage = TetrahedraStage(
            self.pieces, (view, self.plan), self.drawing, self.measuring, self.is_judged, self._show_fit
        )
        self._make_tools((view, self.plan))
        self.marks = TetrahedraMarks(self.pieces, self.is_judged, lambda: self.placing.is_placing)
        for pane in (view, self.plan):
            pane.set_describe(self.marks.describe)
            pane.context_requested.connect(SelectionMenu(self, self.pieces.selection, MENU).show)
        self.plan.add_overlay(Legend(lambda: LEGEND if self.is_judged else LEGEND[-1:], left=BESIDE_RULER))
        return view

    def _make_tools(self, views: Sequence[SceneView]) -> None:
        handles = Handles(lambda: None if self.placing.is_placing else self.stage.middle_of_selection())
        views[0].add_overlay(handles.paint)
        self.place_tool = TetrahedraPlaceTool(self.stage, self.pieces)
        self.select_tool = TetrahedraSelectTool(self.stage, self.commands, self.pieces, handles)
        self.placing = PlacingTools(views, self.place_tool, self.select_tool, self.pieces.selection, self.refresh)
        self.hand = TetrahedraHand(self.placing, self.place_tool, self.pieces, self.commands)

    def central_widget(self) -> QWidget:
        """The 3D view, and the plan beside it."""
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setHandleWidth(1)
        for i, view in enumerate((self.view, self.plan)):
            splitter.addWidget(view)
            splitter.setStretchFactor(i, 1)
        splitter.setSizes([1000, 1000])
        splitter.setCollapsible(0, False)
        return splitter

    def list_controls(self) -> Iterable[Declared]:
        placing = "Click to place a tetrahedron; the wheel turns it, with Ctrl it zooms; Ctrl+Shift: no snapping"
        selecting = "Click or drag tetrahedra, with Shift copies; arrows move the selection, rings turn it"
        yield Section(
            "Shadow",
            Gauge(
                "Score",
                lambda: score_reading(self.measuring.figures, self.stage.shown_count, self.pieces.live.target.divisor),
            ),
            Gauge("Coverage", lambda: coverage_reading(self.measuring.figures)),
            Gauge("Mismatch", lambda: mismatch_reading(self.measuring.figures)),
            Gauge(
                "Tetrahedra",
                lambda: count_reading(self.measuring.figures, self.stage.shown_count, self.is_judged),
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
                take=self.placing.use,
            ),
        )
        yield orientation_section(self.pieces, self.hand, self._glass)
        yield typed_section(self.pieces, self.commands, self.hand)
        yield edit_section(self.pieces, self.commands)
        yield array_section(self.pieces, self.commands, self.refresh)
        yield number_section(self.marks, self.commands)
        yield from self.hand.keys()
        yield ThingsEditing(self, self._things()).controls([Verb.DUPLICATE, Verb.SELECT_ALL, Verb.DELETE])

    def _things(self) -> Things:
        pieces = self.pieces
        return Things(
            name="tetrahedra",
            selection=pieces.selection,
            select=self.hand.select,
            part=lambda chosen: (Tetrahedra(tetrahedrons=pieces_at(pieces.poses[chosen])), range(len(chosen))),
            add=lambda label, answer, _: self.commands.paste(label, poses_of(answer.tetrahedrons)),
            delete=self.commands.delete,
        )

    def make_scene(self) -> Scene:
        return self.drawing.in_space(self.pieces.live.vertices, self.measuring.fit, self._glass.value)

    def redraw(self, reset_view: bool = False) -> None:
        """First reads the pieces, and measures their shadow if they have changed."""
        if self.pieces.read_answer():
            self.marks.forget()
            self.measuring.measure_pieces()
        super().redraw(reset_view)
        if reset_view:
            self._draw_plan(reset_view)
        else:
            self.later.start()
        self.pieces.select(self.pieces.selected)

    def close_editor(self) -> None:
        self.measuring.close()
        super().close_editor()

    def draw_later(self) -> None:
        self._draw_plan()
        scene = self.make_scene()
        if scene is not self.view.scene:
            self.view.set_scene(scene)

    def _draw_plan(self, reset_view: bool = False) -> None:
        scene = self.drawing.in_plan(self.pieces.live, self.measuring.fit, self.is_judged)
        if reset_view or scene is not self.plan.scene:
            self.plan.set_scene(scene, reset_view)

    def status(self) -> str:
        count = counted(len(self.pieces.poses), "tetrahedron", "tetrahedra") if self.allows(Aid.MEASURING) else ""
        raw = f"raw {self.measuring.figures.raw:.3f}".replace("-", "−") if self.is_judged else ""
        selected = f"{len(self.pieces.selected)} selected" if self.pieces.selected else ""
        return " · ".join(filter(None, (count, raw, selected, self.stage.words, self._note)))

    def marked(self) -> Mapping[str, str]:
        """Pieces that intersect others or are not normalised, and those that add nothing to the shadow."""
        return self.marks.marked()

    def verdict_arrived(self, verdict: Verdict | None) -> None:
        """Stores which pieces add nothing to the shadow."""
        if verdict is not None and self.document.is_verdict_current:
            self.marks.learn_verdict(verdict)

    def _show_fit(self) -> None:
        self._draw_plan()
        self.later.start()
        self.refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape ends what was begun, then the tool, then the selection."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        else:
            self.placing.leave()

    def say(self, note: str) -> None:
        """Shows a message in the status bar until the pieces or the ghost change."""
        self._note = note
        self.update_status()
