"""The program's child processes: started safely, sent messages, and ended together with everything they have started.

arithmetic  sums that children round alike on different processors
drawing     a child that draws, and a drawer whose pictures it makes
messages    what parent and child exchange: JSON, arrays of numbers, and bytes
process     `ChildProcess`: the parent's side
processor   how long this process and its children have computed
serve       the child's side, started with `python -m`
"""

from spatial_workbench.engine.children.arithmetic import steady_arithmetic
from spatial_workbench.engine.children.messages import BadMessage, Message
from spatial_workbench.engine.children.process import ChildProcess
from spatial_workbench.engine.children.processor import ProcessorClock
from spatial_workbench.engine.children.serve import Line

__all__ = ["BadMessage", "ChildProcess", "Line", "Message", "ProcessorClock", "steady_arithmetic"]
