"""What a server tells the shared entrance of several servers: whether it knows somebody, and how many places are free.

Both sides know a key, which stands in the recruiter's file. Nobody else learns whether somebody takes part.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass

FRESH_S = 60
"""A question that is older is not answered."""
TIME_HEADER = "X-Entrance-Time"
SIGNATURE_HEADER = "X-Entrance-Signature"


@dataclass(frozen=True)
class Standing:
    """How somebody stands with a server.

    Attributes:
        is_known: Whether the person has come there before.
        free: How many places somebody new could get.
    """

    is_known: bool
    free: int

    def to_json(self) -> str:
        """As it is sent."""
        return json.dumps(asdict(self))


def standing_of(content: bytes) -> Standing:
    """A standing as it was sent. Raises ValueError."""
    told = json.loads(content)
    match told:
        case {"is_known": bool(is_known), "free": int(free)} if not isinstance(free, bool):
            return Standing(is_known, free)
    raise ValueError("no standing")


def signed_headers(key: str, query: bytes, now: Callable[[], float] = time.time) -> dict[str, str]:
    """The headers of a question about the person in a query."""
    moment = str(round(now()))
    return {TIME_HEADER: moment, SIGNATURE_HEADER: _signature(key, moment, query)}


def is_signed(key: str, query: bytes, headers: Mapping[str, str], now: Callable[[], float] = time.time) -> bool:
    """Whether the entrance asks, and has just asked."""
    moment = headers.get(TIME_HEADER, "")
    expected = _signature(key, moment, query)
    if not hmac.compare_digest(expected.encode(), headers.get(SIGNATURE_HEADER, "").encode("utf-8", "replace")):
        return False
    return moment.isdecimal() and abs(now() - int(moment[:15])) <= FRESH_S


def _signature(key: str, moment: str, query: bytes) -> str:
    return hmac.new(key.encode(), f"{moment}\0".encode() + query, hashlib.sha256).hexdigest()
