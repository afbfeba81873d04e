"""The editor of hamiltonian_loop: cells are drawn, linked or filled, and forced links can be shown.

commands        what gestures, buttons and keys do to the links
cursor          the cursor, which keys move, and from which they draw and link
drawing         the overlay of the grid: forced links, cells that cannot be finished, the cursor
editor          paths and loops on a grid are drawn cell by cell or link by link
gestures        the gestures on the grid: drawing from cell to cell, clicking links, filling rectangles
progress_bar    the bar above the grid: cells visited, open ends, loops, and how many dark and light cells are left
workpiece       the links of the answer, with what a gesture has done so far, and what is known about them
"""

from spatial_workbench.widgets.editors.hamiltonian_loop.editor import HamiltonianLoopEditor

__all__ = ["HamiltonianLoopEditor"]
