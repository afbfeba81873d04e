"""Instances as samples of Inspect: prompts with pictures, and the schema of the answers."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    ResponseSchema,
)
from inspect_ai.util import JSONSchema

from spatial_workbench.engine.core import Instance, Task, resolve
from spatial_workbench.engine.evaluation.planning.plan import select
from spatial_workbench.engine.models.structured import strict


def samples_of(task: Task[Any], instances: Any) -> list[Sample]:
    """A sample for each instance.

    Args:
        instances: Such as "0-4", 3, "@7" or "0-4,@7", or a list of these; None: all published ones.

    Raises:
        InstanceError: There is no such instance.
    """
    return [_sample(*resolve(address)) for address in select(_selection(task.id, instances))]


def response_schema(task: Task[Any]) -> ResponseSchema | None:
    """The schema that answers have to follow; None for tasks whose answers are text.

    Inspect's schemas have no references and no lengths of lists, so the former are resolved and the latter left out.
    """
    if task.answer_format != "json":
        return None
    whole = strict(task.schema())
    schema = JSONSchema.model_validate(without_references(whole, whole.get("$defs", {})))
    return ResponseSchema(name=task.id, json_schema=schema, strict=True)


def content_of(text: str, pictures: Iterable[bytes]) -> list[Content]:
    """A text followed by pictures."""
    images = (f"data:image/png;base64,{base64.b64encode(picture).decode('ascii')}" for picture in pictures)
    return [ContentText(text=text), *(ContentImage(image=image) for image in images)]


def without_references(part: Any, definitions: Mapping[str, Any]) -> Any:
    """A schema with its references replaced by what they refer to."""
    if isinstance(part, list):
        return [without_references(entry, definitions) for entry in part]
    if not isinstance(part, Mapping):
        return part
    if "$ref" in part:
        return without_references(definitions[part["$ref"].rpartition("/")[2]], definitions)
    return {name: without_references(value, definitions) for name, value in part.items() if name != "$defs"}


def _selection(task_id: str, instances: Any) -> str:
    if instances is None:
        return task_id
    parts = instances if isinstance(instances, list | tuple) else str(instances).split(",")
    names = [str(part).strip() for part in parts]
    return ",".join(f"{task_id}{name}" if name.startswith("@") else f"{task_id}:{name}" for name in names)


def _sample(task: Task[Any], instance: Instance) -> Sample:
    prompt = task.prompt(instance)
    address = instance.address
    question = ChatMessageUser(content=content_of(prompt.text, prompt.pictures), metadata={"address": address})
    messages: list[ChatMessage] = [question]
    if prompt.system:
        messages.insert(0, ChatMessageSystem(content=prompt.system))
    return Sample(id=address, input=messages, metadata={"address": address, "task": task.id})
