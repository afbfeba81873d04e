"""Patches carry the difference between two states, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_workbench.engine.core.formats.patch import apply, diff

LISTS = st.lists(st.integers(0, 5), max_size=12)
STATES = st.fixed_dictionaries(
    {"bricks": LISTS, "name": st.text(max_size=5), "inner": st.fixed_dictionaries({"a": LISTS})}
)


@given(STATES, STATES)
def test_a_patch_turns_the_old_state_into_the_new_one(old, new):
    assert apply(old, diff(old, new)) == new


def test_one_added_entry_is_one_small_step():
    assert diff({"bricks": [1, 2, 3]}, {"bricks": [1, 2, 9, 3]}) == [[["bricks"], 2, [], [9]]]


def test_equal_states_make_no_patch():
    assert diff({"bricks": [1]}, {"bricks": [1]}) == []


@pytest.mark.parametrize("patch", [[[["nothing"], 0, [], [1]]], [[["bricks"], 5, [1], []]]])
def test_a_patch_that_does_not_fit_is_refused(patch):
    with pytest.raises(ValueError, match="patch"):
        apply({"bricks": [1]}, patch)
