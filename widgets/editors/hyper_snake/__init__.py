"""The editor of hyper_snake: the whole field on a sheet, a slice of it in 3D, and the path's prospects.

commands         what gestures, buttons and keys do to the path
controls         the controls in the panel, by section
editor           the whole field on a sheet, a slice of it in 3D, and the path's prospects
figures          the state of the path, in figures and words
gestures         growing along a line, cutting, sweeping and backbiting on the sheet; clicks in the slice
marks            the overlay of the sheet: the head's next cells, the plan under the pointer, pockets and dead ends
path             the path of the answer: its cells, where it can go on, and words for cells
plan             what the gesture under the pointer would do, and what is marked on the sheet
slice_control    the bar above the slice: which axes it shows, and where it lies on the others
"""

from spatial_workbench.widgets.editors.hyper_snake.editor import HyperSnakeEditor

__all__ = ["HyperSnakeEditor"]
