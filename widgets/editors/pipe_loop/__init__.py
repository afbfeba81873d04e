"""The editor of pipe_loop: a chain of pipes that keeps its lengths, and the checks with their live values."""

from spatial_workbench.widgets.editors.pipe_loop.editor import PipeLoopEditor

__all__ = ["PipeLoopEditor"]
