"""Finding polynomials for a grid: least squares, exact separation by linear programmes, and writing them down.

All coefficients belong to u = (2x - n + 1) / (n - 1) and v alike, which run from -1 to 1 over the grid. Chebyshev ones
are c[i, j] of T_i(u) T_j(v), plain ones c[i, j] of u^i v^j; both are square, with zeros where i + j > degree.
"""

from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.polynomial_fit.cells import Mask

Cells: TypeAlias = NDArray[np.integer]

MIN_MARGIN = 1e-9
"""Below this margin, with coefficients of at most 1, a grid counts as not separated."""
MAX_DEGREE = 10
_BATCH = 300
"""How many violated cells are added to the linear programme at once."""


def exponents(degree: int) -> list[tuple[int, int]]:
    """All (i, j) with i + j up to the degree, by total degree."""
    return [(total - j, j) for total in range(degree + 1) for j in range(total + 1)]


def axis_values(size: int, degree: int) -> Floats:
    """T_0 .. T_degree at the scaled places of an axis: (size, degree + 1)."""
    return np.asarray(chebyshev.chebvander(scaled(np.arange(float(size)), size), degree))


def scaled(places: Floats, size: int) -> Floats:
    """Cells' coordinates on the scale from -1 to 1."""
    return np.asarray((2.0 * places - (size - 1)) / max(1, size - 1))


def on_grid(coefficients: Floats, size: int) -> Floats:
    """The values of a Chebyshev sum at all cells, (y, x)."""
    along = axis_values(size, len(coefficients) - 1)
    return np.asarray(along @ coefficients.T @ along.T)


def least_squares(target: Mask, degree: int, heavy: Cells | None = None, weight: float = 1.0) -> Floats:
    """The Chebyshev coefficients closest to +1 on marked cells and -1 elsewhere.

    The cells `heavy`, (n, 2) as x and y, count `weight` times as much as the others.
    """
    rows, pairs = _rows(len(target), degree)
    goal = np.where(target, 1.0, -1.0).ravel()
    # Chebyshev columns are nearly orthogonal, so the normal equations are accurate, and they are fast.
    matrix = _normal_matrix(len(target), degree)
    right = rows.T @ goal
    if heavy is not None:
        places = heavy[:, 1] * len(target) + heavy[:, 0]
        extra = (weight - 1.0) * rows[places].T
        matrix = matrix + extra @ rows[places]
        right = right + extra @ goal[places]
    solution = np.asarray(np.linalg.lstsq(matrix, right, rcond=None)[0], dtype=np.float64)
    return _square(solution, pairs, degree)


def separated(target: Mask, degree: int, progress: Progress = silent) -> Floats | None:
    """Chebyshev coefficients of at most 1 whose sum is positive exactly on the marked cells, or None.

    The linear programme maximises the smallest s * p over the cells, s being +1 or -1; it starts with the cells at the
    border of the shape and takes in those that come out wrong.
    """
    rows, pairs = _rows(len(target), degree)
    signed = rows * np.where(target, 1.0, -1.0).ravel()[:, None]
    chosen = _border(target).ravel()
    while True:
        progress(int(chosen.sum()), target.size, f"linear programme of degree {degree}")
        solution, margin = _widest(signed[chosen])
        if margin <= MIN_MARGIN:
            return None
        reached = signed @ solution
        violated = np.flatnonzero(~chosen & (reached < 0.5 * margin))
        if not len(violated):
            return _square(solution, pairs, degree) if reached.min() > 0 else None
        chosen[violated[np.argsort(reached[violated])[:_BATCH]]] = True


def lowest_separation(target: Mask, highest: int = MAX_DEGREE, progress: Progress = silent) -> Floats | None:
    """The separation of the lowest degree, or None if none up to `highest` separates."""
    for degree in range(1, highest + 1):
        coefficients = separated(target, degree, progress)
        if coefficients is not None:
            return coefficients
    return None


