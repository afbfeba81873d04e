"""The editor of interlocking_parts: the assembly, the printer's bed, the list of parts, and the nine criteria.

assembly         the parts in their places: which are selected, and what they snap to and overlap
bed              the printer's bed: the selected part as it is printed, with a line of figures above it
changes          how the parts of an answer are replaced: the steps that all commands on parts take
commands         what buttons and keys do to parts
controls         the controls of parts, places and shapes
criteria         the nine criteria with their states so far: a lamp, a name and a sentence each
editor           the assembly, with the bed and the criteria beside it, and the list of parts
gestures         dragging parts along an axis in the assembly; bars, boxes and holes on the bed
gizmo            the handles on selected parts: three arrows to drag, and three knobs that turn by 90 degrees
marks            what the verdict says about each part
part_list        the list of parts: number, form, and state of each
source_dialog    the dialog with the source of a part
sources          where parts come from: mesh files, and sources that are typed in a dialog
"""

from spatial_workbench.widgets.editors.interlocking_parts.editor import InterlockingEditor

__all__ = ["InterlockingEditor"]
