"""A server of the Model Context Protocol: other programs open instances and act with the commands of tasks.

A client lists `tasks`, opens one with `open`, and then finds its commands as tools; `act` calls any of them by name,
for clients that list tools only once. If the desk has one instance only, it is open from the start. Nothing else of a
project can be reached.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import anyio.to_thread
from mcp import types
from mcp.server.lowlevel import Server

from spatial_workbench.engine.core import AnswerError
from spatial_workbench.engine.core.version import application_version

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.hands.desk import HandsDesk, OpenEpisode
    from spatial_workbench.engine.evaluation.hands.records import HandsCall
    from spatial_workbench.engine.evaluation.hands.tools import HandsTool

NAME = "spatial-workbench"
UNKNOWN_CLIENT = "unknown client"
RULES = "spatial-workbench://rules/"
_EPISODE = {"type": "string", "description": "key that open gave; needed only if several are open"}
_OPEN = "Begins an instance, named by its address, and tells the task and its tools."
_ACT = "Calls a tool of the open instance by its name."
_INSTRUCTIONS = (
    "Spatial tasks are solved step by step with tools: open an instance, act, look, take back, and submit. What is "
    "wrong with a call is told in its result, and counts as a call."
)
_Result = types.CallToolResult


def server_of(desk: HandsDesk) -> Server[Any]:
    """A server over a desk. If only one address can be opened, it is opened with the first call."""
    door = _Door(desk)
    return Server(
        NAME,
        version=application_version(),
        title="Spatial Workbench",
        instructions=_INSTRUCTIONS,
        on_list_tools=door.list_tools,
        on_call_tool=door.call_tool,
        on_list_resources=door.list_resources,
        on_read_resource=door.read_resource,
    )


class _Door:
    """Answers requests of clients; whatever takes time is done in a thread."""

    def __init__(self, desk: HandsDesk) -> None:
        self._desk = desk

    async def list_tools(self, context: Any, params: Any) -> types.ListToolsResult:
        """The tools of the desk, and those of what is open."""
        listed = _desk_tools()
        opened = await anyio.to_thread.run_sync(self._current, _client_of(context))
        listed += [_tool(tool) for tool in opened.episode.tools.values()] if opened is not None else []
        return types.ListToolsResult(tools=listed)

    async def call_tool(self, context: Any, params: types.CallToolRequestParams) -> _Result:
        """The result of a call; what is wrong with it is its text."""
        client = _client_of(context)
        result, begun = await anyio.to_thread.run_sync(self._carry_out, client, params.name, params.arguments or {})
        if begun:
            await context.session.send_tool_list_changed()
        return result

    async def list_resources(self, context: Any, params: Any) -> types.ListResourcesResult:
        """The rules of the tasks that are open."""
        opened = await anyio.to_thread.run_sync(self._current, _client_of(context))
        address = opened.episode.instance.address if opened is not None else None
        found = [RULES + address] if address else []
        resources = [types.Resource(uri=uri, name=f"Rules of {address}", mime_type="text/plain") for uri in found]
        return types.ListResourcesResult(resources=resources)

    async def read_resource(self, context: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """The rules of what is open."""
        opened = await anyio.to_thread.run_sync(self._current, _client_of(context))
        uri = str(params.uri)
        if opened is None or uri != RULES + opened.episode.instance.address:
            raise ValueError(f"There is no resource {uri[:200]}")
        text = opened.episode.task.prompt(opened.episode.instance).text
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=uri, mime_type="text/plain", text=text)]
        )

    def _current(self, client: str) -> OpenEpisode | None:
        """What is open, or can only be opened; None if there is nothing, or several."""
        try:
            return self._opened(client, "")
        except AnswerError:
            return None

    def _opened(self, client: str, key: str) -> OpenEpisode:
        try:
            return self._desk.opened(key)
        except AnswerError:
            if key or len(self._desk.only) != 1:
                raise
            return self._desk.open(self._desk.only[0], client)

    def _carry_out(self, client: str, name: str, arguments: Mapping[str, Any]) -> tuple[_Result, bool]:
        """The result of a call, and whether something was opened by it."""
        try:
            if name == "tasks":
                return _told(self._desk.tasks_in_words()), False
            if name == "open":
                opened = self._desk.open(str(arguments.get("address", "")), client)
                return _told(f"Episode {opened.key} is open.\n\n{opened.opening}"), True
            given = dict(arguments)
            opened = self._opened(client, str(given.pop("episode", "")))
            if name == "act":
                name, given = str(given.get("tool", "")), given.get("arguments", {})
            return _result(self._desk.call(opened, name, given)), False
        except AnswerError as error:
            return _told(str(error), is_error=True), False


def _desk_tools() -> list[types.Tool]:
    address = {"address": {"type": "string", "description": 'such as "lego_hemisphere:0"'}}
    act = {"tool": {"type": "string"}, "arguments": {"type": "object"}, "episode": _EPISODE}
    return [
        types.Tool(name="tasks", description="Lists the tasks.", input_schema=_object({})),
        types.Tool(name="open", description=_OPEN, input_schema=_object(address, "address")),
        types.Tool(name="act", description=_ACT, input_schema=_object(act, "tool")),
    ]


def _tool(tool: HandsTool) -> types.Tool:
    schema = dict(tool.schema)
    schema["properties"] = {**schema.get("properties", {}), "episode": _EPISODE}
    return types.Tool(name=tool.name, description=tool.about, input_schema=schema)


def _object(properties: Mapping[str, Any], *required: str) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": list(required)}


def _result(call: HandsCall) -> _Result:
    pictures = [
        types.ImageContent(type="image", data=base64.b64encode(picture).decode("ascii"), mime_type="image/png")
        for picture in call.pictures
    ]
    return _Result(content=[types.TextContent(type="text", text=call.result), *pictures], is_error=call.is_refused)


def _told(text: str, is_error: bool = False) -> _Result:
    return _Result(content=[types.TextContent(type="text", text=text)], is_error=is_error)


def _client_of(context: Any) -> str:
    """The name by which a client introduced itself."""
    told = getattr(context.session, "client_params", None)
    name = getattr(getattr(told, "client_info", None), "name", "")
    return str(name)[:100] or UNKNOWN_CLIENT
