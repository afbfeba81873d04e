"""Splits of a data set: their names and sizes, and which instance belongs to which."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

TRAIN, TEST, PUBLISHED = "train", "test", "published"
LEVELS = ("easy", "medium", "hard")
UNMEASURED = "unmeasured"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_RESERVED = "all"
"""What the library `datasets` calls all splits together."""
_BITS = 64


def read_sizes(text: str) -> dict[str, int]:
    """Reads sizes of splits such as "train=800,validation=100,test=100".

    Raises:
        ValueError: Names the part that cannot be read.
    """
    sizes: dict[str, int] = {}
    for part in text.split(","):
        name, equals, number = (word.strip() for word in part.partition("="))
        if not name or not equals or not (number.isascii() and number.isdigit()) or len(number) > 7:
            raise ValueError(f"“{part.strip()[:40]}” is no size of a split, such as validation=100.")
        if name in sizes:
            raise ValueError(f"The split {name} has two sizes.")
        sizes[name] = int(number)
    return sizes


def require_usable(sizes: Mapping[str, int], published: bool, by_difficulty: bool) -> None:
    """Refuses names that other programs cannot read, or that two splits would have.

    Raises:
        ValueError: Names the split, and says why.
    """
    for name in sizes:
        if not _NAME.fullmatch(name) or name == _RESERVED:
            raise ValueError(f"A split cannot be called “{name[:40]}”; use small letters, digits and _, but not “all”.")
        if published and name == PUBLISHED:
            raise ValueError(f"“{PUBLISHED}” is the split of the published instances; call the other one differently.")
        if by_difficulty and name.rpartition("_")[2] in (*LEVELS, UNMEASURED):
            raise ValueError(f"The split {name} would be mistaken for a part of another one; call it differently.")
    if sizes and not 0 < sum(sizes.values()) <= 1_000_000:
        raise ValueError("All splits together must hold from 1 to 1,000,000 instances of a task.")


def split_of(split: str, level: str | None) -> str:
    """The part of a split that holds instances of a difficulty; None: nobody measured it."""
    return f"{split}_{level or UNMEASURED}"


def drawn_split(instance_id: str, sizes: Mapping[str, int]) -> str:
    """The split to which an instance belongs, by the digits of its id alone.

    So instances stay in their splits when a data set grows in the same proportions, and what several tasks ask about
    the same thing, as those of the cube, is in the same split.
    """
    digits = instance_id.rpartition("-")[2]
    drawn = int.from_bytes(hashlib.sha256(digits.encode()).digest()[: _BITS // 8])
    place = drawn * sum(sizes.values()) >> _BITS
    for name, size in sorted(sizes.items()):
        if place < size:
            return name
        place -= size
    raise ValueError("there are no splits")
