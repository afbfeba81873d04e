"""Texts and numbers of endpoints and files, repaired so that they can be stored: as Unicode, and within limits.

JSON may hold half a surrogate pair, and an emoji may be split over two pieces of a stream. SQLite
holds neither.
"""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import BeforeValidator

from spatial_workbench.engine.core.reading.limits import well_formed

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
MAX_COUNT = 2**53
"""Larger counts of tokens are unknown; no file format has to hold them exactly."""
MAX_AMOUNT = 1e12
"""Larger costs in USD and times in seconds are unknown."""


def has_lone_half(text: str) -> bool:
    """Whether a text holds half a surrogate pair without the other half."""
    return not _is_unicode(text) and well_formed(text).count(REPLACEMENT) > text.count(REPLACEMENT)


def known_count(value: Any) -> int | None:
    """The value if it is a whole number from 0 to MAX_COUNT; otherwise None."""
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_COUNT
    return value if is_count else None


def known_amount(value: Any) -> float | None:
    """The value if it is a finite number from 0 to MAX_AMOUNT, such as USD or seconds; otherwise None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= MAX_AMOUNT and math.isfinite(value) else None


def whole_texts(data: Any) -> Any:
    """Plain data in whose texts split surrogate pairs are joined, and lone halves replaced."""
    if isinstance(data, str):
        return data if _is_unicode(data) else well_formed(data)
    if isinstance(data, dict):
        return {whole_texts(name): whole_texts(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return type(data)(map(whole_texts, data))
    return data


Count = Annotated[int | None, BeforeValidator(known_count)]
"""A count in a record, such as tokens; what makes no sense is unknown."""
Amount = Annotated[float | None, BeforeValidator(known_amount)]
"""An amount in USD or seconds in a record; what makes no sense is unknown."""


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
