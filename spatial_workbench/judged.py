"""An answer with its verdict, as notebooks show it: as a picture, with the checks beside it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from spatial_workbench.drawings import PICTURE, ShownPicture, picture_of
from spatial_workbench.engine.core import Answer, AnswerError, Instance, Scene, Verdict, task
from spatial_workbench.engine.core.formats.notebook import body_of, figure, headline_of


@dataclass(frozen=True)
class Judged:
    """An answer, and what a verifier says of it.

    Attributes:
        answer: None if it could not be read; the verdict says why.
        text: The answer as it was given; empty for one that was not text.
        run: The run of a grid that it is from; else empty.
    """

    instance: Instance
    answer: Answer | None
    verdict: Verdict
    text: str = ""
    run: str = ""

    @classmethod
    def of_text(cls, instance: Instance, text: str, verdict: Verdict, run: str = "") -> Judged:
        """A stored answer with its verdict."""
        try:
            answer = task(instance.task).parse(text)
        except AnswerError:
            answer = None
        return cls(instance, answer, verdict, text, run)

    @property
    def score(self) -> float:
        """0 to 1."""
        return self.verdict.score

    @property
    def passed(self) -> bool:
        """Whether every rule is met."""
        return self.verdict.passed

    def picture(self, size: tuple[int, int] = PICTURE, theme: str = "light") -> bytes:
        """A PNG file that shows the answer, with what fails marked; size in pixels.

        Raises:
            CannotDraw: The extra "window" is not installed, or does not work here; says so.
        """
        return picture_of(self._scene, size, theme)

    def __repr__(self) -> str:
        return f"<{headline_of(self.verdict)}>"

    def _repr_png_(self) -> bytes | None:
        return self.shown.png

    def _repr_html_(self) -> str:
        return figure(headline_of(self.verdict), body_of(self.verdict), self.shown.png, self.shown.why_none)

    @property
    def _scene(self) -> Scene:
        scene: Scene = task(self.instance.task).scene(self.instance, self.answer, self.verdict)
        return scene

    @cached_property
    def shown(self) -> ShownPicture:
        """What a notebook shows: the picture, or why there is none."""
        return ShownPicture.of(self._scene)
