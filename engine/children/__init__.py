"""The program's child processes: started safely, sent messages, and ended together with everything they have started.

drawing     a drawer whose pictures are made by a child
messages    what parent and child exchange: JSON, arrays of numbers, and bytes
process     `ChildProcess`: the parent's side
serve       the child's side, started with `python -m`
"""

from spatial_workbench.engine.children.messages import BadMessage, Message
from spatial_workbench.engine.children.process import ChildProcess
from spatial_workbench.engine.children.serve import Line

__all__ = ["BadMessage", "ChildProcess", "Line", "Message"]
