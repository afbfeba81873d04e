"""The agents of the cube and of the machines behind Inspect's model: the same loop, limits and record as in a batch."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import anyio
from inspect_ai.agent import Agent, AgentState, agent
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    GenerateConfig,
    ModelOutput,
    get_model,
)
from inspect_ai.tool import ToolInfo, ToolParam, ToolParams
from inspect_ai.util import store

from spatial_workbench.engine.core import PlayedByAgents, Task, resolve
from spatial_workbench.engine.core.agents import AgentFailed, AgentPlan, NoReply, Reply, Turn
from spatial_workbench.engine.cube.agent import AgentKind, CubeEnvironment, CubeSetting
from spatial_workbench.engine.cube.facelets import SOLVED
from spatial_workbench.engine.evaluation.export.inspect_log import TRANSCRIPT
from spatial_workbench.engine.sandbox import SandboxUnavailable
from spatial_workbench.engine.tasks.cube.task import CubeTask
from spatial_workbench.inspecting.samples import content_of

PYTHON = "python"
_IGNORED = "This call was not carried out: one call is made in each step."

_MOVES = ToolParam(
    type="array", items=ToolParam(type="string"), description='Quarter turns such as ["D\'", "B"], made in order'
)
_STATE = ToolParam(type="string", description="54 letters")
_DIRECTION = ToolParam(type="string", enum=["up", "down", "left", "right"], description="Where the viewpoint goes")
_CUBE_TOOLS: Mapping[str, tuple[str, Mapping[str, ToolParam]]] = {
    "make_move": ("Makes quarter turns; returns the rewards.", {"moves": _MOVES}),
    "get_observation": ("Returns what can be seen of the cube.", {}),
    "apply_view_transformation": ("Moves the viewpoint around the cube.", {"direction": _DIRECTION}),
    "StandardSolverTool": ("Returns moves that solve a state in the order of two-phase solvers.", {"state": _STATE}),
    "IdealSolverTool": ("Returns moves that solve a state in the order of the net.", {"state": _STATE}),
    "final_answer": ("Ends the run.", {}),
}


@agent
def workbench_agent(
    kind: str = "basic",
    uses_code: bool = True,
    reward: str = "none",
    max_steps: int = 20,
    minutes: float = 30.0,
    step_seconds: float = 60.0,
    options: dict[str, Any] | None = None,
) -> Agent:
    """Lets the model play the sample's instance; see docs/inspect.md for the arguments."""
    plan = AgentPlan.model_validate(
        {
            "kind": kind,
            "uses_code": uses_code,
            "reward": reward,
            "max_steps": max_steps,
            "minutes": minutes,
            "step_seconds": step_seconds,
            "options": options or {},
        }
    )

    async def execute(state: AgentState) -> AgentState:
        task, instance = resolve(_address_of(state.messages))
        if not isinstance(task, PlayedByAgents):
            raise RuntimeError(f"{task.title} is played by no agents")
        model = _InspectModel(tools_of(task, plan))

        def play() -> Any:
            return task.play(instance, plan, model, lambda *_: anyio.from_thread.check_cancelled())

        try:
            run = await anyio.to_thread.run_sync(play)
        except (NoReply, AgentFailed, SandboxUnavailable) as error:
            raise RuntimeError(str(error)) from error
        store().set(TRANSCRIPT, {"kind": run.kind, "record": json.loads(run.record)})
        state.messages = model.heard
        state.output = ModelOutput.from_content(model=str(get_model()), content=run.answer)
        return state

    return execute


def tools_of(task: Task[Any], plan: AgentPlan) -> list[ToolInfo]:
    """What the model may call: programs, or the tools of the cube; the roles of a workflow call nothing."""
    if not isinstance(task, CubeTask):
        return []
    if plan.uses_code:
        code = ToolParam(type="string", description="The program of this step")
        return [_tool(PYTHON, "Runs a program; names are kept from step to step.", {"code": code})]
    names = CubeEnvironment(SOLVED, CubeSetting(task.setting), AgentKind(plan.kind)).tools()
    return [_tool(name, *_CUBE_TOOLS[name]) for name in names]


