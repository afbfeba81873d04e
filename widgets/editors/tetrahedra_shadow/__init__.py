"""The editor of tetrahedra_shadow: tetrahedra in 3D, and a plan of their shadows."""

from spatial_workbench.widgets.editors.tetrahedra_shadow.editor import TetrahedraEditor

__all__ = ["TetrahedraEditor"]
