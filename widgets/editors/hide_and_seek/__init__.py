"""The editor of hide and seek: a plan, what the cameras see, and the field in space."""

from widgets.editors.hide_and_seek.editor import HideAndSeekEditor

__all__ = ["HideAndSeekEditor"]
