"""The editor of delaunay: click points, draw edges, flip edges.

commands     what gestures, buttons and keys do to triangles
drawing      what is drawn with the triangles: gaps, what has been begun, failing edges, and the published key
editor       triangles between numbered points, and fields to type them in
gestures     drawing and flipping edges, and adding triangles
ghost        what a click or a drag would do, and circumcircles under the pointer
pointing     the target under the pointer: a point, an edge, a triangle, or an empty place
workpiece    the triangles of the answer, and what has been begun: loose edges and picked points
"""

from spatial_workbench.widgets.editors.delaunay.editor import DelaunayEditor

__all__ = ["DelaunayEditor"]
