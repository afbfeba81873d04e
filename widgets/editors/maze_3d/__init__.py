"""The editor of the 3D maze: a plan with digits, steps and routes, and the maze in space beside it."""

from widgets.editors.maze_3d.editor import Maze3DEditor

__all__ = ["Maze3DEditor"]
