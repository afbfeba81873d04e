"""The program's child processes: started safely, sent messages, and ended together with everything they have started.

`ChildProcess` is the parent's side, `engine.children.serve` the child's; `messages` defines what they exchange.
"""

from engine.children.messages import BadMessage, Message
from engine.children.process import ChildProcess
from engine.children.serve import Line

__all__ = ["BadMessage", "ChildProcess", "Line", "Message"]
