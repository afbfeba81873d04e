"""Numbers with their nouns."""

import pytest

from engine.core.words import counted


@pytest.mark.parametrize(("number", "words"), [(0, "0 cells"), (1, "1 cell"), (2, "2 cells"), (1024, "1,024 cells")])
def test_only_one_of_a_thing_is_singular(number, words):
    assert counted(number, "cell") == words


def test_a_plural_of_its_own_and_a_verb_go_with_the_number():
    assert [counted(n, "vertex is", "vertices are") for n in (1, 2)] == ["1 vertex is", "2 vertices are"]
