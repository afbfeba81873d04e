"""The editor of two_segments: four handles on the boundary of the frame, and two rods between them."""

from spatial_workbench.widgets.editors.two_segments.editor import TwoSegmentsEditor

__all__ = ["TwoSegmentsEditor"]
