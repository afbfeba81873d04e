"""The editor of csg_union: a small modeller for polyhedra, with the solids of the union as ghosts.

commands     what buttons and keys do to the selection
comparing    the comparison of the body with the union, made in the background
controls     parts of the panel: the solid to add, by how much the selection moves or turns, and what is shown
drawing      what the view shows: ghosts, faces by what is wrong with them, vertices, the difference
editor       ghosts of the solids, the body being modelled, live marks, and a table of exact coordinates
gestures     placing vertices, clicking loops, copying faces of the solids, pulling faces out
live_bar     the bar above the view: how far the body is from a watertight one, and from the union
marks        marks over the view for open, crowded and wrongly wound edges, and words for elements
snapping     where points snap to: the body's own vertices and edges, the solids', and the lattice
table        the table of vertices: exact coordinates to read and to type
workpiece    the body being edited: the answer as vertices and faces, what is wrong with it, and its selection
"""

from spatial_workbench.widgets.editors.csg_union.editor import CsgUnionEditor

__all__ = ["CsgUnionEditor"]
