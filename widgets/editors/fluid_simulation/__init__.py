"""The editor of fluid_simulation: a world of voxels in 3D, the current level from above, and the rain.

controls          the controls in the panel, by section
display           display options: the world cut off above a level, or with see-through rock
editor            the world in 3D, the level from above beside it, the goals above, and the rain
gestures          the gestures, the same in the world and on the plan: areas, presets, brush strokes, moving, resizing
goals             the bar above the world: the figures that the goals test, and the button that plays the rain
level             the strip beside the views: the level that tools work on, and buttons for what is shown
look              how the world is shown: at which level, cut open, or see-through
marks             the overlay of the views: frames of the boxes being made and of the chosen box, and its handles
operation_list    the list of operations being edited, and all changes to it
operations        the list of operations in the tools panel
rows              the operations as the editor keeps them, with those that are switched off
water             the water that is shown: while it rains, after the rain, or where it could stay
worksite          what the gestures share: the world, its operations, the level, the options, the ghost
"""

from spatial_workbench.widgets.editors.fluid_simulation.editor import FluidEditor

__all__ = ["FluidEditor"]
