"""The editor of voxel_projection: a grid of voxels in 3D, a layer to paint on, and the projections."""

from spatial_workbench.widgets.editors.voxel_projection.editor import VoxelEditor

__all__ = ["VoxelEditor"]
