"""The tools of the sketch pad.

base       what a tool is
cells      tools for grids: laying one over a page, and filling its cells
lines      tools for lines, arrows, rectangles, ellipses and polylines
pen        the pen
picking    the selection of shapes, and the eraser
text       the tool for text
"""
