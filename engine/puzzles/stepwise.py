"""Stepwise accuracy: how far along the annotated steps a candidate got (docs/puzzles.md, "Stepwise accuracy")."""

from __future__ import annotations

from collections.abc import Sequence


def stepwise_score(met: Sequence[bool]) -> float:
    """The position of the last step that was met, divided by the number of steps; 0 if none was.

    Steps before it need not be met, because other paths may lead there.
    """
    return max((i for i, is_met in enumerate(met, 1) if is_met), default=0) / len(met) if met else 0.0


def share_met(met: Sequence[bool]) -> float:
    """The share of the steps that were met."""
    return sum(met) / len(met) if met else 0.0
