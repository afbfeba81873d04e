"""The tools of the sketch pad.

    base       what a tool is, and the desk that it works on
    cells      tools for grids: laying one over a page, and filling its cells
    lines      tools for lines, arrows, rectangles, ellipses and polylines
    pen        the pen
    picking    the selection of shapes, and the eraser
    text       the tool for text

base: what a tool is, and the desk that it works on
cells: grids and their cells
lines: lines, arrows, rectangles, ellipses, polylines
pen: the pen
picking: the selection, and the eraser
text: text
"""
