"""What the background process does for the runs pages: reads answers and makes their scenes. Free of Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.core import Answer, AnswerError, Instance, InstanceError, Progress, Prompt, Scene, Verdict, resolve, silent


@dataclass(frozen=True)
class Drawn:
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


def draw(
    address: str, text: str, verdict: Verdict | None, with_prompt: bool = False, progress: Progress = silent
) -> Drawn:
    """The drawing of an answer, and the prompt of its instance."""
    try:
        one, instance = resolve(address)
    except InstanceError as error:
        return Drawn(None, f"This version does not know the instance. {error}")
    prompt = one.prompt(instance) if with_prompt else None
    try:
        answer = one.parse(text)
    except AnswerError as error:
        return Drawn(one.scene(instance), f"The answer cannot be read. {error}", prompt)
    return Drawn(one.scene(instance, answer, verdict), "", prompt)


def draw_both(
    address: str, text: str, first: Verdict, second: Verdict, progress: Progress = silent
) -> tuple[Drawn, Drawn]:
    """The drawings of an answer with what each of two verdicts found; without what moves."""
    both = (draw(address, text, verdict) for verdict in (first, second))
    one, other = (replace(drawn, scene=_at_rest(drawn.scene)) for drawn in both)
    return one, other


def read(address: str, text: str, progress: Progress = silent) -> tuple[Instance, Answer, Scene]:
    """An answer, its instance and its drawing, to be compared.

    Raises:
        AnswerError, InstanceError: it cannot be read.
    """
    one, instance = resolve(address)
    answer = one.parse(text)
    return instance, answer, one.scene(instance, answer)


def _at_rest(scene: Scene | None) -> Scene | None:
    return scene.at(len(scene.frames) - 1) if scene is not None and scene.frames else scene
