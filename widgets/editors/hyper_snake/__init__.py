"""The editor of hyper_snake: the whole field on a sheet, a slice of it in 3D, and the path's prospects."""

from spatial_workbench.widgets.editors.hyper_snake.editor import HyperSnakeEditor

__all__ = ["HyperSnakeEditor"]
