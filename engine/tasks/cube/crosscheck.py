"""The cross-check by the cubie model: an answer is a product in the cube group, and solved is the identity."""

from collections.abc import Sequence
from itertools import product

from spatial_workbench.engine.core import Check, Outcome, Problem, Progress
from spatial_workbench.engine.cube.cubies import Cubies, moves_as_cubies
from spatial_workbench.engine.cube.letters import Colours
from spatial_workbench.engine.cube.strings import faces_of_colours
from spatial_workbench.engine.tasks.cube.judging import CHECKS, STRIDE, count_figures, outcome

_SPELLINGS = {"": ("", "1"), "'": ("'", "’", "′", "`", "3", "i")}
_MEANINGS = {
    face + suffix: face + prime
    for face, (prime, spelled) in product("URFDLB", _SPELLINGS.items())
    for suffix in spelled
}


def judge(start: Colours, depth: int, entries: Sequence[str], progress: Progress) -> Outcome:
    """1 if the moves solve the cube, else 0."""
    state = Cubies.of(faces_of_colours(start))
    move_count = 0
    illegal = ""
    turns = moves_as_cubies()
    for entry in entries:
        if state.is_solved or illegal:
            break
        if move_count % STRIDE == 0:
            progress(move_count, len(entries), "Multiplying")
        meaning = _MEANINGS.get(entry.strip())
        if meaning is None:
            illegal = f"move {move_count + 1}, '{entry}', is not a quarter turn"
        else:
            state = state.then(turns[meaning])
            move_count = move_count + 1
    left_over = len(entries) - move_count if state.is_solved else 0
    return outcome(_checks(illegal, state), count_figures(move_count, depth), left_over, {})


def _checks(illegal: str, state: Cubies) -> list[Check]:
    legal, solved = CHECKS.names
    if illegal:
        return [Check.of(legal, [Problem(illegal)]), Check.not_reached(solved)]
    wrong = [] if state.is_solved else [Problem("The product is not the unit")]
    return [Check.of(legal, []), Check.of(solved, wrong)]
