"""Codes of participants: P, the number of their slot, and a letter that finds slips of the keyboard."""

from __future__ import annotations

import re

from spatial_workbench.engine.core.languages.translation import tr

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXY"
"""23 letters, without I, O and Z, which look like digits."""
_FACTOR = 7
_CODE = re.compile(r"P(\d{3,5})([A-Z])")


class CodeError(ValueError):
    """A code that nobody can have; says what is wrong with it."""


def code_of(number: int) -> str:
    """The code of the slot with this number, from 1: 17 gives P017E."""
    return f"P{number:03}{_letter(number)}"


def number_of(code: str) -> int:
    """The number in a code, as somebody typed it.

    Raises:
        CodeError: It is not a code, or its last letter does not fit.
    """
    typed = "".join(code.split()).upper()
    match = _CODE.fullmatch(typed)
    if match is None:
        raise CodeError(
            tr("“{typed}” is not a code. A code looks like {example}", typed=code[:20], example=code_of(17))
        )
    number = int(match[1])
    if match[2] != _letter(number):
        raise CodeError(tr("{code}? The last letter does not fit", code=typed))
    return number


def _letter(number: int) -> str:
    return LETTERS[_FACTOR * number % len(LETTERS)]
