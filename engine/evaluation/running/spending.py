"""What a batch has spent since it was started or resumed, and whether a limit of its plan is reached."""

from __future__ import annotations

import time
from collections.abc import Callable

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.planning.plan import SpendingLimits

HOUR_S = 3600


class BatchSpending:
    """Counts money, tokens and time. At a limit nothing more is asked; what is in flight ends."""

    def __init__(self, limits: SpendingLimits, now: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._now = now
        self._began = now()
        self._cost_usd = 0.0
        self._tokens = 0

    def add(self, output_tokens: int | None, cost_usd: float | None) -> None:
        """Counts a request; what is not known counts nothing."""
        self._tokens += output_tokens or 0
        self._cost_usd += cost_usd or 0.0

    @property
    def is_over(self) -> bool:
        """Whether a limit is reached."""
        return bool(self._reached())

    def words(self, left: int) -> str:
        """Why nothing more is asked, and how many items are left; empty below the limits."""
        reached = self._reached()
        if not reached:
            return ""
        items = counted(left, "item is", "items are")
        return f"The limit of {reached} is reached; {items} left. Resume allows as much again."

    def _reached(self) -> str:
        limits = self._limits
        if limits.cost_usd is not None and self._cost_usd >= limits.cost_usd:
            return f"${limits.cost_usd:,.2f}"
        if limits.output_tokens is not None and self._tokens >= limits.output_tokens:
            return f"{limits.output_tokens:,} output tokens"
        if limits.hours is not None and self._now() - self._began >= limits.hours * HOUR_S:
            return f"{limits.hours:g} h"
        return ""
