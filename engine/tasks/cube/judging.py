"""Carries out the moves of an answer and judges the result. The rules are in docs/tasks/cube.md."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from spatial_workbench.engine.core import Check, CheckList, Figure, Outcome, Problem, Progress
from spatial_workbench.engine.core.checks import all_passed
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.cube.facelets import apply_move, is_solved
from spatial_workbench.engine.cube.geometry import CENTRE_OF, LABELS
from spatial_workbench.engine.cube.letters import Colours
from spatial_workbench.engine.cube.notation import QUARTER_TURNS_IN_WORDS, MoveError, as_quarter_turn
from spatial_workbench.engine.cube.rewards import heuristic_measure, sticker_measure

STRIDE = 1000


@dataclass(frozen=True)
class Run:
    """The moves that were made. illegal: the number of the first entry that is not a move, and that entry."""

    state: Colours
    moves: tuple[str, ...]
    illegal: tuple[int, str] | None
    is_solved: bool
    is_hidden: bool = False
    """Whether stickers must not be mentioned because they are seen only through a camera."""


def make_moves(start: Colours, entries: Sequence[str], progress: Progress, ends_solved: bool = True) -> Run:
    """Makes the moves in order, up to the first entry that is not a move.

    Args:
        ends_solved: Whether to stop as soon as the cube is solved, as a judged run does.
    """
    state = start
    moves: list[str] = []
    for number, entry in enumerate(entries):
        if ends_solved and is_solved(state):
            break
        if number % STRIDE == 0:
            progress(number, len(entries), "Making the moves")
        try:
            move = as_quarter_turn(entry)
        except MoveError:
            return Run(state, tuple(moves), (number, entry), False)
        state = apply_move(state, move)
        moves.append(move)
    return Run(state, tuple(moves), None, is_solved(state))


CHECKS = CheckList()


@CHECKS.step("quarter turns only")
def _legal(run: Run) -> Iterator[Problem]:
    if run.illegal is not None:
        number, entry = run.illegal
        yield Problem(f"move {number + 1}: '{entry}' is not one of {QUARTER_TURNS_IN_WORDS}")


@CHECKS.step("the cube is solved")
def _solved(run: Run) -> Iterator[Problem]:
    wrong = [i for i, letter in enumerate(run.state) if letter != run.state[CENTRE_OF[i]]]
    if wrong and run.is_hidden:
        yield Problem(f"after {counted(len(run.moves), 'move')} the cube is not solved")
    elif wrong:
        yield Problem(_wrong_stickers(len(run.moves), len(wrong)), [f"sticker {LABELS[i]}" for i in wrong])


def _wrong_stickers(made: int, wrong: int) -> str:
    stickers = counted(wrong, "sticker is", "stickers are")
    if made == 1:
        return f"after 1 move {stickers} not on the right face"
    return f"after {made:,} moves {stickers} not on the right face"


def judge(start: Colours, depth: int, entries: Sequence[str], progress: Progress, hides: bool = False) -> Outcome:
    """1 if the moves solve the cube, else 0, with the number of moves made.

    Args:
        hides: Under partial observation, the only thing told about the stickers is whether all are in place.
    """
    run = replace(make_moves(start, entries, progress), is_hidden=hides)
    checks = CHECKS.run(run)
    figures = count_figures(len(run.moves), depth)
    if not hides:
        figures += [
            Figure("matching stickers", sticker_measure(run.state), "of 54"),
            Figure("layer-by-layer step", heuristic_measure(run.state), "of 7"),
        ]
    details = {"moves": list(run.moves), "state": run.state}
    return outcome(checks, figures, len(entries) - len(run.moves) if run.is_solved else 0, details)


def outcome(
    checks: Sequence[Check], figures: Sequence[Figure], left_over: int, details: Mapping[str, object]
) -> Outcome:
    """The outcome of these checks; `left_over` entries after the solution were ignored."""
    rest = "entry was" if left_over == 1 else f"{left_over} entries were"
    warnings = [f"The cube is solved before the end; the last {rest} not looked at"] if left_over else []
    return Outcome(float(all_passed(checks)), checks, figures, warnings, details)


def count_figures(move_count: int, depth: int) -> list[Figure]:
    """#MM and #MR: the moves made, and what they are in proportion to the depth."""
    return [Figure("moves made (#MM)", move_count), Figure("moves per depth (#MR)", move_count / depth)]
