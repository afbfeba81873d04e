"""The editor of delaunay: click points, draw edges, flip edges."""

from spatial_workbench.widgets.editors.delaunay.editor import DelaunayEditor

__all__ = ["DelaunayEditor"]
