"""The editor of hamiltonian_loop: a pencil, links that are clicked, rectangles that are filled, and forced links."""

from widgets.editors.hamiltonian_loop.editor import HamiltonianLoopEditor

__all__ = ["HamiltonianLoopEditor"]
