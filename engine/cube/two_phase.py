"""The two-phase solver: a solution of about 21 moves in a tenth of a second, but not a shortest one.

It is Kociemba's method in the package `kociemba`, which is optional (its licence is GPL-2). That package accepts some
strings that are not cubes, and has the same message for all errors. So strings are checked here first, and its answer
is replayed before it is returned.
"""

from __future__ import annotations

import importlib
import importlib.util
from threading import Lock, Thread

from spatial_workbench.engine.core.extras import how_to_get, is_installed
from spatial_workbench.engine.cube.facelets import apply_moves, is_solved
from spatial_workbench.engine.cube.letters import Faces
from spatial_workbench.engine.cube.notation import parse_moves
from spatial_workbench.engine.cube.strings import solver_of_faces
from spatial_workbench.engine.cube.validity import StateForm, faces_of

TIME_LIMIT_S = 20.0
_one_at_a_time = Lock()


class SolverMissing(RuntimeError):
    """The optional package is not installed; the message says how to get it."""


class SolverFailed(RuntimeError):
    """The solver took too long, or its answer does not solve the cube."""


def is_available() -> bool:
    """Whether the optional package is installed."""
    return is_installed("solver")


def solve_two_phase(
    text: str, form: StateForm = StateForm.SOLVER, time_limit_s: float = TIME_LIMIT_S
) -> tuple[str, ...]:
    """A solution of the state that the string holds, in moves X, X', X2; empty for the solved cube.

    Raises:
        InvalidCube: The string does not hold a state; says why.
        SolverMissing: The package is not installed.
        SolverFailed: There was no solution in time.
    """
    state = faces_of(text, form)
    if is_solved(state):
        return ()
    if not is_available():
        raise SolverMissing(how_to_get("solver"))
    moves = parse_moves(_answer(state, time_limit_s))
    if not is_solved(apply_moves(state, moves)):
        raise SolverFailed(f"The two-phase solver gave {' '.join(moves)}, which does not solve the cube")
    return moves


def _answer(state: Faces, time_limit_s: float) -> str:
    """The package's answer; it runs in a thread of its own, since it cannot be stopped."""
    answers: list[str | ValueError] = []

    def ask() -> None:
        solve = importlib.import_module("kociemba").solve
        # Its tables are global, and a search that has timed out may still be using them.
        with _one_at_a_time:
            try:
                answers.append(solve(solver_of_faces(state)))
            except ValueError as error:
                answers.append(error)

    thread = Thread(target=ask, name="two-phase solver", daemon=True)
    thread.start()
    thread.join(time_limit_s)
    if not answers:
        raise SolverFailed(f"The two-phase solver found nothing within {time_limit_s:g} s")
    if isinstance(answers[0], ValueError):
        raise SolverFailed(f"The two-phase solver refused the cube: {answers[0]}")
    return answers[0]
