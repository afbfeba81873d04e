"""The editor of two_segments: four handles on the boundary of the frame, and two rods between them.

counts       the bar above the board: how many regions of each shape there are, and how many are wanted
drawing      the overlay of the board: names and coordinates of the ends, rings around corners, slivers under a lens
editor       two segments on a frame, edited by their ends
ends         the numbers of the four ends: side, fraction along it, coordinates
gestures     the gestures on the board: sliding a handle, moving a rod parallel to itself, drawing a new segment
typing       typing the place of the chosen handle on the board
workpiece    the segments on the board, with what a gesture has done so far, and the handle that keys move
"""

from spatial_workbench.widgets.editors.two_segments.editor import TwoSegmentsEditor

__all__ = ["TwoSegmentsEditor"]
