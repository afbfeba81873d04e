"""States with a certified depth: the included ones, their relatives, and newly generated ones.

A certificate has two halves: a solution of that length, and evidence that there is none shorter. See docs/cube.md.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.cube.facelets import MOVES, SOLVED, apply_moves
from spatial_workbench.engine.cube.letters import Colours, Faces, SolverString
from spatial_workbench.engine.cube.notation import may_follow, parse_moves
from spatial_workbench.engine.cube.optimal import GODS_NUMBER, REACH, Bounds, shortest_solution
from spatial_workbench.engine.cube.symmetry import RELATIONS, Relation
from spatial_workbench.engine.cube.two_phase import SolverFailed, SolverMissing, solve_two_phase
from spatial_workbench.engine.cube.validity import StateForm

DEPTHS = (1, 2, 3, 4, 8, 12, 16, 20)
"""The depths of the test split, five states each."""


@dataclass(frozen=True)
class CertifiedState:
    """An included state.

    Attributes:
        split: "test" or "extra".
        certified: Whether both halves of the certificate were checked here, and not only published.
        how: A sentence on the evidence that there is no shorter solution.
    """

    id: str
    depth: int
    split: str
    scramble: tuple[str, ...]
    solution: tuple[str, ...]
    colours: Colours
    faces: Faces
    solver: SolverString
    certified: bool
    how: str
    source: str


@dataclass(frozen=True)
class MadeState:
    """A new state with its certificate: the solution has `depth` moves, and `how` says why none is shorter."""

    faces: Faces
    depth: int
    solution: tuple[str, ...]
    how: str


@cache
def certified_states() -> tuple[CertifiedState, ...]:
    """The 101 included states, by depth; the first five of each depth are the test split."""
    data = json.loads(resource("cube", "test_states.json").read_text("utf-8"))
    return tuple(_certified(row, data["how"]) for row in data["states"])


def _certified(row: Mapping[str, Any], how: Mapping[str, str]) -> CertifiedState:
    return CertifiedState(
        id=row["id"],
        depth=row["depth"],
        split=row["split"],
        scramble=parse_moves(row["scramble"]),
        solution=parse_moves(row["optimal_solution"]),
        colours=Colours(row["env_colours"]),
        faces=Faces(row["env_faces"]),
        solver=SolverString(row["kociemba"]),
        certified=row["certified"],
        how=how[row["how"]],
        source=row["source"],
    )


def split_for_tests() -> tuple[CertifiedState, ...]:
    """The 40 states of the benchmark, by depth."""
    return tuple(state for state in certified_states() if state.split == "test")


def relative_of(state: Faces) -> tuple[CertifiedState, Relation] | None:
    """The included state that a symmetry or inversion maps to this one, so that both have the same depth, if any."""
    included = {certified.faces: certified for certified in certified_states()}
    for relation in RELATIONS:
        original = included.get(relation.state(state))
        if original is not None:
            return original, next(back for back in RELATIONS if back.state(original.faces) == state)
    return None


def depth_of(state: Faces, progress: Progress = silent) -> Bounds:
    """The depth of a valid state, or two bounds if the exact depth is out of reach.

    Raises:
        Cancelled: Raised by `progress`.
    """
    related = relative_of(state)
    if related is not None:
        original, relation = related
        solution = relation.solution(original.solution)
        return Bounds(original.depth, original.depth, solution, f"{original.id}: {original.how}")
    exact = shortest_solution(state, progress=progress)
    if exact is not None:
        return Bounds(len(exact), len(exact), exact, _searched(len(exact)))
    try:
        upper = solve_two_phase(state, StateForm.FACES)
    except (SolverMissing, SolverFailed) as error:
        return Bounds(REACH + 1, GODS_NUMBER, None, f"No state needs more than {GODS_NUMBER} moves. {error}")
    how = f"Every sequence of up to {REACH} moves was tried; two-phase search gives {len(upper)}."
    if len(upper) > GODS_NUMBER:
        return Bounds(REACH + 1, GODS_NUMBER, None, f"{how} No state needs more than {GODS_NUMBER}.")
    return Bounds(REACH + 1, len(upper), upper, how)


def make_state(depth: int, rng: np.random.Generator, progress: Progress = silent) -> MadeState:
    """A new state of a depth up to REACH, certified here; for depths 16 and 20, a relative of an included state.

    Raises:
        ValueError: No state of that depth can be certified here.
        Cancelled: Raised by `progress`.
    """
    if 1 <= depth <= REACH:
        return _searched_state(depth, rng, progress)
    sources = [state for state in certified_states() if state.depth == depth]
    if not sources:
        raise ValueError(
            f"States of depth {depth} cannot be certified here; depths are 1 to {REACH}, and 16 and 20 from states "
            "that ship"
        )
    source = sources[rng.integers(len(sources))]
    relation = RELATIONS[rng.integers(1, len(RELATIONS))]
    how = f"An image of {source.id} ({relation}), which has the same depth. {source.how}"
    return MadeState(relation.state(source.faces), depth, relation.solution(source.solution), how)


def _searched_state(depth: int, rng: np.random.Generator, progress: Progress) -> MadeState:
    while True:
        state = apply_moves(SOLVED, random_scramble(depth, rng))
        solution = shortest_solution(state, limit=depth, progress=progress)
        if solution is not None and len(solution) == depth:
            return MadeState(state, depth, solution, _searched(depth))


def _searched(depth: int) -> str:
    return f"Every sequence of up to {depth - 1} moves was tried without a solution." if depth else "It is solved."


def random_scramble(length: int, rng: np.random.Generator) -> tuple[str, ...]:
    """A random canonical sequence: no face twice in a row, opposite faces in one order."""
    moves: list[str] = []
    while len(moves) < length:
        move = MOVES[rng.integers(len(MOVES))]
        if may_follow(moves[-1] if moves else None, move):
            moves.append(move)
    return tuple(moves)
