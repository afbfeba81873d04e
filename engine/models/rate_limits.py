"""Rate limits: requests and tokens per minute, and requests at a time. Used on the event loop only."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache

from spatial_workbench.engine.models.settings import RateLimits

_WINDOW_S = 60.0


@dataclass
class RateSlot:
    """A request that may be sent: when it was let through, and how many tokens it counts for."""

    at: float
    tokens: int


class Gate:
    """Lets requests through as the limits of a provider allow."""

    def __init__(self, limits: RateLimits) -> None:
        self._limits = limits
        self._free = asyncio.Semaphore(limits.parallel)
        self._line = asyncio.Lock()
        self._recent: deque[RateSlot] = deque()
        self._closed_until = 0.0

    @asynccontextmanager
    async def slot(self, tokens: int) -> AsyncIterator[RateSlot]:
        """Waits until a request may be sent; `tokens` is an estimate, which the caller corrects in the slot later."""
        async with self._free:
            async with self._line:
                while (wait := self._wait_s(tokens)) > 0:
                    await asyncio.sleep(wait)
                slot = RateSlot(time.monotonic(), tokens)
                self._recent.append(slot)
            yield slot

    def close_for(self, seconds: float) -> None:
        """Lets no request through for a while, because the endpoint asked for it."""
        self._closed_until = max(self._closed_until, time.monotonic() + seconds)

    def _wait_s(self, tokens: int) -> float:
        now = time.monotonic()
        while self._recent and self._recent[0].at <= now - _WINDOW_S:
            self._recent.popleft()
        if now < self._closed_until:
            return self._closed_until - now
        rpm, tpm = self._limits.requests_per_minute, self._limits.tokens_per_minute
        too_many = rpm is not None and len(self._recent) >= rpm
        # A request that alone exceeds the limit for a minute is sent when no other is counted.
        too_much = tpm is not None and sum(slot.tokens for slot in self._recent) + tokens > tpm
        full = bool(self._recent) and (too_many or too_much)
        return max(0.001, self._recent[0].at + _WINDOW_S - now) if full else 0.0


@cache
def gate(url: str, limits: RateLimits) -> Gate:
    """The gate that all models of an endpoint share."""
    return Gate(limits)
