"""The background process: it waits for jobs, runs them one after the other, and never draws.

Nothing here may import Qt or VTK.
"""

from __future__ import annotations

import os
import pickle
import sys
import time
import traceback
from dataclasses import dataclass, field

from spatial_workbench.engine.children import Line, Message
from spatial_workbench.engine.children.serve import forget_output
from spatial_workbench.engine.core import Cancelled
from spatial_workbench.engine.core.errors import sentence_of
from spatial_workbench.engine.core.plug_ins import foreign

PROGRESS_PERIOD_S = 0.05
"""Progress is reported at most this often, as each message costs the window a little time."""


def serve(line: Line) -> None:
    """Runs jobs until the parent ends.

    A job is {"job": number} with the pickled function and its arguments; {"cancel": number} cancels it. Replies are
    {"job": number, "kind": ...}: "progress" with done, total and text, "result" with the pickled value, "error" with a
    sentence and a traceback, or "cancelled".
    """
    foreign.on_stuck = _end
    while True:
        message = line.receive()
        if "job" in message.data:
            forget_output()
            line.send(_run(message, line))


def _end(sentence: str) -> None:
    """Ends the process, which is replaced; its last words are part of the window's message."""
    print(sentence, file=sys.stderr, flush=True)
    os._exit(1)


def _run(message: Message, line: Line) -> Message:
    number = message.data["job"]
    try:
        function, arguments = pickle.loads(message.content)
        progress = _JobProgress(line, number)
        progress(0, 1)
        value = function(*arguments, progress=progress)
        return Message({"job": number, "kind": "result"}, content=pickle.dumps(value))
    except Cancelled:
        return Message({"job": number, "kind": "cancelled"})
    except Exception as error:
        reason = {"sentence": sentence_of(error), "traceback": traceback.format_exc()}
        return Message({"job": number, "kind": "error", **reason})


@dataclass
class _JobProgress:
    """The Progress of a job: reports to the window now and then, and notices when the job was cancelled."""

    line: Line
    number: int
    reported_at: float = field(default_factory=time.monotonic)

    def __call__(self, done: float, total: float, text: str = "") -> None:
        while (message := self.line.waiting()) is not None:
            if message.data.get("cancel") == self.number:
                raise Cancelled
        now = time.monotonic()
        if now - self.reported_at >= PROGRESS_PERIOD_S:
            self.reported_at = now
            state = {"done": float(done), "total": float(total), "text": text}
            self.line.send(Message({"job": self.number, "kind": "progress", **state}))
