"""The four rewards: how much closer a move brought the cube to the solved state, by one of three measures or by none.

The reward of a move is the measure after it minus the measure before it. States are strings in the environment's order,
of faces or colours. These are the steps of the layer-by-layer method with base face D; a step counts only if all the
ones before it are complete:

    1 bottom cross    2 bottom corners    3 second layer    4 top cross    5 top edges permuted
    6 top corners placed (in any rotation)    7 solved
"""

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

from spatial_workbench.engine.cube.facelets import is_solved
from spatial_workbench.engine.cube.geometry import CENTRE_OF, CORNERS, STICKER_NAMED, SYMMETRIES, carried

_STEPS = (
    "D2 D4 D6 D8 F8 R8 B8 L8",
    "D1 D3 D7 D9 F7 F9 R7 R9 B7 B9 L7 L9",
    "F4 F6 R4 R6 B4 B6 L4 L6",
    "U2 U4 U6 U8",
    "F2 R2 B2 L2",
)
_STEP_STICKERS = tuple(tuple(STICKER_NAMED[label] for label in step.split()) for step in _STEPS)
_TOP_CORNERS = CORNERS[:4]
TOP_STEP = 7
"""The number of the last step, the solved cube."""


def no_measure(state: str) -> int:
    """Always 0."""
    return 0


def sticker_measure(state: str) -> int:
    """How many stickers have the colour of their face's centre: from 6 to 54."""
    return sum(letter == state[centre] for letter, centre in zip(state, CENTRE_OF, strict=True))


def face_measure(state: str) -> int:
    """How many faces have nine equal stickers: from 0 to 6."""
    return sum(state[i : i + 9] == state[i] * 9 for i in range(0, 54, 9))


def heuristic_measure(state: str) -> int:
    """The last completed step of the layer-by-layer method, with D as the base: from 0 to 7."""
    return _steps_done(state, _STEP_STICKERS, _TOP_CORNERS)


def heuristic_measure_any(state: str) -> int:
    """The same for the best of the 24 ways to hold the cube."""
    return max(_steps_done(state, steps, corners) for steps, corners in _held_ways())


def step_holds(step: int, state: str) -> bool:
    """Whether the condition of a single step (1 to 7) holds, whatever the others, with D as the base."""
    if step == TOP_STEP:
        return is_solved(state)
    if step == TOP_STEP - 1:
        return _are_placed(state, _TOP_CORNERS)
    return _match(state, _STEP_STICKERS[step - 1])


Steps = tuple[tuple[int, ...], ...]


def _steps_done(state: str, steps: Steps, corners: Steps) -> int:
    for number, stickers in enumerate(steps):
        if not _match(state, stickers):
            return number
    if not _are_placed(state, corners):
        return len(steps)
    return TOP_STEP if is_solved(state) else TOP_STEP - 1


def _match(state: str, stickers: tuple[int, ...]) -> bool:
    return all(state[i] == state[CENTRE_OF[i]] for i in stickers)


def _are_placed(state: str, corners: Steps) -> bool:
    return all({state[i] for i in place} == {state[CENTRE_OF[i]] for i in place} for place in corners)


@cache
def _held_ways() -> tuple[tuple[Steps, Steps], ...]:
    """The steps and the top corners for each of the 24 ways to hold the cube."""
    goals = [carried(rotation) for rotation in SYMMETRIES[:24]]
    return tuple((_moved(_STEP_STICKERS, goal), _moved(_TOP_CORNERS, goal)) for goal in goals)


def _moved(groups: Steps, goal: tuple[int, ...]) -> Steps:
    return tuple(tuple(goal[i] for i in group) for group in groups)


MEASURES: Mapping[str, Callable[[str], int]] = MappingProxyType(
    {
        "no_reward": no_measure,
        "sticker": sticker_measure,
        "face": face_measure,
        "heuristic": heuristic_measure,
    }
)
"""The measure behind each type of reward; `heuristic_measure_any` is an option of the last."""


def reward(kind: str, before: str, after: str) -> float:
    """The reward of the move from one state to another.

    Raises:
        KeyError: There is no such type of reward.
    """
    measure = MEASURES[kind]
    return float(measure(after) - measure(before))


def terminal_reward(before: str, after: str) -> float:
    """1 for a move that solves the cube, else 0."""
    return float(is_solved(after) and not is_solved(before))
