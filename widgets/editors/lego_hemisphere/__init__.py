"""The editor of lego_hemisphere: bricks are placed, moved and copied in 3D and in a plan of a layer.

array        copies of the selected bricks in rows and layers, shown as ghosts until they are placed
commands     what buttons and keys do to bricks
controls     the controls in the panel, by section
drawing      what the two views show: the bricks in 3D, and the plan of a layer
editor       the bricks in 3D, and the plan of the active layer beside them
gestures     the gestures, the same in the 3D view and in the plan: placing a brick, and selecting and dragging bricks
ghost        bricks about to be placed: drawn in both views, with what is wrong there, and with edges over the picture
hand         what keys do with bricks: they act on the ghost while bricks are placed, and else on the selected bricks
layers       the active layer, and which bricks are hidden
legend       the legends of the two views: what their colours and lines mean
marks        what is known about each brick: its share of the shell, its colour, and what the last verdict says
plan         the active layer from above, beside the 3D view, and the room that it has there
workpiece    the bricks being edited: as arrays, with what is known about each, and which of them are selected
"""

from spatial_workbench.widgets.editors.lego_hemisphere.editor import LegoEditor

__all__ = ["LegoEditor"]
