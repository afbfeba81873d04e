"""The two-phase solver, exact depths, and the table that they come from."""

import importlib.util
import random
import threading

import numpy as np
import pytest

from spatial_workbench.engine.core import Cancelled, silent
from spatial_workbench.engine.cube import layers as layers_module
from spatial_workbench.engine.cube import patterns, stored, two_phase
from spatial_workbench.engine.cube.coordinates import coordinates_of, keys_of, move_tables
from spatial_workbench.engine.cube.cubies import Cubies
from spatial_workbench.engine.cube.facelets import MOVES, SOLVED, apply_move, apply_moves, is_solved
from spatial_workbench.engine.cube.layers import LAYER_SIZES, SMALL, build, layers
from spatial_workbench.engine.cube.optimal import Bounds, shortest_solution
from spatial_workbench.engine.cube.patterns import CORNER_STATES
from spatial_workbench.engine.cube.states import certified_states
from spatial_workbench.engine.cube.strings import colours_of_faces, solver_of_faces
from spatial_workbench.engine.cube.two_phase import SolverFailed, SolverMissing, solve_two_phase
from spatial_workbench.engine.cube.validity import InvalidCube, StateForm, fault_of

SOLVER = solver_of_faces(SOLVED)
needs_kociemba = pytest.mark.skipif(importlib.util.find_spec("kociemba") is None, reason="kociemba is optional")


def scrambles(count, seed=11):
    rng = random.Random(seed)
    return [apply_moves(SOLVED, rng.choices(MOVES, k=25)) for _ in range(count)]


def of_depth(depth):
    return [state for state in certified_states() if state.depth == depth]


# Two-phase -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@needs_kociemba
def test_100_random_scrambles_are_converted_solved_and_replayed():
    for state in scrambles(100):
        moves = solve_two_phase(solver_of_faces(state))
        assert is_solved(apply_moves(state, moves))
        assert set(moves) <= set(MOVES)


@needs_kociemba
def test_the_solver_takes_the_environment_s_colours_too():
    state = scrambles(1)[0]
    assert is_solved(apply_moves(state, solve_two_phase(colours_of_faces(state), StateForm.COLOURS)))


@pytest.mark.parametrize("form", [StateForm.SOLVER, StateForm.FACES])
def test_the_solved_cube_needs_no_moves_and_no_solver(form, monkeypatch):
    monkeypatch.setattr(two_phase, "is_available", lambda: False)
    assert solve_two_phase(SOLVER if form is StateForm.SOLVER else SOLVED, form) == ()


def test_an_invalid_cube_never_reaches_the_solver(monkeypatch):
    monkeypatch.setattr(two_phase, "is_available", lambda: pytest.fail("the solver was asked"))
    exchanged = SOLVER[9] + SOLVER[1:9] + SOLVER[0] + SOLVER[10:]
    with pytest.raises(InvalidCube, match="E_CORNER_UNDEFINED"):
        solve_two_phase(exchanged)


@needs_kociemba
def test_the_naive_string_with_b_not_turned_is_refused():
    state = scrambles(1, seed=2)[0]
    naive = state[0:9] + state[27:36] + state[18:27] + state[36:45] + state[9:18] + state[45:54]
    assert fault_of(naive, StateForm.SOLVER) is not None
    with pytest.raises(InvalidCube):
        solve_two_phase(naive)


def test_a_missing_solver_is_said_with_what_to_install(monkeypatch):
    monkeypatch.setattr(two_phase, "is_available", lambda: False)
    with pytest.raises(SolverMissing, match=r"kociemba, under the GPL 2.*spatial-workbench\[solver\]"):
        solve_two_phase(scrambles(1)[0], StateForm.FACES)


def test_a_solver_that_takes_too_long_is_given_up(monkeypatch):
    never = threading.Event()

    class Slow:
        @staticmethod
        def solve(text):
            never.wait(30)
            return ""

    monkeypatch.setattr(two_phase, "is_available", lambda: True)
    monkeypatch.setattr(two_phase.importlib, "import_module", lambda name: Slow)
    with pytest.raises(SolverFailed, match=r"nothing within 0.05 s"):
        solve_two_phase(scrambles(1)[0], StateForm.FACES, time_limit_s=0.05)
    never.set()


def test_an_answer_that_solves_nothing_is_not_passed_on(monkeypatch):
    monkeypatch.setattr(two_phase, "is_available", lambda: True)
    monkeypatch.setattr(two_phase, "_answer", lambda state, limit: "R U")
    with pytest.raises(SolverFailed, match="does not solve the cube"):
        solve_two_phase(scrambles(1)[0], StateForm.FACES)


# Coordinates and layers ----------------------------------------------------------------------------------------------


def test_coordinates_turn_as_cubies_do():
    state = Cubies.of(scrambles(1)[0])
    for number, move in enumerate(MOVES):
        turned = [table[c, number] for table, c in zip(move_tables(), coordinates_of(state), strict=True)]
        assert turned == coordinates_of(state.after([move])).tolist()


