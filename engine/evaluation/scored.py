"""The record of one item of an evaluation: an instance, asked once."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from math import isnan


class Ending(StrEnum):
    """How an item of an evaluation ended."""

    DONE = "done"
    ERROR = "error"
    NOT_ASKED = "not asked"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, kw_only=True, slots=True)
class Scored:
    """An item of an evaluation: an instance, asked once.

    Attributes:
        task: Id of the task.
        address: Of the instance.
        number: Of a published instance; None for generated ones.
        repeat: From 0.
        model: Name of the run.
        tools: Whether the model had tools.
        state: "Not asked" means that it was left out because others of its task failed; "unfinished", that its batch
            has not come to its end.
        score: 0 to 1; None: there is none.
        passed: What the verifier said.
        input_tokens: Of the question; None: not reported.
        output_tokens: All that was generated, reasoning included; None: not reported.
        reasoning_tokens: Part of them; None: not reported.
        budget: Output limit, in tokens.
        finish_reason: "stop", "length" if the cap ended it, or another.
        error: Kind of the error, if there is no answer.
        cost_usd: Of the answer; None: a price or a count of tokens is not known.
        seconds: That the answer took: active time of a person, time of the requests of a model; None: not known.
        text_length: Characters of the raw answer; None: there is none.
        failure_mode: Label given by a judge.
        how_read: How the answer was read, or why there is none; None: it is not known.
        cut_off: What cut the attempt off, such as "steps" or "output limit"; None: nothing did.
        attempt: Number of the stored attempt.
        depth: Of a cube's state.
        measured: The task's own figure, such as metres; None: it has none.
        agent: Kind of the agent that answered; empty for a single question.
        condition: Of an agent with hands: which aids it had; empty for others.
        actor: Who answered: "model", "person", "reference" or "import".
        is_helped: Whether a person had used solving aids.
        is_overridden: Whether a person overrode the score, even if overrides do not count.
        override: How a person overrode the score: "0.74 → 1.00 by Ada: reason"; empty if nobody did, or if overrides
            do not count.
        study: Id of the study that it comes from, whose people are numbered by `repeat`; empty: it is from no study.
        error_is_zero: Whether an error counts as a score of 0.
        value: The score that counts, 0 to 1; None if there is none, so that the item is in no mean.
    """

    task: str
    address: str
    number: int | None
    model: str
    repeat: int = 0
    tools: bool = False
    state: Ending = Ending.DONE
    score: float | None = None
    passed: bool | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    budget: int | None = None
    finish_reason: str | None = None
    error: str | None = None
    cost_usd: float | None = None
    seconds: float | None = None
    text_length: int | None = None
    failure_mode: str | None = None
    how_read: str | None = None
    cut_off: str | None = None
    attempt: int | None = None
    depth: int | None = None
    measured: float | None = None
    agent: str = ""
    condition: str = ""
    actor: str = "model"
    is_helped: bool = False
    is_overridden: bool = False
    override: str = ""
    study: str = ""
    error_is_zero: bool = False
    value: float | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", self._counting_score())

    def _counting_score(self) -> float | None:
        if self.state is Ending.NOT_ASKED or (self.state is Ending.ERROR and self.error_is_zero):
            return 0.0
        if self.state is not Ending.DONE or self.score is None or isnan(self.score):
            return None
        return min(1.0, max(0.0, self.score))

    @property
    def is_unjudged(self) -> bool:
        """Whether there is an answer, and nobody has given it a score yet."""
        return self.state is Ending.DONE and self.value is None
