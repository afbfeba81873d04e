"""The editor of lego_hemisphere: bricks are placed, moved and copied in space and in a plan of one layer."""

from widgets.editors.lego_hemisphere.editor import LegoEditor

__all__ = ["LegoEditor"]
