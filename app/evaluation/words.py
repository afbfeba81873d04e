"""Figures of batches in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spatial_workbench.engine.core.words import counted

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.labelling import JudgingEstimate, LabellingOutcome
    from spatial_workbench.engine.evaluation.planning.estimate import Estimate
    from spatial_workbench.engine.evaluation.puzzles.judging import StepJudgingOutcome
    from spatial_workbench.engine.models import ModelSettings

_UNKNOWN_COST = "cost unknown (prices are not set)"


def tokens(count: int) -> str:
    """A short number of tokens: "950", "12k", "3.4M"."""
    if count < 1_000:
        return str(count)
    if count < 999_500:
        return f"{count / 1_000:.0f}k" if count >= 9_950 else f"{count / 1_000:.1f}k"
    return f"{count / 1e6:.1f}M"


def money(usd: float) -> str:
    """US dollars, with as many places as they need."""
    return f"${usd:.2f}" if usd >= 0.1 or usd == 0 else f"${usd:.4f}"


def cost_words(usd: float, unpriced: int) -> str:
    """What was spent: "$1.20", "at least $1.20" if some requests have no price, "unknown" if none has; or nothing."""
    if unpriced:
        return f"at least {money(usd)}" if usd else "unknown"
    return money(usd) if usd else ""


def duration(seconds: float) -> str:
    """A remaining time, rounded: "40 s", "12 min", "3.5 h"."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3_600:.1f} h"


def expectation(estimates: Sequence[Estimate]) -> str:
    """The expected cost of a batch, as a sentence."""
    items = sum(estimate.items for estimate in estimates)
    calls = sum(estimate.calls for estimate in estimates)
    runs = f"{counted(len(estimates), 'run')}, " if len(estimates) > 1 else ""
    if not calls:
        return f"{runs}{counted(items, 'item')}, computed on this computer. No model is called."
    given = sum(estimate.output_tokens for estimate in estimates)
    taken = sum(estimate.input_tokens for estimate in estimates)
    costs = [estimate.cost_usd for estimate in estimates]
    known = [cost for cost in costs if cost is not None]
    cost = f"about {money(sum(known))}" if len(known) == len(costs) else _UNKNOWN_COST
    assumed = sum(estimate.assumed for estimate in estimates)
    text = f"{runs}{counted(items, 'item')}, {counted(calls, 'call')}: "
    text += f"about {tokens(taken)} tokens in, {tokens(given)} out, {cost}."
    return text + (" Output is assumed where nothing is stored for that model and task yet." if assumed else "")


def judging_expectation(estimate: JudgingEstimate, judge: ModelSettings) -> str:
    """The expected cost of labelling failures, as a sentence."""
    given = estimate.output_tokens
    taken = estimate.input_tokens
    what = f"{counted(estimate.attempts, 'attempt')}, {counted(estimate.requests, 'request')}"
    cost = _cost(judge, taken, given, "about ")
    return f"{what}: about {tokens(taken)} tokens in, {tokens(given)} out (assumed), {cost}."


def judging_outcome(labelled: LabellingOutcome, judge: ModelSettings) -> str:
    """The outcome of labelling failures: labels by frequency, cost, and what failed."""
    lines = [f"{count} × {name}" for name, count in sorted(labelled.labels.items(), key=lambda pair: -pair[1])]
    cost = _cost(judge, labelled.input_tokens, labelled.output_tokens)
    lines.append(
        f"{counted(labelled.requests, 'request')}, {tokens(labelled.input_tokens)} tokens in, "
        f"{tokens(labelled.output_tokens)} out, {cost}."
    )
    if labelled.failed:
        lines.append(f"Not labelled: {counted(labelled.failed, 'attempt')}. {labelled.last_error}".strip())
    return "\n".join(lines)


def steps_outcome(judged: StepJudgingOutcome) -> str:
    """The outcome of judging steps: its cost, and the attempts that could not be judged."""
    lines = [
        f"{counted(judged.requests, 'request')}, {tokens(judged.input_tokens)} tokens in, "
        f"{tokens(judged.output_tokens)} out; {counted(judged.cached, 'answer')} known from before."
    ]
    if judged.unjudged:
        reason = judged.last_error.removesuffix(".")
        lines.append(f"Not judged: {counted(judged.unjudged, 'attempt')}. {reason}. “Judge steps…” tries them again.")
    return "\n".join(lines)


def _cost(judge: ModelSettings, taken: int, given: int, before: str = "") -> str:
    prices = judge.prices
    if not judge.provider.is_endpoint:
        return "no cost"
    if prices.input_usd is None or prices.output_usd is None:
        return _UNKNOWN_COST
    return before + money((taken * prices.input_usd + given * prices.output_usd) / 1e6)
