"""Canonical JSON: equal data give equal bytes, and so equal hashes, on every machine."""

from __future__ import annotations

import hashlib
import json
from typing import Any

SHOWN_CHARS = 12
"""How much of a hash people see."""


def canonical(data: Any) -> bytes:
    """Plain data as JSON in UTF-8: keys sorted, no blanks, no line end, nothing escaped that need not be.

    Raises:
        ValueError: The data hold NaN or infinity.
    """
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8")


def digest(data: Any) -> str:
    """The SHA-256 of plain data, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical(data)).hexdigest()
