"""What a batch and its items have spent since it was started or resumed, and whether a limit of its plan is reached."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pydantic import BaseModel, ConfigDict, Field

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.planning.plan import SpendingLimits
from spatial_workbench.engine.models import Answerer, ErrorKind, ModelError, Request, Response

HOUR_S = 3600
_WAIT_S = 0.05
ITEM_LIMIT = "item limit"
"""The kind of error of an item that reached its limit."""


class Spent(BaseModel):
    """What a batch has spent since it was started or resumed, beside its limits; its process tells it once a second."""

    model_config = ConfigDict(frozen=True)

    limits: SpendingLimits
    cost_usd: float = Field(default=0.0, description="As far as prices are known")
    output_tokens: int = 0
    seconds: float = 0.0
    unpriced: int = Field(default=0, description="Requests whose cost is not known")
    most_item_usd: float = Field(default=0.0, description="Of the item that cost most")
    most_item_tokens: int = Field(default=0, description="Of the item that took most output tokens")
    stopped: int = Field(default=0, description="Items that ended at their limit")


class BatchSpending:
    """Counts money, tokens and time. At a limit nothing more is asked; what is in flight ends.

    Attributes:
        stopped: How many items have ended at their own limit.
    """

    def __init__(self, limits: SpendingLimits, now: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._now = now
        self._began = now()
        self._cost_usd = 0.0
        self._tokens = 0
        self._unpriced = 0
        self._item_usd: dict[int, float] = {}
        self._item_tokens: dict[int, int] = {}
        self.stopped = 0

    def add(self, item: int, output_tokens: int | None, cost_usd: float | None) -> None:
        """Counts a request about an item; what is not known counts nothing."""
        self._tokens += output_tokens or 0
        self._cost_usd += cost_usd or 0.0
        self._unpriced += output_tokens is not None and cost_usd is None
        self._item_usd[item] = self._item_usd.get(item, 0.0) + (cost_usd or 0.0)
        self._item_tokens[item] = self._item_tokens.get(item, 0) + (output_tokens or 0)

    @property
    def record(self) -> str:
        """A `Spent` as JSON."""
        return Spent(
            limits=self._limits,
            cost_usd=self._cost_usd,
            output_tokens=self._tokens,
            seconds=self._now() - self._began,
            unpriced=self._unpriced,
            most_item_usd=max(self._item_usd.values(), default=0.0),
            most_item_tokens=max(self._item_tokens.values(), default=0),
            stopped=self.stopped,
        ).model_dump_json()

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


class ItemLimitReached(ModelError):
    """An item has spent what it may; the message says how much that is."""

    def __init__(self, words: str) -> None:
        super().__init__(ErrorKind.UNAVAILABLE, words)
        self.args = (words,)

    def __str__(self) -> str:
        return self.detail


class ItemSpending:
    """Counts what one item spends, with requests in flight: each is expected to take as much as the dearest so far.

    It is used by the threads that ask about the item, and by those that hear tries.
    """

    def __init__(self, limits: SpendingLimits) -> None:
        self._limits = limits
        self._changed = threading.Condition()
        self._cost_usd = 0.0
        self._tokens = 0
        self._requests = 0
        self._in_flight = 0
        self._most_usd = 0.0
        self._most_tokens = 0

    def add(self, output_tokens: int | None, cost_usd: float | None) -> None:
        """Counts a request; what is not known counts nothing."""
        with self._changed:
            self._cost_usd += cost_usd or 0.0
            self._tokens += output_tokens or 0
            self._requests += 1
            self._most_usd = max(self._most_usd, cost_usd or 0.0)
            self._most_tokens = max(self._most_tokens, output_tokens or 0)

    @contextmanager
    def request(self, progress: Progress = silent) -> Iterator[None]:
        """A question that is asked about the item; it waits while those in flight may use up what is left.

        Raises:
            ItemLimitReached: Nothing more may be asked.
            Cancelled: Raised by `progress` while it waits.
        """
        with self._changed:
            self._check()
            while self._in_flight and self._reached(self._in_flight):
                self._changed.wait(_WAIT_S)
                progress(0, 1, "waiting for what may be spent")
                self._check()
            self._in_flight += 1
        try:
            yield
        finally:
            with self._changed:
                self._in_flight -= 1
                self._changed.notify_all()

    def _check(self) -> None:
        reached = self._reached()
        if reached:
            after = counted(self._requests, "request")
            raise ItemLimitReached(f"The limit of {reached} for an item is reached, after {after}.")

    def _reached(self, expected: int = 0) -> str:
        """The limit that is reached if as many requests more are made as expected; empty below the limits."""
        limits = self._limits
        if limits.item_cost_usd is not None and self._cost_usd + expected * self._most_usd >= limits.item_cost_usd:
            return f"${limits.item_cost_usd:,.2f}"
        tokens = self._tokens + expected * self._most_tokens
        if limits.item_output_tokens is not None and tokens >= limits.item_output_tokens:
            return f"{limits.item_output_tokens:,} output tokens"
        return ""


class LimitedAnswerer:
    """Asks as long as an item has not spent what it may: an `Answerer`. A request that was begun is finished."""

    def __init__(self, answerer: Answerer, spending: ItemSpending) -> None:
        self._answerer = answerer
        self._spending = spending

    def ask(self, request: Request, progress: Progress = silent) -> Response:
        """The answer. Raises ItemLimitReached, or as the answerer does."""
        with self._spending.request(progress):
            return self._answerer.ask(request, progress)

    def close(self) -> None:
        """Closes nothing: the answerer serves other items, too."""
