"""How an answer was built, as text for the process that draws it, and as the frames of its scene.

The text holds labels and changes of the answer, without times. Only the answer at the end is shown with its verdict.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from spatial_workbench.engine.core import AnswerError, Instance, Scene, Task
from spatial_workbench.engine.core.formats.patch import apply
from spatial_workbench.engine.core.scene import Frame, Item, Points
from spatial_workbench.engine.evaluation.edit_histories import EditHistory
from spatial_workbench.engine.reporting.site.scene_data import MOST_FRAMES, some_places

BEGINNING = "Before the first edit"


def history_text(history: EditHistory) -> str:
    """A history as JSON, without times."""
    edits = [[edit.label, edit.patch] for edit in history.edits]
    return json.dumps({"start": history.start, "edits": edits}, ensure_ascii=False)


def built_scene(task: Task[Any], instance: Instance, history: str, whole: Scene) -> Scene:
    """The scene of an answer with frames that show how it was built; without any where they cannot be drawn."""
    try:
        frames = _frames(task, instance, history)
    except (ValueError, KeyError, AnswerError):
        return whole
    if len(frames) < 2:
        return whole
    last = replace(frames[-1], items=())
    earlier = [replace(frame, items=_hiding(whole.items, frame.items)) for frame in frames[:-1]]
    return replace(whole, frames=(*earlier, last), frame_unit=f"of {last.time:.0f}", marks=(), tracks=())


def _frames(task: Task[Any], instance: Instance, history: str) -> list[Frame]:
    """A frame before the first edit and after each, but at most so many as a scene may have."""
    data = json.loads(history)
    edits = data["edits"]
    wanted = set(some_places(len(edits) + 1, MOST_FRAMES))
    answer, frames = data["start"], []
    for number, (label, patch) in enumerate([(BEGINNING, []), *edits]):
        answer = apply(answer, patch)
        if number in wanted:
            scene = task.scene(instance, task.parse(json.dumps(answer)))
            caption = label if number == 0 else f"{number}. {label}"
            frames.append(Frame(float(number), scene.items, caption))
    return frames


def _hiding(items: Sequence[Item], shown: Sequence[Item]) -> tuple[Item, ...]:
    """The items of a frame, and nothing in place of those that the scene has besides."""
    names = {item.name for item in shown}
    nothing = np.zeros((0, 3))
    hidden = (Points(name=item.name, ids=(), positions=nothing) for item in items if item.name not in names)
    return (*shown, *hidden)
