"""The editor of hide_and_seek: a plan, what the cameras see, and the field in 3D."""

from spatial_workbench.widgets.editors.hide_and_seek.editor import HideAndSeekEditor

__all__ = ["HideAndSeekEditor"]
