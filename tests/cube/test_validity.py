"""Which strings are cubes, and why others are none."""

import pickle
import random

import pytest

from spatial_workbench.engine.cube.cubies import Cubies
from spatial_workbench.engine.cube.facelets import MOVES, SOLVED, apply_moves
from spatial_workbench.engine.cube.strings import colours_of_faces, solver_of_faces
from spatial_workbench.engine.cube.validity import CubeFault, InvalidCube, StateForm, faces_of, fault_of
from tests.cube.tables import VECTORS, moves_of

SOLVER = solver_of_faces(SOLVED)
COLOURS = colours_of_faces(SOLVED)


def exchanged(text, *pairs):
    letters = list(text)
    for i, j in pairs:
        letters[i], letters[j] = letters[j], letters[i]
    return "".join(letters)


def replaced(text, **at):
    letters = list(text)
    for place, letter in at.items():
        letters[int(place[1:])] = letter
    return "".join(letters)


@pytest.mark.parametrize("vector", VECTORS, ids=moves_of)
@pytest.mark.parametrize(
    ("form", "key"),
    [(StateForm.COLOURS, "env_colours"), (StateForm.FACES, "env_faces"), (StateForm.SOLVER, "kociemba")],
)
def test_every_reachable_state_is_a_cube(vector, form, key):
    assert fault_of(vector[key], form) is None
    assert faces_of(vector[key], form) == vector["env_faces"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (SOLVER[:53], CubeFault("E_LENGTH", "expected 54 characters, got 53")),
        (SOLVER + "B", CubeFault("E_LENGTH", "expected 54 characters, got 55")),
        (replaced(SOLVER, _9="W"), CubeFault("E_CHAR", "character 'W' at position 9 is not one of URFDLB", ("R1",))),
        (
            exchanged(SOLVER, (4, 13)),
            CubeFault("E_CENTRE", "centre of U is R; centres must be six different colours", ("U5",)),
        ),
        (
            replaced(SOLVER, _0="R"),
            CubeFault("E_COUNT", "colour U occurs 8 times instead of 9", tuple(f"U{i}" for i in range(2, 10))),
        ),
    ],
)
def test_a_solver_string_with_wrong_letters_is_refused(text, fault):
    named = fault_of(text, StateForm.SOLVER)
    assert (named.code, named.message) == (fault.code, fault.message)
    assert named.stickers == fault.stickers


def test_colours_need_six_different_centres_and_no_certain_ones():
    turned_over = COLOURS.translate(str.maketrans("OW", "WO"))
    assert fault_of(turned_over, StateForm.COLOURS) is None
    fault = fault_of(replaced(COLOURS, _13="O"), StateForm.COLOURS)
    assert (fault.code, fault.stickers) == ("E_CENTRE", ("L5",))


def test_a_letter_of_the_other_alphabet_is_named_with_its_place():
    fault = fault_of(replaced(COLOURS, _20="U"), StateForm.COLOURS)
    assert fault == CubeFault("E_CHAR", "character 'U' at position 20 is not one of WRBOGY", ("F3",))


def test_an_edge_of_opposite_colours_is_undefined():
    text = exchanged(SOLVER, (19, 28))  # F2 shows D below U.
    assert fault_of(text, StateForm.SOLVER) == CubeFault(
        "E_EDGE_UNDEFINED", "edge UF shows UD, which is no edge", ("U8", "F2")
    )


def test_an_edge_that_occurs_twice_is_named_with_both_places():
    doubled = Cubies(edges=(1, 1, 2, 3, 4, 4, *range(6, 12)))  # UF for UR, DR for DF: the letters stay nine each.
    expected = CubeFault("E_EDGE_DUPLICATE", "edge UF occurs at UR and UF", ("U6", "R2", "U8", "F2"))
    assert fault_of(solver_of_faces(doubled.faces()), StateForm.SOLVER) == expected


