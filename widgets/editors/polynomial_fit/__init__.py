"""The editor of polynomial_fit: a formula is typed, changed by its coefficients, painted or fitted.

coefficients    the table of coefficients: what is dragged and typed in it
commands        what buttons and gestures do to the formula: fits, rounding, and blocks added to it
controls        the field of the formula, a legend with counts, and sliders for coefficients
drawing         what the view shows: the cells as f marks them, its zero line, the painted cells, and the cursor
editor          a formula over the cells that it has to mark
gestures        painting where f has to be positive or not, and dragging blocks
marks           words for the formula and for single cells
pointing        the cell under the pointer, and the cursor
workpiece       the formula being written: its values on the grid, its coefficients, and what was painted for it
"""

from spatial_workbench.widgets.editors.polynomial_fit.editor import PolynomialEditor

__all__ = ["PolynomialEditor"]