def _widest(signed: Floats) -> tuple[Floats, float]:
    """The coefficients within -1..1 with the largest margin on these rows, and that margin."""
    from scipy.optimize import linprog

    count = signed.shape[1]
    above = np.concatenate([-signed, np.ones((len(signed), 1))], axis=1)
    cost = np.zeros(count + 1)
    cost[-1] = -1.0
    options = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    bounds = [(-1, 1)] * count + [(0, None)]
    result = linprog(cost, A_ub=above, b_ub=np.zeros(len(signed)), bounds=bounds, method="highs", options=options)
    if result.x is None:
        return np.zeros(count), 0.0
    solution = np.asarray(result.x[:-1])
    return solution, float((signed @ solution).min())


def _border(target: Mask) -> Mask:
    """Cells with a neighbour of the other kind; of a grid of one kind all cells."""
    border = np.zeros_like(target)
    across = target[:, 1:] != target[:, :-1]
    down = target[1:] != target[:-1]
    border[:, 1:] |= across
    border[:, :-1] |= across
    border[1:] |= down
    border[:-1] |= down
    return border if border.any() else ~border


@lru_cache(maxsize=2)
def _rows(size: int, degree: int) -> tuple[Floats, list[tuple[int, int]]]:
    """The products T_i(u) T_j(v) at all cells, row by row: (size^2, terms); kept, since every stroke asks."""
    along = axis_values(size, degree)
    pairs = exponents(degree)
    down, across = along[:, [j for _, j in pairs]], along[:, [i for i, _ in pairs]]
    rows = (down[:, None, :] * across[None, :, :]).reshape(size * size, len(pairs))
    rows.flags.writeable = False
    return rows, pairs


@lru_cache(maxsize=2)
def _normal_matrix(size: int, degree: int) -> Floats:
    """The normal equations' matrix where all cells count alike."""
    rows, _ = _rows(size, degree)
    return np.asarray(rows.T @ rows)


def _square(values: Floats, pairs: list[tuple[int, int]], degree: int) -> Floats:
    coefficients = np.zeros((degree + 1, degree + 1))
    for value, (i, j) in zip(values, pairs, strict=True):
        coefficients[i, j] = value
    return coefficients


# Plain coefficients and text -----------------------------------------------------------------------------------------


def plain(coefficients: Floats) -> Floats:
    """Chebyshev coefficients as those of u^i v^j."""
    turn = _powers(len(coefficients))
    return np.asarray(turn.T @ coefficients @ turn)


def _powers(count: int) -> Floats:
    """Row k: T_k in powers."""
    turn = np.zeros((count, count))
    for k in range(count):
        powers = chebyshev.cheb2poly(np.eye(count)[k])
        turn[k, : len(powers)] = powers
    return turn


def rounded(coefficients: Floats, digits: int) -> Floats:
    """Coefficients rounded to a number of significant digits."""
    return np.array([[float(f"{value:.{digits - 1}e}") for value in row] for row in coefficients])


def formula_text(coefficients: Floats, size: int) -> str:
    """The function with these plain coefficients, which read back as they are; the scaled coordinates spelled out."""
    u, v = (f"((2*{name}-{size - 1})/{max(1, size - 1)})" for name in "xy")
    terms = [
        (float(coefficients[i, j]), _power(u, i) + _power(v, j))
        for i, j in exponents(len(coefficients) - 1)
        if coefficients[i, j]
    ]
    if not terms:
        return f"def f(x,y): return 0*{u}*{v}"
    return "def f(x,y): return " + _sum(
        [(f"{abs(value)!r}".removesuffix(".0") + rest, value < 0) for value, rest in terms]
    )


def _power(name: str, exponent: int) -> str:
    if not exponent:
        return ""
    return f"*{name}" if exponent == 1 else f"*{name}**{exponent}"


def _sum(terms: list[tuple[str, bool]]) -> str:
    (first, negative), *rest = terms
    return ("-" if negative else "") + first + "".join((" - " if minus else " + ") + term for term, minus in rest)