def test_a_mirrored_corner_is_undefined():
    text = exchanged(SOLVER, (9, 20))  # R1 and F3 of the corner URF.
    fault = fault_of(text, StateForm.SOLVER)
    assert fault == CubeFault("E_CORNER_UNDEFINED", "corner URF shows UFR, which is no corner", ("U9", "R1", "F3"))


def test_u1_and_r1_exchanged_on_a_solved_cube_are_refused():
    fault = fault_of(exchanged(SOLVER, (0, 9)), StateForm.SOLVER)
    assert fault.code == "E_CORNER_UNDEFINED"


def test_a_corner_that_occurs_twice_is_named_with_both_places():
    doubled = Cubies(corners=(1, 1, 2, 3, 4, 4, 6, 7))  # UFL for URF, DFR for DLF.
    fault = fault_of(solver_of_faces(doubled.faces()), StateForm.SOLVER)
    assert (fault.code, fault.message) == ("E_CORNER_DUPLICATE", "corner UFL occurs at URF and UFL")
    assert fault.stickers == ("U9", "R1", "F3", "U7", "F1", "L3")


def test_pieces_are_named_in_the_letters_of_the_string():
    doubled = colours_of_faces(Cubies(edges=(1, 1, 2, 3, 4, 4, *range(6, 12))).faces())
    assert fault_of(doubled, StateForm.COLOURS).message == "edge OR occurs at UR and UF"


def test_stickers_are_named_in_the_numbering_of_the_string():
    doubled = exchanged(SOLVED, (46, 28))  # B below D8, and R2: now UB is at two places.
    assert fault_of(doubled, StateForm.FACES).stickers == ("U6", "R2", "U2", "B8")
    assert fault_of(solver_of_faces(doubled), StateForm.SOLVER).stickers == ("U6", "R2", "U2", "B2")


@pytest.mark.parametrize(
    ("cubies", "code", "message"),
    [
        (Cubies(flips=(1, *(0,) * 11)), "E_FLIP", "one edge is flipped"),
        (Cubies(twists=(1, *(0,) * 7)), "E_TWIST", "one corner is twisted"),
        (Cubies(edges=(1, 0, *range(2, 12))), "E_PARITY", "two pieces are swapped"),
        (Cubies(corners=(1, 0, *range(2, 8))), "E_PARITY", "two pieces are swapped"),
    ],
)
@pytest.mark.parametrize("form", StateForm)
def test_a_cube_that_turns_cannot_reach_is_refused_with_the_reason(cubies, code, message, form):
    state = cubies.faces()
    text = {
        StateForm.FACES: state,
        StateForm.SOLVER: solver_of_faces(state),
        StateForm.COLOURS: colours_of_faces(state),
    }[form]
    assert fault_of(text, form) == CubeFault(code, message)


def test_the_first_failing_check_is_the_one_reported():
    flipped_and_twisted = Cubies(flips=(1, *(0,) * 11), twists=(1, *(0,) * 7))
    assert fault_of(flipped_and_twisted.faces(), StateForm.FACES).code == "E_FLIP"


def test_leaving_out_the_turn_of_b_makes_nearly_every_scramble_invalid():
    rng = random.Random(5)
    states = [apply_moves(SOLVED, rng.choices(MOVES, k=25)) for _ in range(100)]
    naive = [s[0:9] + s[27:36] + s[18:27] + s[36:45] + s[9:18] + s[45:54] for s in states]
    assert sum(fault_of(text, StateForm.SOLVER) is not None for text in naive) >= 97


def test_an_invalid_cube_is_raised_with_its_fault_and_survives_the_way_between_processes():
    with pytest.raises(InvalidCube, match="E_FLIP: one edge is flipped") as caught:
        faces_of(Cubies(flips=(1, *(0,) * 11)).faces(), StateForm.FACES)
    assert pickle.loads(pickle.dumps(caught.value)).fault == caught.value.fault
