"""What was sent to a model and what came back, as messages and events of Inspect, from the stored requests.

Bodies of requests are stored with the SHA-256 of each picture in its place; pictures are found again among those of the
prompt and of the record of an agent's run.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any

from spatial_workbench.engine.core import InstanceError, resolve
from spatial_workbench.engine.core.formats.sound import whole_texts
from spatial_workbench.engine.evaluation.dossiers import ExportedDossier
from spatial_workbench.engine.evaluation.transcripts import PartKind, TranscriptPart, TranscriptStep, transcript_of

_STOPS = {"stop": "stop", "length": "max_tokens", "content_filter": "content_filter", "tool_calls": "tool_calls"}
_HOSTED = {"web_search": "web_search", "code": "code_execution"}
_PICTURE = "png sha256:"


@dataclass
class ToldConversation:
    """A conversation.

    Attributes:
        messages: What was sent, and what came back, in order; empty if no request was stored with its body.
        events: Every request and every call of a tool, in order.
        usage: The tokens of all requests, failed ones included; None if none is known.
    """

    messages: list[Any] = field(default_factory=list)
    events: list[Any] = field(default_factory=list)
    usage: Any = None


def conversation_of(dossier: ExportedDossier) -> ToldConversation:
    """What was said about an item; nothing if it was not asked itself."""
    if dossier.placed is not None and not dossier.placed.is_lead:
        return ToldConversation()
    return _Teller(dossier).told()


class _Teller:
    """Goes through the requests of an item in order."""

    def __init__(self, dossier: ExportedDossier) -> None:
        self._dossier = dossier
        self._tries = [_data(request.record) for request in dossier.tries]
        self._begin = dossier.tries[0].started_at if dossier.tries else None
        self._pictures = _pictures_of(dossier) if any(_PICTURE in one.get("sent", "") for one in self._tries) else {}
        self._steps = _steps_of(dossier)
        self._told = ToldConversation()

    def told(self) -> ToldConversation:
        """The conversation."""
        answered = 0
        for request, record in zip(self._dossier.tries, self._tries, strict=True):
            ended = request.started_at + timedelta(seconds=request.seconds or 0.0)
            sent = _data(record.get("sent"))
            asked = messages_of(sent, self._pictures)
            step = self._steps[answered] if request.error is None and answered < len(self._steps) else None
            reply = self._reply(record, answered) if request.error is None else None
            self._add_request(request, record, sent, asked, reply, ended)
            if reply is None:
                continue
            answered += 1
            if asked:
                self._add_messages(asked, reply)
            if step is not None:
                self._add_calls(step, reply, ended)
        if answered == 0 and self._tries:
            self._told.messages = messages_of(_data(self._tries[-1].get("sent")), self._pictures)
        self._add_last_results()
        return self._told

    def _reply(self, record: Mapping[str, Any], number: int) -> Any:
        """The model's message. Lines of other projects hold the text of an answer with the reply only."""
        model = import_module("inspect_ai.model")
        stored = self._dossier.replies[number][0] if number < len(self._dossier.replies) else None
        text = record.get("text") or (stored.text if stored else "")
        reasoning = record.get("reasoning") or (stored.reasoning if stored else None)
        calls = record.get("tool_calls") or ()
        content: list[Any] = [model.ContentReasoning(reasoning=reasoning)] if reasoning else []
        content += [_hosted(model, k, call) for k, call in enumerate(calls) if not call.get("id")]
        content.append(model.ContentText(text=text))
        uses = [_tool_call(call["id"], call["tool"], call.get("input", "")) for call in calls if call.get("id")]
        return model.ChatMessageAssistant(content=content, tool_calls=uses or None, model=self._dossier.name)

    def _add_request(
        self, request: Any, record: Mapping[str, Any], sent: Mapping[str, Any], asked: list[Any], reply: Any, ended: Any
    ) -> None:
        model = import_module("inspect_ai.model")
        used = usage_of(record.get("usage") or {}, record.get("cost_usd"))
        if used is not None:
            self._told.usage = used if self._told.usage is None else self._told.usage + used
        choices = [] if reply is None else [_choice(model, reply, record.get("finish_reason"))]
        error = None if request.error is None else ": ".join(filter(None, [request.error, record.get("message")]))
        output = model.ModelOutput(
            model=self._dossier.name, choices=choices, usage=used, time=request.seconds, error=error
        )
        self._told.events.append(
            import_module("inspect_ai.event").ModelEvent(
                model=self._dossier.name,
                input=asked,
                tools=_tools_of(sent),
                tool_choice="auto",
                config=config_of(sent),
                output=output,
                error=error,
                call=model.ModelCall(request=dict(sent), response=None) if sent else None,
                timestamp=request.started_at,
                working_start=self._since(request.started_at),
                completed=ended,
                working_time=request.seconds,
                request_ids=None,
            )
        )

    def _add_messages(self, asked: list[Any], reply: Any) -> None:
        # Each question of a conversation repeats what came before; the roles of a workflow begin anew.
        is_continued = any(message.role == "assistant" for message in asked)
        self._told.messages = [*([] if is_continued else self._told.messages), *asked, reply]

    def _add_calls(self, step: TranscriptStep, reply: Any, at: datetime) -> None:
        """The calls that were carried out after a reply, whether they were native ones or stood in its text."""
        uses = [use.id for use in reply.tool_calls or ()]
        for k, (call, result) in enumerate(_calls_of(step)):
            self._told.events.append(
                import_module("inspect_ai.event").ToolEvent(
                    id=uses[k] if k < len(uses) else f"call-{len(self._told.events)}",
                    function=call.name,
                    arguments=_arguments(call.text),
                    result=_shown(result),
                    timestamp=at,
                    working_start=self._since(at),
                    completed=at,
                    failed=result.is_refused or None,
                )
            )

    def _add_last_results(self) -> None:
        """The results of the last native calls, which no request has told the model any more."""
        last = self._told.messages[-1] if self._told.messages else None
        if last is None or last.role != "assistant" or not last.tool_calls:
            return
        done = {event.id: event.result for event in self._told.events if event.event == "tool"}
        for use in last.tool_calls:
            if use.id in done:
                self._told.messages.append(
                    import_module("inspect_ai.model").ChatMessageTool(
                        content=done[use.id], tool_call_id=use.id, function=use.function
                    )
                )

    def _since(self, at: datetime) -> float:
        return 0.0 if self._begin is None else max(0.0, (at - self._begin).total_seconds())


