"""The editor of packings: boxes from a tray, laid on faces, moved in groups, against a container that one aims at."""

from widgets.editors.pack_prisms.editor import PackPrismsEditor

__all__ = ["PackPrismsEditor"]
