"""A question to an endpoint: its tries, each with deadlines and a record, and the pauses between them."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from spatial_workbench.engine.models import chat, responses
from spatial_workbench.engine.models.contracts import ErrorKind, ModelError, Request, Response, ToolCall, Try
from spatial_workbench.engine.models.faults import Broken, EndpointFault, fault_of
from spatial_workbench.engine.models.keys import key_name, redact, without
from spatial_workbench.engine.models.quirks import Quirk, adapted, learned
from spatial_workbench.engine.models.rate_limits import Gate
from spatial_workbench.engine.models.settings import ModelSettings, Structured
from spatial_workbench.engine.models.wire import Body, Received, cost_usd, estimated_tokens, for_record

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 30.0
_LONGEST_NAME = 200


class Asking:
    """A question in progress. `answer` runs on the event loop, while the thread that waits for it reads `phase`.

    `quirks` is shared by all questions to an endpoint, so that the endpoint refuses each thing only once.
    """

    def __init__(
        self,
        client: AsyncOpenAI,
        settings: ModelSettings,
        request: Request,
        gate: Gate,
        quirks: set[Quirk],
        key: SecretStr | None = None,
    ) -> None:
        without_schema = settings.structured is Structured.OFF
        self._request = replace(request, schema=None) if without_schema else request
        self._client = client
        self._settings = settings
        self._gate = gate
        self._quirks = quirks
        self._used: frozenset[Quirk] = frozenset()
        self._key = key
        self._received: Received | None = None
        self._pause_s = 0.0
        self.tries: list[Try] = []

    @property
    def phase(self) -> str:
        """What is happening, for a person."""
        if self._received is not None:
            return self._received.phase
        return f"waiting to try again ({self.tries[-1].error})" if self.tries else "in line"

    async def answer(self) -> Response:
        """The answer.

        Raises:
            ModelError: There is none; holds the tries.
        """
        begin = time.monotonic()
        try:
            async with asyncio.timeout(self._request.timeout_s):
                received = await self._until_answered()
        except TimeoutError:
            raise ModelError(ErrorKind.TIMEOUT, "the time that was allowed is over", tuple(self.tries)) from None
        return self._response(received, time.monotonic() - begin)

    async def _until_answered(self) -> Received:
        failures = 0
        while True:
            body = self._body()
            received, fault = await self._one_try(body)
            if fault is None:
                return received
            quirk = learned(fault, body, self._settings)
            if quirk is not None and quirk not in self._used:
                self._quirks.add(quirk)
                continue
            failures += 1
            await self._pause(fault, failures, received.started)

    async def _one_try(self, body: Body) -> tuple[Received, EndpointFault | None]:
        received = Received()
        fault = None
        api = chat if self._settings.api == "chat" else responses
        asked_at = time.monotonic()
        async with self._gate.slot(estimated_tokens(self._settings, self._request)) as slot:
            self._received = received
            started_at = datetime.now(UTC)
            begin = time.monotonic()
            waited_s = self._pause_s + begin - asked_at
            try:
                async with asyncio.timeout(self._settings.timeout_s):
                    await api.stream(self._client, body, received, self._within_silence)
            except asyncio.CancelledError:
                fault = EndpointFault(ErrorKind.TIMEOUT, "taken back", received.status)
                raise
            except Exception as error:
                fault = fault_of(error)
            finally:
                self._received = None
                usage = received.usage
                if usage.input_tokens is not None and usage.output_tokens is not None:
                    slot.tokens = usage.input_tokens + usage.output_tokens
                self._record_try(received, fault, body, started_at, waited_s, time.monotonic() - begin)
        return received, fault

    async def _within_silence(self, work: Awaitable[Any]) -> Any:
        silence_s = self._settings.silence_s
        try:
            async with asyncio.timeout(silence_s) as limit:
                return await work
        except TimeoutError:
            if limit.expired():
                raise Broken(ErrorKind.TIMEOUT, f"no data came for {silence_s:g} s") from None
            raise

    async def _pause(self, fault: EndpointFault, failures: int, started: bool) -> None:
        """Waits before another try, or gives up."""
        pause_s = fault.retry_after_s
        if pause_s is None:
            longest = min(_FIRST_PAUSE_S * 2 ** (failures - 1), _LONGEST_PAUSE_S, self._settings.max_wait_s)
            pause_s = longest * random.uniform(0.75, 1.0)
        last = failures >= self._settings.max_tries or pause_s > self._settings.max_wait_s
        if last or not fault.may_be_retried(started):
            raise ModelError(fault.kind, self._redacted(fault.message), tuple(self.tries), self._advice(fault))
        if fault.kind is ErrorKind.RATE_LIMIT:
            self._gate.close_for(pause_s)
        self._pause_s = pause_s
        await asyncio.sleep(pause_s)

    def _advice(self, fault: EndpointFault) -> str:
        no_key = fault.kind is ErrorKind.AUTH and self._key is None
        return f"None was found under the name “{key_name(self._settings)}”." if no_key else ""

    def _body(self) -> Body:
        api = chat if self._settings.api == "chat" else responses
        # A copy, because other questions may learn of more quirks before this one is answered.
        self._used = frozenset(self._quirks)
        in_words = Quirk.SCHEMA_IN_WORDS in self._used
        return adapted(api.body(self._settings, self._request, in_words), self._used)

    def _redacted(self, text: str) -> str:
        return redact(text, self._key)

    def _record_try(
        self,
        got: Received,
        fault: EndpointFault | None,
        body: Body,
        started_at: datetime,
        waited_s: float,
        seconds: float,
    ) -> None:
        got.check_texts()
        self.tries.append(
            Try(
                number=len(self.tries) + 1,
                started_at=started_at,
                waited_s=round(waited_s, 3),
                seconds=round(seconds, 3),
                sent=without(for_record(body), self._key),
                status=got.status if fault is None or fault.status is None else fault.status,
                request_id=self._name_of(got.request_id or (fault.request_id if fault else None)),
                error=fault and fault.kind,
                message=self._redacted(fault.message) if fault else "",
                finish_reason=got.finish_reason and self._redacted(got.finish_reason)[:_LONGEST_NAME],
                text=without("".join(got.text), self._key),
                reasoning=self._thoughts(got),
                tool_calls=tuple(self._without_key(call) for call in got.tool_calls),
                usage=got.usage,
                cost_usd=cost_usd(self._settings, got.usage),
                notes=tuple(got.notes),
            )
        )
        if self._request.heard is not None:
            self._request.heard(self.tries[-1])

    def _without_key(self, call: ToolCall) -> ToolCall:
        texts = {name: without(text, self._key) for name, text in call.model_dump().items()}
        return ToolCall.model_validate(texts)

    def _name_of(self, request_id: str | None) -> str | None:
        """The endpoint's name for the request, which may be anything that it sends."""
        return None if request_id is None else self._redacted(request_id)[:_LONGEST_NAME]

    def _thoughts(self, received: Received) -> str | None:
        return without("".join(received.reasoning), self._key) if received.reasoning else None

    def _response(self, received: Received, seconds: float) -> Response:
        last = self.tries[-1]
        in_words = Quirk.SCHEMA_IN_WORDS in self._used
        sent = None if self._request.schema is None else "prompt" if in_words else "native"
        return Response(
            text=last.text,
            reasoning=last.reasoning,
            finish_reason=last.finish_reason or "stop",
            structured=sent or "none",
            adaptations=tuple(sorted(quirk.value for quirk in self._used if self._concerns(quirk))),
            tool_calls=last.tool_calls,
            usage=last.usage,
            cost_usd=last.cost_usd,
            notes=last.notes,
            tries=tuple(self.tries),
            seconds=round(seconds, 3),
            request_id=last.request_id,
            model=self._redacted(received.model)[:_LONGEST_NAME],
        )

    def _concerns(self, quirk: Quirk) -> bool:
        """Whether an adaptation made a difference to this question."""
        return {
            Quirk.SCHEMA_IN_WORDS: self._request.schema is not None,
            Quirk.MAX_TOKENS: self._settings.max_output_tokens is not None,
            Quirk.NO_USAGE: True,
            Quirk.NO_SEED: self._request.seed is not None,
            Quirk.PLAIN_IMAGE_URL: any(
                (self._request.pictures, *(turn.pictures for turn in self._request.history)),
            ),
        }[quirk]
