"""The editor of maze_3d: a plan with digits, steps and routes, and the maze in 3D beside it."""

from spatial_workbench.widgets.editors.maze_3d.editor import Maze3DEditor

__all__ = ["Maze3DEditor"]
