"""One step of an agent: its code in the sandbox, or its tool call, and what it is shown afterwards."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass, field
from typing import Any

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.cube.agent.environment import CubeEnvironment
from spatial_workbench.engine.sandbox import ProgramSteps, ToolError

MAX_OBSERVATION_CHARS = 20_000
MAX_PICTURES = 8
MAX_PICTURE_BYTES = 1_000_000
_PNG = b"\x89PNG\r\n\x1a\n"

_PRELUDE = """
import base64 as _base64, io as _io, sys as _sys

def get_observation():
    seen = _observe()
    if isinstance(seen, str):
        return seen
    from PIL import Image
    return Image.open(_io.BytesIO(_base64.b64decode(seen["png"]))).convert("RGB")

def show(image):
    from PIL import Image
    if not isinstance(image, Image.Image):
        image = Image.fromarray(image)
    buffer = _io.BytesIO()
    image.save(buffer, "PNG")
    _attach(_base64.b64encode(buffer.getvalue()).decode())

def _display(value, plain=_sys.displayhook):
    if type(value).__module__.startswith("PIL."):
        show(value)
    else:
        plain(value)

_sys.displayhook = _display
"""


@dataclass
class CubeSeen:
    """What an agent is shown after a step.

    Attributes:
        stopped: Why its program has ended, so that no step can follow; empty if one can.
    """

    code: str
    text: str
    pictures: list[bytes] = field(default_factory=list)
    stopped: str = ""


class CodeStepper:
    """Runs an agent's code in a sandbox of its own; names are kept from step to step.

    Raises:
        SandboxUnavailable: No sandbox works here, so the run is refused.
    """

    def __init__(self, environment: CubeEnvironment) -> None:
        self._pictures: list[bytes] = []
        tools = dict(environment.tools())
        tools["_observe"] = tools.pop("get_observation")
        tools["_attach"] = self._attach
        self._steps = ProgramSteps(tools, lambda: environment.has_ended, ["numpy", "PIL"], _PRELUDE)

    def step(self, reply: str, seconds: float, progress: Progress = silent) -> CubeSeen:
        """Runs the code block of a reply, for at most so many seconds. Raises Cancelled, which `progress` raises."""
        self._pictures = []
        done = self._steps.run(reply, seconds, progress)
        if done is None:
            return CubeSeen("", "no code block found")
        if done.is_cut_off:
            return CubeSeen(done.code, "the run has ended", self._pictures)
        stopped = f"the program was stopped: {done.stopped}\n" if done.stopped else ""
        return CubeSeen(done.code, _cut(done.text + stopped), self._pictures, done.stopped)

    def close(self) -> None:
        """Ends the sandbox."""
        self._steps.close()

    def _attach(self, encoded: str) -> None:
        if len(self._pictures) >= MAX_PICTURES:
            raise ToolError(f"at most {MAX_PICTURES} pictures can be shown in a step")
        try:
            data = base64.b64decode(encoded, validate=True)
        except (binascii.Error, TypeError, ValueError):
            raise ToolError("show takes a picture") from None
        if not data.startswith(_PNG) or len(data) > MAX_PICTURE_BYTES:
            raise ToolError("the picture is too large")
        self._pictures.append(data)


class ToolStepper:
    """Carries out the one tool call of a reply, without code."""

    def __init__(self, environment: CubeEnvironment) -> None:
        self._environment = environment

    def step(self, reply: str, seconds: float, progress: Progress = silent) -> CubeSeen:
        """Carries out the last JSON object of a reply, which takes no time."""
        call = _last_object(reply)
        if call is None:
            return CubeSeen("", "no tool call found")
        name = call.get("tool")
        arguments = call.get("arguments", {})
        code = json.dumps(call)
        tools = self._environment.tools()
        if not isinstance(name, str) or name not in tools or not isinstance(arguments, dict):
            return CubeSeen(code, f"there is no tool '{str(name)[:100]}'; there are {', '.join(tools)}")
        if name == "make_move":
            return CubeSeen(code, self._make_moves(arguments.get("moves")))
        if name == "get_observation":
            view = self._environment.observed()
            self._environment.get_observation()
            return CubeSeen(code, view) if isinstance(view, str) else CubeSeen(code, "see the picture", [view])
        try:
            return CubeSeen(code, _cut(json.dumps(tools[name](**arguments))))
        except (ToolError, TypeError) as error:
            return CubeSeen(code, str(error))

    def close(self) -> None:
        """Nothing is held."""

    def _make_moves(self, moves: Any) -> str:
        if not isinstance(moves, list):
            return 'make_move takes {"moves": [...]}'
        rewards: list[float] = []
        for move in moves:
            try:
                rewards.append(self._environment.make_move(move))
            except ToolError as error:
                return f"{counted(len(rewards), 'move')} made, rewards {rewards}; then: {error}"
            if self._environment.is_solved:
                break
        solved = "solved" if self._environment.is_solved else "not solved"
        return f"{counted(len(rewards), 'move')} made, rewards {rewards}; {solved}"


Stepper = CodeStepper | ToolStepper


def _cut(text: str) -> str:
    if len(text) <= MAX_OBSERVATION_CHARS:
        return text
    return text[:MAX_OBSERVATION_CHARS] + f"\n(cut: {len(text) - MAX_OBSERVATION_CHARS:,} more characters)"


def _last_object(reply: str) -> dict[str, Any] | None:
    """The JSON object that ends last in a text."""
    decoder = json.JSONDecoder()
    best: dict[str, Any] | None = None
    position = 0
    while (start := reply.find("{", position)) >= 0:
        try:
            value, end = decoder.raw_decode(reply, start)
        except (ValueError, RecursionError):
            position = start + 1
            continue
        if isinstance(value, dict):
            best = value
        position = end
    return best
