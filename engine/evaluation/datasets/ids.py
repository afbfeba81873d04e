"""Ids of instances, which depend on nothing but what is asked."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from spatial_workbench.engine.core import Instance, NamesWhatItAsks, Task

_DIGITS = 16


def instance_id(known: Task[Any], instance: Instance) -> str:
    """The id of an instance, such as "maze_3d-5f0c8a917be24d36".

    Equal questions of a task have equal ids, whatever their seeds, split or version of the workbench. The digits
    depend only on what the question is made of, so tasks that ask about the same thing, as those of the cube, give it
    the same digits.
    """
    return f"{known.id}-{_digest(known, instance)[:_DIGITS]}"


def _digest(known: Task[Any], instance: Instance) -> str:
    asked = known.what_is_asked(instance) if isinstance(known, NamesWhatItAsks) else known.visible_parameters(instance)
    text = json.dumps(asked, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()
