"""Notation: what is read, what is refused and where, how moves are counted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_workbench.engine.cube.facelets import MOVES, SOLVED, apply_moves
from spatial_workbench.engine.cube.notation import (
    QUARTER_TURNS,
    MoveError,
    NotationError,
    as_quarter_turn,
    format_moves,
    half_turn_count,
    inverse,
    may_follow,
    parse_moves,
    quarter_turn_count,
    quarter_turns,
)

sequences = st.lists(st.sampled_from(MOVES), max_size=20)


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("", ()),
        ("R U R' U'", ("R", "U", "R'", "U'")),
        ("RUR'U'", ("R", "U", "R'", "U'")),
        (" R,U ,\tR2\n", ("R", "U", "R2")),
        ("R' R’ R′ R` R3 Ri", ("R'",) * 6),
        ("F2 F2' F'2 F2’", ("F2",) * 4),
        ("B1", ("B",)),
    ],
)
def test_every_spelling_of_a_move_is_read(text, moves):
    assert parse_moves(text) == moves


@pytest.mark.parametrize(
    ("text", "position", "word"),
    [
        ("R r", 2, "wide move"),
        ("Rw", 1, "wide move"),
        ("U M", 2, "slice move"),
        ("E", 0, "slice move"),
        ("S2", 0, "slice move"),
        ("U2 x", 3, "rotation"),
        ("y'", 0, "rotation"),
        ("R U4", 3, "no move"),
        ("R''", 2, "no move"),
        ("R Q", 2, "no move"),
        ("2R", 0, "no move"),
    ],
)
def test_anything_else_is_refused_with_its_place_and_what_it_is(text, position, word):
    with pytest.raises(NotationError, match=word) as caught:
        parse_moves(text)
    assert caught.value.position == position
    assert f"character {position + 1}" in str(caught.value)


@given(sequences)
def test_what_is_written_is_read_back(moves):
    assert parse_moves(format_moves(moves)) == tuple(moves)


@given(sequences)
def test_quarter_turns_do_the_same_as_what_they_stand_for(moves):
    expanded = quarter_turns(moves)
    assert set(expanded) <= set(QUARTER_TURNS)
    assert apply_moves(SOLVED, expanded) == apply_moves(SOLVED, moves)


def test_the_inverse_is_reversed_with_the_other_turns():
    assert inverse(parse_moves("R U F' L2")) == ("L2", "F", "U'", "R'")


def test_a_half_turn_counts_once_in_htm_and_twice_in_qtm():
    moves = parse_moves("R U2 F'")
    assert (half_turn_count(moves), quarter_turn_count(moves)) == (3, 4)


@pytest.mark.parametrize(("text", "move"), [("U", "U"), (" D' ", "D'"), ("R’", "R'"), ("L3", "L'"), ("F1", "F")])
def test_a_quarter_turn_is_taken_in_any_spelling(text, move):
    assert as_quarter_turn(text) == move


@pytest.mark.parametrize("text", ["U2", "", "u", "x", "R U", "R2'", "M"])
def test_what_is_no_quarter_turn_is_refused_with_the_hint(text):
    with pytest.raises(MoveError, match=r"is not one of F, F', .*; a half turn is two quarter turns"):
        as_quarter_turn(text)


@pytest.mark.parametrize(
    ("first", "second", "allowed"),
    [(None, "R", True), ("R", "R'", False), ("U", "D", True), ("D", "U2", False), ("R", "L", True), ("B", "F", False)],
)
def test_a_canonical_sequence_turns_no_face_twice_and_opposite_faces_in_one_order(first, second, allowed):
    assert may_follow(first, second) is allowed


def test_there_are_as_many_canonical_sequences_of_three_moves_as_states_three_moves_away():
    count = sum(may_follow(a, b) and may_follow(b, c) for a in MOVES for b in MOVES for c in MOVES)
    assert count == 3240
