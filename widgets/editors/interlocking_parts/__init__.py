"""The editor of interlocking_parts: the assembly and the printer's bed beside each other, parts, and nine lamps."""

from widgets.editors.interlocking_parts.editor import InterlockingEditor

__all__ = ["InterlockingEditor"]
