"""The editor of fluid_simulation: a world of voxels in 3D, the current level from above, and the rain."""

from spatial_workbench.widgets.editors.fluid_simulation.editor import FluidEditor

__all__ = ["FluidEditor"]
