"""The editor of csg_union: a small modeller for polyhedra, with the solids of the union as ghosts."""

from spatial_workbench.widgets.editors.csg_union.editor import CsgUnionEditor

__all__ = ["CsgUnionEditor"]
