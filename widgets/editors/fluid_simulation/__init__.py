"""The editor of fluid_simulation: a world of voxels in space, the level that is worked on from above, and the rain."""

from widgets.editors.fluid_simulation.editor import FluidEditor

__all__ = ["FluidEditor"]
