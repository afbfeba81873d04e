"""A model that acts by programs: each step is a block of Python in the sandbox, in which every tool is a function."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from spatial_workbench.engine.core import Progress
from spatial_workbench.engine.core.agents import Model, Reply, Turn
from spatial_workbench.engine.evaluation.hands.episode import Episode
from spatial_workbench.engine.evaluation.hands.records import HandsCall
from spatial_workbench.engine.evaluation.hands.ways import Acted
from spatial_workbench.engine.evaluation.hands.wording import cut
from spatial_workbench.engine.sandbox import ProgramSteps, ToolError

MOST_PICTURES = 8
"""How many pictures a step shows."""
_NO_BLOCK = "No code block was found in your message."
_PROGRAMS = """Work in steps. In each step write a thought, then one block of Python:

```python
...
```

It is run, and you are told what it printed and the value of its last expression. Names are kept from step to step; \
you may import the standard library and numpy. The tools are functions that take their arguments by name and return \
what they tell; a call that is refused raises ToolError. Pictures that look() takes are shown to you after the step."""


def name_in_python(name: str) -> str:
    """What a tool is called in programs: it hides nothing that Python has, such as `list`."""
    return f"{name}_" if hasattr(builtins, name) else name


class ProgramCalls:
    """Calls are made by programs, each for at most so many seconds.

    Raises:
        SandboxUnavailable: No sandbox works here.
    """

    is_native = False

    def __init__(self, episode: Episode, step_seconds: float) -> None:
        self._episode = episode
        self._step_seconds = step_seconds
        self._made: list[HandsCall] = []
        names = {name: name_in_python(name) for name in episode.tools}
        tools: dict[str, Callable[..., Any]] = {names[name]: partial(self._call, name) for name in names}
        renamed = [f"{name} is called {other}()." for name, other in names.items() if other != name]
        self.how = " ".join([_PROGRAMS, *renamed])
        self._steps = ProgramSteps(tools, lambda: episode.end is not None, ["numpy"])

    def ask(self, model: Model, turns: Sequence[Turn], seconds_left: float) -> Reply:
        """The model's next turn."""
        return model.reply(turns, seconds_left)

    def act(self, reply: Reply, seconds_left: float, progress: Progress) -> Acted:
        """Runs the program of a reply."""
        self._made = []
        seconds = max(0.001, min(self._step_seconds, seconds_left))
        done = self._steps.run(reply.text, seconds, progress)
        if done is None:
            return Acted((), _NO_BLOCK, is_silent=True)
        if done.is_cut_off:
            return self._acted("The run has ended.")
        if done.stopped:
            return self._acted(f"{done.text}The program was stopped: {done.stopped}", has_stopped=True)
        return self._acted(done.text or "It printed nothing.")

    def close(self) -> None:
        """Ends the sandbox."""
        self._steps.close()

    def _acted(self, text: str, has_stopped: bool = False) -> Acted:
        pictures = [picture for call in self._made for picture in call.pictures]
        return Acted(tuple(self._made), cut(text), pictures=tuple(pictures[-MOST_PICTURES:]), has_stopped=has_stopped)

    def _call(self, name: str, **arguments: Any) -> str:
        call = self._episode.call(name, arguments)
        self._made.append(call)
        if call.is_refused:
            raise ToolError(call.result)
        return call.result
