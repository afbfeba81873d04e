"""The editor of polynomial_fit: type a formula, move its coefficients, paint where it has to be positive, or fit it."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from PySide6.QtGui import QGuiApplication

from engine.core import Aid, Scene
from engine.core.scene import Item, Points, Polygon, Voxels
from engine.core.words import counted
from engine.tasks.polynomial_fit import Function, degree_and_terms, score_of, target_of, values_of
from engine.tasks.polynomial_fit.algebra import TooLong
from engine.tasks.polynomial_fit.cells import Mask, TooSlow, Values, python_value, sampled, scaled_coefficients
from engine.tasks.polynomial_fit.drawing import EXTRA, HIT, MISSED, draw, sample_places
from engine.tasks.polynomial_fit.editing import (
    Combination,
    Strokes,
    combined,
    expression_in,
    fit,
    rounded_while_right,
    to_degree,
    values_at,
)
from engine.tasks.polynomial_fit.fitting import MAX_DEGREE, formula_text, plain, separated
from engine.tasks.polynomial_fit.formula import FormulaError, formula_of
from widgets.canvas2d import Canvas2D
from widgets.editing.editor import Editor
from widgets.editing.panel import ToolPanel
from widgets.editors.polynomial_fit.controls import CoefficientTable, Count, FormulaField, Legend
from widgets.editors.polynomial_fit.gestures import LookTool, PaintTool, ellipse_tool, half_plane_tool
from widgets.view import Pick, PointerEvent, SceneView, Tool

HINT = "Type a formula at the left, drag an ellipse, or let least squares begin.  Blue cells want f > 0."
COMBINATIONS: tuple[Combination, ...] = ("replace", "multiply", "add")
SHOWN = ("Formula and target", "Target only", "Formula only")


class PolynomialEditor(Editor):
    """The answer is text; sliders, strokes, blocks and fits write it."""

    def prepare(self) -> None:
        self.target = target_of(self.instance)
        self.grid_size = len(self.target)
        self.cursor_cell: tuple[int, int] | None = None
        self._pointed: tuple[int, int] | None = None
        self._preview: np.ndarray | None = None
        self._drawn: tuple[tuple[object, ...], Scene] | None = None
        self._strokes_by_formula: dict[str, Strokes] = {}
        self._shown = 0
        self._how: Combination = "replace"
        self._places = sample_places(self.grid_size)

    def begin(self) -> None:
        self.view.show_hint(HINT)

    def make_view(self) -> SceneView:
        """A canvas."""
        view = Canvas2D()
        view.box_select = False
        view.set_describe(self._describe)
        return view

    def build_tools(self, tools: ToolPanel) -> None:
        """The formula, what finds one, what draws one, and its coefficients."""
        tools.add_section("f(x, y) =")
        self.field = FormulaField()
        self.field.typed.connect(self._typed)
        tools.add_widget(self.field)
        self.legend = Legend(3)
        tools.add_widget(self.legend)
        self._add_fits(tools)
        tools.add_section("Coefficients")
        self.table = CoefficientTable()
        self.table.dragged.connect(self._drag)
        self.table.changed.connect(self._set_coefficient)
        tools.add_widget(self.table)
        tools.add_note("u and v are x and y, scaled from −1 to 1 over the grid.")
        self._add_drawing(tools)
        tools.add_section("View")
        tools.add_choice("Show", SHOWN, self._show, "What the cells' colours tell")
        self._add_keys(tools)

    def _add_fits(self, tools: ToolPanel) -> None:
        tools.add_section("Find one")
        self.degree = tools.add_number(
            "Degree", 2, (1, MAX_DEGREE), self._degree_changed, tip="Largest i + j of x^i y^j"
        )
        actions = [
            self.add_action(
                "Least squares", self.fit, "L", "fit_curve", "The closest to +1 and −1, as a quick start", Aid.SOLVING
            ),
            self.add_action(
                "Separate exactly", self.separate, "E", "solve", "A linear programme of the chosen degree", Aid.SOLVING
            ),
            self.add_action(
                "Round while right", self.round_off, "R", "round_off", "Fewest digits, no cell lost", Aid.SOLVING
            ),
        ]
        tools.add_tools(actions, exclusive=False)

    def _add_drawing(self, tools: ToolPanel) -> None:
        tools.add_section("Draw")
        kinds: list[tuple[str, str, str, str, Tool]] = [
            ("Look", "S", "select", "Point at cells to read f", LookTool(self)),
            (
                "Positive",
                "P",
                "positive",
                "Paint where f has to be positive; Shift: the other way",
                PaintTool(self, True),
            ),
            (
                "Negative",
                "M",
                "negative",
                "Paint where f must not be positive; Shift: the other way",
                PaintTool(self, False),
            ),
            ("Ellipse", "C", "ellipse", "Drag the box of an ellipse, snapped to half cells", ellipse_tool(self)),
            (
                "Half-plane",
                "H",
                "half_plane",
                "Drag a line; f is positive on the side of the arrow",
                half_plane_tool(self),
            ),
        ]
        actions = []
        for text, key, icon_name, tip, tool in kinds:
            actions.append(self.add_action(text, lambda tool=tool: self.view.set_tool(tool), key, icon_name, tip))
        tools.add_tools(actions, columns=2)
        self.view.set_tool(kinds[0][4])
        tools.add_choice(
            "Blocks", [how.capitalize() for how in COMBINATIONS], self._combine, "What a new block does to the formula"
        )
        self._with_target = tools.add_check(
            "Target counts in fits", True, lambda _: None, "Otherwise least squares see only what was painted"
        )

    def _add_keys(self, tools: ToolPanel) -> None:
        miss = self.add_action(
            "Next wrong cell", self.next_wrong, "N", "search", "The nearest to zero first", Aid.JUDGING
        )
        forget = self.add_action("Forget strokes", self.forget, "Escape", "close", "What was painted counts no more")
        tools.add_tools([miss, forget], exclusive=False)
        for key, step in (("Left", (-1, 0)), ("Right", (1, 0)), ("Up", (0, -1)), ("Down", (0, 1))):
            self.add_action(f"Cell {key.lower()}", lambda step=step: self.move_cursor(*step), key)
        self.add_action("Paint cell positive", lambda: self._paint_cursor(True), "Return, +")
        self.add_action("Paint cell not positive", lambda: self._paint_cursor(False), "Shift+Return, -")

    # The answer --------------------------------------------------------------------------------------------------

    @property
    def function(self) -> str:
        """The text of the answer."""
        return self.document.answer.function

    @property
    def values(self) -> Values | None:
        """The answer's values on the grid; None where it has none."""
        try:
            return values_of(self.function, self.grid_size) if self.function else None
        except (FormulaError, TooSlow):
            return None

    @property
    def coefficients(self) -> np.ndarray | None:
        """The answer's coefficients in u and v, none yet being zeros; None if it cannot be multiplied out."""
        return _coefficients(self.function, self.grid_size) if self.function else np.zeros((1, 1))

    @property
    def strokes(self) -> Strokes:
        """What was painted for the present formula."""
        return self._strokes_by_formula.get(self.function, {})

    def put(self, label: str, function: str, merge: str = "") -> None:
        """Puts another function in place; what was painted stays."""
        self._strokes_by_formula.setdefault(function, self.strokes)
        self.edit(label, Function(reasoning=self.document.answer.reasoning, function=function), merge)

    def put_coefficients(self, label: str, coefficients: np.ndarray, merge: str = "") -> None:
        """Puts the function with these coefficients in place."""
        self.put(label, formula_text(coefficients, self.grid_size), merge)

    def fit(self) -> None:
        """Least squares of the chosen degree."""
        self.put_coefficients("Least squares", self._fitted(self.strokes))

    def separate(self) -> None:
        """A linear programme of the chosen degree; says if there is no solution."""
        degree = round(self.degree.value())
        self.runner.run(
            "Separating exactly",
            separated,
            self.target,
            degree,
            done=lambda found: self._separated(found, degree),
        )

    def _separated(self, found: np.ndarray | None, degree: int) -> None:
        if found is None:
            self.message.emit(f"No polynomial of degree {degree} separates these cells; try a higher one.")
        else:
            self.put_coefficients("Separate exactly", plain(found))

    def round_off(self) -> None:
        """Shortens the coefficients."""
        coefficients = self.coefficients
        if coefficients is None or not self.function:
            self.message.emit("There are no coefficients to round.")
        else:
            self.put_coefficients("Round coefficients", rounded_while_right(coefficients, self.target))

    def preview_stroke(self, stroke: Strokes | None) -> None:
        """Shows what a stroke would lead to; None: shows the answer again."""
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

    def _fitted(self, strokes: Strokes) -> np.ndarray:
        return fit(self.target, round(self.degree.value()), strokes, self._with_target.isChecked())

    def add_block(self, label: str, expression: str) -> None:
        """Adds a block to the formula, as the choice says."""
        self.put(label, f"def f(x,y): return {combined(expression_in(self.function), expression, self._how)}")

    def forget(self) -> None:
        """Drops what was painted, and what is begun."""
        self.view.tool.stop()
        self._strokes_by_formula.clear()
        self.cursor_cell = None
        self.redraw()

    def _typed(self, function: str) -> None:
        error = None
        try:
            if function:
                formula_of(function)
        except FormulaError as found:
            error = found
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

    def _with_coefficient(self, i: int, j: int, value: float) -> np.ndarray | None:
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
        """The status tells of the cell under the pointer."""
        cell = self.cell_at(event) if event is not None else None
        if cell != self._pointed:
            self._pointed = cell
            self.tell_status()

    def move_cursor(self, dx: int, dy: int) -> None:
        """Moves the cell that keys paint."""
        x, y = self.cursor_cell or (self.grid_size // 2 - dx, self.grid_size // 2 - dy)
        last = self.grid_size - 1
        self.cursor_cell = self._pointed = min(max(x + dx, 0), last), min(max(y + dy, 0), last)
        self.redraw()

    def next_wrong(self) -> None:
        """Selects the wrong cell that follows, by how near f is to zero."""
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
        self.tell_status()

    def _paint_cursor(self, positive: bool) -> None:
        if self.cursor_cell is not None:
            self.paint({self.cursor_cell: positive})

    def _describe(self, pick: Pick) -> tuple[str, str]:
        x, y = (int(part) for part in pick.id.split(" ")[-1].split(",")[:2])
        wanted = "wants f > 0" if self.target[y, x] else "wants f ≤ 0"
        return f"({x}, {y}) · {wanted}", f"{self._value_words(x, y)}{self._fault(x, y)}"

    def _fault(self, x: int, y: int) -> str:
        marked = self._marked()
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
        """The cells with what f makes of them, its zero line, what was painted, and the keys' cell.

        The same scene as before where nothing of that changed, as when a verdict arrives.
        """
        preview = None if self._preview is None else self._preview.tobytes()
        shown = (self.function, preview, self._shown, self.cursor, tuple(self.strokes.items()))
        if self._drawn is None or self._drawn[0] != shown:
            self._drawn = shown, self._draw()
        return self._drawn[1]

    def _draw(self) -> Scene:
        marked, samples = self._marked(), None
        if marked is not None and self._shown != 1:
            samples = (self._samples(), self._places)
        shown = self.target if self._shown != 2 or marked is None else marked
        scene = draw(shown, None if self._shown else marked, samples)
        return replace(scene, items=(*scene.items, *self._extras(shown, marked)))

    def redraw(self, reset_view: bool = False) -> None:
        """Picture, field, legend and sliders say the same."""
        super().redraw(reset_view)
        self._show_counts()
        if self._preview is not None:
            return
        self.field.show_function(self.function)
        coefficients = self.coefficients
        degree = self._degree_of(coefficients)
        if degree > self.degree.value() and degree <= MAX_DEGREE:
            self.degree.setValue(degree)
        fits = coefficients if degree <= MAX_DEGREE else None
        self.table.show_coefficients(fits, max(round(self.degree.value()), degree if fits is not None else 0))

    def mark_failed(self) -> None:
        """The colours tell what is wrong already."""
        self.view.set_highlight({})

    def status(self) -> str:
        """How many cells are right, and what the formula is like."""
        pointed = (
            f"({self._pointed[0]}, {self._pointed[1]}): {self._value_words(*self._pointed)} · " if self._pointed else ""
        )
        marked = self._marked()
        if marked is None:
            return f"{pointed}{self.grid_size} × {self.grid_size} cells, {int(self.target.sum())} want f > 0"
        right = int((marked == self.target).sum())
        share = right / self.target.size
        alike = marked.all() or not marked.any()
        score = 0.0 if alike else score_of(share)
        words = f"{pointed}{right} of {counted(self.target.size, 'cell')} right · score {score:.3f}"
        if self._preview is None and (values := self.values) is not None:
            shape = degree_and_terms(self.function)
            words += f" · degree {shape[0]} · {counted(shape[1], 'term')}" if shape else ""
            words += f" · smallest relative margin {values.margin:.1e}"
        return words

    def _marked(self) -> Mask | None:
        if self._preview is not None:
            return values_at(self._preview, np.arange(float(self.grid_size)), self.grid_size) > 0
        return self.values.marked if self.values is not None else None

    def _samples(self) -> np.ndarray:
        if self._preview is not None:
            return values_at(self._preview, self._places, self.grid_size)
        return sampled(formula_of(self.function), self._places)

    def _extras(self, shown: Mask, marked: Mask | None) -> list[Item]:
        drawn = shown if self._shown or marked is None else shown | marked
        rows, columns = np.nonzero(~drawn)
        cells = np.stack([columns, rows, np.zeros_like(rows)], axis=1)
        # They are not seen, but the pointer finds them.
        items: list[Item] = [Voxels(name="empty", cells=cells, origin=(-0.5, -0.5, 0.0), opacity=0.0)]
        if self.strokes:
            items.append(self.dots(self.strokes))
        if self.cursor_cell is not None:
            square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
            points = np.array(self.cursor_cell) + square
            items.append(Polygon(id="cursor", points=points, opacity=0.4, color="accent", outline="accent"))
        return items

    def dots(self, strokes: Strokes) -> Points:
        """Painted cells: green where f has to be positive, purple where not."""
        return Points(
            name="strokes",
            ids=[f"stroke {x},{y}" for x, y in strokes],
            positions=np.array(list(strokes), dtype=float).reshape(-1, 2),
            colors=["series 2" if positive else "series 3" for positive in strokes.values()],
            size_px=9,
            pickable=False,
        )

    def _show_counts(self) -> None:
        marked = self._marked()
        found = self.target if marked is None else marked
        self.legend.show_counts(
            [
                Count(HIT, "Target" if marked is None else "Found", int((self.target & found).sum())),
                Count(MISSED, "Missed", int((self.target & ~found).sum())),
                Count(EXTRA, "Extra", int((found & ~self.target).sum())),
            ]
        )

    @staticmethod
    def _degree_of(coefficients: np.ndarray | None) -> int:
        if coefficients is None:
            return MAX_DEGREE + 1
        return max((int(i + j) for i, j in np.argwhere(coefficients)), default=0)

    # Options -----------------------------------------------------------------------------------------------------

    def _degree_changed(self, _value: float) -> None:
        self.redraw()

    def _combine(self, index: int) -> None:
        self._how = COMBINATIONS[index]

    def _show(self, index: int) -> None:
        self._shown = index
        self.redraw()


@lru_cache(maxsize=64)
def _coefficients(function: str, size: int) -> np.ndarray | None:
    try:
        return scaled_coefficients(formula_of(function), size)
    except (FormulaError, TooLong):
        return None
