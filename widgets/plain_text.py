"""Signs that change the direction of text: in a name or a message they could make it read as something else."""

from __future__ import annotations

import re

BIDIRECTIONAL = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""The signs, as part of a regular expression's set."""
_SIGN = re.compile(f"[{BIDIRECTIONAL}]")


def with_marks(text: str) -> str:
    """The text with a mark, such as \\u202e, in place of every sign that changes its direction."""
    if text.isascii():
        return text
    return _SIGN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
