"""The editor of the cube's tasks."""

from spatial_workbench.widgets.editors.cube.editor import CubeEditor

__all__ = ["CubeEditor"]
