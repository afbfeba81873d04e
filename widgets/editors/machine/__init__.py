"""The editor of the machine tasks: blocks are placed on faces, and the machine is simulated and played."""

from spatial_workbench.widgets.editors.machine.editor import MachineEditor

__all__ = ["MachineEditor"]
