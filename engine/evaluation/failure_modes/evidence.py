"""What a judge is shown of an attempt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from spatial_workbench.engine.core import Check, Instance, State, Task, Verdict
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.failure_modes.cards import card_text
from spatial_workbench.engine.evaluation.scored import Scored

_PROBLEMS_SHOWN = 8
_FIGURES_SHOWN = 30
_WARNINGS_SHOWN = 8


class Evidence(BaseModel):
    """An attempt as a judge sees it."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    card: str = Field(min_length=1, description="Of the task; see cards.py")
    prompt: str = Field(description="With a note in place of its pictures")
    output: str = Field(description="Unchanged")
    reasoning: str | None = Field(default=None, description="None if the provider shows none")
    explanation: str = Field(min_length=1, description="What the verifier says, as plain text")
    task: str
    address: str
    number: int | None = Field(default=None, description="Of a published instance")
    repeat: int = 0
    model: str
    tools: bool = False
    score: float | None = Field(default=None, description="None counts as 0")
    state: str = "done"
    finish_reason: str | None = Field(default=None, description="Why the answer ended, such as 'length'")
    text_length: int = Field(description="Characters of the output")
    attempt: int | None = Field(default=None, description="Number of the stored attempt")

    @classmethod
    def of(
        cls,
        item: Scored,
        task: Task[Any],
        instance: Instance,
        output: str,
        verdict: Verdict | None,
        reasoning: str | None = None,
    ) -> Evidence:
        """The evidence on an item.

        Raises:
            ValueError: There is no verdict, without which nothing is judged.
        """
        if verdict is None:
            raise ValueError(f"The attempt at {item.address} has no verdict; without one it is not judged.")
        return cls(
            card=card_text(task),
            prompt=prompt_text(task, instance),
            output=output,
            reasoning=reasoning,
            explanation=explanation(verdict),
            task=item.task,
            address=item.address,
            number=item.number,
            repeat=item.repeat,
            model=item.model,
            tools=item.tools,
            score=item.score,
            state=item.state,
            finish_reason=item.finish_reason,
            text_length=len(output),
            attempt=item.attempt,
        )


def prompt_text(task: Task[Any], instance: Instance) -> str:
    """The prompt, with a note in place of its pictures."""
    prompt = task.prompt(instance)
    count = len(prompt.pictures)
    if not count:
        return prompt.whole_text
    return f"{prompt.whole_text}\n[{counted(count, 'picture')} left out]"


def explanation(verdict: Verdict) -> str:
    """A verdict as plain text: score, checks with their problems, warnings, figures."""
    return "\n".join(_explained(verdict))


def explanation_as_list(verdict: Verdict) -> str:
    """A verdict as a list in Markdown, for programs that would join plain lines into a paragraph."""
    head, *lines = _explained(verdict)
    return "\n".join([head, "", *(line if line.startswith("  -") else f"- {line}" for line in lines)])


def _explained(verdict: Verdict) -> Iterator[str]:
    word = "passed" if verdict.passed else "failed"
    yield f"Verifier “{verdict.verifier}”: score {verdict.score:.4g}, {word}."
    for check in verdict.checks:
        yield from _check_lines(check)
    yield from (f"warning: {text}" for text in verdict.warnings[:_WARNINGS_SHOWN])
    for figure in verdict.figures[:_FIGURES_SHOWN]:
        value = f"{figure.value:.6g}" if isinstance(figure.value, float) else figure.value
        yield f"figure: {figure.name} = {value} {figure.unit}".rstrip()


def _check_lines(check: Check) -> Iterator[str]:
    measured = f" ({check.message})" if check.state is State.PASSED and check.message else ""
    yield f"{check.state.value}: {check.name}{measured}"
    yield from (f"  - {problem.message}" for problem in check.problems[:_PROBLEMS_SHOWN])
    rest = check.problem_count - min(_PROBLEMS_SHOWN, len(check.problems))
    if check.state is State.FAILED and rest > 0:
        yield f"  - and {rest} more"
