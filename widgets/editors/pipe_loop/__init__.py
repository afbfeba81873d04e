"""The editor of pipe_loop: a chain of pipes that keeps its lengths, and the checks with their live values.

chain       the chain of pipes: what is shown, how it settles, and which of its joints are selected
commands    what buttons and keys do to the chain
editor      a chain of pipes is laid, dragged and pushed out
gestures    the gestures on the chain: laying pipes, dragging joints and pipes, pushing out bumps and spikes
live        the list of checks with their live values; a click on a row shows the elements concerned
marks       the overlay of the square: locked joints, the open end, and how wide the gap is
"""

from spatial_workbench.widgets.editors.pipe_loop.editor import PipeLoopEditor

__all__ = ["PipeLoopEditor"]
