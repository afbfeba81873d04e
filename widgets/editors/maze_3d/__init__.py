"""The editor of maze_3d: a plan with digits, steps and routes, and the maze in 3D beside it.

cells        the cells of the plan: under the pointer, at the cursor, and selected
commands     what buttons and keys do to the maze
controls     the controls in the panel, by section
draft        the maze, with what a gesture has done so far
editor       a plan with digits, steps and routes, and the maze in 3D beside it
figures      figures about a maze, compared with what the instance asks for
gestures     the gestures on the plan: selecting, painting, filling regions, drawing routes, moving A and B
histogram    how many cells have each height, compared with the limit; a click selects the cells of a height
pen          the route pen: how heights follow, whether it jumps, and what it shows
plan         the overlay of the plan: heights as digits, and possible steps as thin lines and arcs
"""

from spatial_workbench.widgets.editors.maze_3d.editor import Maze3DEditor

__all__ = ["Maze3DEditor"]
