"""Functions of the background process for the runs pages: they read answers and make their scenes. Free of Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from spatial_workbench.engine.core import (
    AnswerError,
    InstanceError,
    Progress,
    Prompt,
    Scene,
    Verdict,
    moving_scene,
    resolve,
    silent,
)
from spatial_workbench.engine.core.scene import Item, Picture
from spatial_workbench.engine.physics.client import PhysicsUnavailable
from spatial_workbench.engine.puzzles.annotation.layers import LayerError, figure_of, read_layer
from spatial_workbench.engine.puzzles.sets.pages import PictureError


@dataclass(frozen=True)
class AttemptDrawing:
    """An attempt as a drawing.

    Attributes:
        scene: With the answer and what the verdict found; of the instance alone where the answer cannot be read; None
            where the instance cannot be found.
        trouble: Why there is less to see than there should be; empty if nothing is wrong.
        prompt: What a solver is told, if it was asked for.
    """

    scene: Scene | None
    trouble: str = ""
    prompt: Prompt | None = None


def draw_with_sketches(
    address: str,
    text: str,
    verdict: Verdict | None,
    with_prompt: bool = False,
    sketches: Mapping[str, str] | None = None,
    progress: Progress = silent,
) -> AttemptDrawing:
    """The drawing of an answer with the sketches (JSON) that were made over its pages, by page."""
    drawn = draw(address, text, verdict, with_prompt)
    if drawn.scene is None or not sketches:
        return drawn
    items = list(drawn.scene.items)
    troubles = [drawn.trouble]
    for i, item in enumerate(items):
        if isinstance(item, Picture) and item.id in sketches:
            items[i], trouble = _sketched(item, sketches[item.id])
            troubles.append(trouble)
    return replace(drawn, scene=replace(drawn.scene, items=items), trouble=" ".join(filter(None, troubles)))


def _sketched(page: Picture, sketch: str) -> tuple[Item, str]:
    """A page with a sketch over it, and why that cannot be shown."""
    try:
        return replace(page, png=figure_of(page.png, read_layer(sketch.encode()))), ""
    except (LayerError, PictureError) as error:
        return page, f"The sketch on {page.id} cannot be shown. {error}."


def draw(
    address: str, text: str, verdict: Verdict | None, with_prompt: bool = False, progress: Progress = silent
) -> AttemptDrawing:
    """The drawing of an answer, and the prompt of its instance."""
    try:
        task, instance = resolve(address)
    except InstanceError as error:
        return AttemptDrawing(None, f"This version does not know the instance. {error}")
    prompt = task.prompt(instance) if with_prompt else None
    try:
        answer = task.parse(text)
    except AnswerError as error:
        return AttemptDrawing(task.scene(instance), f"The answer cannot be read. {error}", prompt)
    return AttemptDrawing(task.scene(instance, answer, verdict), "", prompt)


def draw_both(
    address: str, text: str, first: Verdict, second: Verdict, progress: Progress = silent
) -> tuple[AttemptDrawing, AttemptDrawing]:
    """Draws an answer twice, once for each verdict, with every motion at rest."""
    both = (draw(address, text, verdict) for verdict in (first, second))
    first_drawn, second_drawn = (replace(drawn, scene=_at_rest(drawn.scene)) for drawn in both)
    return first_drawn, second_drawn


def draw_all(address: str, texts: Sequence[str], progress: Progress = silent) -> list[AttemptDrawing]:
    """The drawings of several answers to one instance, with all that happens to them."""
    return [_in_motion(address, text, progress) for text in texts]


def _in_motion(address: str, text: str, progress: Progress) -> AttemptDrawing:
    still = draw(address, text, None)
    if still.trouble:
        return still
    task, instance = resolve(address)
    try:
        return AttemptDrawing(moving_scene(task, instance, task.parse(text), progress))
    except PhysicsUnavailable as error:
        return replace(still, trouble=f"The answer is shown at rest: {error}")


def _at_rest(scene: Scene | None) -> Scene | None:
    return scene.at(len(scene.frames) - 1) if scene is not None and scene.frames else scene
