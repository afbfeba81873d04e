"""What a solver is told: the grid as text or as a picture, the sign rule and the language of formulas."""

import numpy as np

from spatial_workbench.engine.core import Prompt
from spatial_workbench.engine.core.formats.png import png
from spatial_workbench.engine.tasks.polynomial_fit.cells import Mask

MAX_TEXT_SIZE = 40
"""The side of the largest grid that is shown as text; larger ones are shown as pictures."""
MAX_PIXELS, MAX_ENLARGED = 320, 8


def prompt_of(target: Mask) -> Prompt:
    """The prompt for a grid."""
    if len(target) <= MAX_TEXT_SIZE:
        return Prompt(_text(len(target), grid_text(target)))
    return Prompt(_text(len(target), ""), (picture_of(target),))


def grid_text(target: Mask) -> str:
    """Rows of # and ., joined by line feeds."""
    return "\n".join("".join("#" if cell else "." for cell in row) for row in target)


def picture_of(target: Mask) -> bytes:
    """A grey PNG: marked cells black, the others white, each enlarged to a square of pixels."""
    enlarged = min(max(MAX_PIXELS // len(target), 1), MAX_ENLARGED)
    return png(np.where(target, 0, 255).astype(np.uint8).repeat(enlarged, axis=0).repeat(enlarged, axis=1))


def _text(size: int, rows: str) -> str:
    if rows:
        shown = f"This is the grid:\n\n{rows}"
        marked = "#"
        other = "."
    else:
        shown = "The attached picture shows the grid, each cell as a square."
        marked = "black"
        other = "white"
    return f"""Find a polynomial f(x, y) that is positive exactly on the {marked} cells of a grid of {size} x {size} \
cells.

{shown}

Coordinates are whole numbers. The top left cell is (0, 0); x grows to the right up to {size - 1}, y grows downwards \
up to {size - 1}. A cell counts as {marked} if f(x, y) > 0 and as {other} if f(x, y) <= 0.

f may have any degree and any mixed terms. Write it as one Python function of x and y that returns one expression:

def f(x,y): return 9 - (x-3)**2 - (y-4)**2 + 0.5*x*y

The expression may hold numbers (such as 3, 0.25 or 1e-5), x and y (both have to occur), the operators + - * / ** and \
parentheses. Exponents are whole numbers from 0 to 64, and divisors are numbers. There is nothing else: no other names \
or functions, no conditionals, annotations, casts or comments, no further variables or statements. The function above \
shows the form only.

With p the share of cells that come out right, the score is p^4, and 0 if p is below 0.75 or if all cells come out \
alike.
Answer with JSON: {{"reasoning": "...", "function": "def f(x,y): return ..."}}.
"""
