"""Changes of texts: words, spaces, expressions of the same value, and tables of numbers."""

from collections.abc import Callable

import numpy as np

from spatial_workbench.engine.evaluation.laboratory.searching import texts

FUNCTION = "def f(x, y): return x + 2*y"
SOLID = "solid part\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1\nvertex 1 0 1\nvertex 0 0 1\nendloop"


def many(change: Callable[..., str | None], text: str, count: int = 300) -> set[str]:
    made = (change(text, np.random.default_rng((1, number))) for number in range(count))
    return {each for each in made if each is not None}


def test_a_word_changes_everywhere() -> None:
    changed = many(texts.word_changed_everywhere, FUNCTION)
    assert "def f(y, y): return y + 2*y" in changed
    assert FUNCTION.replace(" ", "") in changed


def test_expressions_keep_their_value() -> None:
    changed = many(texts.equal_expression, FUNCTION)
    assert any("**" in each for each in changed)
    for each in changed:
        scope: dict[str, Callable[[float, float], float]] = {}
        exec(each, scope)
        assert abs(scope["f"](3, 5) - 13) < 1e-9


def test_the_end_is_put_into_brackets() -> None:
    assert "def f(x, y): return(x + 2*y)" in many(texts.end_changed, FUNCTION)


def test_spaces_come_and_go() -> None:
    assert "def f(x,y): return x + 2*y" in many(texts.spaces_changed, FUNCTION)


def test_the_rows_of_a_text_are_those_that_begin_alike() -> None:
    assert texts.rows_in(SOLID) == ("vertex", [[0, 0, 1], [1, 0, 1]])
    assert texts.rows_in("no rows") == ("", [])


def test_rows_change_wherever_they_occur() -> None:
    word, rows = texts.rows_in(SOLID)
    changed = texts.with_rows(SOLID, word, rows, [[0, 0, 2.5], [1, 0, 1]])
    assert changed.count("vertex 0 0 2.5") == 2
    assert "facet normal 0 0 1" in changed