def _tool(name: str, about: str, parameters: Mapping[str, ToolParam]) -> ToolInfo:
    return ToolInfo(
        name=name, description=about, parameters=ToolParams(properties=dict(parameters), required=list(parameters))
    )


def _address_of(messages: Sequence[ChatMessage]) -> str:
    for message in messages:
        if message.metadata and "address" in message.metadata:
            return str(message.metadata["address"])
    raise ValueError("No message names the instance; the agent plays the samples of the tasks of this package")


class _InspectModel:
    """Inspect's model as `spatial_workbench.engine.core.agents.Model`, for a thread that Inspect started.

    Attributes:
        heard: Everything that was said, for the log.
    """

    def __init__(self, tools: list[ToolInfo]) -> None:
        self._tools = tools
        self._replies: list[ChatMessageAssistant] = []
        self.heard: list[ChatMessage] = []

    def reply(self, messages: Sequence[Turn], seconds_left: float) -> Reply:
        """The next turn; an empty one if the time left runs out."""
        asked = self._messages(messages)
        output = anyio.from_thread.run(self._generate, asked, max(0.001, seconds_left))
        if output is None:
            return Reply("")
        self._replies.append(output.message)
        # Each question of a conversation repeats what came before; the roles of a workflow begin anew.
        is_continued = any(turn.role == "assistant" for turn in messages)
        self.heard = [*([] if is_continued else self.heard), *asked, output.message]
        usage = output.usage
        return Reply(
            text=words_of(output.message),
            tokens_in=usage.input_tokens if usage else None,
            tokens_out=usage.output_tokens if usage else None,
            cost_usd=usage.total_cost if usage else None,
        )

    async def _generate(self, messages: list[ChatMessage], seconds: float) -> ModelOutput | None:
        with anyio.move_on_after(seconds):
            config = GenerateConfig(parallel_tool_calls=False) if self._tools else GenerateConfig()
            return await get_model().generate(messages, tools=list(self._tools), config=config)
        return None

    def _messages(self, turns: Sequence[Turn]) -> list[ChatMessage]:
        """The turns as messages; the model's own are those that it sent, and calls of tools get their results."""
        messages: list[ChatMessage] = []
        replies = iter(self._replies[-sum(turn.role == "assistant" for turn in turns) or len(self._replies) :])
        last: ChatMessageAssistant | None = None
        for turn in turns:
            if turn.role == "system":
                messages.append(ChatMessageSystem(content=turn.text))
            elif turn.role == "assistant":
                last = next(replies)
                messages.append(last)
            else:
                messages += _shown(turn, last)
        return messages


def _shown(turn: Turn, reply: ChatMessageAssistant | None) -> list[ChatMessage]:
    """What the model is shown: the result of its call, or a message; pictures always come with a message."""
    calls = reply.tool_calls if reply is not None and reply.tool_calls else []
    if not calls:
        return [ChatMessageUser(content=content_of(turn.text, turn.pictures))]
    texts = [turn.text, *[_IGNORED] * (len(calls) - 1)]
    messages: list[ChatMessage] = [
        ChatMessageTool(content=text, tool_call_id=call.id, function=call.function)
        for call, text in zip(calls, texts, strict=True)
    ]
    if turn.pictures:
        messages.append(ChatMessageUser(content=content_of("The picture:", turn.pictures)))
    return messages


def words_of(message: ChatMessageAssistant) -> str:
    """A reply as the agents read it: the text, and the first call as a block of Python or as JSON."""
    call = next(iter(message.tool_calls or []), None)
    if call is None or call.parse_error:
        return message.text
    if call.function == PYTHON:
        return f"{message.text}\n```python\n{call.arguments.get('code', '')}\n```"
    return f"{message.text}\n{json.dumps({'tool': call.function, 'arguments': call.arguments})}"
