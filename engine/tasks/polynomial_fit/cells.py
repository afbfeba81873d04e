"""The cells of a grid where a formula is positive, exactly as Python would compute it, but fast.

Doubles decide wherever their rounding cannot matter. The few cells left are worked out with Python's own numbers:
whole numbers stay exact, everything else is double.
"""

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.polynomial_fit.algebra import Bounded, Size, Sparse, TooLong, expanded
from spatial_workbench.engine.tasks.polynomial_fit.formula import Formula

Mask: TypeAlias = NDArray[np.bool_]

CANCELLATION = 1e-9
"""Values this small beside the sum of their absolute terms deserve a warning."""
MAX_BITS = 50_000
"""How many bits a whole number may have while a value is computed."""
MAX_WORK = 15_000_000
"""Steps with Python's numbers, longer numbers counting more; about 5 s."""
QUICK_WORK = 60_000
"""A budget that is not noticeable while typing."""
_QUICK_PRODUCTS = 50_000
"""How many products it may take to write a formula in scaled coordinates, which has to be quick."""
_LARGEST = 1e308
"""The value at which larger whole numbers are drawn."""
OVERFLOW = marked("overflow")
EVALUATING = marked("evaluating")


class TooSlow(Exception):
    """The formula would take too long."""


@dataclass(frozen=True, eq=False)
class Values:
    """f on the cells of a grid, all arrays by (y, x).

    values: doubles, for drawing. marked: f > 0. errors: what went wrong, by cell (x, y). cancels: where the value is
    tiny beside its terms, so that rounding may have decided its sign.
    """

    values: Floats
    marked: Mask
    cancels: Mask
    margin: float
    """The smallest |f| beside the sum of its absolute terms."""
    errors: dict[tuple[int, int], str] = field(default_factory=dict)


def evaluate(formula: Formula, size: int, progress: Progress = silent, most_work: int = MAX_WORK) -> Values:
    """f at the cells 0..size-1 of both axes.

    Raises:
        TooSlow: over the budget.
    """
    if not formula.is_polynomial:
        _check_work(formula, size, size * size, most_work)
        return _pointwise(formula, np.zeros((size, size)), np.zeros((size, size), bool), progress)
    with np.errstate(all="ignore"):
        bounded = formula.at(*_axes(np.arange(size, dtype=float)), Bounded.of)
        values, magnitude, bound = (
            np.array(np.broadcast_to(part, (size, size))) for part in (bounded.value, bounded.magnitude, bounded.bound)
        )
        clear = np.isfinite(values) & np.isfinite(magnitude) & (np.abs(values) > bound)
        relative = np.nan_to_num(np.where(magnitude > 0, np.abs(values) / magnitude, 0.0))
    _check_work(formula, size, int((~clear).sum()), most_work)
    cancels = (relative < CANCELLATION) & np.isfinite(magnitude) & (not formula.is_whole)
    return replace(_pointwise(formula, values, clear, progress), cancels=cancels, margin=float(relative.min()))


def _pointwise(formula: Formula, values: Floats, clear: Mask, progress: Progress) -> Values:
    """Computes the undecided cells individually."""
    marked = clear & (values > 0)
    errors: dict[tuple[int, int], str] = {}
    doubtful = np.argwhere(~clear)
    for done, (y, x) in enumerate(doubtful.tolist()):
        if done % 256 == 0:
            progress(done, len(doubtful), EVALUATING)
        value = python_value(formula, x, y)
        if isinstance(value, str):
            errors[x, y] = value
        else:
            marked[y, x] = value > 0
            values[y, x] = max(-_LARGEST, min(_LARGEST, value))
    return Values(values, marked, np.zeros_like(marked), 0.0, errors)


def sampled(formula: Formula, places: Floats) -> Floats:
    """f in doubles at places (n,) of both axes, by (y, x): for contours and previews; what overflows is not finite."""
    with np.errstate(all="ignore"):
        value = formula.at(*_axes(np.asarray(places, dtype=float)), Bounded.of).value
    return np.array(np.broadcast_to(value, (len(places), len(places))))


def python_value(formula: Formula, x: int, y: int) -> int | float | str:
    """f at one cell with Python's numbers, or what went wrong there."""
    try:
        value = formula.at_cell(x, y)
    except ArithmeticError as error:
        return OVERFLOW if isinstance(error, OverflowError) else "division by 0"
    if isinstance(value, complex):
        return "a complex value"
    if isinstance(value, float) and not math.isfinite(value):
        return "no number" if math.isnan(value) else OVERFLOW
    assert isinstance(value, int | float)
    return value


def exact_signs(formula: Formula, size: int, progress: Progress = silent) -> Mask:
    """Where f is positive, exactly, decimal numbers read as they are written: multiplied out, then Horner.

    Raises:
        TooSlow: over the budget.
    """
    try:
        return expanded(formula).signs(size)
    except TooLong:
        _check_work(formula, size, 4 * size * size, MAX_WORK)
    positive = np.zeros((size, size), bool)
    for y in range(size):
        progress(y, size, "exact evaluation")
        for x in range(size):
            positive[y, x] = formula.at(Fraction(x), Fraction(y), lambda number: number.exact) > 0
    return positive


def scaled_coefficients(formula: Formula, size: int) -> Floats:
    """The coefficients c[i, j] of u^i v^j, u and v being x and y scaled to -1..1 over the grid.

    Raises:
        TooLong: it cannot be multiplied out.
    """
    half = Fraction(size - 1, 2)
    u, v = (Sparse({(0, 0): half, key: half}) for key in ((1, 0), (0, 1)))
    polynomial = expanded(formula, u, v, most_products=_QUICK_PRODUCTS)
    coefficients = np.zeros((polynomial.degree + 1,) * 2)
    for (i, j), value in polynomial.terms.items():
        coefficients[i, j] = float(value)
    return coefficients


def _axes(places: Floats) -> tuple[Bounded, Bounded]:
    """x along a row and y along a column, so that parts in one variable cost next to nothing."""
    return Bounded.variable(places[None, :]), Bounded.variable(places[:, None])


def _check_work(formula: Formula, size: int, cells: int, most: int) -> None:
    if not cells:
        return
    largest = Size(math.log2(max(2, size)))
    bits = formula.at(largest, largest, Size.of).bits if formula.is_polynomial else 0.0
    if bits > MAX_BITS or cells * len(formula.steps) * (1 + bits / 2000) > most:
        raise TooSlow
