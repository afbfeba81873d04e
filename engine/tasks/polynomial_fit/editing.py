"""What building a formula by hand needs: blocks, strokes, rounding, and quick values of coefficients."""

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.polynomial_fit.cells import Mask
from spatial_workbench.engine.tasks.polynomial_fit.fitting import least_squares, plain, rounded, scaled

Strokes: TypeAlias = Mapping[tuple[int, int], bool]
"""Cells (x, y) that were painted, and whether f has to be positive there."""
Combination = Literal["replace", "multiply", "add"]

STROKE_WEIGHT = 30.0
"""The weight of a painted cell, in cells of the target."""
_FAINT = 1e-4
"""The weight of cells that only keep the fit bounded where the target is ignored."""
MAX_DIGITS = 17
_HEAD = re.compile(r"\s*def\s+f\s*\(\s*x\s*,\s*y\s*\)\s*:\s*return\b\s*", re.ASCII)


def expression_in(function: str) -> str:
    """The expression that a function returns, as text; any other text is returned unchanged."""
    return _HEAD.sub("", function, count=1).strip()


def function_of(expression: str) -> str:
    """The function that returns an expression; a text that is a function already is only stripped."""
    text = expression.strip()
    return text if not text or text.startswith("def") else f"def f(x,y): return {text}"


def ellipse(first: tuple[float, float], second: tuple[float, float]) -> str | None:
    """Positive inside the ellipse in a box from corner to corner; None if the box has no area."""
    (x0, y0), (x1, y1) = first, second
    a, b = abs(x1 - x0) / 2, abs(y1 - y0) / 2
    if not a or not b:
        return None
    return f"1 - ({_minus('x', (x0 + x1) / 2)})**2/{_short(a * a)} - ({_minus('y', (y0 + y1) / 2)})**2/{_short(b * b)}"


def half_plane(start: tuple[float, float], end: tuple[float, float]) -> str | None:
    """Positive to the right of a line, as one walks along it on the screen; None if it has no length."""
    (x0, y0), (x1, y1) = start, end
    dx, dy = x1 - x0, y1 - y0
    if not dx and not dy:
        return None
    return f"{_short(-dy)}*({_minus('x', x0)}) + {_short(dx)}*({_minus('y', y0)})"


def combined(old: str, new: str, how: Combination) -> str:
    """An expression with a block added to it."""
    if how == "replace" or not old:
        return new
    return f"({old})*({new})" if how == "multiply" else f"({old}) + ({new})"


def fit(target: Mask, degree: int, strokes: Strokes, with_target: bool = True) -> Floats:
    """The plain coefficients closest to +1 and -1 on the target's cells and on what was painted."""
    if not strokes:
        return plain(least_squares(target, degree))
    places = np.array(list(strokes))
    positive = np.array(list(strokes.values()))
    goal = np.array(target)
    goal[places[:, 1], places[:, 0]] = positive
    rest = 1.0 if with_target else _FAINT
    return plain(least_squares(goal, degree, places, STROKE_WEIGHT / rest))


def values_at(coefficients: Floats, places: Floats, size: int) -> Floats:
    """The sum with these plain coefficients at places (n,) of both axes, by (y, x)."""
    powers = np.vander(scaled(np.asarray(places, float), size), len(coefficients), increasing=True)
    return np.asarray(powers @ coefficients.T @ powers.T)


def right_cells(coefficients: Floats, target: Mask) -> int:
    """How many cells plain coefficients get right."""
    values = values_at(coefficients, np.arange(float(len(target))), len(target))
    return int(((values > 0) == target).sum())


def rounded_while_right(coefficients: Floats, target: Mask) -> Floats:
    """The coefficients rounded to the fewest significant digits that lose no correct cell."""
    right_before = right_cells(coefficients, target)
    for digits in range(1, MAX_DIGITS):
        shorter = rounded(coefficients, digits)
        if right_cells(shorter, target) >= right_before:
            return shorter
    return coefficients


def to_degree(coefficients: Floats, degree: int) -> Floats:
    """The coefficients resized to a degree; terms above it are dropped."""
    resized = np.zeros((degree + 1, degree + 1))
    common = min(len(coefficients), degree + 1)
    resized[:common, :common] = coefficients[:common, :common]
    i, j = np.indices(resized.shape)
    resized[i + j > degree] = 0
    return resized


def _minus(name: str, value: float) -> str:
    return f"{name}{-value:+g}" if value else name


def _short(value: float) -> str:
    return f"{value + 0.0:.10g}"
