"""The editor of lego_hemisphere: bricks are placed, moved and copied in 3D and in a plan of a layer."""

from spatial_workbench.widgets.editors.lego_hemisphere.editor import LegoEditor

__all__ = ["LegoEditor"]
