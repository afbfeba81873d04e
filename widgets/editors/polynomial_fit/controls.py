"""The controls of the editor: the field of the formula, a legend with counts, and sliders for coefficients."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPixmap,
    QTextCharFormat,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QSlider,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.tasks.polynomial_fit.editing import expression_in, function_of
from spatial_workbench.engine.tasks.polynomial_fit.fitting import exponents
from spatial_workbench.engine.tasks.polynomial_fit.formula import FormulaError
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.qt import call_later
from spatial_workbench.widgets.shown_text import replace_text
from spatial_workbench.widgets.theme import SPACE, Theme

SLIDER_STEPS = 1000
"""The steps of a slider from zero to either end."""
DECADES = 4
"""The powers of ten between the smallest and the largest value of a slider."""
_KEEP_SCALE = 0.01
"""The sliders keep their scale while the largest coefficient is between this share of its end and its end."""
_FIELD_HEIGHT, _TABLE_HEIGHT = 104, 236
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class FormulaField(QWidget):
    """The expression that f returns. Errors are named below it, and marked in it.

    Signals:
        typed(str): the person changed the text; the function that it stands for.
    """

    typed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._function = ""
        self.text = _Text()
        self.text.setPlaceholderText("9 - (x-3)**2 - (y-4)**2")
        self.text.setAccessibleName(tr("Formula f(x, y)"))
        self.text.setToolTip(tr("Numbers, x, y, + - * / ** and parentheses; f > 0 marks a cell"))
        self.text.textChanged.connect(self._typed)
        self.error = QLabel()
        self.error.setObjectName("error")
        self.error.setWordWrap(True)
        self.error.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addWidget(self.text)
        layout.addWidget(self.error)

    def show_function(self, function: str) -> None:
        """Shows a function if it has changed; text that is being typed and cannot be read yet is left alone."""
        changed = function != self._function
        self._function = function
        if changed and function_of(self.text.toPlainText()) != function:
            with QSignalBlocker(self.text):
                replace_text(self.text, expression_in(function))
            self.show_error(None)

    def show_error(self, error: FormulaError | None) -> None:
        """Says what is wrong, and underlines the character where that is."""
        marks = [] if error is None or not error.line else [self._underlined(error)]
        where = "".join(f" at line {m.cursor.blockNumber() + 1}, column {m.cursor.positionInBlock()}" for m in marks)
        self.text.setExtraSelections(marks)
        self.error.setVisible(error is not None)
        self.error.setText(said(f"{error.reason}{where}. The last valid formula counts.") if error else "")

    def _underlined(self, error: FormulaError) -> QTextEdit.ExtraSelection:
        written = self.text.toPlainText()
        lead = len(written) - len(written.lstrip())
        added = function_of(written).find(written.strip()) if error.line == 1 else 0
        block = self.text.document().findBlockByNumber(written[:lead].count("\n") + error.line - 1)
        indent = lead - written.rfind("\n", 0, lead) - 1 if error.line == 1 else 0
        place = max(0, min(error.column - 1 - added + indent, block.length() - 1))
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + place)
        cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor)
        marked = QTextEdit.ExtraSelection()
        marked.cursor = cursor
        marked.format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        marked.format.setUnderlineColor(appearance().theme.color("failed"))
        faint = appearance().theme.color("failed")
        faint.setAlphaF(0.25)
        marked.format.setBackground(faint)
        return marked

    def _typed(self) -> None:
        self.typed.emit(function_of(self.text.toPlainText()))


class _Text(QPlainTextEdit):
    """A text field that leaves undo to the document, whose steps are whole formulas."""

    def __init__(self) -> None:
        super().__init__()
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(12)
        font.setStyleHint(QFont.StyleHint.Monospace)
        self.setFont(font)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setWordWrapMode(self.wordWrapMode().WrapAnywhere)
        self.setFixedHeight(_FIELD_HEIGHT)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            keys = QKeySequence.StandardKey
            assert isinstance(event, QKeyEvent)
            if event.matches(keys.Undo) or event.matches(keys.Redo):
                event.ignore()
                return False
        return super().event(event)


@dataclass(frozen=True)
class CurveCount:
    """A row of the legend: a colour role, a word, and how many cells."""

    role: str
    word: str
    cells: int


class CurveLegend(QWidget):
    """What the colours mean, and how many cells have them."""

    def __init__(self, rows: int) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(2 * SPACE)
        grid.setColumnStretch(1, 1)
        self._rows = [(QLabel(), QLabel(), QLabel()) for _ in range(rows)]
        for i, labels in enumerate(self._rows):
            labels[2].setAlignment(Qt.AlignmentFlag.AlignRight)
            for column, label in enumerate(labels):
                grid.addWidget(label, i, column)

    def show_counts(self, counts: list[CurveCount]) -> None:
        """Shows rows of words and numbers."""
        theme = appearance().theme
        for (square, word, number), count in zip(self._rows, counts, strict=True):
            square.setPixmap(_swatch(theme.color(count.role)))
            word.setText(said(count.word))
            number.setText(f"{count.cells}")
            number.setAccessibleName(f"{said(count.word)}: {count.cells}")

    def words(self) -> list[str]:
        """The rows as text."""
        return [f"{word.text()} {number.text()}" for _, word, number in self._rows]


def _swatch(color: QColor) -> QPixmap:
    pixmap = QPixmap(12, 12)
    pixmap.fill(color)
    return pixmap


class CoefficientTable(QScrollArea):
    """A slider and a number for each coefficient of u^i v^j; sliders are logarithmic, with zero in the middle.

    Signals:
        dragged(int, int, float): a slider is being dragged.
        changed(int, int, float): a coefficient was changed, by releasing a slider, by a key or by a number.
    """

    dragged = Signal(int, int, float)
    changed = Signal(int, int, float)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Coefficients"))
        self.rows: dict[tuple[int, int], CoefficientRow] = {}
        self._degree = -1
        self._top = 1.0
        self._tint(appearance().theme)
        appearance().changed.connect(self._tint)

    def show_coefficients(self, coefficients: np.ndarray | None, degree: int) -> None:
        """Shows the coefficients up to a degree; None disables the rows."""
        if degree != self._degree:
            self._build_rows(degree)
        self.setEnabled(coefficients is not None)
        shown = coefficients if coefficients is not None else np.zeros((1, 1))
        largest = float(np.abs(shown).max())
        if not self._top * _KEEP_SCALE <= largest <= self._top:
            self._top = 10.0 ** math.ceil(math.log10(largest or 1.0) + 0.3)
        for (i, j), row in self.rows.items():
            inside = i < len(shown) and j < len(shown)
            row.show_value(float(shown[i, j]) if inside else 0.0, self._top)

    def _tint(self, theme: Theme) -> None:
        """Leaves the groove of sliders unfilled, since zero is in the middle."""
        self.setStyleSheet(f"QSlider::sub-page:horizontal {{ background: {theme.line}; }}")

    def _build_rows(self, degree: int) -> None:
        self._degree = degree
        self.rows = {}
        body = QWidget()
        body.setObjectName("panel")
        grid = QGridLayout(body)
        grid.setContentsMargins(0, 0, SPACE, 0)
        grid.setHorizontalSpacing(2 * SPACE)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for place, (i, j) in enumerate(exponents(degree)):
            row = self.rows[i, j] = CoefficientRow(self, i, j)
            for column, widget in enumerate((row.name, row.slider, row.field)):
                grid.addWidget(widget, place, column)
        grid.setRowStretch(len(self.rows), 1)
        self.setWidget(body)
        self.setFixedHeight(min(_TABLE_HEIGHT, body.sizeHint().height()))


class CoefficientRow:
    """The widgets of one coefficient."""

    def __init__(self, table: CoefficientTable, i: int, j: int) -> None:
        words = monomial(i, j)
        self._table = table
        self._place = (i, j)
        self._top = 1.0
        self.name = QLabel(words)
        self.slider = _Slider(Qt.Orientation.Horizontal)
        self.slider.setRange(-SLIDER_STEPS, SLIDER_STEPS)
        self.slider.setPageStep(SLIDER_STEPS // 20)
        self.slider.setAccessibleName(said(f"Coefficient of {words}"))
        self.slider.setToolTip(said(f"Coefficient of {words}; logarithmic, zero in the middle. Double-click for zero"))
        self.slider.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.slider.setMinimumSize(64, 22)
        self.slider.valueChanged.connect(self._moved)
        self.slider.sliderReleased.connect(self._released)
        self.slider.zeroed.connect(lambda: table.changed.emit(i, j, 0.0))
        self.field = QLineEdit()
        self.field.setFixedWidth(78)
        self.field.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.field.setAccessibleName(said(f"Number for {words}"))
        self.field.setToolTip(said(f"Coefficient of {words}: type a number and press Return"))
        self.field.editingFinished.connect(self._typed)
        self._value = 0.0

    def show_value(self, value: float, top: float) -> None:
        """Shows a coefficient on a scale that ends at `top`."""
        self._value = value
        self._top = top
        if not self.slider.isSliderDown():
            with QSignalBlocker(self.slider):
                self.slider.setValue(position_of(value, top))
        self.field.setText(f"{value:.3g}")

    def _moved(self, position: int) -> None:
        value = value_at(position, self._top)
        if self.slider.isSliderDown():
            self.field.setText(f"{value:.3g}")
            self._table.dragged.emit(*self._place, value)
        else:
            self._table.changed.emit(*self._place, value)

    def _released(self) -> None:
        self._table.changed.emit(*self._place, value_at(self.slider.value(), self._top))

    def _typed(self) -> None:
        try:
            value = float(self.field.text().replace(",", "."))
        except ValueError:
            value = math.nan
        if not math.isfinite(value) or self.field.text() == f"{self._value:.3g}":
            self.field.setText(f"{self._value:.3g}")
            return
        # The change of the answer sets this very field, so the signal has to wait until editing has finished.
        call_later(self._table, lambda: self._table.changed.emit(*self._place, value))


class _Slider(QSlider):
    """A slider that leaves the wheel to the table, for scrolling, and goes to zero on a double click."""

    zeroed = Signal()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.zeroed.emit()


def value_at(position: int, top: float) -> float:
    """The coefficient at a slider's position, to three significant digits."""
    if not position:
        return 0.0
    value = top * 10 ** (DECADES * (abs(position) / SLIDER_STEPS - 1))
    return math.copysign(float(f"{value:.3g}"), position)


def position_of(value: float, top: float) -> int:
    """The slider's position for a coefficient; values too small for the scale are next to the middle."""
    if not value:
        return 0
    share = 1 + math.log10(abs(value) / top) / DECADES
    return round(math.copysign(min(SLIDER_STEPS, max(1, SLIDER_STEPS * share)), value))


def monomial(i: int, j: int) -> str:
    """The text for u^i v^j."""
    return (_power("u", i) + _power("v", j)) or "1"


def _power(name: str, exponent: int) -> str:
    return "" if not exponent else name if exponent == 1 else name + str(exponent).translate(_SUPERSCRIPTS)
