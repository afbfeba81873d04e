"""What the verdict shows while somebody builds an answer: the rule of each task, in one place."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from spatial_workbench.engine.core.checks import Check, Problem, State
from spatial_workbench.engine.core.verdict import FULL_SCORE, READABLE, Verdict

COMPLETE = "complete in form"
"""Name of the second check of a verdict on the form; the first is READABLE."""

UNTOUCHED = "Nothing has been entered yet"


class Tells(StrEnum):
    """What the verdict on an unfinished answer shows without help."""

    FAULTS = "faults"
    """What is wrong with what was placed, but never what is missing from a key."""
    FORM = "form"
    """That the answer is readable, unfinished, or complete in form."""


class Openness(IntEnum):
    """How much more a person has asked the verdict to show than the task's rule allows."""

    RULE = 0
    """Nothing: what the task's rule says."""
    WRONG = 1
    """What is wrong with what was placed."""
    KEY = 2
    """Everything, also what is missing."""


@dataclass(frozen=True)
class LiveRule:
    """What the verdict shows while somebody builds an answer, and why.

    Attributes:
        why: Sentences for people: what trying would or would not give away.
        form: If only the form is shown, the names of the default verifier's checks of the form.
        later: Checks and figures that are only shown on submission, while the others are shown at once.
    """

    tells: Tells = Tells.FAULTS
    why: str = ""
    form: tuple[str, ...] = ()
    later: tuple[str, ...] = ()

    @classmethod
    def faults(cls, why: str, later: tuple[str, ...] = ()) -> LiveRule:
        """The rule that the verdict shows what is wrong while somebody builds an answer."""
        return cls(Tells.FAULTS, why, later=later)

    @classmethod
    def of_form(cls, *checks: str, why: str) -> LiveRule:
        """The rule that the verdict only shows how far these checks of the form are met."""
        return cls(Tells.FORM, why, form=checks)

    @property
    def withholds(self) -> bool:
        """Whether something is only shown on submission although it could be shown at once."""
        return self.tells is Tells.FORM or bool(self.later)

    @property
    def in_words(self) -> str:
        """What the verdict shows while somebody builds an answer, as a sentence for people."""
        if self.tells is Tells.FORM:
            return "only whether the answer is readable, unfinished or complete in form."
        later = f" Shown only on submission: {', '.join(self.later)}." if self.later else ""
        return f"what is wrong with the answer so far.{later}"

    def restricted(self, verdict: Verdict, openness: Openness = Openness.RULE, is_untouched: bool = False) -> Verdict:
        """What a person may see of the default verdict on an answer that they are building.

        is_untouched: whether nothing has been entered yet.
        """
        if openness is Openness.KEY:
            return verdict
        if openness is Openness.WRONG:
            return verdict.while_building()
        if self.tells is Tells.FORM:
            return self._on_form(verdict, is_untouched)
        return self._without_cost(verdict).while_building(self.later)

    def _without_cost(self, verdict: Verdict) -> Verdict:
        """The verdict without the check of the score, if something that decides the score is only shown later."""
        if not self.later:
            return verdict
        return verdict.model_copy(update={"checks": tuple(c for c in verdict.checks if c.name != FULL_SCORE)})

    def _on_form(self, verdict: Verdict, is_untouched: bool) -> Verdict:
        unread = next((check for check in verdict.checks if check.name == READABLE), None)
        if unread is not None:
            return verdict
        faults = (check.message for check in verdict.checks if check.name in self.form and check.state is State.FAILED)
        fault = UNTOUCHED if is_untouched else next(faults, "")
        return Verdict(
            instance=verdict.instance,
            verifier=verdict.verifier,
            version=verdict.version,
            score=0.0,
            passed=False,
            checks=(Check(name=READABLE, state=State.PASSED), _completeness(fault)),
            is_partial=True,
            is_of_form=True,
        )


def _completeness(fault: str) -> Check:
    """The check whether an answer is complete in form, which names no elements."""
    if not fault:
        return Check(name=COMPLETE, state=State.PASSED)
    return Check(name=COMPLETE, state=State.NOT_REACHED, message=fault, problems=(Problem(fault),), problem_count=1)
