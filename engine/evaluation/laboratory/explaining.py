"""Why two verdicts on one answer differ: what decides, and the figures of both beside each other."""

from __future__ import annotations

from dataclasses import dataclass

from spatial_workbench.engine.core import State, Verdict
from spatial_workbench.engine.core.words import score_words
from spatial_workbench.engine.evaluation.laboratory.known import KnownDifference, recognised

Value = float | int | str


@dataclass(frozen=True)
class FigurePair:
    """The figures of the same name in two verdicts; None if that verdict has no such figure."""

    name: str
    unit: str
    first: Value | None
    second: Value | None

    @property
    def differs(self) -> bool:
        """Whether both verdicts have the figure, with different values."""
        return self.first is not None and self.second is not None and self.first != self.second

    @property
    def difference(self) -> float | None:
        """By how much the second is larger; None if one of them is no number."""
        if isinstance(self.first, int | float) and isinstance(self.second, int | float):
            return self.second - self.first
        return None

    @property
    def weight(self) -> float:
        """The difference relative to the larger value, 0 to 2; 1 for different texts."""
        if not self.differs:
            return 0.0
        if self.difference is None or not isinstance(self.first, int | float):
            return 1.0
        return abs(self.difference) / max(abs(self.first), abs(self.first + self.difference))


@dataclass(frozen=True)
class DifferenceExplained:
    """Why two verdicts differ.

    Attributes:
        decides: What makes the difference, in a sentence or two.
        figures: The figures of both, those that differ first, by their relative difference.
        known: The known differences that they show.
    """

    decides: str
    figures: tuple[FigurePair, ...]
    known: tuple[KnownDifference, ...] = ()


def explained(address: str, answer: str, first: Verdict, second: Verdict) -> DifferenceExplained:
    """Why two verdicts on the text of an answer differ.

    Raises:
        InstanceError: There is no instance of that address.
    """
    figures = figure_pairs(first, second)
    known = recognised(address, answer, (first, second)) if first.verifier == "default" else ()
    return DifferenceExplained(decisive(first, second, figures), figures, known)


def figure_pairs(first: Verdict, second: Verdict) -> tuple[FigurePair, ...]:
    """The figures of two verdicts, those that differ first, by their relative difference."""
    ours = {figure.name: figure for figure in first.figures}
    theirs = {figure.name: figure for figure in second.figures}
    pairs = [
        FigurePair(
            name,
            (ours.get(name) or theirs[name]).unit,
            ours[name].value if name in ours else None,
            theirs[name].value if name in theirs else None,
        )
        for name in dict.fromkeys((*ours, *theirs))
    ]
    return tuple(sorted(pairs, key=lambda pair: -pair.weight))


def deciding_check(first: Verdict, second: Verdict) -> str:
    """The first check that fails in one of two verdicts only; "" if the same checks fail in both."""
    failed = [_failed(verdict) for verdict in (first, second)]
    return next((name for names in failed for name in names if not (name in failed[0] and name in failed[1])), "")


def decisive(first: Verdict, second: Verdict, figures: tuple[FigurePair, ...]) -> str:
    """What makes the difference between two verdicts, in a sentence or two."""
    name = deciding_check(first, second)
    if name:
        said = [f"{verdict.verifier}: {_said(verdict, name)}" for verdict in (first, second)]
        return f"They part at “{name}”. {'; '.join(said)}. {_scores(first, second)}"
    if first.passed != second.passed:
        passing, other = (first, second) if first.passed else (second, first)
        rule = f"{passing.verifier} passes the answer and {other.verifier} does not, by other rules for passing."
        return f"{rule} {_scores(first, second)}"
    return f"{_scores(first, second)} {_by_figure(first, second, figures)}"


def _said(verdict: Verdict, name: str) -> str:
    check = next((check for check in verdict.checks if check.name == name), None)
    if check is None:
        return "passes" if verdict.passed else "has no such check"
    if check.state is State.FAILED:
        return f"failed ({check.message.rstrip('.')})"
    return check.state.value


def _failed(verdict: Verdict) -> list[str]:
    return [check.name for check in verdict.checks if check.state is State.FAILED]


def _scores(first: Verdict, second: Verdict) -> str:
    ours, theirs = score_words(first.score), score_words(second.score)
    if ours == theirs:
        return f"Both give a score of {ours}, so the score does not decide."
    return f"The score is {ours} by {first.verifier} and {theirs} by {second.verifier}."


def _by_figure(first: Verdict, second: Verdict, figures: tuple[FigurePair, ...]) -> str:
    pair = next((pair for pair in figures if pair.differs), None)
    if pair is None:
        return "No check and no figure differs: the two measure in different ways."
    unit = f" {pair.unit}" if pair.unit else ""
    return (
        f"No check differs. The figure that differs most is “{pair.name}”: {_value(pair.first)}{unit} by "
        f"{first.verifier}, {_value(pair.second)}{unit} by {second.verifier}."
    )


def _value(value: Value | None) -> str:
    return f"{value:,.6g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
