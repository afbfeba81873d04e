"""Quirks of endpoints: what a request does without, or says otherwise, because the endpoint refused or ignores it.

Only what does not change the question is adapted. A refused effort, temperature or picture is an error.
"""

from __future__ import annotations

from collections.abc import Set
from enum import StrEnum

from engine.models.capabilities import Capabilities, Feature, Result
from engine.models.contracts import ErrorKind
from engine.models.faults import Fault
from engine.models.settings import ModelSettings, Structured
from engine.models.wire import Body


class Quirk(StrEnum):
    """An adaptation; the value is what the records say."""

    SCHEMA_IN_WORDS = "schema in the prompt"
    MAX_TOKENS = "max_tokens in place of max_completion_tokens"
    NO_USAGE = "token counts were not asked for"
    NO_SEED = "no seed"


_SCHEMA_SIGNS = ("response_format", "json_schema", "text.format", "schema", "structured output", "grammar")
_FIELDS = {
    "max_completion_tokens": Quirk.MAX_TOKENS,
    "stream_options": Quirk.NO_USAGE,
    "include_usage": Quirk.NO_USAGE,
    "seed": Quirk.NO_SEED,
}
_OF_FIELD = {
    Quirk.MAX_TOKENS: "max_completion_tokens",
    Quirk.NO_USAGE: "stream_options",
    Quirk.NO_SEED: "seed",
}


def known_quirks(settings: ModelSettings, capabilities: Capabilities | None) -> set[Quirk]:
    """What the settings ask for and the probe found."""
    found = {Quirk.SCHEMA_IN_WORDS} if settings.structured is Structured.PROMPT else set()
    if capabilities is None:
        return found
    # An endpoint that takes a schema and ignores it needs the words as much as one that refuses it.
    schema = Feature.CHAT_SCHEMA if settings.api == "chat" else Feature.RESPONSES_SCHEMA
    ignored = capabilities.result(schema) in (Result.REFUSED, Result.ACCEPTED)
    if settings.structured is Structured.AUTO and ignored:
        found.add(Quirk.SCHEMA_IN_WORDS)
    if capabilities.result(Feature.MAX_COMPLETION_TOKENS) is Result.REFUSED:
        found.add(Quirk.MAX_TOKENS)
    if capabilities.result(Feature.USAGE) is Result.REFUSED:
        found.add(Quirk.NO_USAGE)
    return found


def adapted(body: Body, quirks: Set[Quirk]) -> Body:
    """The body of a request as the endpoint takes it."""
    found = dict(body)
    for quirk, name in _OF_FIELD.items():
        if quirk in quirks and name in found:
            value = found.pop(name)
            if quirk is Quirk.MAX_TOKENS:
                found["max_tokens"] = value
    return found


def learned(fault: Fault, body: Body, settings: ModelSettings) -> Quirk | None:
    """What a refused request can do without; None: nothing, or it is not known what was refused."""
    if fault.kind is not ErrorKind.BAD_REQUEST or fault.status not in (400, 422):
        return None
    message = fault.message.lower()
    for sign, quirk in _FIELDS.items():
        if sign in message and _OF_FIELD[quirk] in body:
            return quirk
    has_schema = "response_format" in body or "text" in body
    if has_schema and settings.structured is Structured.AUTO and any(sign in message for sign in _SCHEMA_SIGNS):
        return Quirk.SCHEMA_IN_WORDS
    return None
