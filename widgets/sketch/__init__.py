"""The sketch pad: a viewer of pages with vector drawings over them."""

from spatial_workbench.widgets.sketch.pad import SketchPad

__all__ = ["SketchPad"]
