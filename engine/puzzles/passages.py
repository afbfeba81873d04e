"""Which passage of a candidate's text is closest to an annotated step, to show them side by side."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

LEAST_LETTERS = 4
LEAST_SHARED = 2
MOST_PASSAGES = 2_000
_WORD = re.compile(r"\w+")
_BREAK = re.compile(r"\n\s*\n|\n(?=\s*(?:\d+[.)]|[-*•#]|step\b|\W*(?:final\s+)?answer\W*:))", re.IGNORECASE)


def passages(text: str) -> list[str]:
    """The paragraphs and list entries of a text."""
    parts = (part.strip() for part in _BREAK.split(text[:400_000]))
    return [part for part in parts if part][:MOST_PASSAGES]


def closest_passages(text: str, steps: Sequence[str]) -> list[str]:
    """For each step the passage that shares most of its long words, rare ones counting more; "" if none is close."""
    parts = passages(text)
    words = [_words(part) for part in parts]
    spread = Counter(word for of in words for word in of)
    return [_closest(_words(step), parts, words, spread) for step in steps]


def _closest(step: set[str], parts: Sequence[str], words: Sequence[set[str]], spread: Counter[str]) -> str:
    best = ""
    most = 0.0
    for part, of in zip(parts, words, strict=True):
        shared = step & of
        weight = sum(1 / spread[word] for word in shared)
        if len(shared) >= LEAST_SHARED and weight > most:
            best = part
            most = weight
    return best


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text) if len(word) >= LEAST_LETTERS}
