"""Child processes of ours, one kind for all: started safely, spoken to in messages, ended with all that they started.

`ChildProcess` is the parent's side, `engine.children.serve` the child's; `messages` is what goes between them.
"""

from engine.children.messages import BadMessage, Message
from engine.children.process import ChildProcess
from engine.children.serve import Line

__all__ = ["BadMessage", "ChildProcess", "Line", "Message"]
