"""The tools of the sketch pad.

base: what a tool is, and the desk that it works on
cells: grids and their cells
lines: lines, arrows, rectangles, ellipses, polylines
pen: the pen
picking: the selection, and the eraser
text: text
"""
