"""The editor of terrain_levelling: holes are drilled in a map, ordered and blasted.

commands          what gestures, buttons and keys do to the plan
cursor            the cell that keys work on
editor            a map to be blasted, and the plan of the blasts beside it
gestures          the gestures on the terrain: drilling a hole to a depth, and brushing blasts over cells
ghost             the rock that a blast would remove
plan_table        the table of the plan: the blasts in their order, and the result of each
shown_map         the map that is shown: after how many blasts, in which colours, and with which marks
simulated_plan    the simulation of the plan, in the background and a few blasts at a time
workpiece         the blasts of the plan, and the map after those that have been simulated
"""

from spatial_workbench.widgets.editors.terrain_levelling.editor import TerrainEditor

__all__ = ["TerrainEditor"]
