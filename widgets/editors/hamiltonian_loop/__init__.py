"""The editor of hamiltonian_loop: cells are drawn, linked or filled, and forced links can be shown."""

from spatial_workbench.widgets.editors.hamiltonian_loop.editor import HamiltonianLoopEditor

__all__ = ["HamiltonianLoopEditor"]
