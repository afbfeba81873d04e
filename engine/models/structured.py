"""Structured output: the answer's JSON schema in the strict form that endpoints take, or as words in the prompt."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_KEPT = {
    *("type", "description", "enum", "const", "items", "properties", "required", "additionalProperties", "anyOf"),
    *("$ref", "$defs", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    *("multipleOf", "minItems", "maxItems"),
}
"""The keywords that OpenAI's strict mode supports; endpoints answer 400 to any other."""


def strict(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema in strict form: every object closed, every field required, tuples as lists of a fixed length.

    It may allow more than the schema: keywords that strict mode does not support are left out, and the entries of a
    tuple may have each other's types.
    """
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    allowed = {name: value for name, value in schema.items() if name in _KEPT}
    if "prefixItems" in schema:
        places = list(schema["prefixItems"])
        allowed |= {"items": _any_of(places), "minItems": len(places), "maxItems": len(places)}
    if "oneOf" in schema:
        allowed["anyOf"] = schema["oneOf"]
    for name in ("properties", "$defs"):
        if name in allowed:
            allowed[name] = {key: strict(value) for key, value in allowed[name].items()}
    if "anyOf" in allowed:
        allowed["anyOf"] = [strict(option) for option in allowed["anyOf"]]
    if isinstance(allowed.get("items"), Mapping):
        allowed["items"] = strict(allowed["items"])
    if allowed.get("type") == "object":
        fields = allowed.get("properties", {})
        # Models write the fields in this order, so reasoning that is required first has to come first.
        required = [name for name in schema.get("required", ()) if name in fields]
        allowed["properties"] = {name: fields[name] for name in dict.fromkeys([*required, *fields])}
        allowed["required"] = list(allowed["properties"])
        allowed["additionalProperties"] = False
    return allowed


def in_words(schema: Mapping[str, Any]) -> str:
    """A paragraph for the end of a prompt that asks for the schema."""
    text = json.dumps(_without_titles(schema), ensure_ascii=False)
    return f"Answer with one JSON object and nothing else. It has to follow this JSON schema:\n{text}"


def _any_of(options: list[Any]) -> Any:
    different = [option for i, option in enumerate(options) if option not in options[:i]]
    return different[0] if len(different) == 1 else {"anyOf": different}


def _without_titles(part: Any) -> Any:
    if isinstance(part, Mapping):
        # A field of the answer may itself be called "title"; its value is then an object.
        return {k: _without_titles(v) for k, v in part.items() if k != "title" or isinstance(v, Mapping)}
    return [_without_titles(entry) for entry in part] if isinstance(part, list) else part
