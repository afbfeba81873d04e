"""The editor of terrain levelling: drill holes in the map, order them, and watch the rock roll."""

from widgets.editors.terrain_levelling.editor import TerrainEditor

__all__ = ["TerrainEditor"]
