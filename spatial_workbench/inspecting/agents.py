"""Agents behind Inspect's model, with the loop, limits and record of a batch: hands, and those of cube and machines."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

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
from inspect_ai.tool import ToolCall, ToolInfo, ToolParam, ToolParams
from inspect_ai.util import store

from spatial_workbench.app.studio.drawing import drawer
from spatial_workbench.engine.core import Instance, PlayedByAgents, Task, agents_of, resolve
from spatial_workbench.engine.core.agents import (
    HANDS,
    AgentFailed,
    AgentPlan,
    AgentRun,
    NoReply,
    Reply,
    ToolOffer,
    ToolUse,
    Turn,
)
from spatial_workbench.engine.cube.agent import AgentKind, CubeEnvironment, CubeSetting
from spatial_workbench.engine.cube.facelets import SOLVED
from spatial_workbench.engine.evaluation.hands.conditions import ConditionName
from spatial_workbench.engine.evaluation.hands.playing import play_with_hands
from spatial_workbench.engine.evaluation.inspect_data import TRANSCRIPT
from spatial_workbench.engine.sandbox import SandboxUnavailable
from spatial_workbench.engine.tasks.cube.task import CubeTask
from spatial_workbench.inspecting.samples import content_of, without_references

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

    return _agent_of(plan)


@agent
def hands(
    condition: ConditionName = "hands",
    sees: Literal["text", "pictures", "both"] = "both",
    acts_by: Literal["tools", "json", "programs"] = "tools",
    calls: int = 400,
    pictures: int = 50,
    tokens: int | None = None,
    cost_usd: float | None = None,
    tells_left: bool = True,
    ends_when_solved: bool = False,
    minutes: float = 30.0,
    step_seconds: float = 60.0,
) -> Agent:
    """Lets the model build the answer with the commands of the editor; see docs/hands.md for the arguments."""
    options = {
        "condition": condition,
        "sees": sees,
        "acts_by": acts_by,
        "calls": calls,
        "pictures": pictures,
        "tokens": tokens,
        "cost_usd": cost_usd,
        "tells_left": tells_left,
        "ends_when_solved": ends_when_solved,
    }
    return _agent_of(AgentPlan(kind=HANDS, minutes=minutes, step_seconds=step_seconds, options=options))


def _agent_of(plan: AgentPlan) -> Agent:
    async def execute(state: AgentState) -> AgentState:
        task, instance = resolve(_address_of(state.messages))
        if plan.kind not in agents_of(task):
            raise RuntimeError(f"{task.title} is not played by the agent “{plan.kind}”")
        model = _InspectModel(tools_of(task, plan))
        try:
            run = await anyio.to_thread.run_sync(_play, task, instance, plan, model)
        except (NoReply, AgentFailed, SandboxUnavailable) as error:
            raise RuntimeError(str(error)) from error
        store().set(TRANSCRIPT, {"kind": run.kind, "record": json.loads(run.record)})
        state.messages = model.heard
        state.output = ModelOutput.from_content(model=str(get_model()), content=run.answer)
        return state

    return execute


def _play(task: Task[Any], instance: Instance, plan: AgentPlan, model: _InspectModel) -> AgentRun:
    if plan.kind == HANDS:
        return play_with_hands(task, instance, plan, model, drawer(), _until_cancelled)
    assert isinstance(task, PlayedByAgents)
    return task.play(instance, plan, model, _until_cancelled)


def _until_cancelled(done: float, total: float, text: str = "") -> None:
    anyio.from_thread.check_cancelled()


def tools_of(task: Task[Any], plan: AgentPlan) -> list[ToolInfo]:
    """What the model may call in each step: programs, or the tools of the cube.

    The roles of a workflow call nothing, and hands offer their tools with each question.
    """
    if not isinstance(task, CubeTask) or plan.kind == HANDS:
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
    """Inspect's model as `spatial_workbench.engine.core.agents.ToolModel`, for a thread that Inspect started.

    Attributes:
        heard: Everything that was said, for the log.
    """

    native_tools = True

    def __init__(self, tools: list[ToolInfo]) -> None:
        self._tools = tools
        self._replies: list[ChatMessageAssistant] = []
        self.heard: list[ChatMessage] = []

    def reply(self, messages: Sequence[Turn], seconds_left: float) -> Reply:
        """The next turn, the first call of a tool as text; an empty one if the time left runs out."""
        config = GenerateConfig(parallel_tool_calls=False) if self._tools else GenerateConfig()
        output = self._asked(messages, self._tools, config, seconds_left)
        return Reply("") if output is None else _reply_of(output, words_of(output.message))

    def reply_with_tools(self, messages: Sequence[Turn], tools: Sequence[ToolOffer], seconds_left: float) -> Reply:
        """The next turn with its calls of the tools that are offered; an empty one if the time left runs out."""
        offered = [ToolInfo(name=t.name, description=t.about, parameters=_parameters(t.schema)) for t in tools]
        output = self._asked(messages, offered, GenerateConfig(), seconds_left)
        if output is None:
            return Reply("")
        return _reply_of(output, output.message.text, tuple(map(_use, output.message.tool_calls or ())))

    def _asked(
        self, turns: Sequence[Turn], tools: list[ToolInfo], config: GenerateConfig, seconds_left: float
    ) -> ModelOutput | None:
        messages = self._messages(turns)
        output = anyio.from_thread.run(self._generate, messages, tools, config, max(0.001, seconds_left))
        if output is None:
            return None
        self._replies.append(output.message)
        # Each question of a conversation repeats what came before; the roles of a workflow begin anew.
        is_continued = any(turn.role == "assistant" for turn in turns)
        self.heard = [*([] if is_continued else self.heard), *messages, output.message]
        return output

    async def _generate(
        self, messages: list[ChatMessage], tools: list[ToolInfo], config: GenerateConfig, seconds: float
    ) -> ModelOutput | None:
        with anyio.move_on_after(seconds):
            return await get_model().generate(messages, tools=list(tools), config=config)
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
    if turn.results:
        return _results(turn, calls)
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


def _results(turn: Turn, calls: Sequence[ToolCall]) -> list[ChatMessage]:
    """The results of all calls under their ids, and a message with what else the model is told and shown."""
    names = {call.id: call.function for call in calls}
    messages: list[ChatMessage] = [
        ChatMessageTool(content=text, tool_call_id=key, function=names.get(key)) for key, text in turn.results
    ]
    if turn.text or turn.pictures:
        messages.append(ChatMessageUser(content=content_of(turn.text or "The pictures:", turn.pictures)))
    return messages


def _parameters(schema: Mapping[str, Any]) -> ToolParams:
    whole = without_references(schema, schema.get("$defs", {}))
    return ToolParams.model_validate({name: whole[name] for name in ("properties", "required") if name in whole})


def _use(call: ToolCall) -> ToolUse:
    """A call; arguments that Inspect could not read stay text, which is refused with a sentence."""
    return ToolUse(call.id, call.function, call.parse_error or json.dumps(call.arguments))


def _reply_of(output: ModelOutput, text: str, uses: tuple[ToolUse, ...] = ()) -> Reply:
    usage = output.usage
    return Reply(
        text=text,
        tokens_in=usage.input_tokens if usage else None,
        tokens_out=usage.output_tokens if usage else None,
        cost_usd=usage.total_cost if usage else None,
        uses=uses,
    )


def words_of(message: ChatMessageAssistant) -> str:
    """A reply as the agents read it: the text, and the first call as a block of Python or as JSON."""
    call = next(iter(message.tool_calls or []), None)
    if call is None or call.parse_error:
        return message.text
    if call.function == PYTHON:
        return f"{message.text}\n```python\n{call.arguments.get('code', '')}\n```"
    return f"{message.text}\n{json.dumps({'tool': call.function, 'arguments': call.arguments})}"
