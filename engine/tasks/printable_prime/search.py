"""Long printable primes by search: a chain of digit classes, all groups within each, then primality by trial.

Digits fall into classes whose members can alternate without end: 8, {9, 6}, {5, 2}, 3, 0, 4, 7, 1. A long number
goes down a chain of classes; within a class it uses every group of digits once, and each step down costs at most one
mixed group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

import numpy as np

from spatial_workbench.engine.core import InstanceError, Progress
from spatial_workbench.engine.tasks.printable_prime.digits import (
    DigitPlaced,
    Orientation,
    fit,
    groups_of,
    prints,
    refusal,
)
from spatial_workbench.engine.tasks.printable_prime.primes import is_prime

CLASSES = ("8", "96", "52", "3", "0", "4", "7", "1")
_CHAINS = 10
_TRIES = 400


def find_record(
    rng: np.random.Generator, digits: Sequence[int], group: int, orientations: Sequence[Orientation], progress: Progress
) -> str:
    """The longest printable prime that the search finds.

    Raises:
        InstanceError: If it finds none.
    """
    chains = sorted(_chains(digits, orientations), key=lambda chain: _potential(chain, group), reverse=True)[:_CHAINS]
    for k, chain in enumerate(chains):
        progress(k, len(chains), "looking for a long prime")
        for trial in range(_TRIES):
            number = _candidate(rng, chain, group, dropped=trial // 100)
            if _is_record(number, group, orientations):
                return number
    raise InstanceError(f"no printable prime of the digits {', '.join(map(str, digits))} was found; allow more digits")


def _is_record(number: str, group: int, orientations: Sequence[Orientation]) -> bool:
    groups = groups_of(number, group)
    if not number or number[0] == "0" or number[-1] not in "1379" or len(set(groups)) < len(groups):
        return False
    return is_prime(int(number)) and fit([int(digit) for digit in number], orientations) is not None


def _chains(digits: Sequence[int], orientations: Sequence[Orientation]) -> Iterator[tuple[str, ...]]:
    """The chains of classes, reduced to the allowed digits, in which each class can stand on the one before."""
    allowed = ["".join(d for d in members if int(d) in digits) for members in CLASSES]
    classes = [members for members in allowed if members]

    def extended(chain: tuple[str, ...], start: int) -> Iterator[tuple[str, ...]]:
        if chain:
            yield chain
        for k in range(start, len(classes)):
            if not chain or _can_follow(chain[-1], classes[k], tuple(orientations)):
                yield from extended((*chain, classes[k]), k + 1)

    yield from extended((), 0)


@cache
def _can_follow(lower: str, upper: str, orientations: tuple[Orientation, ...]) -> bool:
    def options(members: str) -> list[DigitPlaced]:
        return [placed for d in members for o in orientations if prints(placed := DigitPlaced(int(d), o))]

    return any(not refusal(a, b) for a in options(lower) if a.orientation.is_flat for b in options(upper))


def _potential(chain: Sequence[str], group: int) -> int:
    return int(sum(len(members) ** group for members in chain)) + len(chain) - 1


def _candidate(rng: np.random.Generator, chain: Sequence[str], group: int, dropped: int) -> str:
    """A number along a chain: a short leading group, then all groups of each class in random order, mixed ones between.

    `dropped` is the number of pieces to leave out if the whole number gave no prime.
    """
    pieces = []
    for k, members in enumerate(chain):
        if k:
            cut = int(rng.integers(1, group)) if rng.random() < 0.8 else 0
            mixed = _some(rng, chain[k - 1], cut) + _some(rng, members, group - cut)
            pieces.append(mixed if cut else "")
        pure = ["".join(digits) for digits in product(members, repeat=group)]
        pieces += [pure[i] for i in rng.permutation(len(pure))]
    for _ in range(min(dropped, len(pieces) - 1)):
        pieces.pop(int(rng.integers(len(pieces))))
    leading = _some(rng, chain[0], int(rng.integers(0, group)))
    return leading + "".join(pieces)


def _some(rng: np.random.Generator, members: str, count: int) -> str:
    return "".join(members[i] for i in rng.integers(len(members), size=count))
