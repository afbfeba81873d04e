"""The editor of the cube's tasks."""

from widgets.editors.cube.editor import CubeEditor

__all__ = ["CubeEditor"]
