"""The editor: a formula over the cells that it has to mark. Sliders, strokes, blocks and fits write the formula."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np
from PySide6.QtGui import QGuiApplication

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.scene import Floats, Item, Points, Polygon, Voxels
from spatial_workbench.engine.core.words import counted, score_words
from spatial_workbench.engine.tasks.polynomial_fit import (
    Function,
    degree_and_terms,
    quick_values_of,
    score_of,
    target_of,
    values_of,
)
from spatial_workbench.engine.tasks.polynomial_fit.algebra import TooLong
from spatial_workbench.engine.tasks.polynomial_fit.cells import (
    Mask,
    TooSlow,
    Values,
    python_value,
    sampled,
    scaled_coefficients,
)
from spatial_workbench.engine.tasks.polynomial_fit.drawing import EXTRA, HIT, MISSED, draw, sample_places
from spatial_workbench.engine.tasks.polynomial_fit.editing import (
    Combination,
    Strokes,
    combined,
    expression_in,
    fit,
    rounded_while_right,
    to_degree,
    values_at,
)
from spatial_workbench.engine.tasks.polynomial_fit.fitting import MAX_DEGREE, formula_text, plain, separated
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
    Setting,
    Switch,
    ToolButton,
    Tools,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.runner import Job
from spatial_workbench.widgets.editors.polynomial_fit.controls import (
    CoefficientTable,
    CurveCount,
    CurveLegend,
    FormulaField,
)
from spatial_workbench.widgets.editors.polynomial_fit.gestures import (
    CurvePaintTool,
    LookTool,
    ellipse_tool,
    half_plane_tool,
)
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import Pick, PointerEvent, SceneView

HINT = "Type a formula on the left or drag an ellipse.  Blue cells need f > 0."
COMBINATIONS: tuple[Combination, ...] = ("replace", "multiply", "add")
SHOWN = ("Formula and target", "Target only", "Formula only")
BOTH, TARGET, FORMULA = range(3)
ARROWS = {"Left": (-1, 0), "Right": (1, 0), "Up": (0, -1), "Down": (0, 1)}


class PolynomialEditor(Editor[Function]):
    """Writes the text of a formula, by sliders, strokes, blocks and fits."""

    def prepare(self) -> None:
        self.target = target_of(self.instance)
        self.grid_size = len(self.target)
        self.cursor_cell: tuple[int, int] | None = None
        self._pointed: tuple[int, int] | None = None
        self._preview: Floats | None = None
        self._values: dict[str, Values | None] = {}
        self._evaluation: Job | None = None
        self._drawn: tuple[tuple[object, ...], Scene] | None = None
        self._strokes_by_formula: dict[str, Strokes] = {}
        self._first_shown = BOTH if self.allows(Aid.JUDGING) else TARGET
        self._shown = Setting(self._first_shown, self.redraw)
        self._how = Setting(0, self.refresh)
        self._degree = Setting(2, self.redraw)
        self._with_target = Setting(True, self.refresh)
        self._look = LookTool(self)
        self._places = sample_places(self.grid_size)

    def begin(self) -> None:
        self.view.show_hint(HINT)

    def make_view(self) -> SceneView:
        view = Canvas2D()
        view.box_select = False
        view.set_tool(self._look)
        view.set_describe(self._describe)
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
            CustomPart("Coefficients", self._make_table, refresh=self._show_coefficients),
            Note("u and v are x and y, scaled from −1 to 1 over the grid."),
        )
        yield self._drawing_controls()
        yield self._view_controls()
        for key, step in ARROWS.items():
            yield Keys(Action(f"Cell {key.lower()}", partial(self.move_cursor, *step), key))
        yield Keys(
            Action("Paint cell positive", partial(self._paint_cursor, True), "Return, +", aid=Aid.SOLVING),
            Action("Paint cell not positive", partial(self._paint_cursor, False), "Shift+Return, -", aid=Aid.SOLVING),
        )

    def _fit_controls(self) -> Section:
        near = "Fit +1 and −1 closely, as a quick start"
        exact = "Solve a linear programme of the chosen degree"
        fewest = "Use as few digits as possible without losing a cell"
        largest = "The largest i + j of x^i y^j"
        return Section(
            "Find a formula",
            Number("Degree", self._degree.get, self._set_degree, (1, MAX_DEGREE), largest),
            Buttons(
                Action("Least squares", self.fit, "L", "fit_curve", near, Aid.SOLVING),
                Action("Separate exactly", self.separate, "E", "solve", exact, Aid.SOLVING),
                Action("Round coefficients", self.round_off, "R", "round_off", fewest, Aid.SOLVING),
            ),
        )

    def _drawing_controls(self) -> Section:
        look = "Point at cells to read f"
        above, below = (f"Paint where f {must} be positive; Shift reverses" for must in ("has to", "must not"))
        box = "Drag the box of an ellipse, snapped to half cells"
        side = "Drag a line; f is positive on the side of the arrow"
        hows = [name.capitalize() for name in COMBINATIONS]
        how = self._how
        alone = "Off: least squares only fit what was painted"
        counts = self._with_target
        of_fits = [Switch("Target counts in fits", counts.get, counts.put, alone)] if self.allows(Aid.SOLVING) else []
        return Section(
            "Draw",
            Tools(
                self.view,
                ToolButton("Look", self._look, "S", "select", look, Aid.VIEWING),
                ToolButton("Positive", CurvePaintTool(self, True), "P", "positive", above, Aid.SOLVING),
                ToolButton("Negative", CurvePaintTool(self, False), "M", "negative", below, Aid.SOLVING),
                ToolButton("Ellipse", ellipse_tool(self), "C", "ellipse", box),
                ToolButton("Half-plane", half_plane_tool(self), "H", "half_plane", side),
                columns=2,
            ),
            Choice("Blocks", hows, how.get, how.put, "What an ellipse or half-plane does to the formula"),
            *of_fits,
        )

    def _view_controls(self) -> Section:
        least = self._first_shown
        first = "Go to the next wrong cell; values nearest to zero come first"
        tip = "What the cells' colours show"
        dropped = "Discard what was painted"
        return Section(
            "View",
            Choice(
                "Show",
                SHOWN[least:],
                lambda: self._shown.value - least,
                lambda index: self._shown.put(index + least),
                tip,
                Aid.MEASURING,
            ),
            Buttons(
                Action("Next wrong cell", self.next_wrong, "N", "search", first, Aid.JUDGING),
                Action("Clear strokes", self.clear_strokes, "Escape", "close", dropped),
            ),
        )

    def _make_field(self) -> FormulaField:
        self.field = FormulaField()
        self.field.typed.connect(self._typed)
        return self.field

    def _make_table(self) -> CoefficientTable:
        table = CoefficientTable()
        table.dragged.connect(self._drag)
        table.changed.connect(self._set_coefficient)
        return table

    # The answer --------------------------------------------------------------------------------------------------

    @property
    def function(self) -> str:
        """The text of the answer."""
        return self.document.answer.function

    @property
    def values(self) -> Values | None:
        """The answer's values on the grid; None if it has none, or if they are not known yet."""
        if self.function not in self._values:
            self._values = {self.function: None}
            self._evaluate()
        return self._values[self.function]

    def _evaluate(self) -> None:
        """Computes the values now if that is quick, and otherwise in the background."""
        if self._evaluation is not None:
            self._evaluation.cancel()
            self._evaluation = None
        try:
            self._values[self.function] = quick_values_of(self.function, self.grid_size) if self.function else None
        except FormulaError:
            return
        except TooSlow:
            done = partial(self._take_values, self.function)
            arguments = (self.function, self.grid_size)
            self._evaluation = self.runner.run(
                "Evaluating the formula", values_of, *arguments, done=done, failed=lambda _: None
            )

    def _take_values(self, function: str, values: Values) -> None:
        self._evaluation = None
        if function in self._values:
            self._values[function] = values
            self.redraw()

    @property
    def coefficients(self) -> Floats | None:
        """The answer's coefficients in u and v, zeros if it is empty; None if it cannot be multiplied out."""
        return _coefficients(self.function, self.grid_size) if self.function else np.zeros((1, 1))

    @property
    def strokes(self) -> Strokes:
        """The painted cells that belong to the present formula."""
        return self._strokes_by_formula.get(self.function, {})

    def put(self, label: str, function: str, merge: str = "") -> None:
        """Replaces the function; what was painted is kept."""
        self._strokes_by_formula.setdefault(function, self.strokes)
        self.edit(label, Function(reasoning=self.document.answer.reasoning, function=function), merge)

    def put_coefficients(self, label: str, coefficients: Floats, merge: str = "") -> None:
        """Replaces the function by the polynomial with these coefficients."""
        self.put(label, formula_text(coefficients, self.grid_size), merge)

    def fit(self) -> None:
        """Fits a polynomial of the chosen degree by least squares."""
        self.put_coefficients("Least squares", self._fitted(self.strokes))

    def separate(self) -> None:
        """Separates the cells by a linear programme of the chosen degree, in the background."""
        degree = self._degree.value
        self.runner.run(
            "Separating exactly",
            separated,
            self.target,
            degree,
            done=lambda coefficients: self._separated(coefficients, degree),
        )

    def _separated(self, coefficients: Floats | None, degree: int) -> None:
        if coefficients is None:
            self.message.emit(f"No polynomial of degree {degree} separates these cells; try a higher one.")
        else:
            self.put_coefficients("Separate exactly", plain(coefficients))

    def round_off(self) -> None:
        """Shortens the coefficients."""
        coefficients = self.coefficients
        if coefficients is None or not self.function:
            self.message.emit("There are no coefficients to round.")
        else:
            self.put_coefficients("Round coefficients", rounded_while_right(coefficients, self.target))

    def preview_stroke(self, stroke: Strokes | None) -> None:
        """Shows the fit to a stroke; None: shows the answer again."""
        self._preview = None if stroke is None else self._fitted({**self.strokes, **stroke})
        self.redraw()

    def paint(self, stroke: Strokes) -> None:
        """Adds a stroke, and fits the chosen degree to it."""
        self.use_aid("Fit to strokes", Aid.SOLVING)
        strokes = {**self.strokes, **stroke}
        text = formula_text(self._fitted(strokes), self.grid_size)
        self._strokes_by_formula[text] = strokes
        self.put("Paint", text)
        self.redraw()

    def _fitted(self, strokes: Strokes) -> Floats:
        return fit(self.target, self._degree.value, strokes, self._with_target.value)

    def add_block(self, label: str, expression: str | None) -> None:
        """Adds a block to the formula, in the chosen way; None is a block without a size, which is refused."""
        if expression is None:
            self.message.emit(f"Drag to give the {label.lower()} a size.")
            return
        how = COMBINATIONS[self._how.value]
        self.put(label, f"def f(x,y): return {combined(expression_in(self.function), expression, how)}")

    def clear_strokes(self) -> None:
        """Discards what was painted, and what has been begun."""
        self.view.tool.stop()
        self._strokes_by_formula.clear()
        self.cursor_cell = None
        self.redraw()

    def _typed(self, function: str) -> None:
        error = None
        try:
            if function:
                formula_of(function)
        except FormulaError as message:
            error = message
        else:
            self.put("Type formula", function, merge="formula")
        self.field.show_error(error)

    def _set_coefficient(self, i: int, j: int, value: float) -> None:
        self._preview = None
        changed = self._with_coefficient(i, j, value)
        if changed is not None:
            self.put_coefficients(
                "Change coefficient", changed, "" if self._is_mouse_down() else f"coefficient {i} {j}"
            )

    def _drag(self, i: int, j: int, value: float) -> None:
        self._preview = self._with_coefficient(i, j, value)
        self.redraw()

    def _with_coefficient(self, i: int, j: int, value: float) -> Floats | None:
        coefficients = self.coefficients
        if coefficients is None:
            return None
        changed = to_degree(coefficients, max(len(coefficients) - 1, i + j))
        changed[i, j] = value
        return changed

    @staticmethod
    def _is_mouse_down() -> bool:
        return bool(QGuiApplication.mouseButtons())

    # Pointing ----------------------------------------------------------------------------------------------------

    def cell_at(self, event: PointerEvent) -> tuple[int, int] | None:
        """The cell under the pointer."""
        x, y = (round(float(value)) for value in event.point)
        return (x, y) if 0 <= x < self.grid_size and 0 <= y < self.grid_size else None

    def point_at(self, event: PointerEvent | None) -> None:
        """Shows the cell under the pointer in the status bar; None: no cell."""
        cell = self.cell_at(event) if event is not None else None
        if cell != self._pointed:
            self._pointed = cell
            self.update_status()

    def move_cursor(self, dx: int, dy: int) -> None:
        """Moves the cursor, whose cell the keys paint."""
        x, y = self.cursor_cell or (self.grid_size // 2 - dx, self.grid_size // 2 - dy)
        last = self.grid_size - 1
        self.cursor_cell = self._pointed = min(max(x + dx, 0), last), min(max(y + dy, 0), last)
        self.redraw()

    def next_wrong(self) -> None:
        """Selects the next wrong cell, in the order of how near f is to zero."""
        values = self.values
        wrong = np.argwhere(values.marked != self.target) if values is not None else np.empty((0, 2), int)
        if values is None or not len(wrong):
            self.message.emit("No cell is wrong." if values is not None else "There is no formula yet.")
            return
        order = wrong[np.argsort(np.abs(values.values[tuple(wrong.T)]), kind="stable")].tolist()
        names = [f"cell {x},{y},0" for y, x in order]
        chosen = next((names.index(name) + 1 for name in self.view.selection if name in names), 0) % len(names)
        self._pointed = (order[chosen][1], order[chosen][0])
        self.view.set_selection([names[chosen]])
        self.update_status()

    def _paint_cursor(self, positive: bool) -> None:
        if self.cursor_cell is not None:
            self.paint({self.cursor_cell: positive})

    def _describe(self, pick: Pick) -> tuple[str, str]:
        x, y = (int(part) for part in pick.id.split(" ")[-1].split(",")[:2])
        demand = "needs f > 0" if self.target[y, x] else "needs f ≤ 0"
        return f"({x}, {y}) · {demand}", f"{self._value_words(x, y)}{self._fault(x, y)}"

    def _fault(self, x: int, y: int) -> str:
        marked = self._marked() if self.allows(Aid.JUDGING) else None
        if marked is None or marked[y, x] == self.target[y, x]:
            return ""
        return " · missed" if self.target[y, x] else " · extra"

    def _value_words(self, x: int, y: int) -> str:
        if self.values is None:
            return "no formula yet" if not self.function else "no value"
        value = python_value(formula_of(self.function), x, y)
        return f"f = {value}" if isinstance(value, str) else f"f = {float(value):.5g}"

    # Drawing -----------------------------------------------------------------------------------------------------

    def make_scene(self) -> Scene:
        """The cells as f marks them, its zero line, the painted cells, and the cursor.

        It is the same object as before if none of that has changed, as when a verdict arrives.
        """
        preview = None if self._preview is None else self._preview.tobytes()
        known = self.values is not None
        shown = (self.function, known, preview, self._shown.value, self.cursor_cell, tuple(self.strokes.items()))
        if self._drawn is None or self._drawn[0] != shown:
            self._drawn = shown, self._draw()
        return self._drawn[1]

    def _draw(self) -> Scene:
        marked = self._marked()
        samples = None
        which = self._shown.value
        if marked is not None and which != TARGET:
            samples = (self._samples(), self._places)
        shown = self.target if which != FORMULA or marked is None else marked
        scene = draw(shown, marked if which == BOTH else None, samples)
        return replace(scene, items=(*scene.items, *self._extras(shown, marked)))

    def redraw(self, reset_view: bool = False) -> None:
        """First raises the chosen degree to that of the formula."""
        degree = self._degree_of(self.coefficients)
        if self._preview is None and self._degree.value < degree <= MAX_DEGREE:
            self._degree.value = degree
        super().redraw(reset_view)

    def _show_function(self, field: FormulaField) -> None:
        if self._preview is None:
            field.show_function(self.function)

    def _show_coefficients(self, table: CoefficientTable) -> None:
        if self._preview is not None:
            return
        coefficients = self.coefficients
        degree = self._degree_of(coefficients)
        fits = coefficients if degree <= MAX_DEGREE else None
        table.show_coefficients(fits, max(self._degree.value, degree if fits is not None else 0))

    def marked(self) -> Mapping[str, str]:
        """Nothing: the colours already show what is wrong."""
        return {}

    def status(self) -> str:
        parts = (
            *(self._measured() if self.allows(Aid.MEASURING) else ()),
            *(self._judged() if self.allows(Aid.JUDGING) else ()),
            *(self._measured_of_formula() if self.allows(Aid.MEASURING) else ()),
            *(self._judged_of_formula() if self.allows(Aid.JUDGING) else ()),
        )
        return " · ".join(parts)

    def _measured(self) -> Iterable[str]:
        if self._pointed:
            yield f"({self._pointed[0]}, {self._pointed[1]}): {self._value_words(*self._pointed)}"
        if self._marked() is None:
            yield f"{self.grid_size} × {self.grid_size} cells, {int(self.target.sum())} need f > 0"

    def _judged(self) -> Iterable[str]:
        marked = self._marked()
        if marked is None:
            return
        right = int((marked == self.target).sum())
        alike = marked.all() or not marked.any()
        score = 0.0 if alike else score_of(right / self.target.size)
        yield f"{right} of {counted(self.target.size, 'cell')} right"
        yield f"score {score_words(score, 3)}"

    def _measured_of_formula(self) -> Iterable[str]:
        shape = degree_and_terms(self.function) if self._shown_values is not None else None
        if shape:
            yield f"degree {shape[0]}"
            yield counted(shape[1], "term")

    def _judged_of_formula(self) -> Iterable[str]:
        if (values := self._shown_values) is not None:
            yield f"smallest relative margin {values.margin:.1e}"

    @property
    def _shown_values(self) -> Values | None:
        """The answer's values; None during a preview."""
        return self.values if self._preview is None else None

    def _marked(self) -> Mask | None:
        if self._preview is not None:
            return values_at(self._preview, np.arange(float(self.grid_size)), self.grid_size) > 0
        return self.values.marked if self.values is not None else None

    def _samples(self) -> Floats:
        if self._preview is not None:
            return values_at(self._preview, self._places, self.grid_size)
        return sampled(formula_of(self.function), self._places)

    def _extras(self, shown: Mask, marked: Mask | None) -> list[Item]:
        drawn = shown if self._shown.value != BOTH or marked is None else shown | marked
        rows, columns = np.nonzero(~drawn)
        cells = np.stack([columns, rows, np.zeros_like(rows)], axis=1)
        # These cells are invisible, but the pointer picks them.
        items: list[Item] = [Voxels(name="empty", cells=cells, origin=(-0.5, -0.5, 0.0), opacity=0.0)]
        if self.strokes:
            items.append(self.dots(self.strokes))
        if self.cursor_cell is not None:
            square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
            points = np.array(self.cursor_cell) + square
            items.append(Polygon(id="cursor", points=points, opacity=0.4, color="accent", outline="accent"))
        return items

    def dots(self, strokes: Strokes) -> Points:
        """The painted cells: green where f has to be positive, purple elsewhere."""
        return Points(
            name="strokes",
            ids=[f"stroke {x},{y}" for x, y in strokes],
            positions=np.array(list(strokes), dtype=float).reshape(-1, 2),
            colors=["series 2" if positive else "series 3" for positive in strokes.values()],
            size_px=9,
            pickable=False,
        )

    def _show_counts(self, legend: CurveLegend) -> None:
        marked = self._marked()
        shown = self.target if marked is None else marked
        legend.show_counts(
            [
                CurveCount(HIT, "Target" if marked is None else "Found", int((self.target & shown).sum())),
                CurveCount(MISSED, "Missed", int((self.target & ~shown).sum())),
                CurveCount(EXTRA, "Extra", int((shown & ~self.target).sum())),
            ]
        )

    @staticmethod
    def _degree_of(coefficients: Floats | None) -> int:
        if coefficients is None:
            return MAX_DEGREE + 1
        return max((int(i + j) for i, j in np.argwhere(coefficients)), default=0)

    # Options -----------------------------------------------------------------------------------------------------

    def _set_degree(self, degree: float) -> None:
        self._degree.put(round(degree))


@lru_cache(maxsize=64)
def _coefficients(function: str, size: int) -> Floats | None:
    try:
        return scaled_coefficients(formula_of(function), size)
    except (FormulaError, TooLong):
        return None