def question_and_steps(dossier: ExportedDossier) -> list[Any]:
    """An agent's run by its record, where no requests are stored: what it was told, and its replies."""
    model = import_module("inspect_ai.model")
    messages = []
    for k, step in enumerate(_steps_of(dossier)):
        told = [part.text for part in step.parts if part.kind is PartKind.TOLD]
        if k == 0 and not told:
            told = [dossier.prompt or dossier.address]
        after = [part for part in step.parts if part.kind in (PartKind.RESULT, PartKind.OUTPUT)]
        messages += [model.ChatMessageUser(content=text) for text in told]
        replies = [part.text for part in step.parts if part.kind is PartKind.REPLY]
        messages.append(model.ChatMessageAssistant(content="\n".join(replies), model=dossier.name))
        if after:
            shown = tuple(picture for part in after for picture in part.pictures)
            text = "\n".join(part.text for part in after)
            messages.append(model.ChatMessageUser(content=_shown(TranscriptPart(PartKind.OUTPUT, text, "", shown))))
    return messages


def stop_of(finish_reason: str | None) -> str:
    """Why a reply ended, in Inspect's words."""
    return _STOPS.get(finish_reason or "stop", "unknown")


def usage_of(usage: Mapping[str, Any], cost_usd: float | None) -> Any:
    """The tokens of a request, None if they are unknown. Inspect counts what came from a cache apart."""
    if usage.get("input_tokens") is None and usage.get("output_tokens") is None:
        return None
    given, output = usage.get("input_tokens") or 0, usage.get("output_tokens") or 0
    cached = usage.get("cached_tokens")
    return import_module("inspect_ai.model").ModelUsage(
        input_tokens=max(0, given - (cached or 0)),
        input_tokens_cache_read=cached,
        output_tokens=output,
        reasoning_tokens=usage.get("reasoning_tokens"),
        total_tokens=given + output,
        total_cost=cost_usd,
    )


def config_of(sent: Mapping[str, Any]) -> Any:
    """The parameters of a request, as far as Inspect has them."""
    effort = sent.get("reasoning_effort") or (sent.get("reasoning") or {}).get("effort")
    known = {
        "max_tokens": sent.get("max_completion_tokens") or sent.get("max_output_tokens"),
        "temperature": sent.get("temperature"),
        "top_p": sent.get("top_p"),
        "seed": sent.get("seed"),
        "reasoning_effort": effort if effort in ("none", "minimal", "low", "medium", "high", "xhigh") else None,
    }
    return import_module("inspect_ai.model").GenerateConfig(**known)


def messages_of(sent: Mapping[str, Any], pictures: Mapping[str, bytes]) -> list[Any]:
    """The messages in the body of a request to either kind of endpoint.

    pictures: PNG files by their SHA-256.
    """
    model = import_module("inspect_ai.model")
    names: dict[str, str] = {}
    messages: list[Any] = [model.ChatMessageSystem(content=sent["instructions"])] if sent.get("instructions") else []
    for entry in sent.get("messages") or sent.get("input") or ():
        if not isinstance(entry, Mapping):
            continue
        if entry.get("type") == "function_call":
            use = _tool_call(entry.get("call_id", ""), entry.get("name", ""), entry.get("arguments", ""))
            names[use.id] = use.function
            if messages and messages[-1].role == "assistant":
                messages[-1].tool_calls = [*(messages[-1].tool_calls or ()), use]
            else:
                messages.append(model.ChatMessageAssistant(content="", tool_calls=[use]))
        else:
            messages.append(_message(model, entry, names, pictures))
    return messages


