"""The editor of topology_enumeration: a square to paint, and a list of patterns.

drawing      where the painted square, the palette and the list are drawn, and what lies at a place
editor       a square to paint, a palette of all patterns, and the list
gestures     clicks on the painted square, the palette and the list
workpiece    the listed patterns, and the square that is painted to add or change one
"""

from spatial_workbench.widgets.editors.topology_enumeration.editor import TopologyEditor

__all__ = ["TopologyEditor"]
