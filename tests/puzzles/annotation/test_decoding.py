"""Decoding aids give what a person would work out by hand."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.puzzles.annotation import decoding as aids

LETTERS = st.text(alphabet="ABCDEFGHIJKLMNOPQRSTUVWXYZ", max_size=20)


def test_the_semaphore_table_is_that_of_the_originals():
    data = json.loads(resource("puzzles", "originals.json").read_text("utf-8"))
    table = data["puzzles"][0]["key"]["semaphore_table"]
    assert {letter: "".join(map(str, pair)) for letter, pair in table.items()} == dict(aids.SEMAPHORE)


@pytest.mark.parametrize("table", [aids.BRAILLE, aids.SEMAPHORE, aids.MORSE])
def test_no_two_letters_share_a_sign(table):
    assert len(set(table.values())) == len(table) >= 26


@given(LETTERS)
def test_what_is_encoded_is_decoded_again(text):
    assert aids.from_braille(aids.to_braille(text)) == text
    assert aids.from_semaphore(aids.to_semaphore(text)) == text
    assert aids.from_morse(aids.to_morse(text)) == text
    assert aids.letters_of_numbers(aids.numbers_of(text)) == text


@given(st.text(max_size=30), st.integers(-60, 60))
def test_a_shift_back_undoes_a_shift(text, by):
    assert aids.shifted(aids.shifted(text, by), -by) == text


@given(st.text(max_size=60))
def test_no_text_breaks_an_aid(text):
    for aid in (aids.from_braille, aids.from_semaphore, aids.from_morse, aids.indexed, aids.letter_counts):
        aid(text)


def test_letters_are_counted_the_most_frequent_first():
    assert aids.letter_counts("Lanterns, n") == {"N": 3, "A": 1, "E": 1, "L": 1, "R": 1, "S": 1, "T": 1}


def test_numbers_above_26_begin_again_at_a():
    assert aids.letters_of_numbers([1, 26, 27, 52, 0]) == "AZAZZ"


def test_words_and_numbers_index_letters():
    assert aids.indexed("PLUM 2, PASTA/5, onion: 2") == "LAN"
    assert aids.indexed("CAT 9") == "?"


def test_dots_may_come_in_any_order_and_as_characters():
    assert aids.from_braille("1 21 41") == "ABC"
    assert aids.from_braille("⠁⠃") == "AB"


def test_semaphore_is_read_from_digits_or_arrows():
    assert aids.from_semaphore("12 10") == "HA"
    assert aids.from_semaphore("↙← ↓↙") == "HA"


def test_morse_is_read_with_any_dots_and_dashes():
    assert aids.from_morse("··· — — / -") == "STT T"
    assert aids.to_morse("sos 1") == "... --- ... / .----"


def test_an_anagram_check_names_the_letters_that_differ():
    assert aids.anagram_difference("Stem", "METS") == ("", "")
    assert aids.anagram_difference("stems", "meat") == ("SS", "A")


@pytest.mark.slow
def test_anagrams_come_from_the_word_list_without_the_word_itself():
    assert "LISTEN" in aids.anagrams("silent", aids.word_index())
    assert "SILENT" not in aids.anagrams("silent", aids.word_index())
