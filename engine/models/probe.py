"""The probe: about a dozen tiny requests that find out what an endpoint can do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from spatial_workbench.engine.core import Cancelled, Progress, silent
from spatial_workbench.engine.core.formats.png import png
from spatial_workbench.engine.models import chat, loop, responses
from spatial_workbench.engine.models.capabilities import Capabilities, Feature, PictureForm, ProbeFinding, Result
from spatial_workbench.engine.models.contracts import ModelError, Request
from spatial_workbench.engine.models.endpoint import connect
from spatial_workbench.engine.models.faults import fault_of
from spatial_workbench.engine.models.keys import find_key, redact
from spatial_workbench.engine.models.quirks import Quirk, adapted
from spatial_workbench.engine.models.settings import ModelSettings, ReasoningEffort, Structured
from spatial_workbench.engine.models.wire import Body, Received

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_ONE_REQUEST_S = 60.0
_OBJECT = "Answer with a JSON object that has one field, named a, which is 1."
_RIDDLE = "How many letters r are in the word strawberry? Answer with the number."
_TURN = "Turn the upper face."
_HELLO = "Say hello in one short sentence."
_LONG = "Write the numbers from 1 to 300, one a line."
_FEW_TOKENS = 16
_MOST_NAMES = 1000
_LONGEST_NAME = 200
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
_FUNCTION: Body = {
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
        picture_form=prober.picture_form,
        models=prober.models,
        failure=_failure(findings),
    )


def list_models(settings: ModelSettings, progress: Progress = silent) -> tuple[str, ...]:
    """The names of the models that an endpoint lists, at most _MOST_NAMES.

    Raises:
        ModelError: It lists none, and says why; or the key must not be sent to this address.
        Cancelled: Raised by `progress`.
    """
    key = find_key(settings)

    async def ask() -> tuple[str, ...]:
        async with connect(settings, key) as client, asyncio.timeout(_ONE_REQUEST_S):
            return await listed(client)

    try:
        return loop.run(ask(), lambda: progress(0, 1, Feature.MODEL_LIST.value))
    except (Cancelled, ModelError):
        raise
    except Exception as error:
        fault = fault_of(error)
        raise ModelError(fault.kind, redact(fault.message, key)) from None


async def listed(client: AsyncOpenAI) -> tuple[str, ...]:
    """The names of the models that an endpoint lists, in order, each once."""
    names: dict[str, None] = {}
    async for model in client.models.list():
        if isinstance(model.id, str) and len(names) < _MOST_NAMES:
            names[model.id[:_LONGEST_NAME]] = None
    return tuple(sorted(names))


def _failure(findings: Mapping[Feature, ProbeFinding]) -> str:
    """Why a probe failed as a whole: nothing was found out about anything; empty if something was."""
    if not findings or any(finding.result is not Result.UNKNOWN for finding in findings.values()):
        return ""
    return next((finding.note for finding in findings.values() if finding.note), "nothing answered")


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
        self.picture_form: PictureForm | None = None
        self.models: tuple[str, ...] = ()
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
        """Tries pictures, functions and parameters by the interface that the settings choose."""
        await self._try_feature(Feature.PICTURES, partial(self._try_pictures, client))
        is_chat = self._settings.api == "chat"
        function = _FUNCTION if is_chat else {"type": "function", **_FUNCTION["function"]}
        calling = _Trial(_TURN, _called, more={"tools": [function], "tool_choice": "required"})
        await self._try_feature(Feature.FUNCTIONS, partial(self._try_it, client, calling))
        await self._try_feature(Feature.REASONING, partial(self._try_it, client, _Trial(_RIDDLE, _reasoned)))
        for feature, name in ((Feature.TEMPERATURE, "temperature"), (Feature.TOP_P, "top_p")):
            trial = _Trial(_HELLO, _not_refused, more={name: self._parameters[name]})
            await self._try_feature(feature, partial(self._try_it, client, trial))
        await self._try_feature(Feature.EFFORT, partial(self._try_efforts, client))

    async def _try_pictures(self, client: AsyncOpenAI) -> tuple[Result, str]:
        """Shows a picture in each form of the interface until the model sees it."""
        trial = _Trial(_COLOUR, _saw_red, picture=_RED)
        if self._settings.api == "responses":
            result, note = await self._try_responses(client, trial)
            self.picture_form = PictureForm.INPUT_IMAGE if result is Result.WORKS else None
            return result, note
        refusal: Exception | None = None
        result, note = Result.REFUSED, ""
        try:
            result, note = await self._try_chat(client, trial)
        except Exception as error:
            if fault_of(error).status not in _REFUSALS:
                raise
            refusal = error
        self.picture_form = PictureForm.IMAGE_URL if result is Result.WORKS else None
        if result is not Result.WORKS and await self._sees_plain(client, trial):
            self.picture_form = PictureForm.PLAIN_IMAGE_URL
            return Result.WORKS, PictureForm.PLAIN_IMAGE_URL.value
        if refusal is not None:
            raise refusal
        return result, note

    async def _sees_plain(self, client: AsyncOpenAI, trial: _Trial) -> bool:
        """Whether the model sees a picture whose address stands as plain text."""
        try:
            result, _ = await self._try_chat(client, trial, frozenset({Quirk.PLAIN_IMAGE_URL}))
        except Exception:
            return False
        return result is Result.WORKS

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
        names = await listed(client)
        self.models = names
        is_listed = self._settings.model in names
        return (Result.WORKS, f"{len(names)} models") if is_listed else (Result.ACCEPTED, "this model is not listed")

    async def _try_chat(
        self, client: AsyncOpenAI, trial: _Trial, quirks: frozenset[Quirk] = frozenset()
    ) -> tuple[Result, str]:
        body = adapted(chat.body(self._settings, trial.request, False), quirks) | trial.more
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


def _streamed(received: Received) -> tuple[Result, str]:
    return (Result.WORKS, "") if received.is_streamed else (Result.ACCEPTED, "answers come in one piece")


def _gave_object(received: Received) -> tuple[Result, str]:
    text = "".join(received.text)
    try:
        followed = isinstance(json.loads(text), dict)
    except ValueError:
        followed = False
    return (Result.WORKS, "") if followed else (Result.ACCEPTED, f"ignored: {text[:80]!r}")


def _reasoned(received: Received) -> tuple[Result, str]:
    thought = received.usage.reasoning_tokens or received.reasoning
    shown = "and shows it" if received.reasoning else "and does not show it"
    return (Result.WORKS, shown) if thought else (Result.ACCEPTED, "no reasoning was seen")


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
    Feature.STREAMS: _Trial(_HELLO, _streamed),
    Feature.USAGE: _Trial(_HELLO, _counted),
    Feature.JSON_MODE: _Trial(_OBJECT, _gave_object, more={"response_format": {"type": "json_object"}}),
    Feature.CHAT_SCHEMA: _Trial(_UNLIKELY, _kept_schema, schema=_SCHEMA),
    Feature.MAX_COMPLETION_TOKENS: _Trial(_LONG, _capped, more={"max_completion_tokens": _FEW_TOKENS}),
    Feature.MAX_TOKENS: _Trial(_LONG, _capped, more={"max_tokens": _FEW_TOKENS}),
}
_RESPONSES = {
    Feature.RESPONSES: _Trial(_HELLO, _said_something),
    Feature.RESPONSES_SCHEMA: _Trial(_UNLIKELY, _kept_schema, schema=_SCHEMA),
    Feature.HOSTED_TOOLS: _Trial(_DIGEST, _used_tool, more={"tools": [dict(tool) for tool in responses.HOSTED_TOOLS]}),
}
