"""The editor of tetrahedra_shadow: tetrahedra in 3D, and a plan of their shadows.

commands     what buttons and keys do to the selected pieces
controls     the readings of the editor's gauges, and the orientations that it offers
drawing      the two scenes of the editor, ghosts, and the ids of pieces
editor       the tetrahedra in 3D, and beside them a plan of their shadows
gestures     the gestures, the same in 3D and in the plan: placing a piece, and selecting, dragging and turning pieces
hand         what keys and orientations do: to the ghost while placing, else to the selected pieces
handles      handles on the selection in the 3D view: the arrow along each axis moves, the ring on the arrow turns
marks        what is known about each piece: what it intersects, whether it is needed, and its numbers
measuring    how well the shadows fill the target: measured in the background after each change of the pieces
pieces       the pieces of the answer: which are selected, what they snap to, and where they may be
stage        the ghost of pieces about to be placed or moved, in both views, and what their shadows would fill
"""

from spatial_workbench.widgets.editors.tetrahedra_shadow.editor import TetrahedraEditor

__all__ = ["TetrahedraEditor"]