def test_keys_leave_room_for_a_distance_and_differ():
    coordinates = np.array([coordinates_of(Cubies.of(state)) for state in scrambles(200)])
    keys = keys_of(coordinates)
    assert len(set(keys.tolist())) == 200
    assert not (keys & np.uint64(7)).any()


def test_the_layers_have_their_known_sizes():
    keys = build(SMALL)
    assert np.bincount((keys & np.uint64(7)).astype(int)).tolist() == list(LAYER_SIZES[: SMALL + 1])


@pytest.mark.parametrize("build_table", [lambda progress: build(SMALL, progress), patterns.build])
def test_building_a_table_can_be_cancelled(build_table):
    def stop(done, total, text=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        build_table(stop)


def test_a_cancelled_table_leaves_nothing_behind(cache):
    def stop(done, total, text=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        stored.stored_array("corners", lambda table: True, lambda: patterns.build(stop))
    assert not cache.exists()


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setattr(stored, "cache_folder", lambda: tmp_path / "cube")
    return tmp_path / "cube"


def test_a_stored_table_is_read_back_and_a_damaged_or_foreign_one_is_built_again(cache, monkeypatch):
    monkeypatch.setattr(layers_module, "SMALL", 0)
    built = layers_module._keys(4, silent)
    path = cache / "layers-4.npy"
    assert (np.load(path) == built).all()
    for broken in (built[:-1], built[::-1], built ^ np.uint64(1 << 40), built.astype(np.int64)):
        np.save(path, broken)
        assert (layers_module._keys(4, silent) == built).all()
        assert (np.load(path) == built).all()
    path.write_bytes(path.read_bytes()[:-8])
    assert (layers_module._keys(4, silent) == built).all()


def test_a_table_that_is_stored_is_not_built_again(cache, monkeypatch):
    monkeypatch.setattr(layers_module, "SMALL", 0)
    built = layers_module._keys(3, silent)
    monkeypatch.setattr(layers_module, "build", lambda *_: pytest.fail("built again"))
    assert (layers_module._keys(3, silent) == built).all()


def test_a_table_that_cannot_be_stored_is_used_all_the_same(cache, monkeypatch):
    cache.write_text("in the way")
    monkeypatch.setattr(layers_module, "SMALL", 0)
    assert len(layers_module._keys(3, silent)) == sum(LAYER_SIZES[:4])


@pytest.mark.slow
def test_the_corners_have_their_known_numbers_of_states_near_by():
    near = patterns.build(depth=4)
    assert tuple(patterns.counts(near)[:5]) == CORNER_STATES[:5]
    assert patterns.counts(near)[patterns.UNKNOWN] == sum(CORNER_STATES[5:])


@pytest.mark.slow
def test_the_corners_have_their_known_numbers_of_states_at_every_distance():
    assert tuple(patterns.counts(patterns.build())[:12]) == CORNER_STATES


# Exact depths --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 8])
def test_the_states_that_ship_have_their_depth(depth):
    for state in of_depth(depth):
        solution = shortest_solution(state.faces, limit=8)
        assert len(solution) == depth
        assert is_solved(apply_moves(state.faces, solution))


@pytest.mark.slow
def test_the_states_of_depth_12_have_their_depth():
    for state in of_depth(12):
        solution = shortest_solution(state.faces)
        assert len(solution) == 12
        assert is_solved(apply_moves(state.faces, solution))


@pytest.mark.slow
def test_states_of_depth_16_and_20_have_no_solution_of_up_to_13_moves():
    assert shortest_solution(of_depth(16)[0].faces) is None
    assert shortest_solution(of_depth(20)[0].faces) is None


def test_the_solved_cube_has_depth_0():
    assert shortest_solution(SOLVED) == ()


def test_a_limit_below_the_depth_finds_nothing():
    state = of_depth(8)[0].faces
    assert shortest_solution(state, limit=7) is None


def test_a_limit_that_cannot_be_searched_is_refused():
    with pytest.raises(ValueError, match="up to 13, not 14"):
        shortest_solution(SOLVED, limit=14)


@pytest.mark.parametrize("depth", [5, 6, 7])
def test_depths_between_those_that_ship_are_exact_too(depth):
    state = next(s for s in of_depth(8))
    nearer = apply_moves(state.faces, state.solution[: 8 - depth])
    assert len(shortest_solution(nearer, limit=8)) == depth


def test_a_search_can_be_cancelled():
    layers(SMALL)

    def stop(done, total, text=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        shortest_solution(of_depth(8)[0].faces, limit=8, progress=stop)


def test_bounds_say_a_depth_only_where_they_meet():
    assert str(Bounds(4, 4, ("U",) * 4, "")) == "4"
    assert str(Bounds(13, 20, None, "")) == "13 to 20"


def test_one_move_away_is_one_move():
    assert all(shortest_solution(apply_move(SOLVED, move), limit=8) for move in MOVES)
