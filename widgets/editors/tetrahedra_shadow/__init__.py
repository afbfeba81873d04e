"""The editor of tetrahedra_shadow."""

from widgets.editors.tetrahedra_shadow.editor import TetrahedraEditor

__all__ = ["TetrahedraEditor"]
