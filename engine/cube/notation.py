"""Singmaster notation: reading, writing and counting moves.

Only the six outer faces turn, by a quarter or a half. Wide moves, slices and rotations are refused, with their place.
"""

import re
from collections.abc import Iterable, Sequence

PRIMES = "'’′`"
QUARTER_TURNS: tuple[str, ...] = tuple(f"{face}{suffix}" for face in "FBLRUD" for suffix in ("", "'"))
"""The twelve moves that an agent has."""
_TWICE = "a half turn is two quarter turns"
QUARTER_TURNS_IN_WORDS = f"{', '.join(QUARTER_TURNS)}; {_TWICE}"

_TOKEN = re.compile(rf"([URFDLB])(2[{PRIMES}]|[{PRIMES}]2|[{PRIMES}]|[123i])?")
_ORDER = "URFDLB"
_BETWEEN = re.compile(r"[\s,]*")
_OPPOSITE = {"U": "D", "R": "L", "F": "B", "D": "U", "L": "R", "B": "F"}


class NotationError(ValueError):
    """A sequence that cannot be read.

    Attributes:
        position: Of the fault in the text, from 0.
    """

    def __init__(self, message: str, position: int) -> None:
        self.position = position
        super().__init__(f"{message} (character {position + 1})")


class MoveError(ValueError):
    """The move is not one of the twelve quarter turns; code E_MOVE."""

    def __init__(self, text: str) -> None:
        super().__init__(f"'{text}' is not one of {QUARTER_TURNS_IN_WORDS}")


def as_quarter_turn(text: str) -> str:
    """The quarter turn that a text names, in any spelling.

    Raises:
        MoveError: It does not name one of the twelve.
    """
    token = _TOKEN.fullmatch(text.strip())
    move = token[1] + _suffix(token[2] or "") if token else ""
    if move not in QUARTER_TURNS:
        raise MoveError(text)
    return move


def parse_moves(text: str) -> tuple[str, ...]:
    """The moves in a text, in canonical form: X, X', X2.

    Moves are separated by spaces, commas or nothing. Counter-clockwise is written as a prime of any kind, 3 or i.

    Raises:
        NotationError: There is something other than turns of outer faces; says where.
    """
    moves = []
    position = _skip(text, 0)
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            raise NotationError(_complaint(text[position]), position)
        moves.append(token[1] + _suffix(token[2] or ""))
        position = _skip(text, token.end())
    return tuple(moves)


def _skip(text: str, position: int) -> int:
    gap = _BETWEEN.match(text, position)
    return gap.end() if gap else position


def _suffix(written: str) -> str:
    if "2" in written:
        return "2"
    return "'" if written and written != "1" else ""


def _complaint(sign: str) -> str:
    if sign == "w" or (sign.upper() in _ORDER and sign.islower()):
        return f"'{sign}' is a wide move; only the faces U, R, F, D, L and B turn"
    if sign in "MES":
        return f"'{sign}' is a slice move; only the faces U, R, F, D, L and B turn"
    if sign in "xyz":
        return f"'{sign}' is a rotation of the whole cube; only the faces U, R, F, D, L and B turn"
    return f"'{sign}' is no move; moves are U, R, F, D, L, B with ' or 2"


def not_taken_back(moves: Iterable[str]) -> list[str]:
    """The quarter turns without pairs of a turn and its inverse, which cancel each other out."""
    remaining: list[str] = []
    for move in moves:
        if remaining and remaining[-1] == inverse_move(move):
            remaining.pop()
        else:
            remaining.append(move)
    return remaining


def format_moves(moves: Iterable[str]) -> str:
    """The moves, separated by spaces."""
    return " ".join(moves)


def inverse_move(move: str) -> str:
    """The move that undoes a move."""
    if move.endswith("2"):
        return move
    return move[0] if move.endswith("'") else f"{move}'"


def inverse(moves: Sequence[str]) -> tuple[str, ...]:
    """The sequence that undoes a sequence."""
    return tuple(inverse_move(move) for move in reversed(moves))


def quarter_turns(moves: Iterable[str]) -> tuple[str, ...]:
    """The moves with each half turn as two quarter turns."""
    return tuple(quarter for move in moves for quarter in ((move[0],) * 2 if move.endswith("2") else (move,)))


def half_turn_count(moves: Sequence[str]) -> int:
    """The length in the half-turn metric (HTM), in which depths are given: every move counts 1."""
    return len(moves)


def quarter_turn_count(moves: Iterable[str]) -> int:
    """The length in the quarter-turn metric (QTM): half turns count 2."""
    return len(quarter_turns(moves))


def may_follow(previous: str | None, move: str) -> bool:
    """Whether a move may come next in a canonical sequence: no face twice in a row, opposite faces as U-D, R-L, F-B."""
    if previous is None:
        return True
    first, second = previous[0], move[0]
    is_ordered = _ORDER.index(first) < _ORDER.index(second)
    return first != second and (_OPPOSITE[first] != second or is_ordered)
