"""The states that ship, their relatives, and states made here."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from spatial_workbench.engine.cube import states as states_module
from spatial_workbench.engine.cube.facelets import SOLVED, apply_moves, is_solved
from spatial_workbench.engine.cube.optimal import shortest_solution
from spatial_workbench.engine.cube.states import (
    DEPTHS,
    certified_states,
    depth_of,
    make_state,
    random_scramble,
    relative_of,
    split_for_tests,
)
from spatial_workbench.engine.cube.strings import colours_of_faces, solver_of_faces
from spatial_workbench.engine.cube.symmetry import RELATIONS
from spatial_workbench.engine.cube.two_phase import SolverMissing


def rng(seed=7):
    return np.random.Generator(np.random.PCG64(seed))


def test_101_different_states_ship():
    assert Counter(state.depth for state in certified_states()) == dict.fromkeys(DEPTHS[:-1], 12) | {20: 17}
    assert len({state.faces for state in certified_states()}) == 101


@pytest.mark.parametrize("state", certified_states(), ids=lambda state: state.id)
def test_a_state_that_ships_has_its_scramble_its_strings_and_its_solution(state):
    assert apply_moves(SOLVED, state.scramble) == state.faces
    assert (colours_of_faces(state.faces), solver_of_faces(state.faces)) == (state.colours, state.solver)
    assert len(state.scramble) == len(state.solution) == state.depth
    assert is_solved(apply_moves(state.faces, state.solution))


def test_the_test_split_has_five_states_of_each_of_eight_depths_in_order():
    split = split_for_tests()
    assert [state.depth for state in split] == [depth for depth in DEPTHS for _ in range(5)]
    assert [state.id for state in split[:6]] == ["d01-s1", "d01-s2", "d01-s3", "d01-s4", "d01-s5", "d02-s1"]


def test_only_depth_20_rests_on_what_is_published():
    assert {state.depth for state in certified_states() if not state.certified} == {20}


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5, 6, 7, 8])
def test_a_new_state_comes_with_both_halves_of_its_certificate(depth):
    state = make_state(depth, rng())
    assert len(state.solution) == depth
    assert is_solved(apply_moves(state.faces, state.solution))
    assert shortest_solution(state.faces, limit=depth - 1) is None if depth > 1 else state.faces != SOLVED
    assert f"up to {depth - 1} moves was tried" in state.how


@pytest.mark.parametrize("depth", [16, 20])
def test_a_deep_state_is_a_relative_of_one_that_ships_and_says_so(depth):
    state = make_state(depth, rng())
    source, _ = relative_of(state.faces)
    assert (source.depth, len(state.solution)) == (depth, depth)
    assert is_solved(apply_moves(state.faces, state.solution))
    assert state.how.startswith(f"An image of {source.id}")


@pytest.mark.parametrize("depth", [0, 14, 15, 17, 19])
def test_other_depths_are_refused_with_the_reason(depth):
    with pytest.raises(ValueError, match="cannot be certified here; depths are 1 to 13, and 16 and 20"):
        make_state(depth, rng())


def test_equal_seeds_make_equal_states():
    assert make_state(8, rng()) == make_state(8, rng())


def test_a_random_scramble_is_canonical():
    moves = random_scramble(400, rng())
    pairs = set(pairwise(moves))
    assert all(a[0] != b[0] for a, b in pairs)
    assert not any(a[0] + b[0] in {"DU", "LR", "BF"} for a, b in pairs)


@pytest.mark.parametrize("relation", RELATIONS[1::19], ids=str)
def test_every_relative_of_a_state_has_its_depth_and_a_solution(relation):
    known = certified_states()[-1]
    bounds = depth_of(relation.state(known.faces))
    assert (bounds.lower, bounds.upper) == (20, 20)
    assert is_solved(apply_moves(relation.state(known.faces), bounds.solution))


def test_a_state_by_hand_gets_its_exact_depth():
    bounds = depth_of(apply_moves(SOLVED, ["R", "U", "R'", "U'"]))
    assert (str(bounds), bounds.is_exact) == ("4", True)


def test_beyond_the_reach_there_are_two_bounds_and_no_depth(monkeypatch):
    monkeypatch.setattr(states_module, "shortest_solution", lambda state, progress: None)
    bounds = depth_of(apply_moves(SOLVED, random_scramble(25, rng())))
    assert bounds.lower == 14
    assert 14 <= bounds.upper <= 20
    assert not bounds.is_exact


def test_without_the_two_phase_solver_the_upper_bound_is_20(monkeypatch):
    def missing(*_):
        raise SolverMissing("The two-phase solver is not installed.")

    monkeypatch.setattr(states_module, "shortest_solution", lambda state, progress: None)
    monkeypatch.setattr(states_module, "solve_two_phase", missing)
    bounds = depth_of(apply_moves(SOLVED, random_scramble(25, rng())))
    assert str(bounds) == "14 to 20"
    assert "not installed" in bounds.how
