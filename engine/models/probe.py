"""The probe: about a dozen tiny requests that find out what an endpoint can do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.formats.png import png
from spatial_workbench.engine.models import chat, loop, responses
from spatial_workbench.engine.models.capabilities import Capabilities, Feature, ProbeFinding, Result
from spatial_workbench.engine.models.contracts import Request
from spatial_workbench.engine.models.endpoint import connect
from spatial_workbench.engine.models.faults import fault_of
from spatial_workbench.engine.models.keys import find_key, redact
from spatial_workbench.engine.models.settings import ModelSettings, ReasoningEffort, Structured
from spatial_workbench.engine.models.wire import Body, Received

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_ONE_REQUEST_S = 60.0
_HELLO = "Say hello in one short sentence."
_LONG = "Write the numbers from 1 to 300, one a line."
_FEW_TOKENS = 16
_TEMPERATURE = 0.7
"""Endpoints that take no temperature often take the usual 1."""
_TOP_P = 0.9
_WORDS = ("tangerine-41", "cobalt-17")
_SCHEMA = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": list(_WORDS)}},
    "required": ["verdict"],
    "additionalProperties": False,
}
_UNLIKELY = "What is the capital of France?"
_RED = png(np.full((32, 32, 3), (230, 20, 20), np.uint8))
_COLOUR = "Which colour is this picture? Answer with one word."
_FUNCTION = {
    "type": "function",
    "function": {
        "name": "turn_face",
        "description": "Turns a face of the cube.",
        "parameters": {"type": "object", "properties": {"face": {"type": "string"}}, "required": ["face"]},
    },
}
_DIGEST = "Run Python code that prints hashlib.sha256(b'stud').hexdigest()[:8], and answer with what it prints."
_DIGEST_ANSWER = "2d196c2a"

_REFUSALS = (400, 404, 405, 415, 422, 500, 501)


@dataclass(frozen=True)
class _Trial:
    """A tiny request and how to judge the answer."""

    text: str
    judge: Callable[[Received], tuple[Result, str]]
    schema: dict[str, Any] | None = None
    picture: bytes | None = None
    more: Body = field(default_factory=dict)

    @property
    def request(self) -> Request:
        return Request(self.text, schema=self.schema, pictures=() if self.picture is None else (self.picture,))


def probe(
    settings: ModelSettings,
    with_tools: bool = False,
    progress: Progress = silent,
    only: Collection[Feature] | None = None,
) -> Capabilities:
    """Tries what an endpoint can do with a model. A feature that cannot be tried is unknown; its note gives the reason.

    Args:
        with_tools: Whether to try the hosted tools too, for which a provider may charge.
        only: Try these features and nothing else.

    Raises:
        ModelError: The key must not be sent to this address.
        Cancelled: Raised by `progress`.
    """
    usual = [feature for feature in Feature if with_tools or feature is not Feature.HOSTED_TOOLS]
    features = frozenset(usual if only is None else only)
    prober = _Prober(settings, features)
    findings = loop.run(prober.run(), lambda: progress(len(prober.findings), len(features), prober.phase))
    return Capabilities(
        base_url=settings.url,
        model=settings.model,
        probed_at=datetime.now(UTC),
        findings=dict(findings),
        efforts=dict(prober.efforts),
    )


class _Prober:
    """Sends the requests, one after another, and collects the findings."""

    def __init__(self, settings: ModelSettings, features: frozenset[Feature]) -> None:
        plain = {"tools": False, "max_output_tokens": None, "structured": Structured.NATIVE, "effort": None}
        self._settings = settings.changed(**plain, extra_json="{}", temperature=None, top_p=None)
        self._effort = settings.effort or ReasoningEffort.LOW
        self._parameters = {
            "temperature": _TEMPERATURE if settings.temperature is None else settings.temperature,
            "top_p": settings.top_p or _TOP_P,
        }
        self._features = features
        self._key = find_key(settings)
        self.findings: dict[Feature, ProbeFinding] = {}
        self.efforts: dict[ReasoningEffort, Result] = {}
        self.phase = ""

    async def run(self) -> dict[Feature, ProbeFinding]:
        async with connect(self._settings, self._key) as client:
            await self._try_feature(Feature.MODEL_LIST, partial(self._model_list, client))
            await self._try_chat_features(client)
            await self._try_responses_features(client)
        return self.findings

    async def _try_chat_features(self, client: AsyncOpenAI) -> None:
        for feature, trial in _CHAT.items():
            await self._try_feature(feature, partial(self._try_chat, client, trial))
            if self._is_without(Feature.CHAT):
                return
        if self._settings.api == "chat":
            await self._try_parameters(client)

    async def _try_responses_features(self, client: AsyncOpenAI) -> None:
        for feature, trial in _RESPONSES.items():
            await self._try_feature(feature, partial(self._try_responses, client, trial))
            if self._is_without(Feature.RESPONSES):
                return
        if self._settings.api == "responses":
            await self._try_parameters(client)

    async def _try_parameters(self, client: AsyncOpenAI) -> None:
        """Tries parameters of the interface that the settings choose."""
        for feature, name in ((Feature.TEMPERATURE, "temperature"), (Feature.TOP_P, "top_p")):
            trial = _Trial(_HELLO, _not_refused, more={name: self._parameters[name]})
            await self._try_feature(feature, partial(self._try_it, client, trial))
        await self._try_feature(Feature.EFFORT, partial(self._try_efforts, client))

    async def _try_efforts(self, client: AsyncOpenAI) -> tuple[Result, str]:
        """Tries the efforts, first those that tell most; if none of these is taken, the others are not tried."""
        refusal: Exception | None = None
        seen = ""
        first = dict.fromkeys((self._effort, ReasoningEffort.LOW, ReasoningEffort.HIGH))
        for effort in dict.fromkeys((*first, *ReasoningEffort)):
            if effort not in first and not seen:
                break
            named = {"reasoning_effort": effort.value}
            more = named if self._settings.api == "chat" else {"reasoning": {"effort": effort.value}}
            try:
                self.efforts[effort], seen = await self._try_it(client, _Trial(_HELLO, _only_accepted, more=more))
            except Exception as error:
                if fault_of(error).status not in _REFUSALS:
                    raise
                self.efforts[effort] = Result.REFUSED
                refusal = refusal or error
        refused = [effort.value for effort, result in self.efforts.items() if result is Result.REFUSED]
        if not seen and refusal is not None:
            raise refusal
        return Result.ACCEPTED, f"{seen}; refused: {', '.join(refused)}" if refused else seen

    async def _try_it(self, client: AsyncOpenAI, trial: _Trial) -> tuple[Result, str]:
        """Tries something by the interface that the settings choose."""
        tried = self._try_chat if self._settings.api == "chat" else self._try_responses
        return await tried(client, trial)

    def _is_without(self, feature: Feature) -> bool:
        """Whether a feature that others depend on was tried and does not work."""
        return feature in self.findings and self.findings[feature].result is not Result.WORKS

    async def _try_feature(self, feature: Feature, work: Callable[[], Awaitable[tuple[Result, str]]]) -> None:
        """Stores what `work` finds out about a feature, if the feature is to be tried."""
        if feature not in self._features:
            return
        self.phase = feature.value
        try:
            async with asyncio.timeout(_ONE_REQUEST_S):
                result, note = await work()
        except Exception as error:
            fault = fault_of(error)
            # Only a plain refusal of this request says something about the feature.
            result = Result.REFUSED if fault.status in _REFUSALS else Result.UNKNOWN
            note = redact(fault.message, self._key)
        self.findings[feature] = ProbeFinding(result=result, note=note)

    async def _model_list(self, client: AsyncOpenAI) -> tuple[Result, str]:
        names = [model.id async for model in client.models.list()]
        is_listed = self._settings.model in names
        return (Result.WORKS, f"{len(names)} models") if is_listed else (Result.ACCEPTED, "this model is not listed")

    async def _try_chat(self, client: AsyncOpenAI, trial: _Trial) -> tuple[Result, str]:
        body = chat.body(self._settings, trial.request, False) | trial.more
        if trial.judge is not _counted:
            body.pop("stream_options")
        received = Received()
        await chat.stream(client, body, received, _at_once)
        return trial.judge(received)

    async def _try_responses(self, client: AsyncOpenAI, trial: _Trial) -> tuple[Result, str]:
        received = Received()
        body = responses.body(self._settings, trial.request, False) | trial.more
        await responses.stream(client, body, received, _at_once)
        return trial.judge(received)


async def _at_once(work: Awaitable[Any]) -> Any:
    return await work


def _said_something(received: Received) -> tuple[Result, str]:
    has_words = bool(received.text or received.reasoning)
    return (Result.WORKS, received.model) if has_words else (Result.ACCEPTED, "the answer was empty")


def _counted(received: Received) -> tuple[Result, str]:
    counted = received.usage.output_tokens is not None
    return (Result.WORKS, "") if counted else (Result.ACCEPTED, "no counts came")


def _kept_schema(received: Received) -> tuple[Result, str]:
    text = "".join(received.text)
    try:
        followed = json.loads(text)["verdict"] in _WORDS
    except (ValueError, KeyError, TypeError):
        followed = False
    return (Result.WORKS, "") if followed else (Result.ACCEPTED, f"ignored: {text[:80]!r}")


def _capped(received: Received) -> tuple[Result, str]:
    ended = received.finish_reason == "length"
    return (Result.WORKS, "") if ended else (Result.ACCEPTED, f"the answer ended by “{received.finish_reason}”")


def _only_accepted(received: Received) -> tuple[Result, str]:
    thought = received.usage.reasoning_tokens or received.reasoning
    return Result.ACCEPTED, "the model reasons" if thought else "no reasoning was seen"


def _not_refused(received: Received) -> tuple[Result, str]:
    return Result.ACCEPTED, ""


def _saw_red(received: Received) -> tuple[Result, str]:
    text = "".join(received.text)
    saw = "red" in text.lower()
    return (Result.WORKS, "") if saw else (Result.ACCEPTED, f"a red picture was called {text[:80]!r}")


def _called(received: Received) -> tuple[Result, str]:
    names = [call.tool for call in received.tool_calls]
    return (Result.WORKS, "") if "turn_face" in names else (Result.ACCEPTED, "no call came")


def _used_tool(received: Received) -> tuple[Result, str]:
    ran = any(call.tool == "code_interpreter_call" for call in received.tool_calls)
    right = _DIGEST_ANSWER in "".join(received.text)
    return (Result.WORKS, "") if ran and right else (Result.ACCEPTED, "no code was run" if not ran else "wrong result")


_CHAT = {
    Feature.CHAT: _Trial(_HELLO, _said_something),
    Feature.USAGE: _Trial(_HELLO, _counted),
    Feature.CHAT_SCHEMA: _Trial(_UNLIKELY, _kept_schema, schema=_SCHEMA),
    Feature.MAX_COMPLETION_TOKENS: _Trial(_LONG, _capped, more={"max_completion_tokens": _FEW_TOKENS}),
    Feature.MAX_TOKENS: _Trial(_LONG, _capped, more={"max_tokens": _FEW_TOKENS}),
    Feature.PICTURES: _Trial(_COLOUR, _saw_red, picture=_RED),
    Feature.FUNCTIONS: _Trial("Turn the upper face.", _called, more={"tools": [_FUNCTION], "tool_choice": "required"}),
}
_RESPONSES = {
    Feature.RESPONSES: _Trial(_HELLO, _said_something),
    Feature.RESPONSES_SCHEMA: _Trial(_UNLIKELY, _kept_schema, schema=_SCHEMA),
    Feature.HOSTED_TOOLS: _Trial(_DIGEST, _used_tool, more={"tools": [dict(tool) for tool in responses.HOSTED_TOOLS]}),
}
