"""Quirks of endpoints: what a request leaves out or words differently because the endpoint refuses or ignores it.

A request is only adapted in ways that do not change the question. A refused effort, temperature or picture is an error.
"""

from __future__ import annotations

from collections.abc import Set
from enum import StrEnum

from spatial_workbench.engine.models.capabilities import Capabilities, Feature, PictureForm, Result
from spatial_workbench.engine.models.contracts import ErrorKind
from spatial_workbench.engine.models.faults import EndpointFault
from spatial_workbench.engine.models.settings import ModelSettings, Structured
from spatial_workbench.engine.models.wire import Body


class Quirk(StrEnum):
    """An adaptation; its value is how records describe it."""

    SCHEMA_IN_WORDS = "schema in the prompt"
    MAX_TOKENS = "max_tokens in place of max_completion_tokens"
    NO_USAGE = "token counts were not asked for"
    NO_SEED = "no seed"
    PLAIN_IMAGE_URL = "pictures as plain image_url"


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
    """The adaptations that the settings ask for or the probe has found necessary."""
    quirks = {Quirk.SCHEMA_IN_WORDS} if settings.structured is Structured.PROMPT else set()
    if capabilities is None:
        return quirks
    # An endpoint that accepts a schema but ignores it needs the words as much as an endpoint that refuses it.
    schema = Feature.CHAT_SCHEMA if settings.api == "chat" else Feature.RESPONSES_SCHEMA
    ignored = capabilities.result(schema) in (Result.REFUSED, Result.ACCEPTED)
    if settings.structured is Structured.AUTO and ignored:
        quirks.add(Quirk.SCHEMA_IN_WORDS)
    if capabilities.result(Feature.MAX_COMPLETION_TOKENS) is Result.REFUSED:
        quirks.add(Quirk.MAX_TOKENS)
    if capabilities.result(Feature.USAGE) is Result.REFUSED:
        quirks.add(Quirk.NO_USAGE)
    if capabilities.picture_form is PictureForm.PLAIN_IMAGE_URL and settings.api == "chat":
        quirks.add(Quirk.PLAIN_IMAGE_URL)
    return quirks


def adapted(body: Body, quirks: Set[Quirk]) -> Body:
    """The body of a request as the endpoint accepts it."""
    fields = dict(body)
    for quirk, name in _OF_FIELD.items():
        if quirk in quirks and name in fields:
            value = fields.pop(name)
            if quirk is Quirk.MAX_TOKENS:
                fields["max_tokens"] = value
    if Quirk.PLAIN_IMAGE_URL in quirks and "messages" in fields:
        fields["messages"] = [_with_plain_pictures(message) for message in fields["messages"]]
    return fields


def _with_plain_pictures(message: Body) -> Body:
    content = message.get("content")
    if not isinstance(content, list):
        return message
    parts = [{**part, "image_url": part["image_url"]["url"]} if "image_url" in part else part for part in content]
    return {**message, "content": parts}


def learned(fault: EndpointFault, body: Body, settings: ModelSettings) -> Quirk | None:
    """The adaptation that a refused request needs; None if there is none, or it is unclear what was refused."""
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
