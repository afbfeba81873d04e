"""The editor: a formula over the cells that it has to mark. Sliders, strokes, blocks and fits write the formula."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.tasks.polynomial_fit import (
    Function,
)
from spatial_workbench.engine.tasks.polynomial_fit.drawing import EXTRA, HIT, MISSED
from spatial_workbench.engine.tasks.polynomial_fit.fitting import MAX_DEGREE
from spatial_workbench.engine.tasks.polynomial_fit.formula import FormulaError, formula_of
from spatial_workbench.widgets.editing.controls import (
    Action,
    Buttons,
    Choice,
    CustomPart,
    Declared,
    Keys,
    Note,
    Number,
    Section,
    Switch,
    ToolButton,
    Tools,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editors.polynomial_fit.coefficients import CoefficientEditing
from spatial_workbench.widgets.editors.polynomial_fit.commands import COMBINATION_NAMES, FormulaCommands
from spatial_workbench.widgets.editors.polynomial_fit.controls import (
    CurveCount,
    CurveLegend,
    FormulaField,
)
from spatial_workbench.widgets.editors.polynomial_fit.drawing import SHOWN, FormulaDrawing
from spatial_workbench.widgets.editors.polynomial_fit.gestures import (
    CurvePaintTool,
    FormulaContext,
    LookTool,
    ellipse_tool,
    half_plane_tool,
)
from spatial_workbench.widgets.editors.polynomial_fit.marks import FormulaWords
from spatial_workbench.widgets.editors.polynomial_fit.pointing import CellPointer
from spatial_workbench.widgets.editors.polynomial_fit.workpiece import FormulaSheet
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import SceneView

HINT = "Type a formula on the left or drag an ellipse.  Blue cells need f > 0."
ARROWS = {
    "Left": ("Cell left", (-1, 0)),
    "Right": ("Cell right", (1, 0)),
    "Up": ("Cell up", (0, -1)),
    "Down": ("Cell down", (0, 1)),
}


class PolynomialEditor(Editor[Function]):
    """Writes the text of a formula, by sliders, strokes, blocks and fits."""

    def prepare(self) -> None:
        self.sheet = FormulaSheet(self.document, self.runner, self.redraw)

    def begin(self) -> None:
        self.view.show_hint(HINT)

    def make_view(self) -> SceneView:
        """Also makes the objects that work on the formula."""
        view = Canvas2D()
        view.box_select = False
        self.commands = FormulaCommands(
            self.sheet, self.runner, self.message.emit, self.redraw, self.refresh, self.use_aid
        )
        self.pointer = CellPointer(
            self.sheet, view, self.commands.paint, self.message.emit, self.redraw, self.update_status
        )
        self.coefficients = CoefficientEditing(self.sheet, self.commands, self.redraw)
        self.drawing = FormulaDrawing(self.sheet, self.pointer, self.allows(Aid.JUDGING), self.redraw)
        self.words = FormulaWords(self.sheet, self.pointer, self.allows(Aid.JUDGING), self.allows(Aid.MEASURING))
        self._context = FormulaContext(view, self.pointer, self.commands)
        self._look = LookTool(self._context)
        view.set_tool(self._look)
        view.set_describe(self.words.describe)
        return view

    def list_controls(self) -> Iterable[Declared]:
        yield Section(
            "f(x, y) =",
            CustomPart("Formula", self._make_field, refresh=self._show_function),
            CustomPart("Cells", partial(CurveLegend, 3), aid=Aid.JUDGING, refresh=self._show_counts),
        )
        yield self._fit_controls()
        yield Section(
            "Coefficients",
            CustomPart("Coefficients", self.coefficients.make_table, refresh=self.coefficients.show_coefficients),
            Note("u and v are x and y, scaled from −1 to 1 over the grid."),
        )
        yield self._drawing_controls()
        yield self._view_controls()
        for key, (text, step) in ARROWS.items():
            yield Keys(Action(text, partial(self.pointer.move_cursor, *step), key))
        yield Keys(
            Action("Paint cell positive", partial(self.pointer.paint, True), "Return, +", aid=Aid.SOLVING),
            Action("Paint cell not positive", partial(self.pointer.paint, False), "Shift+Return, -", aid=Aid.SOLVING),
        )

    def _fit_controls(self) -> Section:
        near = "Fit +1 and −1 closely, as a quick start"
        exact = "Solve a linear programme of the chosen degree"
        fewest = "Use as few digits as possible without losing a cell"
        largest = "The largest i + j of x^i y^j"
        return Section(
            "Find a formula",
            Number("Degree", self.commands.degree.get, self.commands.set_degree, (1, MAX_DEGREE), largest),
            Buttons(
                Action("Least squares", self.commands.fit, "L", "fit_curve", near, Aid.SOLVING),
                Action("Separate exactly", self.commands.separate, "E", "solve", exact, Aid.SOLVING),
                Action("Round coefficients", self.commands.round_off, "R", "round_off", fewest, Aid.SOLVING),
            ),
        )

    def _drawing_controls(self) -> Section:
        look = "Point at cells to read f"
        above = "Paint where f has to be positive; Shift reverses"
        below = "Paint where f must not be positive; Shift reverses"
        box = "Drag the box of an ellipse, snapped to half cells"
        side = "Drag a line; f is positive on the side of the arrow"
        how = self.commands.how
        alone = "Off: least squares only fit what was painted"
        counts = self.commands.with_target
        of_fits = [Switch("Target counts in fits", counts.get, counts.put, alone)] if self.allows(Aid.SOLVING) else []
        return Section(
            "Draw",
            Tools(
                self.view,
                ToolButton("Look", self._look, "S", "select", look, Aid.VIEWING),
                ToolButton("Positive", CurvePaintTool(self._context, True), "P", "positive", above, Aid.SOLVING),
                ToolButton("Negative", CurvePaintTool(self._context, False), "M", "negative", below, Aid.SOLVING),
                ToolButton("Ellipse", ellipse_tool(self._context), "C", "ellipse", box),
                ToolButton("Half-plane", half_plane_tool(self._context), "H", "half_plane", side),
                columns=2,
            ),
            Choice("Blocks", COMBINATION_NAMES, how.get, how.put, "What an ellipse or half-plane does to the formula"),
            *of_fits,
        )

    def _view_controls(self) -> Section:
        least = self.drawing.first_shown
        first = "Go to the next wrong cell; values nearest to zero come first"
        tip = "What the cells' colours show"
        dropped = "Discard what was painted"
        return Section(
            "View",
            Choice(
                "Show",
                SHOWN[least:],
                lambda: self.drawing.shown.value - least,
                lambda index: self.drawing.shown.put(index + least),
                tip,
                Aid.MEASURING,
            ),
            Buttons(
                Action("Next wrong cell", self.pointer.next_wrong, "N", "search", first, Aid.JUDGING),
                Action("Clear strokes", self.clear_strokes, "Escape", "close", dropped),
            ),
        )

    def _make_field(self) -> FormulaField:
        self.field = FormulaField()
        self.field.typed.connect(self._typed)
        return self.field

    def clear_strokes(self) -> None:
        """Discards what was painted, and what has been begun."""
        self.view.tool.stop()
        self.sheet.forget_strokes()
        self.pointer.cursor = None
        self.redraw()

    def _typed(self, function: str) -> None:
        error = None
        try:
            if function:
                formula_of(function)
        except FormulaError as message:
            error = message
        else:
            self.sheet.replace_function("Type formula", function, merge="formula")
        self.field.show_error(error)

    def redraw(self, reset_view: bool = False) -> None:
        """First raises the chosen degree to that of the formula."""
        self.commands.follow_degree()
        super().redraw(reset_view)

    def _show_function(self, field: FormulaField) -> None:
        if self.sheet.preview is None:
            field.show_function(self.sheet.function)

    def cursor_numbers(self) -> Sequence[int]:
        """The cursor as numbers."""
        return self.pointer.numbers()

    def put_cursor(self, numbers: Sequence[int]) -> None:
        """Puts the cursor where it was. Raises ValueError for a place that is not here."""
        self.pointer.put(numbers)

    def marked(self) -> Mapping[str, str]:
        """Nothing: the colours already show what is wrong."""
        return {}

    def make_scene(self) -> Scene:
        return self.drawing.scene()

    def status(self) -> str:
        return self.words.status()

    def _show_counts(self, legend: CurveLegend) -> None:
        marked = self.sheet.marked()
        shown = self.sheet.target if marked is None else marked
        legend.show_counts(
            [
                CurveCount(HIT, "Target" if marked is None else "Found", int((self.sheet.target & shown).sum())),
                CurveCount(MISSED, "Missed", int((self.sheet.target & ~shown).sum())),
                CurveCount(EXTRA, "Extra", int((shown & ~self.sheet.target).sum())),
            ]
        )
