"""The editor of pack_prisms: boxes from a tray are placed on faces and moved in groups, towards a target container."""

from spatial_workbench.widgets.editors.pack_prisms.editor import PackPrismsEditor

__all__ = ["PackPrismsEditor"]
