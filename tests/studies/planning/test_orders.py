"""Canonical data, codes and orders."""

from collections import Counter
from itertools import pairwise

import pytest

from spatial_workbench.engine.studies.files.canonical import canonical, digest
from spatial_workbench.engine.studies.planning.codes import CodeError, code_of, number_of
from spatial_workbench.engine.studies.planning.orders import (
    Order,
    OrderError,
    check_order,
    row,
    row_count,
    rows_of_slots,
)


def test_equal_data_have_one_form():
    data = {"b": 1, "a": [1, 2.5, "ä"]}
    assert canonical(data).decode() == '{"a":[1,2.5,"ä"],"b":1}'
    assert digest(data) == "71d54953d582241aa01c6c578c7818967044b517e9df757be450ddebd93a3c13"
    assert digest({"consent": "I agree"}) != digest({"consent": "I  agree"})


def test_what_is_no_number_has_no_form():
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical({"a": float("nan")})


def test_codes_end_with_a_letter_that_checks_them():
    assert [code_of(n) for n in (1, 2, 17, 120)] == ["P001H", "P002Q", "P017E", "P120N"]
    assert number_of(" p017e ") == 17


def test_every_wrong_digit_and_every_swap_is_found():
    for number in range(1000):
        digits = code_of(number)[1:4]
        letter = code_of(number)[4]
        wrong = {digits[:i] + d + digits[i + 1 :] for i in range(3) for d in "0123456789"}
        wrong |= {digits[1] + digits[0] + digits[2], digits[0] + digits[2] + digits[1]}
        for other in wrong - {digits}:
            with pytest.raises(CodeError, match="last letter does not fit"):
                number_of(f"P{other}{letter}")


@pytest.mark.parametrize("typed", ["", "P17", "X017E", "P017", "P0170000E", "P017é"])
def test_what_is_no_code_is_refused(typed):
    with pytest.raises(CodeError, match="is not a code"):
        number_of(typed)


@pytest.mark.parametrize("n", range(2, 13))
def test_williams_rows_balance_positions_and_successions(n):
    rows = [row(Order.WILLIAMS, n, r) for r in range(row_count(Order.WILLIAMS, n, 0))]
    positions = Counter((k, item) for order in rows for k, item in enumerate(order))
    successions = Counter(pair for order in rows for pair in pairwise(order))
    assert set(positions.values()) == {len(rows) // n}
    assert set(successions.values()) == {1 if n % 2 == 0 else 2}
    assert len(successions) == n * (n - 1)


def test_the_rows_of_williams_are_the_known_ones():
    assert ["".join(map(str, row(Order.WILLIAMS, 4, r))) for r in range(4)] == ["0132", "1203", "2310", "3021"]
    assert row(Order.WILLIAMS, 5, 0) == [0, 1, 4, 2, 3]
    assert row(Order.WILLIAMS, 5, 5) == [3, 2, 4, 1, 0]


def test_latin_rows_turn_by_one():
    assert row(Order.LATIN, 4, 1) == [1, 2, 3, 0]
    assert row(Order.FIXED, 3, 7) == [0, 1, 2]


def test_full_rounds_use_each_row_equally():
    assert Counter(rows_of_slots(40, 4, 7)) == dict.fromkeys(range(4), 10)
    assert rows_of_slots(40, 4, 7) == rows_of_slots(40, 4, 7) != rows_of_slots(40, 4, 8)


def test_a_shuffle_follows_study_block_and_slot():
    assert row(Order.SHUFFLE, 9, 0, (1, 0, 5)) == row(Order.SHUFFLE, 9, 3, (1, 0, 5))
    assert row(Order.SHUFFLE, 9, 0, (1, 0, 5)) != row(Order.SHUFFLE, 9, 0, (1, 0, 6))


@pytest.mark.parametrize(("order", "n", "fits"), [(Order.LATIN, 1, "fixed"), (Order.WILLIAMS, 31, "latin")])
def test_an_order_that_does_not_fit_names_those_that_do(order, n, fits):
    with pytest.raises(OrderError, match=fits):
        check_order(order, n)
