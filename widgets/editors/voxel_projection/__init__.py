"""The editor of voxel_projection: a grid of voxels in 3D, a layer to paint on, and the projections.

commands         what buttons and keys do to a layer, single cells, and the whole grid
controls         the readings of the editor's gauges
drawing          the three scenes of the editor: the grid in 3D, the layer to paint on, and the projections
editor           the grid in 3D, a layer to paint on, and the projections
gestures         painting on a layer, and clicking on a projection
layer            the layer that is painted on, and the cursor in it
layer_bar        the bar above the layer: which layer it is, and across which axis
rays             what a click on a ray of a projection does
symmetries       the symmetries that remain: a voxel and its image under one of them, and all of them on their way
symmetry_list    the list of remaining symmetries
workpiece        the grid being filled: which cells are filled, which are refused, and what the rules say
"""

from spatial_workbench.widgets.editors.voxel_projection.editor import VoxelEditor

__all__ = ["VoxelEditor"]
