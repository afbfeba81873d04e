"""The facelet and the cubie model: tables, turns, orders, formats. The rules are in docs/cube.md."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_workbench.engine.cube.cubies import Cubies, moves_as_cubies
from spatial_workbench.engine.cube.facelets import (
    MOVES,
    SOLVED,
    apply_move,
    apply_moves,
    apply_moves_to_many,
    as_array,
    as_strings,
    is_solved,
    solved_among,
)
from spatial_workbench.engine.cube.geometry import (
    CORNERS,
    EDGES,
    ENV_OF_SOLVER,
    LABELS,
    NET_CELLS,
    SOLVER_LABELS,
    SOLVER_OF_ENV,
    SYMMETRIES,
    TURNS,
)
from spatial_workbench.engine.cube.letters import RGB, Scheme
from spatial_workbench.engine.cube.notation import inverse, parse_moves
from spatial_workbench.engine.cube.strings import (
    colours_of_faces,
    colours_of_solver,
    faces_of_colours,
    faces_of_solver,
    solver_of_colours,
    solver_of_faces,
)
from spatial_workbench.engine.cube.symmetry import RELATIONS, image_of_moves
from tests.cube.tables import GEOMETRY, VECTORS, moves_of

SUPERFLIP = parse_moves("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2")
sequences = st.lists(st.sampled_from(MOVES), max_size=30)
each_vector = pytest.mark.parametrize("vector", VECTORS, ids=moves_of)


# Tables --------------------------------------------------------------------------------------------------------------


def test_the_geometry_gives_the_known_orders_and_conversions():
    assert list(LABELS) == GEOMETRY["labels_env"]
    assert list(SOLVER_LABELS) == GEOMETRY["labels_kociemba"]
    assert list(SOLVER_OF_ENV) == GEOMETRY["env_from_kociemba"]
    assert list(ENV_OF_SOLVER) == GEOMETRY["kociemba_from_env"]


def test_the_geometry_gives_the_known_permutation_of_each_move():
    assert {move: list(turn) for move, turn in TURNS.items()} == GEOMETRY["move_perm_env"]


@pytest.mark.parametrize("face", "URFDLB")
def test_a_quarter_turn_moves_stickers_along_its_five_known_cycles(face):
    turned = apply_move("".join(map(chr, range(54))), face)
    for cycle in GEOMETRY["move_cycles_env"]["cycles"][face]:
        assert all(turned[b] == chr(a) for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True))


def test_the_geometry_gives_the_known_pieces_and_the_net():
    for stickers, name in ((CORNERS, "corner"), (EDGES, "edge")):
        expected = [row["facelets"] for row in GEOMETRY[f"{name}_positions_kociemba"]]
        assert [[SOLVER_OF_ENV[i] for i in place] for place in stickers] == expected
    assert list(NET_CELLS) == [(cell["col"], cell["row"]) for cell in GEOMETRY["net_cells"]]


def test_the_colours_of_both_schemes_are_the_known_ones():
    for scheme, key in ((Scheme.REFERENCE, "colour_scheme_default"), (Scheme.WESTERN, "colour_scheme_western")):
        assert all(GEOMETRY[key][face] == colour for face, colour in scheme.colours.items())
    assert {colour: list(rgb) for colour, rgb in RGB.items()} == GEOMETRY["rgb"]


def test_there_are_48_different_symmetries_the_identity_first():
    assert len({matrix.tobytes() for matrix in SYMMETRIES}) == 48
    assert (SYMMETRIES[0] == np.eye(3)).all()
    assert [round(np.linalg.det(matrix)) for matrix in SYMMETRIES] == [1] * 24 + [-1] * 24


# Check values --------------------------------------------------------------------------------------------------------


@each_vector
def test_moves_give_the_known_strings_in_all_three_forms(vector):
    state = apply_moves(SOLVED, parse_moves(vector["moves"]))
    assert state == vector["env_faces"]
    assert solver_of_faces(state) == vector["kociemba"]
    assert colours_of_faces(state) == vector["env_colours"]


@each_vector
def test_moves_can_be_made_on_colours_too(vector):
    state = apply_moves(colours_of_faces(SOLVED), parse_moves(vector["moves"]))
    assert state == vector["env_colours"]


@each_vector
def test_every_conversion_leads_back(vector):
    assert faces_of_solver(vector["kociemba"]) == vector["env_faces"]
    assert faces_of_colours(vector["env_colours"]) == vector["env_faces"]
    assert solver_of_colours(vector["env_colours"]) == vector["kociemba"]
    assert colours_of_solver(vector["kociemba"]) == vector["env_colours"]


def test_the_two_orders_undo_each_other():
    assert [ENV_OF_SOLVER[i] for i in SOLVER_OF_ENV] == list(range(54))


def test_only_the_face_b_is_turned_by_180_degrees_between_the_orders():
    solver_labels = [SOLVER_LABELS[i] for i in SOLVER_OF_ENV]
    assert solver_labels[:45] == list(LABELS[:45])
    assert solver_labels[45:] == list(LABELS[:44:-1])


# Turns ---------------------------------------------------------------------------------------------------------------


def order_of(moves):
    """After how many repetitions a sequence brings the solved cube back."""
    state = apply_moves(SOLVED, moves)
    count = 1
    while state != SOLVED:
        state = apply_moves(state, moves)
        count = count + 1
    return count


@pytest.mark.parametrize(
    ("text", "order"), [*((face, 4) for face in "URFDLB"), ("R U R' U'", 6), ("R U", 105), ("R2", 2)]
)
def test_a_sequence_has_its_known_order(text, order):
    assert order_of(parse_moves(text)) == order


def test_the_superflip_is_its_own_inverse():
    assert apply_moves(SOLVED, SUPERFLIP) == apply_moves(SOLVED, inverse(SUPERFLIP)) != SOLVED


@given(sequences)
def test_a_sequence_and_its_inverse_bring_the_cube_back(moves):
    assert is_solved(apply_moves(apply_moves(SOLVED, moves), inverse(moves)))


@given(sequences)
def test_facelets_and_cubies_agree(moves):
    state = apply_moves(SOLVED, moves)
    assert Cubies().after(moves).faces() == state
    assert Cubies.of(state) == Cubies().after(moves)


@given(sequences)
def test_a_state_and_its_inverse_make_the_unit_of_the_group(moves):
    state = Cubies().after(moves)
    assert state.then(state.inverse()).is_solved
    assert state.inverse() == Cubies().after(inverse(moves))


@pytest.mark.parametrize("move", MOVES)
def test_each_move_is_the_same_in_both_models(move):
    assert moves_as_cubies()[move].faces() == apply_move(SOLVED, move)


def test_many_cubes_turn_at_once_as_each_would_alone():
    rng = np.random.Generator(np.random.PCG64(1))
    moves = rng.integers(18, size=(200, 12))
    turned = apply_moves_to_many(as_array([SOLVED] * 200), moves)
    assert as_strings(turned) == [apply_moves(SOLVED, [MOVES[m] for m in row]) for row in moves]


def test_solved_cubes_are_found_among_many():
    states = as_array([SOLVED, apply_move(SOLVED, "R"), SOLVED])
    assert solved_among(states).tolist() == [True, False, True]


def test_turning_many_leaves_the_given_array_alone():
    states = as_array([SOLVED])
    apply_moves_to_many(states, np.array([3]))
    assert as_strings(states) == [SOLVED]


# Symmetries ----------------------------------------------------------------------------------------------------------


@given(sequences, st.sampled_from(RELATIONS))
def test_the_image_of_a_solution_solves_the_image_of_a_state(moves, relation):
    image = relation.state(apply_moves(SOLVED, moves))
    assert is_solved(apply_moves(image, relation.solution(inverse(moves))))


def test_mirrors_change_clockwise_for_counter_clockwise():
    turned = {image_of_moves(["R"], number)[0] for number in range(48)}
    assert turned == {"U", "U'", "R", "R'", "F", "F'", "D", "D'", "L", "L'", "B", "B'"}
