"""The editor of terrain_levelling: holes are drilled in a map, ordered and blasted."""

from spatial_workbench.widgets.editors.terrain_levelling.editor import TerrainEditor

__all__ = ["TerrainEditor"]
