"""Which source is asked next: the one that gave most for its time, with a little for those that were asked seldom."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

HOPE = 1.0
"""What a source is thought to have given before it was asked."""
_LEAST_COST = 1e-4


@dataclass
class SourceYields:
    """What sources have given, and what that cost.

    Attributes:
        draws: How often each was asked.
        spent: What that cost: seconds, or answers.
        won: What was new in what it gave.
    """

    draws: dict[str, int] = field(default_factory=dict)
    spent: dict[str, float] = field(default_factory=dict)
    won: dict[str, float] = field(default_factory=dict)

    def choose(self, sources: Sequence[str]) -> str:
        """The next source: each once in their order, then by yield and cost (an upper confidence bound)."""
        for source in sources:
            if not self.draws.get(source):
                return source
        total = sum(self.draws.values())
        return max(sources, key=lambda source: self._worth(source, total))

    def note(self, source: str, cost: float, gain: float) -> None:
        """Notes that a source was asked once more."""
        self.draws[source] = self.draws.get(source, 0) + 1
        self.spent[source] = self.spent.get(source, 0.0) + max(cost, _LEAST_COST)
        self.won[source] = self.won.get(source, 0.0) + gain

    def _worth(self, source: str, total: int) -> float:
        draws = self.draws[source]
        gain = (self.won[source] + HOPE) / draws + 0.5 * math.sqrt(math.log(total + 1) / draws)
        return gain / math.sqrt(self.spent[source] / draws)
