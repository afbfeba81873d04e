"""Numbers with their nouns."""

import pytest

from spatial_workbench.engine.core.words import abridged, beside, counted, score_words


@pytest.mark.parametrize(("number", "words"), [(0, "0 cells"), (1, "1 cell"), (2, "2 cells"), (1024, "1,024 cells")])
def test_only_one_of_a_thing_is_singular(number, words):
    assert counted(number, "cell") == words


def test_a_plural_of_its_own_and_a_verb_go_with_the_number():
    assert [counted(n, "vertex is", "vertices are") for n in (1, 2)] == ["1 vertex is", "2 vertices are"]


@pytest.mark.parametrize(
    ("text", "words"),
    [("abc def", "abc def"), ("abc\n def", "abc def"), ("abc def g", "abc def…"), ("abc d efgh", "abc d e…"), ("", "")],
)
def test_an_abridged_text_is_one_line_with_an_ellipsis_for_the_rest(text, words):
    assert abridged(text, 8) == words


@pytest.mark.parametrize(
    ("value", "limit", "words"),
    [(0.949996, 0.95, "0.949996"), (0.9, 0.95, "0.90"), (0.95, 0.95, "0.95"), (1.0500001, 1.05, "1.0500001")],
)
def test_a_figure_beside_a_limit_is_not_rounded_to_it(value, limit, words):
    assert beside(value, limit, 2) == words


@pytest.mark.parametrize(("value", "words"), [(-0.0, "0.00"), (0.0, "0.00"), (-0.001, "-0.001"), (1e200, "1e+200")])
def test_a_figure_beside_zero_has_no_sign_of_its_own(value, words):
    assert beside(value, 0, 2) == words


@pytest.mark.parametrize(("score", "words"), [(1.0, "1.00"), (0.99997, "0.99"), (0.183, "0.18"), (0.0, "0.00")])
def test_a_score_that_is_short_is_never_shown_as_full(score, words):
    assert score_words(score) == words
