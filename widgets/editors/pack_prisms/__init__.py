"""The editor of pack_prisms: boxes from a tray are placed on faces and moved in groups, towards a target container.

boxes       the boxes that are placed: their corners, those left in the tray, and the container to aim at
commands    what buttons and keys do to the selected boxes
drawing     what the editor draws besides the packing: ghosts, gaps, and the exploded view
editor      a packing in 3D, a tray of boxes, and a container to aim at
fitting     which boxes fit into the empty space under the pointer
gestures    placing boxes on faces or the ground, and moving the selection
next_box    the box that is placed next: its class, its orientation, how many copies, and where it may go
tray        the tray: the sizes, and how many boxes of each are left
"""

from spatial_workbench.widgets.editors.pack_prisms.editor import PackPrismsEditor

__all__ = ["PackPrismsEditor"]
