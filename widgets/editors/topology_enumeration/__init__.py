"""The editor of topology_enumeration: a square to paint, and a list of patterns."""

from spatial_workbench.widgets.editors.topology_enumeration.editor import TopologyEditor

__all__ = ["TopologyEditor"]
