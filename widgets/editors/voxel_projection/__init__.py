"""The editor of voxel_projection."""

from widgets.editors.voxel_projection.editor import VoxelEditor

__all__ = ["VoxelEditor"]
