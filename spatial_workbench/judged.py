"""An answer with its verdict, as notebooks show it: as a picture, with the checks beside it."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from html import escape
from typing import Any

from spatial_workbench.engine.core import Answer, Instance, Verdict, task

PICTURE = (640, 420)
_SIGNS = {"passed": "✓", "failed": "✗", "not reached": "–"}
_MOST_PROBLEMS = 3


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

    @property
    def score(self) -> float:
        """0 to 1."""
        return self.verdict.score

    @property
    def passed(self) -> bool:
        """Whether every rule is met."""
        return self.verdict.passed

    def picture(self, size: tuple[int, int] = PICTURE, theme: str = "light") -> bytes:
        """A PNG file that shows the answer, with what fails marked; size in pixels."""
        from spatial_workbench.app.studio.drawing import drawer

        scene = task(self.instance.task).scene(self.instance, self.answer, self.verdict)
        return drawer().picture(scene, size, theme)

    def __repr__(self) -> str:
        word = "passed" if self.passed else "not passed"
        return f"<{self.instance.address}: {word}, score {self.score:.4g}>"

    def _repr_png_(self) -> bytes:
        return self.picture()

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.picture()).decode("ascii")
        word = "passed" if self.passed else "not passed"
        title = f"{escape(self.instance.address)}: {word}, score {self.score:.4g}"
        checks = "".join(f"<li>{_check(check)}</li>" for check in self.verdict.checks)
        return (
            f'<figure><figcaption>{title}</figcaption><img alt="{title}" src="data:image/png;base64,{data}">'
            f'<ul style="list-style: none; padding-left: 0">{checks}</ul></figure>'
        )


def _check(check: Any) -> str:
    problems = "; ".join(escape(problem.message) for problem in check.problems[:_MOST_PROBLEMS])
    return f"{_SIGNS[check.state.value]} {escape(check.name)}{f': {problems}' if problems else ''}"
