"""How small the stored answers to known differences become."""

import pytest

from spatial_workbench.engine.evaluation.laboratory.known import known_differences
from spatial_workbench.engine.evaluation.laboratory.sizes import (
    ShrunkenDifference,
    as_size_table,
    shrunken_differences,
)


def shrunken(name: str, after: tuple[int, int], *, is_finished: bool = True) -> ShrunkenDifference:
    return ShrunkenDifference("maze_3d", name, (9, 4), after, 1200, 3.4, is_finished)


@pytest.mark.slow
def test_each_known_difference_of_a_task_is_made_small_and_none_grows() -> None:
    rows = list(shrunken_differences(["topology_enumeration"]))
    assert [row.id for row in rows] == [known.id for known in known_differences("topology_enumeration")]
    assert all(row.after <= row.before for row in rows)


def test_the_table_counts_what_is_small_in_elements_in_digits_and_in_both() -> None:
    table = as_size_table(
        [shrunken("a", (4, 3)), shrunken("b", (5, 1)), shrunken("c", (1, 17), is_finished=False), shrunken("d", (9, 4))]
    )
    assert "| maze_3d | `a` | 9 elements, 4 digits | 4 elements, 3 digits | 1,200 | 3 |" in table
    assert "1 element, 17 digits, limit reached" in table
    assert "fewer than 5 elements: 2; at most 3 digits: 2; both: 1" in table
