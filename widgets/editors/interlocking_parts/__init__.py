"""The editor of interlocking_parts: the assembly, the printer's bed, the list of parts, and the nine criteria."""

from spatial_workbench.widgets.editors.interlocking_parts.editor import InterlockingEditor

__all__ = ["InterlockingEditor"]
