"""The four rewards and the steps of the layer-by-layer method."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_workbench.engine.cube.cubies import Cubies
from spatial_workbench.engine.cube.facelets import MOVES, SOLVED, apply_move, apply_moves
from spatial_workbench.engine.cube.notation import QUARTER_TURNS, parse_moves
from spatial_workbench.engine.cube.rewards import (
    MEASURES,
    face_measure,
    heuristic_measure,
    heuristic_measure_any,
    reward,
    step_holds,
    sticker_measure,
    terminal_reward,
)
from spatial_workbench.engine.cube.strings import colours_of_faces
from tests.cube.tables import VECTORS, moves_of

sequences = st.lists(st.sampled_from(MOVES), max_size=25)


@pytest.mark.parametrize("vector", VECTORS, ids=moves_of)
@pytest.mark.parametrize("key", ["env_faces", "env_colours"])
def test_the_measures_have_their_known_values_on_faces_and_colours(vector, key):
    state = vector[key]
    assert sticker_measure(state) == vector["sticker"]
    assert face_measure(state) == vector["face"]
    assert heuristic_measure(state) == vector["heuristic_D"]
    assert heuristic_measure_any(state) == vector["heuristic_any"]


@pytest.mark.parametrize("kind", MEASURES)
@given(moves=sequences)
def test_rewards_along_a_path_add_up_to_the_difference_of_the_measure(kind, moves):
    states = [apply_moves(SOLVED, moves[:i]) for i in range(len(moves) + 1)]
    total = sum(reward(kind, before, after) for before, after in pairwise(states))
    assert total == MEASURES[kind](states[-1]) - MEASURES[kind](states[0])


def test_no_reward_is_zero_for_every_move():
    rewards = [reward("no_reward", SOLVED, apply_move(SOLVED, move)) for move in QUARTER_TURNS]
    assert rewards == [0.0] * 12
    assert all(isinstance(value, float) for value in rewards)


def test_the_terminal_reward_is_one_on_entering_the_solved_state():
    turned = apply_move(SOLVED, "R")
    assert terminal_reward(turned, SOLVED) == 1.0
    assert terminal_reward(SOLVED, turned) == 0.0
    assert terminal_reward(SOLVED, SOLVED) == 0.0


def test_all_edges_flipped_and_all_corners_twisted_leave_only_the_six_centres():
    state = Cubies(twists=(1, 1, 1, 1, 1, 1, 1, 2), flips=(1,) * 12).faces()
    assert sticker_measure(state) == 6


@pytest.mark.parametrize(
    ("moves", "done"),
    [
        ("", 7),
        ("R", 0),
        ("R U R' U'", 1),
        ("F R U R' U' F'", 3),
        ("U", 4),
        ("L' U R U' L U R' U'", 5),
        ("R U2 R' U' R U' R' L' U2 L U L' U L", 6),
    ],
)
def test_a_step_counts_only_when_all_before_it_hold(moves, done):
    state = apply_moves(SOLVED, parse_moves(moves))
    assert heuristic_measure(state) == done
    assert all(step_holds(step, state) for step in range(1, done + 1))
    assert done == 7 or not step_holds(done + 1, state)


@given(sequences)
def test_the_best_way_to_hold_the_cube_is_never_worse_than_d_below(moves):
    state = apply_moves(SOLVED, moves)
    assert heuristic_measure_any(state) >= heuristic_measure(state)


@given(sequences)
def test_colours_and_faces_have_the_same_measures(moves):
    state = apply_moves(SOLVED, moves)
    for measure in MEASURES.values():
        assert measure(state) == measure(colours_of_faces(state))