def _message(model: Any, entry: Mapping[str, Any], names: dict[str, str], pictures: Mapping[str, bytes]) -> Any:
    if entry.get("role") == "tool" or entry.get("type") == "function_call_output":
        key = str(entry.get("tool_call_id") or entry.get("call_id") or "")
        text = entry.get("content") if "content" in entry else entry.get("output")
        return model.ChatMessageTool(content=str(text or ""), tool_call_id=key, function=names.get(key))
    content = _content(model, entry.get("content"), pictures)
    if entry.get("role") == "assistant":
        called = [
            _tool_call(call.get("id", ""), call["function"].get("name", ""), call["function"].get("arguments", ""))
            for call in entry.get("tool_calls") or ()
        ]
        names |= {use.id: use.function for use in called}
        return model.ChatMessageAssistant(content=content, tool_calls=called or None)
    kind = model.ChatMessageSystem if entry.get("role") in ("system", "developer") else model.ChatMessageUser
    return kind(content=content)


def _content(model: Any, content: Any, pictures: Mapping[str, bytes]) -> Any:
    if not isinstance(content, list):
        return content or ""
    return [_part(model, part, pictures) for part in content if isinstance(part, Mapping)]


def _part(model: Any, part: Mapping[str, Any], pictures: Mapping[str, bytes]) -> Any:
    shown = part.get("image_url")
    if shown is None:
        return model.ContentText(text=str(part.get("text", "")))
    address = str(shown.get("url", "") if isinstance(shown, Mapping) else shown)
    png = pictures.get(address.removeprefix(_PICTURE))
    return model.ContentText(text=f"[{address}]") if png is None else model.ContentImage(image=_data_url(png))


def _tools_of(sent: Mapping[str, Any]) -> list[Any]:
    """The functions that were offered."""
    tool = import_module("inspect_ai.tool")
    offered = []
    for entry in sent.get("tools") or ():
        about = entry.get("function", entry)
        if entry.get("type") != "function":
            continue
        schema = about.get("parameters") or {}
        given = {name: schema[name] for name in ("properties", "required") if name in schema}
        try:
            parameters = tool.ToolParams.model_validate(given)
        except ValueError:
            parameters = tool.ToolParams()
        offered.append(
            tool.ToolInfo(name=about["name"], description=about.get("description", ""), parameters=parameters)
        )
    return offered


def _hosted(model: Any, number: int, call: Mapping[str, Any]) -> Any:
    """A call of one of the endpoint's own tools, with its result."""
    name = str(call.get("tool", ""))
    kind = next((kind for part, kind in _HOSTED.items() if part in name), "mcp_call")
    return model.ContentToolUse(
        tool_type=kind,
        id=f"hosted-{number}",
        name=name,
        arguments=str(call.get("input", "")),
        result=str(call.get("output", "")),
    )


def _tool_call(key: str, name: str, arguments: str) -> Any:
    data = _data(arguments)
    is_read = bool(data) or arguments.strip() in ("", "{}")
    return import_module("inspect_ai.tool").ToolCall(
        id=key, function=name, arguments=dict(data), parse_error=None if is_read else arguments
    )


def _choice(model: Any, reply: Any, finish_reason: str | None) -> Any:
    return model.ChatCompletionChoice(message=reply, stop_reason=stop_of(finish_reason))


def _calls_of(step: TranscriptStep) -> Iterator[tuple[TranscriptPart, TranscriptPart]]:
    """The calls of a step, each with its result."""
    for call, result in zip(step.parts, step.parts[1:], strict=False):
        if call.kind is PartKind.CALL and result.kind is PartKind.RESULT:
            yield call, result


def _steps_of(dossier: ExportedDossier) -> Sequence[TranscriptStep]:
    """The steps of an agent's run, one for each reply."""
    if dossier.transcript is None:
        return ()
    try:
        return transcript_of((), dossier.transcript, lambda _: "")
    except ValueError:
        return ()


def _pictures_of(dossier: ExportedDossier) -> dict[str, bytes]:
    """The pictures of the prompt and of the run, by their SHA-256."""
    shown = [picture for step in _steps_of(dossier) for part in step.parts for picture in part.pictures]
    try:
        task, instance = resolve(dossier.address)
        shown += task.prompt(instance).pictures
    except InstanceError:
        pass
    return {hashlib.sha256(picture).hexdigest(): picture for picture in shown}


def _shown(result: TranscriptPart) -> Any:
    """A text with its pictures."""
    if not result.pictures:
        return result.text
    model = import_module("inspect_ai.model")
    images = [model.ContentImage(image=_data_url(picture)) for picture in result.pictures]
    return [model.ContentText(text=result.text), *images]


def _arguments(text: str) -> dict[str, Any]:
    return dict(_data(text)) or ({"text": text} if text.strip() not in ("", "{}") else {})


def _data_url(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}"


def _data(text: str | None) -> Mapping[str, Any]:
    try:
        data = whole_texts(json.loads(text or "{}", parse_constant=str))
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}
