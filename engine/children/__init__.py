"""The program's child processes: started safely, sent messages, and ended together with everything they have started.

`ChildProcess` is the parent's side, `engine.children.serve` the child's; `messages` defines what they exchange.
"""

from spatial_workbench.engine.children.messages import BadMessage, Message
from spatial_workbench.engine.children.process import ChildProcess
from spatial_workbench.engine.children.serve import Line

__all__ = ["BadMessage", "ChildProcess", "Line", "Message"]
